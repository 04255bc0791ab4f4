"""The calibration sheet, and what its readings mean."""

from __future__ import annotations

from collections.abc import Callable

import pypdfium2
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from printing.faces.strokes import Line, TextRun
from printing.layout.calibration import (
    FROM_EDGE,
    INNER,
    MAX_LINES,
    MAX_SHIFT,
    OUTER,
    ROOM_FOR_WORDS,
    RULER,
    STEP,
    OutOfReach,
    Readings,
    back_options,
    calibration_sheet,
    lying,
    measured,
    stacked,
)
from printing.layout.geometry import Area, Flip
from printing.layout.imposition import SheetSide
from printing.options.duplex import DuplexMode, Shift
from printing.options.sizes import PAPERS, Size, read_paper
from printing.options.values import read_options
from printing.render.pdf import About, make_pdf

A4, DPI = PAPERS["a4"], 300
BETWEEN = (INNER + OUTER) // 2

# -- a printer and a pair of eyes, in pixels -----------------------------------------------


def pixels(micrometres: float) -> int:
    return round(micrometres * DPI / 25_400)


def printed(paper: Size, shift: Shift, edge: Flip = "long") -> tuple[Image.Image, Image.Image]:
    """Both sides as they leave a perfect printer."""
    sides = calibration_sheet(paper, shift, edge)
    document = pypdfium2.PdfDocument(make_pdf(paper.lengths, sides, About("Sheet", "Test")))
    front, back = (page.render(scale=DPI / 72, grayscale=True).to_pil() for page in document)
    return front, back


def displaced(back: Image.Image, right: int, down: int, clockwise: float = 0.0) -> Image.Image:
    """What a printer makes of a back that puts it so far off."""
    turned = back.rotate(-clockwise, Image.Resampling.BICUBIC, fillcolor=255)
    out = Image.new("L", back.size, 255)
    out.paste(turned, (pixels(right), pixels(down)))
    return out


def middles(darkness: Callable[[int], int], length: int) -> list[float]:
    """Where lines cross a scan line: the middle of every dark stretch."""
    centres, start = [], None
    for place in range(length + 1):
        dark = place < length and darkness(place) < 128
        if dark and start is None:
            start = place
        elif not dark and start is not None:
            centres.append((start + place - 1) / 2)
            start = None
    return centres


def read(front: list[float], back: list[float]) -> int:
    """The number of the line that runs on most nearly straight, in micrometres."""
    assert len(front) == len(back) == 2 * MAX_LINES + 1
    nearest = min(range(len(front)), key=lambda index: abs(front[index] - back[index]))
    return (nearest - MAX_LINES) * STEP


def read_all(front: Image.Image, back: Image.Image, paper: Size, edge: Flip = "long") -> Readings:
    """The three readings of somebody who holds the sheet against light, side B towards them."""
    flip = (
        Image.Transpose.FLIP_LEFT_RIGHT
        if (edge == "long") != (paper.width > paper.height)
        else Image.Transpose.FLIP_TOP_BOTTOM
    )
    through = front.transpose(flip)
    reach = pixels(MAX_LINES * 5_000 + 2_500)

    def across(image: Image.Image, y: int) -> list[float]:
        xs = middles(lambda x: image.getpixel((x, pixels(y))), image.width)
        return [x for x in xs if abs(x - image.width / 2) < reach]

    def down(image: Image.Image, x: int) -> list[float]:
        ys = middles(lambda y: image.getpixel((pixels(x), y)), image.height)
        return [y for y in ys if abs(y - image.height / 2) < reach]

    top, foot = (
        read(across(through, y - BETWEEN), across(back, y)) for y in (FROM_EDGE, paper.height - FROM_EDGE)
    )
    middle = paper.width // 2
    return Readings(top, foot, read(down(through, middle - BETWEEN), down(back, middle + 1_500)))


@pytest.mark.parametrize("paper", [A4, A4.across()], ids=["portrait", "landscape"])
@pytest.mark.parametrize("edge", ["long", "short"])
@pytest.mark.parametrize(("right", "down"), [(0, 0), (600, -400), (-1_800, 2_000)])
def test_a_back_that_is_off_by_so_much_reads_what_puts_it_right(paper, edge, right, down):
    front, back = printed(paper, Shift(), edge)
    readings = read_all(front, displaced(back, right, down), paper, edge)
    assert readings == Readings(-right, -right, -down)


