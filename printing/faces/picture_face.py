"""A picture as the drawing of a card: fitted into the cut line, and carried on beyond it for the bleed."""

from __future__ import annotations

from printing.faces.colours import PAPER
from printing.faces.strokes import Drawing, Picture, Rect
from printing.pictures.ref import PictureRef, lying, part_on

# The mirrored edges reach so far in under the picture itself, so that no renderer shows a hairline between them.
UNDER = 200


def picture_drawing(name: str, ref: PictureRef, trim: tuple[int, int], bleed: int = 0) -> Drawing:
    """The card that shows this picture, with its bleed outside of the cut line. One that is wider than high lies across an upright card."""
    width, height = lying(ref, trim)
    return Drawing(name, width, height, picture_strokes(ref, (width, height), bleed), turned=(width, height) != trim)


def picture_strokes(ref: PictureRef, trim: tuple[int, int], bleed: int = 0) -> tuple[Rect | Picture, ...]:
    """The strokes of it. Edges are mirrored by placing the same picture again, flipped: nothing is encoded anew."""
    width, height = trim
    own = ref.own_bleed
    crop, (x, y, wide, high) = part_on(ref, width + 2 * own, height + 2 * own)
    paper = Rect(-bleed, -bleed, width + 2 * bleed, height + 2 * bleed, PAPER)
    picture = _within(Picture(x - own, y - own, wide, high, ref, crop), trim, min(own, bleed))
    lacking = bleed - own
    if lacking <= 0 or ref.edge == "none" or ref.fit == "whole":
        return paper, picture
    edges = [
        _edge(picture, across, down, lacking) for across, down in ((-1, -1), (1, -1), (-1, 1), (1, 1), (0, -1), (0, 1), (-1, 0), (1, 0))
    ]
    return paper, *edges, picture


def _within(picture: Picture, trim: tuple[int, int], out: int) -> Picture:
    """So much of the picture as lies on the card and ``out`` beyond it: of a bleed that is too wide for the print the rest is cut off."""
    left, top = max(picture.x, -out), max(picture.y, -out)
    right, foot = min(picture.x + picture.width, trim[0] + out), min(picture.y + picture.height, trim[1] + out)
    across, down = picture.crop[2] / picture.width, picture.crop[3] / picture.height
    crop = (
        picture.crop[0] + (left - picture.x) * across,
        picture.crop[1] + (top - picture.y) * down,
        (right - left) * across,
        (foot - top) * down,
    )
    return Picture(left, top, right - left, foot - top, picture.image, crop)


def _edge(picture: Picture, across: int, down: int, bleed: int) -> Picture:
    """What lies at one side or corner of the picture, as in a mirror that stands on its edge: the cut line, or where its own bleed ends."""
    left, top, wide_px, high_px = picture.crop
    across_px, down_px = wide_px / picture.width, high_px / picture.height
    deep = bleed + UNDER
    x, width, flip = picture.x, picture.width, ""
    if across:
        flip, width = "x", deep
        x = picture.x - bleed if across < 0 else picture.x + picture.width - UNDER
        # Mirrored at the edge the window shows what lies from UNDER outside of it to ``bleed`` inside.
        left = left - UNDER * across_px if across < 0 else left + wide_px - bleed * across_px
        wide_px = deep * across_px
    y, height = picture.y, picture.height
    if down:
        flip, height = flip + "y", deep
        y = picture.y - bleed if down < 0 else picture.y + picture.height - UNDER
        top = top - UNDER * down_px if down < 0 else top + high_px - bleed * down_px
        high_px = deep * down_px
    return Picture(x, y, width, height, picture.image, (left, top, wide_px, high_px), flip)
