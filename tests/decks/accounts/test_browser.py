"""Accounts in a browser: by keyboard, with a passkey, under the site's content security policy."""

import pytest

from tests.support.axe import breaches, breaches_of_shapes
from tests.support.server import manage

pytestmark = pytest.mark.browser
# Options of the virtual device that keeps passkeys.
KEY = {
    "protocol": "ctap2",
    "transport": "internal",
    "hasResidentKey": True,
    "hasUserVerification": True,
    "isUserVerified": True,
}


@pytest.fixture(scope="module")
def site(site):
    """The site's address by name, because passkeys do not work for an IP address."""
    return site.replace("127.0.0.1", "localhost")


@pytest.fixture
def page(browser, site):
    """A page with a device that keeps passkeys. The test fails when the browser reports an error."""
    context = browser.new_context(base_url=site)
    page = context.new_page()
    device = context.new_cdp_session(page)
    device.send("WebAuthn.enable")
    device.send("WebAuthn.addVirtualAuthenticator", {"options": {**KEY, "automaticPresenceSimulation": True}})
    errors: list[str] = []
    page.on("console", lambda message: errors.append(message.text) if message.type == "error" else None)
    yield page
    context.close()
    assert errors == []


def press_to(page, text, most=60):
    """Press Tab until the element with this text has the focus."""
    for _ in range(most):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.textContent").strip() == text:
            return
    raise AssertionError(f"{text!r} cannot be reached by keyboard")


def test_an_account_is_made_left_and_entered_again_with_a_passkey_and_a_keyboard(page, site):
    page.goto("/accounts/signup/")
    press_to(page, "Sign up with a passkey")
    page.keyboard.press("Enter")
    page.wait_for_url(f"{site}/accounts/signup/passkey/")
    page.focus("#id_username")
    page.keyboard.type("Mallory")
    page.keyboard.press("Enter")
    page.wait_for_url(f"{site}/accounts/2fa/webauthn/signup/")
    press_to(page, "Create")
    page.keyboard.press("Enter")
    page.wait_for_url(f"{site}/mine/")
    assert "Kept with your account Mallory" in page.inner_text(".mine-foot")
    press_to(page, "Log out")
    page.keyboard.press("Enter")
    page.wait_for_url(f"{site}/accounts/logout/")
    press_to(page, "Log out")
    page.keyboard.press("Enter")
    page.wait_for_url(f"{site}/")
    page.goto("/accounts/login/")
    press_to(page, "Log in with a passkey")
    page.keyboard.press("Enter")
    page.wait_for_url(f"{site}/mine/")
    assert "Kept with your account Mallory" in page.inner_text(".mine-foot")


def test_a_refused_passkey_is_reported_in_words(page):
    page.goto("/accounts/login/")
    page.evaluate(
        "() => { navigator.credentials.get = () => Promise.reject(new DOMException('', 'NotAllowedError')) }"
    )
    page.click("text=Log in with a passkey")
    page.wait_for_selector("#passkey-trouble:not([hidden])")
    assert "No passkey was used" in page.inner_text("[role=alert]")


def test_at_its_ip_address_the_site_links_to_the_name_for_which_passkeys_work(page, site):
    page.goto(site.replace("localhost", "127.0.0.1") + "/accounts/login/?next=/collection/")
    assert page.is_disabled("#passkey_login")
    page.click("text=Open it as localhost")
    page.wait_for_url(f"{site}/accounts/login/?next=/collection/")


def test_the_pages_of_an_account_and_the_status_page_pass_axe(page, site, var):
    found = {}

    def look(path):
        page.goto(path)
        found[path] = breaches(page)

    for path in ("/accounts/login/", "/accounts/signup/"):
        page.goto(path)
        found[path] = breaches_of_shapes(page)
    for path in ("signup/passkey/", "password/reset/"):
        look(f"/accounts/{path}")
    page.goto("/accounts/signup/")
    page.fill("#id_username", "Trent")
    page.fill("#id_password1", "short")
    page.click("main button:text-is('Sign up')")
    page.wait_for_function("document.title.startsWith('Error: ')")
    # The title arrives before the rest of the page.
    page.wait_for_load_state()
    found["with an error"] = breaches(page)
    page.fill("#id_password1", "a quiet field at noon")
    page.click("main button:text-is('Sign up')")
    page.wait_for_url(f"{site}/mine/")
    for path in (
        "/mine/",
        "/account/",
        "/account/log-ins/",
        "/accounts/email/",
        "/accounts/password/change/",
        "/accounts/reauthenticate/",
        "/accounts/2fa/",
        "/accounts/2fa/webauthn/add/",
        "/account/delete/",
    ):
        look(path)
    of_staff = (
        "from django.contrib.auth.models import User;"
        " User.objects.filter(username='Trent').update(is_staff=True)"
    )
    manage(var, "shell", "--no-imports", "-c", of_staff)
    page.goto("/status/")
    found["/status/"] = breaches_of_shapes(page)
    assert {path: wrong for path, wrong in found.items() if wrong} == {}
