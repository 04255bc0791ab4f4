"""A changed row of a game's CSV file as a patch that ``git apply`` takes. Knows nothing of Django.

A file is never read whole into rows: the lines of one code are looked for in its bytes, so that a
folder of a million cards answers as fast as one of fifty.
"""

from __future__ import annotations

import csv
import io
import mmap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from cardsdb import games

# The folder that the repository keeps its games in; people may keep others anywhere.
OURS = Path(games.__file__).resolve().parent
CONTEXT = 3
# Of a card with more rows than this only the first ones are offered for correction.
MOST_ROWS = 12
_CHUNK = 1 << 20


@dataclass(frozen=True, slots=True)
class Row:
    """One row as it stands in the file: bytes ``start`` to ``end``, its first line from 1, and its cells by column."""

    start: int
    end: int
    line: int
    cells: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Table:
    """The rows of one code in one file of a game's folder."""

    path: Path
    columns: tuple[str, ...]
    rows: tuple[Row, ...]

    @property
    def is_ours(self) -> bool:
        """Whether the game stands in the repository. Of one that stands elsewhere nobody can know what lies above its folder."""
        return self.path.resolve().parent.parent == OURS

    @property
    def place(self) -> str:
        """The file as the patch names it: from the top of the repository, or from the folder of a game that stands elsewhere."""
        return f"cardsdb/games/{self.path.parent.name}/{self.path.name}" if self.is_ours else self.path.name

    @property
    def apply_in(self) -> str:
        """Where the patch is applied, in words."""
        if self.is_ours:
            return "at the top of the repository"
        return f"in the game's own folder “{self.path.parent.name}”, beside {self.path.name}"


def rows_of(path: Path, code: str, most: int = MOST_ROWS) -> Table:
    """The rows whose first column is this code; none if there is no such file or no such row."""
    if not path.exists() or not path.stat().st_size:
        return Table(path, (), ())
    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
        header = _end_of_row(data, 0)
        columns = tuple(next(csv.reader([data[:header].decode("utf-8-sig")])))
        return Table(path, columns, tuple(_found(data, header, columns, code, most)) if columns[:1] == ("code",) else ())


def _found(data: mmap.mmap, start: int, columns: Sequence[str], code: str, most: int) -> Iterator[Row]:
    sought, seen, line, quotes = b"\n" + code.encode() + b",", 0, 1, 0
    position = start - 1
    for _ in range(most * 4):
        position = data.find(sought, position)
        if position < 0 or not most:
            return
        begin = position + 1
        lines, marks = _counted(data, seen, begin)
        line, quotes, seen = line + lines, quotes + marks, begin
        position = begin
        # An odd number of quotation marks before it: the line begins inside a cell.
        if quotes % 2:
            continue
        end = _end_of_row(data, begin)
        cells = next(csv.reader(io.StringIO(data[begin:end].decode(), newline="")))
        if len(cells) == len(columns):
            most -= 1
            yield Row(begin, end, line, dict(zip(columns, cells, strict=True)))


def _counted(data: mmap.mmap, start: int, end: int) -> tuple[int, int]:
    """(line ends, quotation marks) between two places."""
    pieces = (data[place : min(place + _CHUNK, end)] for place in range(start, end, _CHUNK))
    counts = [(piece.count(b"\n"), piece.count(b'"')) for piece in pieces]
    return sum(lines for lines, _ in counts), sum(marks for _, marks in counts)


def _end_of_row(data: mmap.mmap, start: int) -> int:
    """Where the row that begins here ends, its line end included: a quoted cell may hold line ends of its own."""
    end, marks = start, 0
    while True:
        following = data.find(b"\n", end) + 1 or len(data)
        marks += data[end:following].count(b'"')
        end = following
        if marks % 2 == 0 or end == len(data):
            return end


# -- writing ------------------------------------------------------------------


def as_csv(table: Table, changed: Sequence[Mapping[str, str]]) -> str:
    """The header and the rows as they should read."""
    return "".join(_line(cells) for cells in (table.columns, *([row[name] for name in table.columns] for row in changed)))


def as_patch(table: Table, changed: Sequence[Mapping[str, str]], about: Iterable[str] = ()) -> bytes:
    """A unified diff from the file's rows to the changed ones, which stand in the same order.

    ``about``: lines for whoever reads the patch, above it. Rows that are still the same are left alone.
    """
    note = "".join(f"# {part}\n" for text in about for part in text.splitlines())
    with table.path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
        edits = [
            (row, _bytes(table, cells, data[row.start : row.end]))
            for row, cells in zip(table.rows, changed, strict=True)
            if dict(cells) != dict(row.cells)
        ]
        hunks = b"".join(_hunks(data, edits))
    return note.encode() + f"--- a/{table.place}\n+++ b/{table.place}\n".encode() + hunks


def _bytes(table: Table, cells: Mapping[str, str], old: bytes) -> bytes:
    """A row in the file's own manner: its line ends, and none where it had none."""
    ending = b"\r\n" if old.endswith(b"\r\n") else b"\n" if old.endswith(b"\n") else b""
    return _line([cells[name] for name in table.columns]).encode().removesuffix(b"\n") + ending


def _line(cells: Sequence[str]) -> str:
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerow(cells)
    return out.getvalue()


def _hunks(data: mmap.mmap, edits: Sequence[tuple[Row, bytes]]) -> Iterator[bytes]:
    """Edits near one another share a hunk, as their context would overlap."""
    shift, position = 0, 0
    while position < len(edits):
        first = edits[position][0]
        begin = _back(data, first.start)
        body, place = [*_marked(b" ", data[begin : first.start])], first.start
        line = first.line - len(body)
        while position < len(edits) and _back(data, edits[position][0].start) <= _forward(data, place):
            row, new = edits[position]
            body += [*_marked(b" ", data[place : row.start]), *_marked(b"-", data[row.start : row.end]), *_marked(b"+", new)]
            place, position = row.end, position + 1
        body += _marked(b" ", data[place : _forward(data, place)])
        old, new_lines = (sum(one[:1] in kept for one in body) for kept in (b" -", b" +"))
        yield f"@@ -{line},{old} +{line + shift},{new_lines} @@\n".encode() + b"".join(body)
        shift += new_lines - old


def _marked(mark: bytes, text: bytes) -> list[bytes]:
    """Each line with its mark in front."""
    lines = [mark + line for line in text.split(b"\n")]
    whole = [line + b"\n" for line in lines[:-1]]
    return whole if lines[-1] == mark else [*whole, lines[-1] + b"\n\\ No newline at end of file\n"]


def _back(data: mmap.mmap, place: int) -> int:
    """Where the third line before this one begins."""
    for _ in range(CONTEXT):
        place = data.rfind(b"\n", 0, max(place - 1, 0)) + 1 if place else 0
    return place


def _forward(data: mmap.mmap, place: int) -> int:
    """Where the third line from here ends."""
    for _ in range(CONTEXT):
        place = data.find(b"\n", place) + 1 or len(data)
    return place
