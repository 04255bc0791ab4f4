"""Row 9: judging a deck read already, lists from their text, a batch by the command."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

from cardsdb.games import games
from cardsdb.games.kit import Decklist
from cardsdb.games.kit.listtext.deck import read_deck
from decks.core.judging import judge_text
from tests.bench.goals import Result, result
from tests.bench.timing import children_seconds, in_turn, times

REPEATS, ROUNDS, BATCH = 30, 7, 3_000


def run() -> Iterator[Result]:
    if find_spec("orjson"):
        yield _slowest_format()
    texts = [(game, starter.text) for game in games().values() for starter in game.starters]

    def lists() -> None:
        for game, text in texts:
            judge_text(game, text).as_json()

    lists()
    yield result("9.lists", len(texts) / in_turn({"ours": lists}, ROUNDS)["ours"])
    yield result("9.batch", _batch())


def _slowest_format() -> Result:
    """The format whose largest starter is judged slowest against parsing the same deck, every fact of its
    cards with it.
    """
    import orjson

    found = []
    for game in games().values():
        for format in game.formats:
            decks = [
                read_deck(game, starter.text, format).deck
                for starter in game.starters
                if starter.format == format.slug
            ]
            if not decks:
                continue
            deck = max(decks, key=lambda deck: len(deck.entries))
            told = [
                {"count": e.count, "section": e.section, "name": e.card.name, "facts": dict(e.card.facts)}
                for e in deck
            ]
            body = orjson.dumps(told)
            assert orjson.loads(body) == json.loads(json.dumps(told))
            ways = {
                "ours": times(
                    REPEATS, lambda game=game, deck=deck, format=format: game.judge(_anew(deck), format)
                ),  # type: ignore[misc]
                "parse": times(REPEATS, lambda body=body: orjson.loads(body)),  # type: ignore[misc]
            }
            seconds = in_turn(ways, ROUNDS)
            found.append(
                result(
                    "9.judge",
                    seconds["ours"] / REPEATS * 1e6,
                    seconds["parse"] / REPEATS * 1e6,
                    f"{game.slug} {format.slug}",
                )
            )
    return max(found, key=lambda one: one.value)


def _anew(deck: Decklist) -> Decklist:
    """The same deck as one of which nothing was asked before."""
    return Decklist((*deck.entries[:-1], deck.entries[-1]), deck.details, deck.name)


def _batch() -> float:
    """Lists a second of processor time, start and all; the verdicts agree with those of the lists one by
    one.
    """
    lists = [
        (game, starter)
        for game in games().values()
        for starter in game.starters
        if starter.format in ("agency", "advanced")
    ]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "decks.jsonl"
        lines = [
            json.dumps({"game": game.slug, "format": starter.format, "text": starter.text})
            for game, starter in lists
        ]
        path.write_text("".join(f"{lines[place % len(lines)]}\n" for place in range(BATCH)), encoding="utf-8")
        command = [sys.executable, "manage.py", "check_deck", "--batch", str(path)]
        told = subprocess.run(command, stdout=subprocess.PIPE, text=True).stdout.splitlines()
        alone = [
            judge_text(game, starter.text, game.formats_by_slug[starter.format]).verdict
            for game, starter in lists
        ]
        assert [json.loads(line)["verdict"] for line in told] == [
            alone[place % len(alone)] for place in range(BATCH)
        ]
        before = children_seconds()
        subprocess.run(command, stdout=subprocess.DEVNULL)
        return BATCH / (children_seconds() - before)
