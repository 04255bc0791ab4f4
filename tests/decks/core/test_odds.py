"""Odds are exact: they agree with counting every hand, and with values worked out elsewhere."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations
from math import comb

import pytest
from hypothesis import given
from hypothesis import strategies as st

from decks.core import figures as draws_module
from decks.core.figures import (
    HOW,
    How,
    Parts,
    Wish,
    chance,
    chance_of_both,
    drawn_by_turn,
    exactly,
    expected,
)

HOWS = st.sampled_from(list(HOW))


def holds(wish: Wish, drawn: int) -> bool:
    return {"at-least": drawn >= wish.count, "exactly": drawn == wish.count, "at-most": drawn <= wish.count}[
        wish.how
    ]


@st.composite
def draws(draw: st.DrawFn) -> tuple[int, int, int]:
    """(wanted, total, drawn) of a small deck."""
    total = draw(st.integers(0, 9))
    return draw(st.integers(0, total)), total, draw(st.integers(0, total))


@given(draws(), HOWS, st.integers(0, 10))
def test_one_kind_agrees_with_counting_every_hand(cards: tuple[int, int, int], how: How, count: int) -> None:
    wanted, total, drawn = cards
    wish = Wish(how, count)
    hands = list(combinations(range(total), drawn))
    good = sum(holds(wish, sum(card < wanted for card in hand)) for hand in hands)
    assert chance(wish, wanted, total, drawn) == Fraction(good, len(hands))


@st.composite
def two_kinds(draw: st.DrawFn) -> tuple[Parts, int]:
    parts = Parts(*(draw(st.integers(0, 3)) for _ in range(4)))
    return parts, draw(st.integers(0, parts.total))


@given(two_kinds(), HOWS, st.integers(0, 4), HOWS, st.integers(0, 4))
def test_two_kinds_that_share_cards_agree_with_counting_every_hand(
    draw: tuple[Parts, int], how_1: How, count_1: int, how_2: How, count_2: int
) -> None:
    parts, drawn = draw
    deck = "1" * parts.first + "2" * parts.second + "b" * parts.both + "-" * parts.rest
    first, second = Wish(how_1, count_1), Wish(how_2, count_2)
    hands = list(combinations(deck, drawn))
    good = sum(
        holds(first, hand.count("1") + hand.count("b")) and holds(second, hand.count("2") + hand.count("b"))
        for hand in hands
    )
    assert chance_of_both(first, second, parts, drawn) == Fraction(good, len(hands))


@given(draws())
def test_the_chances_of_every_number_add_up_to_certainty(cards: tuple[int, int, int]) -> None:
    wanted, total, drawn = cards
    assert sum(exactly(k, wanted, total, drawn) for k in range(drawn + 1)) == 1
    assert sum(k * exactly(k, wanted, total, drawn) for k in range(drawn + 1)) == expected(
        wanted, total, drawn
    )


@pytest.mark.parametrize(
    ("wanted", "total", "drawn", "at_least_one"),
    [
        (
            4,
            60,
            7,
            Fraction(1) - Fraction(56 * 55 * 54 * 53 * 52 * 51 * 50, 60 * 59 * 58 * 57 * 56 * 55 * 54),
        ),
        (4, 52, 5, Fraction(18472, 54145)),  # an ace in a hand of poker
        (1, 50, 7, Fraction(7, 50)),
        (0, 50, 7, Fraction(0)),
        (50, 50, 1, Fraction(1)),
    ],
)
def test_known_values(wanted: int, total: int, drawn: int, at_least_one: Fraction) -> None:
    assert chance(Wish("at-least", 1), wanted, total, drawn) == at_least_one


def test_the_odds_of_a_large_deck_are_as_exact() -> None:
    assert chance(Wish("at-least", 0), 500, 9_000, 60) == 1
    assert chance(Wish("at-least", 20), 500, 9_000, 60) + chance(Wish("at-most", 19), 500, 9_000, 60) == 1


def test_of_a_large_pile_the_few_hands_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    counted = 0

    def counting(of: int, taken: int) -> int:
        nonlocal counted
        counted += 1
        return comb(of, taken)

    monkeypatch.setattr(draws_module, "comb", counting)
    one, other, parts = Wish("at-least", 2), Wish("at-least", 3), Parts(1_000, 900, 800, 3_000)
    assert 0 < chance(one, parts.first + parts.both, parts.total, 300) < 1
    assert 0 < chance_of_both(one, other, parts, 300) < 1
    assert counted < 100


def test_turns_draw_on_until_the_deck_is_empty() -> None:
    assert drawn_by_turn(7, 5, 20, 4) == [7, 12, 17, 20, 20]


@pytest.mark.parametrize(("wanted", "total", "drawn"), [(5, 4, 1), (1, 4, 5), (-1, 4, 1), (1, 4, -1)])
def test_a_draw_that_cannot_be_is_refused(wanted: int, total: int, drawn: int) -> None:
    with pytest.raises(ValueError, match="no such draw"):
        chance(Wish("at-least", 1), wanted, total, drawn)
