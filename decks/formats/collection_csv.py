"""A collection as a table for spreadsheets, written and read. Pure: no database."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from cardsdb.box.reading.formats import guarded
from cardsdb.games.kit.model.text import whole_number
from decks.formats.csv_table import BrokenRow, Columns, columns_of, roles_of, table_rows

COLUMNS = ("game", "code", "name", "set", "number", "count")
MAX_BYTES = 1024 * 1024
MAX_ROWS = 20_000
MAX_COPIES = 999
# A file with this many bad rows is no table of cards.
MAX_FAULTS = 50
MAX_CELL = 300


class BadTable(ValueError):
    """A table that cannot be read; ``faults`` has a sentence for each fault, with its line."""

    def __init__(self, *faults: tuple[int, str]) -> None:
        super().__init__("; ".join(message for _, message in faults))
        self.faults = faults


@dataclass(frozen=True, slots=True)
class OwnedRow:
    """One row: copies of a card, or of one of its prints. It has a ``code`` or a ``name``."""

    line: int
    game: str
    code: str
    name: str
    set: str
    number: str
    count: int


def write_table(rows: Iterable[OwnedRow]) -> Iterator[str]:
    """The table line by line, ended by CR LF; no cell is one that a spreadsheet would compute."""
    out = io.StringIO()
    table = csv.writer(out, lineterminator="\r\n")
    for cells in (
        COLUMNS,
        *((r.game, r.code, guarded(r.name), guarded(r.set), guarded(r.number), r.count) for r in rows),
    ):
        table.writerow(cells)
        yield out.getvalue()
        out.seek(0)
        out.truncate()


@dataclass(frozen=True, slots=True)
class Table:
    """The rows of a table that can be read, (line, sentence) of those that cannot, and a sentence for each
    column that is left out.
    """

    rows: tuple[OwnedRow, ...]
    faults: tuple[tuple[int, str], ...] = ()
    left_out: tuple[str, ...] = ()


def read_table(text: str) -> Table:
    """Read a table whose first line names its columns: those above, or as other sites call them.

    Raises BadTable for a text that is no such table at all.
    """
    try:
        rows = table_rows(text)
    except BrokenRow as broken:
        raise BadTable((broken.line, str(broken))) from None
    columns = columns_of(rows[0] if rows else (1, []))
    words = {role: word for role, word in roles_of(columns.places).items() if role in COLUMNS}
    if "count" not in words or not ("code" in words or "name" in words):
        message = (
            "The first line must name the columns: count, and name or code; game, set and number are read as"
            " well."
        )
        raise BadTable((columns.line, message))
    return _rows(rows[1:], columns, words)


def _rows(lines: list[tuple[int, list[str]]], columns: Columns, words: dict[str, str]) -> Table:
    rows: list[OwnedRow] = []
    faults: list[tuple[int, str]] = []
    game = ""
    cards: list[tuple[int, list[str]]] = []
    for line, cells in lines:
        if cells[0].startswith("//"):
            # In our own table of a deck such rows, below the cards, say something of the deck.
            game = next((cell for cell in cells[3:] if cell), "") if "game" in cells[:3] else game
            continue
        if len(rows) >= MAX_ROWS:
            raise BadTable((line, f"The table has more than {MAX_ROWS:,} rows."))
        cards.append((line, cells))
        said = columns.values(cells, words.values())
        row = {column: said[words[column]] if column in words else "" for column in COLUMNS}
        message = _fault(row)
        if message:
            faults.append((line, f"Line {line}: {message}"))
            if len(faults) == MAX_FAULTS:
                break
            continue
        rows.append(
            OwnedRow(line, **{column: row[column] for column in COLUMNS[:-1]}, count=int(row["count"]))
        )
    left_out = tuple(f"{loss.message} ({loss.where})" for loss in columns.left_out(cards, words.values()))
    return Table(tuple(replace(row, game=row.game or game) for row in rows), tuple(faults), left_out)


def _fault(row: dict[str, str]) -> str:
    count = row["count"]
    if any(len(cell) > MAX_CELL or "\x00" in cell for cell in row.values()):
        return f"a cell is longer than {MAX_CELL} characters, or holds a character that nobody can see."
    if whole_number(count, MAX_COPIES, least=1) is None:
        return f"“{count}” is no number of copies; it is 1 to {MAX_COPIES}."
    if not row["code"] and not row["name"]:
        return "it names no card."
    return ""
