"""Decks in the files of other tools: one module a format, under one contract (``contract.py``).

Pure: the standard library, the kit, and defusedxml for what strangers wrote. Formats know no game by
name; what a tool calls a game's cards and sections, the game says in ``Game.exports``. ``detect.py``
tells what a file is.
"""

from __future__ import annotations

from cardsdb.games.kit import Game
from cardsdb.games.kit.listtext.deck import Reading
from decks.formats import cockatrice, csv_table, gccg, json_deck, lackey, mpc, octgn, tabletop, text
from decks.formats.cleaning import cleaned
from decks.formats.contract import FileFormat, Loss, ReadFile, Unreadable, Written, file_stem

__all__ = ["CHOICES", "FORMATS", "FileFormat", "Loss", "ReadFile", "Unreadable", "Written", "export"]

# In the order in which people are offered them.
FORMATS: dict[str, FileFormat] = {
    module.FORMAT.name: module.FORMAT for module in (text, csv_table, json_deck, octgn, gccg, lackey, cockatrice, tabletop, mpc)
}
# Every format's name, for whatever offers a choice among them.
CHOICES = sorted(FORMATS)


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
    return Written(file_stem(game, clean.deck) + format.suffix, format.content_type, body, losses, format.encoding)
