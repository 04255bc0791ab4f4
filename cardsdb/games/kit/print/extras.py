"""What a game needs on the table besides its decks, and what can be printed for it: markers, further cards, score cards.

A game declares these in ``Game.print_extras``. Pure data; printing draws it.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Marker:
    """A small piece to cut out: its word, our drawing (SVG path data on a grid of 24), how many.

    ``cites`` is the rule that asks for it. Where no document states a number, ``count`` is our choice and ``note`` says so.
    ``colour``: ``hue`` or ``#rrggbb``.
    """

    name: str
    symbol: str
    count: int
    cites: str
    colour: str = "hue"
    note: str = ""


@dataclass(frozen=True, slots=True)
class SpareCards:
    """So many of a card of the catalogue that is no part of a deck."""

    code: str
    count: int
    cites: str


@dataclass(frozen=True, slots=True)
class ScoreCard:
    """A table to write in, of a card's size: a line for each of ``rows``, a column for each game, a line for the sum."""

    name: str
    rows: tuple[str, ...]
    columns: int
    total: str
    cites: str
    note: str = ""


@dataclass(frozen=True, slots=True)
class PrintExtras:
    """All of it; a game that declares nothing has nothing."""

    markers: tuple[Marker, ...] = ()
    cards: tuple[SpareCards, ...] = ()
    scores: tuple[ScoreCard, ...] = ()


NO_EXTRAS = PrintExtras()
