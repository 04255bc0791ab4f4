"""Worksheets on paper: filled in, or blank with room to write; as many on a page as can be read and written
on.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import NamedTuple

from cardsdb.games.kit.model.text import plural, slugify
from printing.faces import colours
from printing.faces.strokes import Drawing, Line, Stroke, moved
from printing.job.job import TooMuch
from printing.job.pieces import MissingCharacters, MissingGlyph, missing_in
from printing.layout.geometry import MIN_MARGIN
from printing.layout.imposition import Placed, SheetSide
from printing.options.sizes import PAPERS
from printing.options.table import Choice, Option
from printing.options.values import NAMED, BadOption
from printing.render import pdf
from printing.render.files import Sheets
from printing.render.worksheet_page import Paper, compose, fits_one

MAX_SHEETS = 60
CUT = 120

# Sheets on a page -> (columns, rows).
GRIDS = {1: (1, 1), 2: (1, 2), 4: (2, 2), 8: (2, 4)}
UP = Option(
    "up",
    "choice",
    "",
    "On a page",
    "Paper",
    "Sheets on a page, to be cut apart.",
    (
        Choice("", "As many as can be read"),
        Choice("1", "One"),
        Choice("2", "Two"),
        Choice("4", "Four"),
        Choice("8", "Eight, as cards"),
    ),
)


class Cell(NamedTuple):
    """The part of a page that one sheet, or one page of it, takes."""

    paper: Paper
    strokes: tuple[Stroke, ...]


def print_worksheets(papers: Sequence[Paper], paper: str = "a4", title: str = "", up: str = "") -> Sheets:
    """Print the sheets, ``up`` on a page, with blank ones where a page has room left. Raises CannotPrint
    before a PDF is begun.
    """
    if paper not in PAPERS:
        raise BadOption(NAMED["paper"], paper, tuple(PAPERS))
    if up not in {choice.value for choice in UP.choices}:
        raise BadOption(UP, up, UP.allowed)
    if not papers:
        raise TooMuch("there is nothing to print: the deck has no card with a sheet")
    if len(papers) > MAX_SHEETS:
        raise TooMuch(f"at most {MAX_SHEETS} sheets are printed at once, not {len(papers)}")
    size = PAPERS[paper]
    drawings: list[Drawing] = []
    for _, same in groupby(papers, key=lambda one: (one.game.slug, one.sheet.slug)):
        drawings += _pages(list(same), size.lengths, int(up or 0))
    pages = [
        SheetSide(number, "front", (Placed(drawing, 0, 0),), drawing.name, role="P")
        for number, drawing in enumerate(drawings, 1)
    ]
    first = papers[0]
    heading = title or (first.title if len(papers) == 1 else f"{first.game.name} sheets")
    counted = f"{len(pages)} {plural(len(pages), 'page')}, {size.name}"
    data = pdf.make_pdf(size.lengths, pages, pdf.About(heading, f"{first.game.name}, {counted}"))
    name = f"{first.game.slug}-{slugify(heading)[:60].strip('-') or 'sheets'}.pdf"
    return Sheets(name, "application/pdf", data, len(pages), len(papers))


def best_up(papers: Sequence[Paper], page: tuple[int, int]) -> int:
    """As many on a page as there can be without one of these sheets needing a second part of it."""
    return next(
        (up for up in sorted(GRIDS, reverse=True) if all(fits_one(one, *_cell(page, up)) for one in papers)),
        1,
    )


def _pages(papers: Sequence[Paper], page: tuple[int, int], up: int) -> list[Drawing]:
    """The pages of sheets of one kind."""
    width, height = page
    up = up or best_up(papers, page)
    columns, rows = GRIDS[up]
    across, down = _cell(page, up)
    cells = [Cell(one, strokes) for one in papers for strokes in compose(one, across, down)]
    missing = {
        MissingGlyph(cell.paper.title, character): None
        for cell in cells
        for character in missing_in(cell.strokes)
    }
    if missing:
        raise MissingCharacters(tuple(missing))
    blank = Paper(papers[0].game, papers[0].sheet)
    spare = compose(blank, across, down)
    while len(cells) % up and len(spare) <= up - len(cells) % up:
        cells += [Cell(blank, strokes) for strokes in spare]
    drawings = []
    for start in range(0, len(cells), up):
        here = cells[start : start + up]
        strokes: list[Stroke] = []
        for place, cell in enumerate(here):
            row, column = divmod(place, columns)
            strokes += moved(cell.strokes, column * across, row * down)
        edges = MIN_MARGIN, width - MIN_MARGIN, height - MIN_MARGIN
        strokes += [
            Line(across * one, edges[0], across * one, edges[2], CUT, colours.FAINT)
            for one in range(1, columns)
        ]
        strokes += [
            Line(edges[0], down * one, edges[1], down * one, CUT, colours.FAINT) for one in range(1, rows)
        ]
        name = ", ".join(dict.fromkeys(cell.paper.title for cell in here))
        drawings.append(Drawing(name, width, height, tuple(strokes)))
    return drawings


def _cell(page: tuple[int, int], up: int) -> tuple[int, int]:
    columns, rows = GRIDS[up]
    return page[0] // columns, page[1] // rows
