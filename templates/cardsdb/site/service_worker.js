// Keeps what was seen for the time without a network. With one, pages come from the site and never from here; only files whose
// name says what is in them are taken from here first. docs/decisions/0010 says what is kept and what is not.
"use strict";
const FILES = [{% for file in files %}"{{ file|escapejs }}"{% if not loop.last %}, {% endif %}{% endfor %}];
const PAGES = [{% for page in pages %}"{{ page|escapejs }}"{% if not loop.last %}, {% endif %}{% endfor %}];
const OFFLINE = PAGES[0];

// What is kept at most in each room; the oldest goes.
const MAX = { files: 240, pages: 150, faces: 400, viewer: 80 };
const MAX_TAKEN = 120; // addresses that a page may hand over at once
const VIEWER = "cutout-viewer-";
const HASHED = /^\/static\/.*\.[0-9a-f]{12}\.\w+$/;
// The sender of a form may be another viewer afterwards.
const LOGGING = /^\/(accounts?|admin)\//;
// The editor's address says what is searched beside the deck; the deck is the same, so that one copy of it is enough.
const EDITOR = /^\/decks\/[\w-]+\/edit\/$/;
const alike = (address) => ({ ignoreVary: true, ignoreSearch: EDITOR.test(new URL(address, location.href).pathname) });
let asked = 0; // how many requests there were: each has its number, so that of two answers the later request's is known
let unsure = 0; // the number of requests when the viewer may have changed; what was asked for before is not kept after
let known = { number: 0, viewer: "" }; // whose pages the latest request that says so was answered with

addEventListener("install", (event) => event.waitUntil((async () => {
  await (await caches.open("cutout-files")).addAll(FILES);
  const shell = await caches.open("cutout-shell");
  // Without cookies, so that no visitor's own is in them.
  await Promise.all(PAGES.map(async (page) => {
    const answer = await fetch(new Request(page, { credentials: "omit", cache: "reload" }));
    if (!answer.ok) throw new Error(`${page}: ${answer.status}`);
    await shell.put(page, await dated(answer));
  }));
  await skipWaiting();
})()));

addEventListener("activate", (event) => event.waitUntil(clients.claim()));

addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (origin !== location.origin) return;
  if (request.method !== "GET") {
    if (LOGGING.test(pathname)) event.respondWith(loggedInOrOut(request));
    else if (request.keepalive && EDITOR.test(pathname)) event.respondWith(changedOnLeaving(event));
  } else if (HASHED.test(pathname)) event.respondWith(file(event));
  else if (request.mode === "navigate") event.respondWith(fresh(event, page));
  else if (request.destination === "image" || request.destination === "style") event.respondWith(fresh(event, kept));
});

// The button that was pressed last before an editor was left: no page is there to say that the copies of the deck are old.
async function changedOnLeaving(event) {
  const answer = await fetch(event.request);
  const { pathname } = new URL(event.request.url);
  if (answer.ok) event.waitUntil(Promise.all([pathname, pathname.replace(/edit\/$/, "")].map(renewed)));
  return answer;
}

// A page that was open before this worker was hands over its own address and those of its files and pictures; one that changed
// a deck without being loaded anew, those of the deck.
addEventListener("message", (event) => {
  if (!Array.isArray(event.data?.keep)) return;
  event.waitUntil(Promise.all(event.data.keep.slice(0, MAX_TAKEN).map(async (address) => {
    const { origin, pathname } = new URL(address, location.href);
    if (origin !== location.origin) return;
    if (HASHED.test(pathname)) await file({ request: new Request(address) }); else await renewed(address);
  }).map((one) => one.catch(() => {}))));
});

async function renewed(address) {
  const number = ++asked;
  await keep(address, await fetch(new Request(address)), number);
}

// -- answering --------------------------------------------------------------------

async function file({ request }) {
  const files = await caches.open("cutout-files");
  const before = await files.match(request.url);
  if (before) return before;
  const answer = await fetch(request);
  if (answer.ok && answer.status === 200) await put(files, MAX.files, request.url, answer.clone()).catch(() => {});
  return answer;
}

