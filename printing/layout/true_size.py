"""The part of a calibration sheet that is measured with a ruler, and the correction that the measures give.
Pure.

Printers may shorten what they print and put it off its place. Side A of the sheet has two lines. Seen as the
paper lies, line ``a`` runs down its left or right side and line ``b`` along its top. Each is centred on its
side, ``AWAY`` from the edge. Every edge has a stair of short lines, one for each millimetre, which shows how
close to the edge the printer prints. `calibration` draws all that, and its sheet asks for the measures.
``printing/web/calibration_views.py`` reads them from a form and asks for the ``shift``. Lengths are
micrometres. Tests: ``tests/printing/layout/test_true_size.py``.
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

        The steps of a stair follow each other along the edge, half of them on either side of its middle.
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
        """Return the shift that corrects these measures.

        It lengthens by as much as the lines came out too short, and turns and moves them to their right
        place. What was not measured is not corrected.
        """
        width, height = self.paper.lengths
        high = measures.high or self.high
        # The factors by which the printer shortened, 1 if the length was not measured; 0 cannot be measured.
        across = (measures.wide or self.wide) / self.wide
        down = high / self.high
        ends = [end for end in (measures.upper, measures.lower) if end is not None]
        turn, x, y = 0.0, 0.0, 0.0
        if len(ends) == 2:
            # How much farther right the upper end is. A line that leans to the right was turned clockwise, so
            # the correction, clockwise if positive, has the other sign.
            leans = ends[1] - ends[0] if self.on_right else ends[0] - ends[1]
            sine = leans / high
            # Absurd measures, which ``calibration`` refuses later, are no sine.
            turn = -math.degrees(math.asin(max(-1.0, min(1.0, sine))))
        if ends:
            from_left = sum(ends) / len(ends)
            place, found = (width - AWAY, width - from_left) if self.on_right else (AWAY, from_left)
            x = _moved(width / 2, place, found, across)
        if measures.top is not None:
            y = _moved(height / 2, AWAY, measures.top, down)
        # ``Shift`` counts lengthening in hundredths of a per cent, and turns in hundredths of a degree.
        wider, higher = (round((1 / scale - 1) * 10_000) for scale in (across, down))
        return Shift(round(x), round(y), round(turn * 100), wider, higher)


def _line_length(side: int) -> int:
    """Return the length of the line along a side of the paper, in whole centimetres.

    On tiny paper a line of one centimetre comes closer to the corners than ``FROM_CORNERS``, but
    ``calibration.room_for_rulers`` refuses such paper.
    """
    return max(1, (side - 2 * FROM_CORNERS) // (10 * MM)) * 10 * MM


def _moved(middle: float, place: float, found: float, scale: float) -> float:
    """Return the move that brings a line from ``found`` to ``place``.

    A ``Shift`` first corrects the lengths, about the ``middle`` of the paper. Then it moves.
    """
    lengthened = middle + (found - middle) / scale
    return place - lengthened
