"""The places of cards on a sheet of paper: slots, the slots behind them, and the bleed.

Lengths are whole micrometres from the top left corner of the paper as it lies, so a block that fits
exactly fits, and no number needs a tolerance.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
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
# At the top, right, foot and left.
Margins = tuple[int, int, int, int]


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
        """True if the two share more than an edge."""
        return (
            self.x < other.right and other.x < self.right and self.y < other.bottom and other.y < self.bottom
        )

    def inside(self, other: "Area") -> bool:
        """True if this area lies in the other one entirely."""
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
    """A block of equal slots on a sheet; ``lay_out`` makes one.

    ``paper`` is as it lies; ``trim`` is the card upright, and ``turned`` cards lie on their side, their heads
    to the right. ``margins`` are those of the paper as it lies. With a ``fold`` the block takes the left or
    the upper half, and the backs the other. ``left`` and ``top`` are the begin of the block; None is the
    middle.
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
    margins: Margins = (MIN_MARGIN,) * 4
    fold: Literal["", "vertical", "horizontal"] = ""
    gutter: int = 0
    left: int | None = None
    top: int | None = None

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
        x = (paper.width - width) // 2 if self.left is None else self.left
        y = (paper.height - height) // 2 if self.top is None else self.top
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

    def turned_over(self, flip: Flip) -> "Layout":
        """The layout of the other side of the sheet, whose slots lie behind those of this one."""
        if self.axis(flip) == "vertical":
            return self if self.left is None else replace(self, left=self.paper.width - self.block.right)
        return self if self.top is None else replace(self, top=self.paper.height - self.block.bottom)

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
    margin: int | Margins = MIN_MARGIN,
    orientation: Orientation = "auto",
    turn: Turn = "auto",
    bleed: int = 0,
    outer_bleed_only: bool = False,
    fold: Fold = "",
    grid: tuple[int, int] | None = None,
    at: tuple[int | None, int | None] = (None, None),
    even: bool = False,
) -> Layout:
    """The layout with the most cards that the paper holds inside the printer's margin.

    Of several layouts with as many cards the first counts: portrait before landscape, upright cards before
    turned ones, a vertical fold before a horizontal one. Bleed round each card keeps cards at least twice the
    bleed apart. ``grid``: the columns and rows, in place of the most. ``at``: the begin of the block, which
    may be inside the margin; else it stands in the middle, or as near to it as the margins let it. ``even``:
    both sides of the paper are printed, so that opposite margins are alike. Raises DoesNotFit when not one
    card fits.
    """
    if bleed and not outer_bleed_only:
        gap = max(gap[0], 2 * bleed), max(gap[1], 2 * bleed)
    margins = (margin, margin, margin, margin) if isinstance(margin, int) else margin
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
        across, down = (trim[1], trim[0]) if turned else trim
        above, right, below, left = _edges(margins, sheet.width > sheet.height, even or bool(folded))
        begins = (at[0] if at[0] is not None else left, at[1] if at[1] is not None else above)
        width = ((sheet.width - gutter) // 2 if folded == "vertical" else sheet.width - right) - begins[0]
        height = ((sheet.height - gutter) // 2 if folded == "horizontal" else sheet.height - below) - begins[
            1
        ]
        if grid:
            # Perforations may run closer to the edge than a printer prints.
            width, height = width + right * (at[0] is not None), height + below * (at[1] is not None)
        columns, rows = (width + gap[0]) // (across + gap[0]), (height + gap[1]) // (down + gap[1])
        if grid and columns >= grid[0] and rows >= grid[1]:
            columns, rows = grid
        elif grid:
            continue
        if min(columns, rows) > 0 and (best is None or columns * rows > best.per_sheet):
            best = Layout(
                sheet,
                trim,
                columns,
                rows,
                *gap,
                turned,
                bleed,
                outer_bleed_only,
                (above, right, below, left),
                folded,
                gutter,
            )
            block = best.block
            inside = (
                _placed(at[0], block.x, left, sheet.width - right - block.width),
                _placed(at[1], block.y, above, sheet.height - below - block.height),
            )
            best = best if folded else replace(best, left=inside[0], top=inside[1])
    if best is None:
        twice = " together with its back" if fold else ""
        what, do = (f"{grid[0]} × {grid[1]} cards", "do") if grid else ("a card", "does")
        raise DoesNotFit(
            f"{what} of {millimetres(trim)}{twice} {do} not fit on {paper.name} with a margin of"
            f" {max(margins) / MM:g} mm"
        )
    return best


def _edges(margins: Margins, landscape: bool, even: bool) -> Margins:
    """The margins of a sheet as it lies. A printer turns landscape pages by a quarter, one way or the other,
    so that either of two margins may lie at an edge.
    """
    above, right, below, left = margins
    if even or landscape:
        above = below = max(above, below)
        left = right = max(left, right)
    return (left, above, left, above) if landscape else (above, right, below, left)


def _placed(wanted: int | None, middle: int, least: int, most: int) -> int | None:
    """The place at which a block begins: the wanted one, else the nearest to the middle between two bounds;
    None if that is the middle.
    """
    place = max(least, min(middle, most)) if wanted is None else wanted
    return None if place == middle else place


def turned_over(turn: int, axis: Axis) -> int:
    """The turn of a back behind a front with this turn, so that the back's head is on top when the card is
    turned like a page.
    """
    return -turn % 360 if axis == "vertical" else (180 - turn) % 360
