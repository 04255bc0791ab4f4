"""The files of a game folder, read table by table. One bad cell is one clear error with its line.

cards.csv    code,name,type,set,number,rarity,print_code,print_note,source,aliases,text,note and a column a
             fact; one line a print. Lines with the same code stand together and are prints of one card, whose
             facts the first line states; source is document#locator@facts, several joined by ";"
effects.csv, effects.toml   what cards do, in our words, and those words (``effects.py``); may be absent
claims.csv   code,fact,value,document,section,lines,certainty,note: another claim on a fact; may be absent
sets.csv     code,name,year,size,official,source,note; absent where no source names a set
game.toml    the game itself where it is data alone (``declared/game_file.py``)
rulebook.toml   [documents.KEY] [rules.CODE] [rulings.ID]
glossary.toml   [terms.TERM]: the game's words in ours; may be absent
set_up.toml     [players] [options.KEY] [[steps]] [[open]]: what to lay out; may be absent
play.toml       [from_here] [[imprint]] [[parts]]: how the game is played (``guides.py``); may be absent
starters/*.txt  decks as text; "// key: value" lines on top give name, format, source and note; may be absent
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
# Under which its words may be handed on, where that is asked to stand beside them.
LICENCE_FILE = "LICENSE.md"
SET_COLUMNS = ("code", "name", "year", "size", "official", "source", "note")
SET_CODE = re.compile(r"[A-Za-z0-9-]{1,20}")


class FolderError(ValueError):
    """A game folder's files say things that cannot be true; each problem names file, line and, in tables,
    column.
    """

    def __init__(self, *problems: str) -> None:
        super().__init__("\n".join(problems))
        self.problems = problems


class AllProblems:
    """Collects the problems of a file's parts, and raises all of them as one FolderError at the end of the
    ``with``.
    """

    def __init__(self) -> None:
        self.problems: list[str] = []

    def each(self, read: Callable[[Item], Value], items: Iterable[Item]) -> tuple[Value, ...]:
        """The values of the items that can be read; the problems of the others are collected."""
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


def csv_rows(path: Path) -> Iterator[tuple[int, list[str]]]:
    """(line number, cells) of a CSV file, the header first; one bad row or character is a FolderError with
    its line.
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
    """The place of each row of a CSV file, and its cells by their columns; none without the file. A row with
    too few or too many is reported; a column that is missing raises FolderError.
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
    """The fault of a row with more or fewer cells than the header."""
    return f"not as many cells as the header ({len(cells)}, not {len(header)})"


def place_of(path: Path, line: int) -> str:
    """The place of a problem: ``spycraft/cards.csv line 12``."""
    return f"{path.parent.name}/{path.name} line {line}"


def read_toml(path: Path) -> dict[str, Any]:
    """The parsed file; empty if there is none. Raises FolderError if it is not TOML."""
    return parse_toml(path.read_bytes(), f"{path.parent.name}/{path.name}") if path.exists() else {}


def parse_toml(data: bytes, place: str) -> dict[str, Any]:
    """The values of a TOML file's bytes. Raises FolderError, naming the line where they are no TOML."""
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise FolderError(f"{place}: {NO_TEXT}") from None
    try:
        return tomllib.loads(text)
    except ValueError as error:
        # Not TOML, or a number of thousands of digits.
        raise FolderError(f"{place}: {error}") from None
    except RecursionError:
        raise FolderError(f"{place}: brackets within brackets, too many to be read") from None


def read_text(path: Path) -> str:
    """The text of a file, without the mark that some editors put before it. Raises FolderError if it is not
    UTF-8.
    """
    try:
        return path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError:
        raise FolderError(f"{path.parent.name}/{path.name}: {NO_TEXT}") from None


def read_sets(folder: Path) -> tuple[CardSet, ...]:
    """The sets of ``sets.csv``; none if there is no such file. Raises FolderError."""
    with AllProblems() as parts:
        return parts.each(_set, rows_by_column(folder / "sets.csv", SET_COLUMNS, parts.problems.append))


def _set(placed: tuple[str, dict[str, str]]) -> CardSet:
    place, row = placed
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
        code,
        name,
        row["year"],
        int(size) if size else None,
        row["official"] == "yes",
        row["source"],
        row["note"],
    )


def read_starters(folder: Path) -> tuple[Starter, ...]:
    """The ready decks of ``starters/``, by their files' names. Raises FolderError for one that lacks its name
    or format.
    """

    def read(path: Path) -> Starter:
        text = read_text(path)
        head = dict(re.findall(r"^// (name|format|source|note|about): (.*)$", text, re.MULTILINE))
        if missing := [key for key in ("name", "format") if key not in head]:
            raise FolderError(f"{folder.name}/starters/{path.name}: no line '// {missing[0]}: ...' on top")
        return Starter(slug=path.stem, text=text, **head)

    with AllProblems() as parts:
        return parts.each(read, sorted((folder / "starters").glob("*.txt")))
