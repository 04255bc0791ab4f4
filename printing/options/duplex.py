"""Corrections of a printer's errors: how far backs and fronts are moved, and what a reading from one duplex
mode means for sheets of another. Plain Python.

The calibration page stores a ``Shift`` with the mode of its sheet; ``printing/layout/imposition.py`` asks
what it means for the sheets to be printed. The error is fixed to the paper's way through the printer,
whatever the page shows. So a shift of backs, read as 0.4 mm right and 0.2 mm down, becomes (``shift_for``):

    the same edge and orientation   0.4 right, 0.2 down
    the other edge                  0.4 left, 0.2 up: the driver prints such backs the other way up
    the other orientation           unknown, not moved: drivers rotate the page a quarter, some of them
                                    clockwise, some anticlockwise
    in every mode                   the same turn

Tests: ``tests/printing/options/test_duplex.py``; of fronts and of ``Shift.matrix``
``tests/printing/layout/test_true_size.py``.
"""

import math
from collections.abc import Iterable
from typing import Literal, NamedTuple

from printing.options.sizes import shown

Edge = Literal["long", "short"]
# 100 per cent, in hundredths of a per cent, the unit of ``Shift.wider`` and of the options of scale.
WHOLE = 10_000


class Shift(NamedTuple):
    """The correction of one side of the paper, as one looks at that side.

    The page is first made ``wider`` and ``higher`` (hundredths of a per cent) and turned clockwise by
    ``turn`` (hundredths of a degree), both about the paper's middle, then moved right by ``x`` and down by
    ``y`` (micrometres). Negative numbers mean narrower, lower, anticlockwise, left and up.
    """

    x: int = 0
    y: int = 0
    turn: int = 0
    wider: int = 0
    higher: int = 0

    def after(self, first: "Shift") -> "Shift":
        """The single shift that has the effect of ``first`` followed by this one."""
        angle = math.radians(self.turn / 100)
        cos, sin = math.cos(angle), math.sin(angle)
        # This shift turns the page with the move of ``first``: 1 mm right, turned by 90°, is 1 mm down.
        turned_x, turned_y = first.x * cos - first.y * sin, first.x * sin + first.y * cos
        return Shift(
            self.x + round(turned_x),
            self.y + round(turned_y),
            self.turn + first.turn,
            self.wider + first.wider,
            self.higher + first.higher,
        )

    def seen_from_behind(self, upright: bool) -> "Shift":
        """The same shift as it appears on the other side of the paper. ``upright``: the paper is turned about
        its vertical axis, like the page of a book, else about its horizontal one. 0.4 mm right and 0.2 mm
        down is seen as 0.4 left and 0.2 down, else as 0.4 right and 0.2 up; clockwise as anticlockwise.
        """
        x, y = (-self.x, self.y) if upright else (self.x, -self.y)
        return self._replace(x=x, y=y, turn=-self.turn)

    def matrix(self, paper: tuple[int, int]) -> tuple[float, float, float, float, float, float]:
        """The affine matrix (a, b, c, d, e, f) of this shift, in micrometres. It takes a point (u, v) of the
        sheet to (a u + c v + e, b u + d v + f); u runs right and v down, as in SVG.

        ``Shift(x=1000, turn=9000)`` on A4, whose middle is (105000, 148500), takes a point 100 mm above the
        middle to 101 mm right of it.
        """
        angle = math.radians(self.turn / 100)
        wide, high = 1 + self.wider / WHOLE, 1 + self.higher / WHOLE
        a, b = math.cos(angle) * wide, math.sin(angle) * wide
        c, d = -math.sin(angle) * high, math.cos(angle) * high
        # Scaled and turned, the middle must stay where it is; then everything is moved.
        x, y = paper[0] / 2, paper[1] / 2
        return a, b, c, d, x - a * x - c * y + self.x, y - b * x - d * y + self.y


def in_words(shift: Shift) -> str:
    """``0.4 mm left, 0.2 mm down, turned 0.25° clockwise, 100.4 % wide``; empty if nothing is shifted."""
    parts = []
    if shift.x:
        parts.append(f"{shown(abs(shift.x))} mm {'right' if shift.x > 0 else 'left'}")
    if shift.y:
        parts.append(f"{shown(abs(shift.y))} mm {'down' if shift.y > 0 else 'up'}")
    if shift.turn:
        parts.append(
            f"turned {abs(shift.turn) / 100:g}° {'clockwise' if shift.turn > 0 else 'anticlockwise'}"
        )
    if shift.wider:
        parts.append(f"{100 + shift.wider / 100:g} % wide")
    if shift.higher:
        parts.append(f"{100 + shift.higher / 100:g} % high")
    return ", ".join(parts)


