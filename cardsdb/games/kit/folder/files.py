"""Read the data files of a game folder. One bad cell is one clear error with its line.

cards.csv    code,name,type,set,number,rarity,print_code,print_note,source,aliases,text,note + one column a fact
             one line a print; lines with the same code stand together and are prints of one card, whose facts the first line states;
             source is document#locator@facts, several joined by ";"
claims.csv   code,fact,value,document,section,lines,certainty,note: who else says something about a fact
sets.csv     code,name,year,size,official,source,note
rulebook.toml   [documents.KEY] [rules.CODE] [rulings.ID]
glossary.toml   [terms.TERM]: the game's words in ours; may be absent (kit/glossary.py)
set_up.toml     [players] [options.KEY] [[steps]] [[open]]: what to lay out; may be absent (kit/set_up.py)
starters/*.txt  decks as text; "// key: value" lines on top give name, format, source and note
"""

from __future__ import annotations

import re
import tomllib
from functools import lru_cache
from pathlib import Path
from typing import Any

from cardsdb.games.kit.folder.cards import iter_cards, read_cards
from cardsdb.games.kit.folder.tables import FolderError, csv_rows, place_of
from cardsdb.games.kit.model.cards import CardSet

__all__ = ["FolderError", "iter_cards", "optional_toml", "read_cards", "read_sets", "read_starters", "rulebook"]

SET_CODE = re.compile(r"[A-Za-z0-9-]{1,20}")


def read_sets(folder: Path) -> tuple[CardSet, ...]:
    """Read ``sets.csv``; a game without sets has no such file."""
    path = folder / "sets.csv"
    return tuple(_set(place_of(path, line), row) for line, row in _rows(path)) if path.exists() else ()


def _set(place: str, row: dict[str, str]) -> CardSet:
    code, name, size = row["code"], row["name"], row["size"]
    if not SET_CODE.fullmatch(code):
        raise FolderError(f"{place}, column code: {code!r} cannot stand in an address; use at most 20 letters, digits and hyphens")
    if size and not re.fullmatch(r"[0-9]{1,6}", size):
        raise FolderError(f"{place}, column size: {size!r} is not a number of cards; leave the cell empty if it is not known")
    return CardSet(code, name, row["year"], int(size) if size else None, row["official"] == "yes", row["source"], row["note"])


@lru_cache(maxsize=64)
def rulebook(folder: Path) -> dict[str, Any]:
    """The parsed ``rulebook.toml``."""
    try:
        return tomllib.loads((folder / "rulebook.toml").read_text(encoding="utf-8"))
    except tomllib.TOMLDecodeError as error:
        raise FolderError(f"{folder.name}/rulebook.toml: {error}") from None


@lru_cache(maxsize=128)
def optional_toml(folder: Path, name: str) -> dict[str, Any]:
    """The parsed file of a game folder; empty if the folder has none of this name."""
    path = folder / name
    try:
        return tomllib.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    except tomllib.TOMLDecodeError as error:
        raise FolderError(f"{folder.name}/{name}: {error}") from None


def read_starters(folder: Path) -> list[dict[str, str]]:
    """Each ``starters/*.txt`` as the fields of a Starter."""
    found = []
    for path in sorted((folder / "starters").glob("*.txt")):
        text = path.read_text(encoding="utf-8")
        head = dict(re.findall(r"^// (name|format|source|note): (.*)$", text, re.MULTILINE))
        if missing := {"name", "format"} - set(head):
            raise FolderError(f"{folder.name}/starters/{path.name}: no line '// {missing.pop()}: ...' on top")
        found.append({"slug": path.stem, "text": text, **head})
    return found


def _rows(path: Path) -> list[tuple[int, dict[str, str]]]:
    """(line number, row) of a CSV file; the header is line 1."""
    rows = csv_rows(path)
    _, header = next(rows, (1, []))
    found = []
    for line, cells in rows:
        if len(cells) != len(header):
            raise FolderError(f"{place_of(path, line)}: not as many cells as the header")
        found.append((line, dict(zip(header, cells, strict=True))))
    return found
