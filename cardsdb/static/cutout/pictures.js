// The crop frame on the page of one picture. The frame and the form fields follow each other; without this script there are only
// the fields, which can do the same. The preview drawn here must match printing/faces/own_pictures.py.
(() => {
  const views = document.getElementById("views");
  const form = document.getElementById("picture-form");
  if (!views || !form) return;
  const SVG = "http://www.w3.org/2000/svg";
  const SIDES = ["left", "top", "right", "bottom"];
  const MIN_SHOWN = 2; // per cent of a side that a crop always leaves
  const data = views.dataset;
  const file = { address: data.address, width: Number(data.width), height: Number(data.height) };
  const trim = data.trim.split(" ").map(Number);
  const eighth = Number(data.eighth);
  const stage = document.getElementById("crop");
  const printed = document.getElementById("printed");

  const field = (name) => form.elements[name];
  const cutOf = (name) => {
    const value = Number.parseFloat(field(name).value);
    return Number.isFinite(value) ? Math.min(Math.max(value, 0), 100 - MIN_SHOWN) : 0;
  };
  // The values of the fields. Opposite sides of a crop keep MIN_SHOWN between them.
  const settings = () => {
    const cuts = Object.fromEntries(SIDES.map((name) => [name, cutOf(name)]));
    cuts.right = Math.min(cuts.right, 100 - MIN_SHOWN - cuts.left);
    cuts.bottom = Math.min(cuts.bottom, 100 - MIN_SHOWN - cuts.top);
    const own = field("edge").value === "included" ? Number.parseFloat(field("bleed").value) * 1000 : 0;
    return {
      cuts,
      turn: Number(field("turn").value),
      mirrored: field("mirrored").checked,
      whole: field("fit").value === "whole",
      edge: field("edge").value,
      own: own > 0 ? Math.min(own, 10000) : 0,
    };
  };

  // Positions in pixels of the upright picture: the crop, the cut line of the card, and the length of one micrometre.
  const layout = (now) => {
    const [width, height] = now.turn % 180 ? [file.height, file.width] : [file.width, file.height];
    const { left, top, right, bottom } = now.cuts;
    const crop = { x: (left * width) / 100, y: (top * height) / 100, width: ((100 - left - right) * width) / 100, height: ((100 - top - bottom) * height) / 100 };
    const across = crop.width > crop.height;
    const [wide, high] = across === trim[0] > trim[1] ? trim : [trim[1], trim[0]];
    const area = [wide + 2 * now.own, high + 2 * now.own];
    const scales = [crop.width / area[0], crop.height / area[1]];
    const unit = now.whole ? Math.max(...scales) : Math.min(...scales);
    const card = { x: crop.x + (crop.width - wide * unit) / 2, y: crop.y + (crop.height - high * unit) / 2, width: wide * unit, height: high * unit };
    return { width, height, crop, card, unit };
  };
  const grown = (box, by) => ({ x: box.x - by, y: box.y - by, width: box.width + 2 * by, height: box.height + 2 * by });
  const shared = (one, other) => {
    const x = Math.max(one.x, other.x), y = Math.max(one.y, other.y);
    return { x, y, width: Math.min(one.x + one.width, other.x + other.width) - x, height: Math.min(one.y + one.height, other.y + other.height) - y };
  };

  const element = (name, attributes, ...children) => {
    const made = document.createElementNS(SVG, name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    made.append(...children);
    return made;
  };
  const numbers = (box) => ({ x: box.x, y: box.y, width: box.width, height: box.height });
  // One image element per drawing, reused for each redraw: a new one would be empty until it is decoded.
  const source = { href: file.address, width: file.width, height: file.height, preserveAspectRatio: "none" };
  const images = { whole: element("image", source), card: element("image", source) };
  const upright = (which, now, size) => {
    const turned = { 0: "", 90: `translate(${size.width} 0) rotate(90)`, 180: `translate(${size.width} ${size.height}) rotate(180)`, 270: `translate(0 ${size.height}) rotate(270)` }[now.turn];
    const swapped = now.mirrored ? ` translate(${file.width} 0) scale(-1 1)` : "";
    images[which].setAttribute("transform", turned + swapped);
    return images[which];
  };
  const lines = (box, name) => ["under", "over"].map((layer) => element("rect", { ...numbers(box), class: `${name} ${layer}` }));
  const drawing = (box, name, title, ...children) => {
    const heading = element("title", {});
    heading.textContent = title;
    return element("svg", { viewBox: `${box.x} ${box.y} ${box.width} ${box.height}`, class: name, role: "img" }, heading, ...children);
  };

  const frame = document.createElement("div");
  frame.className = "crop-frame";
  frame.tabIndex = 0;
  frame.setAttribute("role", "application");
  frame.setAttribute("aria-label", "Frame of what is shown");
  frame.setAttribute("aria-describedby", "crop-hint");
  for (const grip of ["nw", "n", "ne", "e", "se", "s", "sw", "w"]) {
    const handle = document.createElement("span");
    handle.className = `crop-grip crop-${grip}`;
    handle.dataset.grip = grip;
    frame.append(handle);
  }

  const show = () => {
    const now = settings();
    const size = layout(now);
    const all = { x: 0, y: 0, width: size.width, height: size.height };
    const safe = grown(size.card, -eighth * size.unit);
    const dim = `M0 0H${size.width}V${size.height}H0Z M${size.crop.x} ${size.crop.y}v${size.crop.height}h${size.crop.width}v${-size.crop.height}Z`;
    // Keep the frame element: replacing it would lose the focus and the pointer capture.
    stage.querySelector("svg").replaceWith(
      drawing(all, "whole-picture", "The whole picture", upright("whole", now, size), element("path", { d: dim, class: "crop-off", "fill-rule": "evenodd" }), ...lines(size.card, "crop-cut"), ...lines(safe, "crop-safe")),
    );
    const { left, top, right, bottom } = now.cuts;
    frame.style.left = `${left}%`;
    frame.style.top = `${top}%`;
    frame.style.width = `${100 - left - right}%`;
    frame.style.height = `${100 - top - bottom}%`;

    // The card: the picture inside its own bleed; beyond the cut line mirrored or stretched if the form says so.
    const inside = shared(size.crop, grown(size.card, now.own * size.unit));
    const paper = grown(size.card, eighth * size.unit);
    const part = element("g", { id: "card-part" }, element("svg", { ...numbers(inside), viewBox: `${inside.x} ${inside.y} ${inside.width} ${inside.height}` }, upright("card", now, size)));
    const mirrors = [];
    if (!["none", "colour"].includes(now.edge) && !now.whole && now.own < eighth) {
      const xs = [["1 0", 0], ["-1 0", 2 * inside.x], ["-1 0", 2 * (inside.x + inside.width)]];
      const ys = [["0 1", 0], ["0 -1", 2 * inside.y], ["0 -1", 2 * (inside.y + inside.height)]];
      const strip = 250 * size.unit, right = inside.x + inside.width, foot = inside.y + inside.height;
      const drawnOut = (box, part) => element("svg", { ...numbers(box), viewBox: `${part.x} ${part.y} ${part.width} ${part.height}`, preserveAspectRatio: "none" }, element("use", { href: "#card-part" }));
      if (now.edge === "repeated") {
        for (const [y, height, from] of [[paper.y, inside.y - paper.y, inside.y], [foot, paper.y + paper.height - foot, foot - strip]]) {
          for (const [a, e] of xs) mirrors.push(element("g", { transform: `matrix(${a} 0 1 ${e} 0)` }, drawnOut({ ...inside, y, height }, { ...inside, y: from, height: strip })));
        }
        for (const [x, width, from] of [[paper.x, inside.x - paper.x, inside.x], [right, paper.x + paper.width - right, right - strip]]) {
          mirrors.push(drawnOut({ ...inside, x, width }, { ...inside, x: from, width: strip }));
        }
      } else for (const [a, e] of xs) for (const [d, f] of ys) {
        if (e || f || a === "-1 0" || d === "0 -1") mirrors.push(element("use", { href: "#card-part", transform: `matrix(${a} ${d} ${e} ${f})` }));
      }
    }
    const drawn = drawing(paper, "card-face", "As it is printed", element("rect", { ...numbers(paper), fill: (now.edge === "colour" && data.edgeColour) || "#fff" }), part, ...mirrors, ...lines(size.card, "crop-cut"), ...lines(safe, "crop-safe"));
    // A picture in the window of a face can be drawn only by the site, when the form is sent.
    if (data.use !== "art") printed.replaceChildren(drawn);

    const fine = document.getElementById("ppi");
    if (fine && data.use !== "art") {
      const ppi = Math.floor(size.unit * 25400 + 1e-6);
      fine.textContent = `${ppi} pixels an inch`;
      fine.classList.toggle("picture-soft", ppi < Number(fine.dataset.good));
    }
  };

  const write = (cuts) => {
    for (const name of SIDES) {
      const value = Math.round(cuts[name] * 10) / 10;
      field(name).value = value ? String(value) : "";
    }
    changed();
  };
  const changed = () => {
    document.getElementById("not-kept").hidden = false;
    show();
  };
  const within = (value, most) => Math.min(Math.max(value, 0), Math.max(most, 0));
  const moved = (from, x, y) => {
    const left = within(from.left + x, from.left + from.right), top = within(from.top + y, from.top + from.bottom);
    return { left, top, right: from.left + from.right - left, bottom: from.top + from.bottom - top };
  };
  const pulled = (from, grip, x, y) => {
    const to = { ...from };
    if (grip.includes("w")) to.left = within(from.left + x, 100 - MIN_SHOWN - from.right);
    if (grip.includes("e")) to.right = within(from.right - x, 100 - MIN_SHOWN - from.left);
    if (grip.includes("n")) to.top = within(from.top + y, 100 - MIN_SHOWN - from.bottom);
    if (grip.includes("s")) to.bottom = within(from.bottom - y, 100 - MIN_SHOWN - from.top);
    return to;
  };

  let drag = null;
  frame.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    const box = stage.getBoundingClientRect();
    drag = { id: event.pointerId, grip: event.target.dataset.grip, x: event.clientX, y: event.clientY, box, from: settings().cuts };
    frame.setPointerCapture(event.pointerId);
  });
  frame.addEventListener("pointermove", (event) => {
    if (!drag || event.pointerId !== drag.id) return;
    const x = ((event.clientX - drag.x) / drag.box.width) * 100, y = ((event.clientY - drag.y) / drag.box.height) * 100;
    write(drag.grip ? pulled(drag.from, drag.grip, x, y) : moved(drag.from, x, y));
  });
  const end = (event) => { if (drag && event.pointerId === drag.id) drag = null; };
  frame.addEventListener("pointerup", end);
  frame.addEventListener("pointercancel", end);
  frame.addEventListener("keydown", (event) => {
    const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
    if (!step || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    const from = settings().cuts;
    write(event.shiftKey ? pulled(from, "se", ...step) : moved(from, ...step));
  });

  // Turning or mirroring the picture moves the crop, so that it still shows the same part.
  let before = settings();
  form.addEventListener("input", (event) => {
    const now = settings();
    let { left, top, right, bottom } = now.cuts;
    if (event.target.name === "mirrored") [left, top, right, bottom] = now.turn % 180 ? [left, bottom, right, top] : [right, top, left, bottom];
    if (event.target.name === "turn") {
      for (let turned = before.turn; turned !== now.turn; turned = (turned + 90) % 360) [left, top, right, bottom] = [bottom, left, top, right];
    }
    before = now;
    if (["mirrored", "turn"].includes(event.target.name)) write({ left, top, right, bottom });
    else if ([...SIDES, "fit", "edge", "bleed"].includes(event.target.name)) changed();
  });

  document.getElementById("crop-hint").textContent = "Drag the frame or its corners. With the keyboard: arrow keys move it, with Shift they make it larger or smaller; or type numbers under “Cut off”.";
  stage.append(frame);
  show();
})();
