"""The print of an evening beside a deck: the page of a deck offers everything else that its game needs."""

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
    fields = offered_print(page(client, begun(client, game, starter)))
    assert (fields["starter"], fields["evening"]) == (others, [f"{game}/2"])
    assert {"tokens", "reference"} <= set(fields["extras"]) and fields["deck"] == [Deck.objects.get().link]


def test_the_page_of_a_deck_links_to_the_print_of_its_evening(client):
    shown = page(client, begun(client, "spycraft", "nine-tiger"))
    words = shown.one(class_="beside").text
    assert "Mission Deck of the base set (24 cards)" in words and "A player’s deck: Banshee Net" in words
    printed = page_of(client.get(shown.link(PRINT), follow=True))
    assert "Spycraft for 2 players and 3 more" in printed.text


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


def test_the_page_of_an_empty_deck_offers_no_evening(client):
    client.post("/decks/new/", {"game": "spycraft", "name": "New", "start": "empty"})
    assert not page(client, f"/decks/{Deck.objects.get().link}/").has(class_="beside")


@pytest.mark.parametrize("place", ["this browser", "your account"])
def test_the_page_of_a_deck_says_where_it_is_saved(client, place):
    if place == "your account":
        client.force_login(User.objects.create_user("ann"))
    address = begun(client, "spycraft", "nine-tiger")
    for path in (address, f"{address}edit/"):
        assert f"saved in {place}" in page(client, path).one(class_="eyebrow").text
