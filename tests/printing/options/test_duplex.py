"""Duplex shifts, tried on a simulated printer with a constant error: a reading of its calibration sheet must
put backs behind fronts in every duplex mode, or the reader is warned that it cannot.
"""

import math
from collections.abc import Callable
from itertools import product
from typing import NamedTuple

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from printing.faces.strokes import Drawing
from printing.layout.calibration import (
    FROM_EDGE,
    PITCH,
    STEP,
    UNMOVED,
    Readings,
    back_options,
    lying,
    measured,
    stacked,
)
from printing.layout.imposition import Piece, layout_for, mode_to_calibrate, sheets_of, warnings_for
from printing.options.duplex import (
    DUPLEX_MODES,
    DuplexMode,
    Shift,
    in_words,
    is_known,
    shift_for,
)
from printing.options.sizes import PAPERS, Size
from printing.options.values import read_options

POKER = (63_500, 88_900)
# Micrometres between a back and its front that count as exact.
NEAR_ENOUGH = 50

Point = tuple[float, float]


def turned(point: Point, degrees: float) -> Point:
    """The point turned clockwise about the origin; y points downwards."""
    cos, sin = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    return point[0] * cos - point[1] * sin, point[0] * sin + point[1] * cos


def moved(point: Point, shift: Shift) -> Point:
    """The point where a page with this shift is drawn. Points are relative to the middle of the paper."""
    x, y = turned(point, shift.turn / 100)
    return x + shift.x, y + shift.y


def over(point: Point, mode: DuplexMode) -> Point:
    """The point of a back's page that is laid out behind this point of the front's page."""
    upright = (mode.edge == "long") != mode.landscape
    return (-point[0], point[1]) if upright else (point[0], -point[1])


class Printer(NamedTuple):
    """A simulated printer. ``off`` is its error: how far it misplaces backs, seen from the back of the paper
    on its way through the printer. ``quarter``: the degrees by which its driver turns a landscape page, 90 or
    270.
    """

    off: Shift
    quarter: int = 90

    def front(self, point: Point, mode: DuplexMode) -> Point:
        """The place on the paper, seen from its back, of a point of a front's page."""
        x, y = turned(point, self.quarter if mode.landscape else 0)
        return -x, y

    def back(self, point: Point, mode: DuplexMode) -> Point:
        """The place on the paper, seen from its back, where this printer puts a point of a back's page."""
        return moved(turned(point, self._driver(mode)), self.off)

    def _driver(self, mode: DuplexMode) -> int:
        """The degrees by which the driver must turn backs so that they lie behind the fronts if the paper is
        turned over this edge.
        """

        def fits(turn: int) -> bool:
            return all(
                math.dist(turned(over(point, mode), turn), self.front(point, mode)) < 1e-6
                for point in ((1, 0), (0, 1))
            )

        (turn,) = filter(fits, (0, 90, 180, 270))
        return turn

    def seen(self, mode: DuplexMode) -> Callable[[Point, Shift], Point]:
        """A function from (point of a back's page, shift) to the point of the front's page that it covers
        when the sheet is held against the light, seen from the back.
        """
        return lambda point, shift: turned(self.back(moved(point, shift), mode), -self._driver(mode))

    def readings(self, paper: Size, mode: DuplexMode, shift: Shift) -> Readings:
        """The exact readings of its calibration sheet. As on a vernier, lines on one side are 5 mm apart and
        on the other 4.8 mm; the reading is the number of the pair of lines that coincide.
        """
        seen, strip = self.seen(mode), lying(paper, mode.landscape).height / 2 - FROM_EDGE

        def met(start: Point, end: Point, axis: int) -> int:
            # The scale runs from start to end; only its coordinate on this axis counts.
            at, after = seen(start, shift)[axis], seen(end, shift)[axis]
            return round(-at / (after - at - (PITCH - STEP)) * STEP)

        return Readings(
            met((0, -strip), (PITCH, -strip), 0),
            met((0, strip), (PITCH, strip), 0),
            met((0, 0), (0, PITCH), 1),
        )

    def read(self, paper: Size, mode: DuplexMode, times: int = 1) -> Shift:
        """The shift that is known of this printer after its calibration sheet was printed so many times."""
        shift = UNMOVED
        for _ in range(times):
            shift = stacked(shift, measured(self.readings(paper, mode, shift), lying(paper, mode.landscape)))
        return shift


def farthest(printer: Printer, mode: DuplexMode, chosen: dict[str, str]) -> float:
    """The largest distance on paper between a corner of a back and that corner of its front, in
    micrometres.
    """
    options = read_options({"backs": mode.edge, "orientation": mode.lies, **chosen})
    layout = layout_for(options, POKER)
    fronts = [
        Piece(f"{n}", Drawing(f"{n} front", *POKER, ()), Drawing(f"{n} back", *POKER, ()), 1)
        for n in range(5)
    ]
    front, back = sheets_of(layout, fronts, options)
    width, height = layout.paper.lengths
    worst = 0.0
    for placed_front, placed_back in product(front.placed, back.placed):
        # "3 front" and "3 back" are the sides of one card.
        if placed_front.drawing.name.split()[0] == placed_back.drawing.name.split()[0]:
            front_corners, back_corners = (
                [(x - width / 2, y - height / 2) for x in (area.x, area.right) for y in (area.y, area.bottom)]
                for area in (placed_front.area, placed_back.area)
            )
            printed = [printer.back(moved(corner, back.shift), mode) for corner in back_corners]
            for corner in front_corners:
                on_paper = printer.front(corner, mode)
                worst = max(worst, min(math.dist(on_paper, back_corner) for back_corner in printed))
    return worst


