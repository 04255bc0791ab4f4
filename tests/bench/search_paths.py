"""Searching, facets, depth and cliffs in the catalogue this process is pointed at, against the same engine's plain SQL."""

from __future__ import annotations

import os
import random
import time
from collections import Counter
from collections.abc import Callable, Sequence
from statistics import median, quantiles
from typing import Any

import django

django.setup()

from django.db.models import Count  # noqa: E402
from rapidfuzz import fuzz, process  # noqa: E402

from cardsdb.games import game_named  # noqa: E402
from cardsdb.games.kit.model.text import fold  # noqa: E402
from cardsdb.models import Card  # noqa: E402
from cardsdb.search.card_query import parse_query  # noqa: E402
from cardsdb.search.results import Results, results_of  # noqa: E402
from cardsdb.search.snapshots import (  # noqa: E402
    current_snapshot,
)
from tests.bench import plain_tables  # noqa: E402
from tests.bench.generator import FACTIONS, PLACES, QUALITIES, THINGS, TRAITS, TYPES  # noqa: E402
from tests.bench.timing import in_turn, table  # noqa: E402

PAGE = 48
ROUNDS = 5
LABEL = f"{int(os.environ.get('BENCH_CARDS', '0')):,} cards beside the real ones, {os.environ.get('BENCH_DATABASE', '')}"
# The database's own time is not this process's.
CLOCK = time.perf_counter
FACETS = plain_tables.FACETS


def run() -> None:
    if game_named("paperwar"):
        plain_tables.drop()
        plain_tables.make()
        _searches()
        _facets()
        _misspelt()
        plain_tables.drop()
    _depth()
    _cliffs()


def _found(query: str) -> Results:
    """From the text to the results, as a list page does it: one query for the edition."""
    return results_of(parse_query(query))


def _page(query: str) -> list[Any]:
    """The total and the first page."""
    found = _found(query)
    return found.listed(found.page(PAGE))


def _each(function: Callable[[Any], Any], questions: Sequence[Any]) -> Callable[[], None]:
    def all_of_them() -> None:
        for question in questions:
            function(question)

    return all_of_them


def _row(name: str, ours: Callable[[Any], Any], plain: Callable[[Any], Any], asked: Sequence[tuple[Any, Any]], goal: str) -> list[str]:
    """One line: both in turn over the same questions. ``asked`` has each as we ask it and as the other does."""
    mine, theirs = [own for own, _ in asked], [other for _, other in asked]
    _each(ours, mine)()
    _each(plain, theirs)()
    a, b = (seconds / len(asked) * 1000 for seconds in in_turn(_each(ours, mine), _each(plain, theirs), ROUNDS, CLOCK))
    return [name, f"{a:.3f}", f"{b:.3f}", f"{a / b:.2f}", goal]


HEAD = ["path", "ours ms", "plain ms", "ratio", "goal"]


def _searches() -> None:
    snapshot = current_snapshot()
    chance = random.Random(5)
    picked = [(chance.choice(FACTIONS), chance.choice(TYPES), chance.randint(0, 6)) for _ in range(30)]
    exact = [(f'game:paperwar faction="{faction}" type={kind} cost={cost}', (faction, kind, cost)) for faction, kind, cost in picked]
    where = "faction = %s AND type = %s AND cost = %s"
    for query, values in exact:
        assert _found(query).total == plain_tables.rows(f"SELECT count(*) FROM plain WHERE {where}", values)[0][0], query
    filtered = f"SELECT id, code, sort_name FROM plain WHERE {where} ORDER BY sort_name, code LIMIT {PAGE}"

    prefixes = [fold(chance.choice(QUALITIES) + " " + chance.choice(THINGS)[:2]) for _ in range(30)]
    begins = "SELECT id, code FROM plain WHERE name_folded >= %s AND name_folded < %s ORDER BY name_folded LIMIT 10"

    words = [f"{chance.choice(QUALITIES)} {chance.choice(THINGS)}".casefold() for _ in range(30)]
    for asked in words:
        least = plain_tables.rows(f"SELECT count(*) FROM plain WHERE {plain_tables.text_condition()}", [asked])[0][0]
        assert _found(f"game:paperwar {asked}").total >= least, asked

    def sql(statement: str) -> Callable[[Sequence[Any]], Any]:
        return lambda values: plain_tables.rows(statement, values)

    rows = [
        _row("exact filter, total and 48 rows", _page, sql(filtered), exact, "<= 3"),
        _row(
            "beginning of a name",
            lambda p: [snapshot.pks[position] for position in snapshot.names.completing(p, 10)],
            sql(begins),
            [(p, (p, p + "\U0010ffff")) for p in prefixes],
            "<= 10",
        ),
        _row("two words, ranked, 48 rows", _page, sql(plain_tables.ranked()), [(f"game:paperwar {w}", [w]) for w in words], "<= 2"),
    ]
    table(f"Searches, {LABEL}, against plain SQL on a table made for it", HEAD, rows)


def _misspelt() -> None:
    snapshot = current_snapshot()
    names = list(Card.objects.current().values_list("name_folded", flat=True))
    chance = random.Random(6)
    slips = [(_slip(name, chance), name) for name in chance.sample([name for name in names if len(name) > 7], 200)]
    kept = sum(name in [snapshot.names.lines[position] for position in snapshot.names.like(slip, 10)] for slip, name in slips)
    asked = [(slip, slip) for slip, _ in slips[:10]]
    row = _row(
        "misspelt name",
        lambda s: snapshot.names.like(s, 10),
        lambda s: process.extract(s, names, scorer=fuzz.ratio, limit=10),
        asked,
        "<= 0.25",
    )
    table(f"Misspelt names, {LABEL}, against rapidfuzz over all names (recall {kept / len(slips):.1%} of one slip)", HEAD, [row])


