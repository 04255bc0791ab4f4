"""Our own JSON: everything a list says, for programs and for safe keeping.

``{"cutout": 1, "game", "format", "name", "details": {key: value}, "comments": [line],
"cards": [{"section", "count", "key", "name", "type", "set"?, "number"?, "written"?, "facts"?, "note"?, "tags"?, "keep"?}],
"notes", "tags", "house", "unread": [{"line", "text", "code", "message", "section"}]}``

``cutout`` is the version of this schema. ``set`` and ``number`` stand where the card has just
one print; ``written`` and ``facts`` where the list writes the card in: without a ``type`` it is one
that nobody knows. What other programs write is read by ``json_dialects``.
"""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

from cardsdb.games.kit import Entry, Game, Marks
from cardsdb.games.kit.listtext.deck import Reading, Unread
from cardsdb.games.kit.listtext.line import MAX_WRITTEN, UNKNOWN
from decks.formats.contract import Body, FileFormat, Unreadable
from decks.formats.decoding import json_of_bytes
from decks.formats.extras import ALL_BUT_UNREAD, extra_losses
from decks.formats.json_dialects import found_count, found_list, found_text, parse_other
from decks.formats.placing import reader
from decks.formats.prints import only_print
from decks.formats.rows import Parsed, Row

VERSION = 1
MAX_NOTE = 300


def write(game: Game, reading: Reading) -> Body:
    deck = reading.deck
    content = {
        "cutout": VERSION,
        "game": game.slug,
        "format": reading.format,
        "name": deck.name,
        "details": dict(deck.details),
        "house": reading.house,
        "notes": reading.notes,
        "tags": list(reading.tags),
        "comments": list(reading.comments),
        "cards": [_card(entry) for entry in deck],
        "unread": [{"line": u.line, "text": u.text, "code": u.code, "message": u.message, "section": u.section} for u in reading.unread],
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
    if entry.marks.note:
        shown["note"] = entry.marks.note
    if entry.marks.tags:
        shown["tags"] = list(entry.marks.tags)
    if entry.marks.keep:
        shown["keep"] = True
    return shown


def parse(data: bytes) -> Parsed:
    """Our own JSON, or that of another program."""
    content, losses = json_of_bytes(data)
    if not isinstance(content, dict):
        raise Unreadable("wrong_format", "A deck as JSON is an object; this file is something else.")
    if "cutout" not in content:
        return replace(parse_other(content), losses=losses)
    if content["cutout"] != VERSION:
        said = str(content["cutout"])[:20]
        raise Unreadable("newer_version", f"The file is of version {said} of our format; this site reads version {VERSION}.", "cutout")
    cards = [card for card in found_list(content, "cards") if isinstance(card, dict)]
    unread = [line for line in found_list(content, "unread") if isinstance(line, dict)]
    details = content.get("details")
    return Parsed(
        tuple(_row(place, card) for place, card in enumerate(cards, 1)),
        found_text(content, "game"),
        found_text(content, "name"),
        found_text(content, "format"),
        found_text(content, "house"),
        found_text(content, "notes"),
        tags=tuple(tag for tag in found_list(content, "tags") if isinstance(tag, str)),
        comments=tuple(line for line in found_list(content, "comments") if isinstance(line, str)),
        details={key: value for key, value in details.items() if type(value) in (int, str)} if isinstance(details, dict) else {},
        losses=losses,
        dialect="Cutout",
        unread=tuple(_unread(line) for line in unread),
    )


def _row(place: int, card: dict[str, Any]) -> Row:
    tags = tuple(tag for tag in found_list(card, "tags") if isinstance(tag, str))
    marks = Marks(found_text(card, "note")[:MAX_NOTE], tags, card.get("keep") is True)
    written = card.get("written") is True
    facts = card.get("facts")
    return Row(
        place,
        found_count(card, "count"),
        found_text(card, "name"),
        found_text(card, "section"),
        found_text(card, "set"),
        found_text(card, "number"),
        code="" if written else found_text(card, "key"),
        type=found_text(card, "type") or (UNKNOWN if written else ""),
        facts=tuple(facts.items()) if written and isinstance(facts, dict) else None,
        marks=marks,
    )


def _unread(line: dict[str, Any]) -> Unread:
    place = line.get("line")
    values = {key: found_text(line, key) for key in ("text", "code", "message", "section")}
    return Unread(
        place if type(place) is int else 0, values["text"][:MAX_WRITTEN], values["code"], values["message"], (), values["section"]
    )


FORMAT = FileFormat("json", "JSON", ".json", "application/json", write, read=reader("json", parse))
