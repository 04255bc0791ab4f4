"""What came of a drill: how often the site was asked, answered and refused, and what it lost."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

HEADS = ("drill", "asked", "answered", "refused", "lost", "slowest", "")
WIDTHS = (34, 7, 9, 8, 5, 9, 0)


@dataclass(slots=True)
class Outcome:
    """One row of the table. ``refused``: answers that say so (429, 503 and the like); ``lost``: things that
    were acknowledged and are not there. ``slowest``: seconds of the slowest answer to a visitor who did no
    harm. ``wrong``: one sentence each, none if all held.
    """

    name: str
    asked: int = 0
    answered: int = 0
    refused: int = 0
    lost: int = 0
    slowest: float = 0.0
    wrong: list[str] = field(default_factory=list)

    def cells(self) -> tuple[str, ...]:
        numbers = (str(number) for number in (self.asked, self.answered, self.refused, self.lost))
        return (
            self.name,
            *numbers,
            f"{self.slowest:.2f} s",
            "held" if not self.wrong else "; ".join(self.wrong),
        )


def row(cells: Iterable[str]) -> str:
    return " ".join(cell.ljust(width) for cell, width in zip(cells, WIDTHS, strict=True)).rstrip()
