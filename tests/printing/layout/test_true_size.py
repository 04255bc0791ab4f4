"""Measures of side A of a calibration sheet, taken with a ruler, correct a printer's sizes and positions."""

import math
from collections.abc import Callable
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from printing.layout.calibration import OutOfReach, calibration_sheet, ruled_for, stacked
from printing.layout.geometry import lay_out
from printing.layout.imposition import warnings_for
from printing.layout.true_size import AWAY, STEPS, Measured, Ruled
from printing.options.duplex import Shift, front_for
from printing.options.sizes import PAPERS, Size
from printing.options.values import read_options
from tests.support.layouts import POKER

A4 = PAPERS["a4"]
Point = tuple[float, float]
Printer = Callable[[float, float], Point]
papers = st.sampled_from([size for paper in PAPERS.values() for size in (paper, paper.across())])


def printer(paper: Size, wide: float, high: float, right: int, down: int, turn: float) -> Printer:
    """Return a simulated printer: a function from a point of the page to where it is printed.

    It shortens by two factors, turns about the paper's middle, and moves.
    """
    middle = paper.width / 2, paper.height / 2
    cos, sin = math.cos(math.radians(turn)), math.sin(math.radians(turn))

    def put(x: float, y: float) -> Point:
        x, y = (x - middle[0]) * wide, (y - middle[1]) * high
        return middle[0] + x * cos - y * sin + right, middle[1] + x * sin + y * cos + down

    return put


def shifted(shift: Shift, paper: Size, point: Point) -> Point:
    """Return where a point of the page is drawn after this correction."""
    # The letters are those of an affine matrix, as in `Shift.matrix` and in PDF.
    a, b, c, d, e, f = shift.matrix(paper.lengths)
    x, y = point
    return a * x + c * y + e, b * x + d * y + f


def read(ruled: Ruled, put: Printer) -> Measured:
    """Return the measures that a person takes from the printed paper."""
    # The printed ends of line a, down a side of the paper, and of line b, along its top.
    a, b = ([put(line.x1, line.y1), put(line.x2, line.y2)] for line in ruled.lines)
    upper, lower = (ruled.paper.width - x if ruled.on_right else x for x, _ in a)
    top = sum(y for _, y in b) / 2
    return Measured(
        wide=round(math.dist(*b)),
        high=round(math.dist(*a)),
        top=round(top),
        upper=round(upper),
        lower=round(lower),
    )


@given(
    papers,
    st.sampled_from(["long", "short"]),
    *[st.floats(0.985, 1.015)] * 2,
    *[st.integers(-2_000, 2_000)] * 2,
    st.floats(-0.4, 0.4),
)
def test_measuring_once_puts_every_corner_in_its_place(paper, edge, wide, high, right, down, turn):
    put, ruled = printer(paper, wide, high, right, down, turn), ruled_for(paper, edge)
    shift = ruled.shift(read(ruled, put))
    # Points 10 mm from the edges come within 0.1 mm of their place, which no eye sees.
    for corner in product((10_000, paper.width - 10_000), (10_000, paper.height - 10_000)):
        assert math.dist(put(*shifted(shift, paper, corner)), corner) < 100


def test_measures_that_were_not_taken_correct_nothing():
    ruled = Ruled(A4, on_right=True)
    assert ruled.shift(Measured()) == Shift()
    # Too short by 1 in 250 is lengthened by 0.4 per cent; ``wider`` counts hundredths of a per cent.
    assert ruled.shift(Measured(wide=ruled.wide * 249 // 250)) == Shift(wider=40)
    assert ruled.shift(Measured(upper=AWAY + 500, lower=AWAY + 500)) == Shift(x=500)


def test_an_impossible_length_is_refused():
    ruled = Ruled(A4, on_right=True)
    with pytest.raises(OutOfReach, match="check which line you measured"):
        stacked(Shift(), ruled.shift(Measured(high=ruled.wide)))


@given(papers, st.booleans())
def test_lines_lie_on_the_paper_and_steps_count_millimetres_from_each_edge(paper, on_right):
    ruled = Ruled(paper, on_right)
    for line in ruled.lines:
        assert min(line) >= AWAY and max(line.x1, line.x2) <= paper.width and line.y2 <= paper.height
    places = {
        (number, min(step.x1, step.y1, paper.width - step.x1, paper.height - step.y1))
        for number, step in ruled.stairs()
    }
    assert places == {(number, number * 1_000) for number in range(1, STEPS + 1)}


# -- sheets that are corrected ------------------------------------------------------------


def test_lengths_are_corrected_however_the_paper_lies():
    shift = read_options({"scale_x": "100.4", "scale_y": "100.1"}).front_shift
    assert front_for(shift, None, landscape=False)[3:] == (40, 10)
    assert front_for(shift, None, landscape=True)[3:] == (10, 40)


def test_fronts_read_in_portrait_are_not_moved_in_landscape():
    options = read_options({"front_x": "0.4", "back_read": "long", "orientation": "landscape"})
    layout = lay_out(A4, POKER, orientation="landscape")
    assert front_for(options.front_shift, options.read_in, landscape=True) == Shift()
    (warning,) = warnings_for([layout], options)
    assert "read from a portrait sheet" in warning and "not moved" in warning
    assert warnings_for([lay_out(A4, POKER, orientation="portrait")], options) == ()


@pytest.mark.parametrize("edge", ["long", "short"])
@pytest.mark.parametrize("paper", [A4, A4.across()], ids=["portrait", "landscape"])
def test_a_correction_of_both_sides_keeps_the_back_behind_the_front(paper, edge):
    fronts = Shift(500, -300, 20, 40, 10)
    front, back = calibration_sheet(paper, Shift(), edge, "Hall", fronts)
    assert front.shift == fronts
    over_upright_edge = (edge == "long") != (paper.width > paper.height)

    def seen_from_behind(point: Point) -> Point:
        """Return the same place on the other side: turning the sheet over swaps left and right, or top and
        foot.
        """
        x, y = point
        return (paper.width - x, y) if over_upright_edge else (x, paper.height - y)

    # A point of the front and the point behind it must still coincide after both sides are corrected. It lies
    # outside the middle, so that a move in the wrong direction shows.
    point = (30_000.0, 50_000.0)
    behind = shifted(back.shift, paper, seen_from_behind(point))
    assert math.dist(shifted(front.shift, paper, point), seen_from_behind(behind)) < 1
