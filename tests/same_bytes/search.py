"""Thousands of card queries: which cards, in which order, and what is said about the query."""

from __future__ import annotations

import random

from tests.same_bytes.pages import corpus
from tests.same_bytes.recorder import Recorder, Visitor
from tests.same_bytes.vocabulary import GAMES, Vocabulary

RANDOM_QUERIES = 3_000


def record(recorder: Recorder) -> None:
    """The queries of the tests and random ones; whole lists of some, facets and explanations of others."""
    anyone = Visitor(recorder, "anyone", keeps_cookies=False)
    vocabulary = Vocabulary(anyone)
    rng = random.Random("same bytes")
    queries = corpus("card_queries.txt") + [vocabulary.query(rng) for _ in range(RANDOM_QUERIES)]
    for number, query in enumerate(dict.fromkeys(queries)):
        within = {"game": GAMES[number % 5]} if number % 10 == 3 else {}
        answer = anyone.get("/api/v1/cards/", q=query, fields="key", page_size=100, **within)
        if answer.status_code == 200 and (more := answer.json())["next"]:
            if number % 6 == 0:
                while more["next"]:
                    more = anyone.get(more["next"].partition("localhost")[2]).json()
            else:
                anyone.get("/api/v1/cards/", q=query, fields="key", page_size=100, before="end", **within)
        if number % 4 == 0:
            anyone.api("GET", "search/explain/?" + _encoded(query))
        if number % 10 == 0:
            anyone.get("/cards/", q=query, view=("line", "numbers", "faces", "checklist")[number // 10 % 4])


def _encoded(query: str) -> str:
    from urllib.parse import urlencode

    return urlencode({"q": query})
