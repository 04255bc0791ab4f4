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
