// Whoever looked at cards as a grid last sees the next list as a grid, unless its address names a view. Without this script it is a table.
(() => {
  "use strict";
  const KEY = "cutout-cards-view";
  const params = new URLSearchParams(location.search);
  const links = [...document.querySelectorAll(".results-head .switch > a[href^='?']")];
  const viewOf = (link) => new URLSearchParams(link.search).get("view");
  try {
    const grid = links.find((link) => viewOf(link) === "grid");
    if (grid && localStorage.getItem(KEY) === "grid" && !["view", "after", "before"].some((name) => params.has(name))) location.replace(grid.href);
    links.forEach((link) => link.addEventListener("click", () => localStorage.setItem(KEY, viewOf(link))));
  } catch { /* The browser keeps nothing for this site: every list has its usual view. */ }
})();
