"""A deck as the rules see it: its cards by section and by type; and the prints of a line."""

from __future__ import annotations

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from cardsdb.games import games
from cardsdb.games.kit import Decklist, Prints
from cardsdb.games.kit.listtext.deck import read_deck
from cardsdb.games.kit.model.decklist import ANY_PRINT, Group

DECKS = [read_deck(game, starter.text).deck for game in games().values() for starter in game.starters]


def test_a_section_and_a_type_have_their_cards_in_the_order_of_the_list():
    for deck in DECKS:
        backwards = Decklist(deck.entries[::-1])
        for section in (*{entry.section for entry in deck}, "nowhere"):
            assert backwards.in_section(section) == tuple(
                entry for entry in backwards if entry.section == section
            )
        for kind in (*{entry.card.type for entry in deck}, "nothing"):
            assert backwards.of_type(kind) == tuple(entry for entry in backwards if entry.card.type == kind)
        several = ("leader", "gear", "nothing", "agents", "bureau")
        assert backwards.of_type(*several) == tuple(e for e in backwards if e.card.type in several)
        assert backwards.in_section(*several) == tuple(e for e in backwards if e.section in several)


def test_a_deck_that_was_looked_at_is_equal_to_one_that_was_not():
    deck = DECKS[0]
    assert deck.of_type("nothing") == () and Decklist(deck.entries, deck.details, deck.name) == deck


# -- the prints of a line: written and read, counted, resized, joined and parted without a copy lost

groups = st.lists(st.tuples(st.sampled_from(("", "TRU 154", "PRE 12", "PRE")), st.integers(0, 9)), max_size=5)


def size(of: list[Group]) -> int:
    return sum(copies for _, copies in of)


def counted(of: tuple[Group, ...] | list[Group]) -> Counter[str]:
    copies: Counter[str] = Counter()
    for label, count in of:
        copies[label] += count
    return +copies


def test_one_print_of_all_copies_needs_no_number():
    assert str(Prints.split([("TRU 154", 2)])) == "TRU 154"
    assert Prints.of("TRU 154").groups(5) == (("TRU 154", 5),)
    assert Prints.split([("", 2)]) == ANY_PRINT


def test_copies_that_no_print_is_named_for_may_be_of_any():
    prints = Prints.read("TRU 154 ×1, PRE 12 ×1")
    assert prints.groups(3) == (("TRU 154", 1), ("PRE 12", 1), ("", 1))
    assert str(prints.resized(1)) == "TRU 154"


@given(groups)
def test_what_is_split_is_counted_as_it_was_and_read_as_it_is_written(of):
    prints = Prints.split(of)
    assert counted(prints.groups(size(of))) == counted(of)
    assert Prints.read(str(prints)) == prints == Prints.split(prints.groups(size(of)))


@given(groups, groups)
def test_what_is_joined_has_the_copies_of_both(of, more):
    joined = Prints.split(of).joined(size(of), Prints.split(more), size(more))
    assert counted(joined.groups(size(of) + size(more))) == counted([*of, *more])


@given(groups, st.integers(0, 40), groups)
def test_what_stays_and_what_goes_are_all_there_was(of, copies, wanted):
    count, copies = size(of), min(copies, size(of))
    stays, goes = Prints.split(of).parted(count, copies, Prints.split(wanted))
    assert counted([*stays.groups(count - copies), *goes.groups(copies)]) == counted(of)
