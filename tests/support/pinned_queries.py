"""Card queries with their expected results, from ``pinned_queries.txt``. Columns between tabs: the query, the
number of cards found, the codes of the first six, and of the last two others.
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from tests import ROOT

FILE: Path = ROOT / "tests" / "cardsdb" / "search" / "query" / "pinned_queries.txt"


class Pinned(NamedTuple):
    query: str
    total: int
    first: list[str]
    last: list[str]


def pinned_queries() -> list[Pinned]:
    lines = (f"{line}\t\t".split("\t") for line in FILE.read_text(encoding="utf-8").splitlines())
    return [Pinned(query, int(total), first.split(), last.split()) for query, total, first, last, *_ in lines]
