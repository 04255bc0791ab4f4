// The check page offline. The rules run on the server, so the list waits in this tab and is judged when the site answers again.
// It also survives a reload of the page.
(() => {
  "use strict";
  const KEPT = "cutout-check";
  const RETRY = 15000;
  const form = document.getElementById("list-form");
  const judged = document.getElementById("judged");
  if (!form || !judged || !window.htmx) return;
  const fields = () => ["game", "format", "text"].map((name) => form.elements[name]).filter(Boolean); // looked up each time: the server replaces some of them
  let isWaiting = false;

  const remember = () => {
    try { sessionStorage.setItem(KEPT, JSON.stringify(Object.fromEntries(fields().map((field) => [field.name, field.value])))); } catch { /* too long, or storage is not allowed */ }
  };
  const recall = () => { try { return JSON.parse(sessionStorage.getItem(KEPT)) || {}; } catch { return {}; } };
  const judge = () => { if (form.elements.text.value.trim()) window.htmx.trigger(form.elements.game, "change"); };

  for (const kind of ["input", "change"]) form.addEventListener(kind, () => { if (isWaiting) remember(); });

  // Runs before verdict.js, which would replace the last verdict with an error. Offline, the last verdict stays readable.
  form.addEventListener("htmx:sendError", (event) => {
    event.stopImmediatePropagation();
    isWaiting = true;
    remember();
    let note = document.getElementById("judged-later");
    if (!note) {
      note = document.createElement("p");
      note.id = "judged-later";
      note.className = "notice notice-warning";
      judged.prepend(note);
    }
    note.textContent = "The site does not answer. Your list is kept in this tab and is judged when the network is back.";
    if (judged.querySelector(".verdict-stamp")) note.textContent += " Below is the last verdict, of the list as it was then.";
    document.getElementById("check-line").hidden = true;
    document.getElementById("live-status").textContent = note.textContent;
  });
  form.addEventListener("htmx:beforeSwap", () => {
    isWaiting = false;
    try { sessionStorage.removeItem(KEPT); } catch { /* storage is not allowed */ }
  });
  addEventListener("online", () => { if (isWaiting) judge(); });
  setInterval(() => { if (isWaiting && navigator.onLine) judge(); }, RETRY);

  if (!form.elements.text.value && location.search === "" && !judged.querySelector(".verdict-stamp")) {
    const before = recall();
    for (const field of fields()) if (before[field.name]) field.value = before[field.name];
    addEventListener("load", judge); // htmx is ready by then
  }
})();
