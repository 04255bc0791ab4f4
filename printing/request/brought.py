"""Texts and pictures out of files on this machine, for one print: no database is asked."""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from cardsdb.box.comparing import texts_of_file
from cardsdb.box.intake import AS_FOUND, Wish
from cardsdb.box.package_pictures import pictures_for_one_print, place_pictures
from cardsdb.box.picture_files.ref import PictureRef
from cardsdb.box.reading.container import BadPackage, opened
from cardsdb.box.reading.programs import package_of
from cardsdb.box.reading.rows import guessed
from cardsdb.faults import Fault, Refused
from cardsdb.games.kit import Game


@dataclass(frozen=True)
class Brought:
    """What whoever prints has at hand: card code -> text; (card code, side) -> picture; of one game.

    ``remarks``: what was not understood.
    """

    game: str = ""
    texts: Mapping[str, str] = field(default_factory=dict)
    pictures: Mapping[tuple[str, str], PictureRef] = field(default_factory=dict)
    remarks: tuple[str, ...] = ()


NOTHING = Brought()


def add_wish(parser: ArgumentParser) -> None:
    """Options of a command that takes pictures in: what they are of their cards, and what becomes of their
    bleed.
    """
    help_text = (
        "pictures as whole cards, or as art in the faces’ windows; without it as the shape of each tells"
    )
    parser.add_argument("--pictures-as", choices=("card", "art"), default="", help=help_text)
    help_text = (
        "bleed that is found in pictures: cut off at the card’s edge (cut), or shown on the card (keep)"
    )
    parser.add_argument("--pictures-bleed", choices=("cut", "keep"), default="cut", help=help_text)


def brought(game: Game, texts: str, pictures: str, folder: Path, wish: Wish = AS_FOUND) -> Brought:
    """Read the files of these names, empty for none. ``folder`` holds pictures until the print is made.
    Raises Refused.
    """
    # Most prints bring nothing: what reads packages is imported when there is one.
    words: Mapping[str, str] = {}
    refs: dict[tuple[str, str], PictureRef] = {}
    remarks: list[str] = []
    try:
        if texts:
            words, not_understood = texts_of_file(game, Path(texts))
            remarks += not_understood
        if pictures:
            with opened(Path(pictures)) as files:
                package = package_of(files, Path(pictures).name)
                placed = place_pictures(package, game, guessed(package, game))
                refs |= pictures_for_one_print(package, placed, folder, game, wish)
                remarks += [f"{one.file}: {one.reason}" for one in placed.problems]
    except BadPackage as error:
        raise Refused(Fault(error.code, error.message, texts or pictures)) from None
    except OSError as error:
        raise Refused(
            Fault("unreadable", f"{error.filename} cannot be read: {error.strerror}.", texts or pictures)
        ) from None
    return Brought(game.slug, words, refs, tuple(remarks))
