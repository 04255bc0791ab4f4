// Shows the card whose row has the pointer or the focus in the third column. Pressing its name keeps it there, with its facts
// and a link to its page, without leaving the editor. On a phone it opens from the bottom of the screen.
(() => {
  "use strict";
  const editor = document.querySelector(".editor");
  const peek = document.getElementById("peek");
  if (!editor || !peek) return;
  const WAIT = 120; // ms
  const peeks = new Map(); // answers by card code
  const columns = window.matchMedia("(min-width: 64rem)");
  let resting = 0;
  let shown = "";
  let kept = null; // the pressed link, while its card is kept open

  // Without room for a third column, peek.js shows the face as on every other page.
  const choose = () => { editor.dataset.peek = columns.matches ? "off" : "on"; };
  columns.addEventListener("change", choose);
  choose();

  const rowOf = (element) => element?.closest?.("[data-keys] [data-key]");

  async function look(row) {
    const { code } = row.dataset;
    if (code === shown) return true;
    shown = code;
    if (!peeks.has(code)) {
      const answer = await fetch(`${location.pathname}?peek=${encodeURIComponent(code)}`, { headers: { "HX-Request": "true", "HX-Target": "peek" } });
      if (!answer.ok) { shown = ""; return false; }
      peeks.set(code, await answer.text());
    }
    if (shown !== code) return false;
    peek.innerHTML = peeks.get(code); // nosemgrep: unsafe-script (a part of a page of this site, escaped where it was made)
    // The link back from the card page returns to the current search and to this row.
    const back = new URL(location.href);
    back.searchParams.set("peek", code);
    for (const link of peek.querySelectorAll("a[data-back]")) {
      const address = new URL(link.href);
      address.searchParams.set("back", `${back.pathname}${back.search}#${row.id}`);
      link.href = address;
    }
    return true;
  }

  const rest = (event) => {
    const row = rowOf(event.target);
    clearTimeout(resting);
    if (row && !kept && columns.matches && !document.body.classList.contains("is-dragging")) {
      resting = setTimeout(() => look(row).catch(() => { shown = ""; }), WAIT);
    }
  };
  for (const kind of ["focusin", "pointerover"]) editor.addEventListener(kind, rest);

  // Return the focus to the row the card was opened from, even if the deck was redrawn.
  function letGo(refocus) {
    const row = rowOf(kept)?.id;
    kept = null;
    delete editor.dataset.kept;
    if (refocus) document.getElementById(row)?.querySelector("a.name, a.fan-card")?.focus();
  }

  // In a stack the first press lifts the card, so that its buttons can be reached; the second opens it.
  editor.addEventListener("pointerdown", ({ target }) => {
    const card = target.closest(".stack-card");
    editor.dataset.lifted = card?.contains(document.activeElement) ? card.id : "";
  });
  editor.addEventListener("click", async (event) => {
    if (event.target.closest("[data-let-go]")) { letGo(true); return; }
    const link = event.target.closest("a.name, a.fan-card");
    const row = rowOf(link);
    if (!row || event.defaultPrevented || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey || event.button) return;
    event.preventDefault();
    clearTimeout(resting);
    const isKey = event.detail === 0;
    if (link.matches(".fan-card") && !isKey) {
      row.querySelector(".stepper-more").focus({ preventScroll: true });
      if (!columns.matches && editor.dataset.lifted !== row.id) return;
    }
    kept = link;
    if (!await look(row).catch(() => false)) {
      if (kept === link) { letGo(); location.assign(link.href); }
      return;
    }
    if (kept !== link) return;
    editor.dataset.kept = row.dataset.code;
    if (isKey || !columns.matches) peek.querySelector("h2").focus({ preventScroll: true });
  });
  document.addEventListener("keydown", (event) => {
    if (!kept || event.key !== "Escape" || event.defaultPrevented) return;
    event.preventDefault();
    letGo(peek.contains(document.activeElement));
  }, true);
})();
