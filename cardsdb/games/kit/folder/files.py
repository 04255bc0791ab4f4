"""The files of a game folder: the most bytes of each (``check_files``), the tools that all their readers
share (``FolderError``, CSV rows, TOML values), and the readers of sets and starters.

Files of games may come from visitors. So ``read_game`` checks a folder before it reads anything from it, and
``cardsdb/box/reading/packed_games.py`` takes only these files, within these bounds, out of a packed game.
These are the files of a folder, of which cards.csv and game.toml must be there:

cards.csv       one line for each print: code,name,type,set,number,rarity,print_code,print_note,source,
                aliases,text,note and a column for each fact (``cards.py``). Lines with the same code stand
                together and are prints of one card, whose facts the first line states. source is
                document#locator@facts, several joined by ";"
effects.csv, effects.toml   what cards do, in our words, and the words that are used for it (``additions.py``)
claims.csv      code,fact,value,document,section,lines,certainty,note: what another document says of a fact
sets.csv        code,name,year,size,official,source,note
game.toml       what the game declares (``declared/game_file.py``)
roles.toml      the roles of cards in a deck (``declared/game_file.py``)
rulebook.toml   [documents.KEY] [rules.CODE] [rulings.ID] (``rulebook.py``); a game with code must have it
glossary.toml   [terms.TERM]: the words of the game's rules, explained (``rulebook.py``)
set_up.toml     [players] [options.KEY] [[steps]] [[open]]: what to lay out (``guides.py``)
play.toml       [from_here] [[imprint]] [[parts]]: how the game is played (``guides.py``)
examples.toml   decks whose verdict is known (``declared/formats.py``); a game with code must have it
starters/*.txt  ready decks as text; lines "// key: value" on top give name, format, source, note and about
Tests in ``tests/cardsdb/games/kit``: bounds and unknown files ``folder/test_files.py``; files that are
missing, and faults in sets and starters, ``contract/test_checks.py``.
"""

import csv
import re
import tomllib
from collections.abc import Callable, Iterable, Iterator, Sized
from pathlib import Path
from typing import Any, TypeVar

from cardsdb.games.kit.model.cards import CardSet
from cardsdb.games.kit.model.format import Starter

Item = TypeVar("Item")
Value = TypeVar("Value")

GAME_FILE = "game.toml"
NO_TEXT = "not UTF-8 text; save the file as UTF-8"
# The licence of the game's material; it is handed on with every copy of the folder.
LICENCE_FILE = "LICENSE.md"
# Bytes of one file.
MAX_TABLE = 64 * 1024 * 1024  # a CSV file
MAX_DECLARED = 1024 * 1024  # a TOML file or another text
MAX_STARTER = 256 * 1024
MAX_STARTERS = 200  # files in ``starters``
TABLES = ("cards.csv", "sets.csv", "claims.csv", "effects.csv")
DECLARED = (
    GAME_FILE,
    "rulebook.toml",
    "glossary.toml",
    "set_up.toml",
    "play.toml",
    "effects.toml",
    "examples.toml",
    "roles.toml",
)
SET_COLUMNS = ("code", "name", "year", "size", "official", "source", "note")
SET_CODE = re.compile(r"[A-Za-z0-9-]{1,20}")


class FolderError(ValueError):
    """The files of a game folder have faults. Each of ``problems`` is a sentence that names the file and the
    line, column or key.
    """

    def __init__(self, *problems: str) -> None:
        super().__init__("\n".join(problems))
        self.problems = problems


class AllProblems:
    """A context manager that collects the problems of several parts, and raises all of them as one
    FolderError at the end of the ``with``. A part that is read outside of ``each`` ends the ``with`` at once.
    """

    def __init__(self) -> None:
        self.problems: list[str] = []

    def each(self, read: Callable[[Item], Value], items: Iterable[Item]) -> tuple[Value, ...]:
        """Read each item. Return the values of those that can be read; collect the problems of the others."""
        values = []
        for item in items:
            try:
                values.append(read(item))
            except FolderError as error:
                self.problems.extend(error.problems)
        return tuple(values)

    def __enter__(self) -> "AllProblems":
        return self

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, FolderError):
            self.problems.extend(error.problems)
        if self.problems and (error is None or isinstance(error, FolderError)):
            raise FolderError(*self.problems) from None


def check_files(folder: Path) -> None:
    """Raise FolderError if files of the folder are too large, links, or no plain files, naming each of them.
    Files of games may come from visitors, so this comes before any is read.
    """
    starters = sorted(folder.glob("starters/*.txt"))
    # File -> the most bytes of it.
    bounds = {folder / name: MAX_TABLE for name in TABLES}
    bounds |= {folder / name: MAX_DECLARED for name in DECLARED}
    bounds |= dict.fromkeys(folder.glob("*.txt"), MAX_DECLARED) | dict.fromkeys(starters, MAX_STARTER)
    with AllProblems() as files:
        files.each(lambda path: check_file(path, bounds[path]), bounds)
        if len(starters) > MAX_STARTERS:
            raise FolderError(
                f"{folder.name}/starters: {len(starters)} decks; {MAX_STARTERS} at most are read"
            )


