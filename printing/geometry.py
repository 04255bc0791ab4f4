"""Where things lie on a sheet of paper: slots, backs, marks, notes and rules to measure by.

Lengths are whole micrometres from the top left corner of the paper, so 2.5 in is 63,500 exactly,
a block that fits exactly fits, and no number needs a tolerance. To add a paper or a card size,
add a line to ``PAPERS`` or ``TRIMS``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple

MM, INCH = 1_000, 25_400

# Most printers leave 3 to 4.2 mm of the paper blank and nearly all print beyond 5 mm.
LEAST_MARGIN = 5_000

Flip = Literal["long", "short"]


class Area(NamedTuple):
    x: int
    y: int
    width: int
    height: int

    @property
    def right(self) -> int:
        return self.x + self.width

    @property
    def bottom(self) -> int:
        return self.y + self.height

    def overlaps(self, other: Area) -> bool:
        """Whether the two share more than an edge."""
        return self.x < other.right and other.x < self.right and self.y < other.bottom and other.y < self.bottom


class Segment(NamedTuple):
    """A straight line from one point to another."""

    x1: int
    y1: int
    x2: int
    y2: int


class ScaleBar(NamedTuple):
    """A ruler up the side of the sheet: its line, its end ticks and where its label stands."""

    label: str
    line: Segment
    ticks: tuple[Segment, ...]
    words: Area


@dataclass(frozen=True, slots=True)
class Size:
    """A paper or a card size with the name people know it by."""

    slug: str
    name: str
    width: int
    height: int


def _table(*sizes: Size) -> dict[str, Size]:
    return {size.slug: size for size in sizes}


PAPERS = _table(
    Size("a4", "A4", 210_000, 297_000),
    Size("letter", "US Letter", 215_900, 279_400),
)

TRIMS = _table(
    Size("poker", "Poker, 63.5 x 88.9 mm", 63_500, 88_900),
    Size("standard", "Standard, 63 x 88 mm", 63_000, 88_000),
)


class DoesNotFit(ValueError):
    """The card is larger than the paper."""


@dataclass(frozen=True, slots=True)
class Layout:
    """A block of equal slots in the middle of a sheet. Build one with ``lay_out``."""

    paper: Size
    trim: tuple[int, int]
    gap: int
    columns: int
    rows: int
    bleed: int = 0

    @property
    def per_sheet(self) -> int:
        return self.columns * self.rows

    @property
    def block(self) -> Area:
        """The slots together, without bleed."""
        width = self.columns * self.trim[0] + (self.columns - 1) * self.gap
        height = self.rows * self.trim[1] + (self.rows - 1) * self.gap
        return Area((self.paper.width - width) // 2, (self.paper.height - height) // 2, width, height)

    def sheets(self, cards: int) -> int:
        """How many sheets so many cards take."""
        return -(-cards // self.per_sheet)

    def slot(self, index: int) -> Area:
        """The slot with this number, counted from 0 along the rows; sheet after sheet alike."""
        row, column = divmod(index % self.per_sheet, self.columns)
        block, (width, height) = self.block, self.trim
        return Area(block.x + column * (width + self.gap), block.y + row * (height + self.gap), width, height)

    def back_of(self, index: int, flip: Flip) -> int:
        """The slot behind slot ``index`` when the sheet is turned over its long or its short edge.

        Every paper is upright: over the long edge left and right change places, over the short
        edge top and bottom. The back of the back is the front.
        """
        sheet, place = divmod(index, self.per_sheet)
        row, column = divmod(place, self.columns)
        if flip == "long":
            column = self.columns - 1 - column
        else:
            row = self.rows - 1 - row
        return sheet * self.per_sheet + row * self.columns + column

    def columns_at(self) -> list[int]:
        """Every x at which a card begins or ends, each once, in order."""
        return _edges(self.block.x, self.trim[0], self.gap, self.columns)

    def rows_at(self) -> list[int]:
        """Every y at which a card begins or ends, each once, in order."""
        return _edges(self.block.y, self.trim[1], self.gap, self.rows)

    def crop_marks(self) -> tuple[Segment, ...]:
        """Ticks in the margins in line with every cut; they stop short of the cards and of the paper's edge."""
        block, away = self.block, self.bleed + 500
        far_x, far_y = min(away + 3_500, block.x - 1_000), min(away + 3_500, block.y - 1_000)
        marks = []
        if far_y > away:
            for x in self.columns_at():
                marks.append(Segment(x, block.y - far_y, x, block.y - away))
                marks.append(Segment(x, block.bottom + away, x, block.bottom + far_y))
        if far_x > away:
            for y in self.rows_at():
                marks.append(Segment(block.x - far_x, y, block.x - away, y))
                marks.append(Segment(block.right + away, y, block.right + far_x, y))
        return tuple(marks)

    def notes(self) -> tuple[tuple[Area, ...], tuple[Area, ...]]:
        """Room for words above and below the block, one area a column, clear of the crop marks.

        Letter with nine poker cards has 6.35 mm of margin, all of which counts: the areas lie
        close to the cards, where every printer prints. No room gives no areas.
        """
        block, away = self.block, self.bleed + 800
        height = min(block.y - away - 1_500, 6_000)
        if height < 1_800:
            return (), ()
        across = [(self.slot(column).x + 1_200, self.trim[0] - 2_400) for column in range(self.columns)]
        above = tuple(Area(x, block.y - away - height, width, height) for x, width in across)
        below = tuple(Area(x, block.bottom + away, width, height) for x, width in across)
        return above, below

    def scale_bars(self) -> tuple[ScaleBar, ...]:
        """50 mm up the left margin and 2 in up the right, beside one card so that no crop mark is crossed."""
        block, away = self.block, self.bleed + 2_000
        room, (_, height) = block.x - away - 1_500, self.trim
        if room < 2_300 or height < 2 * INCH + 2 * MM:
            return ()
        middle = self.slot(self.rows // 2 * self.columns).y + height // 2
        bars = []
        for label, length, x, side in (("50 mm", 50 * MM, block.x - away, -1), ("2 in", 2 * INCH, block.right + away, 1)):
            top, bottom = middle - length // 2, middle - length // 2 + length
            ticks = tuple(Segment(x - 700, y, x + 700, y) for y in (top, bottom))
            words = Area(x - 2_800 if side < 0 else x + 500, top, 2_300, length)
            bars.append(ScaleBar(label, Segment(x, top, x, bottom), ticks, words))
        return tuple(bars)


def lay_out(paper: Size, trim: tuple[int, int], gap: int = 0) -> Layout:
    """As many cards as the paper holds, side by side with ``gap`` between them.

    Cards that stand apart let their colours run on into the gap (the bleed), half of it each.
    Raises DoesNotFit when not one card fits.
    """
    columns = (paper.width - 2 * LEAST_MARGIN + gap) // (trim[0] + gap)
    rows = (paper.height - 2 * LEAST_MARGIN + gap) // (trim[1] + gap)
    if columns < 1 or rows < 1:
        raise DoesNotFit(f"a card of {millimetres(trim)} does not fit on {paper.name}")
    return Layout(paper, trim, gap, columns, rows, min(gap // 2, 3 * MM))


def millimetres(size: tuple[int, int]) -> str:
    """A size as people write it: ``63.5 × 88.9 mm``."""
    return " × ".join(f"{length / MM:.3f}".rstrip("0").rstrip(".") for length in size) + " mm"


def _edges(start: int, length: int, gap: int, count: int) -> list[int]:
    edges = {start + index * (length + gap) + end for index in range(count) for end in (0, length)}
    return sorted(edges)
