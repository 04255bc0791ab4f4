"""Row 17: what looks into many decks, against the first page of public decks, in the same database."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator

from django.contrib.auth.models import User
from django.db.models import Sum

from cardsdb.models import Card
from decks.models import Deck, DeckLine
from tests.bench.asking import Visitor
from tests.bench.goals import Result, result
from tests.bench.timing import cpu, in_turn

ROUNDS = 5
HOLDS = "q=deck%3A%5Bt%3Aagent%5D%3E%3D5"


def run() -> Iterator[Result]:
    stranger, owner = Visitor(), Visitor().log_in(User.objects.get(username="player0"))
    deck = Deck.objects.get(pk=1)
    _answers_agree(stranger)
    ways = {
        "first": lambda: stranger.ask("/decks/"),
        "holds": lambda: stranger.ask("/decks/", HOLDS),
        "account": lambda: owner.ask("/account/"),
        "name": lambda: stranger.ask("/decks/", "order=name"),
        "history": lambda: owner.ask(f"/decks/{deck.link}/history/"),
    }
    for way in ways.values():
        way()
    seconds = in_turn(ways, ROUNDS, cpu)
    for name in ("holds", "account", "name", "history"):
        yield result(
            f"17.{name}",
            seconds[name] * 1_000,
            seconds["first"] * 1_000,
            os.environ.get("BENCH_DATABASE", ""),
        )


def _answers_agree(stranger: Visitor) -> None:
    """The page tells as many decks as one plain query counts."""
    agents = Card.objects.filter(type="agent").values("pk")
    sums = (
        DeckLine.objects.order_by()
        .filter(card__in=agents, deck__visibility="public")
        .values("deck")
        .annotate(copies=Sum("count"))
    )
    wanted = sums.filter(copies__gte=5).count()
    page = stranger.ask("/decks/", HOLDS).decode()
    assert re.search(rf"\b{wanted:,} (public )?decks?\b", re.sub(r"<[^>]+>", "", page)), wanted
