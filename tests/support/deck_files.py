"""What was read of the deck files of other programs, and what was lost on the way."""

from __future__ import annotations

from cardsdb.games.kit import Game
from cardsdb.games.kit.listtext.reading import Reading
from decks.formats import read_any
from decks.importing.file_import import reading_losses


def told(game: Game, data: str, filename: str = "") -> list[tuple[str, str]]:
    """(sentence, place) of every loss reported of a file."""
    found = read_any(game, data.encode(), filename)
    return [(loss.message, loss.where) for loss in (*found.losses, *reading_losses(found))]


def cards(reading: Reading) -> list[tuple[int, str]]:
    """(copies, name) of every line of the deck, in order."""
    return [(entry.count, entry.card.name) for entry in reading.deck]
