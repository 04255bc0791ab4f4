"""How long a verdict takes, against parsing the same deck's JSON."""

from __future__ import annotations

import json

from cardsdb.games import games
from cardsdb.games.kit.decktext import read_deck
from tests.bench.timing import in_turn, table

REPEATS = 50


def run() -> None:
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
