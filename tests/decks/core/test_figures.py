"""Odds are exact: they equal counting all hands, and values known from elsewhere. Sample hands: a seed always
gives the same hand, and every order is equally likely.
"""

import random
from collections import Counter
from dataclasses import replace
from fractions import Fraction
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardsdb.games import games
from cardsdb.games.kit import Decklist, Pile
from cardsdb.games.kit.listtext.deck import read_deck
from decks.core.figures import (
    HOW,
    Hand,
    Parts,
    Wish,
    chance,
    chance_of_both,
    drawn_by_turn,
    expected,
    hand_of,
    in_order,
)

HOWS = st.sampled_from(list(HOW))


def holds(wish: Wish, drawn: int) -> bool:
    """True if a hand with ``drawn`` cards of the kind fulfils the wish."""
    if wish.how == "at-least":
        return drawn >= wish.count
    if wish.how == "at-most":
        return drawn <= wish.count
    return drawn == wish.count


@st.composite
def draws(draw: st.DrawFn) -> tuple[int, int, int]:
    """(wanted, total, drawn) of a small deck."""
    total = draw(st.integers(0, 9))
    return draw(st.integers(0, total)), total, draw(st.integers(0, total))


@given(draws(), HOWS, st.integers(0, 10))
def test_the_chance_of_one_kind_equals_counting_all_hands(cards, how, count):
    wanted, total, drawn = cards
    wish = Wish(how, count)
    # The cards are numbers; those below ``wanted`` are of the kind.
    hands = list(combinations(range(total), drawn))
    good = sum(holds(wish, sum(card < wanted for card in hand)) for hand in hands)
    assert chance(wish, wanted, total, drawn) == Fraction(good, len(hands))
    found = sum(card < wanted for hand in hands for card in hand)
    assert expected(wanted, total, drawn) == Fraction(found, len(hands))


@st.composite
def two_kinds(draw: st.DrawFn) -> tuple[Parts, int]:
    """A small deck with two kinds of card, and a number of cards to draw."""
    parts = Parts(*(draw(st.integers(0, 3)) for _ in range(4)))
    return parts, draw(st.integers(0, parts.total))


@given(two_kinds(), HOWS, st.integers(0, 4), HOWS, st.integers(0, 4))
def test_the_chance_of_two_overlapping_kinds_equals_counting_all_hands(draw, how_1, count_1, how_2, count_2):
    parts, drawn = draw
    # A letter for each card: 1 and 2 for one kind alone, b for both, - for neither.
    deck = "1" * parts.first + "2" * parts.second + "b" * parts.both + "-" * parts.rest
    first, second = Wish(how_1, count_1), Wish(how_2, count_2)
    hands = list(combinations(deck, drawn))
    good = sum(
        holds(first, hand.count("1") + hand.count("b")) and holds(second, hand.count("2") + hand.count("b"))
        for hand in hands
    )
    assert chance_of_both(first, second, parts, drawn) == Fraction(good, len(hands))


def test_cards_seen_by_turn_stop_at_the_size_of_the_deck():
    assert drawn_by_turn(7, 5, 20, 4) == [7, 12, 17, 20, 20]


@pytest.mark.parametrize(("wanted", "total", "drawn"), [(5, 4, 1), (1, 4, 5), (-1, 4, 1), (1, 4, -1)])
def test_impossible_draws_are_refused(wanted, total, drawn):
    with pytest.raises(ValueError, match="no such draw"):
        chance(Wish("at-least", 1), wanted, total, drawn)


def test_the_odds_of_a_large_deck_are_exact():
    assert chance(Wish("at-least", 0), 500, 9_000, 60) == 1
    assert chance(Wish("at-least", 20), 500, 9_000, 60) + chance(Wish("at-most", 19), 500, 9_000, 60) == 1
    first, second, parts = Wish("at-least", 2), Wish("at-least", 3), Parts(10_000, 9_000, 8_000, 30_000)
    assert 0 < chance(first, parts.first + parts.both, parts.total, 3_000) < 1
    assert 0 < chance_of_both(first, second, parts, 3_000) < 1


# -- hands


def opened(game: str, starter: str) -> tuple[tuple[Pile, ...], Decklist]:
    """The piles of a starter, and its deck."""
    found = next(s for s in games()[game].starters if s.slug == starter)
    deck = read_deck(games()[game], found.text, games()[game].formats_by_slug[found.format]).deck
    opening = games()[game].opening
    assert opening is not None
    return opening.piles_for(found.format, deck), deck


