// Shows the face of a card when its link is hovered, focused or pressed long. Not inside data-peek="off", not where the whole card
// is shown beside the list (whole_card.js), and not for links around a picture.
(() => {
  "use strict";
  const WAIT = 150, LINGER = 250, PRESS = 450, GAP = 12, EDGE = 8; // ms and px
  // Hidden from screen readers, because it repeats the link.
  const peek = Object.assign(document.createElement("div"), { className: "peek", hidden: true, ariaHidden: "true" });
  const faces = new Map(); // face images by path
  let current, pressed; // the link whose face is shown or loading; the link under a finger
  let swallow; // true while the click that ends a long press is still to come
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

  // Right of the link and the numbers of its row; if there is no room, left of it, then below or above.
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

  // For visitors with texts of their own, use the address of their own faces; it redirects to the common face for other cards.
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
    // The press must be shorter than the one that opens the browser's own menu.
    setTimeout((link) => link === pressed && faceOf(link), WAIT, pressed);
    open(pressed, PRESS);
  });
  // Only lifting the finger produces a click.
  const release = ({ type }) => {
    swallow = pressed && type === "pointerup" && !peek.hidden;
    if (pressed && peek.hidden) close();
    pressed = null;
  };
  on("pointerup", release);
  on("pointercancel", release);
  // Suppress the browser's link menu only if the face is shown instead.
  on("contextmenu", (event) => {
    if (!pressed) return;
    if (peek.hidden) close(); else event.preventDefault();
  });
  on("click", (event) => {
    if (swallow) event.preventDefault();
    swallow = false;
  });
})();
