"""Rows 5 to 8: searching, facets, depth and cliffs among 100,000 cards, against plain SQL of the same engine
on a table made for it.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from importlib.util import find_spec
from statistics import median, quantiles
from typing import Any

from rapidfuzz import fuzz, process

from cardsdb.catalogue.current import catalogue
from cardsdb.games.kit.model.text import fold
from cardsdb.models import Card
from cardsdb.search.card_query import parse_query
from cardsdb.search.results import Results, results_of
from tests.bench import plain_tables
from tests.bench.generator import FACTIONS, PLACES, QUALITIES, THINGS, TRAITS, TYPES
from tests.bench.goals import Result, result
from tests.bench.other_engines import tantivy_counts
from tests.bench.timing import cpu, in_turn

PAGE, ROUNDS = 48, 5
FACETS = plain_tables.FACETS


def run() -> Iterator[Result]:
    plain_tables.drop()
    plain_tables.make()
    yield from _searches()
    yield from _facets()
    yield from _misspelt()
    plain_tables.drop()
    yield _depth()
    yield _cliffs()


def _found(query: str) -> Results:
    """From the text to the results, as a list page does it: one query for the edition."""
    return results_of(parse_query(query))


def _page(query: str) -> tuple[int, list[str]]:
    """The total and the codes of the first page, from its rows as the page shows them."""
    found = _found(query)
    return found.total, [card.code for card in found.page(PAGE).cards]


def _each(function: Callable[[Any], Any], questions: Sequence[Any]) -> Callable[[], None]:
    def all_of_them() -> None:
        for question in questions:
            function(question)

    return all_of_them


def _against(
    key: str, ours: Callable[[Any], Any], plain: Callable[[Any], Any], asked: Sequence[tuple[Any, Any]]
) -> Result:
    """Both in turn over the same questions, in ms a question. ``asked`` has each as we ask it and as the
    other does.
    """
    ways = {
        "ours": _each(ours, [own for own, _ in asked]),
        "plain": _each(plain, [other for _, other in asked]),
    }
    for way in ways.values():
        way()
    seconds = in_turn(ways, ROUNDS, cpu)
    return result(key, seconds["ours"] / len(asked) * 1_000, seconds["plain"] / len(asked) * 1_000)


def _searches() -> Iterator[Result]:
    whole = catalogue()
    chance = random.Random(5)
    picked = [(chance.choice(FACTIONS), chance.choice(TYPES), chance.randint(0, 6)) for _ in range(30)]
    exact = [
        (f'game:paperwar faction="{faction}" type={kind} cost={cost}', (faction, kind, cost))
        for faction, kind, cost in picked
    ]
    where = "faction = %s AND type = %s AND cost = %s"

    def filtered(values: Sequence[Any]) -> tuple[int, list[str]]:
        found = plain_tables.rows(
            f"SELECT code FROM plain WHERE {where} ORDER BY sort_name, code LIMIT {PAGE}", values
        )
        return plain_tables.rows(f"SELECT count(*) FROM plain WHERE {where}", values)[0][0], [
            code for (code,) in found
        ]

    for query, values in exact:
        assert _page(query) == filtered(values), query
    yield _against("5.exact", _page, filtered, exact)

    prefixes = [fold(chance.choice(QUALITIES) + " " + chance.choice(THINGS)[:2]) for _ in range(30)]

    def completed(prefix: str) -> list[str]:
        return [fold(card.name) for card in whole.beginning(prefix, 10)]

    def beginning(prefix: str) -> list[str]:
        statement = (
            "SELECT DISTINCT name_folded FROM plain WHERE name_folded >= %s AND name_folded < %s ORDER BY"
            " name_folded LIMIT 10"
        )
        return [name for (name,) in plain_tables.rows(statement, (prefix, prefix + "\U0010ffff"))]

    for prefix in prefixes:
        assert all(name.startswith(prefix) for name in completed(prefix)) and len(completed(prefix)) == len(
            beginning(prefix)
        ), prefix
    yield _against("5.prefix", completed, beginning, [(prefix, prefix) for prefix in prefixes])

    words = [f"{chance.choice(QUALITIES)} {chance.choice(THINGS)}".casefold() for _ in range(30)]
    counting = f"SELECT count(*) FROM plain WHERE {plain_tables.text_condition()}"

    def ranked(asked: str) -> tuple[int, list[int]]:
        return plain_tables.rows(counting, [asked])[0][0], [
            row[0] for row in plain_tables.rows(plain_tables.ranked(), [asked])
        ]

    for asked in words:
        # Ours finds what begins with a word too, so all of theirs and perhaps more.
        every = plain_tables.rows(f"SELECT id FROM plain WHERE {plain_tables.text_condition()}", [asked])
        assert set(_found(f"game:paperwar {asked}").pks).issuperset(pk for (pk,) in every), asked
    yield _against("5.ranked", _page, ranked, [(f"game:paperwar {asked}", asked) for asked in words])


def _misspelt() -> Iterator[Result]:
    whole = catalogue()
    names = list(Card.objects.current().values_list("name_folded", flat=True))
    chance = random.Random(6)
    slips = [
        (_slip(name, chance), name) for name in chance.sample([name for name in names if len(name) > 7], 200)
    ]
    kept = sum(name in whole.names.like(slip, 10) for slip, name in slips)

    def scanned(slip: str) -> Any:
        return process.extract(slip, names, scorer=fuzz.ratio, limit=10)

    yield _against(
        "5.misspelt",
        lambda slip: whole.names.like(slip, 10),
        scanned,
        [(slip, slip) for slip, _ in slips[:10]],
    )
    yield result("5.recall", kept / len(slips) * 100)


def _slip(name: str, chance: random.Random) -> str:
    at = chance.randrange(1, len(name) - 1)
    letter = chance.choice("abcdefghijklmnopqrstuvwxyz")
    return chance.choice(
        (name[:at] + name[at + 1 :], name[:at] + letter + name[at:], name[:at] + letter + name[at + 1 :])
    )


def _facets() -> Iterator[Result]:
    chance = random.Random(7)
    filters = [
        (f"game:paperwar cost>={cost} year<{year}", (cost, year))
        for cost, year in ((2, 1960), (5, 1950), (1, 1980), (3, 1970), (0, 1995))
    ]
    words = [chance.choice(THINGS).casefold() for _ in range(5)]
    grouped = f"SELECT {', '.join(FACETS)}, count(*) FROM plain WHERE {{}} GROUP BY {', '.join(FACETS)}"

    def ours(query: str) -> tuple[int, list[list[tuple[str, int]]]]:
        found = _found(query)
        return found.total, [found.facet(key) for key in FACETS]

    def plain(statement: str) -> Callable[[Sequence[Any]], tuple[int, list[Counter[Any]]]]:
        def count(values: Sequence[Any]) -> tuple[int, list[Counter[Any]]]:
            counts: list[Counter[Any]] = [Counter() for _ in FACETS]
            total = 0
            for *shown, number in plain_tables.rows(statement, values):
                total += number
                for counter, value in zip(counts, shown, strict=True):
                    counter[value] += number
            return total, counts

        return count

    numbers, text = (
        plain(grouped.format("cost >= %s AND year < %s")),
        plain(grouped.format(plain_tables.text_condition())),
    )
    texts = [(f"game:paperwar {word}", [word]) for word in words]
    for query, values in filters:
        (total, counted), (wanted, told) = ours(query), numbers(values)
        assert total == wanted, query
        assert [dict(of_key) for of_key in counted] == [
            {fold(v): n for v, n in counts.items() if v} for counts in told
        ], query
    for query, values in texts:
        assert ours(query)[0] >= text(values)[0], query
    yield _against("6.numbers", ours, numbers, filters)
    yield _against("6.word", ours, text, texts)
    if find_spec("tantivy"):
        tantivy = tantivy_counts(FACETS)
        for query, (word,) in texts:
            (total, counted), (least, told) = ours(query), tantivy(word)
            # Ours finds what begins with a word too, so all of theirs and perhaps more.
            assert total >= least > 0, query
            assert all(
                dict(mine)[fold(v)] >= n
                for mine, counts in zip(counted, told, strict=True)
                for v, n in counts.items()
            ), query
        yield _against("6.tantivy", ours, tantivy, [(query, word) for query, (word,) in texts])


def _depth() -> Result:
    game = "game:paperwar"
    found = _found(game)
    deep, near = found.key_at(int(found.total * 0.9)), found.key_at(0)
    assert found.page(PAGE, after=deep).first == int(found.total * 0.9) + 2
    return _against("7.deep", *[lambda key: _found(game).page(PAGE, after=key)] * 2, [(deep, near)] * 40)


def _cliffs() -> Result:
    """Of each query the quickest of three tries: a cliff is there every time, a busy moment of the machine is
    not.
    """
    seconds = [min(_once(query) for _ in range(3)) for query in _random_queries(1_000)]
    return result("8.p99", quantiles(seconds, n=100)[-1] * 1_000, median(seconds) * 1_000)


def _once(query: str) -> float:
    start = cpu()
    _page(query)
    return cpu() - start


def _random_queries(count: int) -> list[str]:
    chance = random.Random(8)
    parts: tuple[Callable[[], str], ...] = (
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
        chosen = [
            chance.choice(("", "", "", "-")) + chance.choice(parts)() for _ in range(chance.randint(1, 4))
        ]
        joined = chance.choice((" ", " ", " OR ")).join(chosen)
        queries.append(joined + chance.choice(("", "", " order:-cost")))
    return queries