def names(hand: Hand, place: int = 0) -> list[str]:
    return [card.name for card in hand.drawn[place].cards]


def agency() -> tuple[Pile, Decklist]:
    piles, deck = opened("spycraft", "nine-tiger")
    return piles[0], deck


def test_a_seed_always_gives_the_same_hand():
    """If this fails, links that people have shared show other hands than before."""
    assert names(hand_of(*agency(), seed="cutout")) == [
        "H&K MP5N",
        "Recon",
        "Singapore Skye",
        "Kai",
        "Walther PPK",
        "Bait",
        "Blackhawk",
    ]


def test_the_order_of_the_list_does_not_change_the_hand():
    pile, deck = agency()
    mixed = list(deck.entries)
    random.Random(7).shuffle(mixed)
    assert names(hand_of(pile, replace(deck, entries=tuple(mixed)), "a")) == names(hand_of(pile, deck, "a"))


@given(st.text(alphabet="abcXYZ019_-", min_size=1, max_size=40), st.integers(0, 12))
def test_every_copy_is_drawn_at_most_once(seed, turns):
    pile, deck = agency()
    hand = hand_of(pile, deck, seed, turns)
    drawn = Counter(card.code for part in hand.drawn for card in part.cards)
    whole = Counter(card.code for card in in_order(pile.cards(deck)))
    assert not drawn - whole
    assert drawn.total() + hand.left == whole.total()
    # Agency decks begin with 7 cards and draw 5 a turn.
    assert drawn.total() == min(7 + 5 * turns, whole.total())


def test_drawing_more_turns_keeps_the_opening_hand():
    pile, deck = agency()
    later = hand_of(pile, deck, "a", turns=2)
    assert later.drawn[0] == hand_of(pile, deck, "a").drawn[0]
    assert [(part.turn, len(part.cards)) for part in later.drawn] == [(0, 7), (1, 5), (2, 5)]


def test_a_mulligan_deals_another_hand_of_the_size_in_the_rules():
    pile, deck = agency()
    again = hand_of(pile, deck, "a", mulligans=1)
    assert len(again.drawn[0].cards) == 6
    assert names(again) != names(hand_of(pile, deck, "a"))[:6]


def test_every_copy_is_equally_likely_to_come_first():
    pile, deck = agency()
    total = len(in_order(pile.cards(deck)))
    firsts = Counter(hand_of(pile, deck, f"seed-{n}").drawn[0].cards[0].code for n in range(1_000))
    copies = Counter(card.code for card in in_order(pile.cards(deck)))
    # Each count is binomial; five standard deviations are practically never exceeded.
    for code, count in copies.items():
        share = count / total
        assert abs(firsts[code] - 1_000 * share) < 5 * (1_000 * share * (1 - share)) ** 0.5


@pytest.mark.parametrize(
    ("game", "starter", "piles"),
    [
        ("spycraft", "nine-tiger", {"agency": [7]}),
        ("spycraft", "mission-deck-base", {"missions": [2, 3]}),
        ("xfiles", "deck-mulder", {"bureau": [7]}),
        ("steamspy", "worked-cell", {"draw": [6]}),  # one of the two characters downloads
        ("spynet", "draw-2", {"draw-2": [1, 1, 1, 2]}),
        ("spynet", "draw-4", {"draw-4": [1, 1, 1, 4]}),
        ("agentdecker", "campaign", {"line": [6], "yours": [4]}),
    ],
)
def test_each_game_deals_as_its_rules_say(game, starter, piles):
    opening, deck = opened(game, starter)
    assert {
        pile.slug: [len(part.cards) for part in hand_of(pile, deck, "x").drawn] for pile in opening
    } == piles


def test_two_piles_of_one_deck_are_shuffled_independently():
    (line, yours), deck = opened("agentdecker", "campaign")
    assert {card.code for card in in_order(line.cards(deck))}.isdisjoint(
        card.code for card in in_order(yours.cards(deck))
    )
    as_other = replace(yours, slug="other")
    assert any(
        names(hand_of(yours, deck, f"s{n}")) != names(hand_of(as_other, deck, f"s{n}")) for n in range(5)
    )


def test_a_deck_smaller_than_the_hand_is_drawn_whole():
    pile, deck = agency()
    few = Decklist(deck.of_type("gear")[:1])
    hand = hand_of(pile, few, "a", turns=3)
    (opening,) = hand.drawn
    assert len(opening.cards) == few.size
    assert hand.left == 0
