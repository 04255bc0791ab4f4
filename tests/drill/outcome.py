"""The result of a drill: how often the site was asked, answered and refused, and what it lost; and its row in
the table. ``tests.budgets`` and ``tests.many`` write their tables with ``row`` too.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from tests.drill.site import ANSWERED, REFUSED, Answer

# Columns of the table. The last one has what was wrong, or "held".
HEADS = ("drill", "asked", "answered", "refused", "lost", "slowest", "")
WIDTHS = (34, 7, 9, 8, 5, 9, 0)


def row(cells: Iterable[object], widths: Iterable[int] = WIDTHS) -> str:
    """Return the cells as one line of a table, whose columns have these widths."""
    return " ".join(str(cell).ljust(width) for cell, width in zip(cells, widths, strict=True)).rstrip()


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

    def note(self, what: str, answer: Answer, wanted: int = 200) -> None:
        """Count an answer, whose status is wrong if it is another than the wanted one."""
        self.asked += 1
        self.slowest = max(self.slowest, answer.seconds)
        if answer.status == wanted:
            self.answered += 1
        else:
            self.wrong.append(f"{what} was answered {answer.status}")

    def judge_visits(self, visits: list[Answer], most: float, accepted: Iterable[int] = ANSWERED) -> None:
        """Count the answers to visitors who did no harm. Wrong are other statuses than the accepted ones, and
        visits that took more than ``most`` seconds.
        """
        statuses = Counter(visit.status for visit in visits)
        slow = sum(visit.seconds > most for visit in visits)
        self.asked += len(visits)
        self.answered += sum(statuses[status] for status in ANSWERED)
        self.refused += sum(statuses[status] for status in REFUSED)
        self.slowest = max(visit.seconds for visit in visits)
        if set(statuses) - set(accepted):
            self.wrong.append(f"{len(visits)} visits were answered {dict(statuses)}")
        if slow:
            self.wrong.append(f"{slow} visits took more than {most:.0f} s")

    def cells(self) -> tuple[object, ...]:
        """Return the contents of the row."""
        numbers = (self.asked, self.answered, self.refused, self.lost, f"{self.slowest:.2f} s")
        return (self.name, *numbers, "; ".join(self.wrong) or "held")
