"""The QR code of a sheet: its modules as rectangles, and the place for it in the margins. Pure."""

from collections.abc import Iterator
from itertools import groupby
from typing import NamedTuple

import segno

from printing.faces.colours import BLACK
from printing.faces.strokes import Rect
from printing.layout import marks
from printing.layout.geometry import Area, Layout

# A phone reads a code whose modules are 0.33 mm or more and which has four modules of white around it. Beyond
# 4.2 mm from the paper's edge nearly every printer prints; a code that loses a row there is lost.
MIN_MODULE, MAX_MODULE, STEP = 330, 500, 10
QUIET = 4
MIN_EDGE, SURE_EDGE = 3_000, 4_200
# The least length of each band of words that a code leaves beside it.
MIN_WORDS = 15_000


class Code(NamedTuple):
    """An address as the rows of a QR code, ``1`` a dark module."""

    address: str
    rows: tuple[str, ...]

    @property
    def side(self) -> int:
        """The number of modules along a side, without the white around them."""
        return len(self.rows)


def code_of(address: str) -> Code | None:
    """The smallest code for an address, with as much error correction as its size allows; None for an address
    that no code holds.
    """
    try:
        code = segno.make_qr(address, error="l")
    except segno.DataOverflowError:
        return None
    return Code(address, tuple("".join("1" if module else "0" for module in row) for row in code.matrix))


def code_strokes(code: Code, area: Area) -> tuple[Rect, ...]:
    """The code's dark modules in a square. Equal runs in adjacent rows are one rectangle, so that no seam
    shows.
    """
    module = area.width // code.side
    open_runs: dict[tuple[int, int], int] = {}
    rects: list[Rect] = []
    for y, row in enumerate((*code.rows, "0" * code.side)):
        runs = set(_runs(row))
        for run in [run for run in open_runs if run not in runs]:
            top = open_runs.pop(run)
            rects.append(
                Rect(
                    area.x + run[0] * module,
                    area.y + top * module,
                    (run[1] - run[0]) * module,
                    (y - top) * module,
                    BLACK,
                )
            )
        for run in runs:
            open_runs.setdefault(run, y)
    return tuple(sorted(rects, key=lambda one: (one.y, one.x)))


def _runs(row: str) -> Iterator[tuple[int, int]]:
    start = 0
    for dark, same in groupby(row):
        end = start + len(list(same))
        if dark == "1":
            yield start, end
        start = end


def square(code: Code, x: int, y: int, side: int, most: int = 3 * MAX_MODULE) -> Area | None:
    """The area of the code, with modules of ``most`` micrometres, in a square of this side that holds its
    white as well; None if its modules would be too small.
    """
    module = min(side // (code.side + 2 * QUIET), most)
    if module < MIN_MODULE:
        return None
    inset, across = (side - module * code.side) // 2, module * code.side
    return Area(x + inset, y + inset, across, across)


def place_of(
    layout: Layout,
    codes: tuple[Code, ...],
    occupied: tuple[Area, ...],
    bands: marks.Bands,
    most: int = MAX_MODULE,
) -> tuple[Code, Area] | None:
    """The first of the codes for which the margins have room beside ``occupied`` areas, with modules as large
    as fits up to ``most``. Words make room.
    """
    edge = min(max(*layout.margins, MIN_EDGE), SURE_EDGE)
    printed = layout.sheet.grown(*[-edge] * 4)
    for code in codes:
        for module in range(most, MIN_MODULE - 1, -STEP):
            for area in _places_of_code(layout, code.side * module, QUIET * module):
                white = white_of(code, area)
                if (
                    area.inside(printed)
                    and not any(white.overlaps(other) for other in occupied)
                    and _leaves_words(bands, white)
                ):
                    return code, area
    return None


def white_of(code: Code, area: Area) -> Area:
    """The area of the code with the white around it."""
    return area.grown(*[QUIET * (area.width // code.side)] * 4)


def _places_of_code(layout: Layout, side: int, quiet: int) -> Iterator[Area]:
    """Squares close to the cards: at the right above and below them, then beside them."""
    whole, away = layout.whole, layout.bleed + quiet
    columns = sorted({(cell.x, cell.right) for cell in layout.cells()}, reverse=True)
    rows = sorted({(cell.y, cell.bottom) for cell in layout.cells()}, reverse=True)
    beside = (whole.right + away, whole.x - away - side)
    for y in (whole.y - away - side, whole.bottom + away):
        # A little more than the white: a mark is a line, and has a light edge.
        yield from (Area(right - quiet - 300 - side, y, side, side) for _, right in columns)
        yield from (Area(x, y, side, side) for x in beside)
    for x in beside:
        for top, bottom in rows:
            yield from (
                Area(x, y, side, side)
                for y in (bottom - quiet - 300 - side, top + quiet + 300, (top + bottom - side) // 2)
            )


def _leaves_words(bands: marks.Bands, white: Area) -> bool:
    """True if each place for words keeps enough of its length beside the code."""
    for area in (*bands.above, *bands.below):
        if not area.overlaps(white):
            continue
        before, after = (
            (white.y - area.y, area.bottom - white.bottom)
            if bands.sideways
            else (white.x - area.x, area.right - white.right)
        )
        if max(before, after) < MIN_WORDS:
            return False
    return True
