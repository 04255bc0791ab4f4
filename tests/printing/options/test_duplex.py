"""A printer that errs the same way each time: what is read from its calibration sheet puts backs behind
fronts, or its owner is told.
"""

from __future__ import annotations

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
    duplex_mode_named,
    in_words,
    is_known,
    shift_for,
)
from printing.options.sizes import PAPERS, Size
from printing.options.values import read_options

POKER = (63_500, 88_900)
NEAR_ENOUGH = 50

Point = tuple[float, float]


def turned(point: Point, degrees: float) -> Point:
    """Turned clockwise, as y runs downwards."""
    cos, sin = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    return point[0] * cos - point[1] * sin, point[0] * sin + point[1] * cos


def moved(point: Point, shift: Shift) -> Point:
    """As a page is drawn: turned about the middle of the paper, then moved. Points are measured from that
    middle.
    """
    x, y = turned(point, shift.turn / 100)
    return x + shift.x, y + shift.y


def over(point: Point, way: DuplexMode) -> Point:
    """The point of a back's page that lies behind this one of the front's, as sheets are laid out."""
    upright = (way.edge == "long") != way.landscape
    return (-point[0], point[1]) if upright else (point[0], -point[1])


class Printer(NamedTuple):
    """``off``: where its backs come to lie, seen from the back of the paper as it runs through the printer.

    ``quarter``: which way its driver turns a landscape page, 90 or 270 degrees.
    """

    off: Shift
    quarter: int = 90

    def front(self, point: Point, way: DuplexMode) -> Point:
        """A point of a front's page, on the paper seen from its back."""
        x, y = turned(point, self.quarter if way.landscape else 0)
        return -x, y

    def back(self, point: Point, way: DuplexMode) -> Point:
        """A point of a back's page, where this printer puts it."""
        return moved(turned(point, self._driver(way)), self.off)

    def _driver(self, way: DuplexMode) -> int:
        """How the driver must turn backs, so that whoever turns the paper over this edge finds them behind
        the fronts.
        """

        def fits(turn: int) -> bool:
            return all(
                math.dist(turned(over(point, way), turn), self.front(point, way)) < 1e-6
                for point in ((1, 0), (0, 1))
            )

        (turn,) = filter(fits, (0, 90, 180, 270))
        return turn

    def seen(self, way: DuplexMode) -> Callable[[Point, Shift], Point]:
        """Against the light: where a point of the back's page lies on the front's, both seen from the
        back.
        """
        return lambda point, shift: turned(self.back(moved(point, shift), way), -self._driver(way))

    def readings(self, paper: Size, way: DuplexMode, shift: Shift) -> Readings:
        """What sharp eyes read from the calibration sheet: the number at which lines five and 4.8 mm apart
        meet.
        """
        seen, strip = self.seen(way), lying(paper, way.landscape).height / 2 - FROM_EDGE

        def met(start: Point, end: Point, axis: int) -> int:
            at, after = seen(start, shift)[axis], seen(end, shift)[axis]
            return round(-at / (after - at - (PITCH - STEP)) * STEP)

        return Readings(
            met((0, -strip), (PITCH, -strip), 0),
            met((0, strip), (PITCH, strip), 0),
            met((0, 0), (0, PITCH), 1),
        )

    def read(self, paper: Size, way: DuplexMode, times: int = 1) -> Shift:
        """What is kept of this printer after so many sheets."""
        shift = UNMOVED
        for _ in range(times):
            shift = stacked(shift, measured(self.readings(paper, way, shift), lying(paper, way.landscape)))
        return shift


def farthest(printer: Printer, way: DuplexMode, chosen: dict[str, str]) -> float:
    """How far, at most, a corner of a card's back lies from the corner of its front on the paper, in
    micrometres.
    """
    options = read_options({"backs": way.edge, "orientation": way.lies, **chosen})
    layout = layout_for(options, POKER)
    fronts = [
        Piece(f"{n}", Drawing(f"{n} front", *POKER, ()), Drawing(f"{n} back", *POKER, ()), 1)
        for n in range(5)
    ]
    front, back = sheets_of(layout, fronts, options)
    width, height = layout.paper.lengths
    worst = 0.0
    for one, other in product(front.placed, back.placed):
        if one.drawing.name.split()[0] == other.drawing.name.split()[0]:
            ideal, real = (
                [(x - width / 2, y - height / 2) for x in (area.x, area.right) for y in (area.y, area.bottom)]
                for area in (one.area, other.area)
            )
            printed = [printer.back(moved(point, back.shift), way) for point in real]
            worst = max(
                worst,
                *(min(math.dist(printer.front(point, way), there) for there in printed) for point in ideal),
            )
    return worst


