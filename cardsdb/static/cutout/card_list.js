// Opens a card list in the view that was picked last, unless the address names one. Without this script each list opens in its default view.
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
  } catch { /* No storage in this browser: every list opens in its default view. */ }
})();
// Saved searches are not part of the page; they are fetched when the section is opened. Without this script a link leads to their own page.
(() => {
  "use strict";
  const saved = document.querySelector(".saved-searches");
  saved?.addEventListener("toggle", async () => {
    const { part } = saved.dataset;
    if (!saved.open || !part) return;
    delete saved.dataset.part; // fetch only once: a second answer would overwrite what was typed into the first
    try {
      const answer = await fetch(part);
      if (!answer.ok) throw new Error(answer.status);
      const found = await answer.text();
      // Keep the summary element, so that it keeps the focus.
      for (const one of [...saved.children].slice(1)) one.remove();
      saved.insertAdjacentHTML("beforeend", found);
    } catch { saved.dataset.part = part; /* No network: the link stays. */ }
  });
})();
