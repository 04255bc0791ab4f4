"""``Decklist`` by section and by type, and the ``Prints`` of a line. Changes of decks are tested in
``repair``.
"""

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from cardsdb.games import games
from cardsdb.games.kit import Decklist, Prints
from cardsdb.games.kit.listtext.deck import read_deck
from cardsdb.games.kit.model.decklist import ANY_PRINT, Group

DECKS = [read_deck(game, starter.text).deck for game in games().values() for starter in game.starters]


def test_entries_of_sections_and_types_keep_the_order_of_the_list():
    for deck in DECKS:
        backwards = Decklist(deck.entries[::-1])
        for sections in [(entry.section,) for entry in deck] + [("nowhere",), ("agents", "bureau")]:
            in_them = tuple(entry for entry in backwards if entry.section in sections)
            assert backwards.in_section(*sections) == in_them
        for types in ("leader",), ("nothing",), ("leader", "gear", "site"):
            assert backwards.of_type(*types) == tuple(e for e in backwards if e.card.type in types)
        # What was looked up does not change what the deck is equal to.
        assert backwards == Decklist(deck.entries[::-1])


# -- the prints of a line: no copy is lost when they are written and read, resized, joined or parted

lists_of_groups = st.lists(
    st.tuples(st.sampled_from(("", "TRU 154", "PRE 12", "PRE")), st.integers(0, 9)), max_size=5
)


def size(groups: list[Group]) -> int:
    return sum(copies for _, copies in groups)


def copies_by_label(groups: tuple[Group, ...] | list[Group]) -> Counter[str]:
    copies: Counter[str] = Counter()
    for label, count in groups:
        copies[label] += count
    return +copies  # Labels with 0 copies are dropped.


def test_a_print_of_all_copies_is_written_without_a_number():
    assert str(Prints.split([("TRU 154", 2)])) == "TRU 154"
    assert Prints.of("TRU 154").groups(5) == (("TRU 154", 5),)
    assert Prints.split([("", 2)]) == ANY_PRINT


def test_copies_beyond_the_named_prints_may_be_of_any_print():
    prints = Prints.read("TRU 154 ×1, PRE 12 ×1")
    assert prints.groups(3) == (("TRU 154", 1), ("PRE 12", 1), ("", 1))
    assert str(prints.resized(1)) == "TRU 154"


@given(lists_of_groups)
def test_split_prints_keep_their_copies_and_are_read_as_they_are_written(groups):
    prints = Prints.split(groups)
    assert copies_by_label(prints.groups(size(groups))) == copies_by_label(groups)
    assert Prints.read(str(prints)) == prints == Prints.split(prints.groups(size(groups)))


@given(lists_of_groups, lists_of_groups)
def test_joined_prints_have_the_copies_of_both(groups, more):
    joined = Prints.split(groups).joined(size(groups), Prints.split(more), size(more))
    assert copies_by_label(joined.groups(size(groups) + size(more))) == copies_by_label([*groups, *more])


@given(lists_of_groups, st.integers(0, 40), lists_of_groups)
def test_copies_that_stay_and_copies_that_go_are_all_copies(groups, copies, wanted):
    count, copies = size(groups), min(copies, size(groups))
    stays, goes = Prints.split(groups).parted(count, copies, Prints.split(wanted))
    parts = [*stays.groups(count - copies), *goes.groups(copies)]
    assert copies_by_label(parts) == copies_by_label(groups)
