// The print page: menus of the cards on the sheet, form buttons without a page load, and undo. Without this script the same links and
// buttons load the page.
(() => {
  const form = () => document.getElementById("print-form");
  // For undo: the form before each change, and the form when a sheet was last shown. Undo never returns to a form that cannot be
  // printed, and turning to another sheet is not a change.
  const past = [];
  let present = "", sheet = 1, kept = null;
  // Presses during a request wait, and are applied to the form that the answer brings.
  let isAsking = false;
  const presses = [];

  const sent = () => {
    const data = new FormData(form());
    data.delete("csrfmiddlewaretoken");
    return data;
  };
  const written = (data) => {
    const words = new URLSearchParams(data);
    words.delete("sheet");
    return words.toString();
  };

  // -- asking for form and outcome together ------------------------------------------------

  function ask(data, then = {}) {
    isAsking = true;
    const settings = document.getElementById("settings");
    const token = form().querySelector("[name=csrfmiddlewaretoken]");
    if (token) data.set("csrfmiddlewaretoken", token.value);
    kept = {
      ...then,
      scroll: ["settings", "outcome"].map((id) => [id, document.getElementById(id).scrollTop]),
      open: [...settings.querySelectorAll("details")].map((one) => one.open),
      page: window.scrollY,
    };
    htmx.ajax(form().method, form().getAttribute("action").split("#")[0], { target: "#print-page", swap: "outerHTML", values: data });
  }

  function pressAgain(id, name, value) {
    const button = document.getElementById(id) || [...form().elements].find((one) => one.name === name && one.value === value);
    if (button && !button.disabled) form().requestSubmit(button);
  }
  document.addEventListener("htmx:afterRequest", ({ detail }) => {
    if (detail.elt !== document.body) return;
    isAsking = false;
    if (!detail.successful) presses.length = 0;
    while (presses.length && !isAsking) presses.shift()();
  });

  document.addEventListener("submit", (event) => {
    const { target, submitter } = event;
    // Until htmx is loaded, let the form submit as without a script.
    if (target.id !== "print-form" || !window.htmx) return;
    const path = (one, name) => new URL(one.getAttribute(name), location.href).pathname;
    if (submitter?.hasAttribute("formaction") && path(submitter, "formaction") !== path(target, "action")) return;
    event.preventDefault();
    if (isAsking) {
      presses.push(() => pressAgain(submitter?.id, submitter?.name, submitter?.value));
      return;
    }
    const data = new FormData(target);
    if (submitter?.name) data.append(submitter.name, submitter.value);
    const menu = submitter?.closest(".print-menu");
    ask(data, menu ? { menu: menu.id, focus: submitter.id || "preview-title" } : { focus: submitter?.id });
  });

  const refused = () => !document.getElementById("preview");
  const undoable = () => past.length > 0 || (refused() && present !== "");

  function undo() {
    if (isAsking) { presses.push(undo); return; }
    if (!undoable()) return;
    const data = new FormData();
    for (const [name, value] of new URLSearchParams(refused() && present ? present : past.at(-1))) data.append(name, value);
    data.set("sheet", sheet);
    ask(data, { undone: !refused(), focus: "undo" });
  }

  document.addEventListener("click", (event) => { if (event.target.id === "undo") undo(); });
  document.addEventListener("keydown", (event) => {
    const writes = event.target.closest("textarea, input:not([type=checkbox], [type=radio], [type=submit])");
    if ((event.ctrlKey || event.metaKey) && !event.shiftKey && event.key.toLowerCase() === "z" && !writes && undoable()) {
      event.preventDefault();
      undo();
    }
  });

  // -- menus -----------------------------------------------------------------------------

  function open(menu, place) {
    if (!menu?.showPopover) return false;
    if (!menu.matches(":popover-open")) menu.showPopover();
    // Place the menu beside the card if there is room; on a phone, at the bottom of the window.
    menu.style.inset = "";
    if (window.innerWidth >= 760) {
      const card = place.getBoundingClientRect(), own = menu.getBoundingClientRect();
      const right = card.right + 8 + own.width < window.innerWidth;
      const left = right ? card.right + 8 : Math.max(8, card.left - own.width - 8);
      const top = Math.max(8, Math.min(card.top + 8, window.innerHeight - own.height - 8));
      menu.style.inset = `${top}px auto auto ${left}px`;
    }
    for (const one of document.querySelectorAll(".print-pick")) one.setAttribute("aria-expanded", String(one === place));
    return true;
  }

  const menuOf = (pick) => document.getElementById(pick.getAttribute("href").slice(1));

  document.addEventListener("click", (event) => {
    const pick = event.target.closest(".print-pick"), close = event.target.closest(".print-menu-close");
    if (pick && open(menuOf(pick), pick)) {
      event.preventDefault();
      menuOf(pick).querySelector("button:enabled").focus();
    } else if (close?.closest(":popover-open")) {
      event.preventDefault();
      close.closest(".print-menu").hidePopover();
    }
  });
  document.addEventListener("keydown", (event) => {
    const pick = event.target.closest(".print-pick");
    if (!pick || event.key !== " ") return;
    event.preventDefault();
    pick.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true }));
  });
  document.addEventListener("toggle", (event) => {
    if (!event.target.classList?.contains("print-menu") || event.newState === "open") return;
    for (const one of document.querySelectorAll(".print-pick")) one.setAttribute("aria-expanded", "false");
  }, true);

  // -- after every answer -----------------------------------------------------------------

  function settle() {
    if (!form()) return;
    for (const one of document.querySelectorAll(".print-pick:not([role])")) {
      one.setAttribute("role", "button");
      one.setAttribute("aria-haspopup", "dialog");
      one.setAttribute("aria-expanded", "false");
    }
    if (!refused()) {
      const now = written(sent());
      sheet = sent().get("sheet");
      if (kept?.undone) past.pop();
      else if (present && now !== present) past.push(present);
      present = now;
    }
    const button = document.getElementById("undo");
    if (button) button.hidden = !undoable();
    if (!kept) return;
    const { scroll, open: details, page, menu, focus } = kept;
    kept = null;
    const now_there = [...document.querySelectorAll("#settings details")];
    if (now_there.length === details.length) now_there.forEach((one, place) => { one.open = details[place]; });
    for (const [id, top] of scroll) { const one = document.getElementById(id); if (one) one.scrollTop = top; }
    window.scrollTo(0, page);
    const pick = menu && [...document.querySelectorAll(".print-pick")].find((one) => one.getAttribute("href") === `#${menu}`);
    const wanted = document.getElementById(focus);
    if (pick && wanted?.closest(".print-menu")) open(document.getElementById(menu), pick);
    if (wanted && !wanted.disabled && !wanted.hidden) wanted.focus({ preventScroll: true });
    else if (pick && wanted?.disabled) document.getElementById(menu).querySelector("button:enabled").focus({ preventScroll: true });
    else if (focus) document.getElementById("preview-title")?.focus({ preventScroll: true });
  }

  document.addEventListener("htmx:afterSettle", (event) => { if (["outcome", "print-page"].includes(event.target.id) || event.target.querySelector?.("#print-page")) settle(); });
  settle();
})();