papers = st.sampled_from(["a4", "letter", "a3", "legal"])
modes, quarters = st.sampled_from(DUPLEX_MODES), st.sampled_from([90, 270])
errors = st.builds(Shift, st.integers(-2_500, 2_500), st.integers(-2_500, 2_500), st.integers(-60, 60))


@settings(deadline=None)
@given(papers, errors, quarters, modes, modes)
@example("a4", Shift(1_400, -600, 30), 90, DuplexMode("long"), DuplexMode("short"))
@example("a4", Shift(1_400, -600, 30), 270, DuplexMode("short", True), DuplexMode("long", True))
def test_after_one_reading_backs_lie_behind_fronts_over_either_edge(name, off, quarter, read, printed):
    """Between portrait and landscape the move cannot be known; then only the turn is corrected."""
    printer = Printer(off, quarter)
    shift = printer.read(PAPERS[name], read)
    chosen = {"paper": name, **back_options(shift, read)}
    if read.landscape == printed.landscape:
        assert farthest(printer, printed, chosen) <= NEAR_ENOUGH
    else:
        assert shift_for(shift, read, printed) == Shift(turn=shift.turn)
        assert is_known(shift, read, printed) == (not (shift.x or shift.y))


@settings(deadline=None)
@given(papers, st.builds(Shift, *[st.integers(-4_000, 4_000)] * 2, st.integers(-250, 250)), quarters, modes)
def test_a_printer_that_is_far_off_is_right_after_a_second_sheet(name, off, quarter, mode):
    printer = Printer(off, quarter)
    shift = printer.read(PAPERS[name], mode, times=2)
    assert farthest(printer, mode, {"paper": name, **back_options(shift, mode)}) <= NEAR_ENOUGH


@given(errors, modes, modes)
def test_a_shift_converted_to_another_mode_and_back_is_unchanged(shift, read, printed):
    assert shift_for(shift, read, read) == shift_for(shift, None, printed) == shift
    if is_known(shift, read, printed):
        assert shift_for(shift_for(shift, read, printed), printed, read) == shift


@given(errors, errors, errors)
def test_a_combined_shift_equals_its_parts_one_after_the_other(first, second, third):
    point = (70_000.0, -120_000.0)
    assert math.dist(moved(moved(point, first), second), moved(point, second.after(first))) < 2
    left, right = third.after(second).after(first), third.after(second.after(first))
    assert left.turn == right.turn and math.dist(left[:2], right[:2]) < 3


# -- words -----------------------------------------------------------------------------------


MOVED = {"back_x": "0.4", "back_y": "-0.2", "back_turn": "0.1"}
# The shift of these options as it was read, for the other edge, and for the other orientation.
STAYS, OVER, TURN_ALONE = Shift(400, -200, 10), Shift(-400, 200, 10), Shift(0, 0, 10)


@pytest.mark.parametrize(
    ("backs", "orientation", "read", "shift", "warning"),
    [
        ("long", "auto", "here", STAYS, ""),
        ("short", "auto", "here", STAYS, ""),
        ("short", "auto", "short", STAYS, ""),
        ("short", "auto", "long", OVER, "print the calibration sheet over the short edge"),
        ("long", "landscape", "short-landscape", OVER, "print the calibration sheet over the long edge"),
        ("long", "landscape", "long", TURN_ALONE, "Print the calibration sheet in landscape"),
        ("long", "portrait", "long-landscape", TURN_ALONE, "Print the calibration sheet in portrait"),
        ("separate", "auto", "long", None, "printed by themselves"),
        ("gutterfold", "auto", "short", None, ""),
        ("none", "auto", "short", None, ""),
    ],
)
def test_backs_are_moved_as_their_mode_needs_or_with_a_warning(backs, orientation, read, shift, warning):
    options = read_options({**MOVED, "backs": backs, "orientation": orientation, "back_read": read})
    layout, card = layout_for(options, POKER), Drawing("card", *POKER, ())
    given_warnings = warnings_for([layout], options)
    assert len(given_warnings) == bool(warning) and warning in "".join(given_warnings)
    to_calibrate = mode_to_calibrate([layout], options)
    assert (to_calibrate is not None) is (bool(warning) and shift is not None)
    if shift:
        front, back = sheets_of(layout, [Piece("card", card, card, 1)], options)
        assert (front.shift, back.shift) == (Shift(), shift)
        assert to_calibrate in (None, DuplexMode(backs, orientation == "landscape"))


@pytest.mark.parametrize("moved", [{"back_turn": "0.1"}, {}])
def test_a_shift_without_a_move_is_known_in_every_mode(moved):
    options = read_options({**moved, "backs": "long", "orientation": "landscape", "back_read": "long"})
    assert warnings_for([layout_for(options, POKER)], options) == ()


@pytest.mark.parametrize(
    ("shift", "words"),
    [
        (Shift(400, -200, 25), "0.4 mm right, 0.2 mm up, turned 0.25° clockwise"),
        (Shift(-1_400, 610, -28), "1.4 mm left, 0.61 mm down, turned 0.28° anticlockwise"),
        (Shift(0, 0, 5), "turned 0.05° clockwise"),
        (Shift(wider=40, higher=-10), "100.4 % wide, 99.9 % high"),
        (Shift(), ""),
    ],
)
def test_a_shift_in_words_has_directions_instead_of_signs(shift, words):
    assert in_words(shift) == words


def test_every_duplex_mode_has_brief_words():
    words = ["long edge", "short edge", "long edge, landscape", "short edge, landscape"]
    assert [mode.brief for mode in DUPLEX_MODES] == words
