"""The part of a calibration sheet that is measured with a ruler, and the correction that the measures give.
Pure.

A printer may print too short, turned, or in the wrong place. Side A of the sheet has two lines: line ``a``
runs down the left or right side of the paper, line ``b`` along its top, each ``AWAY`` from its edge. Every
edge has a stair of short lines, one for each millimetre, which shows how close to it the printer prints.

`calibration` draws all that. ``printing/web/calibration_views.py`` reads the measures from a form and asks
for the ``shift``. Lengths are micrometres. Keep the signs: ``tests/printing/layout/test_true_size.py``
prints with a wrong printer, corrects it once, and checks every corner.
"""

import math
from typing import NamedTuple

from printing.layout.geometry import Segment
from printing.options.duplex import Shift
from printing.options.sizes import MM, Size

# The distance of both lines from their edge, and the least distance of their ends from the corners.
AWAY = 16 * MM
FROM_CORNERS = 34 * MM
# The number of steps of a stair, one for each millimetre; even, so that a step begins in the middle.
STEPS = 12
# The length of a step along the edge.
STEP_LENGTH = 2_600


class Measured(NamedTuple):
    """The measures that a person took from a sheet, in micrometres; None for a measure that was not taken.

    ``wide`` and ``high``: the lengths of lines ``b`` and ``a``. ``top``: the distance of ``b`` from the top
    edge. ``upper`` and ``lower``: the distances of the two ends of ``a`` from its edge.
    """

    wide: int | None = None
    high: int | None = None
    top: int | None = None
    upper: int | None = None
    lower: int | None = None


class Ruled(NamedTuple):
    """The lines to be measured on a paper as it lies.

    ``on_right``: line ``a`` stands at the right edge, not the left.
    """

    paper: Size
    on_right: bool

    @property
    def wide(self) -> int:
        """The true length of line ``b``."""
        return _line_length(self.paper.width)

    @property
    def high(self) -> int:
        """The true length of line ``a``."""
        return _line_length(self.paper.height)

    @property
    def lines(self) -> tuple[Segment, Segment]:
        """Line ``a`` and line ``b``."""
        width, height = self.paper.lengths
        x = width - AWAY if self.on_right else AWAY
        top, left = (height - self.high) // 2, (width - self.wide) // 2
        return Segment(x, top, x, top + self.high), Segment(left, AWAY, left + self.wide, AWAY)

    def stairs(self) -> list[tuple[int, Segment]]:
        """Return the steps at all four edges, each with its distance from its edge in millimetres.

        The steps of a stair follow each other along the edge, half of them on either side of its middle. The
        first step at the upper edge of A4: ``(1, Segment(x1=89400, y1=1000, x2=92000, y2=1000))``.
        """
        width, height = self.paper.lengths
        steps = []
        for number in range(1, STEPS + 1):
            away, from_middle = number * MM, (number - 1 - STEPS // 2) * STEP_LENGTH
            x, y = width // 2 + from_middle, height // 2 + from_middle
            for line in (away, height - away):
                steps.append((number, Segment(x, line, x + STEP_LENGTH, line)))
            for line in (away, width - away):
                steps.append((number, Segment(line, y, line, y + STEP_LENGTH)))
        return steps

    def shift(self, measures: Measured) -> Shift:
        """Return the shift that corrects these measures. What was not measured is not corrected.

        A line ``a`` on the left of A4, printed turned and out of place (lengths in mm)::

            edge of the paper
            |<----- 17 ----->/   upper     Its upper end leans 1 mm to the right over 220 mm, so it was
            |               /              turned clockwise by 0.26 degrees, and is turned back.
            |<---- 16 ---->/     lower     Its middle lies at 16.5, not 16, so it is moved left by 0.5.

        ``Measured(upper=17_000, lower=16_000)`` gives ``Shift(x=-500, turn=-26)``. On the right side the same
        distances lean to the left: ``Shift(x=500, turn=26)``.
        """
        width, height = self.paper.lengths
        line_a, line_b = self.lines
        high = measures.high or self.high
        # The factors by which the printer shortened, 1 if the length was not measured; 0 cannot be measured.
        across = (measures.wide or self.wide) / self.wide
        down = high / self.high
        ends = [end for end in (measures.upper, measures.lower) if end is not None]
        turn, x, y = 0.0, 0.0, 0.0
        if len(ends) == 2:
            upper, lower = ends
            # How much farther right the upper end is. Distances from the right edge grow to the left.
            leans_right = lower - upper if self.on_right else upper - lower
            # Absurd measures are no sine; ``calibration.stacked`` refuses the turn that they give.
            sine = max(-1.0, min(1.0, leans_right / high))
            # A line that leans right was turned clockwise, as ``turn`` counts: minus turns it back.
            turn = -math.degrees(math.asin(sine))
        if ends:
            from_edge = sum(ends) / len(ends)
            printed_at = width - from_edge if self.on_right else from_edge
            x = _moved(width / 2, line_a.x1, printed_at, across)
        if measures.top is not None:
            y = _moved(height / 2, line_b.y1, measures.top, down)
        # ``Shift`` counts lengthening in hundredths of a per cent, and turns in hundredths of a degree.
        wider, higher = (round((1 / scale - 1) * 10_000) for scale in (across, down))
        return Shift(round(x), round(y), round(turn * 100), wider, higher)


def _line_length(side: int) -> int:
    """Return the length of the line along a side of the paper, in whole centimetres.

    On tiny paper a line of one centimetre comes closer to the corners than ``FROM_CORNERS``, but
    ``calibration.room_for_rulers`` refuses such paper.
    """
    return max(1, (side - 2 * FROM_CORNERS) // (10 * MM)) * 10 * MM


def _moved(middle: float, place: float, printed_at: float, scale: float) -> float:
    """Return the move that brings a line from where it was printed to its ``place``.

    A ``Shift`` first corrects the lengths, about the ``middle`` of the paper, and then moves. A printer that
    shortens to 99 per cent and errs in nothing else prints a line for 16.0 mm at 16.89 mm, and the move is 0:
    lengthening already takes the line to its place.
    """
    lengthened = middle + (printed_at - middle) / scale
    return place - lengthened
