"""The number of one's own decks in the head of the page: in a cookie, never in a page that others may get."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from decks.models import Deck
from decks.web.deck_context import COOKIE, MAX_COUNTED
from tests.support.public_decks import make_deck

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]


def count(client: Client) -> str | None:
    cookie = client.cookies.get(COOKIE)
    return cookie.value if cookie and cookie["max-age"] != 0 else None


def test_the_count_follows_what_is_made_copied_and_deleted(client: Client) -> None:
    deck = make_deck(client, "One", "2 Kai")
    assert count(client) == "1"
    client.post(f"/decks/{deck.link}/fork/")
    assert count(client) == "2"
    client.post(f"/decks/{deck.link}/delete/")
    assert count(client) == "1"


def test_the_count_is_an_accounts_after_logging_in_and_gone_after_logging_out(client: Client) -> None:
    user = User.objects.create_user("ann", password="a-long-enough-one")
    member = Client()
    member.force_login(user)
    make_deck(member, "Hers", "2 Kai")
    client.post("/accounts/login/", {"login": "ann", "password": "a-long-enough-one"})
    assert count(client) == "1"
    client.post("/accounts/logout/")
    assert count(client) is None


def test_who_had_decks_before_there_was_a_count_gets_one(client: Client) -> None:
    make_deck(client, "Old", "2 Kai")
    del client.cookies[COOKIE]
    client.get("/decks/")
    assert count(client) == "1"


def test_a_stranger_gets_no_cookie(client: Client) -> None:
    make_deck(Client(), "Public", "2 Kai")
    for path in ("/", "/decks/", "/decks/?q=is%3Amine", "/cards/", "/decks/newest/"):
        assert COOKIE not in client.get(path).cookies


def test_the_cookie_can_be_read_by_a_script_and_holds_nothing_else(client: Client, settings: Any) -> None:
    settings.SESSION_COOKIE_SECURE = True
    client.post("/decks/new/", {"game": "spycraft", "name": "One", "text": "2 Kai"})
    cookie = client.cookies[COOKIE]
    assert (cookie.value, cookie["httponly"], cookie["samesite"], cookie["path"], cookie["secure"]) == (
        "1",
        "",
        "Lax",
        "/",
        True,
    )


def test_a_page_that_only_shows_something_counts_nothing(client: Client) -> None:
    make_deck(client, "One", "2 Kai")
    client.get("/decks/search-help/")
    answer = client.get(f"/decks/{Deck.objects.get().link}/")
    assert COOKIE not in answer.cookies


@pytest.mark.parametrize("sent", ["", "999999", "<b>", "-1", "x"])
def test_what_a_visitor_writes_into_the_cookie_changes_nothing(client: Client, sent: str) -> None:
    make_deck(client, "One", "2 Kai")
    client.cookies[COOKIE] = sent
    page = client.get("/decks/?q=is%3Amine")
    assert page.status_code == 200 and "My decks</a>" in page.content.decode()
    make_deck(client, "Two", "2 Kai")
    assert count(client) == "2"


@pytest.mark.both_databases
def test_very_many_decks_are_not_counted_to_the_end(client: Client) -> None:
    user = User.objects.create_user("ann")
    Deck.objects.bulk_create(
        Deck(game="spycraft", format="agency", name=f"Deck {n}", owner=user, edit_hash=f"{n}")
        for n in range(MAX_COUNTED + 5)
    )
    client.force_login(user)
    client.get("/decks/")
    assert count(client) == str(MAX_COUNTED)


def test_a_page_for_everybody_has_no_count_and_is_given_to_those_who_have_one_too(client: Client) -> None:
    make_deck(client, "One", "2 Kai")
    mine, everybodys = client.get("/"), Client().get("/")
    assert (mine.content, mine["ETag"]) == (everybodys.content, everybodys["ETag"])
    assert b"My decks</a>" in mine.content and not mine.cookies
