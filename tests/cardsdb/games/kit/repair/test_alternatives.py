"""Other cards that would do as well in a repair: each is named, judged and different."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest

from cardsdb.games.kit.model.decklist import with_changes
from cardsdb.games.kit.repair.search import Repair
from tests.cardsdb.games.kit.repair.test_search import (
    ADVANCED,
    AGENCY,
    BANSHEE,
    LEADERS,
    MULDER,
    SPYCRAFT,
    XFILES,
    card,
    changed,
    fewer,
    repairs,
    starter,
)

OTHER_FACTION = card(
    SPYCRAFT,
    lambda c: (
        c.type == "leader"
        and c.fact("level") == LEADERS[1].card.fact("level")
        and c.fact("faction") != LEADERS[1].card.fact("faction")
    ),
)
DECKS = {
    "a leader": (SPYCRAFT, changed(BANSHEE, lambda e: e if e is not LEADERS[1] else None), AGENCY),
    "five cards": (SPYCRAFT, fewer(BANSHEE, BANSHEE.size - 45, "deck"), AGENCY),
    "an X-File": (XFILES, changed(MULDER, lambda e: e if e.section != "xfile" else None), ADVANCED),
    "two cards": (XFILES, fewer(MULDER, 2, "bureau"), ADVANCED),
    "a swap": (
        SPYCRAFT,
        changed(BANSHEE, lambda e: replace(e, card=OTHER_FACTION) if e is LEADERS[1] else e),
        AGENCY,
    ),
}


def first(name: str) -> Repair:
    return repairs(*DECKS[name])[0]


@pytest.mark.parametrize("name", ["an X-File", "two cards", "five cards"])
def test_where_any_of_many_cards_would_do_five_others_are_named(name: str) -> None:
    repair = first(name)
    assert "for example" in repair.words
    assert len({other.card.key for other in repair.alternatives}) == 5


@pytest.mark.parametrize("name", DECKS)
def test_each_of_them_cures_as_much_when_it_is_judged(name: str) -> None:
    game, deck, format = DECKS[name]
    for repair in repairs(game, deck, format):
        for other in repair.alternatives:
            assert (
                other.repair.verdict
                == repair.verdict
                == game.judge(with_changes(deck, other.repair.changes), format).verdict
            )
            assert other.repair.size == repair.size


@pytest.mark.parametrize("name", DECKS)
def test_each_differs_from_the_repair_in_one_copy(name: str) -> None:
    for repair in repairs(*DECKS[name]):
        put_in = Counter({change.card.key: change.by for change in repair.changes if change.by > 0})
        for other in repair.alternatives:
            expected = put_in - Counter([other.instead_of.key]) + Counter([other.card.key])
            assert expected == {c.card.key: c.by for c in other.repair.changes if c.by > 0}
            assert other.card.name in other.repair.words


def test_a_swap_of_leaders_names_those_of_the_same_level_and_faction() -> None:
    wanted = LEADERS[1].card
    for other in first("a swap").alternatives:
        assert (other.card.fact("level"), other.card.fact("faction")) == (
            wanted.fact("level"),
            wanted.fact("faction"),
        )


def test_the_one_card_that_fits_has_no_others() -> None:
    deck = starter(SPYCRAFT, "mission-deck-base")
    (repair,) = repairs(
        SPYCRAFT, replace(deck, entries=deck.entries[1:]), SPYCRAFT.formats_by_slug["mission-base"]
    )
    assert not repair.alternatives and "for example" not in repair.words


def test_what_only_comes_out_or_moves_has_no_others() -> None:
    entry = next(entry for entry in BANSHEE if entry.count == 3)
    offered = repairs(SPYCRAFT, changed(BANSHEE, lambda e: replace(e, count=4) if e is entry else e), AGENCY)
    assert all(
        not repair.alternatives for repair in offered if not any(change.by > 0 for change in repair.changes)
    )
