"""What the shape and the border of a picture tell: whether it is a whole card, and how much bleed it has.
Pure: numbers only.
"""

from __future__ import annotations

from typing import NamedTuple

# A picture this near to the card's shape is the card without bleed, one this far from it is no card, in
# thousandths of the ratio.
_SAME, _OTHER = 12, 45
# Micrometres of bleed that a ratio may tell: less is how scans differ, more is another shape.
_LEAST, _MOST = 1_500, 5_500
# The widths in use, and how near to one the ratio must come to mean it.
_USUAL, _NEAR = (3_175, 3_000, 2_000, 5_000), 400
# An even margin that ends before this part of the supposed bleed, in per cent, ends inside of it: it is the
# edge of a scan.
_ENDS_INSIDE = 60


class Border(NamedTuple):
    """The narrowest even margin round a picture, in thousandths of its shorter side; whether its corners are
    cut off, as a card's are.
    """

    margin: int = 0
    cut_corners: bool = False


UNSEEN = Border()


class Shape(NamedTuple):
    """``bleed``: micrometres of the picture that lie outside the card on each side."""

    is_card: bool
    bleed: int = 0


def upright(width: int, height: int, turn: int) -> tuple[int, int]:
    """Width and height in pixels of a picture of this many that is turned to stand upright."""
    return (height, width) if turn % 180 else (width, height)


def shape_of(size: tuple[int, int], trim: tuple[int, int], border: Border) -> Shape:
    """What an upright picture of this many pixels is to cards of this size. A card that is shown lying is a
    card all the same.
    """
    (short_px, long_px), (short, long) = sorted(size), sorted(trim)
    ratio, card = short_px / long_px, short / long
    off = round(abs(ratio / card - 1) * 1000)
    if off <= _SAME:
        return Shape(True)
    bleed = round((ratio * long - short) / (2 * (1 - ratio))) if ratio < 1 else 0
    if _LEAST <= bleed <= _MOST and not border.cut_corners:
        bleed = next((usual for usual in _USUAL if abs(usual - bleed) <= _NEAR), bleed)
        deep = 1000 * bleed // (short + 2 * bleed)
        if not 0 < border.margin * 100 < deep * _ENDS_INSIDE:
            return Shape(True, bleed)
    return Shape(off <= _OTHER)
