"""The print of an evening beside a deck: the page of a deck offers everything else that its game needs, and
says where the deck is saved. These tests go through printing.web.evening.
"""

from urllib.parse import parse_qs

import pytest
from django.contrib.auth.models import User
from django.test import Client

from cardsdb.games import games
from decks.models import Deck
from printing.web.evening import evening_print
from tests.support.pages import Page, page

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]
PRINT = "Print all of it with this deck"


def begun(client: Client, game: str, starter: str) -> str:
    """Make a deck of this starter, and return the path of its page."""
    row = next(row for row in games()[game].starters if row.slug == starter)
    answer = client.post(
        "/decks/new/", {"game": game, "name": row.name, "text": row.text, "format": row.format}
    )
    return str(answer["Location"])


def offered_print(shown: Page) -> dict[str, list[str]]:
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
def test_a_deck_replaces_the_starter_of_its_kind(client, game, starter, others):
    shown = page(client, begun(client, game, starter))
    fields = offered_print(shown)
    assert (fields["starter"], fields["evening"]) == (others, [f"{game}/2"])
    assert {"tokens", "reference"} <= set(fields["extras"]) and fields["deck"] == [Deck.objects.get().link]
    printed = page(client, shown.link(PRINT), follow=True)
    assert f"for 2 players and {len(others) + 1} more" in printed.text


def test_the_partner_of_a_deck_replaces_its_starter_too(client):
    begun(client, "spycraft", "mission-deck-base")
    missions = Deck.objects.get()
    address = begun(client, "spycraft", "nine-tiger")
    Deck.objects.exclude(pk=missions.pk).update(partner=missions)
    fields = offered_print(page(client, address))
    assert fields["starter"] == ["spycraft/banshee-net"] and missions.link in fields["deck"]


def test_spare_cards_are_a_part_that_is_not_ticked_at_first():
    evening = evening_print(games()["spynet"], 3)
    unusual = [(part.field, part.value) for part in evening.parts if not part.usual]
    assert unusual == [("starter", "spynet/draw-3")]
    assert evening.in_short == "1 sheet" and "spynet/draw-3" not in evening.fields


@pytest.mark.parametrize(
    ("slug", "players", "words"),
    [
        ("spynet", 3, "9 cards"),
        ("spynet", 4, "11 cards, one sheet for 2 cards alone"),
        ("steamspy", 4, "10 cards, one sheet for 1 card alone"),
        ("steamspy", 6, "12 cards"),
    ],
)
def test_an_evening_tells_of_a_sheet_that_is_needed_for_few_cards(slug, players, words):
    assert evening_print(games()[slug], players).cards == words


def test_the_page_of_an_empty_deck_offers_no_evening(client):
    client.post("/decks/new/", {"game": "spycraft", "name": "New", "start": "empty"})
    assert not page(client, f"/decks/{Deck.objects.get().link}/").has(class_="beside")


@pytest.mark.parametrize("place", ["this browser", "your account"])
def test_the_page_of_a_deck_says_where_it_is_saved(client, place):
    if place == "your account":
        client.force_login(User.objects.create_user("ann"))
    shown = page(client, begun(client, "xfiles", "deck-mulder"))
    assert f"saved in {place}" in shown.one(class_="eyebrow").text
