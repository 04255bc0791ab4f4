"""The QR code in the margin of a sheet, which leads back to the list: its modules as rectangles, and its
place. Pure.

`Margins.code` asks for its place; pages of the register and extra pieces put it into a `square`. A change
must keep: no module is smaller than a phone can read, and the white border around the code stays free.
Tests: ``tests/printing/layout/test_qr_code.py``; ``test_margins.py`` beside it for the words that give way.
"""

from collections.abc import Iterator
from itertools import groupby
from typing import NamedTuple

import segno

from printing.faces.colours import BLACK
from printing.faces.strokes import Rect
from printing.layout.bands import Bands
from printing.layout.geometry import Area, Layout

# A phone reads modules of 0.33 mm or more. Their size is tried from the largest down, in steps of 0.01 mm.
MIN_MODULE = 330
MAX_MODULE = 500
STEP = 10
# The width of the white border that a phone needs around the code, in modules.
QUIET = 4
# A code keeps this much more than its border from cut lines, because a mark has a thickness and a light edge.
FROM_CUT = 300
# The distance of the code from the edge of the paper is the printer's margin, within these bounds. Nearly
# every printer prints further in than 4.2 mm, and a code that loses one row cannot be read.
MIN_EDGE = 3_000
SURE_EDGE = 4_200
# The least length of each area for words that a code may leave beside it, in micrometres.
MIN_WORDS = 15_000


class Code(NamedTuple):
    """An address as the rows of a QR code. ``1`` is a dark module, ``0`` a light one."""

    address: str
    rows: tuple[str, ...]

    @property
    def side(self) -> int:
        """The number of modules along a side, without the white border."""
        return len(self.rows)


def code_of(address: str) -> Code | None:
    """Return the smallest code for an address, with as much error correction as its size allows.

    None if the address is too long for any code.
    """
    try:
        code = segno.make_qr(address, error="l")
    except segno.DataOverflowError:
        return None
    rows = ("".join("1" if module else "0" for module in row) for row in code.matrix)
    return Code(address, tuple(rows))


def code_strokes(code: Code, area: Area) -> tuple[Rect, ...]:
    """Return the dark modules of the code as rectangles that fill the area.

    Equal runs of dark modules in adjacent rows become one rectangle, so that viewers show no seams between
    rows: the rows ``110``, ``110``, ``001`` become a square of 2 x 2 modules and one of a single module.
    """
    module = area.width // code.side
    # The runs of the row above: (begin, end) -> the row in which it began. An empty last row closes them all.
    open_runs: dict[tuple[int, int], int] = {}
    rects: list[Rect] = []
    for y, row in enumerate((*code.rows, "0" * code.side)):
        runs = set(_runs(row))
        for run in [run for run in open_runs if run not in runs]:
            top, (begin, end) = open_runs.pop(run), run
            x, wide = area.x + begin * module, (end - begin) * module
            rects.append(Rect(x, area.y + top * module, wide, (y - top) * module, BLACK))
        for run in runs:
            open_runs.setdefault(run, y)
    return tuple(sorted(rects, key=lambda rect: (rect.y, rect.x)))


def _runs(row: str) -> Iterator[tuple[int, int]]:
    """Yield the (begin, end) of each run of dark modules in a row: ``1110010`` -> (0, 3), (5, 6)."""
    start = 0
    for dark, same in groupby(row):
        end = start + len(list(same))
        if dark == "1":
            yield start, end
        start = end


def square(code: Code, x: int, y: int, side: int, most: int = 3 * MAX_MODULE) -> Area | None:
    """Return the area of the code in the middle of a square of this side, which also holds the white border.

    ``most`` is the largest size of a module in micrometres. None if the modules would be too small to read.
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
    bands: Bands,
    most: int = MAX_MODULE,
) -> tuple[Code, Area] | None:
    """Return the first code for which the margins have room, and its area; None if there is no room for any.

    The modules are as large as fit, up to ``most``. The white border keeps clear of the ``occupied`` areas;
    it may cover a part of the ``bands`` of words if enough of them is left.
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
    """Return the area of the code and its white border."""
    return area.grown(*[QUIET * (area.width // code.side)] * 4)


def _places_of_code(layout: Layout, side: int, quiet: int) -> Iterator[Area]:
    """Yield squares close to the cards: above and below them from the right, then beside them."""
    whole, away, inset = layout.whole, layout.bleed + quiet, quiet + FROM_CUT
    columns, rows = (
        sorted({cell.ends(upright) for cell in layout.cells()}, reverse=True) for upright in (False, True)
    )
    beside = (whole.right + away, whole.x - away - side)
    for y in (whole.y - away - side, whole.bottom + away):
        yield from (Area(right - inset - side, y, side, side) for _, right in columns)
        yield from (Area(x, y, side, side) for x in beside)
    for x in beside:
        for top, bottom in rows:
            ys = (bottom - inset - side, top + inset, (top + bottom - side) // 2)
            yield from (Area(x, y, side, side) for y in ys)


def _leaves_words(bands: Bands, white: Area) -> bool:
    """Return whether every area for words keeps enough of its length beside the code."""
    for area in (*bands.above, *bands.below):
        if not area.overlaps(white):
            continue
        begin, end = area.ends(bands.sideways)
        white_begin, white_end = white.ends(bands.sideways)
        if max(white_begin - begin, end - white_end) < MIN_WORDS:
            return False
    return True
