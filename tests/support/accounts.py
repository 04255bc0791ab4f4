"""Signing up, logging in and changing accounts through the site's pages: by password, passkey or a link in a
letter.

``member`` makes an account without any page, for tests that only need a logged-in client.
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

PASSWORD, ANOTHER = "a quiet field at noon", "another field at dusk"
PASSKEYS = "/accounts/2fa/webauthn/"
# The page that asks for the second factor after the password.
HALFWAY = "/accounts/2fa/authenticate/"


def sign_up(
    client: Client, name: str = "Mallory", email: str = "", password: str = PASSWORD, **more: str
) -> Any:
    return client.post("/accounts/signup/", {"username": name, "email": email, "password1": password, **more})


def log_in(client: Client, login: str = "Mallory", password: str = PASSWORD, **headers: str) -> Any:
    return client.post("/accounts/login/", {"login": login, "password": password}, headers=headers)


def member(name: str = "ann", **values: Any) -> Client:
    """A client in which a new account is logged in, without visiting a page."""
    client = Client()
    client.force_login(User.objects.create_user(name, **values))
    return client


def logged_in(login: str = "Mallory", password: str = PASSWORD, **environ: Any) -> Client:
    client = Client(**environ)
    log_in(client, login, password)
    return client


def log_out(client: Client) -> None:
    client.post("/accounts/logout/")


def is_in(client: Client) -> bool:
    return client.get("/account/").status_code == 200


def show_who_one_is(client: Client) -> None:
    """Enter the password again, as sensitive pages ask for."""
    client.post("/accounts/reauthenticate/", {"password": PASSWORD})


def change_password(client: Client, old: str = PASSWORD, new: str = ANOTHER) -> Any:
    return client.post("/accounts/password/change/", {"oldpassword": old, "password1": new, "password2": new})


def link_in(letter: Any) -> str:
    """The path of the only link in a letter."""
    (address,) = re.findall(r"https?://\S+", str(letter.body))
    return urlsplit(address).path


@contextmanager
def after(**time: float) -> Iterator[None]:
    """Move the clock forward by ``timedelta(**time)`` for the time of the ``with`` block."""
    with freeze_time(timezone.now() + timedelta(**time)):
        yield


def asked(answer: Any) -> Any:
    """The options that a page hands to the browser's passkey API, as JSON."""
    return page_of(answer).one("script", id="js_data").json


def log_in_options(client: Client) -> Any:
    """The options for logging in by a passkey."""
    answer = client.get(f"{PASSKEYS}login/", headers={"Accept": "application/json"})
    return answer.json()["request_options"]


def sign_up_by_passkey(client: Client, key: SoftwareKey, name: str = "Mallory") -> Any:
    answer = client.post("/accounts/signup/passkey/", {"username": name, "email": ""})
    assert answer["Location"] == f"{PASSKEYS}signup/"
    options = asked(client.get(answer["Location"]))["creation_options"]
    return client.post(answer["Location"], {"name": "Blue key", "credential": key.make(options)})


def log_in_by_passkey(client: Client, key: SoftwareKey, **how: Any) -> Any:
    return client.post(f"{PASSKEYS}login/", {"credential": key.use(log_in_options(client), **how)})


def add_passkey(client: Client, key: SoftwareKey) -> Any:
    options = asked(client.get(f"{PASSKEYS}add/"))["creation_options"]
    return client.post(
        f"{PASSKEYS}add/", {"name": "Blue key", "passwordless": "on", "credential": key.make(options)}
    )


def use_passkey(client: Client, key: SoftwareKey, address: str, **more: str) -> Any:
    """Answer a page that asks for a passkey."""
    options = asked(client.get(address, more))["request_options"]
    return client.post(address, {"credential": key.use(options), **more})


def recovery_codes(client: Client) -> list[str]:
    return re.findall(r"(?m)^\d{8}$", client.get("/accounts/2fa/recovery-codes/download/").text)


def listed_log_ins(client: Client) -> list[str]:
    """The names of the log-ins that the account's page lists."""
    rows = page(client, "/account/log-ins/").main.all("li", class_="row")
    return [row.one("span", class_="name").text for row in rows]
