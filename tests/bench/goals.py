"""What is measured, against what, and the goal of each. ``docs/speed.md`` shows this table; a measurement
without a line here fails.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Goal:
    """One line: ``key`` is "row.name"; ``unit`` is what ours and the baseline are stated in.

    A goal with a baseline (``against``) bounds the ratio ours / baseline; one without bounds our figure
    itself.
    """

    key: str
    what: str
    against: str
    sign: str
    bound: float
    unit: str = "ms"

    @property
    def row(self) -> int:
        return int(self.key.partition(".")[0])

    @property
    def shown(self) -> str:
        """The goal for readers: small ratios as fractions."""
        if self.against and self.bound < 0.35 and round(1 / self.bound, 6).is_integer():
            return f"{self.sign} 1/{round(1 / self.bound)}"
        return f"{self.sign} {self.bound:,g}{' x' if self.against else f' {self.unit}'}".rstrip()

    def is_held(self, value: float) -> bool:
        return value <= self.bound if self.sign == "<=" else value >= self.bound


@dataclass(frozen=True, slots=True)
class Result:
    """A goal measured; ``base`` is 0 where there is no baseline. ``where``: the database, where it is not
    SQLite.
    """

    goal: Goal
    ours: float
    base: float = 0.0
    where: str = ""

    @property
    def value(self) -> float:
        return self.ours / self.base if self.goal.against else self.ours

    @property
    def is_held(self) -> bool:
        return self.goal.is_held(self.value)

    def as_json(self) -> dict[str, Any]:
        goal = self.goal
        base = {"against": goal.against, "base": round(self.base, 4)} if goal.against else {}
        figures = {"ours": round(self.ours, 4), **base, "unit": goal.unit, "value": round(self.value, 4)}
        return {
            "row": goal.row,
            "key": goal.key,
            "where": self.where,
            "what": goal.what,
            **figures,
            "goal": goal.shown,
            "held": self.is_held,
        }


ROWS = {
    1: "Kept pages",
    2: "Search pages, new filters each time",
    3: "A card, made anew",
    4: "Suggestions, made anew",
    5: "Searches among 100,000 cards",
    6: "Facets and totals among 100,000 cards",
    7: "Depth among 100,000 cards",
    8: "Cliffs among 100,000 cards",
    9: "Judging",
    10: "Sheets of pictures",
    11: "Memory of sheets of pictures",
    12: "Sheets of text",
    13: "Import of 100,000 cards",
    14: "Starting",
    15: "Pages of a deck",
    16: "Eight writers at once, SQLite",
    17: "Among 50,000 decks",
    18: "First visit in a browser, slow 4G, a quarter of the processor",
    19: "After the last key",
}

EMPTY, HELLO, SQL = "empty view", "bare WSGI hello", "same engine's SQL"

GOALS = (
    Goal("1.card", "card page, no cookies", HELLO, "<=", 1.3, "us"),
    Goal("1.search", "search page, no cookies", HELLO, "<=", 1.3, "us"),
    Goal("1.cookie", "card page, somebody else's cookie", HELLO, "<=", 1.3, "us"),
    Goal("1.csrf", "card page, after a form was seen", HELLO, "<=", 1.3, "us"),
    Goal("1.unchanged", "card page unchanged (304), cookies", HELLO, "<=", 1.3, "us"),
    Goal("1.beside", "p99 of a kept page beside 32 makers of sheets", "its own", "<=", 5),
    Goal("2.plain", "page of 100,000 cards", "plain ORM page", "<=", 1 / 7),
    Goal("2.datasette", "page of 100,000 cards", "Datasette", "<=", 1 / 30),
    Goal("2.empty", "page of 100,000 cards", EMPTY, "<=", 15),
    Goal("2.real", "page of the real cards", EMPTY, "<=", 12),
    Goal("3.page", "card page", EMPTY, "<=", 12),
    Goal("3.json", "JSON of a card", "DRF serializer, same JSON", "<=", 0.4),
    Goal("4.suggest", "suggestions", EMPTY, "<=", 2),
    Goal("5.exact", "exact filter, total, 48 rows", SQL, "<=", 0.4),
    Goal("5.prefix", "beginning of a name, 10 names", SQL, "<=", 1),
    Goal("5.ranked", "two words, total, 48 rows", SQL, "<=", 0.5),
    Goal("5.misspelt", "misspelt name", "rapidfuzz, all names", "<=", 0.25),
    Goal("5.recall", "names of one slip that are found", "", ">=", 99, "%"),
    Goal("6.numbers", "total and 3 facets, numbers", SQL, "<=", 0.05),
    Goal("6.word", "total and 3 facets, a word", SQL, "<=", 0.05),
    Goal("6.tantivy", "total and 3 facets, a word", "tantivy", "<=", 1),
    Goal("7.deep", "48 rows at 90% of the list", "its first page", "<=", 1.1),
    Goal("8.p99", "p99 of 1,000 random queries", "their median", "<=", 5),
    Goal("8.first", "a server process's first search page", "", "<=", 1_000),
    Goal("8.start", "its start and that page", "", "<=", 2_000),
    Goal("9.judge", "a deck read, slowest format", "orjson, same facts", "<=", 1, "us"),
    Goal("9.lists", "lists read, judged, explained", "", ">=", 3_000, "/s"),
    Goal("9.batch", "check_deck --batch", "", ">=", 3_000, "/s"),
    Goal("10.54-JPEG-1", "54 JPEG", "img2pdf", "<=", 1.2),
    Goal("10.54-PNG-1", "54 PNG", "img2pdf", "<=", 1.2),
    Goal("10.54-JPEG-4", "54 JPEG, 4 copies", "img2pdf", "<=", 1.2),
    Goal("10.540-JPEG-1", "540 JPEG", "img2pdf", "<=", 1.2),
    Goal("10.stock", "54 JPEG", "reportlab drawImage", "<=", 0.1),
    Goal("10.fpdf", "54 JPEG", "fpdf2", "<=", 1),
    Goal("11.540", "540 pictures", "", "<=", 80, "MB"),
    Goal("11.5000", "5,000 pictures", "", "<=", 120, "MB"),
    Goal("12.54", "54 cards", "reportlab, forms", "<=", 1),
    Goal("12.540", "540 cards", "reportlab, forms", "<=", 1),
    Goal("12.copies", "540 cards, 4 copies", "reportlab, forms", "<=", 1),
    Goal("12.many", "print_deck, 480 cards", "Chromium", "<=", 1 / 20),
    Goal("12.deck", "print_deck, one deck", "Chromium", "<=", 1 / 6),
    Goal("13.import", "import, checked", "DRF + bulk_create", "<=", 0.6, "s"),
    Goal("13.lines", "lines of the import", "those of 17ced52", "<=", 1 / 3, "lines"),
    Goal("13.again", "unchanged again, rows written", "", "<=", 0, "rows"),
    Goal("14.first", "first page after start", "Django set up bare", "<=", 1),
    Goal("14.start", "start and that page", "Django set up bare", "<=", 4),
    Goal("14.check", "check_deck", "Django set up bare", "<=", 1.6),
    Goal("14.print", "print_deck", "Django set up bare", "<=", 1.6),
    Goal("15.deck", "deck page", EMPTY, "<=", 25),
    Goal("15.plus", "+1 in the editor", EMPTY, "<=", 35),
    Goal("15.patch", "API PATCH", EMPTY, "<=", 30),
    Goal("15.print", "print page", EMPTY, "<=", 60),
    Goal("15.preview", "preview of a print", EMPTY, "<=", 50),
    Goal("16.rate", "changes by eight", "", ">=", 100, "/s"),
    Goal("16.tail", "p99 of the eight", "their median", "<=", 8),
    Goal("17.holds", "deck:[t:agent]>=5", "gallery, first page", "<=", 3),
    Goal("17.account", "account page", "gallery, first page", "<=", 3),
    Goal("17.name", "order by name", "gallery, first page", "<=", 3),
    Goal("17.history", "history of 2,000 states", "gallery, first page", "<=", 3),
    *(
        goal
        for name, page, kB in (
            ("home", "home", 110),
            ("card", "card page", 75),
            ("list", "list of cards", 110),
            ("deck", "deck page", 110),
            ("editor", "editor", 110),
        )
        for goal in (
            Goal(f"18.{name}-bytes", f"{page}, bytes", "", "<=", kB, "kB"),
            Goal(f"18.{name}-requests", f"{page}, requests", "", "<=", 8, ""),
            Goal(f"18.{name}-paint", f"{page}, first paint", "", "<=", 1_200),
            Goal(f"18.{name}-blocking", f"{page}, blocking", "", "<=", 150),
        )
    ),
    Goal("19.preview", "preview of a print", "", "<=", 150),
    Goal("19.search", "search in the editor", "", "<=", 150),
)
# What the lock file lacks: these are measured where somebody has installed it, or not at all.
NEEDS = {"2.datasette": "datasette", "6.tantivy": "tantivy", "9.judge": "orjson"}
BY_KEY = {goal.key: goal for goal in GOALS}


def result(key: str, ours: float, base: float = 0.0, where: str = "") -> Result:
    return Result(BY_KEY[key], ours, base, where)


def results_of_json(lines: Iterable[dict[str, Any]]) -> list[Result]:
    """What another process measured, from its JSON."""
    return [Result(BY_KEY[line["key"]], line["ours"], line.get("base", 0.0), line["where"]) for line in lines]


def as_table() -> str:
    """All goals as ``docs/speed.md`` shows them."""
    lines = ["| row | what | against | goal |", "|---|---|---|---|"]
    for row, title in ROWS.items():
        lines.append(f"| **{row}** | **{title}** | | |")
        lines += [
            f"| | {goal.what} | {goal.against or '-'} | {goal.shown} |" for goal in GOALS if goal.row == row
        ]
    return "\n".join(lines)
