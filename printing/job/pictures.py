"""The own pictures that a print shows, also on cards of its other games and sizes, and those of them that print softly."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from cardsdb.games.kit.model.text import plural
from printing.faces.strokes import Drawing, Picture
from printing.options.values import Options
from printing.pictures.ref import GOOD_PPI, PictureLost, PictureRef, an_inch, ppi

Places = dict[tuple[str, str], PictureRef]


class UsedPicture(NamedTuple):
    """A picture at one place of the print, with its pixels an inch there."""

    name: str
    ref: PictureRef
    ppi: int


def places_used(pictures: Mapping[tuple[str, str], PictureRef], codes: Iterable[str], options: Options) -> Places:
    """The own pictures that are printed with the cards of these codes, by (card's code, front or back)."""
    shown = set(codes) if options.shows_pictures else set()
    places = {(code, "front") for code in shown}
    if options.backs != "none" and shown:
        places |= {(code, "back") for code in (*shown, "")}
    return {place: ref for place, ref in pictures.items() if place in places}


def on_cards(places: Places, names: Mapping[str, str], size: tuple[int, int]) -> Iterator[UsedPicture]:
    """The pictures of these places on cards of this size, by the cards' names."""
    for (code, side), ref in places.items():
        name = f"{names.get(code, 'all cards')}, {side}" if side == "back" else names[code]
        yield UsedPicture(name, ref, ppi(ref, size))


def on_drawings(drawings: Iterable[Drawing | None]) -> Iterator[UsedPicture]:
    """The pictures in drawings, such as cards of other games: each drawing once, without the mirrored edges of its picture."""
    for drawing in {id(drawing): drawing for drawing in drawings if drawing}.values():
        for stroke in drawing.strokes:
            if isinstance(stroke, Picture) and not stroke.flip:
                yield UsedPicture(drawing.name, stroke.image, pixels_an_inch(stroke))


def refuse_lost(pictures: Iterable[UsedPicture]) -> None:
    """Raise PictureLost for a picture whose file is gone, before anything is drawn or sent."""
    for ref in {used.ref.sha256: used.ref for used in pictures}.values():
        if not Path(ref.file()).is_file():
            raise PictureLost.of(ref)


def pixels_an_inch(picture: Picture) -> int:
    """The pixels an inch of a picture as it is placed."""
    _, _, across, down = picture.crop
    return an_inch(across, down, picture.width, picture.height)


# The most pictures that are named; the rest are counted.
NAMED = 3


class SoftPicture(NamedTuple):
    """A picture with fewer pixels an inch than a sharp print needs."""

    name: str
    ppi: int


def soft_pictures(used: Iterable[UsedPicture]) -> tuple[SoftPicture, ...]:
    """The pictures that print softly, softest first."""
    soft = dict.fromkeys(SoftPicture(one.name, one.ppi) for one in used if one.ppi < GOOD_PPI)
    return tuple(sorted(soft, key=lambda one: (one.ppi, one.name)))


def in_words(soft: tuple[SoftPicture, ...]) -> str:
    """``2 pictures under 300 ppi: Kai 212 ppi, Lucky Shot 250 ppi``; empty for none."""
    if not soft:
        return ""
    listed = ", ".join(f"{one.name} {one.ppi} ppi" for one in soft[:NAMED])
    more = f" and {len(soft) - NAMED} more" if len(soft) > NAMED else ""
    return f"{len(soft)} {plural(len(soft), 'picture')} under {GOOD_PPI} ppi: {listed}{more}"
