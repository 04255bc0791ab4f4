"""Edit links: the key stands behind #, is sent by a form, and leaves the address; links of before go on
working.
"""

from __future__ import annotations

import re

import pytest
from django.contrib.auth.models import User
from django.test import Client

from decks.models import Deck
from decks.saving.history import keep_deck_private

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]


@pytest.fixture
def link() -> str:
    """The new edit link of a deck that another browser made."""
    browser = Client()
    made = browser.post("/decks/new/", {"game": "spycraft", "name": "Dragons", "text": "2 Kai"})
    return re.findall(
        r'href="(http://testserver/decks/edit/#[^"]+)"', browser.get(made["Location"]).content.decode()
    )[0]


def test_the_key_is_in_no_part_of_the_address_that_is_sent(link: str) -> None:
    sent, _, kept = link.partition("#")
    assert sent == "http://testserver/decks/edit/"
    assert kept.partition(".")[0] == Deck.objects.get().link and len(kept.partition(".")[2]) == 22


@pytest.mark.parametrize("part", ["whole", "from the #", "behind the #", "with spaces"])
def test_it_is_read_however_it_is_pasted(client: Client, link: str, part: str) -> None:
    behind = link.partition("#")[2]
    typed = {"whole": link, "from the #": f"#{behind}", "behind the #": behind, "with spaces": f"  {link}\n"}[
        part
    ]
    answer = client.post("/decks/edit/", {"edit_key": typed})
    assert (answer.status_code, answer["Location"]) == (302, f"/decks/{Deck.objects.get().link}/edit/")
    assert client.get(answer["Location"]).status_code == 200


def test_a_link_of_before_goes_on_working_opened_or_pasted(client: Client, link: str) -> None:
    deck, _, key = link.partition("#")[2].partition(".")
    before = f"/decks/{deck}/edit/?key={key}"
    assert client.get(before)["Location"] == f"/decks/{deck}/edit/"
    assert Client().post("/decks/edit/", {"edit_key": f"https://cutout.example{before}"}).status_code == 302


@pytest.mark.parametrize(
    "typed", ["", "hello", "https://cutout.example/decks/x/", "#id_edit_key", "#" + "x" * 600, "#å.é"]
)
def test_what_is_no_edit_link_is_answered_with_what_one_looks_like(client: Client, typed: str) -> None:
    answer = client.post("/decks/edit/", {"edit_key": typed})
    assert answer.status_code == 400 and "This is no edit link" in answer.content.decode()


def test_a_wrong_key_and_a_deck_that_is_gone_are_answered_alike(client: Client, link: str) -> None:
    deck = link.partition("#")[2].partition(".")[0]
    wrong, gone = (
        client.post("/decks/edit/", {"edit_key": f"#{one}.{'x' * 22}"}) for one in (deck, "y" * 22)
    )
    assert (wrong.status_code, gone.status_code) == (404, 404)
    assert (
        "No deck has this edit link" in wrong.content.decode()
        and "No deck has this edit link" in gone.content.decode()
    )
    assert client.get(f"/decks/{deck}/").status_code == 404


def test_what_was_sent_is_not_shown_again(client: Client) -> None:
    assert (
        "x" * 22 not in client.post("/decks/edit/", {"edit_key": f"#{'y' * 22}.{'x' * 22}"}).content.decode()
    )


def test_a_deck_that_staff_keep_private_is_opened_by_it_in_no_further_browser(
    client: Client, link: str
) -> None:
    keep_deck_private(_made_public().pk, "An insult.")
    answer = client.post("/decks/edit/", {"edit_key": link})
    assert answer.status_code == 404 and "kept private" in answer.content.decode()


@pytest.mark.both_databases
def test_one_of_an_account_is_then_closed_to_whoever_had_its_link(client: Client, link: str) -> None:
    client.post("/decks/edit/", {"edit_key": link})
    deck = _made_public()
    Deck.objects.filter(pk=deck.pk).update(owner=(owner := User.objects.create_user("agent")))
    keep_deck_private(deck.pk, "An insult.")
    key = link.partition("#")[2].partition(".")[2]
    assert client.get(f"/decks/{deck.link}/").status_code == 404
    assert client.get(f"/api/v1/decks/{deck.link}/", headers={"X-Deck-Key": key}).status_code == 404
    client.force_login(owner)
    assert client.get(f"/decks/{deck.link}/").status_code == 200


def _made_public() -> Deck:
    Deck.objects.update(visibility="public")
    return Deck.objects.get()
