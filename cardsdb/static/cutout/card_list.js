// The view that was picked last is that of the next list, unless its address names one. Without this script a list has its usual view.
(() => {
  "use strict";
  const KEY = "cutout-cards-view";
  const params = new URLSearchParams(location.search);
  const links = [...document.querySelectorAll(".results-head .switch > a[href^='?']")];
  const viewOf = (link) => new URLSearchParams(link.search).get("view");
  try {
    const last = links.find((link) => viewOf(link) === localStorage.getItem(KEY));
    if (last && !last.ariaCurrent && !["view", "after", "before"].some((name) => params.has(name))) location.replace(last.href);
    links.forEach((link) => link.addEventListener("click", () => localStorage.setItem(KEY, viewOf(link))));
  } catch { /* The browser keeps nothing for this site: every list has its usual view. */ }
})();
// The arrow keys walk the rows; a finger on a name opens a sheet with the faces of all of them, which is swiped through. Without this script
// a name leads to its card.
(() => {
  "use strict";
  const results = document.querySelector(".results");
  const sheet = document.querySelector(".sheet");
  const names = [...results.querySelectorAll(":is(.card-row, .row) a.name")];
  results.addEventListener("keydown", (event) => {
    const at = names.indexOf(document.activeElement);
    const next = names[at + { ArrowDown: 1, ArrowUp: -1 }[event.key]];
    if (at < 0 || !next || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    next.focus();
  });

  function cardOf(link) {
    const [face, more] = [new Image(), link.cloneNode()];
    const own = results.matches("[data-own-faces]");
    const src = own ? `${link.pathname.replace(/^\/cards\//, "/own/faces/").slice(0, -1)}.svg` : `${link.pathname}face.svg`;
    Object.assign(face, { loading: "lazy", alt: `The face of ${link.textContent}`, width: 635, height: 889, src });
    Object.assign(more, { className: "button", textContent: "Open the card" });
    const item = document.createElement("li");
    item.append(face, more);
    return item;
  }
  results.addEventListener("click", (event) => {
    const at = names.indexOf(event.target.closest("a.name"));
    if (at < 0 || event.defaultPrevented || event.pointerType !== "touch" || document.querySelector(".at-hand")?.offsetParent) return;
    event.preventDefault();
    const cards = sheet.querySelector("ul");
    if (!cards.children.length) cards.append(...names.map(cardOf));
    sheet.showModal();
    cards.children[at].scrollIntoView({ behavior: "instant", inline: "center" });
  });
  // A press beside the sheet closes it.
  sheet.addEventListener("click", ({ target }) => target === sheet && sheet.close());
})();
// What this browser saved stands in no list: it is fetched when it is to be seen. Without this script a link leads to its page.
(() => {
  "use strict";
  const saved = document.querySelector(".saved-searches");
  saved?.addEventListener("toggle", async () => {
    const { part } = saved.dataset;
    if (!saved.open || !part) return;
    delete saved.dataset.part; // asked for once: a second answer would take away what is typed into the first
    try {
      const answer = await fetch(part);
      if (!answer.ok) throw new Error(answer.status);
      const found = await answer.text();
      // The summary stays in its place, and with it the focus.
      for (const one of [...saved.children].slice(1)) one.remove();
      saved.insertAdjacentHTML("beforeend", found);
    } catch { saved.dataset.part = part; /* No network: the link stays. */ }
  });
})();
