"""The calibration sheet is held against light and read by a simulated person, which proves that its numbers
are right. Then come the arithmetic of its readings and the places of its lines and words.

``test_true_size.py`` tests the lines that are measured with a ruler.
"""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from printing.faces.strokes import Line, TextRun
from printing.layout.calibration import (
    FROM_EDGE,
    INNER,
    MAX_LINES,
    MAX_LONGER,
    MAX_SHIFT,
    MAX_TURN,
    OUTER,
    PITCH,
    ROOM_FOR_WORDS,
    STEP,
    OutOfReach,
    Readings,
    back_options,
    calibration_sheet,
    lying,
    stacked,
)
from printing.layout.geometry import Area, Flip
from printing.layout.imposition import SheetSide
from printing.options.duplex import DuplexMode, Shift
from printing.options.sizes import PAPERS, Size, read_paper
from printing.options.values import read_options

A4 = PAPERS["a4"]
# From the middle of a strip to the middle of side A's lines in it; side B's lie in the middle.
TO_SIDE_A = (INNER + OUTER) // 2

# -- a simulated reader of the sheet -------------------------------------------------------


def crossings(side: SheetSide, paper: Size, upright: bool, at: int) -> list[int]:
    """Return the places of the upright lines of a strip that reach this y, or of its level ones that reach
    this x. Other lines lie further out than half a pitch beyond the last line of a strip.
    """
    lines = [stroke for stroke in side.over if isinstance(stroke, Line)]
    if upright:
        places = [line.x1 for line in lines if line.x1 == line.x2 and line.y1 <= at <= line.y2]
    else:
        places = [line.y1 for line in lines if line.y1 == line.y2 and line.x1 <= at <= line.x2]
    middle = (paper.width if upright else paper.height) // 2
    return sorted(place for place in places if abs(place - middle) < MAX_LINES * PITCH + PITCH // 2)


def read(front: list[int], back: list[int]) -> int:
    """Return the number beside the line of the back that meets a line of the front most exactly."""
    assert len(front) == len(back) == 2 * MAX_LINES + 1
    nearest = min(range(len(front)), key=lambda index: abs(front[index] - back[index]))
    return (nearest - MAX_LINES) * STEP


def read_all(paper: Size, edge: Flip, right: int, down: int) -> Readings:
    """Return the three readings of a person who holds a sheet against light with side B towards them. The
    printer displaced the back by so many micrometres.
    """
    front, back = calibration_sheet(paper, Shift(), edge)
    over_upright_axis = (edge == "long") != (paper.width > paper.height)

    def shining(places: list[int], length: int, turned: bool) -> list[int]:
        return sorted(length - place for place in places) if turned else places

    def across(y: int) -> int:
        behind = y - TO_SIDE_A if over_upright_axis else paper.height - (y - TO_SIDE_A)
        seen = shining(crossings(front, paper, True, behind), paper.width, over_upright_axis)
        return read(seen, [x + right for x in crossings(back, paper, True, y - down)])

    def along(x: int) -> int:
        behind = paper.width - (x - TO_SIDE_A) if over_upright_axis else x - TO_SIDE_A
        seen = shining(crossings(front, paper, False, behind), paper.height, not over_upright_axis)
        return read(seen, [y + down for y in crossings(back, paper, False, x - right)])

    return Readings(across(FROM_EDGE), across(paper.height - FROM_EDGE), along(paper.width // 2))


@pytest.mark.parametrize("paper", [A4, A4.across()], ids=["portrait", "landscape"])
@pytest.mark.parametrize("edge", ["long", "short"])
@pytest.mark.parametrize(("right", "down"), [(0, 0), (600, -400), (-1_800, 2_000)])
def test_readings_say_how_far_a_displaced_back_must_be_moved(paper, edge, right, down):
    assert read_all(paper, edge, right, down) == Readings(-right, -right, -down)


# -- the arithmetic ------------------------------------------------------------------------

SHIFTS = st.builds(
    Shift, *[st.integers(-4_000, 4_000)] * 2, st.integers(-100, 100), wider=st.just(0), higher=st.just(0)
)


@given(SHIFTS, SHIFTS)
def test_a_second_reading_is_added_to_the_first(first, second):
    """Exact to 0.01 mm. The second sheet was already printed turned, so its shift is turned as well."""
    total, exact = stacked(first, second), first.after(second)
    assert total.turn == exact.turn and abs(total.x - exact.x) <= 5 and abs(total.y - exact.y) <= 5
    assert total.x % 10 == total.y % 10 == 0


@pytest.mark.parametrize(
    ("largest", "beyond", "message"),
    [
        (Shift(x=MAX_SHIFT), Shift(x=10), "moved by more than 10 mm"),
        (Shift(y=-MAX_SHIFT), Shift(y=-10), "moved by more than 10 mm"),
        (Shift(turn=MAX_TURN), Shift(turn=1), "turned by more than 3 degrees"),
        (Shift(wider=MAX_LONGER), Shift(wider=1), "longer or shorter by more than 3 per cent"),
        (Shift(higher=-MAX_LONGER), Shift(higher=-1), "longer or shorter by more than 3 per cent"),
    ],
)
def test_a_larger_correction_than_a_print_can_have_is_refused(largest, beyond, message):
    assert stacked(Shift(), largest) == largest
    with pytest.raises(OutOfReach, match=message):
        stacked(largest, beyond)


@given(SHIFTS)
def test_print_options_read_back_as_the_shift_they_were_made_from(shift):
    options = read_options(back_options(shift, DuplexMode("short")))
    assert options.shift == shift
    assert options.back_read == ("short" if any(shift) else "here")


# -- the places of lines and words ---------------------------------------------------------


def words_on(side: SheetSide) -> list[Area]:
    """Return the area of each run of text: 0.7 of its size lies above the baseline, 0.2 below it."""
    runs = [stroke for stroke in side.over if isinstance(stroke, TextRun)]
    return [Area(run.x, run.y - run.size * 7 // 10, run.width, run.size * 9 // 10) for run in runs]


def lines_on(side: SheetSide) -> list[Area]:
    """Return each line as an area, which has no width or no height."""
    lines = [stroke for stroke in side.over if isinstance(stroke, Line)]
    return [
        Area(min(line.x1, line.x2), min(line.y1, line.y2), abs(line.x2 - line.x1), abs(line.y2 - line.y1))
        for line in lines
    ]


def seen_from_behind(area: Area, paper: Size, edge: Flip) -> Area:
    """Return where an area of side A shines through on side B."""
    if (edge == "long") != (paper.width > paper.height):
        return area._replace(x=paper.width - area.right)
    return area._replace(y=paper.height - area.bottom)


NAME = "The printer on the second floor"
SIZES = ["a4", "letter", "a3", "legal", "tabloid", "148x210", "105x148", "100x150", "180x180"]


@pytest.fixture(params=SIZES)
def size(request):
    return read_paper(request.param)


@pytest.fixture(params=[False, True], ids=["upright", "landscape"])
def paper(request, size):
    return lying(size, landscape=request.param)


on_both_edges = pytest.mark.parametrize("edge", ["long", "short"])


@on_both_edges
def test_everything_lies_on_the_paper_even_with_the_longest_words(paper, edge):
    for side in calibration_sheet(paper, Shift(-9_999, 9_999, -299), edge, NAME):
        for area in (*words_on(side), *lines_on(side)):
            assert area.x > 0 and area.right < paper.width and area.y > 0 and area.bottom < paper.height


@on_both_edges
def test_words_of_side_b_overlap_neither_each_other_nor_a_line(paper, edge):
    _, back = calibration_sheet(paper, Shift(-1_400, 600, -30), edge, NAME)
    words, lines = words_on(back), lines_on(back)
    for index, area in enumerate(words):
        assert not any(area.overlaps(other) for other in (*words[index + 1 :], *lines))


@pytest.mark.parametrize(
    "size", [size for size in map(read_paper, SIZES) if min(size.lengths) >= ROOM_FOR_WORDS]
)
@on_both_edges
def test_words_of_side_a_do_not_shine_through_words_of_side_b(paper, edge):
    """Smaller paper is left out: it has no room for instructions, and its few words may shine through."""
    front, back = calibration_sheet(paper, Shift(-1_400, 600, -30), edge, NAME)
    shining = [seen_from_behind(area, paper, edge) for area in words_on(front)]
    assert shining and not any(area_a.overlaps(area_b) for area_a in shining for area_b in words_on(back))
