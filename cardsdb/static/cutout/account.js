/* Passkeys: shows the parts that need them if the browser supports them, starts the action of the page, and explains errors in words. */
(() => {
  "use strict";

  const trouble = () => document.getElementById("passkey-trouble");
  // Browsers tie a passkey to a host name, so it cannot work at a bare address such as 127.0.0.1.
  const isNumber = /^[\d.]+$|^\[/.test(location.hostname);

  const say = (sentence) => {
    const place = trouble();
    if (!place) return;
    place.textContent = sentence;
    place.hidden = false;
  };

  const sentenceFor = (error) => {
    switch (error && error.name) {
      case "NotAllowedError":
        return "No passkey was used. It took too long, or you stopped it. Try again when you are ready.";
      case "InvalidStateError":
        return "This device has a passkey for your account already.";
      case "SecurityError":
        return "The browser refuses passkeys at this address.";
      case "NotSupportedError":
        return "This browser or device cannot keep passkeys.";
      default:
        return "The passkey could not be used. Reload the page and try once more.";
    }
  };

  document.addEventListener("allauth.error", (event) => {
    event.preventDefault();
    say(sentenceFor(event.detail.exception));
  });

  const start = () => {
    const able = Boolean(window.PublicKeyCredential) && !isNumber;
    for (const section of document.querySelectorAll(".needs-passkeys")) section.hidden = !window.PublicKeyCredential && !isNumber;
    if (isNumber) {
      const note = document.getElementById("passkey-number");
      const link = document.getElementById("passkey-name");
      if (note && link && location.hostname === "127.0.0.1") {
        link.href = `${location.protocol}//localhost:${location.port}${location.pathname}${location.search}`;
        note.hidden = false;
      }
    }
    for (const wanted of document.querySelectorAll("script[data-allauth-onload]")) {
      const { ids } = JSON.parse(wanted.textContent);
      const button = document.getElementById(ids.login || ids.signup || ids.add || ids.authenticate);
      if (!able) {
        if (button) button.disabled = true;
        if (!isNumber) say("This browser cannot use passkeys.");
        continue;
      }
      wanted.dataset.allauthOnload.split(".").reduce((part, name) => part && part[name], window)({ ids });
    }
  };

  // Wait for this event: allauth's deferred script has run by then.
  document.addEventListener("DOMContentLoaded", start);
})();
