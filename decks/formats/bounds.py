"""How many copies a file may spell out one by one: a short list can ask for a great many."""

from __future__ import annotations

from dataclasses import replace

from cardsdb.games.kit import Decklist
from decks.formats.contract import Loss

MAX_COPIES = 1_000


def bounded(deck: Decklist) -> tuple[Decklist, tuple[Loss, ...]]:
    """The deck's first copies, as many as are written, and what that leaves out."""
    if deck.size <= MAX_COPIES:
        return deck, ()
    kept, left = [], MAX_COPIES
    for entry in deck:
        count = min(entry.count, left)
        left -= count
        if count:
            kept.append(replace(entry, count=count))
    message = f"{deck.size:,} cards: this format writes every copy, so only the first {MAX_COPIES:,} are in the file."
    return replace(deck, entries=tuple(kept)), (Loss("too_many_cards", message),)
