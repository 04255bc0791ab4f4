// The service worker: stores pages for offline use. Online, pages always come from the site; only files with a content hash in
// their name are served from the cache first. docs/decisions/0010 says what is stored.
"use strict";
const FILES = [{% for file in files %}"{{ file|escapejs }}"{% if not loop.last %}, {% endif %}{% endfor %}];
const PAGES = [{% for page in pages %}"{{ page|escapejs }}"{% if not loop.last %}, {% endif %}{% endfor %}];
const OFFLINE = PAGES[0];

// Most entries per cache; the oldest are dropped.
const MAX = { files: 240, pages: 150, faces: 400, viewer: 80 };
const MAX_TAKEN = 120; // addresses that a page may send at once
const VIEWER = "cutout-viewer-";
const HASHED = /^\/static\/.*\.[0-9a-f]{12}\.\w+$/;
// After such a form the viewer may be another one.
const LOGGING = /^\/(accounts?|admin)\//;
// The query of an editor's address is only its search: one copy of the deck is enough.
const EDITOR = /^\/decks\/[\w-]+\/edit\/$/;
const alike = (address) => ({ ignoreVary: true, ignoreSearch: EDITOR.test(new URL(address, location.href).pathname) });
let asked = 0; // counts requests, so that of two answers the one to the later request wins
let unsure = 0; // the count when the viewer last may have changed; earlier requests are not stored
let known = { number: 0, viewer: "" }; // the viewer named by the answer to the latest request

addEventListener("install", (event) => event.waitUntil((async () => {
  await (await caches.open("cutout-files")).addAll(FILES);
  const shell = await caches.open("cutout-shell");
  // Without cookies, so that they hold nothing personal.
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

// A change sent while leaving an editor: its page is gone, so the worker itself renews the copies of the deck.
async function changedOnLeaving(event) {
  const answer = await fetch(event.request);
  const { pathname } = new URL(event.request.url);
  if (answer.ok) event.waitUntil(Promise.all([pathname, pathname.replace(/edit\/$/, "")].map(renewed)));
  return answer;
}

// A page opened before this worker started sends its own address and those of its files; a page that changed a deck without a
// reload sends those of the deck.
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
  // Tells the page that it is a copy, and its date.
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
    // Not caches.open: it would bring back a cache deleted meanwhile.
    const found = names.includes(name) && await caches.match(address, { ...alike(address), cacheName: name });
    if (found) return found;
  }
  return undefined;
}

// -- keeping ----------------------------------------------------------------------

let last = Promise.resolve();

// Caches change one answer at a time: else a copy put into a cache that is being deleted would bring it back.
function inTurn(change) {
  const done = last.then(change);
  last = done.catch(() => {});
  return done;
}

async function keep(address, answer, number) {
  // Cloned before it is read, and only if it may be stored: an unread clone fills the memory.
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
  // Gone, or no longer visible to this viewer: delete the copy too.
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
  for (const name of ["Content-Encoding", "Content-Length"]) headers.delete(name); // the body is decoded already
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

// Delete all copies of an address except that in the cache ``but``.
async function forget(address, but) {
  for (const name of await caches.keys()) {
    if (name !== but && (name === "cutout-pages" || name.startsWith(VIEWER))) await (await caches.open(name)).delete(address, alike(address));
  }
}

// Delete the pages of other viewers as soon as the site names a new one.
async function forgetViewers(but) {
  for (const name of await caches.keys()) if (name.startsWith(VIEWER) && name !== VIEWER + but) await caches.delete(name);
}

async function loggedInOrOut(request) {
  const forgetAll = () => { unsure = asked; return inTurn(() => forgetViewers("")); };
  await forgetAll();
  try { return await fetch(request); } finally { await forgetAll(); }
}
