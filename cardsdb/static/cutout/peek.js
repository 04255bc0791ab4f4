// A link to a card shows its face on hover, focus and long press; not inside data-peek="off", nor where it stands whole beside them (whole_card.js), nor round
// a picture.
(() => {
  "use strict";
  const WAIT = 150, LINGER = 250, PRESS = 450, GAP = 12, EDGE = 8; // ms and px
  // Screen readers skip it: it repeats the link.
  const peek = Object.assign(document.createElement("div"), { className: "peek", hidden: true, ariaHidden: "true" });
  const faces = new Map(); // by path
  let current, pressed; // the link whose face is shown or waited for, and the one under a finger
  let swallow; // whether the click that ends a long press is still to come
  let opening, closing;

  function linkAt(target) {
    const link = target.closest?.('a[href^="/cards/"]');
    if (!link || !/^\/cards(\/[^/]+){2}\/$/.test(link.pathname) || link.pathname === location.pathname) return null;
    const isWhole = link.closest("[data-cards]") && document.querySelector("[data-whole-card]")?.checkVisibility();
    return isWhole || link.closest('[data-peek="off"]') || link.querySelector("svg, img") ? null : link;
  }
  const rowOf = (link) => link.closest(".card-row, tr, .row") || link;

  function close() {
    [opening, closing].forEach(clearTimeout);
    peek.hidden = true;
    current = null;
  }

  // Right of the link and its row's numbers, else left of it, else under or over it.
  function place(link) {
    const box = link.getBoundingClientRect();
    const range = document.createRange();
    const edges = [link, ...rowOf(link).querySelectorAll(".num, .row-meta")].map((part) => {
      range.selectNodeContents(part);
      return range.getBoundingClientRect().right;
    });
    const right = document.documentElement.clientWidth - peek.offsetWidth - EDGE;
    const bottom = innerHeight - peek.offsetHeight - EDGE;
    let x = Math.max(...edges) + GAP;
    let y = (box.top + box.bottom - peek.offsetHeight) / 2;
    if (x > right) x = box.left - peek.offsetWidth - GAP;
    if (x < EDGE) {
      x = Math.max(EDGE, Math.min(box.left, right));
      y = box.bottom + GAP < bottom ? box.bottom + GAP : box.top - peek.offsetHeight - GAP;
    }
    peek.style.left = `${x}px`;
    peek.style.top = `${Math.max(EDGE, Math.min(y, bottom))}px`;
  }

  // Where the visitor has texts of their own, their faces have them; the address leads on to everybody's face for other cards.
  function faceOf({ pathname, parentElement }) {
    const isOwn = parentElement.closest("[data-own-faces]");
    const src = isOwn ? `${pathname.replace(/^\/cards\//, "/own/faces/").slice(0, -1)}.svg` : `${pathname}face.svg`;
    const face = faces.get(pathname) || Object.assign(new Image(), { alt: "", src });
    faces.set(pathname, face);
    return face;
  }

  async function show(link) {
    const path = link.pathname;
    const face = faceOf(link);
    await face.decode().catch(() => faces.delete(path));
    if (current !== link || !link.isConnected || !face.naturalWidth) return;
    peek.classList.toggle("peek-wide", face.naturalWidth > face.naturalHeight);
    peek.replaceChildren(face);
    document.body.append(peek);
    peek.hidden = false;
    place(link);
  }

  function open(link, wait) {
    if (link === current) return clearTimeout(closing);
    close();
    current = link;
    opening = setTimeout(show, wait, link);
  }

  const on = (type, action) => document.addEventListener(type, action, { capture: true, passive: type === "scroll" });
  on("pointerover", ({ target, pointerType }) => {
    const link = linkAt(target);
    if (pointerType === "touch") return;
    if (link) open(link, WAIT);
    else clearTimeout(closing);
    if (link || !current || current === document.activeElement) return;
    if (!peek.contains(target) && (peek.hidden || !rowOf(current).contains(target))) closing = setTimeout(close, LINGER);
  });
  on("focusin", ({ target }) => linkAt(target) && target.matches(":focus-visible") && open(target, WAIT));
  on("focusout", ({ target }) => target === current && close());
  on("keydown", ({ key }) => key === "Escape" && close());
  on("scroll", () => peek.hidden || close());
  on("pointerdown", ({ target, pointerType }) => {
    if (!peek.contains(target)) close();
    swallow = false;
    pressed = pointerType === "touch" ? linkAt(target) : null;
    if (!pressed) return;
    // A finger waits long enough for the face to come before the browser's menu would.
    setTimeout((link) => link === pressed && faceOf(link), WAIT, pressed);
    open(pressed, PRESS);
  });
  // Only a finger that is lifted makes a click.
  const release = ({ type }) => {
    swallow = pressed && type === "pointerup" && !peek.hidden;
    if (pressed && peek.hidden) close();
    pressed = null;
  };
  on("pointerup", release);
  on("pointercancel", release);
  // The browser's own menu of a link stays away only where the face has come up in its place.
  on("contextmenu", (event) => {
    if (!pressed) return;
    if (peek.hidden) close(); else event.preventDefault();
  });
  on("click", (event) => {
    if (swallow) event.preventDefault();
    swallow = false;
  });
})();
