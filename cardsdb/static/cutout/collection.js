// The collection page. Saves each number when it changes; Enter and the arrow keys move between numbers, + and - change one.
"use strict";
{
  const form = document.querySelector(".owned-form");
  const numbers = () => [...form.querySelectorAll(".owned-number")];
  const step = (input, by) => {
    const most = Number(input.max), now = Number(input.value) || 0;
    input.value = Math.min(Math.max(now + by, 0), most);
    input.dispatchEvent(new Event("change", { bubbles: true }));
  };
  const seenOf = (input) => document.getElementById(input.id.replace("n-", "s-"));
  if (form) {
    document.getElementById("collection-keys").hidden = false;
    form.addEventListener("keydown", (event) => {
      const input = event.target, all = numbers(), place = all.indexOf(input);
      if (place < 0 || event.ctrlKey || event.metaKey || event.altKey) return;
      const by = { Enter: event.shiftKey ? -1 : 1, ArrowDown: 1, ArrowUp: -1 }[event.key];
      const count = { "+": 1, "-": -1 }[event.key];
      if (!by && !count) return;
      event.preventDefault();
      if (count) return step(input, count);
      // A number is saved when it loses the focus. The last one has no next field, so blur it.
      const next = all[place + by] || (by > 0 && document.querySelector('[rel="next"]'));
      input.blur();
      (next || input).focus();
    });
    form.addEventListener("focusin", ({ target }) => { if (target.matches(".owned-number")) target.select(); });
    form.addEventListener("change", ({ target }) => {
      // Not a number: put the previous value back.
      if (target.validity.badInput || !target.checkValidity()) target.value = seenOf(target).value;
    }, true);
    form.addEventListener("click", (event) => {
      const button = event.target.closest(".owned-step");
      if (!button) return;
      event.preventDefault();
      step(button.parentElement.querySelector(".owned-number"), button.name === "more" ? 1 : -1);
    });
    // When the page is left, send every number that the site may not have yet, even one that is still being typed. Sending a number twice
    // changes nothing.
    // Only numbers changed by hand: after "back" the browser restores old numbers into the fields.
    const touched = new Set();
    for (const kind of ["input", "change"]) form.addEventListener(kind, ({ target }) => touched.add(target.id), true);
    let isSent = false;
    form.addEventListener("submit", (event) => setTimeout(() => { isSent = !event.defaultPrevented; }));
    addEventListener("pageshow", () => { isSent = false; });
    addEventListener("pagehide", () => {
      const body = new URLSearchParams({ csrfmiddlewaretoken: form.elements.csrfmiddlewaretoken.value });
      const isUnsaved = (input) => touched.has(input.id) && input.checkValidity() && input.value !== seenOf(input).value;
      const late = isSent ? [] : numbers().filter(isUnsaved);
      for (const one of late.flatMap((input) => [input, seenOf(input)])) body.set(one.name, one.value);
      if (late.length) fetch(form.getAttribute("hx-post"), { method: "POST", keepalive: true, body });
    });
    const failed = () => { document.getElementById("collection-status").textContent = "This was not saved. Wait a moment, then press “Save these numbers”."; };
    for (const name of ["htmx:responseError", "htmx:sendError"]) document.body.addEventListener(name, failed);
  }
}
