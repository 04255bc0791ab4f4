"""A collection as a table for spreadsheets, written and read. Pure: no database."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator
from dataclasses import replace

from cardsdb.games.kit.model.dataclass import dataclass
from cardsdb.games.kit.model.text import whole_number
from cardsdb.packages.tables import guarded, unguarded

COLUMNS = ("game", "code", "name", "set", "number", "count")
MAX_BYTES = 1024 * 1024
MAX_ROWS = 20_000
MAX_COPIES = 999
# A file with this many bad rows is no table of cards.
MAX_FAULTS = 50
MAX_CELL = 300

# How other sites head the same columns.
_HEADINGS = {
    "game": ("game",),
    "code": ("code", "card code", "key"),
    "name": ("name", "card name", "card", "title", "simple name"),
    "set": ("set", "set code", "edition code", "edition", "set id", "printing"),
    "number": ("number", "collector number", "card number", "collector #"),
    "count": ("count", "quantity", "qty", "copies", "owned"),
}


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
    for cells in (COLUMNS, *((r.game, r.code, guarded(r.name), guarded(r.set), guarded(r.number), r.count) for r in rows)):
        table.writerow(cells)
        yield out.getvalue()
        out.seek(0)
        out.truncate()


@dataclass(frozen=True, slots=True)
class Table:
    """The rows of a table that can be read, and (line, sentence) of those that cannot."""

    rows: tuple[OwnedRow, ...]
    faults: tuple[tuple[int, str], ...] = ()


def read_table(text: str) -> Table:
    """Read a table whose first line names its columns: those above, or as other sites call them.

    Raises BadTable for a text that is no such table at all.
    """
    text = text.removeprefix("\ufeff")
    skipped = 0
    # Spreadsheets in some languages state the separator of the cells in the first line.
    if text[:5].lower() in ("sep=,", '"sep='):
        text, skipped = text.partition("\n")[2], 1
    lines = csv.reader(io.StringIO(text, newline=""), strict=True)
    try:
        header = next(lines, [])
        columns = _columns(header)
        return _rows(lines, columns, skipped)
    except csv.Error as error:
        raise BadTable((lines.line_num + skipped, f"Line {lines.line_num + skipped} is no row of a table: {error}.")) from None


def _columns(header: list[str]) -> dict[str, int]:
    named = {" ".join(cell.casefold().split()): place for place, cell in reversed(list(enumerate(header)))}
    columns = {column: named[word] for column, words in _HEADINGS.items() for word in reversed(words) if word in named}
    if "count" not in columns or not ("code" in columns or "name" in columns):
        raise BadTable((1, "The first line must name the columns: count, and name or code; game, set and number are read as well."))
    return columns


def _rows(lines: Iterator[list[str]], columns: dict[str, int], skipped: int) -> Table:
    rows: list[OwnedRow] = []
    faults: list[tuple[int, str]] = []
    game = ""
    for cells in lines:
        line = lines.line_num + skipped  # type: ignore[attr-defined]
        if not any(cell.strip() for cell in cells):
            continue
        if cells[0].startswith("//"):
            # In our own table of a deck such rows, below the cards, say something of the deck.
            game = next((cell for cell in cells[3:] if cell), "") if "game" in cells[:3] else game
            continue
        if len(rows) >= MAX_ROWS:
            raise BadTable((line, f"The table has more than {MAX_ROWS:,} rows."))
        row = {column: _cell(cells, place) for column, place in columns.items()}
        message = _fault(row)
        if message:
            faults.append((line, f"Line {line}: {message}"))
            if len(faults) == MAX_FAULTS:
                break
            continue
        others = {column: row.get(column, "") for column in COLUMNS[:-1]}
        rows.append(OwnedRow(line, **others, count=int(row["count"])))
    return Table(tuple(replace(row, game=row.game or game) for row in rows), tuple(faults))


def _cell(cells: list[str], place: int) -> str:
    return unguarded(cells[place].strip()) if place < len(cells) else ""


def _fault(row: dict[str, str]) -> str:
    count = row["count"]
    if any(len(cell) > MAX_CELL or "\x00" in cell for cell in row.values()):
        return f"a cell is longer than {MAX_CELL} characters, or holds a character that nobody can see."
    if whole_number(count, MAX_COPIES, least=1) is None:
        return f"“{count}” is no number of copies; it is 1 to {MAX_COPIES}."
    if not row.get("code") and not row.get("name"):
        return "it names no card."
    return ""
