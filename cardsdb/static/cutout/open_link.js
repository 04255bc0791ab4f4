// What follows # in an address stays in the browser: this sends it to the form, once.
const form = document.getElementById("open-link");
const fragment = location.hash.slice(1);
const send = () => {
  form.elements.address.value = "#" + location.hash.slice(1);
  form.action = form.getAttribute("action") + location.hash;
  form.submit();
};
if (fragment.startsWith("cutout") && !("read" in form.dataset)) send();
addEventListener("hashchange", send);
