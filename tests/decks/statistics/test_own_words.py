"""What a visitor's own texts say of a deck: counted in the game's verbs, on the pages of numbers, for them
alone.
"""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from cardsdb.box.texts import save_text
from cardsdb.games import games
from cardsdb.games.kit.listtext.deck import read_deck
from cardsdb.identity.viewer import Viewer
from decks.models import Deck
from decks.statistics.numbers import TITLE, table_of_texts
from tests.support.own_sets import own_card, own_set
from tests.support.public_decks import make_deck

pytestmark = pytest.mark.one_database

SPYCRAFT = games()["spycraft"]
LIST = "3 Kai\n2 Li\n"


# -- counting ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "verbs"),
    [
        ("Draws two cards.", ("draw",)),
        ("While discarding, HEALED agents are moved.", ("discard", "heal", "move")),
        ("Cancelled once it is copied.", ("cancel", "copy")),
        ("A drawer; re-draw; quickdraw.", ()),
        ("", ()),
    ],
)
def test_a_verb_counts_in_any_regular_form_and_as_a_whole_word(text: str, verbs: tuple[str, ...]) -> None:
    assert SPYCRAFT.effect_words is not None
    assert SPYCRAFT.effect_words.verbs_in(text) == verbs


def test_the_table_counts_copies_and_how_many_cards_have_a_text() -> None:
    deck = read_deck(SPYCRAFT, LIST).deck
    table = table_of_texts(SPYCRAFT, deck, {"kai": "Draw a zeppelin, then heal.", "li": "Draw it."})
    assert table is not None
    assert [(row.label, *row.cells) for row in table.rows] == [("draw", 5), ("heal", 3)]
    assert [(row.label, *row.cells) for row in table.feet] == [("Cards with a text", 5), ("All cards", 5)]
    table = table_of_texts(SPYCRAFT, deck, {"kai": "Zeppelin."})
    assert table is not None and [(row.label, *row.cells) for row in table.rows] == [("none of these", 3)]


def test_without_a_text_there_is_no_table() -> None:
    assert table_of_texts(SPYCRAFT, read_deck(SPYCRAFT, LIST).deck, {}) is None


# -- the pages -----------------------------------------------------------------------------


@pytest.fixture
def ada(client: Client) -> Client:
    user = User.objects.create_user("ada")
    client.force_login(user)
    save_text(Viewer(user.pk), SPYCRAFT, "kai", "Draw a zeppelin.")
    return client


@pytest.fixture
def deck(ada: Client) -> Deck:
    return make_deck(ada, "Balloons", LIST, visibility="public")


@pytest.mark.django_db
def test_the_numbers_of_a_deck_have_it_for_whoever_has_the_texts_alone(ada: Client, deck: Deck) -> None:
    address = f"/decks/{deck.link}/numbers/"
    mine = ada.get(address)
    assert TITLE in mine.content.decode() and "private" in mine["Cache-Control"]
    bob = Client()
    make_deck(bob, "Bob's", "2 Kai\n")
    for other in (Client(), bob):
        assert TITLE not in other.get(address).content.decode()
    for shared in ("", "share/", "embed/", "numbers/odds/", "numbers/hands/?seed=1"):
        assert TITLE not in ada.get(f"/decks/{deck.link}/{shared}").content.decode(), shared
    assert TITLE not in ada.get(f"/api/v1/decks/{deck.link}/numbers/").content.decode()


@pytest.mark.django_db
def test_the_numbers_of_a_pasted_list_have_it_too(ada: Client) -> None:
    def numbers(client: Client) -> Any:
        return client.post("/check/numbers/", {"game": "spycraft", "text": LIST})

    mine = numbers(ada)
    assert TITLE in mine.content.decode() and "private" in mine["Cache-Control"]
    assert TITLE not in numbers(Client()).content.decode()


@pytest.mark.django_db
def test_an_own_card_of_a_set_that_a_visitor_may_not_see_adds_nothing(ada: Client) -> None:
    own_card(own_set(Viewer(User.objects.get().pk)))
    mine = make_deck(ada, "Mine", "1 Brass Falcon\n", visibility="public")
    address = f"/decks/{mine.link}/numbers/"
    assert TITLE in ada.get(address).content.decode()
    assert TITLE not in Client().get(address).content.decode()


@pytest.mark.django_db
def test_it_costs_one_query_however_many_cards_the_deck_has(ada: Client, agency_text: str) -> None:
    costs = []
    for text in ("1 Kai\n", agency_text):
        address = f"/decks/{make_deck(ada, 'Mine', text).link}/numbers/"
        ada.get(address)
        with CaptureQueriesContext(connection) as asked:
            ada.get(address)
        costs.append(
            [
                one["sql"]
                for one in asked
                if "cardsdb_owntext" in one["sql"] or "cardsdb_owncard" in one["sql"]
            ]
        )
    assert len(costs[0]) == len(costs[1]) == 1, costs
