// Shows the card whose link inside [data-cards] has the pointer or the focus in [data-whole-card]. Arrow keys move between these links.
// Without room for that element, a press opens [data-card-sheet], a dialog to swipe through; with data-card-sheet="touch" only a
// finger opens it.
(() => {
  "use strict";
  const WAIT = 60; // ms
  const STEPS = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1, Home: -Infinity, End: Infinity };
  const place = document.querySelector("[data-whole-card]"), sheet = document.querySelector("[data-card-sheet]");
  if (!place || !sheet) return;
  const [strip] = sheet.children, words = sheet.querySelector("[role]"), open = sheet.querySelector("a");
  place.lastElementChild.hidden = false;
  let shown, resting, isNew; // the link whose face is shown, the timer for the next one, whether this press changed the card
  let at = 0; // index of the visible slide

  const linkAt = (target) => {
    const link = target.closest?.('[data-cards] a[href^="/cards/"]');
    return link && /^\/cards(\/[^/]+){2}\/$/.test(link.pathname) ? link : null;
  };
  // The pointer may be anywhere in the row of a link.
  const linkUnder = (target) => linkAt(target) || linkAt(target.closest?.("[data-cards] :is(li, .card-row, tr:not(.card-row > tr))")?.querySelector("a") || document);
  const linksBeside = (link) => [...link.closest("[data-cards]").querySelectorAll("a")].filter(linkAt);
  const nameOf = (link) => link.querySelector("[alt]")?.alt || link.querySelector("[aria-label]")?.ariaLabel || link.textContent;
  // Visitors with texts of their own see their own faces.
  const faceOf = (link) => Object.assign(new Image(), {
    alt: nameOf(link),
    src: link.closest("[data-own-faces]") ? `${link.pathname.replace(/^\/cards\//, "/own/faces/").slice(0, -1)}.svg` : `${link.pathname}face.svg`,
  });

  async function show(link) {
    if (link === shown || !place.checkVisibility()) return;
    shown?.removeAttribute("data-shown");
    shown = link;
    link.dataset.shown = "";
    const face = faceOf(link);
    await face.decode().catch(() => {});
    if (shown !== link) return;
    place.firstElementChild.href = link.href;
    place.firstElementChild.replaceChildren(face);
  }

  function look(index) {
    const slide = strip.children[index];
    if (!slide) return;
    at = index;
    words.textContent = `${slide.firstElementChild.firstElementChild.alt}, ${index + 1} of ${strip.children.length}`;
    open.href = slide.firstElementChild.href;
  }
  const turn = (index, behavior) => strip.children[index]?.scrollIntoView({ behavior, inline: "center", block: "nearest" });
  const seen = new IntersectionObserver((slides) => {
    for (const { target, isIntersecting } of slides) if (isIntersecting) look([...strip.children].indexOf(target));
  }, { root: strip, threshold: 0.6 });

  function openSheet(link) {
    const links = linksBeside(link);
    seen.disconnect();
    strip.replaceChildren(...links.map((one) => {
      const slide = document.createElement("li"), to = Object.assign(document.createElement("a"), { href: one.href, tabIndex: -1 });
      to.append(Object.assign(faceOf(one), { loading: "lazy", width: 635, height: 889 }));
      slide.append(to);
      return slide;
    }));
    sheet.showModal();
    turn(links.indexOf(link), "instant");
    look(links.indexOf(link));
    for (const slide of strip.children) seen.observe(slide);
  }

  const on = (type, action) => document.addEventListener(type, action);
  on("pointerover", ({ target, pointerType }) => {
    const link = linkUnder(target);
    clearTimeout(resting);
    if (link && pointerType !== "touch") resting = setTimeout(show, WAIT, link);
  });
  on("focusin", ({ target }) => { const link = linkAt(target); if (link && target.matches(":focus-visible")) show(link); });
  on("pointerdown", ({ target, pointerType }) => {
    const link = linkAt(target);
    isNew = link && pointerType === "touch" && link !== shown;
    if (isNew) show(link);
  });
  on("keydown", (event) => {
    const link = linkAt(event.target), step = STEPS[event.key];
    if (!link || !step || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    event.preventDefault();
    const links = linksBeside(link), next = Math.max(0, Math.min(links.length - 1, links.indexOf(link) + step));
    links[next].focus();
  });
  on("click", (event) => {
    const link = linkAt(event.target);
    if (!link || event.defaultPrevented || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey || event.button) return;
    const hasRoom = place.checkVisibility(), opens = hasRoom && !isNew;
    isNew = false;
    if (opens) return;
    if (!hasRoom && sheet.dataset.cardSheet && event.pointerType !== sheet.dataset.cardSheet) return;
    event.preventDefault();
    if (!hasRoom) openSheet(link);
  });
  sheet.addEventListener("click", ({ target }) => {
    const { value } = target;
    if (target === sheet || value === "close") sheet.close();
    else if (value) turn(at + Number(value), "auto");
  });
})();
