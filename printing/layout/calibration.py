"""The calibration sheet of a printer: its drawing, and the arithmetic that turns its readings into print
options.

A printer rarely puts the back of a sheet exactly behind its front. Both sides of this sheet have rows of
lines, 5 mm apart on the back and 4.8 mm on the front, like the two scales of a caliper. Held against light,
two lines meet where the printer's error makes up for the difference. If backs come 0.4 mm too far left, line
2 of the back is at 10 - 0.4 mm and meets line 2 of the front at 9.6 mm; its number, +0.4, is the correction.

A change must keep the sheet symmetric, so that it does not matter over which edge the paper is turned. Pure;
called by ``printing/web/calibration_views.py``. Tests: ``tests/printing/layout/test_calibration.py``; of
readings from a simulated printer ``tests/printing/options/test_duplex.py``.
"""

import math
from typing import NamedTuple

from cardsdb.games.kit.print.face import Align, Font
from printing.faces import fonts
from printing.faces.colours import INK, ROLES
from printing.faces.strokes import Line, Stroke, text_runs
from printing.layout.imposition import SheetSide
from printing.layout.true_size import AWAY, Ruled
from printing.options.duplex import DuplexMode, Edge, Shift, in_words
from printing.options.sizes import MM, Size, shown

# All lengths are micrometres.
# The back's lines are PITCH apart, the front's STEP less, so each further line stands for 0.2 mm more.
PITCH = 5 * MM
STEP = 200
# The number of lines on either side of the middle one. Beyond 12 x 0.2 mm a line of the front would meet the
# wrong line of the back; larger shifts are read from the rulers.
MAX_LINES = 12
# The limits of the print options: 10 mm, 3 degrees (in hundredths) and 3 per cent (in hundredths).
MAX_SHIFT = 10 * MM
MAX_TURN = 300
MAX_LONGER = 300
# Nothing is drawn nearer to the edge of the paper than this.
EDGE = 8 * MM
# The distance of strips 1 and 2 from the upper and lower edge of the paper.
FROM_EDGE = 26 * MM
# The back's lines reach INNER to either side of the middle of their strip; the front's go on to OUTER.
INNER = 3_500
OUTER = 9 * MM
# The front's lines are thick, so that they shine through the paper.
_FRONT_PEN = 350
_BACK_PEN = 150
# Half the length of a ruler, and of each arm of the crosses.
RULER = 12 * MM
UNMOVED = Shift()
# The print options that describe a printer, with the values that move nothing.
NOT_MOVED = {
    "back_x": "0",
    "back_y": "0",
    "back_turn": "0",
    "front_x": "0",
    "front_y": "0",
    "front_turn": "0",
    "scale_x": "100",
    "scale_y": "100",
    "back_read": "here",
}
# Paper whose shorter side is less has no room for the instructions.
ROOM_FOR_WORDS = 200 * MM
# The height of a line of the instructions.
LEAD = 4_200
# Placeholders among the paragraphs of the instructions: a drawing stands there instead of words.
PICTURE = "(picture)"
BLANKS = "(blanks)"
# The paragraphs of the instructions above the rulers, and those below them.
_Words = tuple[tuple[str, ...], tuple[str, ...]]


class Readings(NamedTuple):
    """The numbers that a person reads from the three strips, in micrometres.

    ``top`` is strip 1, across the top; ``foot`` strip 2, across the foot; ``middle`` strip 3, down the
    middle.
    """

    top: int
    foot: int
    middle: int


class OutOfReach(ValueError):
    """The readings ask for a larger correction than a print can have."""


