"""Rows 3 to 6 and 12 of ``docs/speed.md``: pages, queries, searches, judging and many decks, measured inside
one process with Django's test client.

Each public function is called by its name: ``__main__.py`` has ``measuring.apart`` run it in a fresh process
on a prepared site, and it returns figures that JSON can hold. Times are of the processor.
"""

from __future__ import annotations

import asyncio
import csv
import json
import logging
import os
import random
import re
import resource
import sqlite3
import sys
from collections import Counter
from collections.abc import Callable
from functools import partial
from itertools import cycle, islice
from pathlib import Path
from statistics import median
from typing import Any
from urllib.parse import urlencode

from django.contrib.auth.models import User
from django.core.cache import cache
from django.test import Client

from cardsdb.games import games
from cardsdb.games.kit import Game, fold
from cardsdb.models import Card
from cardsdb.search.results import parse_query, results_of
from decks.core.judging import judge_text
from decks.models import Deck, DeckLine
from decks.saving.save import basis
from tests.budgets.measuring import DECK, STARTER, milliseconds, program
from tests.support import paper_war
from tests.support.queries import queries_of

# The facets of a search.
FACETS = ("type", "place", "cost")
# A figure is the median of so many measurements.
ROUNDS = 9
# Lists in the batch for ``check_deck``.
BATCH = 3_000
# Decks made at once; more would need much memory.
CHUNK = 20_000


def _visitor() -> tuple[Client, str, dict[str, Callable[[], Any]]]:
    """Return the client of a visitor with a deck, the deck's link, and two requests by name: its page, and a
    change in the editor.
    """
    client = Client(SERVER_NAME="localhost", headers={"accept-encoding": "gzip"})
    # "/decks/<link>"
    deck = "/".join(client.post("/decks/new/", DECK)["Location"].split("/")[:3])
    line = Deck.objects.latest("pk").lines.select_related("card").order_by("position")[3]
    # Each press of + is followed by one of -, so that the deck stays the same.
    edits, pane = cycle(("+1", "-1")), {"HX-Request": "true", "HX-Target": "deck"}

    def press() -> Any:
        edit = f"{next(edits)} {line.section} {line.card.code}"
        return client.post(f"{deck}/edit/", {"edit": edit}, headers=pane)

    return client, deck.split("/")[2], {"deck": lambda: client.get(f"{deck}/"), "+1": press}


def _pages() -> dict[str, Callable[[], Any]]:
    """Return name -> request of a page. Where possible each call asks for something new (the next card or
    number), so that no cache answers.
    """
    client, link, requests = _visitor()
    codes, numbers = cycle(card.code for card in games()["spycraft"].cards), iter(range(10_000))
    htmx = {"HX-Request": "true"}
    return requests | {
        "home": lambda: client.get("/"),
        "list": lambda: client.get("/cards/", {"q": f"game:spycraft -name:x{next(numbers)}"}),
        "card": lambda: client.get(f"/cards/spycraft/{next(codes)}/"),
        "game": lambda: client.get("/games/xfiles/"),
        "gallery": lambda: client.get("/decks/"),
        "editor": lambda: client.get(f"/decks/{link}/edit/"),
        "verdict of a list": lambda: client.post(
            "/check/verdict/", {"game": "spycraft", "text": f"{STARTER}\n// {next(numbers)}"}, headers=htmx
        ),
        "print": lambda: client.get("/print/", {"deck": link, "paper": "a4"}),
        "preview": lambda: client.get("/print/", {"deck": link, "gap": next(numbers) % 9}, headers=htmx),
    }


def _made_anew(request: Callable[[], Any]) -> Callable[[], None]:
    """Return the request with the cache emptied before it, and with its status checked."""

    def asked() -> None:
        cache.clear()
        assert request().status_code == 200

    return asked


def pages() -> dict[str, float]:
    """Return name -> milliseconds to make the page."""
    requests = {name: _made_anew(request) for name, request in _pages().items()}
    for request in requests.values():
        request()
    return {name: milliseconds(request, ROUNDS) for name, request in requests.items()}


def queries() -> dict[str, tuple[int, int]]:
    """Return name -> (number of SQL statements, number of them that repeat an earlier one)."""
    found = {}
    for name, request in _pages().items():
        request()
        # Not SAVEPOINT and the like.
        times = Counter(sql for sql in queries_of(request) if re.match("SELECT|INSERT|UPDATE|DELETE", sql))
        found[name] = (times.total(), times.total() - len(times))
    return found


