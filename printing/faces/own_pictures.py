"""Own pictures as strokes: as a whole card with its bleed, or in the window of a drawn face; and remarks
about them.

A `PictureRef` (`cardsdb.box.picture_files.ref`) says how its owner wants the picture cropped, turned and
edged. `compose` and `printing.job` call this module. Pictures are never encoded anew here: a `Picture` stroke
only says which part of the stored file is shown where. A picture of too few pixels is printed and reported; a
picture whose file is gone stops the print (`refuse_lost`). Tests: windows, remarks and lost files in
``tests/printing/faces/test_own_pictures.py``; printed results in ``tests/printing/pictures``.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from cardsdb.box.picture_files.ref import PictureRef
from cardsdb.games.kit import plural, some
from cardsdb.games.kit.print.face import Box
from printing.faces.colours import INK, PAPER
from printing.faces.strokes import Drawing, Path, Picture, Rect, Stroke, rounded
from printing.options.sizes import INCH
from printing.options.values import CannotPrint, Options

# Lengths are micrometres.
# The width of the outermost strip of a picture that is stretched over the bleed if edges are repeated.
_REPEATED = 250
# How far mirrored edges reach under the picture itself, so that no renderer shows a hairline between them.
_UNDER = 200
# The line around a picture in a window.
_FRAME = 150
# The pixels per inch of a sharp print, for which print services ask.
GOOD_PPI = 300


class PictureLost(CannotPrint):
    """The file of a picture is gone, or is not the one that was stored."""

    code = "picture_lost"
    field = "pictures"

    @classmethod
    def of(cls, ref: PictureRef) -> "PictureLost":
        """Return the error for this picture, which names it as its owner does and says what to do."""
        return cls(f"the picture “{ref.label}” cannot be read any more; delete it and send it again")


def part_on(
    ref: PictureRef, width: int, height: int
) -> tuple[tuple[float, float, float, float], tuple[int, int, int, int]]:
    """Return the part of the picture that is shown on an area of this size, and where.

    These are (left, top, width, height) in pixels of the picture, and (x, y, width, height) on the area.
    ``fit`` "whole" shows all of the picture and leaves borders; otherwise the middle fills the area. A square
    of 1000 pixels on a card of 63000 x 88000 micrometres::

        fill:   (142.05, 0, 715.91, 1000)    on (0, 0, 63000, 88000)
        whole:  (0, 0, 1000, 1000)           on (0, 12500, 63000, 63000)
    """
    left, top, across, down = ref.shown
    if ref.fit == "whole":
        scale = min(width / across, height / down)
        wide, high = round(across * scale), round(down * scale)
        return (left, top, across, down), ((width - wide) // 2, (height - high) // 2, wide, high)
    scale = max(width / across, height / down)
    wide_px, high_px = width / scale, height / scale
    part = (left + (across - wide_px) / 2, top + (down - high_px) / 2, wide_px, high_px)
    return part, (0, 0, width, height)


def lying(ref: PictureRef, trim: tuple[int, int]) -> tuple[int, int]:
    """Return the card's (width, height) as the picture lies: a wide picture lies across an upright card."""
    _, _, across, down = ref.shown
    return trim if (across > down) == (trim[0] > trim[1]) else trim[::-1]


def ppi(ref: PictureRef, trim: tuple[int, int]) -> int:
    """Return the pixels per inch of a picture that is a whole card of this size, its own bleed included."""
    out = ref.own_bleed
    card = lying(ref, trim)
    (_, _, across, down), (_, _, width, height) = part_on(ref, card[0] + 2 * out, card[1] + 2 * out)
    return an_inch(across, down, width, height)


def an_inch(across: float, down: float, width: int, height: int) -> int:
    """Return the pixels per inch, rounded down, of a part of a picture on an area in micrometres.

    Pictures have whole pixels, so a part that lacks up to half a pixel counts as full: 744 × 1039 pixels on
    63 × 88 mm are 300 per inch.
    """
    return int(max((across + 0.5) / width, (down + 0.5) / height) * INCH)


def in_window(ref: PictureRef, box: Box) -> tuple[Stroke, ...]:
    """Return the strokes of the picture in a framed window of a face.

    Borders around a whole picture stay white.
    """
    crop, (x, y, width, height) = part_on(ref, box.width, box.height)
    ground = Rect(box.x, box.y, box.width, box.height, PAPER)
    picture = Picture(box.x + x, box.y + y, width, height, ref, crop)
    return ground, picture, Path(rounded(*ground[:4], corner=0), INK, _FRAME)


