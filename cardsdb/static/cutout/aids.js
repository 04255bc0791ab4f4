// What goes into a deck is what stands in the fields at that moment, even before the outcome has followed the last key.
document.addEventListener("submit", (event) => {
  const fields = document.getElementById(event.target.dataset.fieldsOf || "");
  if (!fields) return;
  const typed = new FormData(fields);
  for (const hidden of event.target.querySelectorAll('input[type="hidden"]')) {
    if (hidden.name === "csrfmiddlewaretoken" || hidden.name === "card") continue;
    hidden.value = typed.get(hidden.name) || "";
  }
});
