"""Our own JSON: everything a list says, for programs and for safe keeping.

``{"cutout": 1, "game", "format", "name", "details": {key: value}, "comments": [line], "cards": [{"section",
"count", "key", "name", "type", "set"?, "number"?, "written"?, "facts"?, "note"?, "tags"?, "keep"?}], "notes",
"tags", "house", "unread": [{"line", "text", "code", "message", "section"}]}``

``cutout`` is the version of this schema. ``set`` and ``number`` stand where the line asks for a print or the
card has just one; ``written`` and ``facts`` where the list writes the card in: without a ``type`` nobody
knows the card. The JSON of other programs is read by ``parse_other``.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from cardsdb.games.kit import Entry, Game, Marks
from cardsdb.games.kit.listtext.line import MAX_WRITTEN, UNKNOWN
from cardsdb.games.kit.listtext.reading import Reading, Unread
from decks.formats.contract import Body, FileFormat, Parsed, Row, Texts, Unreadable
from decks.formats.extras import ALL_BUT_UNREAD, extra_losses
from decks.formats.files import JsonFile, count_in
from decks.formats.placing import reader
from decks.formats.writing import fit_lines, print_of

_MTGJSON = {"commander": "commander", "mainBoard": "main", "sideBoard": "sideboard"}


def parse_other(file: JsonFile, content: Mapping[str, Any]) -> Parsed:
    """The JSON of another program. Raises Unreadable if it is none that is known here."""
    data = content.get("data")
    if isinstance(data, dict) and any(isinstance(data.get(board), list) for board in _MTGJSON):
        file.reads(content, "file", ("data", "meta"))
        file.reads(data, "deck", ("name", *_MTGJSON))
        return Parsed(tuple(_mtgjson(file, data)), name=file.text(data, "name"), dialect="MTGJSON")
    if isinstance(content.get("library"), dict) or isinstance(content.get("crypt"), dict):
        file.reads(content, "deck", ("crypt", "library", "name", "comments"))
        name, notes = file.text(content, "name"), file.text(content, "comments")
        return Parsed(tuple(_krcg(file, content)), name=name, notes=notes, dialect="krcg")
    if isinstance(content.get("entries"), dict):
        file.reads(content, "deck", ("entries", "name"))
        return Parsed(
            tuple(_scryfall(file, content["entries"])), name=file.text(content, "name"), dialect="Scryfall"
        )
    known = (
        "“cutout” (ours), “ObjectStates” (Tabletop Simulator), “data” (MTGJSON), “crypt” or “library” (krcg),"
        " “entries” (Scryfall)"
    )
    raise Unreadable(
        "wrong_format", f"The JSON is no deck that is known here. A deck has one of these keys: {known}."
    )


def _counted(
    file: JsonFile, card: Mapping[str, Any], name: str, part: str = "", set_code: str = "", number: str = ""
) -> Row:
    """The row of a card that has its count under ``count``."""
    place = file.place(card)
    return Row(place, count_in(card, "count"), name, part, set_code, number, count_at=place.of("count"))


def _mtgjson(file: JsonFile, data: Mapping[str, Any]) -> Iterator[Row]:
    for board, part in _MTGJSON.items():
        for card in file.objects(data, board):
            file.reads(card, "cards", ("count", "name", "setCode", "number"))
            name, set_code, number = (file.text(card, key, "cards") for key in ("name", "setCode", "number"))
            yield _counted(file, card, name, part, set_code, number)


def _krcg(file: JsonFile, content: Mapping[str, Any]) -> Iterator[Row]:
    for part in ("crypt", "library"):
        group = file.mapping(content, part)
        file.reads(group, part, ("cards", "count"))
        for card in file.objects(group, "cards", part):
            inside = file.objects(card, "cards", "cards")
            file.reads(card, "cards", ("count", "name", "type", "cards") if inside else ("count", "name"))
            kind = file.text(card, "type", "cards") if inside else ""
            for inner in inside:
                file.reads(inner, "cards", ("count", "name"))
            for inner in inside or [card]:
                yield _counted(file, inner, file.text(inner, "name", "cards"), kind)


def _scryfall(file: JsonFile, entries: Mapping[str, Any]) -> Iterator[Row]:
    for part in entries:
        for entry in file.objects(entries, part, "entries"):
            file.reads(entry, "cards", ("count", "raw_text", "card_digest"))
            found = file.mapping(entry, "card_digest", "cards")
            file.reads(found, "cards", ("name", "set", "collector_number"))
            set_code, number = file.text(found, "set", "cards"), file.text(found, "collector_number", "cards")
            name = file.text(found, "name", "cards") or file.text(entry, "raw_text", "cards")
            yield _counted(file, entry, name, part, set_code, number)


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
        "unread": [
            {"line": u.line, "text": u.text, "code": u.code, "message": u.message, "section": u.section}
            for u in reading.unread
        ],
    }
    text = json.dumps(content, ensure_ascii=False, indent=2) + "\n"
    return text, extra_losses(game, reading, ALL_BUT_UNREAD, "the list of unread lines")


def _card(entry: Entry, texts: Texts) -> dict[str, Any]:
    card, print_ = entry.card, print_of(entry)
    shown: dict[str, Any] = {
        "section": entry.section,
        "count": entry.count,
        "key": card.key,
        "name": card.name,
        "type": card.type,
    }
    if card.written:
        shown |= {"written": True, "facts": dict(card.facts)}
    said = {
        "set": print_.set,
        "number": print_.number,
        "note": entry.marks.note,
        "tags": list(entry.marks.tags),
        "keep": entry.marks.keep,
        "text": fit_lines(texts.get(card.code, "")),
    }
    return shown | {key: value for key, value in said.items() if value}


_DECK = "cutout game format name details house notes tags comments cards unread".split()
_CARD = "section count key name type set number facts note tags keep written".split()


def parse(data: bytes) -> Parsed:
    """Our own JSON, or that of another program."""
    file = JsonFile(data)
    content = file.value
    if not isinstance(content, dict):
        raise Unreadable("wrong_format", "A deck as JSON is an object; this file is something else.")
    parsed = _parse(file, content) if "cutout" in content else parse_other(file, content)
    return replace(parsed, losses=(*parsed.losses, *file.losses))


def _parse(file: JsonFile, content: dict[str, Any]) -> Parsed:
    if content["cutout"] != VERSION:
        version = str(content["cutout"])[:20]
        raise Unreadable(
            "newer_version",
            f"The file is of version {version} of our format; this site reads version {VERSION}.",
            "cutout",
        )
    file.reads(content, "deck", _DECK)
    stated = file.mapping(content, "details")
    details = {key: value for key, value in stated.items() if type(value) in (int, str)}
    for key in stated.keys() - details.keys():
        file.drop(stated, "details", key, "no number and no text")
    return Parsed(
        tuple(_row(file, card) for card in file.objects(content, "cards")),
        game=file.text(content, "game"),
        name=file.text(content, "name"),
        format=file.text(content, "format"),
        house=file.text(content, "house"),
        notes=file.text(content, "notes"),
        tags=file.texts(content, "tags"),
        comments=file.texts(content, "comments"),
        details=details,
        dialect="Cutout",
        unread=tuple(_unread(file, line) for line in file.objects(content, "unread")),
    )


def _row(file: JsonFile, card: dict[str, Any]) -> Row:
    written = card.get("written") is True
    file.reads(card, "cards", _CARD if written else [key for key in _CARD if key != "facts"])
    values = {
        key: file.text(card, key, "cards")
        for key in ("name", "section", "set", "number", "key", "type", "note")
    }
    for key in ("written", "keep"):
        if not isinstance(card.get(key, False), bool | None):
            file.drop(card, "cards", key, "neither true nor false")
    if len(values["note"]) > MAX_NOTE:
        file.drop(card, "cards", "note", f"its letters after the first {MAX_NOTE}")
    place = file.place(card)
    return Row(
        place,
        count_in(card, "count"),
        values["name"],
        values["section"],
        values["set"],
        values["number"],
        code="" if written else values["key"],
        type=values["type"] or (UNKNOWN if written else ""),
        facts=(
            tuple(file.mapping(card, "facts", "cards").items())
            if written and card.get("facts") is not None
            else None
        ),
        marks=Marks(values["note"][:MAX_NOTE], file.texts(card, "tags", "cards"), card.get("keep") is True),
        count_at=place.of("count"),
    )


def _unread(file: JsonFile, line: dict[str, Any]) -> Unread:
    file.reads(line, "unread lines", ("line", "text", "code", "message", "section"))
    text, code, message, section = (
        file.text(line, key, "unread lines") for key in ("text", "code", "message", "section")
    )
    if len(text) > MAX_WRITTEN:
        file.drop(line, "unread lines", "text", f"its letters after the first {MAX_WRITTEN}")
    place = file.place(line)
    return Unread(place.line, text[:MAX_WRITTEN], code, message, (), section, where=str(place))


FORMAT = FileFormat(
    "json", "JSON", ".json", "application/json", write, reader("json", parse), with_texts=write
)
