"""What was read of the deck files of other programs, and what was lost on the way."""

from __future__ import annotations

from collections import Counter
from typing import Any

from cardsdb.games.kit import Decklist, Game
from cardsdb.games.kit.listtext.reading import Reading
from decks.formats import FORMATS, read_any
from decks.importing.file_import import reading_losses

# Formats that hold everything a list says, and those that hold the sections. The others report the loss.
HOLD_ALL = ("text", "csv", "json", "o8d", "cod", "gccg", "tts")
HOLD_SECTIONS = ("text", "csv", "json", "o8d", "dek", "tts")
XML = tuple(name for name, format in FORMATS.items() if "xml" in format.content_type)


def told(game: Game, data: str, filename: str = "") -> list[tuple[str, str]]:
    """Return (message, place in the file) of each loss."""
    found = read_any(game, data.encode(), filename)
    return [(loss.message, loss.where) for loss in (*found.losses, *reading_losses(found))]


def cards(reading: Reading) -> list[tuple[int, str]]:
    """(copies, name) of every line of the deck, in order."""
    return [(entry.count, entry.card.name) for entry in reading.deck]


def counted(deck: Decklist, sections: bool = True, marks: bool = True) -> Counter[Any]:
    """(section, code, type, facts, marks) -> copies; sections and marks only if wanted."""
    counts: Counter[Any] = Counter()
    for entry in deck:
        facts = tuple(sorted(entry.card.facts.items())) if entry.card.written else ()
        own_marks = entry.marks if marks else None
        counts[entry.section if sections else "", entry.card.code, entry.card.type, facts, own_marks] += (
            entry.count
        )
    return counts
