// Worksheets: entries are sent along when the sheet is printed or put into a deck, and stored in this browser per sheet and deck.
// Entries of an account are stored under its name and removed when it logs out; entries made without an account stay.
"use strict";
{
  const STORE = "cutout-worksheets", MAX_SHEETS = 40, MAX_TYPED = 1000;
  const kept = () => {
    try { return JSON.parse(localStorage.getItem(STORE)) || {}; } catch { return {}; }
  };
  // Store the sheets typed in last. Returns false if the browser cannot store anything.
  const store = (sheets) => {
    const newest = Object.entries(sheets).sort(([, one], [, other]) => other.at - one.at).slice(0, MAX_SHEETS);
    try { localStorage.setItem(STORE, JSON.stringify(Object.fromEntries(newest))); return true; } catch { return false; }
  };
  const { account = "", leaves } = document.currentScript.dataset;
  const own = (key) => (account ? `${account} ${key}` : key);
  const ownerOf = (key) => (key.includes(" ") ? key.split(" ")[0] : "");
  const keepOnly = (isKept) => {
    const all = Object.entries(kept()), left = all.filter(([key]) => isKept(key));
    if (left.length < all.length) store(Object.fromEntries(left));
  };
  const forget = (key) => keepOnly((one) => one !== key && one !== own(key));
  const entriesOf = (key) => {
    const sheets = kept();
    return [own(key), key].map((one) => sheets[one]?.entries).find((entries) => entries && typeof entries === "object") || null;
  };
  // An account that was logged out elsewhere left its entries here: remove them.
  keepOnly((key) => ["", account].includes(ownerOf(key)));
  if (leaves !== undefined) {
    document.addEventListener("submit", (event) => {
      if (event.target.method !== "post" || event.target.elements.sure?.checked === false) return;
      setTimeout(() => { if (!event.defaultPrevented) keepOnly((key) => !ownerOf(key)); });
    });
  }

  const form = document.getElementById("worksheet-form");
  // This page shows entries of an account. If that account logged out in another tab, replace it with an empty sheet.
  const clearForAnother = async () => {
    const { pathname } = location;
    const viewer = await fetch(pathname, { method: "HEAD", cache: "no-store" }).then((answer) => answer.headers.get("Cutout-Viewer"), () => null);
    if (viewer && viewer !== account) location.replace(pathname);
  };
  if (account && leaves === undefined) {
    const isOurs = (written) => written?.includes(`"${account} `);
    document.addEventListener("visibilitychange", () => { if (!document.hidden) clearForAnother(); });
    addEventListener("pageshow", ({ persisted }) => { if (persisted) clearForAnother(); });
    addEventListener("online", clearForAnother);
    addEventListener("storage", ({ key, oldValue, newValue }) => { if (key === STORE && isOurs(oldValue) && !isOurs(newValue)) clearForAnother(); });
  }
  const inputs = form ? [...form.querySelectorAll(".worksheet-field :is(input, select)")] : [];
  const typed = (data) => Object.fromEntries(inputs.map(({ name }) => [name, String(data.get(name) ?? "").slice(0, MAX_TYPED)]));

  // Printing and "put into the deck" send the fields as they are now, even if the outcome has not caught up with the last key.
  document.addEventListener("submit", (event) => {
    if (!form || event.target.dataset.fieldsOf !== form.id) return;
    const now = typed(new FormData(form));
    for (const hidden of event.target.querySelectorAll('input[type="hidden"]')) if (hidden.name in now) hidden.value = now[hidden.name];
    // Runs after all other scripts: a form that was stopped because of the network has not been sent.
    if (event.target.method === "post") setTimeout(() => { if (!event.defaultPrevented) forget(form.dataset.kept); });
  });

  if (form) {
    const key = form.dataset.kept, note = document.getElementById("worksheet-kept"), offer = document.getElementById("worksheet-offer");
    const keep = (event) => {
      const entries = typed(new FormData(form, event.submitter));
      note.hidden = !store({ ...kept(), [own(key)]: { at: Date.now(), entries } });
      offer.hidden = true;
    };
    const putIn = (entries) => {
      for (const input of inputs) {
        if (typeof entries[input.name] !== "string") continue;
        if (input.type === "checkbox") input.checked = entries[input.name] === input.value;
        else input.value = entries[input.name];
      }
      // Update the outcome as after typing.
      form.dispatchEvent(new Event("input", { bubbles: true }));
    };
    form.addEventListener("input", keep);
    form.addEventListener("submit", keep);
    document.getElementById("worksheet-clear").addEventListener("click", () => forget(key));
    // Runs once htmx listens. Entries in the address, and the fields of a refused form, come before stored entries.
    addEventListener("DOMContentLoaded", () => {
      const entries = entriesOf(key), asked = new URLSearchParams(location.search);
      if (!entries || location.pathname !== form.getAttribute("action")) return;
      const now = typed(new FormData(form));
      const alike = Object.keys(now).every((name) => !(name in entries) || entries[name] === now[name]);
      if (alike) note.hidden = false;
      else if (inputs.some(({ name }) => asked.has(name))) offer.hidden = false;
      else putIn(entries);
    });
    offer.querySelector("button").addEventListener("click", () => { putIn(entriesOf(key) || {}); inputs[0].focus(); });
  }

  // The list of sheets: offer "Print yours" for sheets with entries in this browser.
  for (const link of document.querySelectorAll("[data-print-kept]")) {
    const entries = entriesOf(link.dataset.printKept);
    if (!entries) continue;
    link.search = new URLSearchParams(entries);
    link.parentElement.hidden = false;
  }
}
