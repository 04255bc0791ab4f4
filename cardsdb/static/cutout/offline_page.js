// The offline page. Lists the pages stored in this browser: the viewer's decks, cards, others. The list is built from the caches.
(async () => {
  "use strict";
  const MAX_LISTED = 300;
  const RETRY = 5000;
  const place = document.getElementById("kept-pages");
  if (!place || !window.caches) return;
  if (location.pathname !== place.dataset.address) {
    document.getElementById("stand-in").hidden = false;
    document.getElementById("again").href = location.href;
    // Shown instead of another page: load that page as soon as the site answers, whatever navigator.onLine says.
    const retry = async () => {
      if (navigator.onLine && await fetch(place.dataset.health, { cache: "no-store" }).then((answer) => answer.ok, () => false)) location.reload();
    };
    addEventListener("online", retry);
    setInterval(retry, RETRY);
  }
  const shelves = { decks: [], cards: [], others: [] };
  const shelfOf = (path) => (/^\/decks\/[\w-]{22}\//.test(path) ? "decks" : /^\/cards\/[\w-]+\/[\w-]+\/$/.test(path) ? "cards" : "others");

  async function titleOf(answer) {
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    return page.title.replace(/ · Cutout$/, "").trim();
  }

  const names = (await caches.keys()).filter((name) => name === "cutout-pages" || name.startsWith("cutout-viewer-"));
  const seen = new Set();
  for (const name of names) {
    const room = await caches.open(name);
    for (const request of (await room.keys()).reverse().slice(0, MAX_LISTED)) {
      const { pathname, search } = new URL(request.url);
      const answer = await room.match(request, { ignoreVary: true });
      if (!answer?.headers.get("Content-Type")?.startsWith("text/html") || pathname === place.dataset.address || seen.has(pathname + search)) continue;
      seen.add(pathname + search);
      const title = search === "?q=is%3Amine" && pathname === "/decks/" ? "My decks" : await titleOf(answer);
      shelves[shelfOf(pathname)].push({ href: pathname + search, title });
    }
  }
  // The worker always stores the check page.
  if (!seen.has(place.dataset.check)) shelves.others.unshift({ href: place.dataset.check, title: "Check a list" });
  for (const [shelf, pages] of Object.entries(shelves)) {
    const list = place.querySelector(`[data-shelf=${shelf}]`);
    list.append(...pages.map(({ href, title }) => {
      const row = document.createElement("li");
      const link = document.createElement("a");
      link.href = href;
      link.textContent = title || href;
      row.append(link);
      return row;
    }));
    if (!pages.length) list.append(Object.assign(document.createElement("li"), { className: "hint", textContent: "None yet." }));
  }
  place.hidden = false;
})();
