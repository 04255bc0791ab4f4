"""Tables made ready to be shown: every cell in words, every bar in thousandths of the longest. No Django."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from cardsdb.games.kit.play.statistics import NOT_STATED, NOTHING, Cell, Table, TableRow

WIDTH = 1000


@dataclass(frozen=True, slots=True)
class ShownCell:
    """``bar``: its length in thousandths, None where none is drawn. ``number``: whether it is set as one."""

    words: str
    number: bool = True
    bar: int | None = None


@dataclass(frozen=True, slots=True)
class Segment:
    """A piece of a stacked bar: its column's place among those drawn (from 1), where it begins, how long it
    is.
    """

    series: int
    start: int
    length: int


@dataclass(frozen=True, slots=True)
class ShownRow:
    """A line of the table; ``href`` leads from its label to more about these cards, empty without any."""

    label: str
    cells: tuple[ShownCell, ...]
    segments: tuple[Segment, ...] = ()
    href: str = ""


@dataclass(frozen=True, slots=True)
class ShownColumn:
    """A heading; ``series`` is its place in a stacked picture, from 1, 0 outside it."""

    title: str
    number: bool
    series: int = 0


@dataclass(frozen=True, slots=True)
class ShownTable:
    """A table with its picture. ``wide``: there is one bar a row, which stands in a column of its own."""

    table: Table
    slug: str
    columns: tuple[ShownColumn, ...]
    rows: tuple[ShownRow, ...]
    feet: tuple[ShownRow, ...]
    wide: bool

    @property
    def stacked(self) -> bool:
        return self.table.chart == "stacked"


def words_of_cell(cell: Cell) -> str:
    """The cell as a person writes it; a mean to one place."""
    if cell is None:
        return NOT_STATED
    if cell == NOTHING:
        return "–"
    return f"{float(cell):.1f}" if isinstance(cell, Fraction) else str(cell)


def shown(
    table: Table,
    slug: str,
    href_of: Callable[[TableRow], str] = lambda row: "",
    longest: int | Fraction | None = None,
    words: Callable[[Any], str] = words_of_cell,
) -> ShownTable:
    """The table with its bars. ``slug`` names it on the page; ``longest`` is what a bar of the whole width
    stands for.
    """
    drawn, longest = table.in_picture, table.longest if longest is None else longest
    stacked = table.chart == "stacked"
    places = {column: place for place, column in enumerate(drawn, start=1)} if stacked else {}
    columns = tuple(
        ShownColumn(title, all(_is_figure(row.cells[place]) for row in table.rows), places.get(place, 0))
        for place, title in enumerate(table.columns)
    )

    def row_of(row: TableRow, in_picture: bool) -> ShownRow:
        barred = drawn if in_picture and not stacked else ()
        cells = tuple(
            _cell(cell, longest if place in barred else 0, words) for place, cell in enumerate(row.cells)
        )
        segments = tuple(_segments(row, drawn, longest)) if stacked and in_picture else ()
        return ShownRow(row.label, cells, segments, href_of(row) if in_picture else "")

    rows = tuple(row_of(row, True) for row in table.rows)
    feet = tuple(row_of(row, False) for row in table.feet)
    return ShownTable(table, slug, columns, rows, feet, stacked or len(drawn) == 1)


def json_of(table: Table) -> dict[str, object]:
    """The table with the same values, for programs: means as decimals, what is not stated as null, what
    cannot be as an empty text.
    """

    def row_of(row: TableRow) -> dict[str, object]:
        cells = [round(float(cell), 4) if isinstance(cell, Fraction) else cell for cell in row.cells]
        return {"label": row.label, "cells": cells}

    return {
        "title": table.title,
        "note": table.note,
        "head": table.head,
        "columns": list(table.columns),
        "rows": [row_of(row) for row in table.rows],
        "feet": [row_of(row) for row in table.feet],
        "chart": table.chart,
        "drawn": list(table.in_picture),
        "rules": list(table.cites),
        "terms": list(table.terms),
    }


def percent(chance: Fraction) -> str:
    """A chance in hundredths, to one place; what is possible is never 0 and what may fail never 100."""
    if chance in (0, 1):
        return f"{100 * int(chance)} %"
    tenths = round(chance * 1000)
    if not tenths:
        return "under 0.1 %"
    return "over 99.9 %" if tenths == WIDTH else f"{tenths // 10}.{tenths % 10} %"


def _is_figure(cell: Cell) -> bool:
    return not isinstance(cell, str) or cell == NOTHING


def _cell(cell: Cell, longest: int | Fraction, words: Callable[[Any], str]) -> ShownCell:
    bar = round(WIDTH * max(cell, 0) / longest) if longest > 0 and isinstance(cell, int | Fraction) else None
    return ShownCell(words(cell), _is_figure(cell), bar)


def _segments(row: TableRow, drawn: tuple[int, ...], longest: int | Fraction) -> list[Segment]:
    segments, before = [], 0
    for series, place in enumerate(drawn, start=1):
        cell = row.cells[place]
        if isinstance(cell, int) and cell > 0 and longest > 0:
            start, end = round(WIDTH * before / longest), round(WIDTH * (before + cell) / longest)
            segments.append(Segment(series, start, end - start))
            before += cell
    return segments
