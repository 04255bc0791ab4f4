"""Worksheets on paper, filled in or blank, with as many on a page as can be read and written on.

`sheet_pages` is the entry, for worksheets alone and for those of a print: it lays out the blocks of
`worksheet_blocks` in columns and pages, in the roomiest of ``SETTINGS`` for which one page is enough. A sheet
that is too long even in the closest one goes on on a further page; no field is ever left out.
Tests: ``tests/printing/extras/test_worksheets.py``.
"""

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

from cardsdb.games.kit import Game
from cardsdb.games.kit.play.worksheet import Worksheet, WorksheetResult
from printing.extras.worksheet_blocks import (
    SOFT,
    Block,
    Setting,
    depth_of,
    fitted,
    group_blocks,
    notes_block,
    outcome_blocks,
    verdict_blocks,
    whole,
    wrapped,
    write,
    write_lines,
)
from printing.faces import colours, fonts, wording
from printing.faces.strokes import Drawing, Line, Rect, Stroke, moved
from printing.job.limits import TooMuch
from printing.job.pieces import refuse_missing_in
from printing.layout.geometry import MIN_MARGIN
from printing.options.values import Option

# The most sheets of one print.
MAX_SHEETS = 60
# The pen of lines to cut along.
CUT = 120

# Sheets on a page -> (columns, rows).
GRIDS = {1: (1, 1), 2: (1, 2), 4: (2, 2), 8: (2, 4)}
UP = Option(
    "up",
    "choice",
    "On a page",
    help="Sheets on a page, to be cut apart.",
    choices={
        "": "As many as fit",
        "1": "One",
        "2": "Two",
        "4": "Four",
        "8": "Eight, as cards",
    },
)
# A part of a page: the title of its sheet, and its strokes.
Cell = tuple[str, tuple[Stroke, ...]]


def sheet_pages(papers: "Sequence[Paper]", page: tuple[int, int], up: int = 0) -> list[Drawing]:
    """Return the sheets on pages of this (width, height), ``up`` on each; 0 puts as many on a page as can be
    read.

    Room that is left gets blank sheets. Raise CannotPrint, for too many sheets or for characters that no font
    has.
    """
    if len(papers) > MAX_SHEETS:
        raise TooMuch(f"at most {MAX_SHEETS} sheets are printed at once, not {len(papers)}")
    drawings: list[Drawing] = []
    for _, same_kind in groupby(papers, key=lambda paper: (paper.game.slug, paper.sheet.slug)):
        drawings += _drawings(list(same_kind), page, up)
    return drawings


def best_up(papers: "Sequence[Paper]", page: tuple[int, int]) -> int:
    """Return the largest number of sheets on a page at which each fits its part in the usual setting."""
    for up in sorted(GRIDS, reverse=True):
        cell = _cell(page, up)
        if all(_Parts(paper, _Frame(paper, *cell), Setting()).fit for paper in papers):
            return up
    return 1


def _drawings(papers: "Sequence[Paper]", page: tuple[int, int], up: int) -> list[Drawing]:
    """Return the pages of sheets of one kind."""
    up = up or best_up(papers, page)
    cells = _cells(papers, _cell(page, up), up)
    return [_page(cells[start : start + up], page, up) for start in range(0, len(cells), up)]


def _cells(papers: "Sequence[Paper]", cell: tuple[int, int], up: int) -> list[Cell]:
    """Return the parts of pages with these sheets, and with whole blank ones for the rest of the last page.

    Three sheets with four on a page: three parts, and one with a blank sheet. A sheet that goes on on a
    further page takes two parts.
    """
    cells = [(paper.title, strokes) for paper in papers for strokes in compose(paper, *cell)]
    refuse_missing_in(cells)
    blank = Paper(papers[0].game, papers[0].sheet)
    spare = compose(blank, *cell)
    while len(cells) % up and len(spare) <= up - len(cells) % up:
        cells += [(blank.title, strokes) for strokes in spare]
    return cells


def _page(cells: Sequence[Cell], page: tuple[int, int], up: int) -> Drawing:
    """Return a page with these parts, row by row, and faint lines to cut them apart."""
    (width, height), (across, down), (columns, rows) = page, _cell(page, up), GRIDS[up]
    strokes: list[Stroke] = []
    for place, (_, inside) in enumerate(cells):
        row, column = divmod(place, columns)
        strokes += moved(inside, column * across, row * down)
    near, right, foot = MIN_MARGIN, width - MIN_MARGIN, height - MIN_MARGIN
    cuts = [(across * column, near, across * column, foot) for column in range(1, columns)]
    cuts += [(near, down * row, right, down * row) for row in range(1, rows)]
    strokes += [Line(*cut, CUT, colours.FAINT) for cut in cuts]
    return Drawing(", ".join(dict.fromkeys(title for title, _ in cells)), width, height, tuple(strokes))