def beside_datasette() -> tuple[float, float]:
    """Return milliseconds of our list page, and of Datasette's page with the same cards, filter and
    facets. Both are first checked to show the same.
    """
    from datasette.app import Datasette  # No other row needs it.

    logging.getLogger("httpx").setLevel(logging.WARNING)
    path = Path(os.environ["CUTOUT_VAR"]) / "plain.db"
    columns = ("code", "name", "type", "faction", "place", "cost")
    game = Path(os.environ["CUTOUT_GAMES_PATH"]) / paper_war.SLUG / "cards.csv"
    with sqlite3.connect(path) as plain, game.open(encoding="utf-8", newline="") as file:
        plain.execute("CREATE TABLE cards (code PRIMARY KEY, name, type, faction, place, cost INTEGER)")
        # A card's further rows are other prints of it; they are ignored.
        rows = ([row[column] or None for column in columns] for row in csv.DictReader(file))
        plain.executemany("INSERT OR IGNORE INTO cards VALUES (?, ?, ?, ?, ?, ?)", rows)
        plain.execute("CREATE INDEX cards_faction ON cards (faction, cost)")
        plain.execute("CREATE INDEX cards_name ON cards (name)")
    limits = dict.fromkeys(("facet_time_limit_ms", "sql_time_limit_ms"), 60_000) | {"default_facet_size": 100}
    peer = Datasette([str(path)], settings=limits | {"num_sql_threads": 0}).client
    client, loop = Client(SERVER_NAME="localhost"), asyncio.new_event_loop()

    def theirs(faction: str, cost: int, kind: str = "", **more: str) -> Any:
        asked = {"faction": faction, "cost__gte": cost, "_sort": "name", "_size": 48, **more}
        facets = [("_facet", key) for key in FACETS]
        return loop.run_until_complete(peer.get(f"/plain/cards{kind}?{urlencode([*asked.items(), *facets])}"))

    def ours(faction: str, cost: int) -> Any:
        return client.get("/cards/", {"q": f'game:{paper_war.SLUG} faction="{faction}" cost>={cost}'})

    # Compare the results, with a filter that leaves few enough cards for one page.
    for faction in paper_war.FACTIONS:
        told = theirs(faction, 18, ".json", _shape="objects").json()
        found = results_of(parse_query(f'game:{paper_war.SLUG} faction="{faction}" cost>=18'))
        shown = set(re.findall(r"/cards/paper-war/(c\d+)/", ours(faction, 18).text))
        assert found.total == told["filtered_table_rows_count"] < 48, faction
        assert shown == {row["code"] for row in told["rows"]}, faction
        for key in FACETS:
            their_counts = {
                fold(str(one["value"])): one["count"] for one in told["facet_results"][key]["results"]
            }
            our_counts = {fold(str(value)): count for value, count in found.facet(key)}
            assert our_counts == their_counts, (faction, key)
    # Each page is asked for once, so that no cache answers.
    our_times, their_times = [], []
    for cost in range(3):
        for faction in paper_war.FACTIONS:
            our_times.append(milliseconds(partial(ours, faction, cost), 1))
            their_times.append(milliseconds(partial(theirs, faction, cost), 1))
    return median(our_times), median(their_times)


def search() -> float:
    """Return the median milliseconds of 1,000 searches, each with its total, first page and three facets."""

    def found(query: str) -> None:
        results = results_of(parse_query(query))
        results.total, results.page(48), *(results.facet(key) for key in FACETS)

    queries = iter(_mixed_queries(1_001))
    # The first search finds nothing prepared, and is not measured.
    found(next(queries))
    return milliseconds(lambda: found(next(queries)), 1_000)


