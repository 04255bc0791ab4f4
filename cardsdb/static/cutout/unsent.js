// Changes of decks that no network took yet: kept in this browser, each under a name of its own, and sent in order when the
// site answers again. The site applies each once (by its request_id) and merges it with what others saved meanwhile.
// A change leaves this browser's keeping when the site has it, or when its author takes it back; never by itself. The editor's are
// here from the press on: those that its page is just sending are nobody else's, until it is left or ends.
window.Unsent = (() => {
  "use strict";
  const PREFIX = "cutout-unsent-";
  const MAX_CHANGES = 200; // of one viewer
  const MAX_LENGTH = 300000; // of one change, written down
  const RETRY = 30000;
  const ANOTHER = "cutout-unsent-another"; // when the site last said that the changes here are of another viewer
  const LATER = 600000;
  const PATIENCE = 20000; // ms without an answer, after which a network counts as dead
  const ENDED = PATIENCE + 10000; // ms after which a change that a page is sending has no such page any more
  const QUIET = 5000; // ms after a page was left in which its changes are most likely arriving
  const PAGE = Math.random().toString(36).slice(2);
  let made = 0;
  let sending = null;
  let isMore = false; // whether something was added while others were sent

  const told = (detail) => document.dispatchEvent(new CustomEvent("unsent", { detail }));
  // Whichever tab sends tells the others what came of it.
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
        } catch { /* written by nobody we know */ }
      }
    } catch { /* a browser that keeps nothing */ }
    return found;
  }
  const waiting = (deck) => all().filter((change) => !change.refused && (!deck || change.deck === deck));

  // The name it is kept under; empty where the browser cannot keep it: full, or not allowed to. ``key``: where it stands already.
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

  // What this page sends itself is kept beside, and shown to nobody: see ``all``.
  const begin = (change, key) => write({ ...change, sending: { page: PAGE, since: Date.now() } }, key);
  function end(key) {
    try { localStorage.removeItem(key); } catch { /* a browser that keeps nothing */ }
  }
  // Left by its page: whichever page is open next sends it, once more if it was on its way.
  function leave(key, noted) {
    try {
      const { sending, ...change } = JSON.parse(localStorage.getItem(key));
      localStorage.setItem(key, JSON.stringify({ ...change, ...noted, left: Date.now() }));
      return true;
    } catch { return false; }
  }
  // Of what was left a moment ago nothing is said, for the site is about to have it.
  const isArriving = (change) => !change.refused && Date.now() - (change.left || 0) < QUIET;

  function remove(key) {
    localStorage.removeItem(key);
    told({ kind: "removed" });
  }

  function note(change, noted) {
    const { key, ...rest } = change;
    Object.assign(rest, noted);
    try { localStorage.setItem(key, JSON.stringify(rest)); } catch { /* it stays as it is, which is no loss */ }
  }
  const refuse = (change, refused) => note(change, { refused });

  // Changes of another viewer are not asked about on every page, unless the page is of whom they are, or of logging in.
  function isLikelyOurs(changes) {
    const here = document.querySelector("meta[name=cutout-viewer]")?.content;
    if (changes.some((change) => change.viewer === here) || location.pathname.startsWith("/account")) return true;
    try { return Date.now() - Number(sessionStorage.getItem(ANOTHER) || 0) > LATER; } catch { return true; }
  }

  // -- sending ---------------------------------------------------------------------

  // One tab at a time. A second would do no harm, for the site knows each change by its name.
  function send() {
    if (sending) { isMore = true; return sending; }
    if (!navigator.onLine || !waiting().length || !isLikelyOurs(waiting())) return Promise.resolve();
    const work = navigator.locks ? navigator.locks.request("cutout-unsent", { ifAvailable: true }, (lock) => lock && sendAll()) : sendAll();
    sending = work.catch(() => { /* still no network: they wait */ }).finally(() => {
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

  // The deck's page says who asks now, and has a token for the form. Changes of another viewer stay where they are.
  async function sendTo(deck) {
    const before = await fetch(deck, { cache: "no-store", ...patience() });
    const viewer = before.headers.get("Cutout-Viewer");
    const mine = waiting(deck).filter((change) => change.viewer === viewer);
    if (viewer && !mine.length) try { sessionStorage.setItem(ANOTHER, Date.now()); } catch { /* it is asked again */ }
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
        if (localStorage.getItem(change.key) === null) continue; // taken back meanwhile
        // A step back is meant for what was changed here alone. The site refuses it where there is more.
        const isMeant = !["undo", "redo"].includes(change.values.edit) || Number(seen) === Number(change.revision) + sent;
        const why = await sendOne(change, token, isMeant ? seen ?? change.revision : change.revision, report);
        if (why === null) break;
        // What was typed as a search: nobody waits for it any more.
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

  // The worker's copies of a deck's editor and of its page are made anew, with what was saved since they were loaded.
  function copyAnew(editor, deck) {
    navigator.serviceWorker?.controller?.postMessage({ keep: [editor, deck.replace(/edit\/$/, "")] });
  }

  // Empty once the site has it; else why it was not taken; null where trying again later may help.
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
    if (!now) return null; // not our site's answer: a network that wants a log-in first
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
  if (document.readyState === "complete") shown(); // this script may begin after the event
  addEventListener("pageshow", shown);
  document.addEventListener("visibilitychange", () => { if (!document.hidden) send(); });
  setInterval(() => { if (!document.hidden) send(); }, RETRY);
  addEventListener("storage", (event) => {
    const isSent = (event.newValue || event.oldValue)?.includes('"sending":{');
    if (event.key?.startsWith(PREFIX) && !isSent) told({ kind: event.newValue ? "kept" : "removed" });
  });

  return { PATIENCE, all, waiting, add, remove, begin, end, leave, isArriving, send, copyAnew, isSending: () => Boolean(sending) };
})();
