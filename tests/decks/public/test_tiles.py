"""Decks as tiles: the cards that stand for a deck, its faction, few queries and bytes, nothing secret; the
newest at home.
"""

from __future__ import annotations

import gzip
from dataclasses import replace
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from cardsdb.box.sets import change_set
from cardsdb.games import games
from cardsdb.games.kit.listtext.deck import read_deck
from cardsdb.identity.viewer import Viewer
from decks.models import Deck
from decks.public.listing import MAX_FACES, DeckTile, deck_tiles
from tests.support.own_sets import own_card, own_set
from tests.support.pages import page, page_of
from tests.support.public_decks import make_deck, shelf, starter

__all__ = ["shelf"]

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]


def tile(name: str, viewer: Viewer | None = None) -> DeckTile:
    (found,) = deck_tiles(Deck.objects.filter(name=name), viewer)
    return found


def names(found: DeckTile) -> list[str]:
    return [card.name for card in found.cards]


# -- which cards stand for a deck --------------------------------------------------------------


@pytest.mark.parametrize(
    ("game", "slug", "wanted"),
    [
        ("spycraft", "nine-tiger", ["Mai-Tai", "Mother of Clouds", "Groundfire"]),  # leaders, by level
        (
            "xfiles",
            "deck-mulder",
            ["Agent Fox Mulder", "Agent Moe Bocks", "Agent Jack Willis"],
        ),  # Agents, by cost
        ("agentdecker", "set", ["Motion Sensor Hall", "Sentry Gun", "Guard"]),  # obstacles, by cost
        ("steamspy", "worked-cell", ["Tomas Reed", "Ivy Brass", "Navidad slot 01"]),  # characters, by level
    ],
)
def test_each_game_says_which_cards_stand_for_a_deck(game: str, slug: str, wanted: list[str]) -> None:
    deck = read_deck(games()[game], starter(game, slug)).deck
    assert [card.name for card in games()[game].key_cards_of(deck, MAX_FACES)] == wanted


def test_a_game_that_says_nothing_shows_its_first_types_and_most_copies(sixth_game: Any) -> None:
    plain = replace(sixth_game, key_cards=())
    deck = read_deck(plain, plain.starters[0].text).deck
    shown = plain.key_cards_of(deck, MAX_FACES)
    order = list(plain.types_by_slug)
    assert 1 <= len(shown) <= MAX_FACES
    assert [order.index(card.type) for card in shown] == sorted(order.index(card.type) for card in shown)
    assert order.index(shown[0].type) == min(order.index(entry.card.type) for entry in deck)


def test_the_most_telling_card_lies_on_top(shelf: Client) -> None:
    assert names(tile("Nine Tiger")) == ["Groundfire", "Mother of Clouds", "Mai-Tai"]


def test_the_faction_is_named_where_all_leaders_share_it(shelf: Client) -> None:
    tigers = tile("Nine Tiger")
    assert tigers.mark and tigers.value == tigers.mark.name == "Nine Tiger"
    mixed = make_deck(Client(), "Mixed", "Leaders:\n1 Mai-Tai\n1 Adam Razir")
    assert (tile("Mixed").value, tile("Mixed").mark) == ("", None)
    assert (
        "value-spycraft"
        not in page(Client(), "/decks/", {"q": "mixed"}).one("main").one("li", class_="deck-tile").text
    )
    mixed.delete()


def test_a_card_that_is_written_in_stands_there_by_its_name(client: Client) -> None:
    make_deck(
        client, "Ours", "1 Nightingale <b> | agent | power: 3 | branches: tech, infiltration", game="spynet"
    )
    assert page(client, "/decks/").one(class_="deck-tile-blank").text == "Nightingale <b>"


def test_a_deck_without_cards_has_a_tile_too(client: Client) -> None:
    client.post("/decks/new/", {"start": "empty", "game": "spycraft"})
    assert page(client, "/decks/", {"q": "is:mine"}).one("li", class_="deck-tile").all("img") == []


@pytest.mark.both_databases
def test_a_secret_card_stands_for_no_deck_of_others(client: Client) -> None:
    deck = make_deck(client, "Hidden", starter("xfiles", "deck-mulder"), game="xfiles")
    deck.lines.exclude(section="xfile").delete()
    assert names(tile("Hidden")) == []
    Deck.objects.update(revealed=True)
    assert len(names(tile("Hidden"))) == 1


