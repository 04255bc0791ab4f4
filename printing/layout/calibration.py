"""The calibration sheet of a printer, which shows how far backs are shifted against fronts, and the meaning
of its readings. Pure.

Both sides have rows of lines; the lines of the back are a little further apart. When the sheet is held
against light, two lines meet where the shift makes up for that difference. The number at the back's line is
the distance by which backs must be moved, in millimetres. The sheet is symmetric, so that it does not matter
over which edge the paper is turned.
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

# The distance of the back's lines, and by how much less the front's are apart: each line further on is two
# tenths of a millimetre.
PITCH, STEP = 5 * MM, 200
# The most lines either way: beyond 2.4 mm a line would meet the next one. Larger shifts are read from the
# rulers.
MAX_LINES = 12
# The largest shift, turn and lengthening that the options of a print take.
MAX_SHIFT, MAX_TURN, MAX_LONGER = 10 * MM, 300, 300
# Nothing is printed nearer to the edge.
EDGE = 8 * MM
# The distance of the strips across from the edges; where their lines begin and end on either side.
FROM_EDGE, INNER, OUTER = 26 * MM, 3_500, 9 * MM
_FRONT_PEN, _BACK_PEN = 350, 150
RULER = 12 * MM
UNMOVED = Shift()
# The options that a printer fills in, with the values that move nothing.
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
# The least shorter side of paper that has room for instructions, and the pitch of their lines.
ROOM_FOR_WORDS, LEAD = 200 * MM, 4_200
# Paragraphs of the instructions that are drawn.
PICTURE, BLANKS = "(picture)", "(blanks)"
# The instructions above the cross and those below it.
_Words = tuple[tuple[str, ...], tuple[str, ...]]


class Readings(NamedTuple):
    """The readings in micrometres: strip 1 across the top, strip 2 across the foot, strip 3 down the
    middle.
    """

    top: int
    foot: int
    middle: int


class OutOfReach(ValueError):
    """The backs would have to be moved further than prints can be."""


def measured(readings: Readings, paper: Size) -> Shift:
    """The shift of backs that these readings ask for. ``paper`` is as it lay in the printer.

    A turn moves the top strip one way and the foot strip the other: half their sum is the shift, their
    difference the turn. Readings lie in the turned frame, so they are turned with it.
    """
    apart = paper.height - 2 * FROM_EDGE
    turn = math.degrees(math.asin(max(-1.0, min(1.0, (readings.top - readings.foot) / apart))))
    return Shift(turn=round(turn * 100)).after(Shift((readings.top + readings.foot) // 2, readings.middle))


def stacked(before: Shift, more: Shift) -> Shift:
    """The shift with which a sheet was printed, followed by the shift that was read from it. Raises
    OutOfReach.
    """
    total = before.after(more)
    # To a hundredth of a millimetre: finer than any eye reads, and legible.
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
    """The print options for these shifts, as an address has them. ``mode`` is that of the sheet that was
    read; ``front`` corrects its paper as it lay.
    """
    wider, higher = (front.higher, front.wider) if mode.landscape else (front.wider, front.higher)
    options = {"scale_x": f"{100 + wider / 100:g}", "scale_y": f"{100 + higher / 100:g}"}
    for side, moved in (("back", shift), ("front", front)):
        options |= {
            f"{side}_x": shown(moved.x),
            f"{side}_y": shown(moved.y),
            f"{side}_turn": f"{moved.turn / 100:g}",
        }
    options |= {"back_read": mode.slug} if any((*shift[:3], *front[:3])) else {}
    return {name: value for name, value in options.items() if value != NOT_MOVED[name]}


def lying(paper: Size, landscape: bool) -> Size:
    """The paper turned to lie upright or in landscape."""
    return (
        paper if paper.width == paper.height or (paper.width > paper.height) == landscape else paper.across()
    )


def lines_across(paper: Size) -> int:
    """The number of lines, counted from the middle to one end, for which the paper has room."""
    room = min(paper.width // 2 - EDGE - 3 * MM, paper.height // 2 - FROM_EDGE - 18 * MM)
    return max(1, min(MAX_LINES, room // PITCH))


def calibration_sheet(
    paper: Size, shift: Shift = UNMOVED, edge: Edge = "long", name: str = "", front: Shift = UNMOVED
) -> tuple[SheetSide, ...]:
    """Front and back of the sheet for a paper as it lies. ``shift`` is in force already and moves the back;
    ``front`` corrects both sides.
    """
    mode = DuplexMode(edge, paper.width > paper.height)
    ruled = ruled_for(paper, edge)
    side_a, side_b = _Side(paper, PITCH - STEP, _FRONT_PEN), _Side(paper, PITCH, _BACK_PEN, numbered=True)
    about = ", ".join(filter(None, (name, paper.name, mode.words)))
    if room_for_rulers(paper):
        side_a.ruler_lines(ruled)
    side_a.words("Calibration sheet, side A", about, _how(mode, ruled), right=not ruled.on_right)
    side_b.words("Side B: read this side", about, _read(shift))
    behind = shift.after(front.seen_from_behind((edge == "long") != mode.landscape))
    return (
        SheetSide(1, "front", (), "Side A", over=tuple(side_a.strokes), shift=front),
        SheetSide(1, "back", (), "Side B", over=tuple(side_b.strokes), shift=behind),
    )


def ruled_for(paper: Size, edge: Edge) -> Ruled:
    """The lines of side A that are measured. Side A has no words beside line ``a``: these would shine through
    on the right, where side B has none.
    """
    return Ruled(paper, (edge == "long") != (paper.width > paper.height))


def room_for_rulers(paper: Size) -> bool:
    """True where the paper holds the rulers and the lines to be measured."""
    return paper.width >= 120 * MM and paper.height >= 165 * MM


def _how(mode: DuplexMode, ruled: Ruled) -> _Words:
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


def _read(shift: Shift) -> _Words:
    force = in_words(shift) or "by nothing"
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
        f"Backs are moved already: {force}.",
    )


class _Side:
    """One side of the sheet being drawn, the back ``numbered``. ``pitch`` is the distance from line
    to line.
    """

    def __init__(self, paper: Size, pitch: int, pen: int, numbered: bool = False) -> None:
        self.paper, self.pitch, self.pen, self.numbered = paper, pitch, pen, numbered
        self.across, self.down = paper.width // 2, paper.height // 2
        self.strokes: list[Stroke] = []
        self._rows()
        self._rulers()

    def _rows(self) -> None:
        """Strips 1 and 2 across, strip 3 down the middle. The back's lines lie between two rows of the
        front's.
        """
        count, foot = lines_across(self.paper), self.paper.height - FROM_EDGE
        reaches = ((-INNER, INNER),) if self.numbered else ((-OUTER, -INNER), (INNER, OUTER))
        for number in range(-count, count + 1):
            off, label = number * self.pitch, _signed(number * STEP)
            font: Font = "sans" if number else "sans-bold"
            for strip in (FROM_EDGE, foot):
                for near, far in reaches:
                    self._line(self.across + off, strip + near, self.across + off, strip + far)
                if self.numbered:
                    # Towards the middle of the sheet, where no printer's margin cuts them off.
                    below = strip + OUTER + 3_400 if strip < self.down else strip - OUTER - 1_400
                    self._set(label, self.across + off, below, "centre", font, 65)
            for near, far in reaches:
                self._line(self.across + near, self.down + off, self.across + far, self.down + off)
            if self.numbered:
                self._set(label, self.across + OUTER + 1_200, self.down + off + 800, "left", font, 65)
        if self.numbered:
            left, beside = self.across - count * self.pitch - 4_500, self.across - OUTER - 2_000
            for name, x, y in (("1", left, FROM_EDGE), ("2", left, foot), ("3", beside, self.down)):
                self._set(name, x, y + 1_500, "right", "sans-bold", 130)

    def ruler_lines(self, ruled: Ruled) -> None:
        """The lines that are measured, with their names, and the stairs at the edges."""
        for name, line in zip("ab", ruled.lines, strict=True):
            self._line(*line)
            for x, y in ((line.x1, line.y1), (line.x2, line.y2)):
                tick = (x - 1_500, y, x + 1_500, y) if name == "a" else (x, y - 1_500, x, y + 1_500)
                self._line(*tick)
            x, y = (line.x1, line.y1 - 2_500) if name == "a" else (line.x1 - 3_500, line.y1 + 1_400)
            self._set(name, x, y, "centre", "sans-bold", 110)
        for number, step in ruled.stairs():
            self._line(*step)
            x, y = (step.x1 + step.x2) // 2, (step.y1 + step.y2) // 2
            if step.y1 == step.y2:
                self._set(str(number), x, y + (2_000 if y < self.down else -600), "centre", "sans", 50)
            elif x < self.across:
                self._set(str(number), x + 500, y + 600, "left", "sans", 50)
            else:
                self._set(str(number), x - 500, y + 600, "right", "sans", 50)

    def _rulers(self) -> None:
        """A cross left and right on the front; rulers in millimetres through the same points on the back."""
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
                # The front lies where the back has too little: a cross left of the middle asks for a move to
                # the left.
                if tick % 5 == 0 and tick:
                    self._set(_signed(tick * MM), x + tick * MM, y - 2_200, "centre", "sans", 60)
                    self._set(_signed(tick * MM), x + 2_200, y + tick * MM + 700, "left", "sans", 60)

    def words(self, title: str, about: str, lines: _Words, right: bool = False) -> None:
        """The instructions beside strip 3, above and below the cross. Small paper has room for a reference to
        the page alone.
        """
        small = min(self.paper.lengths) < ROOM_FOR_WORDS
        upper, lower = (("How to read it: see the page “Printer calibration”.",), ()) if small else lines
        width = self.across - OUTER - 12 * MM - EDGE - 4 * MM
        left = self.paper.width - EDGE - 4 * MM - width if right else EDGE + 4 * MM
        top = FROM_EDGE + 22 * MM
        title_size = min(fonts.micrometres(120), width * 1000 // fonts.width("sans-bold", title))
        self._set(title, left, top, "left", "sans-bold", 0, title_size)
        top = self._fill(fonts.plain(about), left, top + 2 * MM, width, 2 * LEAD)
        self._column(upper, left, top + 2 * MM, width, self.down - RULER - 5 * MM)
        self._column(lower, left, self.down + RULER + 5 * MM, width, self.paper.height - FROM_EDGE - 15 * MM)

    def _column(self, blocks: tuple[str, ...], x: int, top: int, width: int, bottom: int) -> None:
        drawn = {PICTURE: (self._picture, 17 * MM), BLANKS: (self._blanks, 11 * MM)}
        room = bottom - top - sum(drawn[block][1] for block in blocks if block in drawn)
        count = sum(len(block) for block in blocks if block not in drawn)
        for block in blocks:
            if block in drawn:
                drawn[block][0](x, top, width)
                top += drawn[block][1]
            else:
                top = self._fill(block, x, top, width, max(LEAD, room * len(block) // count)) + 1_500

    def _picture(self, x: int, top: int, width: int) -> None:
        """Five lines of a strip, the fourth of which meets its counterpart: the sheet as it is seen against
        the light.
        """
        pitch, thick, first = 10 * MM, 9 * MM, x + min(width // 4, 12 * MM)
        for number in range(5):
            at, beside = first + number * pitch, first + 3 * pitch + (number - 3) * thick
            for near in (0, 8 * MM):
                self.strokes.append(
                    Line(beside, top + near, beside, top + near + 4 * MM, _FRONT_PEN, ROLES["soft"])
                )
            self._line(at, top + 4 * MM, at, top + 8 * MM)
            label = _signed((number - 1) * STEP)
            self._set(label, at, top + 15 * MM, "centre", "sans-bold" if number == 3 else "sans", 65)

    def _blanks(self, x: int, top: int, width: int) -> None:
        """A blank for each strip's number, to be filled in with a pencil."""
        for number in range(3):
            left = x + number * width // 3
            self._set(str(number + 1), left, top + 6 * MM, "left", "sans-bold", 110)
            self._line(left + 4 * MM, top + 7 * MM, left + width // 3 - 4 * MM, top + 7 * MM)

    def _fill(self, text: str, x: int, top: int, width: int, room: int) -> int:
        """Set a paragraph in the largest size that fits; returns where it ends."""
        size = fonts.micrometres(95)
        fitted = fonts.fill(text, width, room, size, fonts.micrometres(50), "sans")
        for index, line in enumerate(fitted.lines):
            self._set(
                line, x, top + fitted.size * 4 // 5 + index * fitted.pitch, "left", "sans", 0, fitted.size
            )
        return top + len(fitted.lines) * fitted.pitch

    def _set(self, text: str, x: int, y: int, align: Align, font: Font, tenths: int, size: int = 0) -> None:
        size = size or fonts.micrometres(tenths)
        x -= {"left": 0, "centre": 1, "right": 2}[align] * (fonts.width(font, text) * size // 2000)
        self.strokes += text_runs(text, font, size, x, y, INK)

    def _line(self, x1: int, y1: int, x2: int, y2: int) -> None:
        self.strokes.append(Line(x1, y1, x2, y2, self.pen, INK))


def _signed(length: int) -> str:
    """A reading as it is printed: ``+0.4``, ``−1``, ``0``."""
    return shown(abs(length)) if not length else ("+" if length > 0 else "−") + shown(abs(length))
