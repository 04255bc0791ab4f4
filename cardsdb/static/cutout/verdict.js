// The check page: the list is judged while it is typed. If a request fails, show the reason instead of the old verdict, which is out of date.
(() => {
  "use strict";
  const form = document.getElementById("list-form");
  if (!form) return;

  function failed(reason) {
    const message = document.createElement("p");
    message.id = "verdict";
    message.className = "notice notice-error";
    message.textContent = `Not judged: ${reason}`;
    document.getElementById("judged").replaceChildren(message);
    document.getElementById("check-line").hidden = true;
    document.getElementById("live-status").textContent = message.textContent;
  }

  form.addEventListener("htmx:responseError", (event) => {
    const page = new DOMParser().parseFromString(event.detail.xhr.responseText, "text/html");
    failed(page.querySelector(".empty > p")?.textContent || "something went wrong on the site. Try again in a minute.");
  });
  form.addEventListener("htmx:sendError", () => failed("the site does not answer. Try again when you are online."));

  // Line numbers beside the list; lines named in the verdict are flagged.
  const field = form.querySelector(".check-sheet > textarea");
  if (!field) return;
  const gutter = Object.assign(document.createElement("div"), { className: "check-gutter", ariaHidden: "true" });
  const numbers = gutter.appendChild(document.createElement("div"));
  field.before(gutter);
  field.wrap = "off";

  function flag() {
    const lines = field.value.split("\n");
    const flags = new Map();
    for (const part of document.querySelectorAll("#judged [data-flags]")) {
      const kind = part.closest(".violation-illegal") ? "illegal" : "unsure";
      if (part.closest(".violation-note")) continue;
      for (const line of part.dataset.flags.split(",")) if (flags.get(line) !== "illegal") flags.set(line, kind);
    }
    numbers.replaceChildren(lines.map((_, place) => place + 1).join("\n"));
    for (const [line, kind] of flags) {
      if (line > lines.length) continue;
      const mark = Object.assign(document.createElement("span"), { className: `check-flag check-flag-${kind}`, textContent: line });
      mark.style.setProperty("--row", line - 1);
      numbers.append(mark);
    }
    follow();
  }
  const follow = () => { numbers.style.transform = `translateY(${-field.scrollTop}px)`; };
  field.addEventListener("input", flag);
  field.addEventListener("scroll", follow, { passive: true });
  document.getElementById("judged").addEventListener("htmx:afterSettle", flag);
  flag();
})();
