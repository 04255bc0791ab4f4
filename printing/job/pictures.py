"""The own pictures that a print shows, also on cards of its other games and sizes, and those of them that
print softly.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from cardsdb.box.picture_files.ref import PictureRef
from cardsdb.games.kit.model.text import plural, some
from printing.faces.own_pictures import GOOD_PPI, PictureLost, an_inch, ppi
from printing.faces.strokes import Drawing, Picture
from printing.options.values import Options

# The most pictures that are named; the rest are counted.
NAMED = 3
Places = dict[tuple[str, str], PictureRef]


class UsedPicture(NamedTuple):
    """A picture at one place of the print, with its pixels an inch there."""

    name: str
    ref: PictureRef
    ppi: int


def places_used(
    pictures: Mapping[tuple[str, str], PictureRef], codes: Iterable[str], options: Options
) -> Places:
    """The own pictures that are printed with the cards of these codes, by (card's code, front or back)."""
    shown = set(codes) if options.shows_pictures else set()
    places = {(code, "front") for code in shown}
    if options.backs != "none" and shown:
        places |= {(code, "back") for code in (*shown, "")}
    return {place: ref for place, ref in pictures.items() if place in places}


def on_cards(places: Places, names: Mapping[str, str], size: tuple[int, int]) -> Iterator[UsedPicture]:
    """The pictures of these places that are whole cards of this size, by the cards' names."""
    for (code, side), ref in places.items():
        if ref.use == "art" and side == "front":
            continue
        name = f"{names.get(code, 'all cards')}, {side}" if side == "back" else names[code]
        yield UsedPicture(name, ref, ppi(ref, size))


def on_drawings(drawings: Iterable[Drawing | None]) -> Iterator[UsedPicture]:
    """The pictures in drawings, such as cards of other games: each drawing once, without the mirrored edges
    of its picture.
    """
    for drawing in {id(drawing): drawing for drawing in drawings if drawing}.values():
        for stroke in drawing.strokes:
            if isinstance(stroke, Picture) and not stroke.flip:
                yield UsedPicture(drawing.name, stroke.image, pixels_an_inch(stroke))


def refuse_lost(pictures: Iterable[UsedPicture]) -> None:
    """Raise PictureLost for a picture whose file is gone, before anything is drawn or sent."""
    for ref in {used.ref.sha256: used.ref for used in pictures}.values():
        if "" not in ref.sizes:
            raise PictureLost.of(ref)


def pixels_an_inch(picture: Picture) -> int:
    """The pixels an inch of a picture as it is placed."""
    _, _, across, down = picture.crop
    return an_inch(across, down, picture.width, picture.height)


def about_pictures(used: Iterable[UsedPicture], faces: Iterable[Drawing]) -> Iterator[str]:
    """What a print does with bleed that pictures have, and which of ``faces`` have no room for the picture of
    their window.
    """
    with_bleed = {one.name: one.ref for one in used if one.ref.bleed and one.ref.use == "card"}
    cut = [name for name, ref in with_bleed.items() if ref.own_bleed]
    whole = [name for name, ref in with_bleed.items() if not ref.own_bleed]
    if cut:
        has = plural(len(cut), "picture has", "pictures have")
        yield (
            f"{len(cut)} {has} bleed of {plural(len(cut), 'its', 'their')} own, which is cut off at the edge"
            f" of the card: {_named(cut)}."
        )
    if whole:
        has = plural(len(whole), "picture shows its", "pictures show their")
        yield f"{len(whole)} {has} own bleed on the card, as you chose: {_named(whole)}."
    if full := [
        face.name for face in faces if not any(isinstance(stroke, Picture) for stroke in face.strokes)
    ]:
        yield (
            f"The text leaves no room for a picture in the window of {some(len(full), 'card')}:"
            f" {_named(full)}."
        )


def _named(names: list[str]) -> str:
    more = f" and {len(names) - NAMED} more" if len(names) > NAMED else ""
    return f"{', '.join(names[:NAMED])}{more}"


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
    return (
        f"{len(soft)} {plural(len(soft), 'picture')} under {GOOD_PPI} ppi:"
        f" {_named([f'{one.name} {one.ppi} ppi' for one in soft])}"
    )
