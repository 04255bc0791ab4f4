"""The CSV tables of a game folder, line by line."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from pathlib import Path


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
    return f"{path.parent.name}/{path.name} line {line}"
