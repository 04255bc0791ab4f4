"""Row 15: the pages of a deck and what changes one, against an empty view."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from itertools import cycle
from uuid import uuid4

from cardsdb.games import games
from cardsdb.identity.viewer import hashed
from decks.models import Deck
from tests.bench.asking import Visitor, empty
from tests.bench.goals import Result, result
from tests.bench.timing import cpu, in_turn, times

ROUNDS, TIMES = 9, 5
HTMX = {"hx-request": "true"}
# As the editor's script asks: the deck and its verdict come back.
PANE = {**HTMX, "hx-target": "deck"}


def run() -> Iterator[Result]:
    author, stranger, program = Visitor(), Visitor(), Visitor(headers={"x-deck-key": "bench"})
    author.ask("/decks/new/")
    starter = next(one for one in games()["spycraft"].starters if one.slug == "nine-tiger")
    author.post(
        "/decks/new/", {"game": "spycraft", "name": "Bench", "text": starter.text, "visibility": "public"}
    )
    link = author.location.split("/")[2]
    deck = Deck.objects.get(link=link)
    Deck.objects.filter(pk=deck.pk).update(edit_hash=hashed("bench"))
    line = deck.lines.select_related("card").order_by("position")[3]
    assert line.card
    count, more, code = line.count, cycle((1, -1)), line.card.code
    form = {"deck": link, "paper": "a4"}

    def plus() -> None:
        """A press as the editor's script sends it: with what its page was drawn from, and a name of its
        own.
        """
        press = {
            "edit": f"{next(more):+d} {line.section} {code}",
            "revision": seen[0],
            "request_id": str(uuid4()),
        }
        seen[:] = re.findall(
            r'id="revision" value="([0-9]+)"', author.post(f"/decks/{link}/edit/", press, **PANE).decode()
        )

    def patch() -> None:
        body = json.dumps({"add" if next(added) else "take": {"card": code}}).encode()
        program.ask(f"/api/v1/decks/{link}/", body=body, method="PATCH", kind="application/json")

    seen = [str(deck.revision)]
    added, sheets = cycle((True, False)), cycle(("2", "3"))
    ways = {
        "deck": lambda: stranger.ask(f"/decks/{link}/"),
        "plus": plus,
        "patch": patch,
        "print": lambda: stranger.ask("/print/", f"deck={link}&paper=a4"),
        "preview": lambda: stranger.ask("/print/", f"deck={link}&paper=a4&sheet={next(sheets)}", **HTMX),
        "empty": empty,
    }
    assert code.encode() in ways["deck"]() and b"<svg" in ways["preview"](), form  # type: ignore[func-returns-value, operator]
    for name in ("plus", "patch"):
        for change in (1, 0):
            ways[name]()
            assert deck.lines.get(card__code=code, section=line.section).count == count + change, name
    repeated = {
        name: times(TIMES * 2 if name in ("plus", "patch") else TIMES, way) for name, way in ways.items()
    }
    repeated["empty"] = times(40, empty)
    seconds = in_turn(repeated, ROUNDS, cpu)
    base = seconds["empty"] / 40 * 1_000
    for name in ("deck", "plus", "patch", "print", "preview"):
        yield result(
            f"15.{name}", seconds[name] / (TIMES * 2 if name in ("plus", "patch") else TIMES) * 1_000, base
        )
