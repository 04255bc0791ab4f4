"""Where things stand in a file, as an editor counts: lines and columns from 1; in a table the column is that
of the cell.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass

_LINE_END = re.compile(r"\r\n|\r|\n")


@dataclass(frozen=True, slots=True)
class Place:
    """A line, and the column if it is known; 0 stands for what is not."""

    line: int
    column: int = 0

    def __str__(self) -> str:
        return self.of("")

    def of(self, field: str) -> str:
        """``line 7, column 3 (qty)``: the place of what is called so there; empty where no line is known."""
        column = f", column {self.column}" if self.column else ""
        name = f" ({field[:40]})" if field else ""
        return f"line {self.line}{column}{name}" if self.line else ""


NOWHERE = Place(0)


class Lines:
    """The lines of a text, to tell the places of its characters."""

    def __init__(self, text: str) -> None:
        self._starts = [0, *(end.end() for end in _LINE_END.finditer(text))]

    def place(self, at: int) -> Place:
        """The place of the character with this index."""
        line = bisect_right(self._starts, at)
        return Place(line, at - self._starts[line - 1] + 1)
