"""Sample hands: the same seed gives the same hand for ever, and every order is as likely as another."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardsdb.games import games
from cardsdb.games.kit import Decklist, Pile
from cardsdb.games.kit.listtext.deck import read_deck
from decks.core.figures import Hand, hand_of, in_order


def opened(game: str, starter: str) -> tuple[tuple[Pile, ...], Decklist]:
    """The piles of a ready deck, and the deck."""
    ready = next(one for one in games()[game].starters if one.slug == starter)
    deck = read_deck(games()[game], ready.text, games()[game].formats_by_slug[ready.format]).deck
    opening = games()[game].opening
    assert opening is not None
    return opening.piles_for(ready.format, deck), deck


def names(hand: Hand, place: int = 0) -> list[str]:
    return [card.name for card in hand.drawn[place].cards]


def agency() -> tuple[Pile, Decklist]:
    piles, deck = opened("spycraft", "nine-tiger")
    return piles[0], deck


def test_a_seed_gives_this_very_hand_for_ever() -> None:
    """If this fails, links that people have shared show other hands than they did."""
    assert names(hand_of(*agency(), seed="cutout")) == [
        "H&K MP5N",
        "Recon",
        "Singapore Skye",
        "Kai",
        "Walther PPK",
        "Bait",
        "Blackhawk",
    ]


def test_the_order_of_the_list_changes_nothing() -> None:
    pile, deck = agency()
    mixed = list(deck.entries)
    random.Random(7).shuffle(mixed)
    assert names(hand_of(pile, replace(deck, entries=tuple(mixed)), "a")) == names(hand_of(pile, deck, "a"))


@given(st.text(alphabet="abcXYZ019_-", min_size=1, max_size=40), st.integers(0, 12))
def test_nothing_is_drawn_twice_and_nothing_is_lost(seed: str, turns: int) -> None:
    pile, deck = agency()
    hand = hand_of(pile, deck, seed, turns)
    drawn = Counter(card.code for part in hand.drawn for card in part.cards)
    whole = Counter(card.code for card in in_order(pile.cards(deck)))
    assert not drawn - whole
    assert drawn.total() + hand.left == whole.total()
    assert drawn.total() == min(7 + 5 * turns, whole.total())


def test_leaders_are_never_drawn() -> None:
    pile, deck = agency()
    assert {card.type for card in in_order(pile.cards(deck))} == {"agent", "action", "gear"}


def test_drawing_on_leaves_the_hand_as_it_was() -> None:
    pile, deck = agency()
    later = hand_of(pile, deck, "a", turns=2)
    assert later.drawn[0] == hand_of(pile, deck, "a").drawn[0]
    assert [(part.turn, len(part.cards)) for part in later.drawn] == [(0, 7), (1, 5), (2, 5)]


def test_a_mulligan_is_another_hand_of_as_many_cards_as_its_rule_says() -> None:
    pile, deck = agency()
    again = hand_of(pile, deck, "a", mulligans=1)
    assert len(again.drawn[0].cards) == 6
    assert names(again) != names(hand_of(pile, deck, "a"))[:6]


def test_every_card_comes_up_as_often_as_any_other() -> None:
    pile, deck = agency()
    total = len(in_order(pile.cards(deck)))
    firsts = Counter(hand_of(pile, deck, f"seed-{n}").drawn[0].cards[0].code for n in range(2_000))
    copies = Counter(card.code for card in in_order(pile.cards(deck)))
    # Two thousand draws: five times the standard deviation is as good as never.
    for code, count in copies.items():
        share = count / total
        assert abs(firsts[code] - 2_000 * share) < 5 * (2_000 * share * (1 - share)) ** 0.5


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
def test_each_game_deals_as_its_rules_say(game: str, starter: str, piles: dict[str, list[int]]) -> None:
    opening, deck = opened(game, starter)
    assert {
        pile.slug: [len(part.cards) for part in hand_of(pile, deck, "x").drawn] for pile in opening
    } == piles


def test_two_piles_of_one_deck_are_shuffled_apart() -> None:
    (line, yours), deck = opened("agentdecker", "campaign")
    assert {card.code for card in in_order(line.cards(deck))}.isdisjoint(
        card.code for card in in_order(yours.cards(deck))
    )
    as_other = replace(yours, slug="other")
    assert any(
        names(hand_of(yours, deck, f"s{n}")) != names(hand_of(as_other, deck, f"s{n}")) for n in range(5)
    )


def test_a_deck_smaller_than_the_hand_is_drawn_whole() -> None:
    pile, deck = agency()
    few = Decklist(deck.of_type("gear")[:1])
    hand = hand_of(pile, few, "a", turns=3)
    assert (len(hand.drawn[0].cards), len(hand.drawn), hand.left) == (few.size, 1, 0)
