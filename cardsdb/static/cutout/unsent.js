// Deck changes that the site does not have yet. They are stored in localStorage, each under its own key, and sent in order when the
// site answers again. The site applies each once (by its request_id) and merges it with changes by others.
// A change is removed only when the site has it or its author takes it back, never by itself. The editor stores its changes at the
// press; while its page is sending them, no other tab touches them until that page is left or closed.
window.Unsent = (() => {
  "use strict";
  const PREFIX = "cutout-unsent-";
  const MAX_CHANGES = 200; // per viewer
  const MAX_LENGTH = 300000; // characters of one change as JSON
  const RETRY = 30000;
  const ANOTHER = "cutout-unsent-another"; // key of the time when the site last said that these changes belong to another viewer
  const LATER = 600000;
  const PATIENCE = 20000; // ms without an answer after which the network counts as down
  const ENDED = PATIENCE + 10000; // ms after which a page that was sending a change must have closed
  const QUIET = 5000; // ms after leaving a page during which its changes are probably still arriving
  const PAGE = Math.random().toString(36).slice(2);
  let made = 0;
  let sending = null;
  let isMore = false; // true if a change was added while others were being sent

  const told = (detail) => document.dispatchEvent(new CustomEvent("unsent", { detail }));
  // The tab that sends tells the other tabs the result.
  const tabs = window.BroadcastChannel ? new BroadcastChannel("cutout-unsent") : null;
  tabs?.addEventListener("message", (event) => told(event.data));
  function tellAll(report) {
    told(report);
    tabs?.postMessage(report);
  }

  function all() {
    const found = [];
    try {
      for (const key of Object.keys(localStorage).filter((one) => one.startsWith(PREFIX)).sort()) {
        try {
          const change = JSON.parse(localStorage.getItem(key));
          if (change.sending && (change.sending.page === PAGE || Date.now() - change.sending.since < ENDED)) continue;
          if (/^\/decks\/[\w-]+\/edit\/$/.test(change.deck)) found.push({ ...change, key });
        } catch { /* not written by this script: skip it */ }
      }
    } catch { /* no storage in this browser */ }
    return found;
  }
  const waiting = (deck) => all().filter((change) => !change.refused && (!deck || change.deck === deck));

  // Returns the storage key of the change, or "" if the browser cannot store it (full or forbidden). ``key``: its key if it is stored already.
  function write(change, key) {
    key ||= `${PREFIX}${String(Date.now()).padStart(15, "0")}-${String(++made).padStart(5, "0")}-${change.id}`;
    const written = JSON.stringify(change);
    if (all().filter((one) => one.viewer === change.viewer).length >= MAX_CHANGES || written.length > MAX_LENGTH) return "";
    try { localStorage.setItem(key, written); } catch { return ""; }
    return key;
  }
  function add(change, key) {
    const isKept = Boolean(write(change, key));
    if (isKept) told({ kind: "kept" });
    return isKept;
  }

  // Changes that this page is sending itself are marked, so that ``all`` leaves them out.
  const begin = (change, key) => write({ ...change, sending: { page: PAGE, since: Date.now() } }, key);
  function end(key) {
    try { localStorage.removeItem(key); } catch { /* no storage in this browser */ }
  }
  // The page was left: the next open page sends the change, again if it was in flight.
  function leave(key, noted) {
    try {
      const { sending, ...change } = JSON.parse(localStorage.getItem(key));
      localStorage.setItem(key, JSON.stringify({ ...change, ...noted, left: Date.now() }));
      return true;
    } catch { return false; }
  }
  // Changes left a moment ago are not reported, because they are probably arriving.
  const isArriving = (change) => !change.refused && Date.now() - (change.left || 0) < QUIET;

  function remove(key) {
    localStorage.removeItem(key);
    told({ kind: "removed" });
  }

  function note(change, noted) {
    const { key, ...rest } = change;
    Object.assign(rest, noted);
    try { localStorage.setItem(key, JSON.stringify(rest)); } catch { /* the old version stays, which loses nothing */ }
  }
  const refuse = (change, refused) => note(change, { refused });

  // Changes of another viewer are not checked on every page, only on a page of that viewer or of logging in.
  function isLikelyOurs(changes) {
    const here = document.querySelector("meta[name=cutout-viewer]")?.content;
    if (changes.some((change) => change.viewer === here) || location.pathname.startsWith("/account")) return true;
    try { return Date.now() - Number(sessionStorage.getItem(ANOTHER) || 0) > LATER; } catch { return true; }
  }

  // -- sending ---------------------------------------------------------------------

  // One tab sends at a time. A second would do no harm: the site applies each request_id once.
  function send() {
    if (sending) { isMore = true; return sending; }
    if (!navigator.onLine || !waiting().length || !isLikelyOurs(waiting())) return Promise.resolve();
    const work = navigator.locks ? navigator.locks.request("cutout-unsent", { ifAvailable: true }, (lock) => lock && sendAll()) : sendAll();
    sending = work.catch(() => { /* still offline: the changes wait */ }).finally(() => {
      sending = null;
      if (isMore) { isMore = false; send(); }
    });
    return sending;
  }

  const SEARCHED = "it has no count before or behind a name, so it would be a search.";

  async function sendAll() {
    for (const deck of new Set(waiting().map((change) => change.deck))) await sendTo(deck);
  }

  const patience = () => (AbortSignal.timeout ? { signal: AbortSignal.timeout(PATIENCE) } : {});
  const parsed = async (answer) => new DOMParser().parseFromString(await answer.text(), "text/html");

  // The deck's page names the current viewer and has a CSRF token. Changes of another viewer stay stored.
  async function sendTo(deck) {
    const before = await fetch(deck, { cache: "no-store", ...patience() });
    const viewer = before.headers.get("Cutout-Viewer");
    const mine = waiting(deck).filter((change) => change.viewer === viewer);
    if (viewer && !mine.length) try { sessionStorage.setItem(ANOTHER, Date.now()); } catch { /* asked again at the next try */ }
    if (!viewer || !mine.length) return;
    const report = { kind: "sent", deck, name: mine[0].name, words: [], elsewhere: [], refused: 0, isQuiet: mine.every(isArriving) };
    if (before.status === 404) {
      for (const change of mine) refuse(change, "the deck is gone, or no longer yours to edit.");
      tellAll({ ...report, refused: mine.length });
      return;
    }
    const token = before.ok && !before.redirected && (await parsed(before)).querySelector("#edit [name=csrfmiddlewaretoken]")?.value;
    if (!token) return;
    let seen = null;
    let sent = 0;
    try {
      for (const change of mine) {
        if (localStorage.getItem(change.key) === null) continue; // removed in the meantime
        // An undo is meant only for the changes made here. The site refuses it if others changed the deck.
        const isMeant = !["undo", "redo"].includes(change.values.edit) || Number(seen) === Number(change.revision) + sent;
        const why = await sendOne(change, token, isMeant ? seen ?? change.revision : change.revision, report);
        if (why === null) break;
        // A typed search: its result is no longer needed.
        if (why === SEARCHED && change.left) { localStorage.removeItem(change.key); continue; }
        sent++;
        seen = report.revision ?? seen;
        if (why) { refuse(change, why); report.refused++; } else { localStorage.removeItem(change.key); report.words.push(change.words); }
      }
    } finally {
      if (report.words.length || report.refused) tellAll(report);
      if (report.words.length) copyAnew(deck, deck);
    }
  }

  // Ask the worker for fresh copies of the deck's page and editor, which now have the saved changes.
  function copyAnew(editor, deck) {
    navigator.serviceWorker?.controller?.postMessage({ keep: [editor, deck.replace(/edit\/$/, "")] });
  }

  // Returns "" once the site has the change, a reason if it was refused, or null if a later try may succeed.
  async function sendOne(change, token, revision, report) {
    note(change, { tried: true });
    const values = { ...change.values, csrfmiddlewaretoken: token, request_id: change.id, revision };
    const answer = await fetch(change.deck, {
      method: "POST", body: new URLSearchParams(values), headers: { "HX-Request": "true", "HX-Target": "deck" }, ...patience(),
    });
    if (answer.status === 204) return SEARCHED;
    if (answer.status === 404) return "the deck is gone, or no longer yours to edit.";
    if (answer.status === 400 || answer.status === 413) return "the site did not understand it.";
    if (!answer.ok) return null;
    const page = await parsed(answer);
    const now = page.getElementById("revision")?.value;
    if (!now) return null; // not an answer of this site: probably the log-in page of a network
    const problem = page.getElementById("problem");
    if (problem) return [...problem.querySelectorAll("ul:first-of-type li")].map((one) => one.textContent.trim()).join(" ") || "it did not work.";
    report.revision = now;
    const meanwhile = page.querySelector("#elsewhere .notice p")?.textContent;
    if (meanwhile) report.elsewhere.push(meanwhile);
    return "";
  }

  addEventListener("online", send);
  function shown() {
    if (waiting().some(isArriving)) setTimeout(told, QUIET, { kind: "kept" });
    send();
  }
  if (document.readyState === "complete") shown(); // this script may start after the event
  addEventListener("pageshow", shown);
  document.addEventListener("visibilitychange", () => { if (!document.hidden) send(); });
  setInterval(() => { if (!document.hidden) send(); }, RETRY);
  addEventListener("storage", (event) => {
    const isSent = (event.newValue || event.oldValue)?.includes('"sending":{');
    if (event.key?.startsWith(PREFIX) && !isSent) told({ kind: event.newValue ? "kept" : "removed" });
  });

  return { PATIENCE, all, waiting, add, remove, begin, end, leave, isArriving, send, copyAnew, isSending: () => Boolean(sending) };
})();
