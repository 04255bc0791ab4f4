"""The contract between file formats and everything that uses their rows.

A format (``formats.py``) yields each card as a ``Row`` of cells under the file's own column names, or as a
``NotUnderstood``. It never guesses meanings; it only says which columns its program itself calls id, name and
so on (``roles``). ``guessed`` and ``changed`` make the ``Columns`` that turn a Row into a ``Stated``::

    Row      {"Name": "Kai", "Craft": "2", "Rarity": "C"}
    Columns  {"Name": "name", "Craft": "fact:craft", "Rarity": ""}   guessed for Spycraft
    Stated   name "Kai", facts {"craft": "2"}

Only a file that cannot be opened at all raises BadPackage. ``comparing.py``, ``package_pictures.py`` and
``set_rows.py`` use the rows.
Tests: ``tests/cardsdb/box/reading/test_rows.py``.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import islice
from typing import Any, Literal, NamedTuple

from cardsdb.box.reading.container import BadPackage, Files
from cardsdb.games.kit import Game, fold
from cardsdb.games.kit.model.text import table_beside

# Columns of a table, and different ones of all tables of a package.
MAX_COLUMNS = 200
# Characters of a column's name.
MAX_COLUMN_NAME = 300
# Characters of a cell.
MAX_CELL = 20_000
# Characters of an id, set, number or name.
MAX_KEY = 300
# The beginning of a meaning that is a fact of the game; its key follows.
FACT = "fact:"
# Rows that are read for the names of columns.
SAMPLE = 500

Role = Literal["id", "set", "number", "name", "type", "text", "picture", "game"]
# Role -> its title, and column names that are taken for it, separated by |. From columns.toml beside this
# file.
ROLES: Mapping[Any, Mapping[str, str]] = table_beside(__file__, "columns")


class NotUnderstood(NamedTuple):
    """A row or cell that was skipped: file, row number, column ("" for the whole row), and the reason."""

    file: str
    row: int
    column: str
    reason: str


class Row(NamedTuple):
    """A card as a file states it. ``number``: line of the table, or position of the element, from 1."""

    file: str
    number: int
    cells: Mapping[str, str]

    def problem(self, reason: str, column: str = "") -> NotUnderstood:
        """Return a problem with this row."""
        return NotUnderstood(self.file, self.number, column, reason)


# What a format's reader yields, and the function that is told of rows which were not understood.
Read = Iterator[Row | NotUnderstood]
Report = Callable[[NotUnderstood], None]


class PackageFormat(NamedTuple):
    """A file format. ``title`` is for people.

    It recognises the files with one of ``endings`` for which ``known`` (name, first bytes) is true. ``rows``
    yields the rows of one file. ``roles``: role -> columns that have it, the best first.
    """

    name: str
    title: str
    endings: tuple[str, ...] = ()
    rows: Callable[[Files, str], Read] = lambda files, name: iter(())
    roles: Mapping[Role, tuple[str, ...]] = {}
    known: Callable[[str, bytes], bool] | None = None

    def finds(self, files: Files) -> tuple[str, ...]:
        """Return the names of the package's files in this format."""
        # Files ending in .txt come last: the other endings say more about the content.
        named = sorted(files.ending(*self.endings), key=lambda file: file.casefold().endswith(".txt"))
        return tuple(file for file in named if not self.known or self.known(file, files.beginning(file)))


class Package(NamedTuple):
    """An open package: its format, and its card files (``tables``)."""

    name: str
    format: PackageFormat
    files: Files
    tables: tuple[str, ...]

    @property
    def pictures(self) -> tuple[str, ...]:
        return self.files.pictures

    def rows(self, report: Report = lambda problem: None, most: int | None = None) -> Iterator[Row]:
        """Yield every row, or the first ``most`` of each table; the files are read again at each call. Raises
        BadPackage for a file that cannot be read.
        """
        # Names of columns of all tables so far.
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
        """Yield the rows of a table, and report what was not understood."""
        for row in self.format.rows(self.files, table):
            if isinstance(row, Row):
                yield row
            else:
                report(row)


class Stated(NamedTuple):
    """The content of a row by meaning: which card it is about, and what it says of it. ``facts``: fact key ->
    cell, without empty ones.
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
        """The key under which the owner's choice of card is remembered: ``||kai`` for the name Kai alone."""
        return fold(self.id or "|".join((self.set, self.number, self.name)))[:MAX_KEY]

    @property
    def called(self) -> str:
        """The row's card in messages."""
        return (self.name or self.id or self.number)[:80]


