// Suggestions under a search box: fields, values and cards. Without this script it is a plain search box.
(() => {
  "use strict";
  const WAIT = 90; // ms without typing before a request
  const MAX_SAVED = 6; // saved searches offered at a time
  const MAX_OWN = 4; // own cards offered at a time
  let made = 0;

  // Python counts code points, JavaScript counts UTF-16 units: convert positions.
  const characters = (text) => [...text].length;
  const places = (text, count) => [...text].slice(0, count).join("").length;

  function boxOf(input) {
    const list = document.createElement("ul");
    list.id = `suggestions-${++made}`;
    list.className = "suggestions";
    list.setAttribute("role", "listbox");
    list.setAttribute("aria-label", "Suggestions");
    list.hidden = true;
    const announcement = document.createElement("p");
    announcement.className = "visually-hidden";
    announcement.setAttribute("role", "status");
    input.after(list, announcement);
    const set = (name, value) => input.setAttribute(name, value);
    set("role", "combobox");
    set("aria-autocomplete", "list");
    set("aria-controls", list.id);
    set("aria-expanded", "false");

    let choices = [];
    let at = -1;
    let timer = 0;
    let asking = null;
    let wanted = ""; // a key pressed before the list arrived: "mark" or "take" its first choice
    let listed = ""; // the text and caret position for which the list was requested
    let saved = null; // the visitor's saved searches, fetched when the box is first used
    let offered = ""; // the operator that the last choice inserted

    // After fast typing the list may still belong to an older text. Keys must not choose from it.
    const typed = () => `${input.selectionEnd} ${input.value}`;
    const isCurrent = () => !list.hidden && listed === typed();

    function close() {
      list.hidden = true;
      list.replaceChildren();
      choices = [];
      at = -1;
      set("aria-expanded", "false");
      input.removeAttribute("aria-activedescendant");
      announcement.textContent = "";
    }

    function mark(place) {
      at = place;
      [...list.children].forEach((item, number) => item.setAttribute("aria-selected", String(number === at)));
      if (at < 0) { input.removeAttribute("aria-activedescendant"); return; }
      set("aria-activedescendant", list.children[at].id);
      list.children[at].scrollIntoView({ block: "nearest" });
    }

    // Saved searches are offered in an empty box or when the text begins like a name of one; own cards when a word of theirs matches.
    async function savedHere() {
      if (!input.dataset.saved) return [];
      const none = { searches: [], cards: [] };
      saved ??= fetch(input.dataset.saved).then((answer) => (answer.ok ? answer.json() : none)).catch(() => none);
      const begun = input.value.trim().toLowerCase();
      const { searches, cards = [] } = await saved;
      const fitting = searches.filter((search) => search.name.toLowerCase().startsWith(begun));
      const called = begun.length < 2 ? [] : cards.filter((card) => ` ${card.name.toLowerCase()}`.includes(` ${begun}`));
      return [
        ...fitting.slice(0, MAX_SAVED).map((search) => ({ kind: "saved", text: search.query, name: search.name, label: search.query, start: 0 })),
        ...called.slice(0, MAX_OWN).map((card) => ({ kind: "card", text: card.query, label: `${card.game}, yours`, start: 0 })),
      ];
    }

    function take(place) {
      const choice = choices[place];
      if (choice.kind === "search") { close(); input.form?.requestSubmit(); return; }
      if (choice.kind === "saved") {
        input.value = choice.text;
        close();
        if (input.form?.elements.within) input.form.elements.within.checked = false; // the saved search names its game itself
        input.form?.requestSubmit();
        return;
      }
      const rest = input.value.slice(input.selectionEnd);
      const space = choice.kind === "field" || rest.startsWith(" ") ? "" : " ";
      const before = input.value.slice(0, places(input.value, choice.start)) + choice.text + space;
      input.value = before + rest;
      input.setSelectionRange(before.length, before.length);
      close();
      offered = choice.kind === "field" ? choice.text.match(/[:=<>!]*$/)[0] : "";
      if (choice.kind === "field") ask();
      // Picking a card in an otherwise empty box opens its page.
      if (choice.kind === "card" && choice.start === 0 && !rest.trim() && input.form) input.form.requestSubmit();
    }

    function show(suggestions) {
      choices = suggestions;
      if (!choices.length || document.activeElement !== input) { close(); return; }
      list.replaceChildren(...choices.map((choice, number) => {
        const item = document.createElement("li");
        item.id = `${list.id}-${number}`;
        item.setAttribute("role", "option");
        item.setAttribute("aria-selected", "false");
        const text = document.createElement("span");
        text.className = { card: "name", saved: "saved-name", search: "whole-search" }[choice.kind] ?? "code";
        text.textContent = choice.kind === "saved" ? choice.name : choice.kind === "search" ? `Search for “${choice.text}”` : choice.kind === "card" ? choice.text.replace(/^!"|"$/g, "").replace(/\\(.)/g, "$1") : choice.text;
        const label = document.createElement("span");
        label.className = "hint";
        label.textContent = choice.label;
        item.append(text, " ", label);
        item.addEventListener("pointerdown", (event) => { event.preventDefault(); take(number); });
        return item;
      }));
      list.hidden = false;
      at = -1;
      set("aria-expanded", "true");
      announcement.textContent = `${choices.length} suggestion${choices.length === 1 ? "" : "s"}`;
    }

    function giveUp() {
      clearTimeout(timer);
      asking?.abort();
      asking = null;
      wanted = "";
    }

    async function ask(wish = "") {
      giveUp();
      const mine = asking = new AbortController();
      wanted = wish;
      const text = typed();
      const params = new URLSearchParams({ q: input.value, at: characters(input.value.slice(0, input.selectionEnd)) });
      const tick = input.form?.elements.within;
      const within = tick ? tick.checked && tick.value : input.dataset.within;
      if (within) params.set("within", within);
      let found = [];
      try {
        const answer = input.value.trim() && (await fetch(`${input.dataset.suggest}?${params}`, { signal: mine.signal, credentials: "omit" }));
        if (answer && answer.ok) found = (await answer.json()).choices;
      } catch (error) {
        if (error.name === "AbortError") return;
      }
      found = [...(await savedHere()), ...found];
      if (asking !== mine) return;
      if (text !== typed()) { wanted = ""; return; }
      wish = wanted;
      wanted = "";
      listed = text;
      show(found);
      if (!list.hidden && wish) mark(0);
      if (!list.hidden && wish === "take") take(0);
      else if (wish === "take" && input.form) input.form.requestSubmit();
    }

    // A typed operator replaces the one that the choice inserted.
    input.addEventListener("beforeinput", (event) => {
      const place = input.selectionStart;
      if (offered && /^[:=<>!]/.test(event.data || "") && input.value.slice(0, place).endsWith(offered)) {
        input.value = input.value.slice(0, place - offered.length) + input.value.slice(place);
        input.setSelectionRange(place - offered.length, place - offered.length);
      }
      offered = "";
    });
    input.addEventListener("input", () => {
      clearTimeout(timer);
      wanted = "";
      if (at >= 0) mark(-1);
      if (input.value.trim() || input.dataset.saved) timer = setTimeout(() => ask(), WAIT);
      else close();
    });
    input.addEventListener("keydown", (event) => {
      if (event.isComposing) return;
      const last = choices.length - 1;
      if (event.key === "Escape" && !list.hidden) { event.preventDefault(); giveUp(); close(); return; }
      if (event.key === "ArrowDown" && !isCurrent() && (input.value.trim() || input.dataset.saved)) { event.preventDefault(); if (!wanted) ask("mark"); return; }
      if (event.key === "Enter" && wanted) { event.preventDefault(); wanted = "take"; return; }
      if (!isCurrent()) return;
      if (event.key === "ArrowDown") { event.preventDefault(); mark(at >= last ? -1 : at + 1); }
      else if (event.key === "ArrowUp") { event.preventDefault(); mark(at < 0 ? last : at - 1); }
      else if (event.key === "Enter" && at >= 0) { event.preventDefault(); take(at); }
      else if (event.key === "Tab" && at >= 0) take(at);
    });
    input.addEventListener("focus", () => input.dataset.saved && !input.value.trim() && ask());
    input.addEventListener("blur", close);
  }

  const dress = (root) => root.querySelectorAll("input[data-suggest]:not([role])").forEach(boxOf);
  dress(document);
  document.addEventListener("htmx:load", (event) => dress(event.detail.elt));
})();
