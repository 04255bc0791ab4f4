"""The removal that is offered beside what is wrong: it cures that, takes out no card that the deck lacks
then, and breaks nothing else.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import pytest

from cardsdb.games.kit import Card, Decklist, Entry, Format, Game, Marks
from cardsdb.games.kit.model.format import last_of
from cardsdb.games.kit.repair.search import removal_for
from tests.cardsdb.games.kit.repair.test_search import (
    ADVANCED,
    AGENCY,
    BANSHEE,
    MULDER,
    SPYCRAFT,
    XFILES,
    card,
    changed,
)

KRYPT = ("Clean Sweep", "Double-Barrel", "Adam Razir", "Iron Flower")


def removals(
    deck: Decklist, game: Game = SPYCRAFT, format: Format = AGENCY
) -> dict[str, list[tuple[str, int]]]:
    """The rule that is broken -> the cards, with copies, that may come out because of it."""
    before = game.judge(deck, format)
    found = {v.code: removal_for(game, deck, format, v, before) for v in before.violations if v.excess}
    return {code: [(entry.card.name, copies) for entry, copies in out] for code, out in found.items()}


def leader(name: str) -> Card:
    return card(SPYCRAFT, lambda one: one.name == name and one.type == "leader")


def led_by(leaders: Iterable[tuple[int, str]]) -> Decklist:
    """A deck with these leaders, by copies and in this order."""
    led = (Entry(leader(name), count, "leaders") for count, name in leaders)
    return Decklist((*led, *(entry for entry in BANSHEE if entry.card.type != "leader")))


@pytest.mark.parametrize("doubled", range(4))
@pytest.mark.parametrize("last", range(4))
def test_of_a_doubled_leader_one_copy_comes_out_and_no_level_is_lost(doubled: int, last: int) -> None:
    names = [*KRYPT[last + 1 :], *KRYPT[: last + 1]]
    out = [(KRYPT[doubled], 1)]
    deck = led_by([(2 if name == KRYPT[doubled] else 1, name) for name in names])
    assert removals(deck) == {"AG-6": out, "AG-7": out}


def test_two_doubled_leaders_lose_a_copy_each() -> None:
    deck = led_by([(2, KRYPT[0]), (2, KRYPT[1]), (1, KRYPT[2]), (1, KRYPT[3])])
    assert sorted(removals(deck)["AG-6"]) == [(KRYPT[0], 1), (KRYPT[1], 1)]


def test_a_leader_of_another_faction_is_not_taken_out_where_its_level_would_be_missing() -> None:
    deck = led_by([(1, name) for name in KRYPT[:3]] + [(1, BANSHEE.of_type("leader")[0].card.name)])
    assert {v.code for v in SPYCRAFT.judge(deck, AGENCY).violations if v.excess} >= {"AG-8"}
    assert removals(deck)["AG-8"] == []


def test_a_card_too_many_stays_where_the_deck_would_have_too_few_without_it() -> None:
    entry = next(entry for entry in BANSHEE if entry.count == 3)
    larger = changed(BANSHEE, lambda e: replace(e, count=4) if e is entry else e)
    assert removals(larger)["AG-4"] == [(entry.card.name, 1)]
    others = [e for e in larger.in_section("deck") if e.card is not entry.card]
    of_fifty = larger.without(last_of(others, larger.size - 50))
    assert (of_fifty.size, removals(of_fifty)["AG-4"]) == (50, [])


def test_of_a_deck_that_is_only_begun_a_copy_too_many_comes_out() -> None:
    kai = card(SPYCRAFT, lambda one: one.name == "Kai")
    assert removals(Decklist((Entry(kai, 9, "deck"),))) == {"AG-4": [("Kai", 6)]}


def test_a_marked_copy_is_not_chosen_although_another_rule_calls_it_too_much() -> None:
    deck = led_by([(1, KRYPT[0]), (1, KRYPT[1]), (1, KRYPT[2]), (1, KRYPT[3]), (1, "Tasha")])
    assert removals(deck)["AG-6"] == [("Tasha", 1)]
    kept = changed(deck, lambda e: replace(e, marks=Marks(keep=True)) if e.card.name == "Tasha" else e)
    assert removals(kept) == {"AG-6": [], "AG-7": []}


def test_a_removal_that_mends_one_of_two_equal_faults_is_offered_for_that_one_alone() -> None:
    first, second = [entry for entry in MULDER.in_section("bureau") if entry.card.type == "event"][:2]
    deck = changed(MULDER, lambda e: replace(e, count=e.count + 3) if e in (first, second) else e)
    before = XFILES.judge(deck, ADVANCED)
    for violation in before.violations:
        if violation.code == "D4":
            ((entry, _),) = removal_for(XFILES, deck, ADVANCED, violation, before)
            assert (entry.card.name,) == violation.cards
