"""The result of a drill: how often the site was asked, answered and refused, and what it lost; and its row in
the table.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

HEADS = ("drill", "asked", "answered", "refused", "lost", "slowest", "")
WIDTHS = (34, 7, 9, 8, 5, 9, 0)


@dataclass(slots=True)
class Outcome:
    """One row of the table.

    ``refused`` counts honest refusals (429, 503 and the like). ``lost`` counts things that were acknowledged
    and are missing. ``slowest`` is the longest wait, in seconds, of a visitor who did no harm. ``wrong`` has
    one sentence per failure; it is empty if all went well.
    """

    name: str
    asked: int = 0
    answered: int = 0
    refused: int = 0
    lost: int = 0
    slowest: float = 0.0
    wrong: list[str] = field(default_factory=list)

    def cells(self) -> tuple[str, ...]:
        """Return the texts of the row."""
        numbers = (str(number) for number in (self.asked, self.answered, self.refused, self.lost))
        return (
            self.name,
            *numbers,
            f"{self.slowest:.2f} s",
            "held" if not self.wrong else "; ".join(self.wrong),
        )


def row(cells: Iterable[str]) -> str:
    """Return the cells as one line of the table."""
    return " ".join(cell.ljust(width) for cell, width in zip(cells, WIDTHS, strict=True)).rstrip()
