"""The contract of packages: rows of cells that state a card each, what was not understood, and where pictures
lie.

A format never guesses what a column means: it hands on the cells under the names that the file has for them,
and says which of them its program itself calls the card's id, name, set, number, text and picture
(``roles``). Only a file that cannot be opened at all is a ``BadPackage``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice
from typing import Literal

from cardsdb.box.reading.container import BadPackage, Files
from cardsdb.games.kit import Fact, Game
from cardsdb.games.kit.model.text import fold

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
    """Tells what was passed over: file, row, column (empty for the whole row) and why."""

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

    def rows(self, report: Report = lambda problem: None, most: int | None = None) -> Iterator[Row]:
        """Every row, or the first ``most`` of each table, read anew each time. Raises BadPackage for a file
        that cannot be read.
        """
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
                    yield row

    def _read(self, table: str, report: Report) -> Iterator[Row]:
        if self.format.rows_within:
            return self.format.rows_within(self.files, table, report)
        return self.format.rows(table, self.files.text_file(table), report)


# The names that columns have elsewhere, the surest first.
NAMES: Mapping[Role, tuple[str, ...]] = {
    "id": ("id", "card id", "guid", "uuid", "octgn id", "gccg id", "database id", "card code", "code", "key"),
    "set": ("set", "set code", "edition", "expansion", "set name", "edition code"),
    "number": ("number", "collector number", "card number", "no", "num", "nr", "#", "cn", "collector"),
    "name": ("name", "card name", "card", "title", "card title"),
    "type": ("type", "card type"),
    "text": (
        "text",
        "rules",
        "rules text",
        "card text",
        "game text",
        "rule text",
        "effect",
        "effects",
        "ability",
        "abilities",
        "description",
    ),
    "picture": ("picture", "image", "image file", "graphics", "file", "file name", "picture file"),
}
TITLES: Mapping[Role, str] = {
    "id": "the card’s id",
    "set": "its set",
    "number": "its number",
    "name": "its name",
    "type": "its type",
    "text": "its text",
    "picture": "the file of its picture",
}
FACT = "fact:"
# How many rows are looked at for the names of columns.
SAMPLE = 500


@dataclass(frozen=True, slots=True)
class Columns:
    """Column -> what it means: a role, ``fact:KEY``, or empty for nothing. Several may be text; their cells
    stand below each other.
    """

    meanings: Mapping[str, str]
    # Meaning -> its columns: every row asks for them.
    _columns: Mapping[str, tuple[str, ...]] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        columns: dict[str, tuple[str, ...]] = {}
        for column, meaning in self.meanings.items():
            if meaning:
                columns[meaning] = (*columns.get(meaning, ()), column)
        object.__setattr__(self, "_columns", columns)

    def of(self, role: str) -> tuple[str, ...]:
        """The columns that mean this."""
        return self._columns.get(role, ())

    def cell(self, cells: Mapping[str, str], role: Role) -> str:
        """Return what a row says of this: the first cell that says anything, of text all of them."""
        said = [value for column in self.of(role) if (value := cells.get(column, "").strip())]
        return "\n".join(said) if role == "text" else said[0] if said else ""

    def facts(self, cells: Mapping[str, str]) -> Mapping[str, str]:
        """Fact key -> cell, of those that say anything."""
        facts = (
            (meaning.removeprefix(FACT), columns)
            for meaning, columns in self._columns.items()
            if meaning.startswith(FACT)
        )
        meant = ((key, cells.get(column, "").strip()) for key, columns in facts for column in columns)
        return {key: value for key, value in meant if value}


def guessed(package: Package, game: Game, names: list[str] | None = None) -> Columns:
    """Return what the columns of a package mean by their names. One column has one role; text may be
    several only by its owner's choice.

    ``names``: its columns, where they are known already.
    """
    if names is None:
        names = list(dict.fromkeys(column for row in package.rows(most=SAMPLE) for column in row.cells))
    meanings = dict.fromkeys(names, "")
    for role in ROLES:
        wanted = (*package.format.roles.get(role, ()), *NAMES[role])
        free = {_spelled(name): name for name in reversed(names) if not meanings[name]}
        if found := next((free[_spelled(word)] for word in wanted if _spelled(word) in free), None):
            meanings[found] = role
    facts: dict[str, Fact] = {}
    for fact in game.facts:
        for word in (fact.key, fact.title, *fact.aliases):
            facts.setdefault(_spelled(word), fact)
    for name in names:
        if not meanings[name] and (meant := facts.get(_spelled(name))):
            meanings[name] = FACT + meant.key
    return Columns(meanings)


def changed(columns: Columns, choices: Mapping[str, str], game: Game) -> Columns:
    """The columns with what their owner says of some. Raises BadPackage for what is no column, or no
    meaning.
    """
    meanings = dict(columns.meanings)
    for column, meaning in choices.items():
        if column not in meanings:
            known = f"There is no column “{column[:40]}”. Columns: {', '.join(meanings)[:300]}."
            raise BadPackage("bad_column", known, "columns")
        if meaning and meaning not in ROLES and meaning.removeprefix(FACT) not in game.facts_by_key:
            known = f"Use {', '.join(ROLES)}, or {FACT}KEY for a fact."
            raise BadPackage(
                "bad_column", f"“{meaning[:40]}” is nothing that a column can mean. {known}", "columns"
            )
        if meaning in ROLES and meaning != "text":
            meanings = {other: "" if meant == meaning else meant for other, meant in meanings.items()}
        meanings[column] = meaning
    return Columns(meanings)


def _spelled(name: str) -> str:
    """A column's name as names are compared: ``ExpenseRating``, ``expense_rating`` and ``Expense Rating`` are
    the same.
    """
    return re.sub(r"[^0-9a-z#]+", "", fold(name))


def shown_meanings(game: Game) -> Iterable[tuple[str, str]]:
    """(meaning, words) of everything that a column can mean."""
    yield "", "nothing"
    yield from ((role, TITLES[role]) for role in ROLES)
    yield from ((FACT + fact.key, fact.title) for fact in game.facts)
