"""What SpyNet's box holds, and the parts of a list that its rules look at."""

from __future__ import annotations

from collections.abc import Iterable

from cardsdb.games.kit import Entry, Group

BRANCHES = ("enforcement", "infiltration", "counterespionage", "tech")
BOX = {"agent": 34, "mission": 32, "funding": 10, "situation": 8}
PLURALS = {"agent": "agents", "mission": "missions", "funding": "funding cards", "situation": "situations"}
DRAWN = ("agent", "mission", "funding")
PIECES = (*BOX, "unplaced", "token")
# Cards the rulebook names, with the copies its example needs: a whole box holds them.
NAMED_DRAWN = {
    **dict.fromkeys(("The Glove", "Hitman", "Angel", "Limonada", "Anaconda", "ICE Breaker", "Deterrence", "Covert Op"), 1),
    "Private Funding": 2,
}
NAMED = {**NAMED_DRAWN, "Cyber Initiative": 1, "Partners": 1}
UNPLACED = Group("cards of a type not stated", types=("unplaced",))
# Those that a set-up leaves under their own heading, and those that may be among the cards to draw from.
UNPLACED_ASIDE = Group("cards of a type not stated", ("unplaced",), ("unplaced",))
UNPLACED_TO_DRAW = Group("cards of a type not stated", ("deck", "unplaced"), ("unplaced",))
DRAW_DECK = 76
TO_DRAW = Group("cards in the draw deck", ("deck",), (*DRAWN, "unplaced"))


def names(entries: Iterable[Entry]) -> tuple[str, ...]:
    """Names of the cards, each once."""
    return tuple(dict.fromkeys(entry.card.name for entry in entries))
