// Offline use: registers the service worker, marks pages that are stored copies, stops forms that cannot be sent, and reports deck
// changes that still wait in this browser. Without this script the site works only online.
(() => {
  "use strict";
  const { worker, offline, health } = document.getElementById("site-script").dataset;
  const kept = document.documentElement.dataset.kept;
  const main = document.getElementById("main");

  // -- the worker that keeps pages ------------------------------------------------------

  const shown = () => performance.getEntriesByType("resource").map((one) => one.name)
    .filter((name) => /\/static\/.*\.[0-9a-f]{12}\.|\.css$|\/face\.svg$/.test(new URL(name).pathname));

  async function install() {
    const { serviceWorker } = navigator;
    // This page was loaded before the worker started: give the worker the addresses of the page and its files.
    if (!serviceWorker.controller) {
      serviceWorker.addEventListener("controllerchange", () => serviceWorker.controller?.postMessage({ keep: [location.href, ...shown()] }), { once: true });
    }
    await serviceWorker.register(worker);
  }
  const installed = () => install().catch(() => { /* no storage in this browser */ });
  if ("serviceWorker" in navigator) {
    if (document.readyState === "complete") installed(); else addEventListener("load", installed);
  }

  // -- notices --------------------------------------------------------------------------

  // Each part is a text, or [address, text] for a link.
  function say(id, kind, ...parts) {
    let notice = document.getElementById(id);
    if (!notice) {
      notice = document.createElement("div");
      notice.id = id;
      notice.setAttribute("role", "status");
      const rail = main.querySelector(":scope > .rail");
      if (rail) rail.after(notice); else main.prepend(notice);
    }
    notice.className = `notice notice-${kind}`;
    const sentence = document.createElement("p");
    for (const part of parts) {
      if (typeof part === "string") { sentence.append(part); continue; }
      const link = document.createElement("a");
      [link.href, link.textContent] = part;
      sentence.append(link);
    }
    notice.replaceChildren(sentence);
    return notice;
  }
  const when = (date) => new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "long", hour: "2-digit", minute: "2-digit", timeZoneName: "short" }).format(date);
  const works = [offline, "What works without one"];

  function tell() {
    if (document.getElementById("stand-in")) return; // the offline page itself explains everything
    if (kept) {
      if (navigator.onLine) say("network", "warning", `The site did not answer. This page is the copy of ${when(new Date(kept))}. `, [location.href, "Try again"]);
      else say("network", "warning", `No network. This page is the copy of ${when(new Date(kept))}. `, works);
    } else if (!navigator.onLine) say("network", "warning", "No network. ", works);
    else document.getElementById("network")?.remove();
  }
  addEventListener("offline", tell);
  addEventListener("online", () => {
    if (kept) say("network", "success", "The network is back. ", [location.href, "Show the page as it is now"]);
    else tell();
  });
  tell();

  // -- changes of decks that wait ---------------------------------------------------------

  const viewer = document.querySelector("meta[name=cutout-viewer]")?.content;
  const page = /^\/decks\/[\w-]+\//.exec(location.pathname)?.[0];
  const leaving = location.pathname.startsWith("/accounts/");
  const isEditor = Boolean(document.getElementById("edit"));
  const list = (changes) => changes.map((one) => one.words).join("; ");

  // Only their author is told; the editor shows its own changes.
  function tellOfWaiting() {
    const mine = window.Unsent.all().filter((change) => change.viewer === viewer && !window.Unsent.isArriving(change) && (!page || change.deck === `${page}edit/`));
    const old = document.getElementById("unsent-notice");
    if (!viewer || isEditor || !mine.length) { old?.remove(); return; }
    if (page) say("unsent-notice", "warning", `Not in this deck yet, but kept in this browser: ${list(mine)}. `, [`${page}edit/`, "See them in the editor"]);
    else say("unsent-notice", "warning", `Kept in this browser, and not on the site yet: ${mine.map((one) => `${one.words} (${one.name})`).join("; ")}. ${leaving ? "They stay in this browser and are sent when you log in here again." : "They are sent when the site answers."}`);
  }
  document.addEventListener("unsent", (event) => {
    const { kind, deck, name, words, refused, elsewhere, isQuiet } = event.detail;
    tellOfWaiting();
    if (kind !== "sent") return;
    // Changes from a page that was just left are not reported: they are probably arriving. The deck's page may be older than they are.
    if (isQuiet && !refused && !elsewhere.length) {
      if (deck === `${page}edit/` && location.pathname === page) location.reload();
      return;
    }
    const sent = words.length ? `Sent to “${name}”: ${words.join("; ")}. ` : "";
    const not = refused ? `Not taken for “${name}”: ${refused} ${refused === 1 ? "change" : "changes"}, kept in the editor. ` : "";
    // The editor itself reports changes by others.
    const rest = isEditor ? [] : [elsewhere.map((sentence) => `${sentence} `).join(""), [deck, `Open “${name}”`]];
    say("unsent-sent", refused ? "warning" : "success", sent, not, ...rest);
  });
  tellOfWaiting();

  // -- forms ------------------------------------------------------------------------------

  // If the network is in doubt, ask the site before sending a form, so that typed text is not lost. Other scripts of the page run first.
  const sure = new WeakSet();
  addEventListener("submit", async (event) => {
    const { target: form, submitter } = event;
    if (event.defaultPrevented || form.method !== "post" || sure.has(form) || (navigator.onLine && !kept)) return;
    event.preventDefault();
    const answers = await fetch(health, { cache: "no-store" }).then((answer) => answer.ok, () => false);
    if (answers) { sure.add(form); form.requestSubmit(submitter); return; }
    const notice = say("not-sent", "error", "Not sent: the site does not answer. Nothing is lost, what you typed stands in its fields. Send it when the network is back.");
    form.prepend(notice);
    notice.scrollIntoView({ block: "nearest" });
  });
})();
