"""How long the numbers of a deck take, against parsing the same deck's JSON: all its tables, odds of two kinds, a hand."""

from __future__ import annotations

import json

from cardsdb.games import games
from cardsdb.games.kit.listtext.deck import read_deck
from decks.core.draws import Parts, Wish, chance_of_both, hand_of
from tests.bench.timing import in_turn, table

REPEATS = 20


def run() -> None:
    rows = []
    for game in games().values():
        starters = [read_deck(game, starter.text, game.formats_by_slug[starter.format]).deck for starter in game.starters]
        deck = max(starters, key=lambda deck: len(deck.entries))
        body = json.dumps([{"count": e.count, "section": e.section, "name": e.card.name, "facts": dict(e.card.facts)} for e in deck])

        def measure(game=game, deck=deck) -> None:  # type: ignore[no-untyped-def]
            for _ in range(REPEATS):
                game.measure(deck)

        def parse(body=body) -> None:  # type: ignore[no-untyped-def]
            for _ in range(REPEATS):
                json.loads(body)

        ours, theirs = (seconds / REPEATS * 1e6 for seconds in in_turn(measure, parse, 9))
        tables = str(len(game.measure(deck)))
        rows.append(
            [
                f"All tables, {game.name}",
                f"{len(deck.entries)} entries, {tables} tables",
                f"{ours:.0f}",
                f"{theirs:.0f}",
                f"{ours / theirs:.2f}",
            ]
        )
    rows += [_odds(body, 7), _odds(body, 60), _hand(body)]
    table("The numbers of one deck", ["what", "of", "µs", "json.loads µs", "ratio"], rows)


def _odds(body: str, drawn: int) -> list[str]:
    """At least two of one kind and one of another, which share a few cards."""
    parts, first, second = Parts(12, 10, 3, 35), Wish("at-least", 2), Wish("at-least", 1)

    def reckon() -> None:
        for _ in range(REPEATS):
            chance_of_both(first, second, parts, drawn)

    return _timed("Odds of two kinds at once", f"{drawn} of {parts.total} cards", reckon, body)


def _hand(body: str) -> list[str]:
    game = games()["spycraft"]
    starter = next(starter for starter in game.starters if starter.format == "agency")
    deck = read_deck(game, starter.text).deck
    assert game.opening
    (pile,) = game.opening.piles_for("agency", deck)

    def draw() -> None:
        for _ in range(REPEATS):
            hand_of(pile, deck, "bench", turns=2)

    return _timed("A sample hand and two turns", f"{deck.size} cards", draw, body)


def _timed(what: str, of: str, ours, body: str) -> list[str]:  # type: ignore[no-untyped-def]
    def parse() -> None:
        for _ in range(REPEATS):
            json.loads(body)

    mine, theirs = (seconds / REPEATS * 1e6 for seconds in in_turn(ours, parse, 9))
    return [what, of, f"{mine:.0f}", f"{theirs:.0f}", f"{mine / theirs:.2f}"]
