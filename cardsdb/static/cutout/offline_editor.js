// The editor offline: a change that does not reach the site is stored, shown in its place in the deck, and sent later.
// Loaded before editor.js, whose requests it watches.
(() => {
  "use strict";
  const edit = document.getElementById("edit");
  const viewer = document.querySelector("meta[name=cutout-viewer]")?.content;
  const { Unsent } = window;
  if (!edit || !viewer || !Unsent || !window.htmx || !crypto.randomUUID) return;
  const deck = location.pathname;
  const OURS = ["csrfmiddlewaretoken", "request_id", "revision"];
  const box = document.getElementById("find-q");
  const several = document.getElementById("quick-lines");
  const mine = () => Unsent.all().filter((change) => change.deck === deck && change.viewer === viewer);
  const isChange = (config) => config.verb === "post" && new URL(config.path, location.href).pathname === deck;

  function announce(sentence) {
    const status = document.getElementById("editor-status");
    status.className = "visually-hidden";
    status.textContent = sentence;
  }
  function warn(sentence) {
    const status = document.getElementById("editor-status");
    status.className = "notice notice-error not-saved";
    status.textContent = sentence;
  }

  // -- what a change says ------------------------------------------------------------

  const nameOf = (key) => document.querySelector(`[data-key="${CSS.escape(key)}"] .name`)?.textContent || key.split(" ").pop();
  const PRESS = /^([-+=])(\d+) (\S+ \S+)(?: found)?$/;

  function inWords(values) {
    const press = PRESS.exec(values.edit);
    if (press) return press[1] === "=" ? `${nameOf(press[3])}: ${press[2]} copies` : `${press[1].replace("-", "−")}${press[2]} ${nameOf(press[3])}`;
    if (values.edit === "line") {
      const marks = [values.note && `note “${values.note}”`, values.tags && `tags ${values.tags}`, values.keep && "keep it"].filter(Boolean);
      return [`${nameOf(`${values.section} ${values.code}`)}: ${values.count} copies`, ...marks].join(", ");
    }
    if (values.edit === "lines") return `Lines: ${values.lines.trim().split(/\s*\n/).join("; ")}`;
    if (values.edit === "add" || values.edit === "enter") return `Add “${values.line || values.q}”`;
    if (values.edit === "undo" || values.edit === "redo") return values.edit === "undo" ? "Undo" : "Redo";
    const others = Object.entries(values).filter(([name, value]) => name !== "edit" && value);
    return `${values.edit}: ${others.map(([name, value]) => `${name.replace(/^detail-/, "")} ${value}`).join(", ")}`;
  }

  // -- keeping -----------------------------------------------------------------------

  // Join consecutive presses of one button: +1 and +1 are +2, +1 and -1 cancel out. Only changes made offline may be joined:
  // those were certainly never sent.
  function withLast(kind) {
    const last = Unsent.waiting(deck).filter((change) => change.viewer === viewer).pop();
    const [now, before] = [PRESS.exec(kind), last && !last.tried && PRESS.exec(last.values.edit)];
    if (navigator.onLine || !now || !before || now[3] !== before[3] || now[1] === "=" || before[1] === "=") return kind;
    const sum = Number(before[1] + before[2]) + Number(now[1] + now[2]);
    Unsent.remove(last.key);
    announce(`Taken back: ${last.words}.`);
    return sum ? `${sum < 0 ? "-" : "+"}${Math.abs(sum)} ${now[3]}` : "";
  }

  const pressed = new Map(); // request_id -> storage key of each change that is not answered yet
  const revisionNow = () => document.getElementById("revision").value;

  function changeOf(sent, id, tried, edit = sent.edit) {
    const typed = Object.entries(sent).filter(([name, value]) => !OURS.includes(name) && typeof value === "string");
    const values = { ...Object.fromEntries(typed), edit };
    const name = document.getElementById("deck-name").textContent;
    return { id, viewer, deck, name, words: inWords(values), values, revision: sent.revision || revisionNow(), tried };
  }

  function keep(sent, id, tried) {
    const key = pressed.get(id);
    pressed.delete(id);
    const together = withLast(sent.edit);
    if (!together) { Unsent.end(key); return; }
    const change = changeOf(sent, id, tried, together);
    const { values } = change;
    if (!Unsent.add(change, key)) { warn(`Not saved, and this browser has no room to keep it: ${change.words}. Send what waits first.`); document.body.dispatchEvent(new Event("change-lost")); return; }
    announce(`Kept in this browser, and sent when the site answers: ${change.words}.`);
    // The change is stored now: empty its field, so that it is not sent twice.
    if (values.q && box.value.trim() === values.q.trim()) box.value = "";
    if (values.lines && several.value === values.lines) several.value = "";
  }

  // Store each change from the press until the answer, so that closing the page or a crash does not lose it.
  document.body.addEventListener("change-pressed", ({ detail: values }) => {
    const id = values.request_id;
    const key = id && Unsent.begin(changeOf(values, id, true), pressed.get(id));
    if (key) pressed.set(id, key);
  });
  document.body.addEventListener("change-answered", ({ detail: id }) => {
    if (pressed.has(id)) Unsent.end(pressed.get(id));
    pressed.delete(id);
  });
  document.body.addEventListener("deck-left", ({ detail }) => {
    const revision = revisionNow();
    detail.areKept = detail.changes.every(({ request_id: id }) => pressed.has(id) && Unsent.leave(pressed.get(id), { revision }));
    pressed.clear();
  });

  // A change that was sent without an answer may have arrived all the same. Here it can only be dropped from this browser.
  function takeBack(change) {
    // It may have been sent since the list was drawn.
    const tried = change.tried || Unsent.waiting(deck).some((now) => now.key === change.key && now.tried);
    Unsent.remove(change.key);
    if (tried && !change.refused) warn(`Forgotten here: ${change.words}. It may have reached the site before; look at the deck when the site answers.`);
    else announce(`${change.refused ? "Removed" : "Taken back"}: ${change.words}.`);
  }

  // Undo needs earlier states of the deck, which only the site has. A change that still waits here is simply removed.
  function stepBack(kind) {
    const last = Unsent.waiting(deck).filter((change) => change.viewer === viewer).pop();
    if (Unsent.isSending()) warn("Not undone: changes are being sent. Try again in a moment.");
    else if (kind === "undo" && last) takeBack(last);
    else warn(`Not ${kind === "undo" ? "undone" : "redone"}: that needs the site, and it does not answer. Changes kept here are taken back one by one.`);
  }

  document.body.addEventListener("htmx:configRequest", ({ detail }) => {
    if (!isChange(detail)) return;
    detail.parameters.request_id ||= crypto.randomUUID();
    detail.timeout = Unsent.PATIENCE;
  });

  // Send the waiting changes first, so that changes arrive in the order they were made.
  document.body.addEventListener("htmx:beforeRequest", (event) => {
    const config = event.detail.requestConfig;
    if (!isChange(config) || (navigator.onLine && !Unsent.waiting(deck).some((change) => change.viewer === viewer))) return;
    event.preventDefault();
    const { edit: kind, request_id: id } = config.parameters;
    if (kind === "undo" || kind === "redo") stepBack(kind); else keep({ ...config.parameters }, id, false);
    Unsent.send();
  });

  for (const name of ["htmx:sendError", "htmx:timeout"]) {
    document.body.addEventListener(name, (event) => {
      const config = event.detail.requestConfig;
      if (isChange(config)) {
        event.stopImmediatePropagation();
        const { edit: kind, request_id: id } = config.parameters;
        if (kind === "undo" || kind === "redo") stepBack(kind); else keep({ ...config.parameters }, id, true);
      } else if (config.verb === "get" && !box.value) event.stopImmediatePropagation(); // an empty search box: there is nothing to fetch
    });
  }

  // Forms that are sent without htmx: only the format of the deck.
  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (form === edit || "quick" in form.dataset || !form.closest("#deck") || form.method !== "post" || navigator.onLine) return;
    event.preventDefault();
    keep(Object.fromEntries(new FormData(form, event.submitter || undefined)), crypto.randomUUID(), false);
  });

  // -- showing -----------------------------------------------------------------------

  const place = document.createElement("div");
  place.className = "unsent";
  place.setAttribute("role", "region");
  place.setAttribute("aria-label", "Changes that the site does not have yet");

  function rows(title, changes) {
    if (!changes.length) return [];
    const heading = document.createElement("p");
    heading.textContent = title;
    const list = document.createElement("ul");
    list.append(...changes.map((change) => {
      const row = document.createElement("li");
      const words = document.createElement("span");
      const button = change.refused ? "Remove" : change.tried ? "Forget" : "Take back";
      words.textContent = change.refused ? `${change.words}: ${change.refused}` : change.words;
      const away = document.createElement("button");
      away.type = "button";
      away.className = "button-small";
      away.append(button);
      away.setAttribute("aria-label", `${button}: ${change.words}`);
      away.addEventListener("click", () => { takeBack(change); document.getElementById("deck").focus({ preventScroll: true }); });
      row.append(words, " ", away);
      return row;
    }));
    return [heading, list];
  }

  function draw() {
    const changes = mine().filter((change) => !Unsent.isArriving(change));
    const waits = changes.filter((change) => !change.refused);
    place.replaceChildren(
      ...rows("Kept in this browser, sent when the site answers:", waits),
      ...rows("The site did not take these. Copy what you need:", changes.filter((change) => change.refused)),
    );
    // Remove it from the page while it is empty: each change inside it would restyle the whole page.
    if (!place.firstChild) place.remove(); else if (!place.isConnected) document.querySelector(".editor").before(place);
    // Undo also works for waiting changes.
    const undo = document.getElementById("undo");
    undo.dataset.before ??= String(undo.disabled);
    undo.disabled = !waits.length && undo.dataset.before === "true";
    for (const mark of document.querySelectorAll(".unsent-mark")) mark.remove();
    const sums = new Map();
    for (const { values } of waits) {
      const press = PRESS.exec(values.edit);
      if (press) sums.set(press[3], [...(sums.get(press[3]) || []), `${press[1].replace("-", "−")}${press[2]}`]);
    }
    for (const [key, presses] of sums) {
      for (const row of document.querySelectorAll(`[data-key="${CSS.escape(key)}"] .row-text`)) {
        const mark = document.createElement("span");
        mark.className = "unsent-mark";
        mark.textContent = `${presses.join(" ")} not sent`;
        row.append(" ", mark);
      }
    }
  }

  // Queued among the other changes of the editor.
  const drawAnew = () => new Promise((drawn) => {
    document.body.dispatchEvent(new CustomEvent("draw-deck", { detail: { address: location.pathname + location.search, after: drawn } }));
  });

  document.addEventListener("unsent", async ({ detail }) => {
    draw();
    if (detail.kind !== "sent" || detail.deck !== deck) return;
    await drawAnew();
    if (detail.words.length) announce(`Sent: ${detail.words.join("; ")}.`);
    if (!detail.elsewhere.length) return;
    const notice = document.createElement("div");
    const close = document.createElement("button");
    notice.className = "notice notice-warning";
    Object.assign(close, { type: "button", className: "button-small", textContent: "Close" });
    close.dataset.close = "";
    notice.append(...detail.elsewhere.map((sentence) => Object.assign(document.createElement("p"), { textContent: sentence })), close);
    document.getElementById("elsewhere").replaceChildren(notice);
  });
  document.body.addEventListener("htmx:afterSwap", draw);
  draw();

  // -- the copy for the time without a network --------------------------------------

  // The service worker keeps pages as they were loaded. After saving, once no other change follows for PAUSE, ask it for a fresh copy.
  const PAUSE = 2000; // ms
  let copied = document.getElementById("revision").value;
  let due = 0;

  function copy() {
    clearTimeout(due);
    due = 0;
    Unsent.copyAnew(location.pathname + location.search, deck);
  }
  document.body.addEventListener("htmx:afterSwap", () => {
    const now = document.getElementById("revision").value;
    if (now === copied) return;
    copied = now;
    clearTimeout(due);
    due = setTimeout(copy, PAUSE);
  });
  const copyDue = () => { if (due) copy(); };
  document.addEventListener("visibilitychange", () => { if (document.hidden) copyDue(); });
  addEventListener("pagehide", copyDue);
})();
