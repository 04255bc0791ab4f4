// The part after # in an edit link never reaches a server. Put it into the form and remove it from the address bar and the history.
const form = document.getElementById("edit-link");
const send = () => {
  if (!/^#[\w-]+\.[\w-]+$/.test(location.hash)) return;
  form.elements.edit_key.value = location.hash.slice(1);
  history.replaceState(null, "", location.pathname);
  form.submit();
};
addEventListener("hashchange", send);
send();
