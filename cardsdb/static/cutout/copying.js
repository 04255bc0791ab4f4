// The "Print" and "Copy" buttons. Imported by site.js.

// A button that prints the page.
for (const button of document.querySelectorAll("[data-print]")) {
  button.hidden = false;
  button.addEventListener("click", () => print());
}
// A button that copies the text of the field named in data-copy. Without this script people copy from the field itself.
for (const button of document.querySelectorAll("[data-copy]")) {
  if (!navigator.clipboard) break;
  button.hidden = false;
  button.addEventListener("click", async () => {
    const field = document.getElementById(button.dataset.copy);
    const status = document.getElementById("copied");
    try {
      await navigator.clipboard.writeText(field.value ?? field.href);
      status.textContent = "Copied.";
      button.textContent = "Copied";
    } catch {
      // The field may be folded up.
      field.closest("details")?.setAttribute("open", "");
      field.select?.();
      status.textContent = "Selected: copy it with the keyboard.";
    }
  });
}
