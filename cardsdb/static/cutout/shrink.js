// Warns about pictures that are too large for the site before they are uploaded, and offers to shrink them in the browser. Without
// this script the site rejects them after the upload.
(() => {
  const input = document.getElementById("id_files");
  const told = document.getElementById("shrink");
  if (!input || !told || !window.createImageBitmap || !window.DataTransfer) return;
  const MEGABYTE = 1024 * 1024;
  const SHORT_SIDE = 1500; // pixels: 600 an inch on a card
  const LIKELY = 1.5 * MEGABYTE; // bytes; smaller files hardly ever have too many pixels, so they are not decoded
  const [bytes, pixels, costly, side] = ["bytes", "pixels", "costly", "side"].map((name) => Number(input.dataset[name]));
  const megabytes = (size) => `${(Math.ceil((size * 10) / MEGABYTE) / 10).toFixed(1)} MB`;
  const isPacked = (file) => /\.(zip|tgz|gz|o8c)$/i.test(file.name);
  let turn = 0;

  const why = async (file) => {
    if (file.size > bytes) return `${file.name} has ${megabytes(file.size)}`;
    if (file.size < LIKELY) return "";
    try {
      const { width, height } = await createImageBitmap(file);
      const most = /webp|avif|hei[cf]/.test(file.type) ? costly : pixels;
      return width * height > most || Math.max(width, height) > side ? `${file.name} has ${width} × ${height} pixels` : "";
    } catch {
      return "";
    }
  };
  const smaller = async (file) => {
    const bitmap = await createImageBitmap(file);
    const canvas = document.createElement("canvas");
    let share = Math.min(1, SHORT_SIDE / Math.min(bitmap.width, bitmap.height));
    share = Math.min(share, side / Math.max(bitmap.width, bitmap.height));
    // JPEG has no transparency. Other kinds become WebP, which keeps it; a browser that cannot write WebP makes a PNG.
    const kind = file.type === "image/jpeg" ? file.type : "image/webp";
    for (; share > 0.05; share *= 0.8) {
      [canvas.width, canvas.height] = [bitmap.width * share, bitmap.height * share].map((length) => Math.max(1, Math.round(length)));
      canvas.getContext("2d").drawImage(bitmap, 0, 0, canvas.width, canvas.height);
      const blob = await new Promise((resolve) => canvas.toBlob(resolve, kind, 0.92));
      if (blob && blob.size <= bytes) {
        const ending = blob.type.slice("image/".length).replace("jpeg", "jpg");
        return new File([blob], `${file.name.replace(/\.[^.]*$/, "")}.${ending}`, { type: blob.type });
      }
    }
    throw new Error("too large");
  };
  const say = (...parts) => {
    told.replaceChildren(...parts.map((part) => {
      if (part instanceof Element) return part;
      const line = document.createElement("p");
      line.textContent = part;
      return line;
    }));
    told.hidden = !parts.length;
  };

  input.addEventListener("change", async () => {
    const mine = (turn += 1), files = [...input.files], large = new Map();
    say();
    for (const file of files) {
      const reason = isPacked(file) ? "" : await why(file);
      if (reason) large.set(file, reason);
    }
    if (mine !== turn || !large.size) return;
    const button = document.createElement("button");
    button.type = "button";
    button.className = "button-secondary";
    button.textContent = "Make them smaller before they are sent";
    say(`Too large for this site: ${[...large.values()].join("; ")}.`, button);
    button.addEventListener("click", async () => {
      button.disabled = true;
      const sent = new DataTransfer(), done = [], left = [];
      for (const file of files) {
        let made = file;
        if (large.has(file)) {
          try {
            made = await smaller(file);
            done.push(`${made.name} ${megabytes(made.size)}`);
          } catch {
            left.push(file.name);
          }
        }
        sent.items.add(made);
      }
      if (mine !== turn) return;
      input.files = sent.files;
      input.focus();
      say(...(done.length ? [`Smaller now: ${done.join("; ")}.`] : []), ...(left.length ? [`This browser cannot make these smaller: ${left.join("; ")}. Save them smaller, or leave them out.`] : []));
    });
  });
})();