def _cell(page: tuple[int, int], up: int) -> tuple[int, int]:
    """Return the (width, height) of each sheet's part of the page."""
    columns, rows = GRIDS[up]
    return page[0] // columns, page[1] // rows


# From roomy to close, as (type, room to write) in per cent: (140, 260), (140, 230), ... (125, 140),
# (120, 130), ... (100, 90). A sheet that does not fit even in the last one goes on on a further page.
SETTINGS = (
    *(Setting(140, room) for room in (260, 230, 200)),
    *(Setting(130, room) for room in (170, 150)),
    *map(Setting, (125, 120, 115, 110, 105), (140, 130, 125, 118, 110)),
    *(Setting(100, room) for room in (105, 100, 90)),
)
# An upright sheet that is narrower than this has one column.
TWO_COLUMNS = 130_000
# The space between columns, and between blocks.
GUTTER = 7_000
AIR = 4_500
# Room that is less deep than this is not ruled for notes.
MIN_NOTES = 24_000
# The foot: its type in tenths of a point, and the distance of lines in thousandths of the size.
FOOT_TYPE = 60
FOOT_LEADING = 1_200


@dataclass(frozen=True)
class Paper:
    """One sheet to print.

    ``result`` is None for a blank one; ``verdict`` is (words, findings) for its list.
    """

    game: Game
    sheet: Worksheet
    result: WorksheetResult | None = None
    verdict: tuple[str, tuple[str, ...]] | None = None

    @property
    def title(self) -> str:
        """``Character sheet: Nora Field``."""
        name = str(self.result.values.get("name") or "") if self.result else ""
        return f"{self.sheet.name}: {name}" if name else self.sheet.name


def compose(paper: Paper, width: int, height: int) -> list[tuple[Stroke, ...]]:
    """Return the pages of one sheet, each as its strokes, on pages of this size.

    They have the first of ``SETTINGS`` for which one page is enough, or else the last.
    """
    frame = _Frame(paper, width, height)
    for setting in SETTINGS:
        parts = _Parts(paper, frame, setting)
        if parts.fit:
            break
    # Without a break these are the parts in the last setting.
    pages = parts.pages()
    return [(*frame.band(), *page, *frame.foot(number, len(pages))) for number, page in enumerate(pages, 1)]


