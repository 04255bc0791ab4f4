// The deck editor: keyboard control and changes without a page load. Each change is one small request; requests are sent one after the
// other, and only the deck column is redrawn. Without this script every button submits a form and does the same.
(() => {
  "use strict";
  const edit = document.getElementById("edit");
  if (!edit || !window.htmx) return;
  const announcement = document.getElementById("editor-status");
  const search = document.getElementById("find-q");
  const several = document.getElementById("quick-lines");
  const PATIENCE = 1500; // ms that following a link waits for unsaved changes
  const waiting = [];
  let onTheWay = null; // the change that was sent and is not answered yet
  let busy = false;
  let goOn = null; // follows the link that was pressed meanwhile; called once no change is waiting
  let lost = false; // whether the last change failed
  let isSearch = false; // whether the last text from the box was words to search by
  let place = {}; // where the focus was when the deck column was last replaced
  let kind = ""; // the kind of the verdict shown before

  // -- changes, one after the other ------------------------------------------------

  // Waiting presses of the same button become one change: +1 and +1 are +2.
  function ask(values, after) {
    const last = waiting[waiting.length - 1];
    const now = /^([+-])(\d+) (.*)$/.exec(values.edit || "");
    const before = last?.values && /^([+-])(\d+) (.*)$/.exec(last.values.edit || "");
    if (now && before && now[3] === before[3]) {
      const sum = Number(before[1] + before[2]) + Number(now[1] + now[2]);
      last.values.edit = `${sum < 0 ? "-" : "+"}${Math.abs(sum)} ${now[3]}`;
      tell("change-pressed", last.values);
    } else {
      // crypto.randomUUID exists only in a secure context.
      const named = { ...values, ...(window.crypto.randomUUID ? { request_id: crypto.randomUUID() } : {}) };
      waiting.push({ values: named, after });
      tell("change-pressed", named);
    }
    if (!busy) next();
  }

  // For offline_editor.js, which stores changes that are not answered yet.
  const tell = (name, detail) => document.body.dispatchEvent(new CustomEvent(name, { detail }));

  // Redrawing the deck column waits its turn in the queue: drawn at once, it would show the deck before the waiting changes.
  function look(address, after) {
    waiting.push({ address, after });
    if (!busy) next();
  }

  // Each request gets its own source element: of several waiting requests with one source htmx drops all but the last, and reports them as done.
  const send = (verb, address, values) => window.htmx.ajax(verb, address, { source: announcement, target: "#deck", swap: "innerHTML", values });

  // The form data of a change, with the revision that the page shows when it is sent.
  const fieldsOf = (values) => ({
    csrfmiddlewaretoken: edit.elements.csrfmiddlewaretoken.value, ...values, revision: document.getElementById("revision").value,
  });

  async function next() {
    const one = waiting.shift();
    busy = Boolean(one);
    // Do not follow a link while an error is shown: the visitor must be able to read it.
    if (!one && (lost || document.getElementById("problem"))) goOn = null;
    if (!one) { goOn?.(); return; }
    if (one.address) {
      try {
        await send("GET", one.address);
        if (one.after) one.after();
      } catch { /* the error is shown already */ }
      next();
      return;
    }
    const values = fieldsOf(one.values);
    onTheWay = values;
    announcement.className = "visually-hidden";
    lost = false;
    isSearch = false;
    const row = rowOf(document.activeElement);
    const before = row?.closest("#deck") ? { id: row.id, top: row.getBoundingClientRect().top } : null;
    place = placeOfFocus(); // for the case that nothing is redrawn because the change waits for the network
    try {
      await send("POST", location.pathname + location.search, values);
      for (const id of place.unfolded || []) document.getElementById(id)?.setAttribute("open", "");
      stay(place);
      keepStill(before);
      document.getElementById("problem")?.scrollIntoView({ block: "nearest" });
      if (one.after) one.after(!document.getElementById("problem") && !lost);
    } catch { /* the error is shown already */ }
    onTheWay = null;
    tell("change-answered", values.request_id);
    next();
  }

  document.body.addEventListener("draw-deck", ({ detail }) => look(detail.address, detail.after));
  document.body.addEventListener("change-lost", () => { lost = true; });
  // The linked page must show the changes made before the press. Follow the link once they are saved, or after PATIENCE at the latest.
  addEventListener("click", (event) => {
    const link = event.target.closest?.("a[href]");
    if (!busy || !link || event.defaultPrevented || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
    if (link.target || link.origin !== location.origin || link.pathname === location.pathname) return;
    event.preventDefault();
    goOn = () => { goOn = null; location.assign(link.href); };
    setTimeout(() => goOn?.(), PATIENCE);
  });

  // Leaving the page early loses no change: waiting changes are sent as the page closes, and so is the one in flight, which
  // may be cut off; its request_id makes the site apply it only once. Sent together they could overtake one another, so where changes
  // can be stored, only the first is sent now and the next page sends the rest.
  addEventListener("pagehide", () => {
    const changes = waiting.splice(0).flatMap(({ values }) => (values ? [fieldsOf(values)] : []));
    if (onTheWay?.request_id) changes.unshift(onTheWay);
    const left = { changes, areKept: false };
    tell("deck-left", left);
    for (const values of left.areKept ? changes.slice(0, 1) : changes) {
      fetch(location.pathname + location.search, { method: "POST", keepalive: true, headers: { "HX-Request": "true", "HX-Target": "deck" }, body: new URLSearchParams(values) });
    }
  });

  const kindOfVerdict = () => document.querySelector(".pane-verdict").className;
  document.body.addEventListener("htmx:beforeSwap", () => { kind = kindOfVerdict(); place = placeOfFocus(); place.unfolded = [...document.querySelectorAll("#verdict details[open][id]")].map((one) => one.id); });

  // Reloading loses no typed text: a failed change puts its text back into its field.
  function failed(event, why) {
    const isChange = event.detail.requestConfig.verb === "post";
    if (isChange) {
      for (const { values } of waiting.splice(0)) if (values) tell("change-answered", values.request_id);
      lost = true;
    }
    announcement.className = "notice notice-error not-saved";
    announcement.textContent = `${isChange ? "Not saved" : "Not searched"}: ${why}`;
  }
  const reasons = {
    403: "your log-in has changed, perhaps in another tab. Copy what you typed, then reload the page.",
    404: "the deck is gone, or no longer yours to edit. Copy what you typed; your decks are under Decks.",
    409: "the deck was changed elsewhere. Copy what you typed, then reload the page.",
    413: "that is more than the site takes at once. Send it in parts.",
    429: "these are too many requests within a minute. Wait a moment and go on.",
    503: "the site is busy. Wait a moment and try again.",
  };
  document.body.addEventListener("htmx:responseError", (event) => {
    const status = event.detail.xhr.status;
    failed(event, reasons[status] || (status < 500 ? "the site did not understand the page. Copy what you typed, then reload it."
      : "something went wrong on the site, and was written down there. Try again in a minute."));
  });
  document.body.addEventListener("htmx:sendError", (event) => failed(event, "the site does not answer. Try again when you are online."));

  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (form !== edit && !("quick" in form.dataset)) return;
    event.preventDefault();
    const values = Object.fromEntries(new FormData(form, event.submitter || undefined));
    const isBox = "box" in form.dataset;
    const instead = Boolean(form.closest("#problem"));
    const isRepair = Boolean(form.closest("#verdict"));
    const typed = search.value;
    // Enter adds the card offered for exactly this text. For any other text the server decides whether it is a line or a search.
    if (isBox && values.edit === "enter" && offered()?.dataset.offeredFor === typed.trim()) values.edit = "add";
    // Typing on must start a new line or search, not continue this one.
    if (isBox) search.select();
    ask(values, (done) => {
      if (isSearch) {
        if (search.value === typed) window.htmx.trigger(search, "find");
        return;
      }
      if (done && "lines" in form.dataset && several.value === values.lines) { several.value = ""; several.closest("details").open = false; search.focus(); }
      if (done) focusMoved(values.edit);
      if (isRepair) showStamp();
      if (!isBox && !instead) return;
      // A refused text stays, selected, so that typing replaces it.
      if (search.value === typed) { if (done) { search.value = ""; window.htmx.trigger(search, "find"); } else search.select(); }
      search.focus();
    });
  });

  // An edit made by another script, such as a dropped card. A moved line keeps the focus at its new place.
  document.body.addEventListener("edit-deck", ({ detail }) => ask(detail, () => focusMoved(detail.edit)));
  function focusMoved(edit) {
    const move = /^move \S+ \S+ (\S+) to (\S+)$/.exec(edit || "");
    const row = move && document.getElementById(`line-${move[2]}-${move[1]}`);
    if (row) focusRow(row);
  }

  const offered = () => document.querySelector("#found [data-offer]");
  document.body.addEventListener("search-instead", () => { isSearch = true; });

  // The button names what Enter would do with the best match; the counts beside the found cards follow the deck.
  document.body.addEventListener("htmx:afterSwap", (event) => {
    if (event.detail.target.id === "deck") { keepCounts(); showVerdict(); }
    if (event.detail.target.id === "found") document.getElementById("add").textContent = offered()?.dataset.offer || "Add";
  });

  // Pasting several lines: put them into the field for lines and add them at once.
  search.addEventListener("paste", (event) => {
    const text = event.clipboardData?.getData("text/plain").trim() || "";
    if (!/\n/.test(text)) return;
    event.preventDefault();
    for (let fold = several.closest("details"); fold; fold = fold.parentElement.closest("details")) fold.open = true;
    several.value = several.value.trim() ? `${several.value.trimEnd()}\n${text}` : text;
    several.focus();
    several.form.requestSubmit(several.form.querySelector("button"));
  });

  document.addEventListener("click", (event) => {
    if (event.target.closest("[data-close]")) document.getElementById("elsewhere").replaceChildren();
    if (event.target.closest("[data-open-keys]")) openKeys();
  });

  // Open the form of a line in its place.
  document.addEventListener("click", (event) => {
    const link = event.target.closest("a[data-line]");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
    event.preventDefault();
    const row = link.closest("[data-key]")?.id;
    const id = link.dataset.line || link.id;
    look(link.getAttribute("href").split("#")[0], () => {
      const field = document.getElementById("line-count");
      if (id) document.getElementById(id)?.focus();
      else if (field) { field.focus(); field.select(); } else document.querySelector(`#${CSS.escape(row)} .line-more`)?.focus();
    });
  });

  // Update how many copies the deck has beside each found card.
  function keepCounts() {
    const counts = new Map([...document.querySelectorAll("#deck [data-count]")].map((row) => [row.dataset.key, Number(row.dataset.count)]));
    for (const row of document.querySelectorAll("#found [data-key]")) {
      const count = counts.get(row.dataset.key) || 0;
      row.querySelector(".stepper-count").textContent = count;
      row.querySelector(".stepper-button").disabled = count === 0;
      row.classList.toggle("in-deck", count > 0);
    }
  }

  // When the kind of verdict changes, scroll its column to the top, so that the new stamp is visible.
  function showVerdict() {
    const verdict = document.getElementById("verdict");
    if (kindOfVerdict() !== kind && verdict.offsetParent) verdict.parentElement.scrollTop = 0;
  }

  // After a repair its button is gone. Move the focus to the verdict, so that the result is seen and read out.
  function showStamp() {
    document.getElementById("verdict").focus({ preventScroll: true });
    document.querySelector(".pane-verdict").scrollIntoView({ block: "nearest" });
  }

  // -- where the focus is ------------------------------------------------------------

  const rowsOf = (list) => [...list.querySelectorAll("[data-key]")];
  const rowOf = (element) => element?.closest?.("[data-keys] [data-key]");
  const focusRow = (row) => { row.querySelector(".stepper-more").focus(); row.scrollIntoView({ block: "nearest" }); };

  function placeOfFocus() {
    const row = rowOf(document.activeElement);
    if (!row) return { id: document.activeElement?.id };
    const list = row.closest("[data-keys]");
    return { id: document.activeElement.id, row: row.id, at: rowsOf(list).indexOf(row), inDeck: Boolean(list.closest("#deck")) };
  }

  // Put the focus back on the same element, or on the next line if that one is gone.
  function stay(place) {
    const same = place.id && document.getElementById(place.id);
    if (same && !same.disabled) { if (document.activeElement !== same) same.focus({ preventScroll: true }); return; }
    const row = place.row && document.getElementById(place.row);
    if (row) { focusRow(row); return; }
    if (!place.inDeck) { if (place.id === "undo" || place.id === "redo") document.getElementById("deck").focus({ preventScroll: true }); return; }
    const rows = rowsOf(document.querySelector("#deck [data-keys]"));
    const near = rows[Math.min(place.at, rows.length - 1)];
    if (near) focusRow(near); else document.getElementById("deck").focus({ preventScroll: true });
  }

  // Content above may have grown: scroll so that the line stays under the finger.
  function keepStill(before) {
    const row = before && document.getElementById(before.id);
    const moved = row ? row.getBoundingClientRect().top - before.top : 0;
    if (!moved) return;
    const pane = document.querySelector(".editor-deck");
    if (/auto|scroll/.test(getComputedStyle(pane).overflowY)) pane.scrollTop += moved; else window.scrollBy(0, moved);
  }

  // -- keys --------------------------------------------------------------------------

  const isField = (element) => element.matches?.("input, select, textarea, [contenteditable]");
  const openKeys = () => { const keys = document.getElementById("keys"); keys.open = true; keys.querySelector("summary").focus(); };
  // On a phone one part is shown at a time: the one that the address names, until another is chosen.
  const show = (part) => { document.getElementById(`show-${part}`).checked = true; };
  const partOf = (element) => ["find", "deck"].find((part) => element.closest(`.editor-${part}`)) || (element.closest(".editor-side") ? "verdict" : "");
  const showTarget = () => { const target = document.getElementById(location.hash.slice(1)); const part = target && partOf(target); if (part) show(part); };
  if (!document.querySelector(".editor-tabs :checked")) show("find");
  showTarget();
  // Enter was pressed before this script ran: the answer has #find-q in its address.
  if (location.hash === "#find-q" && document.activeElement === search && search.value === search.defaultValue) search.select();
  window.addEventListener("hashchange", showTarget);
  // Show each part from its top.
  document.querySelector(".editor-tabs").addEventListener("change", () => scrollTo(0, 0));
  const toDeck = () => {
    show("deck");
    const row = document.querySelector("#deck [data-keys] [data-key]");
    if (row) focusRow(row); else document.getElementById("deck").focus();
  };

  // Single-key shortcuts can be turned off, for people who use speech input or press keys by accident (WCAG 2.1.4).
  const turn = document.getElementById("single-keys");
  const REMEMBERED = "cutout-single-keys";
  const remembered = (value) => {
    try { return value === undefined ? localStorage.getItem(REMEMBERED) : localStorage.setItem(REMEMBERED, value); } catch { return null; }
  };
  turn.checked = remembered() !== "off";
  turn.addEventListener("change", () => remembered(turn.checked ? "on" : "off"));
  document.getElementById("keys-switch").hidden = false;

  const step = (kind) => { if (!document.getElementById(kind).disabled) ask({ edit: kind }); };
  const toSearch = () => { show("find"); search.focus(); search.select(); };

  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.isComposing || event.altKey) return;
    const key = event.key;
    if ((event.ctrlKey || event.metaKey) && !isField(event.target)) {
      const kind = { z: event.shiftKey ? "redo" : "undo", y: "redo" }[key.toLowerCase()];
      if (kind) { event.preventDefault(); if (!event.repeat) step(kind); }
      return;
    }
    if (event.ctrlKey || event.metaKey) return;
    if (event.target === search && key === "ArrowDown") {
      const first = document.querySelector("#found [data-key]");
      if (first) { event.preventDefault(); focusRow(first); }
      return;
    }
    if (isField(event.target) || (key.length === 1 && !turn.checked)) return;
    // These keys work whenever no field has the focus.
    const anywhere = {
      "/": toSearch, a: toSearch, d: toDeck, "?": openKeys,
      z: () => step("undo"), y: () => step("redo"),
    };
    if (anywhere[key]) {
      event.preventDefault();
      if (!event.repeat) anywhere[key]();
      return;
    }
    const row = rowOf(event.target);
    if (!row) return;
    const rows = rowsOf(row.closest("[data-keys]"));
    const go = (by) => { const other = rows[rows.indexOf(row) + by]; if (other) focusRow(other); else if (by < 0 && row.closest("#found")) toSearch(); };
    const change = (what) => ask({ edit: `${what} ${row.dataset.key}` });
    const acts = {
      ArrowDown: () => go(1), j: () => go(1), ArrowUp: () => go(-1), k: () => go(-1),
      "+": () => change("+1"), "=": () => change("+1"), "-": () => change("-1"),
      Escape: toSearch, m: () => row.querySelector(".line-more")?.click(),
    };
    const act = /^[0-9]$/.test(key) ? () => change(`=${key}`) : acts[key];
    if (!act) return;
    event.preventDefault();
    act();
  });

  // Links with data-search ("Search the cards for ...", "Show what fits") put that text into the search box.
  document.addEventListener("click", (event) => {
    const link = event.target.closest("a[data-search]");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
    event.preventDefault();
    toSearch();
    search.value = link.dataset.search;
    search.dispatchEvent(new Event("input", { bubbles: true }));
  });

  // Links that page through the found cards, narrow them, or list the cards for a role replace only that column.
  document.addEventListener("click", (event) => {
    const link = event.target.closest(":is(#found, .needs) a[href^='?']");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
    event.preventDefault();
    if (link.closest(".needs")) { show("find"); scrollTo(0, 0); }
    const address = link.getAttribute("href").split("#")[0];
    window.htmx.ajax("GET", location.pathname + address, { source: document.body, target: "#found", swap: "innerHTML" }).then(() => {
      history.replaceState(null, "", location.pathname + address);
      search.value = new URLSearchParams(address).get("q") || "";
      if (link.rel) { document.getElementById("find").scrollIntoView({ block: "start" }); document.getElementById("find").scrollTop = 0; }
      const results = document.getElementById("found");
      results.tabIndex = -1;
      results.focus({ preventScroll: true });
      for (const one of document.querySelectorAll(".needs a")) one.toggleAttribute("aria-current", one === link);
    });
  });
})();