def _slip(name: str, chance: random.Random) -> str:
    at = chance.randrange(1, len(name) - 1)
    letter = chance.choice("abcdefghijklmnopqrstuvwxyz")
    return chance.choice((name[:at] + name[at + 1 :], name[:at] + letter + name[at:], name[:at] + letter + name[at + 1 :]))


def _facets() -> None:
    chance = random.Random(7)
    filters = [
        (f"game:paperwar cost>={cost} year<{year}", (cost, year)) for cost, year in ((2, 1960), (5, 1950), (1, 1980), (3, 1970), (0, 1995))
    ]
    words = [chance.choice(THINGS).casefold() for _ in range(5)]
    texts = [(f"game:paperwar {word}", [word]) for word in words]
    grouped = f"SELECT {', '.join(FACETS)}, count(*) FROM plain WHERE {{}} GROUP BY {', '.join(FACETS)}"
    numbers = grouped.format("cost >= %s AND year < %s")
    text = grouped.format(plain_tables.text_condition())

    def ours(query: str) -> tuple[int, list[list[tuple[str, int]]]]:
        found = _found(query)
        return found.total, [found.facet(key) for key in FACETS]

    def plain(statement: str) -> Callable[[Sequence[Any]], list[Counter[Any]]]:
        def count(values: Sequence[Any]) -> list[Counter[Any]]:
            counts: list[Counter[Any]] = [Counter() for _ in FACETS]
            for *shown, number in plain_tables.rows(statement, values):
                for counter, value in zip(counts, shown, strict=True):
                    counter[value] += number
            return counts

        return count

    def orm(values: Sequence[int]) -> list[Any]:
        found = Card.objects.filter(game="paperwar", facts__cost__gte=values[0], facts__year__lt=values[1])
        return [list(found.values(key).annotate(Count("pk"))) for key in ("type", "facts__faction", "facts__place")]

    for query, values in filters:
        total, counted = ours(query)
        told = plain(numbers)(values)
        assert total == sum(told[0].values()), query
        assert [dict(of_key) for of_key in counted] == [{fold(v): n for v, n in counts.items() if v} for counts in told], query
    rows = [
        _row("total and three facets, numbers", ours, plain(numbers), filters, "<= 0.5"),
        _row("total and three facets, a word", ours, plain(text), texts, "<= 0.5"),
        _row("total and three facets, numbers, plain ORM", ours, orm, filters[:2], ""),
    ]
    table(f"Facets, {LABEL}, against one grouped query", HEAD, rows)


def _depth() -> None:
    game = "game:paperwar" if game_named("paperwar") else "game:spycraft"
    found = _found(game)
    deep = found.key_at(int(found.total * 0.9))
    near = found.key_at(0)
    assert found.page(PAGE, after=deep).first == int(found.total * 0.9) + 2
    row = _row(
        "48 rows at 90 % of the list",
        lambda key: _found(game).page(PAGE, after=key),
        lambda key: _found(game).page(PAGE, after=key),
        [(deep, near)] * 40,
        "<= 1.1",
    )
    table(f"Depth, {LABEL}, against the second page", ["path", "deep ms", "near ms", "ratio", "goal"], [row])


def _cliffs() -> None:
    """Of each query the quickest of three tries: a cliff is there every time, a busy moment of the machine is not."""
    seconds = [min(_once(query) for _ in range(3)) for query in _random_queries(1_000)]
    low, high = median(seconds) * 1000, quantiles(seconds, n=100)[-1] * 1000
    row = ["total and first page", f"{low:.2f}", f"{high:.2f}", f"{max(seconds) * 1000:.2f}", f"{high / low:.1f}", "<= 8"]
    table(f"1,000 random queries, {LABEL}", ["what", "p50 ms", "p99 ms", "worst ms", "p99/p50", "goal"], [row])


def _once(query: str) -> float:
    start = CLOCK()
    _page(query)
    return CLOCK() - start


def _random_queries(count: int) -> list[str]:
    chance = random.Random(8)
    if not game_named("paperwar"):
        parts: tuple[Callable[[], str], ...] = (
            lambda: f"craft>={chance.randint(0, 7)}",
            lambda: f"combat<{chance.randint(1, 8)}",
            lambda: f"type:{chance.choice(('agent', 'leader', 'gear', 'witness', 'site'))}",
            lambda: f"game:{chance.choice(('spycraft', 'xfiles', 'spynet'))}",
            lambda: chance.choice(("the", "agent", "card", "man", "discard", "mission")),
        )
    else:
        parts = (
            lambda: f"cost{chance.choice(('=', '<', '>=', '!='))}{chance.randint(0, 12)}",
            lambda: f"year>={chance.randint(1920, 1995)}",
            lambda: f'faction:"{chance.choice(FACTIONS)}"',
            lambda: f'place:"{chance.choice(PLACES)}"',
            lambda: f"type:{chance.choice(TYPES)}",
            lambda: f"traits:{chance.choice(TRAITS)}",
            lambda: "is:unique",
            lambda: f"has:{chance.choice(('nerve', 'reach', 'secrecy'))}",
            lambda: chance.choice((*QUALITIES, *THINGS)).casefold(),
            lambda: f"name:{chance.choice(('ka', 'sil', 'ledger', 'of', 'n'))}",
        )
    queries = []
    for _ in range(count):
        chosen = [chance.choice(("", "", "", "-")) + chance.choice(parts)() for _ in range(chance.randint(1, 4))]
        joined = chance.choice((" ", " ", " OR ")).join(chosen)
        queries.append(joined + chance.choice(("", "", " order:-cost" if game_named("paperwar") else "")))
    return queries


if __name__ == "__main__":
    run()
