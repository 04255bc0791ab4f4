"""Rows 3 and 4: a card and suggestions made anew, against an empty view; a card's JSON against REST
framework's own way.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from hashlib import md5
from itertools import cycle
from urllib.parse import urlencode

from cardsdb.games import games
from tests.bench.asking import Visitor, empty
from tests.bench.bare_paths import SERIALIZED
from tests.bench.goals import Result, result
from tests.bench.timing import cpu, in_turn, times

ROUNDS, TIMES = 9, 20


def hash_of(text: str) -> bytes:
    """An order without rhyme that is the same each time."""
    return md5(text.encode(), usedforsecurity=False).digest()


def run() -> Iterator[Result]:
    visitor = Visitor()
    # More of each than are asked for: no answer is given twice.
    codes = [card.code for card in games()["spycraft"].cards[: TIMES * ROUNDS]]
    pages, ours, theirs = cycle(codes), cycle(codes), cycle(codes)
    names = {
        urlencode({"q": card.name[:length].lower()})
        for card in games()["spycraft"].cards
        for length in (3, 4, 5)
    }
    typed = iter(sorted(names, key=hash_of)[: TIMES * ROUNDS])
    for code in codes[:60]:
        plain = json.loads(visitor.ask(f"{SERIALIZED}/{code}"))
        assert json.loads(visitor.ask(f"/api/v1/cards/spycraft/{code}/")) == plain, code
    ways = {
        "page": times(TIMES, lambda: visitor.ask(f"/cards/spycraft/{next(pages)}/")),
        "suggest": times(TIMES, lambda: visitor.ask("/search/suggest/", next(typed))),
        "json": times(TIMES, lambda: visitor.ask(f"/api/v1/cards/spycraft/{next(ours)}/")),
        "serializer": times(TIMES, lambda: visitor.ask(f"{SERIALIZED}/{next(theirs)}")),
        "empty": times(TIMES, empty),
    }
    ms = {name: seconds / TIMES * 1_000 for name, seconds in in_turn(ways, ROUNDS, cpu).items()}
    yield result("3.page", ms["page"], ms["empty"])
    yield result("3.json", ms["json"], ms["serializer"])
    yield result("4.suggest", ms["suggest"], ms["empty"])
