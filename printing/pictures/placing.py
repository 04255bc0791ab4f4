"""A picture as the drawing of a card: fitted into the cut line, and carried on beyond it for the bleed."""

from __future__ import annotations

from printing.colours import PAPER
from printing.pictures.reference import PictureRef, lying, part_on
from printing.strokes import Drawing, Picture, Rect

# The mirrored edges reach so far in under the picture itself, so that no renderer shows a hairline between them.
UNDER = 200


def picture_drawing(name: str, ref: PictureRef, trim: tuple[int, int], bleed: int = 0) -> Drawing:
    """The card that shows this picture, with its bleed outside of the cut line. One that is wider than high lies across an upright card."""
    width, height = lying(ref, trim)
    return Drawing(name, width, height, picture_strokes(ref, (width, height), bleed), turned=(width, height) != trim)


def picture_strokes(ref: PictureRef, trim: tuple[int, int], bleed: int = 0) -> tuple[Rect | Picture, ...]:
    """The strokes of it. Edges are mirrored by placing the same picture again, flipped: nothing is encoded anew."""
    width, height = trim
    out = bleed if ref.edge == "included" else 0
    crop, (x, y, wide, high) = part_on(ref, width + 2 * out, height + 2 * out)
    paper = Rect(-bleed, -bleed, width + 2 * bleed, height + 2 * bleed, PAPER)
    picture = Picture(x - out, y - out, wide, high, ref, crop)
    if not bleed or out or ref.fit == "whole":
        return paper, picture
    edges = [_edge(picture, across, down, bleed) for across, down in ((-1, -1), (1, -1), (-1, 1), (1, 1), (0, -1), (0, 1), (-1, 0), (1, 0))]
    return paper, *edges, picture


def _edge(picture: Picture, across: int, down: int, bleed: int) -> Picture:
    """What lies at one side or corner of the picture, as in a mirror that stands on the cut line."""
    left, top, wide_px, high_px = picture.crop
    across_px, down_px = wide_px / picture.width, high_px / picture.height
    deep = bleed + UNDER
    x, width, flip = picture.x, picture.width, ""
    if across:
        flip, width = "x", deep
        x = picture.x - bleed if across < 0 else picture.x + picture.width - UNDER
        # Mirrored at the cut line the window shows what lies from UNDER outside of it to ``bleed`` inside.
        left = left - UNDER * across_px if across < 0 else left + wide_px - bleed * across_px
        wide_px = deep * across_px
    y, height = picture.y, picture.height
    if down:
        flip, height = flip + "y", deep
        y = picture.y - bleed if down < 0 else picture.y + picture.height - UNDER
        top = top - UNDER * down_px if down < 0 else top + high_px - bleed * down_px
        high_px = deep * down_px
    return Picture(x, y, width, height, picture.image, (left, top, wide_px, high_px), flip)
