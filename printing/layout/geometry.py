"""Where cards lie on a sheet of paper: their slots, the slots behind them on the other side, and their bleed.

`lay_out` finds the `Layout` with the most cards; `imposition` puts drawings into its slots and `marks` draws
around them. All lengths are whole micrometres from the top left corner of the paper as it lies; y grows
downwards. Keep them whole: a block that fits exactly then fits, and no comparison needs a tolerance.
Tests: ``tests/printing/layout/test_geometry.py``, and ``tests/printing/pictures/`` for sheets as pictures.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import product
from typing import Literal, NamedTuple

from printing.options.sizes import MM, Size, millimetres

# 5 mm. Most printers leave 3 to 4.2 mm at the edge of the paper blank, and nearly all print further in.
MIN_MARGIN = 5_000
# The least distance between fronts and backs on the two halves of a folded sheet, because a fold is never as
# sharp as a cut.
MIN_GUTTER = 4_000

Flip = Literal["long", "short"]
Axis = Literal["vertical", "horizontal"]
Orientation = Literal["auto", "portrait", "landscape"]
Turn = Literal["auto", "upright", "turned"]
Fold = Literal["", "auto", "vertical", "horizontal"]
SideName = Literal["front", "back"]
# Top, right, foot, left.
Margins = tuple[int, int, int, int]


class Area(NamedTuple):
    """A rectangle on the paper: its top left corner and its size."""

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

    def ends(self, upright: bool) -> tuple[int, int]:
        """Return the y of its top and its foot if ``upright``, else the x of its left and its right edge."""
        return (self.y, self.bottom) if upright else (self.x, self.right)

    def overlaps(self, other: "Area") -> bool:
        """Return whether the two areas share more than an edge."""
        return (
            self.x < other.right and other.x < self.right and self.y < other.bottom and other.y < self.bottom
        )

    def inside(self, other: "Area") -> bool:
        """Return whether this area lies completely inside the other one."""
        return (
            other.x <= self.x
            and other.y <= self.y
            and self.right <= other.right
            and self.bottom <= other.bottom
        )

    def grown(self, left: int, top: int, right: int, bottom: int) -> "Area":
        """Return the area, enlarged by this much on each side. Negative numbers shrink it."""
        return Area(self.x - left, self.y - top, self.width + left + right, self.height + top + bottom)

    def within(self, other: "Area") -> "Area":
        """Return the part of this area that lies inside the other one."""
        x, y = max(self.x, other.x), max(self.y, other.y)
        return Area(x, y, min(self.right, other.right) - x, min(self.bottom, other.bottom) - y)


def around(areas: Iterable[Area]) -> Area:
    """Return the smallest area that holds all of these areas."""
    lefts, tops, rights, bottoms = zip(
        *((area.x, area.y, area.right, area.bottom) for area in areas), strict=True
    )
    x, y = min(lefts), min(tops)
    return Area(x, y, max(rights) - x, max(bottoms) - y)


class Segment(NamedTuple):
    """A straight line between two points."""

    x1: int
    y1: int
    x2: int
    y2: int


class DoesNotFit(ValueError):
    """The paper has no room for even one card, or for the grid that was asked for."""


@dataclass(frozen=True)
class Layout:
    """A block of equal slots on a sheet. `lay_out` makes one.

    ``paper`` and ``margins`` are those of the paper as it lies. ``trim`` is (width, height) of the upright
    card; ``turned`` cards lie on their side with their heads to the right. With a ``fold`` the fronts take
    the left or the upper half of the paper and the backs the other half, ``gutter`` apart. ``left`` and
    ``top`` are the top left corner of the block; None centres it.
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
        return "landscape" if self.landscape else "portrait"

    @property
    def sheet(self) -> Area:
        return Area(0, 0, self.paper.width, self.paper.height)

    @property
    def cell(self) -> tuple[int, int]:
        """The (width, height) of a card as it lies on the paper."""
        return (self.trim[1], self.trim[0]) if self.turned else self.trim

    @property
    def block(self) -> Area:
        """The area of all slots of the fronts, without bleed."""
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
        """The area of all slots of the fronts and, on a folded sheet, of the backs."""
        block = self.block
        return around((block, self.folded(block))) if self.fold else block

    def slot(self, place: int) -> Area:
        """Return the area of a slot. ``place`` counts from 0, row by row.

        Places may go on over several sheets, which are all alike: place 9 of a sheet with nine slots is its
        slot 0.
        """
        row, column = divmod(place % self.per_sheet, self.columns)
        block, (width, height) = self.block, self.cell
        return Area(
            block.x + column * (width + self.gap_x), block.y + row * (height + self.gap_y), width, height
        )

    def bled(self, place: int) -> Area:
        """Return the slot with its bleed, which stops at neighbouring bleed and at the edge of the paper."""
        row, column = divmod(place % self.per_sheet, self.columns)
        # The bleed towards a neighbouring card.
        inner_x, inner_y = (
            0 if self.outer_bleed_only else min(self.bleed, gap // 2) for gap in (self.gap_x, self.gap_y)
        )
        left = inner_x if column else self.bleed
        right = inner_x if column < self.columns - 1 else self.bleed
        top = inner_y if row else self.bleed
        bottom = inner_y if row < self.rows - 1 else self.bleed
        return self.slot(place).grown(left, top, right, bottom).within(self.sheet)

    def folded(self, area: Area) -> Area:
        """Return the area onto which this area falls when the sheet is folded in its middle."""
        if self.fold == "vertical":
            return area._replace(x=self.paper.width - area.right)
        return area._replace(y=self.paper.height - area.bottom)

    def axis(self, flip: Flip) -> Axis:
        """Return the axis about which the paper is turned over.

        Long edges are vertical in portrait, horizontal in landscape.
        """
        return "vertical" if (flip == "long") != self.landscape else "horizontal"

    def turned_over(self, flip: Flip) -> "Layout":
        """Return the layout of the other side of the sheet, whose slots lie exactly behind these."""
        if self.axis(flip) == "vertical":
            return self if self.left is None else replace(self, left=self.paper.width - self.block.right)
        return self if self.top is None else replace(self, top=self.paper.height - self.block.bottom)

    def back_of(self, place: int, flip: Flip) -> int:
        """Return the place of the slot behind this one when the sheet is turned over its long or short edge.

        The function is its own inverse: the back of a back is the front. In portrait with 3 x 3 slots, slot 0
        (top left) has slot 2 behind it if turned over the long edge, and slot 6 if over the short edge.
        """
        sheet, place = divmod(place, self.per_sheet)
        row, column = divmod(place, self.columns)
        if self.axis(flip) == "vertical":
            column = self.columns - 1 - column
        else:
            row = self.rows - 1 - row
        return sheet * self.per_sheet + row * self.columns + column

    def cells(self) -> list[Area]:
        """Return all areas on one side that hold a card: the slots and, on a folded sheet, the backs."""
        slots = [self.slot(place) for place in range(self.per_sheet)]
        return [*slots, *map(self.folded, slots)] if self.fold else slots

    def columns_at(self) -> list[int]:
        """Return every x at which a card begins or ends, in ascending order."""
        return sorted({x for cell in self.cells() for x in (cell.x, cell.right)})

    def rows_at(self) -> list[int]:
        """Return every y at which a card begins or ends, in ascending order."""
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
    """Return the layout with the most cards inside the printer's margins.

    Of several layouts with as many cards the first wins: portrait before landscape, upright cards before
    turned ones, a vertical fold before a horizontal one. Bleed around each card keeps cards at least twice
    the bleed apart.

    ``grid``: (columns, rows) to use instead of as many as fit. ``at``: the top left corner of the block,
    which may lie inside the margins; where it is None the block stands in the middle, or as near to it as the
    margins allow. ``even``: both sides of the paper are printed, so opposite margins must be equal.

    Raise DoesNotFit if there is no room for one card, or for the grid.
    """
    if bleed and not outer_bleed_only:
        gap = max(gap[0], 2 * bleed), max(gap[1], 2 * bleed)
    margins = (margin, margin, margin, margin) if isinstance(margin, int) else margin
    portrait = paper if paper.width <= paper.height else paper.across()
    landscape = portrait.across()
    # "auto" tries both.
    papers = {"portrait": [portrait], "landscape": [landscape]}.get(orientation, [portrait, landscape])
    turns = {"upright": [False], "turned": [True]}.get(turn, [False, True])
    folds: list[Literal["", "vertical", "horizontal"]] = (
        ["vertical", "horizontal"] if fold == "auto" else [fold]
    )
    best: Layout | None = None
    for sheet, turned, folded in product(papers, turns, folds):
        layout = Layout(
            sheet,
            trim,
            *(grid or (0, 0)),
            *gap,
            turned,
            bleed,
            outer_bleed_only,
            margins=_edges(margins, sheet.width > sheet.height, even or bool(folded)),
            fold=folded,
            gutter=max(MIN_GUTTER, 2 * bleed) if folded else 0,
        )
        columns, rows = _columns_and_rows(layout, at, is_grid=grid is not None)
        if grid is None:
            layout = replace(layout, columns=columns, rows=rows)
        has_room = 0 < layout.columns <= columns and 0 < layout.rows <= rows
        if has_room and (best is None or layout.per_sheet > best.per_sheet):
            best = layout if folded else _placed(layout, at)
    if best is None:
        twice = " together with its back" if fold else ""
        what, do = (f"{grid[0]} × {grid[1]} cards", "do") if grid else ("a card", "does")
        raise DoesNotFit(
            f"{what} of {millimetres(trim)}{twice} {do} not fit on {paper.name} with a margin of"
            f" {max(margins) / MM:g} mm"
        )
    return best


def _columns_and_rows(layout: Layout, at: tuple[int | None, int | None], is_grid: bool) -> tuple[int, int]:
    """Return how many columns and rows of cards have room from ``at`` on; from a margin where that is None.

    The room goes on to the fold, or to the margin at the far side. Perforated cards may lie closer to the
    edge than a printer prints: a grid that begins at a given place may run over that margin.
    """
    (width, height), (across, down) = layout.paper.lengths, layout.cell
    above, right, below, left = layout.margins
    end_x = (width - layout.gutter) // 2 if layout.fold == "vertical" else width - right
    end_y = (height - layout.gutter) // 2 if layout.fold == "horizontal" else height - below
    x, y = at
    if x is not None:
        left = x
        end_x += right if is_grid else 0
    if y is not None:
        above = y
        end_y += below if is_grid else 0
    # There is one gap fewer than cards, so a gap is added to the room. On A4, 210 mm wide with margins of
    # 5 mm, cards of 63 mm with gaps of 2 mm: (200 + 2) // (63 + 2) = 3 columns.
    gap_x, gap_y = layout.gap_x, layout.gap_y
    return (end_x - left + gap_x) // (across + gap_x), (end_y - above + gap_y) // (down + gap_y)


def _placed(layout: Layout, at: tuple[int | None, int | None]) -> Layout:
    """Return the layout with its block at ``at``; where that is None, near the middle, within the margins."""
    (x, y), block, paper = at, layout.block, layout.paper
    above, right, below, left = layout.margins
    return replace(
        layout,
        left=_block_start(x, block.x, left, paper.width - right - block.width),
        top=_block_start(y, block.y, above, paper.height - below - block.height),
    )


def _edges(margins: Margins, landscape: bool, even: bool) -> Margins:
    """Return the margins of a sheet as it lies, from those of the upright sheet.

    A printer turns landscape pages by a quarter, some printers one way and some the other, so each edge gets
    the wider of the two margins that may lie there: (1, 2, 3, 4) becomes (4, 3, 4, 3) in landscape, and
    (3, 4, 3, 4) in portrait if ``even``.
    """
    above, right, below, left = margins
    if even or landscape:
        above = below = max(above, below)
        left = right = max(left, right)
    return (left, above, left, above) if landscape else (above, right, below, left)


def _block_start(wanted: int | None, middle: int, lowest: int, highest: int) -> int | None:
    """Return where the block begins: at ``wanted``, else as near to ``middle`` as the two bounds allow.

    None stands for the middle itself, as in `Layout`.
    """
    place = max(lowest, min(middle, highest)) if wanted is None else wanted
    return None if place == middle else place


def turned_over(turn: int, axis: Axis) -> int:
    """Return the turn of a back, in degrees, behind a front with this turn.

    The back's head is on top when the card is turned over like the page of a book. Fronts with turns of 0,
    90, 180 and 270 degrees have backs of 0, 270, 180 and 90 about a vertical axis, and of 180, 90, 0 and 270
    about a horizontal one.
    """
    return -turn % 360 if axis == "vertical" else (180 - turn) % 360
