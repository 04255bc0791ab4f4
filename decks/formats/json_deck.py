"""Our own JSON: everything a list says, for programs and for safe keeping.

``{"cutout": 1, "game", "format", "name", "details": {key: value}, "comments": [line],
"cards": [{"section", "count", "key", "name", "type", "set"?, "number"?, "written"?, "facts"?}],
"unread": [{"line", "text", "code", "message"}]}``

``cutout`` is the version of this schema. ``set`` and ``number`` stand where the card has just
one print; ``written`` and ``facts`` where the list writes the card in.
"""

from __future__ import annotations

import json
from typing import Any

from cardsdb.games.kit import Entry, Game
from cardsdb.games.kit.decktext import Reading
from decks.formats.contract import Body, FileFormat
from decks.formats.extras import ALL_BUT_UNREAD, extra_losses
from decks.formats.prints import only_print

VERSION = 1


def write(game: Game, reading: Reading) -> Body:
    deck = reading.deck
    content = {
        "cutout": VERSION,
        "game": game.slug,
        "format": reading.format,
        "name": deck.name,
        "details": dict(deck.details),
        "comments": list(reading.comments),
        "cards": [_card(entry) for entry in deck],
        "unread": [{"line": u.line, "text": u.text, "code": u.code, "message": u.message} for u in reading.unread],
    }
    text = json.dumps(content, ensure_ascii=False, indent=2) + "\n"
    return text, extra_losses(game, reading, ALL_BUT_UNREAD, "the list of unread lines")


def _card(entry: Entry) -> dict[str, Any]:
    card, found = entry.card, only_print(entry.card)
    shown: dict[str, Any] = {"section": entry.section, "count": entry.count, "key": card.key, "name": card.name, "type": card.type}
    if found.set:
        shown["set"] = found.set
    if found.number:
        shown["number"] = found.number
    if card.written:
        shown["written"] = True
        shown["facts"] = dict(card.facts)
    return shown


FORMAT = FileFormat("json", "JSON", ".json", "application/json", write)
