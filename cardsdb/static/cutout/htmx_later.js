// Loads htmx at the first interaction on pages that do not need it earlier, so that a first visit does not download it.
// Pages that need it at once load it with a script tag of their own.
(() => {
  "use strict";
  const SIGNS = ["pointermove", "pointerdown", "focusin", "keydown", "scroll", "input"];
  const { htmx } = document.getElementById("site-script").dataset;
  const isThere = [...document.scripts].some((script) => script.getAttribute("src") === htmx);
  if (isThere || !document.querySelector("[hx-get], [hx-post]")) return;

  let filledIn = null;
  const remember = (event) => { filledIn = event.target; };
  addEventListener("input", remember, true);

  function wanted(event) {
    // Browsers send a move event to a pointer that did not move. Ignore it.
    if (event.type === "pointermove" && !event.movementX && !event.movementY) return;
    for (const sign of SIGNS) removeEventListener(sign, wanted, true);
    // If the page is still loading, htmx would wait for an event that has already passed.
    if (document.readyState === "complete") fetchIt(); else addEventListener("load", fetchIt);
  }

  function fetchIt() {
    const script = Object.assign(document.createElement("script"), { src: htmx });
    // Repeat the event for what was typed or chosen before htmx was ready.
    script.addEventListener("load", () => {
      removeEventListener("input", remember, true);
      filledIn?.dispatchEvent(new InputEvent("input", { bubbles: true }));
      for (const field of document.querySelectorAll("textarea")) {
        if (field.value !== field.defaultValue) field.dispatchEvent(new InputEvent("input", { bubbles: true }));
      }
    });
    document.head.append(script);
  }

  for (const sign of SIGNS) addEventListener(sign, wanted, { capture: true, passive: true });
})();
