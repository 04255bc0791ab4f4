"""``Wish``: what an owner wants of all pictures of an upload, and the columns that each picture gets from it.

Read by ``jobs.py``, ``pictures.py``, ``placing.py``, ``taking_in.py``, ``printing/web/picture_forms.py`` and
the commands ``own`` and ``print_deck``; tested through uploads (``test_jobs.py``, ``tests/printing/web``).
"""

from argparse import ArgumentParser
from collections.abc import Mapping
from typing import Any, Literal, NamedTuple

from cardsdb.box.intake import CleanPicture
from cardsdb.box.picture_files.ref import shape_of
from cardsdb.games.kit import Game


class Wish(NamedTuple):
    """What an owner wants of all pictures of an upload.

    ``use``: "card" for whole cards, "art" for the window of the drawn face, "" to decide by each picture's
    shape. ``edge``: what is printed outside the cut line, as in ``PictureRef``; "" decides by the picture:
    bleed that is found is cut off, an edge without bleed is mirrored or filled as its border suggests.
    "mirrored" keeps found bleed visible on the card. ``bleed``, in micrometres, counts only if "included".
    """

    use: Literal["", "card", "art"] = ""
    edge: str = ""
    bleed: int = 0


# No wish: everything is decided by the picture.
AS_FOUND = Wish()
# The names of form fields and command options that set a Wish.
FIELDS = ("pictures_as", "pictures_bleed")
# Value of ``pictures_bleed`` -> the ``edge`` of a picture with bleed: the bleed is cut off at the card's edge
# ("cut"), or shown on the card and mirrored beyond it ("keep").
EDGE_OF_BLEED = {"cut": "included", "keep": "mirrored"}


def add_wish(parser: ArgumentParser) -> None:
    """Add the options of a Wish to a command that takes pictures in."""
    help_text = (
        "pictures as whole cards, or as art in the faces’ windows; without it as the shape of each tells"
    )
    parser.add_argument("--pictures-as", choices=("card", "art"), default="", help=help_text)
    help_text = (
        "bleed that is found in pictures: cut off at the card’s edge (cut), or shown on the card (keep)"
    )
    parser.add_argument("--pictures-bleed", choices=("cut", "keep"), default="cut", help=help_text)


def wish_of(values: Mapping[str, Any]) -> Wish:
    """Return the Wish of a form or of command options. Values that are not valid count as absent, and "cut"
    is the default, so it sets no edge: ``{"pictures_as": "art", "pictures_bleed": "keep"}`` ->
    ``Wish(use="art", edge="mirrored")``.
    """
    use, bleed = (values.get(field, "") for field in FIELDS)
    return Wish(use if use in ("card", "art") else "", EDGE_OF_BLEED["keep"] if bleed == "keep" else "")


def settled(wish: Wish, picture: CleanPicture, game: Game, side: str) -> dict[str, Any]:
    """Return the columns ``use``, ``edge`` and ``bleed`` of a new picture, from the wish and from the picture
    itself. ``side`` is "front" or "back"; a back is always the whole card.

    Without a wish, a picture in the shape of a card with 3 mm of bleed gets ``{"use": "card", "edge":
    "included", "bleed": 3175}`` (the nearest usual width), one in the shape of the card ``{"use": "card",
    "edge": "mirrored", "bleed": 0}``, a square one ``{"use": "art", "edge": "mirrored", "bleed": 0}``.
    """
    shape = shape_of(picture.upright, game.trim, picture.border)
    bleed = wish.bleed if wish.edge == "included" else shape.bleed
    use = wish.use or ("card" if shape.is_card else "art")
    return {
        "use": "card" if side == "back" else use,
        "edge": wish.edge or ("included" if bleed else picture.border.edge(min(game.trim))),
        "bleed": bleed,
    }