class Columns(NamedTuple):
    """Column -> its meaning: a role, ``fact:KEY``, or "" to ignore it. Several columns may be "text"; their
    cells are joined with line breaks.
    """

    meanings: Mapping[str, str]

    def of(self, meaning: str) -> tuple[str, ...]:
        """The columns with this meaning."""
        return tuple(column for column, column_meaning in self.meanings.items() if column_meaning == meaning)

    def read(self, row: Row) -> Stated:
        """Return the content of a row: the first filled cell of each role, and all of "text"."""
        cells: dict[str, str] = {}
        facts: dict[str, str] = {}
        for column, meaning in self.meanings.items():
            value = row.cells.get(column, "").strip() if meaning else ""
            if not value:
                continue
            if meaning.startswith(FACT):
                facts[meaning.removeprefix(FACT)] = value
            elif meaning == "text":
                cells["text"] = f"{cells['text']}\n{value}" if "text" in cells else value
            else:
                # Keys are cut to the length of names; the path of a picture may be longer.
                cells.setdefault(meaning, value if meaning == "picture" else value[:MAX_KEY])
        return Stated(**cells, facts=facts)


def guessed(package: Package, game: Game, names: Iterable[str] | None = None) -> Columns:
    """Return the meanings of a package's columns, guessed by their names. Each role goes to at most one
    column; more than one "text" is only possible by the owner's choice.

    ``names``: the columns, if known already.
    """
    if names is None:
        names = dict.fromkeys(column for row in package.rows(most=SAMPLE) for column in row.cells)
    # First the roles, each of which takes the first of its names that a column has.
    meanings = dict.fromkeys(names, "")
    for role, called in ROLES.items():
        # Spelled name -> column without a meaning so far; reversed, so that the leftmost of two columns that
        # are spelled alike wins.
        free = {_spelled(name): name for name in reversed(meanings) if not meanings[name]}
        names_of_role = (*package.format.roles.get(role, ()), *called["names"].split("|"))
        for spelled in map(_spelled, names_of_role):
            if spelled in free:
                meanings[free[spelled]] = role
                break
    # Then the facts, for columns without a role.
    fact_called: dict[str, str] = {}
    for fact in game.facts:
        for name in (fact.key, fact.title, *fact.aliases):
            fact_called.setdefault(_spelled(name), FACT + fact.key)
    for column, meaning in meanings.items():
        meanings[column] = meaning or fact_called.get(_spelled(column), "")
    return Columns(meanings)


def changed(columns: Columns, choices: Mapping[str, str], game: Game) -> Columns:
    """Return the columns with the meanings that the owner chose (``choices``: column -> meaning). Raises
    BadPackage for unknown ones.
    """
    meanings = dict(columns.meanings)
    for column, meaning in choices.items():
        if column not in meanings:
            message = f"There is no column “{column[:40]}”. Columns: {', '.join(meanings)[:300]}."
            raise BadPackage("bad_column", message, "columns")
        if meaning and meaning not in ROLES and meaning.removeprefix(FACT) not in game.facts_by_key:
            known = f"Use {', '.join(ROLES)}, or {FACT}KEY for a fact."
            message = f"“{meaning[:40]}” is nothing that a column can mean. {known}"
            raise BadPackage("bad_column", message, "columns")
        # A role belongs to one column, so another column loses it.
        if meaning in ROLES and meaning != "text":
            meanings = {other: "" if old == meaning else old for other, old in meanings.items()}
        meanings[column] = meaning
    return Columns(meanings)


def _spelled(name: str) -> str:
    """Return a column name in the form in which names are compared: ``ExpenseRating``, ``expense_rating`` and
    ``Expense Rating`` are the same.
    """
    return re.sub(r"[^0-9a-z#]+", "", fold(name))


def shown_meanings(game: Game) -> Iterable[tuple[str, str]]:
    """Yield (meaning, title) of everything that a column can mean."""
    yield "", "nothing"
    yield from ((role, called["title"]) for role, called in ROLES.items())
    yield from ((FACT + fact.key, fact.title) for fact in game.facts)
