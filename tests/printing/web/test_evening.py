"""A deck's page says what else the table needs, and prints all of it with the deck in one press."""

from __future__ import annotations

from urllib.parse import parse_qs

import pytest
from django.contrib.auth.models import User
from django.test import Client

from cardsdb.games import games
from decks.models import Deck
from printing.web.evening import evening_print
from tests.support.pages import Page, page, page_of

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]
PRINT = "Print all of it with this deck"


def begun(client: Client, game: str, starter: str) -> str:
    """The address of a new deck that is a starter of the game."""
    one = next(one for one in games()[game].starters if one.slug == starter)
    made = client.post(
        "/decks/new/", {"game": game, "name": one.name, "text": one.text, "format": one.format}
    )
    return str(made["Location"])


def asked(shown: Page) -> dict[str, list[str]]:
    """The fields of the print that the page offers."""
    return parse_qs(shown.link(PRINT).partition("?")[2])


@pytest.mark.parametrize(
    ("game", "starter", "others"),
    [
        ("spycraft", "nine-tiger", ["spycraft/banshee-net", "spycraft/mission-deck-base"]),
        ("spycraft", "mission-deck-base", ["spycraft/nine-tiger", "spycraft/banshee-net"]),
        ("xfiles", "deck-mulder", ["xfiles/deck-scully"]),
    ],
)
def test_a_deck_takes_the_place_of_the_starter_of_its_kind(client, game, starter, others):
    fields = asked(page(client, begun(client, game, starter)))
    assert (fields["starter"], fields["evening"]) == (others, [f"{game}/2"])
    assert {"tokens", "reference"} <= set(fields["extras"]) and fields["deck"] == [Deck.objects.get().link]


def test_the_page_names_it_and_one_press_leads_to_the_print_of_all_of_it(client):
    shown = page(client, begun(client, "spycraft", "nine-tiger"))
    words = shown.one(class_="beside").text
    assert "Mission Deck of the base set (24 cards)" in words and "A player’s deck: Banshee Net" in words
    printed = page_of(client.get(shown.link(PRINT), follow=True))
    assert "Spycraft for 2 players and 3 more" in printed.text


def test_a_deck_that_this_one_is_played_with_takes_the_place_of_the_ready_one(client):
    begun(client, "spycraft", "mission-deck-base")
    missions = Deck.objects.get()
    address = begun(client, "spycraft", "nine-tiger")
    Deck.objects.exclude(pk=missions.pk).update(partner=missions)
    fields = asked(page(client, address))
    assert fields["starter"] == ["spycraft/banshee-net"] and missions.link in fields["deck"]


def test_cards_to_write_in_are_offered_for_whoever_has_no_box_and_are_not_usual():
    evening = evening_print(games()["spynet"], 3)
    unusual = [(one.field, one.value) for one in evening.parts if not one.usual]
    assert unusual == [("starter", "spynet/draw-3")]
    assert evening.in_short == "1 sheet" and "spynet/draw-3" not in evening.fields


def test_an_empty_deck_asks_for_nothing(client):
    client.post("/decks/new/", {"game": "spycraft", "name": "New", "start": "empty"})
    assert not page(client, f"/decks/{Deck.objects.get().link}/").has(class_="beside")


@pytest.mark.parametrize("place", ["this browser", "your account"])
def test_a_saved_deck_says_where_it_is_saved(client, place):
    if place == "your account":
        client.force_login(User.objects.create_user("ann"))
    address = begun(client, "spycraft", "nine-tiger")
    for one in (address, f"{address}edit/"):
        assert f"saved in {place}" in page(client, one).one(class_="eyebrow").text
