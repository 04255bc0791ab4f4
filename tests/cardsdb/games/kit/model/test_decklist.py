"""A deck as the rules see it: its cards by section and by type."""

from __future__ import annotations

import pytest

from cardsdb.games import games
from cardsdb.games.kit import Decklist
from cardsdb.games.kit.listtext.deck import read_deck

DECKS = [read_deck(game, starter.text).deck for game in games().values() for starter in game.starters]


def test_a_section_and_a_type_have_their_cards_in_the_order_of_the_list() -> None:
    for deck in DECKS:
        backwards = Decklist(deck.entries[::-1])
        for section in (*{entry.section for entry in deck}, "nowhere"):
            assert backwards.in_section(section) == tuple(
                entry for entry in backwards if entry.section == section
            )
        for kind in (*{entry.card.type for entry in deck}, "nothing"):
            assert backwards.of_type(kind) == tuple(entry for entry in backwards if entry.card.type == kind)


@pytest.mark.parametrize(
    "wanted",
    [("leader", "gear"), ("gear", "leader", "nothing"), ("leader", "agent", "action", "gear", "mission"), ()],
)
def test_of_several_types_the_cards_stay_in_the_order_of_the_list(wanted: tuple[str, ...]) -> None:
    deck = Decklist(next(deck for deck in DECKS if deck.of_type("leader")).entries[::-1])
    assert deck.of_type(*wanted) == tuple(entry for entry in deck if entry.card.type in wanted)


def test_of_several_sections_the_cards_stay_in_the_order_of_the_list() -> None:
    deck = Decklist(next(deck for deck in DECKS if deck.in_section("bureau")).entries[::-1])
    assert deck.in_section("agents", "bureau") == tuple(
        entry for entry in deck if entry.section in ("agents", "bureau")
    )


def test_a_deck_that_was_looked_at_is_equal_to_one_that_was_not() -> None:
    deck = DECKS[0]
    assert deck.of_type("nothing") == () and Decklist(deck.entries, deck.details, deck.name) == deck
