"""The pages of accounts, allauth's own and ours: one frame, one heading, named controls, nothing that the
site's policy forbids.
"""

from __future__ import annotations

from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.contrib.auth.models import User
from django.core.cache import cache
from django.test import Client
from lxml import html

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]
PASSWORD = "a quiet field at noon"
OUTSIDE = [
    "login",
    "signup",
    "signup/passkey",
    "password/reset",
    "password/reset/done",
    "password/reset/key/done",
    "inactive",
]
OUTSIDE += ["confirm-email", "confirm-email/nothing", "password/reset/key/1-nothing"]
INSIDE = ["logout", "email", "password/change", "reauthenticate", "2fa", "2fa/webauthn", "2fa/webauthn/add"]


@pytest.fixture
def mallory(client: Client, settings: Any) -> User:
    """Logged in, sure to be herself, with an address."""
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    cache.clear()
    user = User.objects.create_user("Mallory", "mallory@example.org", PASSWORD)
    EmailAddress.objects.create(user=user, email=user.email, primary=True, verified=True)
    client.force_login(user)
    assert client.post("/accounts/reauthenticate/", {"password": PASSWORD}).status_code == 302
    return user


def page_at(client: Client, path: str, form: dict[str, str] | None = None) -> Any:
    """The parsed page at this address below /accounts/, or the one that answers this form."""
    address = f"/accounts/{path}/"
    answer = client.get(address) if form is None else client.post(address, form)
    assert answer.status_code == 200, path
    return html.fromstring(answer.content.decode())


def is_sound(page: Any) -> None:
    assert len(page.xpath("//main//h1")) == 1 and page.xpath("//a[@class='skip-link']")
    assert page.findtext(".//title").endswith("· Cutout") and page.xpath(
        "//meta[@name='robots'][@content='noindex']"
    )
    assert not page.xpath("//*[@style] | //style | //main//*[@placeholder]")
    assert all(
        script.get("src") or script.get("type") == "application/json" for script in page.iter("script")
    )
    ids = page.xpath("//@id")
    assert len(ids) == len(set(ids))
    for control in page.xpath("//main//*[self::input or self::textarea][not(@type='hidden' or @hidden)]"):
        assert page.xpath("//label[@for=$id]", id=control.get("id")), control.get("name")
    for described in page.xpath("//@aria-describedby"):
        assert set(described.split()) <= set(ids)
    for button in page.xpath("//main//button"):
        assert button.text_content().strip() and button.get("class", "").startswith("button"), (
            button.text_content()
        )


@pytest.mark.parametrize("path", OUTSIDE)
def test_a_page_before_the_account_is_sound(client: Client, path: str) -> None:
    cache.clear()
    is_sound(page_at(client, path))


@pytest.mark.parametrize("path", INSIDE)
def test_a_page_of_the_account_is_sound_and_leads_back_to_it(
    client: Client, mallory: User, path: str
) -> None:
    page = page_at(client, path)
    is_sound(page)
    if path != "reauthenticate":
        assert page.xpath("//a[@href='/mine/'][@aria-current='true']")


@pytest.mark.parametrize(
    ("path", "form"),
    [
        ("email", {"email": "mallory@example.org", "action_add": ""}),
        ("password/change", {"oldpassword": "wrong", "password1": "short", "password2": "other"}),
        ("reauthenticate", {"password": "wrong"}),
    ],
)
def test_what_is_wrong_is_said_at_the_top_and_at_its_control(
    client: Client, mallory: User, path: str, form: dict[str, str]
) -> None:
    page = page_at(client, path, form)
    is_sound(page)
    assert page.findtext(".//title").startswith("Error: ")
    wrong = page.xpath("//*[@aria-invalid='true']")
    (summary,) = page.xpath("//div[@class='error-summary'][@role='alert']")
    assert wrong and {link.get("href") for link in summary.iter("a")} == {
        f"#{control.get('id')}" for control in wrong
    }
    for control in wrong:
        assert f"{control.get('id')}_error" in control.get("aria-describedby").split()
    assert not page.xpath("//input[@type='password']/@value"), "no password is sent back"


@pytest.mark.parametrize("path", ["password/change", "reauthenticate"])
def test_password_managers_are_told_whose_password_it_is(client: Client, mallory: User, path: str) -> None:
    (name,) = page_at(client, path).xpath("//main//input[@autocomplete='username']")
    assert name.get("value") == "Mallory"


def test_controls_say_what_browsers_may_fill_in(client: Client) -> None:
    cache.clear()
    asked = {
        "login": {"login": "username", "password": "current-password"},
        "signup": {"username": "username", "email": "email", "password1": "new-password"},
        "password/reset": {"email": "email"},
    }
    for path, names in asked.items():
        page = page_at(client, path)
        controls = page.xpath(
            "//main//form[not(contains(@action, 'webauthn'))]//input[@name][not(@type='hidden')]"
        )
        assert {control.get("name"): control.get("autocomplete") for control in controls} == names, (
            "and nothing else is asked for: no hint"
        )
        assert {
            control.get("name") for control in controls if control.get("type") == "password"
        } == names.keys() & {
            "password",
            "password1",
        }


def test_logging_in_by_keyboard_goes_from_the_name_to_the_password(client: Client) -> None:
    cache.clear()
    stops = page_at(client, "login").xpath(
        "//div[@class='entrance']/form//*[self::input[not(@type='hidden')] or self::a or self::button]"
    )
    assert [stop.get("name") or stop.text_content().strip() for stop in stops] == [
        "login",
        "password",
        "Forgot your password?",
        "Log in",
    ]


def test_the_other_ways_to_show_who_one_is_have_the_sites_names(client: Client, mallory: User) -> None:
    from allauth.mfa.models import Authenticator

    for kind in (Authenticator.Type.WEBAUTHN, Authenticator.Type.RECOVERY_CODES):
        Authenticator.objects.create(user=mallory, type=kind, data={})
    assert [
        link.text_content().strip()
        for link in page_at(client, "reauthenticate").xpath("//main//*[@class='actions']//a")
    ] == [
        "Use a recovery code",
        "Use the passkey",
    ]


def test_who_changes_an_account_is_asked_to_show_that_it_is_theirs(client: Client, mallory: User) -> None:
    page = page_at(client, "reauthenticate")
    assert page.findtext(".//title") == "Confirm that it is you · Cutout"
    assert [one.text_content() for one in page.xpath("//main//h1")] == ["Confirm that it is you"]
