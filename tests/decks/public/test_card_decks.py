"""The public decks that use a card and the cards beside it (the view ``card_decks``): nothing private or
secret is shown.
"""

from dataclasses import replace

import pytest
from django.test import Client

from cardsdb.catalogue.current import catalogue, working_with
from cardsdb.models import Card, Edition
from decks.models import Deck, DeckLine
from tests.support.made_decks import named_deck
from tests.support.pages import page, page_of

pytestmark = pytest.mark.django_db

PAGE = "/cards/spycraft/kai/decks/"
TRUST = "X-File:\n1 Duane Barry\nStarting Agents:\n1 Agent Fox Mulder"


def trust() -> Deck:
    """A public deck with one secret card."""
    return named_deck(Client(), "Trust", TRUST, game="xfiles")


def decks_page_of(name):
    """The answer with the decks that use an X-Files card."""
    code = Card.objects.get(game="xfiles", name=name).code
    return Client().get(f"/cards/xfiles/{code}/decks/")


def test_public_decks_with_the_card_are_listed_newest_first_with_their_verdict(client):
    for name, text in (("Older", "2 Kai"), ("Newer", "2 Kai"), ("Without", "2 Termite")):
        named_deck(Client(), name, text)
    shown = page(client, PAGE)
    assert shown.has("h2", text="2 public decks use this card")
    rows = shown.one("ul", class_="deck-rows").all("li")
    listed = [(row.one("a", class_="name").text, row.one(class_="verdict-mark").text) for row in rows]
    assert listed == [("Newer", "Incomplete"), ("Older", "Incomplete")]


@pytest.mark.parametrize("visibility", ["private", "unlisted"])
def test_a_deck_that_is_not_public_is_not_listed_even_for_its_owner(client, visibility):
    named_deck(client, "Hidden One", "2 Kai\n1 Termite", visibility=visibility)
    shown = page(client, PAGE)
    assert "Hidden One" not in shown.text and "Termite" not in shown.main.text
    assert shown.has("p", text="No public deck uses this card.")
    assert shown.has("h2", text="Ready decks with it")
    assert any(href.startswith("/decks/new/?game=spycraft&starter=") for href in shown.main.links)


def test_the_cards_beside_it_come_with_the_number_of_decks(client):
    for text in ("2 Kai\n3 Termite\n1 Glock 17", "1 Kai\n1 Termite", "1 Clean Sweep\n1 Termite"):
        named_deck(Client(), "Dragons", text)
    beside = client.get(PAGE).context["beside"]
    assert [(other["card"].name, other["decks"]) for other in beside] == [("Termite", 2), ("Glock 17", 1)]


@pytest.mark.parametrize("section", ["xfile", ""])
def test_a_secret_card_is_not_revealed_in_whatever_section_it_stands(section):
    lines = DeckLine.objects.filter(deck=trust(), section="xfile")
    lines.update(section=section)
    assert "Trust" not in decks_page_of("Duane Barry").text
    mulder = decks_page_of("Agent Fox Mulder")
    assert "Trust" in mulder.text and mulder.context["beside"] == []


def test_a_secret_section_is_not_revealed_whatever_card_stands_in_it():
    DeckLine.objects.filter(deck=trust()).update(section="xfile")
    assert "Trust" not in decks_page_of("Agent Fox Mulder").text


def test_a_secret_card_that_the_catalogue_in_memory_lacks_is_not_revealed():
    trust()
    card, whole = Card.objects.get(game="xfiles", name="Duane Barry"), catalogue()
    older = replace(whole, entries=[entry for entry in whole.entries if entry.pk != card.pk], _derived={})
    with working_with(older):
        assert "Trust" not in decks_page_of("Duane Barry").text


def test_at_most_24_decks_are_listed_and_all_are_counted(client):
    deck = named_deck(Client(), "Dragons", "2 Kai\n2 Termite")
    lines = list(deck.lines.all())
    for number in range(29):
        deck.pk, deck.link = None, f"copy{number}"
        deck.save()
        for line in lines:
            line.pk, line.deck = None, deck
        DeckLine.objects.bulk_create(lines)
    shown = page(client, PAGE)
    assert len(shown.context["rows"]) == 24 and shown.has("h2", text="30 public decks use this card")
    assert [(row["card"].name, row["decks"]) for row in shown.context["beside"]] == [("Termite", 30)]


@pytest.mark.parametrize(
    ("headers", "whole"),
    [
        ({}, True),
        ({"HX-Request": "true"}, False),
        ({"HX-Request": "true", "HX-History-Restore-Request": "true"}, True),
    ],
)
def test_a_script_gets_the_page_without_its_frame(client, headers, whole):
    answer = client.get(PAGE, headers=headers)
    assert (b"<html" in answer.content, page_of(answer).has("main")) == (whole, whole)
    assert page_of(answer).has("h2", text="Ready decks with it") and "HX-Request" in answer["Vary"]


def test_an_unknown_card_is_404_and_one_whose_type_has_left_the_game_has_its_page(client):
    for address in ("/cards/spycraft/nobody/decks/", "/cards/chess/kai/decks/"):
        page(client, address, status=404)
    named_deck(Client(), "Dragons", "2 Kai")
    Card.objects.filter(game="spycraft", code="kai").update(type="double-agent", retired=True)
    Edition.objects.create()
    page(client, PAGE)
