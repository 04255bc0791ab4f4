"""The places of cards on a sheet of paper: slots, the slots behind them, and the bleed.

Lengths are whole micrometres from the top left corner of the paper as it lies, so a block that fits
exactly fits, and no number needs a tolerance.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import product
from typing import Literal, NamedTuple

from printing.options.sizes import MM, Size, millimetres

# Most printers leave 3 to 4.2 mm of the paper blank and nearly all print beyond 5 mm.
MIN_MARGIN = 5_000
# The least distance of fronts and backs on one side of the paper: a fold is never as sharp as a cut.
MIN_GUTTER = 4_000

Flip = Literal["long", "short"]
Axis = Literal["vertical", "horizontal"]
Orientation = Literal["auto", "portrait", "landscape"]
Turn = Literal["auto", "upright", "turned"]
Fold = Literal["", "auto", "vertical", "horizontal"]


class Area(NamedTuple):
    """A rectangle on the paper."""

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

    def overlaps(self, other: "Area") -> bool:
        """Say whether the two share more than an edge."""
        return (
            self.x < other.right and other.x < self.right and self.y < other.bottom and other.y < self.bottom
        )

    def inside(self, other: "Area") -> bool:
        """Say whether this area lies in the other one entirely."""
        return (
            other.x <= self.x
            and other.y <= self.y
            and self.right <= other.right
            and self.bottom <= other.bottom
        )

    def grown(self, left: int, top: int, right: int, bottom: int) -> "Area":
        """The area with this much more on each side."""
        return Area(self.x - left, self.y - top, self.width + left + right, self.height + top + bottom)

    def within(self, other: "Area") -> "Area":
        """The part of the area that lies in the other."""
        x, y = max(self.x, other.x), max(self.y, other.y)
        return Area(x, y, min(self.right, other.right) - x, min(self.bottom, other.bottom) - y)


def around(areas: Iterable[Area]) -> Area:
    """The smallest area that holds all of these."""
    lefts, tops, rights, bottoms = zip(
        *((area.x, area.y, area.right, area.bottom) for area in areas), strict=True
    )
    x, y = min(lefts), min(tops)
    return Area(x, y, max(rights) - x, max(bottoms) - y)


class Segment(NamedTuple):
    """A straight line from one point to another."""

    x1: int
    y1: int
    x2: int
    y2: int


class DoesNotFit(ValueError):
    """The card is larger than the paper."""


@dataclass(frozen=True)
class Layout:
    """A block of equal slots in the middle of a sheet; ``lay_out`` makes one.

    ``paper`` is as it lies; ``trim`` is the card upright, and ``turned`` cards lie on their side, their
    heads to the right. With a ``fold`` the block takes the left or the upper half, and the backs the other.
    """

    paper: Size
    trim: tuple[int, int]
    columns: int
    rows: int
    gap_x: int = 0
    gap_y: int = 0
    turned: bool = False
    bleed: int = 0
    outer_bleed_only: bool = False
    margin: int = MIN_MARGIN
    fold: Literal["", "vertical", "horizontal"] = ""
    gutter: int = 0

    @property
    def per_sheet(self) -> int:
        return self.columns * self.rows

    @property
    def landscape(self) -> bool:
        return self.paper.width > self.paper.height

    @property
    def lies(self) -> Literal["landscape", "portrait"]:
        """``landscape`` or ``portrait``."""
        return "landscape" if self.landscape else "portrait"

    @property
    def sheet(self) -> Area:
        """The whole paper."""
        return Area(0, 0, self.paper.width, self.paper.height)

    @property
    def cell(self) -> tuple[int, int]:
        """Width and height of a card as it lies on the paper."""
        return (self.trim[1], self.trim[0]) if self.turned else self.trim

    @property
    def block(self) -> Area:
        """The slots of the fronts together, without bleed."""
        (across, down), paper = self.cell, self.paper
        width = self.columns * across + (self.columns - 1) * self.gap_x
        height = self.rows * down + (self.rows - 1) * self.gap_y
        x, y = (paper.width - width) // 2, (paper.height - height) // 2
        if self.fold == "vertical":
            x = (paper.width - self.gutter) // 2 - width
        elif self.fold:
            y = (paper.height - self.gutter) // 2 - height
        return Area(x, y, width, height)

    @property
    def whole(self) -> Area:
        """The slots of the fronts and, on a sheet to be folded, those of the backs together."""
        block = self.block
        return around((block, self.folded(block))) if self.fold else block

    def slot(self, place: int) -> Area:
        """The slot with this number, counted from 0 along the rows. Numbers go on over the sheets, which are
        all alike.
        """
        row, column = divmod(place % self.per_sheet, self.columns)
        block, (width, height) = self.block, self.cell
        return Area(
            block.x + column * (width + self.gap_x), block.y + row * (height + self.gap_y), width, height
        )

    def bled(self, place: int) -> Area:
        """The slot with its bleed, which ends where the bleed of the next card begins and at the edge of the
        paper.
        """
        row, column = divmod(place % self.per_sheet, self.columns)
        inner_x, inner_y = (
            0 if self.outer_bleed_only else min(self.bleed, gap // 2) for gap in (self.gap_x, self.gap_y)
        )
        left = inner_x if column else self.bleed
        right = inner_x if column < self.columns - 1 else self.bleed
        top = inner_y if row else self.bleed
        bottom = inner_y if row < self.rows - 1 else self.bleed
        return self.slot(place).grown(left, top, right, bottom).within(self.sheet)

    def folded(self, area: Area) -> Area:
        """The area onto which this one falls when the sheet is folded in its middle."""
        if self.fold == "vertical":
            return area._replace(x=self.paper.width - area.right)
        return area._replace(y=self.paper.height - area.bottom)

    def axis(self, flip: Flip) -> Axis:
        """The axis about which the paper turns: long edges are vertical in portrait and horizontal in
        landscape.
        """
        return "vertical" if (flip == "long") != self.landscape else "horizontal"

    def back_of(self, place: int, flip: Flip) -> int:
        """The number of the slot behind this one when the sheet is turned over the paper's long or short
        edge. Its own inverse.
        """
        sheet, place = divmod(place, self.per_sheet)
        row, column = divmod(place, self.columns)
        if self.axis(flip) == "vertical":
            column = self.columns - 1 - column
        else:
            row = self.rows - 1 - row
        return sheet * self.per_sheet + row * self.columns + column

    def cells(self) -> list[Area]:
        """Every area on which a card lies on one side of the paper: the slots, and on a sheet to be folded
        the backs beside them.
        """
        slots = [self.slot(place) for place in range(self.per_sheet)]
        return [*slots, *map(self.folded, slots)] if self.fold else slots

    def columns_at(self) -> list[int]:
        """Every x at which a card begins or ends, each once, in order."""
        return sorted({x for cell in self.cells() for x in (cell.x, cell.right)})

    def rows_at(self) -> list[int]:
        """Every y at which a card begins or ends, each once, in order."""
        return sorted({y for cell in self.cells() for y in (cell.y, cell.bottom)})


def lay_out(
    paper: Size,
    trim: tuple[int, int],
    *,
    gap: tuple[int, int] = (0, 0),
    margin: int = MIN_MARGIN,
    orientation: Orientation = "auto",
    turn: Turn = "auto",
    bleed: int = 0,
    outer_bleed_only: bool = False,
    fold: Fold = "",
) -> Layout:
    """The layout with the most cards that the paper holds inside the printer's margin.

    Of several layouts with as many cards the first counts: portrait before landscape, upright cards before
    turned ones, a vertical fold before a horizontal one. Bleed round each card keeps cards at least twice
    the bleed apart. Raises DoesNotFit when not one card fits.
    """
    if bleed and not outer_bleed_only:
        gap = max(gap[0], 2 * bleed), max(gap[1], 2 * bleed)
    upright = paper if paper.width <= paper.height else paper.across()
    papers: list[Size] = {"portrait": [upright], "landscape": [upright.across()]}.get(
        orientation, [upright, upright.across()]
    )
    turns = {"upright": [False], "turned": [True]}.get(turn, [False, True])
    folds: list[Literal["", "vertical", "horizontal"]] = (
        ["vertical", "horizontal"] if fold == "auto" else [fold]
    )
    best: Layout | None = None
    for sheet, turned, folded in product(papers, turns, folds):
        gutter = max(MIN_GUTTER, 2 * bleed) if folded else 0
        cell = (trim[1], trim[0]) if turned else trim
        width = ((sheet.width - gutter) // 2 - margin) if folded == "vertical" else sheet.width - 2 * margin
        height = (
            ((sheet.height - gutter) // 2 - margin) if folded == "horizontal" else sheet.height - 2 * margin
        )
        columns, rows = (width + gap[0]) // (cell[0] + gap[0]), (height + gap[1]) // (cell[1] + gap[1])
        if min(columns, rows) > 0 and (best is None or columns * rows > best.per_sheet):
            best = Layout(
                sheet, trim, columns, rows, *gap, turned, bleed, outer_bleed_only, margin, folded, gutter
            )
    if best is None:
        twice = " together with its back" if fold else ""
        raise DoesNotFit(
            f"a card of {millimetres(trim)}{twice} does not fit on {paper.name} with a margin of"
            f" {margin / MM:g} mm"
        )
    return best


def turned_over(turn: int, axis: Axis) -> int:
    """The turn of a back behind a front with this turn, so that the back's head is on top when the card is
    turned like a page.
    """
    return -turn % 360 if axis == "vertical" else (180 - turn) % 360
