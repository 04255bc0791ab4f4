// The card page: this browser remembers whether every source is shown, and a link to a source opens the list that it stands in.
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
  // Older browsers leave what stands in a closed list where nobody sees it.
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
