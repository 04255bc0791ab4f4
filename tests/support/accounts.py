"""Helpers that sign up, log in and log out as a visitor would: by password, by passkey, or by the link in an
email.

They drive the real pages of ``/accounts/`` with Django's test client. ``member`` is the shortcut for tests
that only need a logged-in client.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import Any
from urllib.parse import urlsplit

from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone
from freezegun import freeze_time

from tests.support.pages import page, page_of
from tests.support.passkeys import SoftwareKey

# ANOTHER is the password to change to.
PASSWORD, ANOTHER = "a quiet field at noon", "another field at dusk"
PASSKEYS = "/accounts/2fa/webauthn/"
# The page between the password and the second factor.
HALFWAY = "/accounts/2fa/authenticate/"


def sign_up(
    client: Client, name: str = "Mallory", email: str = "", password: str = PASSWORD, **more: str
) -> Any:
    """Return the response to the sign-up form, sent with these fields."""
    return client.post("/accounts/signup/", {"username": name, "email": email, "password1": password, **more})


def log_in(client: Client, login: str = "Mallory", password: str = PASSWORD, **headers: str) -> Any:
    """Return the response to the log-in form. The client is logged in unless an error is shown or a passkey
    is wanted.
    """
    return client.post("/accounts/login/", {"login": login, "password": password}, headers=headers)


def member(name: str = "ann", **values: Any) -> Client:
    """Return a client that is logged in to a new account. No page is visited; ``values`` go to
    ``create_user``.
    """
    client = Client()
    client.force_login(User.objects.create_user(name, **values))
    return client


def logged_in(login: str = "Mallory", password: str = PASSWORD, **environ: Any) -> Client:
    """Return a new client that has sent the log-in form; ``environ`` goes into the environment of its
    requests.
    """
    client = Client(**environ)
    log_in(client, login, password)
    return client


def log_out(client: Client) -> None:
    client.post("/accounts/logout/")


def is_in(client: Client) -> bool:
    """Return True if the client is logged in: its account page opens."""
    return client.get("/account/").status_code == 200


def show_who_one_is(client: Client) -> None:
    """Confirm the password again, as pages for sensitive changes demand."""
    client.post("/accounts/reauthenticate/", {"password": PASSWORD})


def change_password(client: Client, old: str = PASSWORD, new: str = ANOTHER) -> Any:
    """Return the response to the form that changes the password."""
    return client.post("/accounts/password/change/", {"oldpassword": old, "password1": new, "password2": new})


def link_in(letter: Any) -> str:
    """Return the path of the only link in the body of an email."""
    (address,) = re.findall(r"https?://\S+", str(letter.body))
    return urlsplit(address).path


@contextmanager
def after(**time: float) -> Iterator[None]:
    """Run the block with the clock moved forward, for instance ``after(days=2)``."""
    with freeze_time(timezone.now() + timedelta(**time)):
        yield


def asked(answer: Any) -> Any:
    """Return the WebAuthn options, parsed from JSON, that a page hands to the browser."""
    return page_of(answer).one("script", id="js_data").json


def log_in_options(client: Client) -> Any:
    """Return the WebAuthn options for logging in by a passkey."""
    answer = client.get(f"{PASSKEYS}login/", headers={"Accept": "application/json"})
    return answer.json()["request_options"]


def sign_up_by_passkey(client: Client, key: SoftwareKey, name: str = "Mallory") -> Any:
    """Sign up without a password and return the response to the created passkey."""
    answer = client.post("/accounts/signup/passkey/", {"username": name, "email": ""})
    assert answer["Location"] == f"{PASSKEYS}signup/"
    options = asked(client.get(answer["Location"]))["creation_options"]
    return client.post(answer["Location"], {"name": "Blue key", "credential": key.make(options)})


def log_in_by_passkey(client: Client, key: SoftwareKey, **how: Any) -> Any:
    """Return the response to a log-in by this passkey; ``how`` goes to ``SoftwareKey.use``."""
    return client.post(f"{PASSKEYS}login/", {"credential": key.use(log_in_options(client), **how)})


def add_passkey(client: Client, key: SoftwareKey) -> Any:
    """Add this passkey to the account that is logged in; return the response."""
    options = asked(client.get(f"{PASSKEYS}add/"))["creation_options"]
    return client.post(
        f"{PASSKEYS}add/", {"name": "Blue key", "passwordless": "on", "credential": key.make(options)}
    )


def use_passkey(client: Client, key: SoftwareKey, address: str, **more: str) -> Any:
    """Send the passkey to the page at ``address``, which asks for one; return the response."""
    options = asked(client.get(address, more))["request_options"]
    return client.post(address, {"credential": key.use(options), **more})


def recovery_codes(client: Client) -> list[str]:
    """Return the account's unused recovery codes, each of eight digits."""
    return re.findall(r"(?m)^\d{8}$", client.get("/accounts/2fa/recovery-codes/download/").text)


def listed_log_ins(client: Client) -> list[str]:
    """Return the names of the browsers on the page that lists where the account is logged in."""
    rows = page(client, "/account/log-ins/").main.all("li", class_="row")
    return [row.one("span", class_="name").text for row in rows]
