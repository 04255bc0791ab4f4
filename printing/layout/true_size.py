"""The part of a calibration sheet that is measured with a ruler: how much a printer shortens, where it puts
fronts, and how near to each edge it prints. Pure.

Side A has line ``a`` along one long side and line ``b`` along the top, each in the middle of its side and
``AWAY`` from the edge, and a stair of short lines at every edge, one for each millimetre.
"""

import math
from typing import NamedTuple

from printing.layout.geometry import Segment
from printing.options.duplex import Shift
from printing.options.sizes import MM, Size

# The distance of both lines from their edge, and of their ends from the corners.
AWAY, FROM_CORNERS = 16 * MM, 34 * MM
# The furthest step of a stair, and the length of a step along the edge.
STEPS, STEP_LENGTH = 12, 2_600


class Measured(NamedTuple):
    """The measures of a sheet, in micrometres; None for a measure that was not taken.

    ``wide`` and ``high``: the lengths of ``b`` and ``a``. ``top``: the distance of ``b`` from the top edge;
    ``upper`` and ``lower``: the distances of the ends of ``a`` from its edge.
    """

    wide: int | None = None
    high: int | None = None
    top: int | None = None
    upper: int | None = None
    lower: int | None = None


class Ruled(NamedTuple):
    """The lines of a paper as it lies; ``on_right``: line ``a`` stands at the right edge."""

    paper: Size
    on_right: bool

    @property
    def wide(self) -> int:
        """The length of line ``b``."""
        return _ruled(self.paper.width)

    @property
    def high(self) -> int:
        """The length of line ``a``."""
        return _ruled(self.paper.height)

    @property
    def lines(self) -> tuple[Segment, Segment]:
        """Line ``a`` and line ``b``."""
        width, height = self.paper.lengths
        x, top, left = (
            width - AWAY if self.on_right else AWAY,
            (height - self.high) // 2,
            (width - self.wide) // 2,
        )
        return Segment(x, top, x, top + self.high), Segment(left, AWAY, left + self.wide, AWAY)

    def stairs(self) -> list[tuple[int, Segment]]:
        """The steps at all four edges, each with the number of millimetres from its edge."""
        width, height = self.paper.lengths
        steps = []
        for number in range(1, STEPS + 1):
            along, away = (number * 2 - STEPS - 2) * STEP_LENGTH // 2, number * MM
            x, y = width // 2 + along, height // 2 + along
            steps += [(number, Segment(x, at, x + STEP_LENGTH, at)) for at in (away, height - away)] + [
                (number, Segment(at, y, at, y + STEP_LENGTH)) for at in (away, width - away)
            ]
        return steps

    def shift(self, read: Measured) -> Shift:
        """The shift that corrects these measures: longer by as much as the lines came out too short, turned
        and moved to their right place.
        """
        width, height = self.paper.lengths
        across, down = (read.wide or self.wide) / self.wide, (read.high or self.high) / self.high
        ends = [one for one in (read.upper, read.lower) if one is not None]
        turn, x, y = 0.0, 0.0, 0.0
        if len(ends) == 2:
            leans = (ends[0] - ends[1]) * (-1 if self.on_right else 1)
            turn = -math.degrees(math.asin(max(-1.0, min(1.0, leans / (read.high or self.high)))))
        if ends:
            from_left = sum(ends) / len(ends)
            place, found = (width - AWAY, width - from_left) if self.on_right else (AWAY, from_left)
            x = _moved(width / 2, place, found, across)
        if read.top is not None:
            y = _moved(height / 2, AWAY, read.top, down)
        wider, higher = (round((1 / scale - 1) * 10_000) for scale in (across, down))
        return Shift(round(x), round(y), round(turn * 100), wider, higher)


def _ruled(side: int) -> int:
    """The length of the line along a side, in whole centimetres."""
    return max(1, (side - 2 * FROM_CORNERS) // (10 * MM)) * 10 * MM


def _moved(middle: float, place: float, found: float, scale: float) -> float:
    """The move that brings a line to its place, after all lengths are corrected about the middle of the
    paper.
    """
    return (middle - found) / scale - middle + place