def measured(readings: Readings, paper: Size) -> Shift:
    """Return the shift of backs that corrects these readings.

    ``paper`` is the paper as it lay in the printer.

    A turn moves the top strip one way and the foot strip the other: half of their sum is the sideways shift,
    and their difference gives the turn. The readings follow the lines of the turned back, so the shift is
    turned as well. On A4, ``Readings(top=400, foot=0, middle=200)`` gives ``Shift(x=200, y=200, turn=9)``.
    """
    between_strips = paper.height - 2 * FROM_EDGE
    sine = (readings.top - readings.foot) / between_strips
    # Absurd readings, which `stacked` refuses later, are no sine.
    turn = math.degrees(math.asin(max(-1.0, min(1.0, sine))))
    return Shift(turn=round(turn * 100)).after(Shift((readings.top + readings.foot) // 2, readings.middle))


def stacked(before: Shift, more: Shift) -> Shift:
    """Return the total of the shift with which a sheet was printed and the shift that was then read from it.

    Raise OutOfReach if a print cannot be corrected that much.
    """
    total = before.after(more)
    # Rounded to 0.01 mm: finer than an eye can read, and short enough to print.
    total = total._replace(x=round(total.x, -1), y=round(total.y, -1))
    if max(abs(total.wider), abs(total.higher)) > MAX_LONGER:
        raise OutOfReach(
            f"no print is made longer or shorter by more than {MAX_LONGER // 100} per cent: check which"
            " line you measured, and that the sheet was printed at 100 per cent"
        )
    if max(abs(total.x), abs(total.y)) > MAX_SHIFT or abs(total.turn) > MAX_TURN:
        most = f"{MAX_SHIFT // MM} mm or turned by more than {MAX_TURN // 100} degrees"
        raise OutOfReach(
            f"nothing can be moved by more than {most}: check the signs, and that the sheet was printed at"
            " 100 per cent"
        )
    return total


def back_options(shift: Shift, mode: DuplexMode, front: Shift = UNMOVED) -> dict[str, str]:
    """Return the print options for these shifts, as option name -> value.

    Options that move nothing are left out.

    ``mode`` is the duplex mode of the sheet that was read. ``front`` is the correction of both sides, for the
    paper as it lay. For example, a back that must go 0.4 mm to the right gives ``{"back_x": "0.4",
    "back_read": "long"}``.
    """
    wider, higher = (front.higher, front.wider) if mode.landscape else (front.wider, front.higher)
    options = {"scale_x": f"{100 + wider / 100:g}", "scale_y": f"{100 + higher / 100:g}"}
    for side, moved in (("back", shift), ("front", front)):
        options |= {
            f"{side}_x": shown(moved.x),
            f"{side}_y": shown(moved.y),
            f"{side}_turn": f"{moved.turn / 100:g}",
        }
    # Moves and turns depend on the duplex mode in which they were read; lengths do not.
    if any((*shift[:3], *front[:3])):
        options["back_read"] = mode.slug
    return {name: value for name, value in options.items() if value != NOT_MOVED[name]}


def lying(paper: Size, landscape: bool) -> Size:
    """Return the paper, turned so that it lies in landscape or in portrait."""
    lies_so = paper.width == paper.height or (paper.width > paper.height) == landscape
    return paper if lies_so else paper.across()


def lines_across(paper: Size) -> int:
    """Return the number of lines on either side of the middle line that fit on the paper; 12 on A4."""
    # Kept free beside the last lines: 3 mm for half a number, 18 mm for strips 1 and 2 and their numbers.
    room = min(paper.width // 2 - EDGE - 3 * MM, paper.height // 2 - FROM_EDGE - 18 * MM)
    return max(1, min(MAX_LINES, room // PITCH))


def calibration_sheet(
    paper: Size, shift: Shift = UNMOVED, edge: Edge = "long", name: str = "", front: Shift = UNMOVED
) -> tuple[SheetSide, ...]:
    """Return the front and the back of the calibration sheet for a paper as it lies.

    ``shift`` is the correction of backs that is already in force; it moves the back. ``front`` is the
    correction of both sides. ``name`` is the printer's name, for the heading.
    """
    mode = DuplexMode(edge, paper.width > paper.height)
    ruled = ruled_for(paper, edge)
    side_a, side_b = _Side(paper, PITCH - STEP, _FRONT_PEN), _Side(paper, PITCH, _BACK_PEN, numbered=True)
    heading = ", ".join(filter(None, (name, paper.name, mode.words)))
    if room_for_rulers(paper):
        side_a.ruler_lines(ruled)
    side_a.words("Calibration sheet, side A", heading, _instructions_a(mode, ruled), right=not ruled.on_right)
    side_b.words("Side B: read this side", heading, _instructions_b(shift))
    back_shift = shift.after(front.seen_from_behind((edge == "long") != mode.landscape))
    return (
        SheetSide(1, "front", (), "Side A", over=tuple(side_a.strokes), shift=front),
        SheetSide(1, "back", (), "Side B", over=tuple(side_b.strokes), shift=back_shift),
    )


def ruled_for(paper: Size, edge: Edge) -> Ruled:
    """Return the lines of side A that are measured with a ruler.

    Line ``a`` stands on the side where side B has no words behind it.
    """
    return Ruled(paper, (edge == "long") != (paper.width > paper.height))


def room_for_rulers(paper: Size) -> bool:
    """Return whether the paper has room for the rulers and for the lines to be measured."""
    return paper.width >= 120 * MM and paper.height >= 165 * MM


def _instructions_a(mode: DuplexMode, ruled: Ruled) -> _Words:
    """Return the instructions on side A: how to print and hold the sheet, and what to measure."""
    return (
        (
            f"1. Print the two pages on the two sides of one sheet: {mode.words}, at 100 per cent (“actual"
            " size”), not “fit to page”."
        ),
        (
            "2. Hold the sheet against a window or a lamp, side B towards you, its words upright. Side A"
            " shines through."
        ),
        "3. Now read side B.",
    ), (
        (
            "For true size, measure this side with a ruler, if you like: how long the lines a"
            f" ({shown(ruled.high)} mm) and b ({shown(ruled.wide)} mm) are, how far a lies from its edge"
            f" at both ends, and b from the top ({shown(AWAY)} mm each)."
        ),
        "For margins, read at each edge the smallest number whose line is printed whole.",
    )


def _instructions_b(shift: Shift) -> _Words:
    """Return the instructions on side B: how to read strips and rulers, and what to do with the readings."""
    return (
        (
            "4. In each of the strips 1, 2 and 3 find the thin line that runs straight on into the thick"
            " lines of side A. Read its number, with its sign. Between two lines take the number between. In"
            " this picture it is +0.4:"
        ),
        PICTURE,
    ), (
        (
            "5. If a whole strip is off, read where the thick cross lies on the rulers, and take that number:"
            " across for strips 1 and 2, down for strip 3."
        ),
        "6. Write the numbers here and enter them on the page “Printer calibration”:",
        BLANKS,
        "7. Print the sheet again from there. When all three strips read 0, you are done.",
        f"Backs are already moved by: {in_words(shift) or 'nothing'}.",
    )


class _Side:
    """One side of the sheet while it is drawn: strips and rulers at once, the rest on request.

    ``pitch`` is the distance between the lines of its strips. The back is ``numbered``: its lines have
    numbers. Plain numbers below are distances of words from their line, in micrometres, chosen by eye.
    """

    def __init__(self, paper: Size, pitch: int, pen: int, numbered: bool = False) -> None:
        self.paper, self.pitch, self.pen, self.numbered = paper, pitch, pen, numbered
        self.across, self.down = paper.width // 2, paper.height // 2
        self.strokes: list[Stroke] = []
        self._draw_strips()
        self._draw_rulers()

    def _draw_strips(self) -> None:
        """Draw strips 1 and 2 across the sheet and strip 3 down its middle.

        The back's lines lie between two rows of the front's lines, so that both can be seen against the
        light.
        """
        count, foot = lines_across(self.paper), self.paper.height - FROM_EDGE
        reaches = ((-INNER, INNER),) if self.numbered else ((-OUTER, -INNER), (INNER, OUTER))
        for number in range(-count, count + 1):
            offset, label = number * self.pitch, _signed(number * STEP)
            font: Font = "sans" if number else "sans-bold"
            for strip in (FROM_EDGE, foot):
                for near, far in reaches:
                    self._line(self.across + offset, strip + near, self.across + offset, strip + far)
                if self.numbered:
                    # The numbers stand towards the middle, where no printer's margin cuts them off.
                    below = strip + OUTER + 3_400 if strip < self.down else strip - OUTER - 1_400
                    self._text(label, self.across + offset, below, "centre", font, 65)
            for near, far in reaches:
                self._line(self.across + near, self.down + offset, self.across + far, self.down + offset)
            if self.numbered:
                self._text(label, self.across + OUTER + 1_200, self.down + offset + 800, "left", font, 65)
        if self.numbered:
            left, beside = self.across - count * self.pitch - 4_500, self.across - OUTER - 2_000
            for name, x, y in (("1", left, FROM_EDGE), ("2", left, foot), ("3", beside, self.down)):
                self._text(name, x, y + 1_500, "right", "sans-bold", 130)

    def ruler_lines(self, ruled: Ruled) -> None:
        """Draw lines ``a`` and ``b`` with their names, and the stairs at all edges."""
        for name, line in zip("ab", ruled.lines, strict=True):
            self._line(*line)
            for x, y in ((line.x1, line.y1), (line.x2, line.y2)):
                tick = (x - 1_500, y, x + 1_500, y) if name == "a" else (x, y - 1_500, x, y + 1_500)
                self._line(*tick)
            x, y = (line.x1, line.y1 - 2_500) if name == "a" else (line.x1 - 3_500, line.y1 + 1_400)
            self._text(name, x, y, "centre", "sans-bold", 110)
        for number, step in ruled.stairs():
            self._line(*step)
            x, y = (step.x1 + step.x2) // 2, (step.y1 + step.y2) // 2
            if step.y1 == step.y2:
                self._text(str(number), x, y + (2_000 if y < self.down else -600), "centre", "sans", 50)
            elif x < self.across:
                self._text(str(number), x + 500, y + 600, "left", "sans", 50)
            else:
                self._text(str(number), x - 500, y + 600, "right", "sans", 50)

    def _draw_rulers(self) -> None:
        """Draw two crosses on the front, and rulers in millimetres through the same points on the back."""
        if not room_for_rulers(self.paper):
            return
        for x in (self.paper.width // 6, self.paper.width - self.paper.width // 6):
            y = self.down
            self._line(x - RULER, y, x + RULER, y)
            self._line(x, y - RULER, x, y + RULER)
            for tick in range(-RULER // MM, RULER // MM + 1) if self.numbered else ():
                long = 1_600 if tick % 5 == 0 else 800
                self._line(x + tick * MM, y - long, x + tick * MM, y + long)
                self._line(x - long, y + tick * MM, x + long, y + tick * MM)
                # Numbers are signed as moves of the back: a cross left of the middle asks for a move to the
                # left.
                if tick % 5 == 0 and tick:
                    self._text(_signed(tick * MM), x + tick * MM, y - 2_200, "centre", "sans", 60)
                    self._text(_signed(tick * MM), x + 2_200, y + tick * MM + 700, "left", "sans", 60)

    def words(self, title: str, heading: str, lines: _Words, right: bool = False) -> None:
        """Draw the title and the instructions beside strip 3, above and below the rulers.

        ``right`` puts them right of the strip instead of left. Small paper has room only for a reference to
        the page.
        """
        small = min(self.paper.lengths) < ROOM_FOR_WORDS
        upper, lower = (("How to read it: see the page “Printer calibration”.",), ()) if small else lines
        # From 4 mm inside the edge to 12 mm, the room for a number, beside the lines of strip 3.
        width = self.across - OUTER - 12 * MM - EDGE - 4 * MM
        left = self.paper.width - EDGE - 4 * MM - width if right else EDGE + 4 * MM
        top = FROM_EDGE + 22 * MM
        title_size = min(fonts.micrometres(120), width * 1000 // fonts.width("sans-bold", title))
        self._text(title, left, top, "left", "sans-bold", 0, title_size)
        top = self._paragraph(fonts.plain(heading), left, top + 2 * MM, width, 2 * LEAD)
        self._paragraphs(upper, left, top + 2 * MM, width, self.down - RULER - 5 * MM)
        self._paragraphs(
            lower, left, self.down + RULER + 5 * MM, width, self.paper.height - FROM_EDGE - 15 * MM
        )

    def _paragraphs(self, blocks: tuple[str, ...], x: int, top: int, width: int, bottom: int) -> None:
        """Draw the paragraphs one below the other between ``top`` and ``bottom``.

        Each gets a share of the height in proportion to its letters.
        """
        # Placeholder -> (its drawing, the height of that).
        drawings = {PICTURE: (self._picture, 17 * MM), BLANKS: (self._blanks, 11 * MM)}
        room = bottom - top - sum(drawings[block][1] for block in blocks if block in drawings)
        letters = sum(len(block) for block in blocks if block not in drawings)
        for block in blocks:
            if block in drawings:
                draw, height = drawings[block]
                draw(x, top, width)
                top += height
            else:
                share = max(LEAD, room * len(block) // letters)
                top = self._paragraph(block, x, top, width, share) + 1_500

    def _picture(self, x: int, top: int, width: int) -> None:
        """Draw an example: five lines of a strip against the light, the fourth of which meets its line."""
        pitch, thick, first = 10 * MM, 9 * MM, x + min(width // 4, 12 * MM)
        for number in range(5):
            thin_x, thick_x = first + number * pitch, first + 3 * pitch + (number - 3) * thick
            for near in (0, 8 * MM):
                self.strokes.append(
                    Line(thick_x, top + near, thick_x, top + near + 4 * MM, _FRONT_PEN, ROLES["soft"])
                )
            self._line(thin_x, top + 4 * MM, thin_x, top + 8 * MM)
            label = _signed((number - 1) * STEP)
            self._text(label, thin_x, top + 15 * MM, "centre", "sans-bold" if number == 3 else "sans", 65)

    def _blanks(self, x: int, top: int, width: int) -> None:
        """Draw a blank for the number of each strip, to be filled in with a pencil."""
        for number in range(3):
            left = x + number * width // 3
            self._text(str(number + 1), left, top + 6 * MM, "left", "sans-bold", 110)
            self._line(left + 4 * MM, top + 7 * MM, left + width // 3 - 4 * MM, top + 7 * MM)

    def _paragraph(self, text: str, x: int, top: int, width: int, room: int) -> int:
        """Draw a paragraph in the largest type that fits ``room``, and return the y at which it ends."""
        size = fonts.micrometres(95)
        fitted = fonts.fill(text, width, room, size, fonts.micrometres(50), "sans")
        for index, line in enumerate(fitted.lines):
            self._text(
                line, x, top + fitted.size * 4 // 5 + index * fitted.pitch, "left", "sans", 0, fitted.size
            )
        return top + len(fitted.lines) * fitted.pitch

    def _text(self, text: str, x: int, y: int, align: Align, font: Font, tenths: int, size: int = 0) -> None:
        """Draw one line of text in type of ``tenths`` of a point, or of ``size`` micrometres if given."""
        size = size or fonts.micrometres(tenths)
        # Half the width is taken off once for centred words, twice for words that end at x.
        x -= {"left": 0, "centre": 1, "right": 2}[align] * (fonts.width(font, text) * size // 2000)
        self.strokes += text_runs(text, font, size, x, y, INK)

    def _line(self, x1: int, y1: int, x2: int, y2: int) -> None:
        self.strokes.append(Line(x1, y1, x2, y2, self.pen, INK))


def _signed(length: int) -> str:
    """Return a reading as it is printed: 400 -> ``+0.4``, -1000 -> ``−1``, 0 -> ``0``."""
    sign = "+" if length > 0 else "−" if length else ""
    return sign + shown(abs(length))