@pytest.mark.parametrize(("right", "down", "slanted"), [(0, 0, 0.4), (1_200, -800, 0), (900, 600, -0.3)])
def test_a_sheet_printed_with_what_was_measured_reads_nought(right, down, slanted):
    front, back = printed(A4, Shift())
    first = measured(read_all(front, displaced(back, right, down, slanted), A4), A4)
    assert first.turn / 100 == pytest.approx(-slanted, abs=0.06)
    front, back = printed(A4, stacked(Shift(), first))
    again = read_all(front, displaced(back, right, down, slanted), A4)
    assert max(map(abs, again)) <= (STEP if slanted else 0)


# -- the arithmetic ------------------------------------------------------------------------

SHIFTS = st.builds(
    Shift, *[st.integers(-4_000, 4_000)] * 2, st.integers(-100, 100), wider=st.just(0), higher=st.just(0)
)


@given(st.integers(-4_000, 4_000), st.integers(-4_000, 4_000), st.integers(1, 3_000))
def test_strips_that_differ_turn_towards_the_one_that_must_go_right_at_the_top(across, down, apart):
    assert measured(Readings(across, across, down), A4) == Shift(across, down, 0)
    shift = measured(Readings(apart, -apart, 0), A4)
    assert shift.x == 0 and shift.turn >= 0
    assert measured(Readings(-apart, apart, 0), A4).turn == -shift.turn


@given(SHIFTS, SHIFTS)
def test_a_second_reading_is_added_to_the_first(one, other):
    total = stacked(one, other)
    # The second sheet was printed turned already, so what it asks for is turned with it.
    exact = one.after(other)
    assert total.turn == exact.turn and abs(total.x - exact.x) <= 5 and abs(total.y - exact.y) <= 5
    assert total.x % 10 == total.y % 10 == 0


def test_what_no_print_can_move_is_refused():
    with pytest.raises(OutOfReach, match="100 per cent"):
        stacked(Shift(6_000, 0, 0), Shift(MAX_SHIFT, 0, 0))


@given(SHIFTS)
def test_a_printer_fills_the_options_of_a_print(shift):
    options = read_options(back_options(shift, DuplexMode("short")))
    assert options.shift == shift
    assert options.back_read == ("short" if any(shift) else "here")


@pytest.mark.parametrize(
    "paper", ["a4", "letter", "a3", "legal", "tabloid", "148x210", "105x148", "100x150", "180x180"]
)
@pytest.mark.parametrize("landscape", [False, True])
@pytest.mark.parametrize("edge", ["long", "short"])
def test_all_lies_on_the_paper_and_no_words_on_others_or_on_a_cross_also_against_the_light(
    paper, landscape, edge
):
    size, name = lying(read_paper(paper), landscape), "The printer on the second floor"
    for side in calibration_sheet(size, Shift(-9_999, 9_999, -299), edge, name):
        for area in (*words_of(side), *lines_of(side)):
            assert area.x > 0 and area.right < size.width and area.y > 0 and area.bottom < size.height
    front, back = calibration_sheet(size, Shift(-1_400, 600, -30), edge, name)
    through = words_of(back)
    crosses = [line for line in lines_of(back) if line.width + line.height == 2 * RULER]
    for index, area in enumerate(through):
        assert not any(area.overlaps(other) for other in (*through[index + 1 :], *crosses))
    if min(size.lengths) >= ROOM_FOR_WORDS:
        upright = (edge == "long") != (size.width > size.height)
        shining = [
            area._replace(x=size.width - area.right)
            if upright
            else area._replace(y=size.height - area.bottom)
            for area in words_of(front)
        ]
        assert not any(one.overlaps(other) for one in shining for other in through)


def words_of(side: SheetSide) -> list[Area]:
    runs = [stroke for stroke in side.over if isinstance(stroke, TextRun)]
    return [Area(one.x, one.y - one.size * 7 // 10, one.width, one.size * 9 // 10) for one in runs]


def lines_of(side: SheetSide) -> list[Area]:
    lines = (one for one in side.over if isinstance(one, Line))
    return [
        Area(min(one.x1, one.x2), min(one.y1, one.y2), abs(one.x2 - one.x1), abs(one.y2 - one.y1))
        for one in lines
    ]
