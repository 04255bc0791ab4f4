"""Rules about named cards: banned cards, a points list, allowed sets; and ``CardTest`` as a group's
condition.
"""

from typing import Any

import pytest

from cardsdb.games.kit import Card, Decklist, Entry, Group, Severity, slugify
from cardsdb.games.kit.model.cards import Print
from cardsdb.games.kit.model.format import message
from cardsdb.games.kit.rules.card_lists import (
    Banned,
    CardList,
    CardTest,
    OnlySets,
    PointsList,
    card_lists_of,
)


def card(name: str, *sets: str, **facts: Any) -> Card:
    return Card(
        "game",
        slugify(name),
        name,
        "agent",
        facts,
        prints=tuple(Print(code) for code in sets),
    )


def deck(*entries: tuple[int, Card]) -> Decklist:
    return Decklist(tuple(Entry(card, count, "deck") for count, card in entries))


KAI = card("Kai", "A")
LIEN = card("Lien Hê", "A", "B", crew="Red", rank=2)
# No set is given: the sets of Nemo are unknown.
NEMO = card("Nemo", words=("Red", "Old"), unique=True)


@pytest.mark.parametrize("called", ["Lien Hê", "lien he", "LIEN  HÊ", "lien-he"])
def test_a_list_of_cards_calls_them_by_name_or_code(called):
    assert [card for card in (KAI, LIEN, NEMO) if CardList((called,)).holds(card)] == [LIEN]


@pytest.mark.parametrize(
    ("test", "picked"),
    [
        (CardTest(having=(("crew", "red"),)), [LIEN]),
        (CardTest(without=(("crew", "Red"),)), [KAI, NEMO]),
        (CardTest(having=(("words", "Old"),)), [NEMO]),
        (CardTest(having=(("unique", True),)), [NEMO]),
        (CardTest(having=(("unique", False),)), []),
        (CardTest(having=(("rank", 2),)), [LIEN]),
        # Python says True == 1, but a number is no yes.
        (CardTest(having=(("unique", 1),)), []),
        (CardTest(cards=CardList(("Kai", "nemo")), without=(("unique", True),)), [KAI]),
    ],
)
def test_a_group_picks_cards_by_facts_and_names(test, picked):
    assert [card for card in (KAI, LIEN, NEMO) if test(card)] == picked


def test_a_banned_card_is_illegal_and_must_come_out():
    (violation,) = Banned("B-1", cards=CardList(("nemo", "Kai"))).judge(deck((2, KAI), (1, LIEN)))
    assert (violation.severity, violation.what) == (Severity.ILLEGAL, "banned cards")
    assert (violation.found, violation.wanted) == (2, 0)
    assert [(entry.card, count) for entry, count in violation.excess] == [(KAI, 2)]
    assert message(violation) == "Kai: banned in this format."
    assert list(Banned("B-1", cards=CardList(("nemo",))).judge(deck((2, KAI)))) == []


RESERVE = Group(sections=("reserve",))


@pytest.mark.parametrize(
    "rule",
    [
        Banned("B-1", cards=CardList(("Kai", "Nemo")), of=RESERVE),
        PointsList("P-1", (("Kai", 1), ("Nemo", 1)), of=RESERVE),
        OnlySets("S-1", sets=("B",), of=RESERVE),
    ],
    ids=["banned", "points", "sets"],
)
def test_a_rule_on_named_cards_judges_only_its_group(rule):
    # Kai would break every rule, but is outside the group. Nemo breaks the first two; its sets are unknown:
    # the third rule is undecided, which is reported as a violation too.
    decklist = Decklist((Entry(KAI, 2, "deck"), Entry(NEMO, 1, "reserve")))
    assert [violation.cards for violation in rule.judge(decklist)] == [("Nemo",)]


def test_each_copy_spends_the_points_of_its_card():
    rule = PointsList("P-1", (("Kai", 2), ("nemo", 3)), limit=6)
    assert list(rule.judge(deck((3, KAI), (1, LIEN)))) == []
    (violation,) = rule.judge(deck((2, KAI), (4, LIEN), (1, NEMO)))
    assert (violation.severity, violation.what) == (Severity.ILLEGAL, "points")
    assert violation.cards == ("Kai", "Nemo")
    assert message(violation) == "Kai and Nemo: 7 points of the points list together; 6 at most."
    (meter,) = rule.meters(deck((2, KAI), (1, NEMO)))
    assert (meter.code, meter.found, meter.most) == ("P-1", 7, 6)


def test_a_card_costs_the_points_listed_for_its_code_or_else_its_name():
    rule = PointsList("P-1", (("lien he", 2), ("kai-2", 5), ("Kai", 1)))
    twin = Card("game", "kai-2", "Kai", "agent")
    assert [rule.cost(card) for card in (LIEN, KAI, NEMO, twin)] == [2, 1, 0, 5]


def test_the_fewest_copies_come_out_of_a_deck_that_spends_too_much():
    rule = PointsList("P-1", (("Kai", 1), ("nemo", 3)), limit=2)
    spent = deck((4, KAI), (2, NEMO))
    (violation,) = rule.judge(spent)
    out = [(entry.card.name, count) for entry, count in violation.excess]
    assert out == [("Nemo", 2), ("Kai", 2)]
    assert list(rule.judge(spent.without(violation.excess))) == []


def test_a_card_in_no_allowed_set_is_illegal_and_must_come_out():
    (violation,) = OnlySets("S-1", sets=("B",)).judge(deck((1, KAI), (1, LIEN)))
    assert (violation.severity, violation.cards) == (Severity.ILLEGAL, ("Kai",))
    assert violation.wanted == ("B",)
    assert [(entry.card, count) for entry, count in violation.excess] == [(KAI, 1)]
    assert message(violation) == "Kai: in none of the sets of this format (B)."
    assert list(OnlySets("S-1", sets=("A",)).judge(deck((1, KAI), (1, LIEN)))) == []


def test_a_card_whose_sets_are_unknown_leaves_the_rule_undecided():
    (violation,) = OnlySets("S-1", sets=("B",)).judge(deck((1, LIEN), (1, NEMO)))
    assert (violation.severity, violation.cards) == (Severity.UNKNOWN, ("Nemo",))
    assert message(violation).startswith("Nemo: no source states the sets of these cards")


def test_the_card_lists_of_a_rule_are_its_own_and_that_of_its_group():
    cards = CardList(("Kai",))
    assert list(card_lists_of(Banned("B", cards=cards))) == [cards]
    assert list(card_lists_of(OnlySets("S", of=Group(where=CardTest(cards=cards))))) == [cards]
    assert list(card_lists_of(PointsList("P", (("Kai", 1),)))) == [cards]
    assert list(card_lists_of(OnlySets("S"))) == []
