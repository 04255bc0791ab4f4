// The card page. Remembers in this browser whether all sources are shown, and opens the folded list when a link leads to a source in it.
"use strict";
{
  const all = document.getElementById("all-sources");
  const REMEMBERED = "cutout-all-sources";
  const remembered = (value) => {
    try { return value === undefined ? localStorage.getItem(REMEMBERED) : localStorage.setItem(REMEMBERED, value); } catch { return null; }
  };
  all.checked = remembered() === "on";
  all.addEventListener("change", () => remembered(all.checked ? "on" : "off"));
}
{
  // Older browsers do not open a closed <details> when a link leads into it.
  const show = (hash) => {
    const target = hash.length > 1 && document.getElementById(hash.slice(1));
    const closed = target && target.closest("details:not([open])");
    if (!closed) return;
    closed.open = true;
    target.scrollIntoView();
  };
  document.addEventListener("click", (event) => {
    const link = event.target.closest("a[href^='#']");
    if (link) show(link.hash);
  });
  addEventListener("hashchange", () => show(location.hash));
  show(location.hash);
}
