"""The files of a game folder, read table by table. One bad cell is one clear error with its line.

cards.csv    code,name,type,set,number,rarity,print_code,print_note,source,aliases,text,note + one column a fact
             one line a print; lines with the same code stand together and are prints of one card, whose facts the first line states;
             source is document#locator@facts, several joined by ";"
claims.csv   code,fact,value,document,section,lines,certainty,note: who else says something about a fact; may be absent
sets.csv     code,name,year,size,official,source,note; absent where nobody names a set
rulebook.toml   [documents.KEY] [rules.CODE] [rulings.ID]
glossary.toml   [terms.TERM]: the game's words in ours; may be absent
set_up.toml     [players] [options.KEY] [[steps]] [[open]]: what to lay out; may be absent
starters/*.txt  decks as text; "// key: value" lines on top give name, format, source and note; may be absent
"""

from __future__ import annotations

import csv
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from cardsdb.games.kit.model.cards import CardSet
from cardsdb.games.kit.model.format import Starter

SET_CODE = re.compile(r"[A-Za-z0-9-]{1,20}")


class FolderError(ValueError):
    """A game folder's files say things that cannot be true; each problem names file, line and, in tables, column."""

    def __init__(self, *problems: str) -> None:
        super().__init__("\n".join(problems))
        self.problems = problems


def csv_rows(path: Path) -> Iterator[tuple[int, list[str]]]:
    """(line number, cells) of a CSV file, the header first; one bad row or character is a FolderError with its line."""
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
            raise FolderError(f"{place_of(path, line)} or soon after: not UTF-8 text; save the file as UTF-8") from None
        except csv.Error as error:
            raise FolderError(f"{place_of(path, reader.line_num)}: {error}") from None


def place_of(path: Path, line: int) -> str:
    """Where a problem is: ``spycraft/cards.csv line 12``."""
    return f"{path.parent.name}/{path.name} line {line}"


def read_toml(path: Path) -> dict[str, Any]:
    """The parsed file; empty if there is none. Raises FolderError if it is not TOML."""
    try:
        return tomllib.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    except tomllib.TOMLDecodeError as error:
        raise FolderError(f"{path.parent.name}/{path.name}: {error}") from None


def read_sets(folder: Path) -> tuple[CardSet, ...]:
    """The sets of ``sets.csv``; none if there is no such file. Raises FolderError."""
    path = folder / "sets.csv"
    if not path.exists():
        return ()
    rows = csv_rows(path)
    _, header = next(rows, (1, []))
    sets = []
    for line, cells in rows:
        if len(cells) != len(header):
            raise FolderError(f"{place_of(path, line)}: not as many cells as the header")
        sets.append(_set(place_of(path, line), dict(zip(header, cells, strict=True))))
    return tuple(sets)


def _set(place: str, row: dict[str, str]) -> CardSet:
    code, name, size = row["code"], row["name"], row["size"]
    if not SET_CODE.fullmatch(code):
        raise FolderError(f"{place}, column code: {code!r} cannot stand in an address; use at most 20 letters, digits and hyphens")
    if size and not re.fullmatch(r"[0-9]{1,6}", size):
        raise FolderError(f"{place}, column size: {size!r} is not a number of cards; leave the cell empty if it is not known")
    return CardSet(code, name, row["year"], int(size) if size else None, row["official"] == "yes", row["source"], row["note"])


def read_starters(folder: Path) -> tuple[Starter, ...]:
    """The ready decks of ``starters/``, by their files' names. Raises FolderError for one that lacks its name or format."""
    starters = []
    for path in sorted((folder / "starters").glob("*.txt")):
        text = path.read_text(encoding="utf-8")
        head = dict(re.findall(r"^// (name|format|source|note): (.*)$", text, re.MULTILINE))
        if missing := {"name", "format"} - set(head):
            raise FolderError(f"{folder.name}/starters/{path.name}: no line '// {missing.pop()}: ...' on top")
        starters.append(Starter(slug=path.stem, text=text, **head))
    return tuple(starters)
