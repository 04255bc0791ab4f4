"""The contract of packages: rows of cells that state a card each, what was not understood, and where pictures
lie.

A format never guesses what a column means: it hands on the cells under the names that the file has for them,
and says which of them its program itself calls the card's id, name, set, number, text and picture
(``roles``). Only a file that cannot be opened at all is a ``BadPackage``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice
from typing import Literal

from cardsdb.packages.container import BadPackage, Files

# Of all tables of a package, and the letters of a column's name and of a cell.
MAX_COLUMNS, MAX_COLUMN_NAME, MAX_CELL = 200, 300, 20_000

Role = Literal["id", "set", "number", "name", "type", "text", "picture"]
ROLES: tuple[Role, ...] = ("id", "set", "number", "name", "type", "text", "picture")


@dataclass(frozen=True, slots=True)
class Row:
    """One card as a file states it. ``number`` is the line of a table or the place of an element among its
    kind, from 1.
    """

    file: str
    number: int
    cells: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class NotUnderstood:
    """What was passed over: file, row, column (empty for the whole row) and why."""

    file: str
    row: int
    column: str
    reason: str


Report = Callable[[NotUnderstood], None]


@dataclass(frozen=True, slots=True)
class PackageFormat:
    """One format. ``title`` is for people.

    ``finds`` names those of a package's files that are of the format; ``rows`` reads one of them, from its
    name and its bytes. ``rows_within`` does so instead where the file is an archive itself. ``roles``: role
    -> the columns that have it, the best first.
    """

    name: str
    title: str
    finds: Callable[[Files], tuple[str, ...]]
    rows: Callable[[str, bytes, Report], Iterator[Row]] = lambda name, data, report: iter(())
    roles: Mapping[Role, tuple[str, ...]] = field(default_factory=dict)
    rows_within: Callable[[Files, str, Report], Iterator[Row]] | None = None


@dataclass(frozen=True, slots=True)
class Package:
    """A package that was opened: its format, the files with cards, the names of its pictures."""

    name: str
    format: PackageFormat
    files: Files
    tables: tuple[str, ...]
    pictures: tuple[str, ...]

    def rows(self, report: Report = lambda problem: None) -> Iterator[Row]:
        """Every row, read anew each time. Raises BadPackage for a file that cannot be read."""
        for _, row in self.rows_of_tables(report):
            yield row

    def rows_of_tables(
        self, report: Report = lambda problem: None, most: int | None = None
    ) -> Iterator[tuple[str, Row]]:
        """(table, row) of every row, or of the first ``most`` of each table. Raises BadPackage."""
        columns: set[str] = set()
        for table in self.tables:
            for row in islice(self._read(table, report), most):
                columns.update(row.cells)
                if len(columns) > MAX_COLUMNS or any(len(column) > MAX_COLUMN_NAME for column in row.cells):
                    message = (
                        f"{table}: a package has {MAX_COLUMNS} columns at most, with names of"
                        f" {MAX_COLUMN_NAME} letters."
                    )
                    raise BadPackage("bad_header", message, table)
                if long := next((column for column, cell in row.cells.items() if len(cell) > MAX_CELL), ""):
                    report(
                        NotUnderstood(
                            row.file, row.number, long, f"The cell has more than {MAX_CELL:,} letters."
                        )
                    )
                else:
                    yield table, row

    def _read(self, table: str, report: Report) -> Iterator[Row]:
        if self.format.rows_within:
            return self.format.rows_within(self.files, table, report)
        return self.format.rows(table, self.files.text_file(table), report)
