"""What an owner wishes for pictures that come together, and what each picture's shape makes of it. Values
alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, NamedTuple

from cardsdb.games.kit import Game
from printing.pictures.shape import Shape, shape_of
from printing.uploads.intake import CleanPicture


class Wish(NamedTuple):
    """``use``: as which part of the card; empty: what has a card's shape is the card, the rest stands in the
    window.

    ``edge``: what is printed outside the cut line; empty: bleed that is found is cut off, and an edge without
    bleed is mirrored. An edge that is mirrored by wish shows on the card what bleed is found. ``bleed`` in
    micrometres is that of pictures by wish.
    """

    use: Literal["", "card", "art"] = ""
    edge: str = ""
    bleed: int = 0


AS_FOUND = Wish()
# The fields of a form, and options of a command, that say a wish for pictures that come together.
FIELDS = ("pictures_as", "pictures_bleed")
# Bleed that is found is cut off at the card's edge; or shown on the card, and then more is mirrored outside
# of it.
EDGE_OF_BLEED = {"cut": "included", "keep": "mirrored"}


def wish_of(said: Mapping[str, Any]) -> Wish:
    """The wish that a form or a command says; what it says wrongly is as if it said nothing, and to cut bleed
    is no wish of its own.
    """
    use, bleed = (said.get(field, "") for field in FIELDS)
    return Wish(use if use in ("card", "art") else "", EDGE_OF_BLEED["keep"] if bleed == "keep" else "")


def settled(wish: Wish, picture: CleanPicture, game: Game, side: str) -> dict[str, Any]:
    """The columns of a picture that follow from the wish and from what is seen in the picture."""
    return decided(wish, shape_of(picture.upright, game.trim, picture.border), side)


def decided(wish: Wish, shape: Shape, side: str) -> dict[str, Any]:
    """``use``, ``edge`` and ``bleed`` for a picture of this shape. A back is always the whole card."""
    use = "card" if side == "back" or shape.is_card else "art"
    bleed = wish.bleed if wish.edge == "included" else shape.bleed
    edge = wish.edge or ("included" if bleed else "mirrored")
    return {"use": "card" if side == "back" else wish.use or use, "edge": edge, "bleed": bleed}
