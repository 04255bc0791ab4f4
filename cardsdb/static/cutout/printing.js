// The print page: while someone types, only the preview is fetched. This script shows its errors at the form fields as well; without it,
// the full page does.
document.addEventListener("htmx:afterSwap", (event) => {
  if (event.target.id !== "outcome") return;
  for (const old of document.querySelectorAll("#print-form .field-error")) old.remove();
  for (const field of document.querySelectorAll("#print-form [aria-invalid]")) {
    field.removeAttribute("aria-invalid");
    const others = (field.getAttribute("aria-describedby") || "").split(" ").filter((id) => id && !id.startsWith("e-"));
    if (others.length) field.setAttribute("aria-describedby", others.join(" "));
    else field.removeAttribute("aria-describedby");
    field.closest(".field").classList.remove("field-invalid");
  }
  for (const fault of event.target.querySelectorAll("[data-field]")) {
    const name = fault.dataset.field;
    const field = document.getElementById(`f-${name}`);
    if (!field || document.getElementById(`e-${name}`)) continue;
    const message = document.createElement("p");
    message.className = "field-error";
    message.id = `e-${name}`;
    message.textContent = fault.textContent;
    field.before(message);
    field.closest(".field").classList.add("field-invalid");
    for (const control of [field, field.value === "other" && document.getElementById(`f-${name}-other`)]) {
      if (!control) continue;
      control.setAttribute("aria-invalid", "true");
      control.setAttribute("aria-describedby", `e-${name} ${control.getAttribute("aria-describedby") || ""}`.trim());
    }
  }
});
