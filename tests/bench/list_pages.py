"""Row 2: a search page whose filters are new each time: exact total, facets, 48 rows. Through all of Django,
no page kept.
"""

from __future__ import annotations

import html
import random
import re
from collections.abc import Iterator
from importlib.util import find_spec
from itertools import cycle
from urllib.parse import urlencode

from cardsdb.games import game_named
from tests.bench import plain_page, plain_tables
from tests.bench.asking import Visitor, empty
from tests.bench.bare_paths import PLAIN
from tests.bench.generator import FACTIONS
from tests.bench.goals import Result, result
from tests.bench.other_engines import Datasette
from tests.bench.timing import cpu, in_turn, times

ROUNDS, TIMES = 5, 5
REAL = (
    "game:spycraft faction:nine craft>={}",
    "game:xfiles t:agent cost<={}",
    "t:agent combat>={}",
    "game:spynet cost>={}",
    "the {}",
)


def run() -> Iterator[Result]:
    asked = [(faction, cost) for faction in FACTIONS for cost in range(12)]
    random.Random(8).shuffle(asked)
    visitor = Visitor()
    if not game_named("paperwar"):
        real = cycle([query.format(number) for number in range(9) for query in REAL])
        seconds = in_turn(
            {
                "ours": times(TIMES, lambda: visitor.ask("/cards/", urlencode({"q": next(real)}))),
                "empty": times(40, empty),
            },
            9,
            cpu,
        )
        yield result("2.real", seconds["ours"] / TIMES * 1_000, seconds["empty"] / 40 * 1_000)
        return
    plain_tables.drop()
    plain_tables.make()
    for faction, cost in asked[:8]:
        assert _shown(visitor.ask("/cards/", _query(faction, cost)).decode()) == _wanted(faction, cost), (
            faction,
            cost,
        )
    ours, theirs = cycle(asked), cycle(asked)
    ways = {
        "ours": times(TIMES, lambda: visitor.ask("/cards/", _query(*next(ours)))),
        "plain": times(
            TIMES,
            lambda: visitor.ask(PLAIN, urlencode(dict(zip(("faction", "cost"), next(theirs), strict=True)))),
        ),
        "empty": times(40, empty),
    }
    if find_spec("datasette"):
        datasette, others = Datasette(), cycle(asked)
        for faction, cost in asked[:3]:
            total, counts, codes = datasette.answer(faction, cost)
            wanted, (types, places, costs), cards = plain_page.context(faction, cost)
            assert (total, set(codes)) == (wanted, {card.code for card in cards}), (faction, cost)
            assert counts == [
                {str(value): count for value, count in facet.items()} for facet in (types, places, costs)
            ], (faction, cost)
        ways["datasette"] = times(TIMES, lambda: datasette.page(*next(others)))
    seconds = in_turn(ways, ROUNDS, cpu)
    plain_tables.drop()
    yield result("2.plain", seconds["ours"] / TIMES * 1_000, seconds["plain"] / TIMES * 1_000)
    if "datasette" in seconds:
        yield result("2.datasette", seconds["ours"] / TIMES * 1_000, seconds["datasette"] / TIMES * 1_000)
    yield result("2.empty", seconds["ours"] / TIMES * 1_000, seconds["empty"] / 40 * 1_000)


def _query(faction: str, cost: int) -> str:
    return urlencode({"q": f'game:paperwar faction="{faction}" cost>={cost}', "view": "list"})


def _shown(page: str) -> tuple[int, list[dict[str, int]], list[str]]:
    """What our page tells: the total, two facets with all their values, the first rows."""
    total = re.search(r"of ([\d,]+)</span>", page) or re.search(r"Download ([\d,]+) cards?<", page)
    rows = re.findall(r'class="name" href="/cards/paperwar/([^/"]+)/', page)
    facets = []
    for key in ("type", "place"):
        values = re.findall(
            rf'\+{key}(?:%3D|%3A)([^&]+)&amp;view=list"[^>]*><span>([^<]*)</span></a> <span'
            r' class="num">([\d,]+)',
            page,
        )
        facets.append({html.unescape(shown).casefold(): _number(count) for _, shown, count in values})
    return _number(total[1]) if total else 0, facets, rows


def _wanted(faction: str, cost: int) -> tuple[int, list[dict[str, int]], list[str]]:
    total, (types, places, _), cards = plain_page.context(faction, cost)
    named = {game_type.slug: game_type.plural.casefold() for game_type in game_named("paperwar").types}  # type: ignore[union-attr]
    facets = [
        {named[str(slug)]: count for slug, count in types.items()},
        {str(place).casefold(): count for place, count in places.items()},
    ]
    return total, facets, [card.code for card in cards]


def _number(text: str) -> int:
    return int(text.replace(",", ""))