@pytest.mark.both_databases
def test_of_a_private_card_a_tile_has_the_name_alone_for_strangers_and_all_for_who_edits_the_deck(
    client: Client,
) -> None:
    """Its faction would be the deck's mark."""
    user = User.objects.create_user("ada")
    client.force_login(user)
    kites = own_set(Viewer(user.pk))
    boss = own_card(kites, "Tin Boss", "leader", faction="Nine Tiger")
    make_deck(client, "Kites", "Leaders:\n1 Tin Boss")
    assert (names(tile("Kites")), tile("Kites").value) == (["Tin Boss"], "")
    assert boss.code not in Client().get("/decks/").content.decode()
    assert tile("Kites", Viewer(user.pk)).value == "Nine Tiger"
    change_set(kites, {"name": "Kites", "visibility": "unlisted"})
    assert tile("Kites").value == "Nine Tiger"


# -- what a page of tiles costs ----------------------------------------------------------------


@pytest.mark.both_databases
def test_a_page_of_tiles_needs_as_many_queries_for_two_as_for_all(shelf: Client) -> None:
    counts = []
    for query in ({"q": "nine tiger or two kai"}, {"q": "size>=0"}):
        Client().get("/decks/", query)
        with CaptureQueriesContext(connection) as asked:
            assert len(Client().get("/decks/", query).context["tiles"]) in (2, 5)
        counts.append(len(asked))
    assert counts[0] == counts[1]


@pytest.mark.engine("sqlite")
def test_faces_are_pictures_that_wait_until_they_are_seen_and_the_page_is_small(client: Client) -> None:
    for n in range(24):
        make_deck(client, f"Tiger {n}", "1 Mai-Tai\n1 Groundfire\n1 Li Cong\n2 Kai")
    answer = Client().get("/decks/")
    pictures = page_of(answer).one("main").all("img")
    assert len(pictures) == 24 * MAX_FACES
    assert all(
        (picture["loading"], picture["alt"]) == ("lazy", "") and picture["width"] for picture in pictures
    )
    assert '<svg viewBox="0 0 63' not in answer.content.decode()
    assert len(gzip.compress(answer.content)) < 20_000


def test_tiles_of_ones_own_can_be_ticked_to_be_printed(shelf: Client) -> None:
    own = page(shelf, "/decks/", {"q": "is:mine"})
    assert own.one("h1").text == "My decks"
    assert len(own.all("input", name="deck", form="print-together")) == 2


def test_who_has_no_deck_is_told_how_to_get_one(client: Client) -> None:
    empty = page(client, "/decks/", {"q": "is:mine"}).one(class_="empty")
    assert empty.one("h2").text == "You have no deck yet" and empty.link("Make one") == "/decks/new/"


# -- at home -----------------------------------------------------------------------------------


def test_the_home_page_asks_for_the_newest_when_it_is_scrolled_to(client: Client) -> None:
    place = page(client, "/").one("section", class_="home-decks")
    assert (place["hx-get"], place["hx-trigger"], place.text) == ("/decks/newest/", "revealed", "")


def test_the_newest_public_decks_are_shown_and_nobodys_own(shelf: Client) -> None:
    answer = shelf.get("/decks/newest/")
    shown = page_of(answer)
    assert [name.text for name in shown.all(class_="deck-tile-name")][:1] == ["Two Kai"]
    assert len(shown.all(class_="deck-tile")) == 4 and "Tiger at Home" not in shown.text
    assert answer["Cache-Control"] == "public, max-age=60" and not answer.cookies


def test_a_deck_that_becomes_private_leaves_the_newest(client: Client) -> None:
    make_deck(client, "Soon gone", "2 Kai")
    assert "Soon gone" in client.get("/decks/newest/").content.decode()
    Deck.objects.update(visibility="private")
    assert client.get("/decks/newest/").content.decode().strip() == ""


def test_the_newest_cost_few_queries(shelf: Client, django_assert_max_num_queries: Any) -> None:
    shelf.get("/decks/newest/")
    with django_assert_max_num_queries(7):  # decks, owners, the edition, sizes, cards, two for own faces
        Client().get("/decks/newest/")