async function fresh(event, otherwise) {
  const number = ++asked;
  let answer;
  try { answer = await fetch(event.request); } catch { return otherwise(event.request); }
  event.waitUntil(keep(event.request.url, answer, number).catch(() => {}));
  return answer;
}

async function page(request) {
  const copy = await find(request.url) || await find(OFFLINE);
  if (!copy) return Response.error();
  // The page says by this that it is a copy, and of when.
  const text = (await copy.text()).replace("<html ", `<html data-kept="${copy.headers.get("Cutout-Kept")}" `);
  return new Response(text, { status: copy.status, headers: copy.headers });
}

async function kept(request) {
  return await find(request.url) || Response.error();
}

async function find(address) {
  const names = await caches.keys();
  const order = [...names.filter((name) => name.startsWith(VIEWER)), "cutout-pages", "cutout-faces", "cutout-shell"];
  for (const name of order) {
    // A room is not opened for this: one that went meanwhile would stand there again.
    const found = names.includes(name) && await caches.match(address, { ...alike(address), cacheName: name });
    if (found) return found;
  }
  return undefined;
}

// -- keeping ----------------------------------------------------------------------

let last = Promise.resolve();

// Rooms change one answer after another: else a copy is put into a room that goes at the same moment, and the room stays.
function inTurn(change) {
  const done = last.then(change);
  last = done.catch(() => {});
  return done;
}

async function keep(address, answer, number) {
  // Copied at once, before it is read; and only what may be kept, for a copy that is not read fills the memory.
  const copy = answer.headers.has("Cutout-Offline") ? await dated(answer.clone()) : null;
  await inTurn(() => changeRooms(address, answer, copy, number));
}

async function changeRooms(address, answer, copy, number) {
  const viewer = answer.headers.get("Cutout-Viewer");
  const isOld = number <= unsure || (viewer && viewer !== known.viewer && number < known.number);
  if (viewer && !isOld) {
    if (number > known.number) known = { number, viewer };
    await forgetViewers(viewer);
  }
  // Gone, or no longer this viewer's to see: the copy goes too.
  if (answer.type === "opaqueredirect" || [403, 404, 410].includes(answer.status)) { await forget(address, ""); return; }
  const room = answer.status === 200 && !answer.redirected && answer.headers.get("Cutout-Offline");
  const rooms = { public: ["cutout-pages", MAX.pages], face: ["cutout-faces", MAX.faces], viewer: [VIEWER + viewer, MAX.viewer] };
  if (!room || !rooms[room] || (room === "viewer" && !viewer) || isOld) return;
  const [name, most] = rooms[room];
  await put(await caches.open(name), most, address, copy);
  await forget(address, name);
}

async function dated(answer) {
  const headers = new Headers(answer.headers);
  for (const name of ["Content-Encoding", "Content-Length"]) headers.delete(name); // it is unpacked already
  headers.set("Cutout-Kept", new Date().toISOString());
  return new Response(await answer.blob(), { headers });
}

async function put(cache, most, address, answer) {
  await cache.put(address, answer);
  const own = new URL(address, location.href).href.split("#")[0];
  for (const one of await cache.keys(address, alike(address))) if (one.url.split("#")[0] !== own) await cache.delete(one, { ignoreVary: true });
  const all = await cache.keys();
  for (const one of all.slice(0, Math.max(0, all.length - most))) await cache.delete(one, { ignoreVary: true });
}

// The copies of an address go, but for that in one room.
async function forget(address, but) {
  for (const name of await caches.keys()) {
    if (name !== but && (name === "cutout-pages" || name.startsWith(VIEWER))) await (await caches.open(name)).delete(address, alike(address));
  }
}

// Pages of another viewer go as soon as the site says that there is another.
async function forgetViewers(but) {
  for (const name of await caches.keys()) if (name.startsWith(VIEWER) && name !== VIEWER + but) await caches.delete(name);
}

async function loggedInOrOut(request) {
  const forgetAll = () => { unsure = asked; return inTurn(() => forgetViewers("")); };
  await forgetAll();
  try { return await fetch(request); } finally { await forgetAll(); }
}
