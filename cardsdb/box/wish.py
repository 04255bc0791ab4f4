"""``Wish``: what an owner wants of all pictures of an upload, and the columns that each picture gets from it.

``wish_of`` reads a Wish from a form (``printing/web/picture_forms.py``) or from the options of the commands
``own`` and ``print_deck``; ``settled`` applies it to one picture (called by ``placing.py``, ``jobs.py``,
``package_pictures.py`` and ``taking_in.py``). Tests: ``tests/cardsdb/box/test_jobs.py``, and
``test_picture_views.py`` and ``test_package_pictures.py`` in ``tests/printing/web``.
"""

from argparse import ArgumentParser
from collections.abc import Mapping
from typing import Any, Literal, NamedTuple

from cardsdb.box.intake import CleanPicture
from cardsdb.box.picture_files.ref import shape_of
from cardsdb.games.kit import Game


class Wish(NamedTuple):
    """What an owner wants of all pictures of an upload; "" leaves it to each picture.

    ``use``: "card" for whole cards, "art" for the window of the drawn face. ``edge``: what is printed outside
    the cut line, as in ``PictureRef``; found bleed is shown on the card if it is "mirrored", and cut off if
    it is "". ``bleed``: micrometres of a picture that are bleed; counts only with the edge "included".
    """

    use: Literal["", "card", "art"] = ""
    edge: str = ""
    bleed: int = 0


# Everything is left to the pictures.
AS_FOUND = Wish()
# The names of form fields and command options that set a Wish.
FIELDS = (USE_FIELD, BLEED_FIELD) = ("pictures_as", "pictures_bleed")
# Value of ``pictures_bleed`` -> the ``edge`` of a picture with bleed: the bleed is cut off at the card's edge
# ("cut"), or shown on the card and mirrored beyond it ("keep").
EDGE_OF_BLEED = {"cut": "included", "keep": "mirrored"}


def add_wish(parser: ArgumentParser) -> None:
    """Add the options of a Wish to a command that takes pictures in."""
    about_use = (
        "pictures as whole cards, or as art in the faces’ windows; without it as the shape of each tells"
    )
    about_bleed = (
        "bleed that is found in pictures: cut off at the card’s edge (cut), or shown on the card (keep)"
    )
    parser.add_argument("--pictures-as", choices=("card", "art"), default="", help=about_use)
    parser.add_argument("--pictures-bleed", choices=("cut", "keep"), default="cut", help=about_bleed)


def wish_of(values: Mapping[str, Any]) -> Wish:
    """Return the Wish of a form or of command options: ``{"pictures_as": "art", "pictures_bleed": "keep"}``
    -> ``Wish(use="art", edge="mirrored")``. A value that is not valid counts as absent.
    """
    use = values.get(USE_FIELD)
    # Found bleed is cut off without a wish too, so "cut" sets no edge.
    keeps_bleed = values.get(BLEED_FIELD) == "keep"
    return Wish(
        use=use if use in ("card", "art") else "",
        edge=EDGE_OF_BLEED["keep"] if keeps_bleed else "",
    )


def settled(wish: Wish, picture: CleanPicture, game: Game, side: str) -> dict[str, Any]:
    """Return the columns ``use``, ``edge`` and ``bleed`` of a new picture, from the wish and from the picture
    itself. ``side`` is "front" or "back"; a back is always the whole card. Without a wish::

        a card with 3 mm of bleed   {"use": "card", "edge": "included", "bleed": 3175}, a usual width
        a card without bleed        {"use": "card", "edge": "mirrored", "bleed": 0}
        a square                    {"use": "art", "edge": "mirrored", "bleed": 0}
    """
    shape = shape_of(picture.upright, game.trim, picture.border)
    bleed = wish.bleed if wish.edge == "included" else shape.bleed
    found_use = "card" if shape.is_card else "art"
    found_edge = "included" if bleed else picture.border.edge(min(game.trim))
    return {
        "use": "card" if side == "back" else wish.use or found_use,
        "edge": wish.edge or found_edge,
        "bleed": bleed,
    }
