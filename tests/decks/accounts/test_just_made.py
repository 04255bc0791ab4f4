"""An account that was made a moment ago: its owner need not show the password they have just chosen."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client

from tests.decks.accounts.test_accounts import log_in, sign_up

pytestmark = pytest.mark.django_db


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


def test_in_another_browser_it_is_asked_for(client: Client) -> None:
    sign_up(client)
    other = Client()
    log_in(other)
    assert "reauthenticate" in add_address(other)["Location"]
