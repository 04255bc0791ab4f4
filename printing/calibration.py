"""How far a printer puts backs beside fronts: the sheet that shows it, and what its readings mean. Pure.

Both sides carry rows of lines, the back's a little further apart. Held against light, the line of each
side that meet are those where the shift has made up the difference; the back's have numbers, and the
number is how far backs must be moved, in millimetres. Everything is the same from left to right and
from top to bottom, so that it does not matter over which edge the paper is turned.
"""

from __future__ import annotations

import math
from functools import partial
from typing import Literal, NamedTuple

from cardsdb.games.kit.face import Align, Font
from printing import fonts, linebreak
from printing.colours import INK, ROLES
from printing.imposition import SheetSide, Shift
from printing.papers import MM, Size, shown
from printing.strokes import Line, Stroke, TextRun

# The back's lines are so far apart, the front's so much less: each line on is two tenths of a millimetre.
PITCH, STEP = 5 * MM, 200
# More than 2.4 mm cannot be read from the lines, because they would meet the next; the rulers read that.
MOST_LINES = 12
# What the options of a print take.
MOST_SHIFT, MOST_TURN = 10 * MM, 300
# A printer prints no nearer to the edge.
EDGE = 8 * MM
# The strips across lie so far from the edges, their lines reach so far to either side.
FROM_EDGE, INNER, OUTER = 26 * MM, 3_500, 9 * MM
_FRONT_PEN, _BACK_PEN = 250, 150
RULER = 12 * MM
UNMOVED = Shift()
ROOM_FOR_WORDS = 180 * MM


class Readings(NamedTuple):
    """What was read, in micrometres: strip 1 across the top, strip 2 across the foot, strip 3 down the middle."""

    top: int
    foot: int
    middle: int


class OutOfReach(ValueError):
    """The backs would have to be moved further than prints can be."""