def check_file(path: Path, most: int) -> None:
    """Raise FolderError for a file that is a link, no plain file, or larger than ``most`` bytes. A file that
    does not exist is all right.
    """
    place = f"{path.parent.name}/{path.name}"
    if path.is_symlink():
        raise FolderError(
            f"{place}: a link; put the file itself here, for nothing outside of the folder is read"
        )
    if not path.exists():
        return
    if not path.is_file():
        raise FolderError(f"{place}: no plain file")
    if (size := path.stat().st_size) > most:
        raise FolderError(f"{place}: {size:,} bytes; {most:,} at most are read")


def csv_rows(path: Path) -> Iterator[tuple[int, list[str]]]:
    """Yield (line number, cells) for each row of a CSV file, the header first; empty lines are left out.
    Raises FolderError with the line if the file is missing, no UTF-8 or no CSV.
    """
    line = 1
    if not path.exists():
        raise FolderError(f"{path.parent.name}/{path.name} is missing")
    with path.open(encoding="utf-8-sig", newline="") as file:
        reader = csv.reader(file)
        try:
            for cells in reader:
                line = reader.line_num
                if cells:
                    yield line, cells
        except UnicodeDecodeError:
            raise FolderError(f"{place_of(path, line)} or soon after: {NO_TEXT}") from None
        except csv.Error as error:
            raise FolderError(f"{place_of(path, reader.line_num)}: {error}") from None


def rows_by_column(
    path: Path, columns: Iterable[str], report: Callable[[str], object]
) -> Iterator[tuple[str, dict[str, str]]]:
    """Yield (place, column -> cell) for each row of a CSV file; nothing if there is no file. Rows with too
    few or too many cells are reported and left out. Raises FolderError if one of ``columns`` is missing.
    """
    if not path.exists():
        return
    rows = csv_rows(path)
    _, header = next(rows, (1, []))
    if missing := [column for column in columns if column not in header]:
        raise FolderError(f"{place_of(path, 1)}: column {missing[0]} is missing")
    for line, cells in rows:
        if len(cells) == len(header):
            yield place_of(path, line), dict(zip(header, cells, strict=True))
        else:
            report(f"{place_of(path, line)}: {uneven(cells, header)}")


def uneven(cells: Sized, header: Sized) -> str:
    """The problem of a row that has more or fewer cells than the header, in words."""
    return f"not as many cells as the header ({len(cells)}, not {len(header)})"


def place_of(path: Path, line: int) -> str:
    """The place of a problem in words: ``spycraft/cards.csv line 12``."""
    return f"{path.parent.name}/{path.name} line {line}"


def read_declared(path: Path) -> dict[str, Any]:
    """The values of a TOML file; empty if there is none. Raises FolderError if it is too large or no TOML."""
    check_file(path, MAX_DECLARED)
    return parse_toml(path.read_bytes(), f"{path.parent.name}/{path.name}") if path.exists() else {}


def parse_toml(data: bytes, place: str) -> dict[str, Any]:
    """The values of the bytes of a TOML file. ``place``: the name of the file in faults. Raises FolderError,
    with the line, if they are not TOML.
    """
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise FolderError(f"{place}: {NO_TEXT}") from None
    try:
        return tomllib.loads(text)
    except ValueError as error:
        # It is not TOML, or has a number of thousands of digits.
        raise FolderError(f"{place}: {error}") from None
    except RecursionError:
        raise FolderError(f"{place}: brackets within brackets, too many to be read") from None


def read_text(path: Path) -> str:
    """The text of a file without a byte order mark. Raises FolderError if it is not UTF-8."""
    try:
        return path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError:
        raise FolderError(f"{path.parent.name}/{path.name}: {NO_TEXT}") from None


def read_sets(folder: Path) -> tuple[CardSet, ...]:
    """The sets of ``sets.csv``; none if there is no such file. Raises FolderError with every fault."""
    with AllProblems() as parts:
        return parts.each(_set, rows_by_column(folder / "sets.csv", SET_COLUMNS, parts.problems.append))


def _set(place_and_row: tuple[str, dict[str, str]]) -> CardSet:
    place, row = place_and_row
    code, name, size = row["code"], row["name"], row["size"]
    if not SET_CODE.fullmatch(code):
        raise FolderError(
            f"{place}, column code: {code!r} cannot stand in an address; use at most 20 letters, digits and"
            " hyphens"
        )
    if size and not re.fullmatch(r"[0-9]{1,6}", size):
        raise FolderError(
            f"{place}, column size: {size!r} is not a number of cards; leave the cell empty if it is not"
            " known"
        )
    return CardSet(
        code=code,
        name=name,
        year=row["year"],
        size=int(size) if size else None,
        official=row["official"] == "yes",
        source=row["source"],
        note=row["note"],
    )


def read_starters(folder: Path) -> tuple[Starter, ...]:
    """The ready decks of ``starters/`` in the order of their file names. Raises FolderError with every file
    that states no name or no format.
    """

    def read(path: Path) -> Starter:
        text = read_text(path)
        # "// name: The whole box" -> {"name": "The whole box"}; the keys are fields of ``Starter``.
        head = dict(re.findall(r"^// (name|format|source|note|about): (.*)$", text, re.MULTILINE))
        if missing := [key for key in ("name", "format") if key not in head]:
            raise FolderError(f"{folder.name}/starters/{path.name}: no line '// {missing[0]}: ...' on top")
        return Starter(slug=path.stem, text=text, **head)

    with AllProblems() as parts:
        return parts.each(read, sorted((folder / "starters").glob("*.txt")))