papers = st.sampled_from(["a4", "letter", "a3", "legal"])
ways, quarters = st.sampled_from(DUPLEX_MODES), st.sampled_from([90, 270])
errors = st.builds(Shift, st.integers(-2_500, 2_500), st.integers(-2_500, 2_500), st.integers(-60, 60))


@settings(deadline=None)
@given(papers, errors, quarters, ways, ways)
@example("a4", Shift(1_400, -600, 30), 90, DuplexMode("long"), DuplexMode("short"))
@example("a4", Shift(1_400, -600, 30), 270, DuplexMode("short", True), DuplexMode("long", True))
def test_backs_lie_behind_fronts_over_either_edge_once_one_sheet_is_read(name, off, quarter, read, printed):
    """Portrait and landscape, over the edge that was read and over the other; where it cannot be known, the
    summary says so.
    """
    printer = Printer(off, quarter)
    shift = printer.read(PAPERS[name], read)
    chosen = {"paper": name, **back_options(shift, read)}
    if read.landscape == printed.landscape:
        assert farthest(printer, printed, chosen) <= NEAR_ENOUGH
    else:
        assert shift_for(shift, read, printed) == Shift(turn=shift.turn)
        assert is_known(shift, read, printed) == (not (shift.x or shift.y))


@settings(deadline=None)
@given(papers, st.builds(Shift, *[st.integers(-4_000, 4_000)] * 2, st.integers(-250, 250)), quarters, ways)
def test_a_printer_that_is_far_off_is_right_after_a_second_sheet(name, off, quarter, way):
    printer = Printer(off, quarter)
    assert (
        farthest(printer, way, {"paper": name, **back_options(printer.read(PAPERS[name], way, times=2), way)})
        <= NEAR_ENOUGH
    )


@given(errors, ways, ways)
def test_what_is_carried_there_and_back_is_what_it_was(shift, read, printed):
    assert shift_for(shift, read, read) == shift_for(shift, None, printed) == shift
    if is_known(shift, read, printed):
        assert shift_for(shift_for(shift, read, printed), printed, read) == shift


@given(errors, errors, errors)
def test_shifts_follow_one_another_as_pages_do(one, other, third):
    point = (70_000.0, -120_000.0)
    assert math.dist(moved(moved(point, one), other), moved(point, other.after(one))) < 2
    both, other_both = third.after(other).after(one), third.after(other.after(one))
    assert both.turn == other_both.turn and math.dist(both[:2], other_both[:2]) < 3


# -- what is said ----------------------------------------------------------------------------


MOVED = {"back_x": "0.4", "back_y": "-0.2", "back_turn": "0.1"}


STAYS, OVER, TURN_ALONE = Shift(400, -200, 10), Shift(-400, 200, 10), Shift(0, 0, 10)


@pytest.mark.parametrize(
    ("backs", "orientation", "read", "shift", "said"),
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
def test_backs_move_as_the_sheet_that_was_read_asks_and_what_it_cannot_tell_is_said(
    backs, orientation, read, shift, said
):
    options = read_options({**MOVED, "backs": backs, "orientation": orientation, "back_read": read})
    layout, card = layout_for(options, POKER), Drawing("card", *POKER, ())
    told = warnings_for([layout], options)
    assert len(told) == bool(said) and said in "".join(told)
    wanting = mode_to_calibrate([layout], options)
    assert (wanting is not None) is (bool(said) and shift is not None)
    if shift:
        front, back = sheets_of(layout, [Piece("card", card, card, 1)], options)
        assert (front.shift, back.shift) == (Shift(), shift)
        assert wanting in (None, DuplexMode(backs, orientation == "landscape"))


@pytest.mark.parametrize("moved", [{"back_turn": "0.1"}, {}])
def test_what_does_not_move_and_a_turn_alone_are_known_of_every_sheet(moved):
    options = read_options({**moved, "backs": "long", "orientation": "landscape", "back_read": "long"})
    assert warnings_for([layout_for(options, POKER)], options) == ()


@pytest.mark.parametrize(
    ("shift", "words"),
    [
        (Shift(400, -200, 25), "0.4 mm right, 0.2 mm up, turned 0.25° clockwise"),
        (Shift(-1_400, 610, -28), "1.4 mm left, 0.61 mm down, turned 0.28° anticlockwise"),
        (Shift(0, 0, 5), "turned 0.05° clockwise"),
        (Shift(), ""),
    ],
)
def test_a_shift_is_said_as_one_sees_it(shift, words):
    assert in_words(shift) == words


def test_every_way_has_one_name_is_found_by_it_and_is_said_in_few_words():
    assert [duplex_mode_named(way.slug) for way in DUPLEX_MODES] == list(DUPLEX_MODES)
    assert duplex_mode_named("here") is None and duplex_mode_named("") is None
    words = ["long edge", "short edge", "long edge, landscape", "short edge, landscape"]
    assert [way.brief for way in DUPLEX_MODES] == words