def measured(readings: Readings, paper: Size) -> Shift:
    """How backs must be moved and turned for these readings of this paper.

    A turn moves the top strip one way and the foot strip the other: half their sum is the shift, their difference the turn.
    """
    apart = paper.height - 2 * FROM_EDGE
    turn = math.degrees(math.asin(max(-1.0, min(1.0, (readings.top - readings.foot) / apart))))
    return Shift((readings.top + readings.foot) // 2, readings.middle, round(turn * 100))


def stacked(before: Shift, more: Shift) -> Shift:
    """The shift that was in force when a sheet was printed, and what was then still to do. Raises OutOfReach."""
    total = Shift(before.x + more.x, before.y + more.y, before.turn + more.turn)
    if max(abs(total.x), abs(total.y)) > MOST_SHIFT or abs(total.turn) > MOST_TURN:
        most = f"{MOST_SHIFT // MM} mm or turned by more than {MOST_TURN // 100} degrees"
        raise OutOfReach(f"backs cannot be moved by more than {most}: check the signs, and that the sheet was printed at 100 per cent")
    return total


def back_options(shift: Shift) -> dict[str, str]:
    """The print options that move backs so, as they stand in an address."""
    said = {"back_x": shown(shift.x), "back_y": shown(shift.y), "back_turn": f"{shift.turn / 100:g}"}
    return {name: value for name, value in said.items() if value != "0"}


def lines_across(paper: Size) -> int:
    """How many lines either way from the middle the paper has room for."""
    room = min(paper.width // 2 - EDGE - 3 * MM, paper.height // 2 - FROM_EDGE - 18 * MM)
    return max(1, min(MOST_LINES, room // PITCH))


def calibration_sheet(
    paper: Size, shift: Shift = UNMOVED, edge: Literal["long", "short"] = "long", name: str = ""
) -> tuple[SheetSide, ...]:
    """Front and back of the sheet, the back moved by what is in force already."""
    front = _Side(paper, PITCH - STEP, _FRONT_PEN)
    back = _Side(paper, PITCH, _BACK_PEN)
    for side in (front, back):
        side.rows(numbered=side is back)
        side.rulers(numbered=side is back)
    front.words("Calibration sheet, side A", _how(edge), name)
    back.words("Side B: read this side", _read(shift), name)
    return (
        SheetSide(1, "front", (), "Side A", over=tuple(front.strokes)),
        SheetSide(1, "back", (), "Side B", over=tuple(back.strokes), shift=shift),
    )


def _how(edge: str) -> tuple[str, ...]:
    return (
        f"1. Print both pages on one sheet: on both sides, turned over the {edge} edge, at 100 per cent, not “fit to page”.",
        "2. Hold the sheet against a window or a lamp, side B towards you, its words upright.",
        "3. Side A shines through. Now read side B.",
    )


def _read(shift: Shift) -> tuple[str, ...]:
    force = f"{shown(shift.x)} mm right, {shown(shift.y)} mm down, turned {shift.turn / 100:g}°" if any(shift) else "none"
    return (
        "4. In each strip find the thin line that runs straight on into the thick lines of side A. Read its number, with its sign. "
        "Between two lines take the number between.",
        "5. If a whole strip is off, read where the thick cross lies on the rulers, and take that number for the strips: "
        "across for 1 and 2, down for 3.",
        "6. Enter the numbers on the page “Printer calibration”, print this sheet again with them and read once more. Noughts: done.",
        f"Moved already: {force}.",
    )


class _Side:
    """One side being drawn: ``pitch`` from line to line."""

    def __init__(self, paper: Size, pitch: int, pen: int) -> None:
        self.paper, self.pitch, self.pen = paper, pitch, pen
        self.across, self.down = paper.width // 2, paper.height // 2
        self.strokes: list[Stroke] = []

    def rows(self, numbered: bool) -> None:
        """Strips 1 and 2 across, strip 3 down the middle. The back's lines lie between two rows of the front's."""
        count = lines_across(self.paper)
        reaches = ((-INNER, INNER),) if numbered else ((-OUTER, -INNER), (INNER, OUTER))
        for number in range(-count, count + 1):
            off, label = number * self.pitch, _signed(number * STEP)
            for strip in (FROM_EDGE, self.paper.height - FROM_EDGE):
                for near, far in reaches:
                    self._line(self.across + off, strip + near, self.across + off, strip + far)
                if numbered:
                    # Towards the middle of the sheet, where no printer's margin cuts them off.
                    below = strip + OUTER + 3_400 if strip < self.down else strip - OUTER - 1_400
                    self._set(label, self.across + off, below, "centre", "sans-bold" if number == 0 else "sans", 65)
            for near, far in reaches:
                self._line(self.across + near, self.down + off, self.across + far, self.down + off)
            if numbered:
                self._set(label, self.across + OUTER + 1_200, self.down + off + 800, "left", "sans-bold" if number == 0 else "sans", 65)
        if numbered:
            left = self.across - count * self.pitch
            self._set("1", left - 4_500, FROM_EDGE + 1_500, "right", "sans-bold", 130)
            self._set("2", left - 4_500, self.paper.height - FROM_EDGE + 1_500, "right", "sans-bold", 130)
            self._set("3", self.across - OUTER - 2_000, self.down + 1_500, "right", "sans-bold", 130)

    def rulers(self, numbered: bool) -> None:
        """A cross left and right on the front; rulers in millimetres through the same points on the back."""
        if self.paper.width < 120 * MM:
            return
        for x in (self.paper.width // 6, self.paper.width - self.paper.width // 6):
            y = self.down
            self._line(x - RULER, y, x + RULER, y)
            self._line(x, y - RULER, x, y + RULER)
            for tick in range(-RULER // MM, RULER // MM + 1) if numbered else ():
                long = 1_600 if tick % 5 == 0 else 800
                self._line(x + tick * MM, y - long, x + tick * MM, y + long)
                self._line(x - long, y + tick * MM, x + long, y + tick * MM)
                # The front lies where the back has too little: a cross left of the middle asks for a move to the left.
                if tick % 5 == 0 and tick:
                    self._set(_signed(tick * MM), x + tick * MM, y - 2_200, "centre", "sans", 60)
                    self._set(_signed(tick * MM), x + 2_200, y + tick * MM + 700, "left", "sans", 60)

    def words(self, title: str, lines: tuple[str, ...], name: str) -> None:
        """What to do, left of strip 3, above and below the cross. Small paper has room to say where it is told."""
        if self.paper.width < ROOM_FOR_WORDS:
            lines = ("How to read it: see the page “Printer calibration”.",)
        left, width = EDGE + 4 * MM, self.across - OUTER - 12 * MM - EDGE - 4 * MM
        top = FROM_EDGE + 22 * MM
        title_size = min(fonts.micrometres(120), width * 1000 // fonts.width("sans-bold", title))
        self._set(title, left, top, "left", "sans-bold", 0, title_size)
        y = top + 2 * MM
        if name:
            y = self._fill(fonts.plain(f"{name}, {self.paper.name}"), left, y, width, 4 * MM)
        half = (len(lines) + 1) // 2
        room = self.down - RULER - 6 * MM
        self._column(lines[:half], left, y + 2 * MM, width, room)
        low = self.down + RULER + 6 * MM
        self._column(lines[half:], left, low, width, self.paper.height - FROM_EDGE - 16 * MM)

    def _column(self, lines: tuple[str, ...], x: int, top: int, width: int, bottom: int) -> None:
        for number, line in enumerate(lines):
            top = self._fill(line, x, top, width, max(MM, (bottom - top) // (len(lines) - number))) + 1_500

    def _fill(self, text: str, x: int, top: int, width: int, room: int) -> int:
        """A paragraph, as large as lets it stand; returns where it ends."""
        size = fonts.micrometres(95)
        fitted = linebreak.fill(text, width, room, size, fonts.micrometres(50), partial(fonts.width, "sans"))
        for index, line in enumerate(fitted.lines):
            self._set(line, x, top + fitted.size * 4 // 5 + index * fitted.pitch, "left", "sans", 0, fitted.size)
        return top + len(fitted.lines) * fitted.pitch

    def _set(self, text: str, x: int, y: int, align: Align, font: Font, tenths: int, size: int = 0) -> None:
        size = size or fonts.micrometres(tenths)
        x -= {"left": 0, "centre": 1, "right": 2}[align] * (fonts.width(font, text) * size // 2000)
        for run_font, run in fonts.split(font, text):
            reach = fonts.width(run_font, run) * size // 1000
            self.strokes.append(TextRun(x, y, run, run_font, size, reach, INK if "bold" in font else ROLES["soft"]))
            x += reach

    def _line(self, x1: int, y1: int, x2: int, y2: int) -> None:
        self.strokes.append(Line(x1, y1, x2, y2, self.pen, INK))


def _signed(length: int) -> str:
    """A reading as it is printed: ``+0.4``, ``−1``, ``0``."""
    return shown(abs(length)) if not length else ("+" if length > 0 else "−") + shown(abs(length))