def picture_drawing(name: str, ref: PictureRef, trim: tuple[int, int], bleed: int = 0) -> Drawing:
    """Return the card that shows this picture, which runs ``bleed`` beyond the cut line."""
    width, height = lying(ref, trim)
    return Drawing(
        name, width, height, _picture_strokes(ref, (width, height), bleed), turned=(width, height) != trim
    )


def _picture_strokes(ref: PictureRef, trim: tuple[int, int], bleed: int = 0) -> tuple[Rect | Picture, ...]:
    """Return the picture on paper, with its edges in the bleed.

    Mirrored or repeated edges are the same picture, placed again flipped or stretched.
    """
    width, height = trim
    own = ref.own_bleed
    crop, (x, y, wide, high) = part_on(ref, width + 2 * own, height + 2 * own)
    ground = ref.edge_colour if ref.edge == "colour" and ref.edge_colour else PAPER
    paper = Rect(-bleed, -bleed, width + 2 * bleed, height + 2 * bleed, ground)
    picture = _within(Picture(x - own, y - own, wide, high, ref, crop), trim, min(own, bleed))
    # The bleed that the picture itself does not fill.
    lacking = bleed - own
    if lacking <= 0 or ref.edge in ("none", "colour") or ref.fit == "whole":
        return paper, picture
    # Corners, sides, and last the picture: each covers the ends of those before it.
    corners, sides = ((-1, -1), (1, -1), (-1, 1), (1, 1)), ((0, -1), (0, 1), (-1, 0), (1, 0))
    edges = [_edge(picture, across, down, lacking) for across, down in (*corners, *sides)]
    return paper, *edges, picture


def _within(picture: Picture, trim: tuple[int, int], out: int) -> Picture:
    """Return the part of the picture that lies on the card or up to ``out`` beyond it."""
    left, top = max(picture.x, -out), max(picture.y, -out)
    right = min(picture.x + picture.width, trim[0] + out)
    foot = min(picture.y + picture.height, trim[1] + out)
    crop_left, crop_top, crop_width, crop_height = picture.crop
    # Pixels of the picture for a micrometre of the card.
    across, down = crop_width / picture.width, crop_height / picture.height
    crop = (
        crop_left + (left - picture.x) * across,
        crop_top + (top - picture.y) * down,
        (right - left) * across,
        (foot - top) * down,
    )
    return Picture(left, top, right - left, foot - top, picture.image, crop)


def _edge(picture: Picture, across: int, down: int, bleed: int) -> Picture:
    """Return the picture placed in the bleed at one side or corner: -1, 0 or 1 ``across`` and ``down``.

    It is mirrored at the edge of the picture. If edges are repeated, the outermost strip is stretched
    instead; at corners it is stretched downwards, and mirrored sideways.
    """
    left, top, wide_px, high_px = picture.crop
    repeated = picture.image.edge == "repeated"
    x, width, left, wide_px = _beyond(
        across, picture.x, picture.width, left, wide_px, bleed, repeated and not down
    )
    y, height, top, high_px = _beyond(down, picture.y, picture.height, top, high_px, bleed, repeated)
    flip = ("x" if across else "") + ("y" if down else "")
    return Picture(x, y, width, height, picture.image, (left, top, wide_px, high_px), flip)


def _beyond(
    side: int, start: int, length: int, crop_start: float, crop_length: float, bleed: int, repeated: bool
) -> tuple[int, int, float, float]:
    """Return the window in the bleed along one axis, and its crop: (start, length, crop start, crop length).

    ``side`` is -1 for the left or upper edge, 1 for the right or lower one, 0 along the whole picture. A card
    of 63 mm that shows 630 pixels, with a bleed of 3 mm, lengths in mm::

        left, mirrored     window -3 to 0.2     pixels -2 to 30       shown from 30 down to -2
        right, mirrored    window 62.8 to 66    pixels 600 to 632
        left, repeated     window -3 to 0.2     pixels 0 to 2.5       stretched

    The last ``_UNDER`` of a window lies under the picture itself.
    """
    if not side:
        return start, length, crop_start, crop_length
    px = crop_length / length
    window = bleed + _UNDER
    # The part of the picture that the window shows, and how much of it lies outside the picture's edge.
    part, outside = (_REPEATED, 0) if repeated else (window, _UNDER)
    if side < 0:
        return start - bleed, window, crop_start - outside * px, part * px
    return start + length - _UNDER, window, crop_start + crop_length - (part - outside) * px, part * px


