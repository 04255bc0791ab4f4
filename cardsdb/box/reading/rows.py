"""The contract of packages: rows of cells that state a card each, what was not understood, and where pictures
lie; and what the columns of a package mean.

A format never guesses what a column means: it hands on the cells under the names that the file has for them,
and says which of them its program itself calls the card's id, name, set, number, text and picture
(``roles``). Only a file that cannot be opened at all is a ``BadPackage``.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import islice
from typing import Any, Literal, NamedTuple

from cardsdb.box.reading.container import BadPackage, Files
from cardsdb.games.kit import Game, fold
from cardsdb.games.kit.model.text import table_beside

# Of all tables of a package, and the letters of a column's name and of a cell.
MAX_COLUMNS, MAX_COLUMN_NAME, MAX_CELL = 200, 300, 20_000
# Letters of what says which card a row is about.
MAX_KEY = 300
FACT = "fact:"
# How many rows are looked at for the names of columns.
SAMPLE = 500

Role = Literal["id", "set", "number", "name", "type", "text", "picture", "game"]
# Role -> title and names, with | between them.
ROLES: Mapping[Any, Mapping[str, str]] = table_beside(__file__, "columns")


class NotUnderstood(NamedTuple):
    """Tells what was passed over: file, row, column (empty for the whole row) and why."""

    file: str
    row: int
    column: str
    reason: str


class Row(NamedTuple):
    """One card as a file states it. ``number`` is the line of a table or the place of an element among its
    kind, from 1.
    """

    file: str
    number: int
    cells: Mapping[str, str]

    def problem(self, reason: str, column: str = "") -> NotUnderstood:
        """Return what is wrong with the row, with its place."""
        return NotUnderstood(self.file, self.number, column, reason)


Read = Iterator[Row | NotUnderstood]
Report = Callable[[NotUnderstood], None]


class PackageFormat(NamedTuple):
    """One format. ``title`` is for people.

    Of the format are those of a package's files that have one of its ``endings`` and, by their names and
    first bytes, are ``known``. ``rows`` reads one of them. ``roles``: role -> the columns that have it, the
    best first.
    """

    name: str
    title: str
    endings: tuple[str, ...] = ()
    rows: Callable[[Files, str], Read] = lambda files, name: iter(())
    roles: Mapping[Role, tuple[str, ...]] = {}
    known: Callable[[str, bytes], bool] | None = None

    def finds(self, files: Files) -> tuple[str, ...]:
        """The files of a package that are of the format."""
        # Plain texts come after what says by its ending what it is.
        named = sorted(files.ending(*self.endings), key=lambda one: one.casefold().endswith(".txt"))
        return tuple(one for one in named if not self.known or self.known(one, files.beginning(one)))


class Package(NamedTuple):
    """A package that was opened: its format, and the files with cards."""

    name: str
    format: PackageFormat
    files: Files
    tables: tuple[str, ...]

    @property
    def pictures(self) -> tuple[str, ...]:
        return self.files.pictures

    def rows(self, report: Report = lambda problem: None, most: int | None = None) -> Iterator[Row]:
        """Every row, or the first ``most`` of each table, read anew each time. Raises BadPackage for a file
        that cannot be read.
        """
        columns: set[str] = set()
        for table in self.tables:
            for row in islice(self._understood(table, report), most):
                columns.update(row.cells)
                if len(columns) > MAX_COLUMNS or any(len(column) > MAX_COLUMN_NAME for column in row.cells):
                    message = (
                        f"{table}: a package has {MAX_COLUMNS} columns at most, with names of"
                        f" {MAX_COLUMN_NAME} letters."
                    )
                    raise BadPackage("bad_header", message, table)
                if long := next((column for column, cell in row.cells.items() if len(cell) > MAX_CELL), ""):
                    report(row.problem(f"The cell has more than {MAX_CELL:,} letters.", long))
                else:
                    yield row

    def _understood(self, table: str, report: Report) -> Iterator[Row]:
        for row in self.format.rows(self.files, table):
            if isinstance(row, Row):
                yield row
            else:
                report(row)


class Stated(NamedTuple):
    """Tells what a row says of which card it is about, and of that card. ``facts``: key -> cell, of those
    that say anything.
    """

    id: str = ""
    set: str = ""
    number: str = ""
    name: str = ""
    type: str = ""
    text: str = ""
    picture: str = ""
    game: str = ""
    facts: Mapping[str, str] = {}

    @property
    def key(self) -> str:
        """Return what a choice is remembered by."""
        return fold(self.id or "|".join((self.set, self.number, self.name)))[:MAX_KEY]

    @property
    def called(self) -> str:
        return (self.name or self.id or self.number)[:80]


class Columns(NamedTuple):
    """Column -> what it means: a role, ``fact:KEY``, or empty for nothing. Several may be text; their cells
    stand below each other.
    """

    meanings: Mapping[str, str]

    def of(self, meaning: str) -> tuple[str, ...]:
        """The columns that mean this."""
        return tuple(column for column, meant in self.meanings.items() if meant == meaning)

    def read(self, row: Row) -> Stated:
        """Return what a row says: of each role the first cell that says anything, of text all of them."""
        said: dict[str, str] = {}
        facts: dict[str, str] = {}
        for column, meaning in self.meanings.items():
            cell = row.cells.get(column, "").strip() if meaning else ""
            if not cell:
                continue
            if meaning.startswith(FACT):
                facts[meaning.removeprefix(FACT)] = cell
            elif meaning == "text":
                said["text"] = f"{said['text']}\n{cell}" if "text" in said else cell
            else:
                # Each only as far as names are long, but for the path of a picture.
                said.setdefault(meaning, cell if meaning == "picture" else cell[:MAX_KEY])
        return Stated(**said, facts=facts)


def guessed(package: Package, game: Game, names: Iterable[str] | None = None) -> Columns:
    """Return what the columns of a package mean by their names. One column has one role; text may be
    several only by its owner's choice.

    ``names``: its columns, where they are known already.
    """
    if names is None:
        names = dict.fromkeys(column for row in package.rows(most=SAMPLE) for column in row.cells)
    meanings = dict.fromkeys(names, "")
    for role, called in ROLES.items():
        free = {_spelled(name): name for name in reversed(meanings) if not meanings[name]}
        wanted = map(_spelled, (*package.format.roles.get(role, ()), *called["names"].split("|")))
        if found := next((free[word] for word in wanted if word in free), None):
            meanings[found] = role
    facts: dict[str, str] = {}
    for fact in game.facts:
        for word in (fact.key, fact.title, *fact.aliases):
            facts.setdefault(_spelled(word), FACT + fact.key)
    return Columns({name: meant or facts.get(_spelled(name), "") for name, meant in meanings.items()})


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
            message = f"“{meaning[:40]}” is nothing that a column can mean. {known}"
            raise BadPackage("bad_column", message, "columns")
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
    yield from ((role, called["title"]) for role, called in ROLES.items())
    yield from ((FACT + fact.key, fact.title) for fact in game.facts)
