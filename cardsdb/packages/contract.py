"""The contract of packages: rows of cells that state a card each, what was not understood, and where pictures lie.

A format never guesses what a column means: it hands on the cells under the names that the file has for them, and says which of
them its program itself calls the card's id, name, set, number, text and picture (``roles``). Only a file that cannot be opened at
all is a ``BadPackage``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from cardsdb.packages.container import Files

Role = Literal["id", "set", "number", "name", "type", "text", "picture"]
ROLES: tuple[Role, ...] = ("id", "set", "number", "name", "type", "text", "picture")


class BadPackage(ValueError):
    """A file that is not taken: a code for programs, a sentence that says what to do, and the place in it."""

    def __init__(self, code: str, message: str, where: str = "file") -> None:
        super().__init__(message)
        self.code, self.message, self.where = code, message, where


@dataclass(frozen=True, slots=True)
class Row:
    """One card as a file states it. ``number`` is the line of a table or the place of an element among its kind, from 1."""

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

    ``finds`` names those of a package's files that are of the format; ``rows`` reads one of them, from its name and its bytes.
    ``roles``: role -> the columns that have it, the best first.
    """

    name: str
    title: str
    finds: Callable[[Files], tuple[str, ...]]
    rows: Callable[[str, bytes, Report], Iterator[Row]]
    roles: Mapping[Role, tuple[str, ...]] = field(default_factory=dict)


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
        for table in self.tables:
            yield from self.format.rows(table, self.files.text_file(table), report)
