"""What the back of a card looks like: a drawing in the middle of a pattern. Pure data; printing draws it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from cardsdb.games.kit.print.symbols import CARD

# Lattice of a game that declares none.
LATTICE = "M0 12 L12 0 L24 12 L12 24 Z"


@dataclass(frozen=True, slots=True)
class Back:
    """A back: our ``emblem`` and one tile of its ``pattern``, both SVG path data on a grid of 24 x 24.

    A tile is its own mirror image from side to side and from top to bottom, or nearly, so that the
    cut may be a little off. ``label`` says which deck it is of a game with several, ``types`` are
    the types of card it belongs to (none: all that no other back takes), ``colour`` is its ground,
    the game's hue where it is empty.
    """

    emblem: str = CARD
    pattern: str = LATTICE
    label: str = ""
    types: tuple[str, ...] = ()
    colour: str = ""


def back_for(backs: Iterable[Back], card_type: str) -> Back:
    """The back of a type of card; the plain one of a game that declares none for it."""
    given = tuple(backs)
    own = next((back for back in given if card_type in back.types), None)
    return own or next((back for back in given if not back.types), Back())