class _Frame:
    """The frame of the columns on a page of this size: band, foot, number and width of the columns.

    Columns begin at y = ``top`` and end at ``bottom``.
    """

    def __init__(self, paper: Paper, width: int, height: int) -> None:
        self.paper, self.width, self.height = paper, width, height
        small = min(width, height)
        # The margin, and the depth of the band, of sheets as small as cards (under 90 mm) up to those of a
        # whole page (from 180 mm on).
        self.margin, self.deep = 7_000, 9_000
        if small >= 90_000:
            self.deep = 11_000
        if small >= 120_000:
            self.margin = 9_000
        if small >= 180_000:
            self.margin, self.deep = 14_000, 15_000
        self.along = width - 2 * self.margin
        several = paper.result is not None or len(paper.sheet.groups) > 1
        # Fields that stand side by side need a column that is wide enough for two names and two boxes.
        side_by_side = any(len(group.parts) > 1 for group in paper.sheet.groups)
        has_room = width >= TWO_COLUMNS or (width > height and not side_by_side)
        self.columns = 2 if several and has_room else 1
        self.column = (self.along - (self.columns - 1) * GUTTER) // self.columns
        size = fonts.micrometres(FOOT_TYPE)
        credit = " · ".join(filter(None, ("Cutout", wording.sheet_credit(paper.game))))
        self.credit = wrapped(credit, "sans", size, self.along)
        self.top = self.margin + self.deep + AIR
        # One more line of the foot is for the page number.
        self.bottom = height - self.margin - (len(self.credit) + 1) * size * FOOT_LEADING // 1000

    def band(self) -> list[Stroke]:
        """Return the head of a page: the name of the sheet and the game on a band in the game's colour."""
        hue = self.paper.game.hue[0]
        ground = colours.legible(colours.PAPER, hue)
        inset = self.deep * 4 // 15
        strokes: list[Stroke] = [Rect(self.margin, self.margin, self.along, self.deep, hue)]
        size, least = fonts.micrometres(190) * self.deep // 15_000, fonts.micrometres(85)
        name = fitted(self.paper.title, self.along * 2 // 3 - inset, self.deep, size, "serif-bold", 2, least)
        top = self.margin + (self.deep - (len(name.lines) - 1) * name.pitch + name.size * 620 // 1000) // 2
        strokes += write_lines(name, "serif-bold", self.margin + inset, top, ground)
        game, size = self.paper.game.name, fonts.micrometres(75 + 25 * self.deep // 15_000)
        right = self.width - self.margin - inset - fonts.length("sans-bold", game, size)
        return strokes + write(
            game, "sans-bold", size, right, self.margin + self.deep // 2 + size // 3, ground
        )

    def foot(self, number: int, of: int) -> list[Stroke]:
        """Return the game's credit, and the page number if there are several pages."""
        size = fonts.micrometres(FOOT_TYPE)
        lines = [*self.credit, *([f"page {number} of {of}"] if of > 1 else [])]
        pitch = size * FOOT_LEADING // 1000
        top = self.height - self.margin - (len(lines) - 1) * pitch
        strokes: list[Stroke] = []
        for place, line in enumerate(lines):
            strokes += write(line, "sans", size, self.margin, top + place * pitch, SOFT)
        return strokes


class _Parts:
    """The content of a sheet in one setting, to be put into the columns of a frame.

    ``rows`` are its blocks; ``whole`` are the same, with blocks that belong together merged. ``undivided``:
    every merged block fits into a column.
    """

    def __init__(self, paper: Paper, frame: _Frame, setting: Setting) -> None:
        self.frame, self.setting, width = frame, setting, frame.column
        self.air, self.room = setting.length(AIR), frame.bottom - frame.top
        self.rows: list[Block] = []
        for group in paper.sheet.groups:
            self.rows += group_blocks(group, paper.result, width, setting)
        for outcome in paper.result.calculation.outcomes if paper.result else ():
            self.rows += outcome_blocks(outcome, width, setting)
        if paper.result and paper.verdict:
            self.rows += verdict_blocks(*paper.verdict, width, setting)
        self.whole = list(whole(self.rows))
        self.undivided = max(part.depth for part in self.whole) <= self.room

    @property
    def fit(self) -> bool:
        """True if the whole sheet stands on one page without dividing merged blocks."""
        return self.undivided and not self._columns(self.whole)[1]

    def pages(self) -> list[list[Stroke]]:
        """Return the strokes of each page.

        On the last one the columns are equally long, and the rest is ruled for notes.
        """
        left = self.whole if self.undivided else self.rows
        pages: list[list[Stroke]] = []
        while left:
            columns, rest = self._columns(left)
            columns = columns if rest else self._balanced(left)
            page = self._placed(columns)
            if not rest:
                page += self._notes([depth_of(blocks, self.air) for blocks in columns])
            pages.append(page)
            left = rest
        return pages

    def _balanced(self, blocks: Sequence[Block]) -> list[list[Block]]:
        """Return columns of the least depth in which all blocks fit, so that none is much longer than
        another.
        """
        rooms = range(max(block.depth for block in blocks), self.room)
        # If none of these is enough, this is the number after them, ``self.room``.
        least = rooms.start + bisect_left(rooms, True, key=lambda room: not self._columns(blocks, room)[1])
        return self._columns(blocks, least)[0]

    def _placed(self, columns: Sequence[Sequence[Block]]) -> list[Stroke]:
        """Return the strokes of columns where they stand on the page."""
        frame, strokes = self.frame, list[Stroke]()
        for number, blocks in enumerate(columns):
            x, y = frame.margin + number * (frame.column + GUTTER), frame.top
            for place, block in enumerate(blocks):
                y += 0 if not place or block.joined else self.air
                strokes += moved(block.strokes, x, y)
                y += block.depth
        return strokes

    def _notes(self, depths: list[int]) -> list[Stroke]:
        """Return lines for notes below columns of these depths: across the page, or in columns with room."""
        frame, least = self.frame, MIN_NOTES + self.air
        depths = [*depths, *[0] * (frame.columns - len(depths))]
        places = [(0, frame.along, max(depths))]
        if self.room - max(depths) < least:
            lefts = (number * (frame.column + GUTTER) for number in range(frame.columns))
            places = [(left, frame.column, depth) for left, depth in zip(lefts, depths, strict=False)]
        strokes: list[Stroke] = []
        for x, width, depth in places:
            if self.room - depth >= least:
                top = depth + self.air if depth else 0
                notes = notes_block(width, self.room - top, self.setting)
                strokes += moved(notes.strokes, frame.margin + x, frame.top + top)
        return strokes

    def _columns(self, blocks: Sequence[Block], room: int = 0) -> tuple[list[list[Block]], list[Block]]:
        """Put the blocks into the columns of a page, down to ``room`` (0: all of it); return columns and
        rest.

        At least one block is taken, however deep it is.
        """
        columns: list[list[Block]] = [[]]
        for index, block in enumerate(blocks):
            if columns[-1] and depth_of((*columns[-1], block), self.air) > (room or self.room):
                if len(columns) == self.frame.columns:
                    return columns, list(blocks[index:])
                columns.append([])
            columns[-1].append(block)
        return columns, []