class DuplexMode(NamedTuple):
    """A way to print both sides: the edge over which the paper is turned, and its orientation."""

    edge: Edge = "long"
    landscape: bool = False

    @property
    def slug(self) -> str:
        """This mode as a value of the option ``back_read``: ``long-landscape``."""
        return f"{self.edge}{'-landscape' if self.landscape else ''}"

    @property
    def lies(self) -> str:
        """``portrait`` or ``landscape``."""
        return "landscape" if self.landscape else "portrait"

    @property
    def brief(self) -> str:
        """``long edge``, ``long edge, landscape``."""
        return f"{self.edge} edge{', landscape' if self.landscape else ''}"

    @property
    def words(self) -> str:
        """``portrait, turned over the long edge``."""
        return f"{self.lies}, turned over the {self.edge} edge"


DUPLEX_MODES = tuple(DuplexMode(edge, landscape) for landscape in (False, True) for edge in ("long", "short"))
_BY_SLUG = {mode.slug: mode for mode in DUPLEX_MODES}


def duplex_mode_named(slug: str) -> DuplexMode | None:
    """The mode with this slug. None for any other value of ``back_read``: shifts then apply unchanged."""
    return _BY_SLUG.get(slug)


def is_known(shift: Shift, read: DuplexMode | None, printed: DuplexMode) -> bool:
    """True if a shift of backs that was read in the mode ``read`` tells the shift for the mode ``printed``.
    ``read`` is None if the shift is to be applied unchanged.
    """
    return read is None or read.landscape == printed.landscape or not (shift.x or shift.y)


def shift_for(shift: Shift, read: DuplexMode | None, printed: DuplexMode) -> Shift:
    """Convert a shift of backs from the mode ``read`` to the mode ``printed``, by the table at the top of
    this module.
    """
    if read is None or read == printed:
        return shift
    if read.landscape == printed.landscape:
        return shift._replace(x=-shift.x, y=-shift.y)
    return shift._replace(x=0, y=0)


def front_for(shift: Shift, read: DuplexMode | None, landscape: bool) -> Shift:
    """Convert a shift of fronts to sheets in landscape or portrait.

    ``wider`` and ``higher`` are given for upright paper, so they change places for landscape. The move is
    left out if it was read from sheets of the other orientation, because it is unknown there.
    """
    if landscape:
        shift = shift._replace(wider=shift.higher, higher=shift.wider)
    if read is None or read.landscape == landscape:
        return shift
    return shift._replace(x=0, y=0)


def front_warning(shift: Shift, read: DuplexMode | None, landscape: bool) -> str:
    """A sentence for the reader if ``front_for`` left the move out, else an empty string."""
    used = front_for(shift, read, landscape)
    if (used.x, used.y) == (shift.x, shift.y):
        return ""
    read_in, lies = ("portrait", "landscape") if landscape else ("landscape", "portrait")
    return (
        f"How far all is moved was read from a {read_in} sheet, and printers differ in which way they"
        f" turn {lies} pages, so these sheets are not moved. Print the calibration sheet that way."
    )


def warnings(
    shift: Shift, read: DuplexMode | None, printed: Iterable[DuplexMode], apart: bool = False
) -> tuple[str, ...]:
    """Sentences that warn of backs whose shift was read in a mode other than the ``printed`` ones, once for
    each such mode. ``apart``: backs and fronts are separate files.
    """
    if read is None or not any(shift):
        return ()
    sentences, still = [], "turned, but " if shift.turn else ""
    for mode in dict.fromkeys(printed):
        if not is_known(shift, read, mode):
            sentences.append(
                f"How far backs must be moved was read from a {read.lies} sheet. These sheets lie"
                f" {mode.lies}, and printers differ in which way they turn such pages, so backs are"
                f" {still}not moved. Print the calibration sheet in {mode.lies}."
            )
        elif mode.edge != read.edge and (shift.x or shift.y):
            sentences.append(
                f"How far backs must be moved was read from a sheet turned over its {read.edge} edge; here"
                " they are moved the other way. That is right where the printer turns the paper. If you turn"
                f" it, print the calibration sheet over the {mode.edge} edge."
            )
    if apart:
        sentences.append(
            "These backs are printed by themselves: their shift is right if both sides of the calibration"
            " sheet were, too."
        )
    return tuple(sentences)
