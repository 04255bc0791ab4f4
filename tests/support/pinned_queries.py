"""Search queries with their expected results, read from ``pinned_queries.txt``.

A line holds, separated by tabs: the query, the number of cards it finds, the keys of the first six cards, and
the keys of the last two of the rest.
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from tests import ROOT

FILE: Path = ROOT / "tests" / "cardsdb" / "search" / "query" / "pinned_queries.txt"


class Pinned(NamedTuple):
    """One line of the file; ``first`` and ``last`` are card keys."""

    query: str
    total: int
    first: list[str]
    last: list[str]


def pinned_queries() -> list[Pinned]:
    lines = (f"{line}\t\t".split("\t") for line in FILE.read_text(encoding="utf-8").splitlines())
    return [Pinned(query, int(total), first.split(), last.split()) for query, total, first, last, *_ in lines]
