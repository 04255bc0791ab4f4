"""An own picture as strokes: as the whole card, bleed included, or in the window of a drawn face."""

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from cardsdb.box.picture_files.ref import PictureRef
from cardsdb.games.kit import plural, some
from cardsdb.games.kit.print.face import Box
from printing.faces.colours import INK, PAPER
from printing.faces.strokes import Drawing, Path, Picture, Rect, Stroke, polygon
from printing.options.values import CannotPrint, Options

# The part of the picture's edge, in micrometres, that is stretched over the bleed if edges are repeated.
_REPEATED = 250
# The distance by which mirrored edges reach in under the picture itself, so that no renderer shows a hairline
# between them.
_UNDER = 200
# The line round a picture in a window.
_FRAME = 150
MICROMETRES = 25_400
# Pixels an inch of a sharp print, which print services ask for.
GOOD_PPI = 300


class PictureLost(CannotPrint):
    """The file of a picture is gone, or is not the one that was stored."""

    code = "picture_lost"
    field = "pictures"

    @classmethod
    def of(cls, ref: PictureRef) -> "PictureLost":
        """The error for this picture: its owner's name for it, and advice."""
        return cls(f"the picture “{ref.label}” cannot be read any more; delete it and send it again")


def part_on(
    ref: PictureRef, width: int, height: int
) -> tuple[tuple[float, float, float, float], tuple[int, int, int, int]]:
    """The part of the picture for an area of this size, and its place: (left, top, width, height in pixels),
    (x, y, width, height).
    """
    left, top, across, down = ref.shown
    if ref.fit == "whole":
        scale = min(width / across, height / down)
        wide, high = round(across * scale), round(down * scale)
        return (left, top, across, down), ((width - wide) // 2, (height - high) // 2, wide, high)
    # The middle of the crop, in the shape of the area.
    scale = max(width / across, height / down)
    wide_px, high_px = width / scale, height / scale
    return (left + (across - wide_px) / 2, top + (down - high_px) / 2, wide_px, high_px), (
        0,
        0,
        width,
        height,
    )


def lying(ref: PictureRef, trim: tuple[int, int]) -> tuple[int, int]:
    """The card's width and height as the picture lies: one that is wider than high lies across an upright
    card.
    """
    _, _, across, down = ref.shown
    return trim if (across > down) == (trim[0] > trim[1]) else trim[::-1]


def ppi(ref: PictureRef, trim: tuple[int, int]) -> int:
    """The pixels an inch of a picture on a card of this size. The picture's own bleed is part of it."""
    out = ref.own_bleed
    card = lying(ref, trim)
    (_, _, across, down), (_, _, width, height) = part_on(ref, card[0] + 2 * out, card[1] + 2 * out)
    return an_inch(across, down, width, height)


def an_inch(across: float, down: float, width: int, height: int) -> int:
    """Pixels an inch, rounded down, of a picture on an area of the same shape in micrometres.

    A picture has whole pixels: half a pixel too few still counts as the full size, such as 744 × 1039 for 63
    × 88 mm at 300.
    """
    return int(max((across + 0.5) / width, (down + 0.5) / height) * MICROMETRES)


def in_window(ref: PictureRef, box: Box) -> tuple[Stroke, ...]:
    """The strokes of the picture in a framed window of a face, turned as its owner chose. The excess of its
    shape is cut off, or the rest of the window stays white.
    """
    crop, (x, y, width, height) = part_on(ref, box.width, box.height)
    left, top, right, foot = box.x, box.y, box.x + box.width, box.y + box.height
    picture = Picture(box.x + x, box.y + y, width, height, ref, crop)
    frame = Path(polygon(((left, top), (right, top), (right, foot), (left, foot))), INK, _FRAME)
    return Rect(left, top, box.width, box.height, PAPER), picture, frame


def picture_drawing(name: str, ref: PictureRef, trim: tuple[int, int], bleed: int = 0) -> Drawing:
    """The card that shows this picture, which bleeds beyond the cut line. A picture that is wider than high
    lies across an upright card.
    """
    width, height = lying(ref, trim)
    return Drawing(
        name, width, height, _picture_strokes(ref, (width, height), bleed), turned=(width, height) != trim
    )


def _picture_strokes(ref: PictureRef, trim: tuple[int, int], bleed: int = 0) -> tuple[Rect | Picture, ...]:
    """The picture on paper. Mirrored or repeated edges are the same picture placed again, flipped or
    stretched: nothing is encoded anew.
    """
    width, height = trim
    own = ref.own_bleed
    crop, (x, y, wide, high) = part_on(ref, width + 2 * own, height + 2 * own)
    ground = ref.edge_colour if ref.edge == "colour" and ref.edge_colour else PAPER
    paper = Rect(-bleed, -bleed, width + 2 * bleed, height + 2 * bleed, ground)
    picture = _within(Picture(x - own, y - own, wide, high, ref, crop), trim, min(own, bleed))
    lacking = bleed - own
    if lacking <= 0 or ref.edge in ("none", "colour") or ref.fit == "whole":
        return paper, picture
    edges = [
        _edge(picture, across, down, lacking)
        for across, down in ((-1, -1), (1, -1), (-1, 1), (1, 1), (0, -1), (0, 1), (-1, 0), (1, 0))
    ]
    return paper, *edges, picture


def _within(picture: Picture, trim: tuple[int, int], out: int) -> Picture:
    """The part of the picture that lies on the card and up to ``out`` beyond it. A bleed wider than that of
    the print is cut off.
    """
    left, top = max(picture.x, -out), max(picture.y, -out)
    right, foot = (
        min(picture.x + picture.width, trim[0] + out),
        min(picture.y + picture.height, trim[1] + out),
    )
    across, down = picture.crop[2] / picture.width, picture.crop[3] / picture.height
    crop = (
        picture.crop[0] + (left - picture.x) * across,
        picture.crop[1] + (top - picture.y) * down,
        (right - left) * across,
        (foot - top) * down,
    )
    return Picture(left, top, right - left, foot - top, picture.image, crop)


def _edge(picture: Picture, across: int, down: int, bleed: int) -> Picture:
    """The mirror image at one side or corner of the picture, whose edge is the cut line or the end of its own
    bleed. If edges are repeated, the outermost strip is stretched there instead, at corners mirrored
    sideways.
    """
    left, top, wide_px, high_px = picture.crop
    across_px, down_px = wide_px / picture.width, high_px / picture.height
    deep = bleed + _UNDER
    x, width, flip = picture.x, picture.width, ""
    repeated = picture.image.edge == "repeated"
    if across:
        flip, width = "x", deep
        x = picture.x - bleed if across < 0 else picture.x + picture.width - _UNDER
        # Mirrored at the edge the window shows what lies from _UNDER outside of it to ``bleed`` inside.
        part, under = (_REPEATED, 0) if repeated and not down else (deep, _UNDER)
        left = left - under * across_px if across < 0 else left + wide_px - (part - under) * across_px
        wide_px = part * across_px
    y, height = picture.y, picture.height
    if down:
        flip, height = flip + "y", deep
        y = picture.y - bleed if down < 0 else picture.y + picture.height - _UNDER
        part, under = (_REPEATED, 0) if repeated else (deep, _UNDER)
        top = top - under * down_px if down < 0 else top + high_px - (part - under) * down_px
        high_px = part * down_px
    return Picture(x, y, width, height, picture.image, (left, top, wide_px, high_px), flip)


# -- the pictures of a print ------------------------------------------------------------

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
    """The pictures in drawings, such as cards of other games: each drawing once, without mirrored edges."""
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
    """Sentences on the use of bleed that pictures have, and on ``faces`` that have no room for the picture of
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


def soft_pictures(used: Iterable[UsedPicture]) -> tuple[UsedPicture, ...]:
    """The pictures of too few pixels, the softest first."""
    soft = {(one.ppi, one.name): one for one in used if one.ppi < GOOD_PPI}
    return tuple(soft[key] for key in sorted(soft))


def in_words(soft: tuple[UsedPicture, ...]) -> str:
    """``2 pictures under 300 ppi: Kai 212 ppi, Lucky Shot 250 ppi``; empty for none."""
    if not soft:
        return ""
    return (
        f"{some(len(soft), 'picture')} under {GOOD_PPI} ppi:"
        f" {_named([f'{one.name} {one.ppi} ppi' for one in soft])}"
    )
