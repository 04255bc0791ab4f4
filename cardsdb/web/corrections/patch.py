"""A changed row of a game's CSV file as a patch that ``git apply`` and ``patch`` take. Knows nothing of
Django.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from difflib import unified_diff
from pathlib import Path

from cardsdb import games

# The repository's folder of games; other games may stand anywhere.
OURS = Path(games.__file__).resolve().parent
# Rows of one card that can be corrected; the first ones of more.
MAX_ROWS = 12


@dataclass(frozen=True, slots=True)
class Row:
    """One row as it stands in the file: its lines from ``start`` up to ``end``, counted from 0, and its cells
    by column.
    """

    start: int
    end: int
    cells: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Table:
    """The rows of one code in one file of a game's folder."""

    path: Path
    columns: tuple[str, ...]
    rows: tuple[Row, ...]

    @property
    def is_ours(self) -> bool:
        """Whether the game stands in the repository. What lies above the folder of any other is not known."""
        return self.path.resolve().parent.parent == OURS

    @property
    def place(self) -> str:
        """The file as the patch names it: from the top of the repository, or from the folder of a game that
        stands elsewhere.
        """
        return f"cardsdb/games/{self.path.parent.name}/{self.path.name}" if self.is_ours else self.path.name

    @property
    def apply_in(self) -> str:
        """Where the patch is applied, in words."""
        if self.is_ours:
            return "at the top of the repository"
        return f"in the game's own folder “{self.path.parent.name}”, beside {self.path.name}"


def rows_of(path: Path, code: str) -> Table:
    """The first rows whose first column is this code; none if there is no such file or no such row."""
    # Some editors put a byte order mark before the first letter. It is no part of the column's name.
    reader = csv.reader(line.removeprefix("\ufeff") for line in _lines(path))
    columns = tuple(next(reader, ()))
    rows, start = [], reader.line_num
    if columns[:1] == ("code",):
        for cells in reader:
            if cells[:1] == [code] and len(cells) == len(columns) and len(rows) < MAX_ROWS:
                rows.append(Row(start, reader.line_num, dict(zip(columns, cells, strict=True))))
            start = reader.line_num
    return Table(path, columns, tuple(rows))


def _lines(path: Path) -> list[str]:
    """The lines of the file with their ends; none if there is no such file."""
    if not path.exists():
        return []
    with path.open(encoding="utf-8", newline="\n") as file:
        return list(file)


def as_csv(table: Table, changed: Sequence[Mapping[str, str]]) -> str:
    """The header and the corrected rows."""
    return "".join(
        _line(cells) for cells in (table.columns, *([row[name] for name in table.columns] for row in changed))
    )


def as_patch(table: Table, changed: Sequence[Mapping[str, str]], about: Iterable[str] = ()) -> bytes:
    """A unified diff from the file's rows to the changed ones, which stand in the same order.

    ``about``: lines for whoever reads the patch, above it. Rows that are still the same are left alone.
    """
    before = _lines(table.path)
    after = before.copy()
    for row, cells in reversed(list(zip(table.rows, changed, strict=True))):
        if dict(cells) != dict(row.cells):
            last = before[row.end - 1]
            # The row keeps its line end, or has none where it had none.
            end = last[len(last.rstrip("\r\n")) :]
            text = _line([cells[name] for name in table.columns]).removesuffix("\n") + end
            after[row.start : row.end] = io.StringIO(text, newline="\n")
    note = "".join(f"# {part}\n" for text in about for part in text.splitlines())
    diff = unified_diff(before, after, f"a/{table.place}", f"b/{table.place}")
    return (
        note
        + "".join(line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in diff)
    ).encode()


def _line(cells: Sequence[str]) -> str:
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerow(cells)
    return out.getvalue()
