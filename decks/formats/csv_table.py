"""A table for spreadsheets: one row an entry, RFC 4180, no cell that a spreadsheet would compute."""

from __future__ import annotations

import csv
import io
import re

from cardsdb.games.kit import Game
from cardsdb.games.kit.decktext import Reading
from decks.formats.contract import Body, FileFormat, Loss
from decks.formats.extras import extra_losses, some
from decks.formats.prints import only_print

COLUMNS = ("section", "count", "name", "set", "number", "type", "code")


def write(game: Game, reading: Reading) -> Body:
    """``section`` and ``type`` are slugs; ``set`` and ``number`` are blank unless the card has just one print."""
    out = io.StringIO()
    table = csv.writer(out, lineterminator="\r\n")
    table.writerow(COLUMNS)
    marked = []
    for entry in reading.deck:
        card, found = entry.card, only_print(entry.card)
        table.writerow((entry.section, entry.count, *map(guarded, (card.name, found.set, found.number, card.type, card.code))))
        if guarded(card.name) != card.name:
            marked.append(card.name)
    losses = extra_losses(game, reading, ())
    if marked:
        message = f"{some(len(marked), 'name')} would be taken for a formula: a ' stands before it. It does not belong to the name."
        losses = (*losses, Loss("formula_marked", message))
    return out.getvalue(), losses


def guarded(text: str) -> str:
    """The text with a ' before it where a spreadsheet would compute it, or where it has such a ' of its own."""
    return f"'{text}" if re.match(r"'*[=+\-@\t\r]", text) else text


FORMAT = FileFormat("csv", "Spreadsheet (CSV)", ".csv", "text/csv", write)
