"""Our own JSON: everything a list says, for programs and for safe keeping.

``{"cutout": 1, "game", "format", "name", "details": {key: value}, "comments": [line],
"cards": [{"section", "count", "key", "name", "type", "set"?, "number"?, "written"?, "facts"?, "note"?, "tags"?, "keep"?}],
"notes", "tags", "house", "unread": [{"line", "text", "code", "message", "section"}]}``

``cutout`` is the version of this schema. ``set`` and ``number`` stand where the line asks for a print or the card
has just one; ``written`` and ``facts`` where the list writes the card in: without a ``type`` nobody
knows the card. The JSON of other programs is read by ``parse_other``.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from cardsdb.games.kit import Entry, Game, Marks
from cardsdb.games.kit.listtext.deck import Reading, Unread
from cardsdb.games.kit.listtext.line import MAX_WRITTEN, UNKNOWN
from decks.formats.contract import Body, FileFormat, Loss, Texts, Unreadable
from decks.formats.decoding import json_of_bytes
from decks.formats.extras import ALL_BUT_UNREAD, extra_losses
from decks.formats.placing import reader
from decks.formats.rows import Parsed, Row
from decks.formats.writing import fit_lines, print_of

_MTGJSON = {"commander": "commander", "mainBoard": "main", "sideBoard": "sideboard"}


def found_text(content: Mapping[str, Any], key: str) -> str:
    """The text under this key; empty for anything else."""
    value = content.get(key)
    return value.strip() if isinstance(value, str) else ""


def found_list(content: Mapping[str, Any], key: str) -> list[Any]:
    value = content.get(key)
    return value if isinstance(value, list) else []


def found_count(content: Mapping[str, Any], key: str) -> str:
    """A whole number as its digits; anything else as it is written, to be refused with that text."""
    value = content.get(key)
    return value if isinstance(value, str) else "1" if value is None else repr(value)


def parse_other(content: Mapping[str, Any]) -> Parsed:
    """The JSON of another program. Raises Unreadable if it is none that is known here."""
    data = content.get("data")
    if isinstance(data, dict) and any(isinstance(data.get(board), list) for board in _MTGJSON):
        return Parsed(_numbered(_mtgjson(data)), name=found_text(data, "name"), dialect="MTGJSON")
    if isinstance(content.get("library"), dict) or isinstance(content.get("crypt"), dict):
        losses = (Loss("author_dropped", "The author's name is left out."),) if found_text(content, "author") else ()
        return Parsed(
            _numbered(_krcg(content)),
            name=found_text(content, "name"),
            notes=found_text(content, "comments"),
            losses=losses,
            dialect="krcg",
        )
    if isinstance(content.get("entries"), dict):
        return Parsed(_numbered(_scryfall(content["entries"])), name=found_text(content, "name"), dialect="Scryfall")
    known = "“cutout” (ours), “ObjectStates” (Tabletop Simulator), “data” (MTGJSON), “crypt” or “library” (krcg), “entries” (Scryfall)"
    raise Unreadable("wrong_format", f"The JSON is no deck that is known here. A deck has one of these keys: {known}.")


def _numbered(rows: Iterator[tuple[str, str, str, str, str]]) -> tuple[Row, ...]:
    return tuple(Row(place, *row) for place, row in enumerate(rows, 1))


def _mtgjson(data: Mapping[str, Any]) -> Iterator[tuple[str, str, str, str, str]]:
    for board, part in _MTGJSON.items():
        for card in found_list(data, board):
            if isinstance(card, dict):
                yield found_count(card, "count"), found_text(card, "name"), part, found_text(card, "setCode"), found_text(card, "number")


def _krcg(content: Mapping[str, Any]) -> Iterator[tuple[str, str, str, str, str]]:
    for part in ("crypt", "library"):
        group = content.get(part)
        for card in found_list(group, "cards") if isinstance(group, dict) else []:
            if isinstance(card, dict):
                for inner in found_list(card, "cards") or [card]:
                    if isinstance(inner, dict):
                        yield (
                            found_count(inner, "count"),
                            found_text(inner, "name"),
                            found_text(card, "type") if inner is not card else "",
                            "",
                            "",
                        )


def _scryfall(entries: Mapping[str, Any]) -> Iterator[tuple[str, str, str, str, str]]:
    for part, listed in entries.items():
        for entry in listed if isinstance(listed, list) else []:
            if isinstance(entry, dict):
                digest = entry.get("card_digest")
                found = digest if isinstance(digest, dict) else {}
                name = found_text(found, "name") or found_text(entry, "raw_text")
                yield found_count(entry, "count"), name, part, found_text(found, "set"), found_text(found, "collector_number")


VERSION = 1
MAX_NOTE = 300


def write(game: Game, reading: Reading, texts: Texts | None = None) -> Body:
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
        "cards": [_card(entry, texts or {}) for entry in deck],
        "unread": [{"line": u.line, "text": u.text, "code": u.code, "message": u.message, "section": u.section} for u in reading.unread],
    }
    text = json.dumps(content, ensure_ascii=False, indent=2) + "\n"
    return text, extra_losses(game, reading, ALL_BUT_UNREAD, "the list of unread lines")


def _card(entry: Entry, texts: Texts) -> dict[str, Any]:
    card, print_ = entry.card, print_of(entry)
    shown: dict[str, Any] = {"section": entry.section, "count": entry.count, "key": card.key, "name": card.name, "type": card.type}
    if print_.set:
        shown["set"] = print_.set
    if print_.number:
        shown["number"] = print_.number
    if card.written:
        shown["written"] = True
        shown["facts"] = dict(card.facts)
    if entry.marks.note:
        shown["note"] = entry.marks.note
    if entry.marks.tags:
        shown["tags"] = list(entry.marks.tags)
    if entry.marks.keep:
        shown["keep"] = True
    if text := fit_lines(texts.get(entry.card.code, "")):
        shown["text"] = text
    return shown


def parse(data: bytes) -> Parsed:
    """Our own JSON, or that of another program."""
    content, losses = json_of_bytes(data)
    if not isinstance(content, dict):
        raise Unreadable("wrong_format", "A deck as JSON is an object; this file is something else.")
    if "cutout" not in content:
        return replace(parse_other(content), losses=losses)
    if content["cutout"] != VERSION:
        version = str(content["cutout"])[:20]
        raise Unreadable("newer_version", f"The file is of version {version} of our format; this site reads version {VERSION}.", "cutout")
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


FORMAT = FileFormat("json", "JSON", ".json", "application/json", write, read=reader("json", parse), with_texts=write)
