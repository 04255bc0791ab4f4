"""Which public decks use a card, and what stands beside it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from django.test import Client

from cardsdb.catalogue.current import catalogue, working_with
from cardsdb.models import Card, Edition
from decks.models import Deck, DeckLine
from tests.support.pages import page, page_of

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]

PAGE = "/cards/spycraft/kai/decks/"


def make_deck(text: str, name: str = "Dragons", game: str = "spycraft", visibility: str = "public") -> Deck:
    made = Client().post("/decks/new/", {"game": game, "name": name, "text": text, "visibility": visibility})
    return Deck.objects.get(link=made["Location"].split("/")[2])


def test_public_decks_with_the_card_are_listed_newest_first_with_their_verdict(client: Client) -> None:
    make_deck("2 Kai", "Older")
    make_deck("2 Kai", "Newer")
    make_deck("2 Termite", "Without")
    shown = page(client, PAGE)
    assert shown.has("h2", text="2 public decks use this card")
    rows = shown.one("ul", class_="deck-rows").all("li")
    assert [(row.one("a", class_="name").text, row.one(class_="verdict-mark").text) for row in rows] == [
        ("Newer", "Incomplete"),
        ("Older", "Incomplete"),
    ]


@pytest.mark.parametrize("visibility", ["private", "unlisted"])
def test_a_deck_that_is_not_public_is_shown_to_nobody_not_even_its_owner(
    client: Client, visibility: str
) -> None:
    made = client.post(
        "/decks/new/",
        {"game": "spycraft", "name": "Hidden One", "text": "2 Kai\n1 Termite", "visibility": visibility},
    )
    assert made.status_code == 302
    answer = client.get(PAGE)
    assert b"Hidden One" not in answer.content and b"Termite" not in answer.content
    assert not page_of(answer).has(class_="deck-rows")


def test_the_cards_beside_it_come_with_the_number_of_decks(client: Client) -> None:
    make_deck("2 Kai\n3 Termite\n1 Glock 17")
    make_deck("1 Kai\n1 Termite")
    make_deck("1 Clean Sweep\n1 Termite")
    beside = client.get(PAGE).context["beside"]
    assert [(other["card"].name, other["decks"]) for other in beside] == [("Termite", 2), ("Glock 17", 1)]


def test_a_secret_card_of_a_later_edition_than_is_in_memory_is_not_given_away(client: Client) -> None:
    make_deck("X-File:\n1 Duane Barry\nStarting Agents:\n1 Agent Fox Mulder", "Trust", game="xfiles")
    card, whole = Card.objects.get(game="xfiles", name="Duane Barry"), catalogue()
    before = replace(whole, entries=[one for one in whole.entries if one.pk != card.pk], _derived={})
    with working_with(before):
        assert "Trust" not in page(client, f"/cards/xfiles/{card.code}/decks/").text


def test_a_secret_x_file_is_not_given_away(client: Client) -> None:
    make_deck("X-File:\n1 Duane Barry\nStarting Agents:\n1 Agent Fox Mulder", "Trust", game="xfiles")
    codes = {
        name: Card.objects.get(game="xfiles", name=name).code for name in ("Duane Barry", "Agent Fox Mulder")
    }
    assert "Trust" not in client.get(f"/cards/xfiles/{codes['Duane Barry']}/decks/").content.decode()
    answer = client.get(f"/cards/xfiles/{codes['Agent Fox Mulder']}/decks/")
    assert "Trust" in answer.content.decode()
    assert answer.context["beside"] == []


def test_a_secret_section_is_not_given_away_whatever_stands_in_it(client: Client) -> None:
    deck = make_deck("Starting Agents:\n1 Agent Fox Mulder", "Trust", game="xfiles")
    DeckLine.objects.filter(deck=deck).update(section="xfile")
    code = Card.objects.get(game="xfiles", name="Agent Fox Mulder").code
    assert "Trust" not in client.get(f"/cards/xfiles/{code}/decks/").content.decode()


def test_a_secret_card_is_not_given_away_whatever_section_it_stands_in(client: Client) -> None:
    deck = make_deck("X-File:\n1 Duane Barry\nStarting Agents:\n1 Agent Fox Mulder", "Trust", game="xfiles")
    DeckLine.objects.filter(deck=deck).update(section="")
    codes = {
        name: Card.objects.get(game="xfiles", name=name).code for name in ("Duane Barry", "Agent Fox Mulder")
    }
    assert "Trust" not in client.get(f"/cards/xfiles/{codes['Duane Barry']}/decks/").content.decode()
    assert client.get(f"/cards/xfiles/{codes['Agent Fox Mulder']}/decks/").context["beside"] == []


def test_ready_decks_with_the_card_are_named(client: Client) -> None:
    shown = page(client, PAGE)
    assert shown.has("h2", text="Ready decks with it")
    assert any(href.startswith("/decks/new/?game=spycraft&starter=") for href in shown.main.links)


def test_a_card_in_no_deck_says_so(client: Client) -> None:
    assert page(client, PAGE).has("p", text="No public deck uses this card.")


@pytest.mark.both_databases
def test_at_most_24_decks_are_listed_and_all_are_counted(
    client: Client, django_assert_max_num_queries: Any
) -> None:
    deck = make_deck("2 Kai\n2 Termite")
    lines = list(deck.lines.all())
    for number in range(29):
        deck.pk, deck.link = None, f"copy{number}"
        deck.save()
        for line in lines:
            line.pk, line.deck = None, deck
        DeckLine.objects.bulk_create(lines)
    with django_assert_max_num_queries(
        8
    ):  # card, decks, edition, sizes, count; the decks looked at, the cards beside, their names
        answer = client.get(PAGE)
    assert len(answer.context["rows"]) == 24
    assert page_of(answer).has("h2", text="30 public decks use this card")
    assert [(other["card"].name, other["decks"]) for other in answer.context["beside"]] == [("Termite", 30)]


@pytest.mark.parametrize(
    ("headers", "whole"),
    [
        ({}, True),
        ({"HX-Request": "true"}, False),
        ({"HX-Request": "true", "HX-History-Restore-Request": "true"}, True),
    ],
)
def test_a_script_gets_the_inside_alone(client: Client, headers: dict[str, str], whole: bool) -> None:
    answer = client.get(PAGE, headers=headers)
    assert (b"<html" in answer.content, page_of(answer).has("main")) == (whole, whole)
    assert page_of(answer).has("h2", text="Ready decks with it")
    assert "HX-Request" in answer["Vary"]


@pytest.mark.parametrize("address", ["/cards/spycraft/nobody/decks/", "/cards/chess/kai/decks/"])
def test_no_such_card_is_not_found(client: Client, address: str) -> None:
    assert client.get(address).status_code == 404


@pytest.mark.both_databases
def test_a_card_whose_type_left_the_folder_has_its_page(client: Client) -> None:
    make_deck("2 Kai")
    Card.objects.filter(game="spycraft", code="kai").update(type="double-agent", retired=True)
    Edition.objects.create()
    assert client.get(PAGE).status_code == 200
