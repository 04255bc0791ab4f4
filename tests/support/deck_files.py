"""The losses that the site reports after it reads a deck file."""

from __future__ import annotations

from cardsdb.games.kit import Game
from decks.formats import read_any
from decks.importing.file_import import reading_losses


def told(game: Game, data: str, filename: str = "") -> list[tuple[str, str]]:
    """Return (message, place in the file) of each loss."""
    found = read_any(game, data.encode(), filename)
    return [(loss.message, loss.where) for loss in (*found.losses, *reading_losses(found))]
