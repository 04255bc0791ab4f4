// htmx comes with the first sign of somebody where nothing of a page needs it before: a first visit does without its bytes.
// A page that needs it at once has it among its scripts.
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
    // A pointer that rests where a page comes up is told to have moved, by nothing.
    if (event.type === "pointermove" && !event.movementX && !event.movementY) return;
    for (const sign of SIGNS) removeEventListener(sign, wanted, true);
    // While the page is still loading htmx would wait for an event that has passed.
    if (document.readyState === "complete") fetchIt(); else addEventListener("load", fetchIt);
  }

  function fetchIt() {
    const script = Object.assign(document.createElement("script"), { src: htmx });
    // What was typed or chosen meanwhile nobody has heard.
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
