"""Sample hands that come out the same for ever, on any machine and in any language. No Django.

A pile is put in the order of its cards' codes, copies next to each other, so that the hand does not depend
on how its author sorted the list; then ``kit.seeded`` shuffles it for the purpose ``hand/<pile>``, after a
mulligan ``hand/<pile>/1`` and so on.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from cardsdb.games.kit import Card, Decklist, Entry
from cardsdb.games.kit.play.opening import Pile, shuffled

SEED = re.compile(r"[A-Za-z0-9_-]{1,40}")


@dataclass(frozen=True, slots=True)
class Drawn:
    """Cards that came up together: a deal of the opening, or a turn's draw (``turn`` from 1; 0 for the opening)."""

    name: str
    turn: int
    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class Hand:
    """What was drawn from a pile, in order, and how many cards it has left."""

    drawn: tuple[Drawn, ...]
    left: int


def in_order(entries: Iterable[Entry]) -> list[Card]:
    """Every copy of every card, by the cards' codes."""
    return [entry.card for entry in sorted(entries, key=lambda entry: (entry.card.code, entry.section)) for _ in range(entry.count)]


def hand_of(pile: Pile, deck: Decklist, seed: str, turns: int = 0, mulligans: int = 0) -> Hand:
    """The opening of a pile, given back so many times, and so many turns' draws after it.

    Without a number for a turn each is one card. Every mulligan is a shuffle of its own.
    """
    cards = in_order(pile.cards(deck))
    purpose = f"hand/{pile.slug}" + (f"/{mulligans}" if mulligans else "")
    top = iter([cards[place] for place in shuffled(seed, purpose, len(cards))])
    found = []
    for place, deal in enumerate(pile.deals):
        number = pile.mulligan.hand if mulligans and pile.mulligan and place == 0 else deal.number(deck)
        found.append(Drawn(deal.name, 0, _taken(top, number)))
    for turn in range(1, turns + 1):
        if taken := _taken(top, pile.per_turn or 1):
            found.append(Drawn(pile.when or "Drawn", turn, taken))
    return Hand(tuple(found), sum(1 for _ in top))


def _taken(top: Iterator[Card], number: int) -> tuple[Card, ...]:
    return tuple(card for _, card in zip(range(number), top, strict=False))
