"""Reading lists in tests, and what was read, in short forms that can be compared."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from cardsdb.games import games
from cardsdb.games.kit import Entry
from cardsdb.games.kit.listtext.deck import read_deck
from cardsdb.games.kit.listtext.reading import Reading


def read(text: str, game: str = "spycraft", **options: Any) -> Reading:
    """The list of the game with this slug, read with these options of ``read_deck``."""
    return read_deck(games()[game], text, **options)


def cards(reading: Reading) -> list[tuple[int, str]]:
    """(copies, name of the card) of each entry."""
    return [(entry.count, entry.card.name) for entry in reading.deck]


def codes(reading: Reading) -> list[tuple[int, str]]:
    """(number, code of the reason) of each unread line."""
    return [(unread.line, unread.code) for unread in reading.unread]


def copies_in(entries: Iterable[Entry]) -> list[tuple[str, str, int]]:
    """(section, key of the card, copies) of each entry, in an order that is the same for equal decks."""
    return sorted((entry.section, entry.card.key, entry.count) for entry in entries)
