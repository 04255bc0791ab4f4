"""What a game needs on the table besides its decks, and what can be printed for it: markers, further cards, score cards.

A game declares these in ``Game.print_extras``. Pure data; printing draws it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cardsdb.games.kit.game import Game

MOST_PIECES = 60
LONGEST_WORDS = 30
_PATH = re.compile(r"M[-0-9.MLHVCZ ]+")


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


def print_extras_problems(game: Game) -> Iterator[str]:
    """What is wrong with a game's extras, one sentence each."""
    extras = game.print_extras
    pieces: tuple[Marker | SpareCards, ...] = (*extras.markers, *extras.cards)
    declared: tuple[Marker | SpareCards | ScoreCard, ...] = (*pieces, *extras.scores)
    for one in declared:
        if one.cites not in game.citations:
            yield f"print extras: {one!r} cites {one.cites!r}, which is not cited"
    for piece in pieces:
        if not 1 <= piece.count <= MOST_PIECES:
            yield f"print extras: {piece!r} must be there 1 to {MOST_PIECES} times"
    for card in extras.cards:
        if game.card(card.code) is None:
            yield f"print extras: there is no card {card.code!r}"
    for marker in extras.markers:
        if not _PATH.fullmatch(marker.symbol):
            yield f"print extras: the symbol of {marker.name!r} is no path"
        if not 0 < len(marker.name) <= LONGEST_WORDS:
            yield f"print extras: {marker.name!r} must have at most {LONGEST_WORDS} letters"
    for score in extras.scores:
        if not score.rows or not 1 <= score.columns <= 8:
            yield f"print extras: {score.name!r} needs rows and 1 to 8 columns"
