"""Decks in the files of other tools: one module a format, under one contract (``contract.py``).

Pure: the standard library and the kit only. Formats know no game by name; what a tool calls a
game's cards and sections, the game says in ``Game.exports``.
"""

from __future__ import annotations

from cardsdb.games.kit import Game
from cardsdb.games.kit.cards import slugify
from cardsdb.games.kit.decktext import Reading
from decks.formats import cockatrice, csv_table, gccg, json_deck, lackey, mpc, octgn, tabletop, text
from decks.formats.cleaning import cleaned
from decks.formats.contract import FileFormat, Loss, Written

__all__ = ["FORMATS", "FileFormat", "Loss", "Written", "export"]

# In the order in which people are offered them.
FORMATS: dict[str, FileFormat] = {
    module.FORMAT.name: module.FORMAT for module in (text, csv_table, json_deck, octgn, gccg, lackey, cockatrice, tabletop, mpc)
}
LONGEST_NAME = 60


def export(name: str, game: Game, reading: Reading) -> Written:
    """Write what was read in the format of this name, and say what the file does not hold.

    Raises KeyError for a name that is not in ``FORMATS``.
    """
    format = FORMATS[name]
    clean = cleaned(reading)
    body, losses = format.write(game, clean)
    if clean != reading:
        losses = (*losses, Loss("characters_replaced", "Characters that files cannot hold are written as �."))
    if not reading.deck.entries:
        losses = (Loss("no_cards", "The list has no cards."), *losses)
    return Written(_filename(game, reading, format), format.content_type, body, losses, format.encoding)


def _filename(game: Game, reading: Reading, format: FileFormat) -> str:
    """``spycraft-night-watch.o8d``: plain letters, so that every system takes it."""
    named = slugify(reading.deck.name)[:LONGEST_NAME].strip("-") or "deck"
    return f"{game.slug}-{named}{format.suffix}"
