"""Rules about named cards: banned, points, sets; a group that picks cards by facts and names."""

from __future__ import annotations

from typing import Any

import pytest

from cardsdb.games.kit import Card, Decklist, Entry, Group, Severity
from cardsdb.games.kit.model.cards import Print
from cardsdb.games.kit.model.format import message
from cardsdb.games.kit.rules.construction import (
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
        name.lower().replace(" ", "-"),
        name,
        "agent",
        facts,
        prints=tuple(Print(code) for code in sets),
    )


def deck(*entries: tuple[int, Card]) -> Decklist:
    return Decklist(tuple(Entry(card, count, "deck") for count, card in entries))


KAI, LIEN, NEMO = (
    card("Kai", "A"),
    card("Lien Hê", "A", "B", crew="Red", rank=2),
    card("Nemo", words=("Red", "Old"), unique=True),
)


@pytest.mark.parametrize("called", ["Lien Hê", "lien he", "LIEN  HÊ", "lien-hê"])
def test_a_list_of_cards_calls_them_by_name_or_code(called):
    assert CardList((called,)).holds(LIEN) or called == "lien-hê"
    assert not CardList((called,)).holds(KAI)


@pytest.mark.parametrize(
    ("test", "picked"),
    [
        (CardTest((("crew", "red"),)), [LIEN]),
        (CardTest(lacking=(("crew", "Red"),)), [KAI, NEMO]),
        (CardTest((("words", "Old"),)), [NEMO]),
        (CardTest((("unique", True),)), [NEMO]),
        (CardTest((("unique", False),)), []),
        (CardTest((("rank", 2),)), [LIEN]),
        (CardTest(cards=CardList(("Kai", "nemo")), lacking=(("unique", True),)), [KAI]),
    ],
)
def test_a_group_picks_cards_by_facts_and_names(test, picked):
    assert [card for card in (KAI, LIEN, NEMO) if test(card)] == picked


def test_a_banned_card_comes_out():
    (violation,) = Banned("B-1", cards=CardList(("nemo", "Kai"))).judge(deck((2, KAI), (1, LIEN)))
    assert (violation.severity, violation.found, violation.wanted, violation.what) == (
        Severity.ILLEGAL,
        2,
        0,
        "banned cards",
    )
    assert [(entry.card, count) for entry, count in violation.excess] == [(KAI, 2)]
    assert message(violation) == "Kai: banned in this format."
    assert list(Banned("B-1", cards=CardList(("nemo",))).judge(deck((2, KAI)))) == []


def test_a_rule_on_named_cards_looks_at_its_group_alone():
    beside = Group(sections=("reserve",))
    decklist = Decklist((Entry(KAI, 2, "deck"), Entry(NEMO, 1, "reserve")))
    called = CardList(("Kai", "Nemo"))
    (banned,) = Banned("B-1", cards=called, of=beside).judge(decklist)
    (over,) = PointsList("P-1", (("Kai", 1), ("Nemo", 1)), of=beside).judge(decklist)
    (foreign,) = (
        one
        for one in OnlySets("S-1", sets=("B",), of=beside).judge(decklist)
        if one.severity is Severity.UNKNOWN
    )
    assert banned.cards == over.cards == foreign.cards == ("Nemo",)


def test_each_copy_spends_the_points_of_its_card():
    rule = PointsList("P-1", (("Kai", 2), ("nemo", 3)), limit=6)
    assert list(rule.judge(deck((3, KAI), (1, LIEN)))) == []
    (violation,) = rule.judge(deck((2, KAI), (4, LIEN), (1, NEMO)))
    assert (violation.severity, violation.what, violation.cards) == (
        Severity.ILLEGAL,
        "points",
        ("Kai", "Nemo"),
    )
    assert message(violation) == "Kai and Nemo: 7 points of the points list together; 6 at most."
    assert [(meter.code, meter.found, meter.most) for meter in rule.meters(deck((2, KAI), (1, NEMO)))] == [
        ("P-1", 7, 6)
    ]


def test_points_are_those_of_the_code_or_else_of_the_name():
    rule = PointsList("P-1", (("lien he", 2), ("Kai", 1)))
    assert [rule.cost(one) for one in (LIEN, KAI, NEMO)] == [2, 1, 0]
    twin = Card("game", "kai-2", "Kai", "agent")
    by_code = PointsList("P-1", (("kai-2", 5), ("Kai", 1)))
    assert [by_code.cost(one) for one in (twin, KAI)] == [5, 1]


def test_the_fewest_copies_come_out_of_a_deck_that_spends_too_much():
    rule = PointsList("P-1", (("Kai", 1), ("nemo", 3)), limit=2)
    spent = deck((4, KAI), (2, NEMO))
    (violation,) = rule.judge(spent)
    out = [(entry.card.name, count) for entry, count in violation.excess]
    assert out == [("Nemo", 2), ("Kai", 2)]
    assert list(rule.judge(spent.without(violation.excess))) == []


def test_a_card_is_from_one_of_the_sets_or_nobody_knows():
    rule = OnlySets("S-1", sets=("B",))
    assert list(OnlySets("S-1", sets=("A",)).judge(deck((1, KAI), (1, LIEN)))) == []
    out, unknown = rule.judge(deck((1, KAI), (1, LIEN), (1, NEMO)))
    assert (out.severity, out.cards, unknown.severity, unknown.cards) == (
        Severity.ILLEGAL,
        ("Kai",),
        Severity.UNKNOWN,
        ("Nemo",),
    )
    assert (out.wanted, unknown.what, [(entry.card, count) for entry, count in out.excess]) == (
        ("B",),
        "the sets of these cards",
        [(KAI, 1)],
    )
    assert message(out) == "Kai: in none of the sets of this format (B)."
    assert (
        message(unknown) == "Nemo: no source states the sets of these cards, so this rule cannot be decided."
    )


def test_the_lists_of_a_rule_are_found_wherever_they_stand():
    cards = CardList(("Kai",))
    assert list(card_lists_of(Banned("B", cards=cards))) == [cards]
    assert list(card_lists_of(OnlySets("S", of=Group(where=CardTest(cards=cards))))) == [cards]
    assert list(card_lists_of(PointsList("P", (("Kai", 1),)))) == [cards]
    assert list(card_lists_of(OnlySets("S"))) == []
