"""How long verdicts and repairs take: of one deck, of very many, of a list at every key, of decks to mend."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median

from django import setup
from django.test import Client, override_settings

from cardsdb.games import games
from cardsdb.games.kit import Card, Decklist, Entry
from cardsdb.games.kit.listtext.deck import read_deck
from cardsdb.games.kit.repair.search import cards_of_folder, smallest_repairs
from tests.bench.bare_paths import EMPTY
from tests.bench.timing import in_turn, table

REPEATS = 50
# Decks in a batch; BENCH_DECKS=100000 for the whole.
BATCH = int(os.environ.get("BENCH_DECKS", "10000"))
# Runs a command and says, last of all, the most memory it had, in MB.
MEASURED = (
    "import resource,subprocess,sys; done=subprocess.run(sys.argv[1:],stdout=subprocess.DEVNULL);"
    "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss//1024)"
)


def run() -> None:
    one_deck()
    many_decks()
    every_key()
    mending()


def one_deck() -> None:
    rows = []
    for game in games().values():
        for format in game.formats:
            starters = [starter for starter in game.starters if starter.format == format.slug]
            if not starters:
                continue
            deck = max((read_deck(game, starter.text, format).deck for starter in starters), key=lambda deck: len(deck.entries))
            body = json.dumps([{"count": e.count, "section": e.section, "name": e.card.name, "facts": dict(e.card.facts)} for e in deck])

            def judge(game=game, format=format, deck=deck) -> None:  # type: ignore[no-untyped-def]
                for _ in range(REPEATS):
                    game.judge(deck, format)

            def parse(body=body) -> None:  # type: ignore[no-untyped-def]
                for _ in range(REPEATS):
                    json.loads(body)

            ours, theirs = (seconds / REPEATS * 1e6 for seconds in in_turn(judge, parse, 9))
            verdict = game.judge(deck, format).verdict
            rows.append(
                [f"{game.name}, {format.name}", str(len(deck.entries)), verdict, f"{ours:.0f}", f"{theirs:.0f}", f"{ours / theirs:.2f}"]
            )
    table(
        "Judging one deck, every violation with numbers and citation",
        ["deck", "entries", "verdict", "judge µs", "json.loads µs", "ratio"],
        rows,
    )


def many_decks() -> None:
    """A batch through the command, start and all, against parsing the same lines of JSON. Memory must not grow with their number."""
    lists = [
        json.dumps({"game": game.slug, "format": starter.format, "text": starter.text})
        for game in games().values()
        for starter in game.starters
        if starter.format in ("agency", "advanced")
    ]
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "decks.jsonl"
        for number in (BATCH // 10, BATCH):
            with path.open("w", encoding="utf-8") as file:
                for place in range(number):
                    file.write(lists[place % len(lists)] + "\n")
            start = time.perf_counter()
            command = [sys.executable, "-c", MEASURED, sys.executable, "manage.py", "check_deck", "--batch", str(path)]
            memory = subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()
            ours = time.perf_counter() - start
            start = time.perf_counter()
            with path.open(encoding="utf-8") as file:
                for line in file:
                    json.loads(line)
            theirs = time.perf_counter() - start
            rows.append([f"{number:,} decks", f"{ours:.1f}", f"{number / ours:,.0f}", f"{number / theirs:,.0f}", memory])
    table("Judging a batch of decks", ["batch", "seconds", "decks/s", "json.loads/s", "peak MB"], rows)


def every_key() -> None:
    """The request at every key of somebody who types a list, against an empty view."""
    setup()
    text = max((starter.text for starter in games()["spycraft"].starters if starter.format == "agency"), key=len)
    unhurried = override_settings(ROOT_URLCONF="tests.bench.bare_urls", CUTOUT_READS_PER_MINUTE=10**6, ALLOWED_HOSTS=["testserver"])
    with unhurried:
        client = Client()

        def typed() -> None:
            for _ in range(10):
                assert client.post("/check/verdict/", {"game": "spycraft", "format": "agency", "text": text}).status_code == 200

        def empty() -> None:
            for _ in range(10):
                assert client.get(EMPTY).status_code == 200

        typed()
        ours, theirs = (seconds * 100 for seconds in in_turn(typed, empty, 9))
    table(
        "A key pressed in a list of a whole deck",
        ["request", "ms", "empty view ms"],
        [["verdict while typing", f"{ours:.1f}", f"{theirs:.1f}"]],
    )


def mending() -> None:
    """The smallest repair, with all cards of the folder to choose from."""
    rows = []
    for name, slug, format_slug, deck in _broken():
        game = games()[slug]
        format = game.formats_by_slug[format_slug]
        times = []
        for _ in range(5):
            start = time.process_time()
            found = smallest_repairs(game, deck, format, cards_of_folder(game))
            times.append(time.process_time() - start)
        size = str(found[0].size) if found else "-"
        rows.append([name, game.judge(deck, format).verdict, size, found[0].verdict if found else "-", f"{median(times) * 1_000:.0f}"])
    table("The smallest repair", ["deck", "verdict", "cards changed", "then", "ms"], rows)


def _broken() -> list[tuple[str, str, str, Decklist]]:
    agency, bureau = _starter("spycraft", "agency"), _starter("xfiles", "advanced")
    leader = agency.of_type("leader")[0].card
    stranger = next(
        c for c in games()["spycraft"].cards if c.type == "leader" and _level(c) == _level(leader) and _faction(c) != _faction(leader)
    )
    mixed = tuple(Entry(stranger, 1, e.section) if e.card is leader else e for e in agency)
    return [
        ("a leader of another faction", "spycraft", "agency", Decklist(mixed)),
        ("five cards missing", "spycraft", "agency", agency.without([(entry, entry.count) for entry in agency.entries[-5:]])),
        ("no card yet", "spycraft", "agency", Decklist()),
        ("no X-File", "xfiles", "advanced", bureau.without([(e, e.count) for e in bureau.in_section("xfile")])),
        ("missions in an agency", "spycraft", "agency", _starter("spycraft", "mission-base")),
    ]


def _starter(slug: str, format: str) -> Decklist:
    game = games()[slug]
    return read_deck(game, next(starter.text for starter in game.starters if starter.format == format)).deck


def _level(card: Card) -> int | None:
    return card.number("level")


def _faction(card: Card) -> object:
    return card.fact("faction")
