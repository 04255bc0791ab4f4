// Dragging cards: from the search results into the deck, between its sections, and out of it. A drop sends the same
// request as a button press; "Move to" in the form of a line does the same without dragging.
(() => {
  "use strict";
  const editor = document.querySelector(".editor");
  if (!editor || !window.htmx) return;
  const START = 6, SLIP = 10, PRESS = 400, EDGE = 48, STEP = 8; // px, px, ms, px, px
  const label = Object.assign(document.createElement("div"), { className: "drag-label", hidden: true, ariaHidden: "true" });
  document.body.append(label);
  const pane = editor.querySelector(".editor-deck");
  let row, begin, now, pressing; // the dragged row, where the press began, where the pointer is, the timer of a long press
  let drop = null; // what a drop would do now
  let dragging = false, dragged = false;

  const takes = (section) => section.dataset.takes.split(" ").includes(row.dataset.type);

  // What a drop here would do: the element to highlight, the words to show, and the edit to send.
  function dropAt({ clientX, clientY, shiftKey }) {
    const under = document.elementFromPoint(clientX, clientY);
    const [home, code] = row.dataset.key.split(" ");
    const isOwn = Boolean(row.closest("#deck"));
    if (isOwn && under?.closest(".editor-find")) return { place: under.closest(".editor-find"), words: "Take out", edit: `=0 ${row.dataset.key}` };
    if (!under?.closest(".editor-deck")) return null;
    const over = under.closest("[data-section]");
    if (isOwn) {
      if (!over || over.dataset.section === home || !takes(over)) return null;
      const copies = shiftKey ? "1" : "all";
      return { place: over, words: `Move ${shiftKey ? "one " : ""}to ${over.dataset.name}`, edit: `move ${copies} ${row.dataset.key} to ${over.dataset.section}` };
    }
    const place = over && takes(over) ? over : pane.querySelector(`[data-section="${CSS.escape(home)}"]`);
    return place && { place, words: `Add to ${place.dataset.name}`, edit: `+1 ${place.dataset.section} ${code} found` };
  }

  function show(event) {
    now = event;
    const before = drop?.place;
    drop = dropAt(event);
    if (before !== drop?.place) { before?.classList.remove("is-drop"); drop?.place.classList.add("is-drop"); }
    const name = row.querySelector(".name, .fan-blank")?.textContent || row.querySelector("img")?.alt || "";
    label.textContent = drop ? `${drop.words}: ${name}` : name;
    label.style.left = `${event.clientX + 14}px`;
    label.style.top = `${event.clientY + 10}px`;
  }

  function start(event) {
    dragging = true;
    dragged = true;
    row.classList.add("is-dragged");
    document.body.classList.add("is-dragging");
    label.hidden = false;
    editor.setPointerCapture(event.pointerId);
    getSelection()?.removeAllRanges();
    show(event);
    requestAnimationFrame(roll);
  }

  // Near an edge, scroll the deck.
  function roll() {
    if (!dragging) return;
    const box = pane.getBoundingClientRect();
    const over = now.clientX > box.left && now.clientX < box.right;
    const by = now.clientY < Math.max(box.top, 0) + EDGE ? -STEP : now.clientY > Math.min(box.bottom, innerHeight) - EDGE ? STEP : 0;
    if (over && by) { pane.scrollTop += by; show(now); }
    requestAnimationFrame(roll);
  }

  function stop() {
    clearTimeout(pressing);
    drop?.place.classList.remove("is-drop");
    row?.classList.remove("is-dragged");
    document.body.classList.remove("is-dragging");
    label.hidden = true;
    dragging = false;
    row = drop = null;
  }

  editor.addEventListener("pointerdown", (event) => {
    stop();
    dragged = false;
    const { target, pointerType } = event;
    if (event.button || !event.isPrimary || target.closest("button, input, select, textarea, summary, label, form, .line-more")) return;
    // With a finger, a long press on the name shows the face; dragging starts on the rest of the row.
    if (pointerType === "touch" && target.closest("a.name")) return;
    row = target.closest("[data-keys] [data-key]");
    begin = now = event;
    if (row && pointerType === "touch") pressing = setTimeout(start, PRESS, event);
  });
  editor.addEventListener("pointermove", (event) => {
    if (!row) return;
    if (dragging) return show(event);
    now = event;
    const way = Math.hypot(event.clientX - begin.clientX, event.clientY - begin.clientY);
    if (event.pointerType !== "touch") { if (way > START) start(event); } else if (way > SLIP) stop();
  });
  editor.addEventListener("pointerup", () => {
    const edit = dragging && drop?.edit;
    stop();
    setTimeout(() => { dragged = false; }); // a touch drag ends without a click, so the next click must work
    if (edit) document.body.dispatchEvent(new CustomEvent("edit-deck", { detail: { edit } }));
  });
  editor.addEventListener("pointercancel", stop);
  document.addEventListener("keydown", (event) => {
    if (!dragging || event.key !== "Escape") return;
    event.preventDefault();
    stop();
  }, true);
  // Stop the browser from dragging the link or picture, scrolling, or opening a menu.
  editor.addEventListener("dragstart", (event) => { if (event.target.closest?.("[data-keys] [data-key]")) event.preventDefault(); });
  editor.addEventListener("touchmove", (event) => { if (dragging) event.preventDefault(); }, { passive: false });
  document.addEventListener("contextmenu", (event) => { if (dragging) event.preventDefault(); });
  // The click that ends a drag must not open anything.
  document.addEventListener("click", (event) => {
    if (!dragged) return;
    dragged = false;
    event.preventDefault();
    event.stopPropagation();
  }, true);
})();
