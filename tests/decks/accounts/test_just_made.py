"""Who has signed up or logged in a moment ago need not show the same password or passkey again."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.cache import cache
from django.test import Client

from tests.decks.accounts.test_accounts import PASSWORD, log_in, sign_up
from tests.decks.accounts.test_passkeys import asked
from tests.decks.accounts.test_passkeys import sign_up as sign_up_by_passkey
from tests.support.passkeys import SoftwareKey

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]


@pytest.fixture(autouse=True)
def fresh() -> Iterator[None]:
    cache.clear()
    yield
    cache.clear()


def add_address(client: Client) -> Any:
    return client.post("/accounts/email/", {"email": "mallory@example.org", "action_add": ""})


def test_an_address_is_added_without_asking_for_the_password_again(client: Client) -> None:
    sign_up(client)
    assert "reauthenticate" not in add_address(client)["Location"]
    assert "mallory@example.org" in client.get("/account/").content.decode()


def test_after_five_minutes_it_is_asked_for(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    sign_up(client)
    now = time.time()
    monkeypatch.setattr(time, "time", lambda: now + 301)
    assert "reauthenticate" in add_address(client)["Location"]


def test_who_has_just_logged_in_is_not_asked_either(client: Client) -> None:
    sign_up(client)
    other = Client()
    log_in(other)
    assert "reauthenticate" not in add_address(other)["Location"]


def test_five_minutes_after_logging_in_it_is_asked_for(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    sign_up(client)
    other = Client()
    log_in(other)
    now = time.time()
    monkeypatch.setattr(time, "time", lambda: now + 301)
    assert "reauthenticate" in add_address(other)["Location"]
    assert other.get("/accounts/2fa/webauthn/add/")["Location"].startswith("/accounts/reauthenticate/")


def test_a_wrong_password_counts_for_nothing(client: Client) -> None:
    sign_up(client)
    other = Client()
    other.post("/accounts/login/", {"login": "mallory", "password": "not hers"})
    assert other.get("/accounts/2fa/webauthn/add/")["Location"].startswith("/accounts/login/")


def test_a_passkey_is_added_right_after_signing_up(client: Client) -> None:
    sign_up(client)
    options = asked(client.get("/accounts/2fa/webauthn/add/"))["creation_options"]
    answer = client.post(
        "/accounts/2fa/webauthn/add/",
        {"name": "Blue key", "passwordless": "on", "credential": SoftwareKey().make(options)},
    )
    assert answer["Location"] == "/accounts/2fa/recovery-codes/"
    assert client.get(answer["Location"]).status_code == 200


def test_who_signed_up_by_passkey_is_not_asked_for_it_again(client: Client) -> None:
    sign_up_by_passkey(client, SoftwareKey())
    assert "reauthenticate" not in add_address(client)["Location"]


def test_the_password_alone_does_not_count_while_the_passkey_is_still_asked_for(client: Client) -> None:
    test_a_passkey_is_added_right_after_signing_up(client)
    other = Client()
    assert log_in(other)["Location"] == "/accounts/2fa/authenticate/"
    assert other.get("/accounts/2fa/webauthn/add/")["Location"].startswith("/accounts/login/")


def test_deleting_the_account_asks_all_the_same(client: Client) -> None:
    sign_up(client)
    other = Client()
    log_in(other)
    for browser in (client, other):
        for answer in (browser.get("/account/delete/"), browser.post("/account/delete/", {"sure": "yes"})):
            assert answer["Location"].startswith("/accounts/reauthenticate/")
    assert User.objects.count() == 1
    other.post("/accounts/reauthenticate/", {"password": PASSWORD})
    assert other.get("/account/delete/").status_code == 200
