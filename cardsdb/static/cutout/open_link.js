// The part after # in an address never reaches the server. Put it into the form and submit the form, once.
const form = document.getElementById("open-link");
const fragment = location.hash.slice(1);
const send = () => {
  form.elements.address.value = "#" + location.hash.slice(1);
  form.action = form.getAttribute("action") + location.hash;
  form.submit();
};
if (fragment.startsWith("cutout") && !("read" in form.dataset)) send();
addEventListener("hashchange", send);
