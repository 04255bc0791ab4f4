// What follows # in an edit link is sent to no server: this puts it into the form, and takes it out of the address and the history.
const form = document.getElementById("edit-link");
const send = () => {
  if (!/^#[\w-]+\.[\w-]+$/.test(location.hash)) return;
  form.elements.edit_key.value = location.hash.slice(1);
  history.replaceState(null, "", location.pathname);
  form.submit();
};
addEventListener("hashchange", send);
send();