# -- the pictures of a print ------------------------------------------------------------

# Sentences name this many pictures and count the rest.
NAMED = 3
# (card's code, "front" or "back") -> picture. An empty code is the back of all cards.
Places = dict[tuple[str, str], PictureRef]


class UsedPicture(NamedTuple):
    """A picture at one place of the print, and its pixels per inch there."""

    name: str
    ref: PictureRef
    ppi: int


def places_used(
    pictures: Mapping[tuple[str, str], PictureRef], codes: Iterable[str], options: Options
) -> Places:
    """Return the own pictures that are printed with the cards of these codes."""
    shown = set(codes) if options.shows_pictures else set()
    places = {(code, "front") for code in shown}
    if options.backs != "none" and shown:
        places |= {(code, "back") for code in (*shown, "")}
    return {place: ref for place, ref in pictures.items() if place in places}


def on_cards(places: Places, names: Mapping[str, str], size: tuple[int, int]) -> Iterator[UsedPicture]:
    """Yield the pictures that are whole cards of this size.

    ``names`` are the names of cards by their code.
    """
    for (code, side), ref in places.items():
        if ref.use == "art" and side == "front":
            continue
        name = f"{names.get(code, 'all cards')}, {side}" if side == "back" else names[code]
        yield UsedPicture(name, ref, ppi(ref, size))


def on_drawings(drawings: Iterable[Drawing | None]) -> Iterator[UsedPicture]:
    """Yield the pictures in drawings, such as cards of other games, without their mirrored edges."""
    for drawing in {id(drawing): drawing for drawing in drawings if drawing}.values():
        for stroke in drawing.strokes:
            if isinstance(stroke, Picture) and not stroke.flip:
                yield UsedPicture(drawing.name, stroke.image, pixels_an_inch(stroke))


def refuse_lost(pictures: Iterable[UsedPicture]) -> None:
    """Raise PictureLost if the file of a picture is gone, before anything is drawn or sent."""
    for ref in {used.ref.sha256: used.ref for used in pictures}.values():
        if "" not in ref.sizes:
            raise PictureLost.of(ref)


def pixels_an_inch(picture: Picture) -> int:
    """Return the pixels per inch of a picture as it is placed."""
    _, _, across, down = picture.crop
    return an_inch(across, down, picture.width, picture.height)


def about_pictures(used: Iterable[UsedPicture], faces: Iterable[Drawing]) -> Iterator[str]:
    """Yield sentences about the bleed of pictures, and about ``faces`` without room for their picture."""
    with_bleed = {
        picture.name: picture.ref for picture in used if picture.ref.bleed and picture.ref.use == "card"
    }
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
    full = [face.name for face in faces if not any(isinstance(stroke, Picture) for stroke in face.strokes)]
    if full:
        yield (
            f"The text leaves no room for a picture in the window of {some(len(full), 'card')}:"
            f" {_named(full)}."
        )


def _named(names: list[str]) -> str:
    """Return ``Kai, Li, Termite and 4 more``."""
    more = f" and {len(names) - NAMED} more" if len(names) > NAMED else ""
    return f"{', '.join(names[:NAMED])}{more}"


def soft_pictures(used: Iterable[UsedPicture]) -> tuple[UsedPicture, ...]:
    """Return the pictures of too few pixels, the softest first."""
    soft = {(picture.ppi, picture.name): picture for picture in used if picture.ppi < GOOD_PPI}
    return tuple(soft[key] for key in sorted(soft))


def in_words(soft: tuple[UsedPicture, ...]) -> str:
    """Return ``2 pictures under 300 ppi: Kai 212 ppi, Lucky Shot 250 ppi``; empty if there are none."""
    if not soft:
        return ""
    return (
        f"{some(len(soft), 'picture')} under {GOOD_PPI} ppi:"
        f" {_named([f'{picture.name} {picture.ppi} ppi' for picture in soft])}"
    )