def _mixed_queries(count: int) -> list[str]:
    """Return this many random queries; the same number gives the same queries."""
    chance = random.Random(8)
    parts: tuple[Callable[[], str], ...] = (
        lambda: f"cost{chance.choice(('=', '<', '>=', '!='))}{chance.randint(0, 12)}",
        lambda: f"year>={chance.randint(1920, 1995)}",
        lambda: f'faction:"{chance.choice(paper_war.FACTIONS)}"',
        lambda: f'place:"{chance.choice(paper_war.PLACES)}"',
        lambda: f"type:{chance.choice(paper_war.TYPES)}",
        lambda: f"traits:{chance.choice(paper_war.TRAITS)}",
        lambda: "is:unique",
        lambda: f"has:{chance.choice(('nerve', 'reach', 'secrecy'))}",
        lambda: chance.choice((*paper_war.QUALITIES, *paper_war.THINGS)).casefold(),
        lambda: f"name:{chance.choice(('ka', 'sil', 'ledger', 'of', 'n'))}",
    )
    queries = []
    for _ in range(count):
        terms = []
        for _ in range(chance.randint(1, 4)):
            # One term in four is negated, one query in three has OR, and one in three an order.
            negation = chance.choice(("", "", "", "-"))
            terms.append(negation + chance.choice(parts)())
        words = chance.choice((" ", " ", " OR ")).join(terms)
        queries.append(words + chance.choice(("", "", " order:-cost")))
    return queries


def judged() -> tuple[float, float]:
    """Return milliseconds to read, judge and explain a starter: the median of all starters, and the
    slowest.
    """

    def judge(game: Game, text: str) -> None:
        judge_text(game, text).as_json()

    took = []
    for game in games().values():
        for starter in game.starters:
            # A comment with a number makes each text a new one, so that no cache answers.
            texts = [f"{starter.text}\n// {number}" for number in range(ROUNDS)]
            took.append(median(milliseconds(partial(judge, game, text), 1) for text in texts))
    return median(took), max(took)


def batch() -> float:
    """Return how many lists ``check_deck --batch`` judges in a second of processor time, its start
    included.
    """
    # All starters, again and again; each with the verdict that it has alone.
    lines, verdicts = [], []
    for game in games().values():
        for one in game.starters:
            lines.append(json.dumps({"game": game.slug, "format": one.format, "text": one.text}))
            verdicts.append(judge_text(game, one.text, game.formats_by_slug[one.format]).verdict)
    path = Path(os.environ["CUTOUT_VAR"]) / "decks.jsonl"
    path.write_text("\n".join(islice(cycle(lines), BATCH)), encoding="utf-8")
    told = program([sys.executable, "manage.py", "check_deck", "--batch", str(path)], dict(os.environ))
    answered = [json.loads(line)["verdict"] for line in told.splitlines()]
    assert answered == list(islice(cycle(verdicts), BATCH))
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return BATCH / (used.ru_utime + used.ru_stime)


def among_decks(number: str) -> dict[str, float]:
    """Return name -> milliseconds of a page on a site with this number of decks, which are made first."""
    _fill(int(number))
    client, _, requests = _visitor()
    words = cycle(word.casefold() for word in paper_war.THINGS)
    names = cycle(card.name for card in games()["spycraft"].cards)
    requests |= {
        "gallery": lambda: client.get("/decks/"),
        "a word": lambda: client.get("/decks/", {"q": next(words)}),
        "uses:": lambda: client.get("/decks/", {"q": f'uses:"{next(names)}"'}),
    }
    for request in requests.values():
        _made_anew(request)()
    return {name: milliseconds(_made_anew(request), ROUNDS) for name, request in requests.items()}


def _fill(number: int) -> None:
    """Make this number of public decks with 10 to 20 cards each; the same number gives the same decks."""
    chance, owner, game = random.Random(17), User.objects.create(username="player"), games()["spycraft"]
    cards = [
        (pk, game.section_for(kind))
        for pk, kind in Card.objects.filter(game=game.slug).order_by("pk").values_list("pk", "type")
        if not game.is_secret("", kind)
    ]
    known = {"owner": owner, "game": game.slug, "format": game.formats[0].slug, "visibility": "public"}
    known |= {"verdict": "illegal", "judged_by": basis(game)}
    for first in range(0, number, CHUNK):
        decks, lines = [], []
        for _ in range(first, min(first + CHUNK, number)):
            name = f"{chance.choice(paper_war.QUALITIES)} {chance.choice(paper_war.THINGS)}"
            chosen = chance.sample(cards, chance.randint(10, 20))
            size = {"size": len(chosen), "size_shown": len(chosen)}
            decks.append(Deck(name=name, name_folded=fold(name), tags_folded="||", **size, **known))
            lines.append(chosen)
        rows = [
            DeckLine(deck=deck, position=place, section=section, count=1, card_id=pk)
            for deck, chosen in zip(Deck.objects.bulk_create(decks, 1_000), lines, strict=True)
            for place, (pk, section) in enumerate(chosen)
        ]
        DeckLine.objects.bulk_create(rows, 1_000)
