"""Queries with their answers, pinned in a file: the query, how many cards it finds, the first six and the
last two of the rest, tabs between.
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
