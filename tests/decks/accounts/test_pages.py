"""The pages of accounts, allauth's and ours: frame, heading, named controls, errors, and nothing that the
site's content security policy forbids.
"""

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from django.contrib.auth.models import User

from tests.support.accounts import PASSWORD, show_who_one_is
from tests.support.pages import Page, page, page_of

# ``nothing_counted``: rate limits count nothing that other tests sent.
pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("nothing_counted"), pytest.mark.one_database]
# Paths of pages for visitors who are not logged in (OUTSIDE), and for those who are (INSIDE).
OUTSIDE = [
    "login",
    "signup",
    "signup/passkey",
    "password/reset",
    "password/reset/done",
    "password/reset/key/done",
    "password/reset/key/1-nothing",
    "inactive",
    "confirm-email",
    "confirm-email/nothing",
]
INSIDE = ["logout", "email", "password/change", "reauthenticate", "2fa", "2fa/webauthn", "2fa/webauthn/add"]


@pytest.fixture
def mallory(client):
    """The user whom the client is logged in as; with an address, and confirmed a moment ago."""
    user = User.objects.create_user("Mallory", "mallory@example.org", PASSWORD)
    EmailAddress.objects.create(user=user, email=user.email, primary=True, verified=True)
    client.force_login(user)
    show_who_one_is(client)
    return user


def check_page(shown: Page):
    """Assert what axe, which checks most of these pages in test_browser.py, does not ask for."""
    assert len(shown.main.all("h1")) == 1 and shown.has("a", class_="skip-link")
    assert shown.one("title").text.endswith("· Cutout")
    assert shown.has("meta", name="robots", content="noindex")
    assert not (shown.has(style=True) or shown.has("style") or shown.main.has(placeholder=True))
    assert all(script.get("src") or script["type"] == "application/json" for script in shown.all("script"))


@pytest.mark.parametrize("path", OUTSIDE)
def test_a_page_outside_the_account_has_the_frame_and_nothing_forbidden(client, path):
    check_page(page(client, f"/accounts/{path}/"))


@pytest.mark.parametrize("path", INSIDE)
def test_a_page_of_the_account_has_the_frame_and_a_link_back(client, mallory, path):
    shown = page(client, f"/accounts/{path}/")
    check_page(shown)
    # That page stands between two others and links to neither.
    if path != "reauthenticate":
        assert shown.has("a", href="/mine/", aria_current="true")


@pytest.mark.parametrize(
    ("path", "form"),
    [
        ("email", {"email": "mallory@example.org", "action_add": ""}),
        ("password/change", {"oldpassword": "wrong", "password1": "short", "password2": "other"}),
        ("reauthenticate", {"password": "wrong"}),
    ],
)
def test_errors_are_shown_at_the_top_and_at_their_controls(client, mallory, path, form):
    shown = page_of(client.post(f"/accounts/{path}/", form))
    check_page(shown)
    assert shown.one("title").text.startswith("Error: ")
    wrong = shown.all(aria_invalid="true")
    summary = shown.one("div", class_="error-summary", role="alert")
    assert wrong and set(summary.links) == {f"#{control['id']}" for control in wrong}
    for control in wrong:
        assert f"{control['id']}_error" in control["aria-describedby"].split()
    assert not any(field.get("value") for field in shown.all("input", type="password")), "never sent back"


@pytest.mark.parametrize("path", ["password/change", "reauthenticate"])
def test_password_managers_are_told_whose_password_it_is(client, mallory, path):
    assert page(client, f"/accounts/{path}/").main.one("input", autocomplete="username").value == "Mallory"


@pytest.mark.parametrize(
    ("path", "controls"),
    [
        ("login", {"login": "username", "password": "current-password"}),
        ("signup", {"username": "username", "email": "email", "password1": "new-password"}),
        ("password/reset", {"email": "email"}),
    ],
)
def test_controls_tell_browsers_what_they_may_fill_in(client, path, controls):
    """The form has no other controls."""
    main = page(client, f"/accounts/{path}/").main
    fields = [
        field for field in main.all("input", name=True) if field.get("type") not in ("hidden", "search")
    ]
    assert {field["name"]: field.get("autocomplete") for field in fields} == controls
    passwords = {field["name"] for field in fields if field["type"] == "password"}
    assert passwords == {name for name in controls if name.startswith("password")}


def test_changing_an_account_offers_every_way_to_confirm_who_one_is(client, mallory):
    for kind in (Authenticator.Type.WEBAUTHN, Authenticator.Type.RECOVERY_CODES):
        Authenticator.objects.create(user=mallory, type=kind, data={})
    shown = page(client, "/accounts/reauthenticate/")
    ways = [way.text for way in shown.main.all("div", class_="actions")[-1].all("a")]
    assert ways == ["Use a recovery code", "Use the passkey"]
