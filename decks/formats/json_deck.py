"""Decks as JSON (``json``): our own format, which keeps everything a list says, and those of other programs.

Our own, with all keys of a deck, a card and an unread line::

    {"cutout": 1, "game": "spycraft", "format": "agency", "name": "Nine Tiger", "details": {}, "house": "",
     "notes": "Strong in Craft.", "tags": [], "comments": [],
     "cards": [{"section": "deck", "count": 3, "key": "spycraft/kai", "name": "Kai", "type": "agent",
                "set": "ON", "number": "", "note": "", "tags": [], "keep": false, "text": "",
                "written": false, "facts": {}}],
     "unread": [{"line": 12, "text": "3 Nobody Knows", "code": "unknown_card", "message": "", "section": ""}]}

Of a card, only the first five keys are always written. ``set`` and ``number`` are there if the line names a
print or the card has only one; ``written`` and ``facts`` if the list writes the card in. ``cutout`` is the
version of this schema; files of version 1 must stay readable. Tests: ``test_json_deck.py``; damaged files in
``test_files.py``, round trips in ``test_writing.py``.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from cardsdb.games.kit import Game, Marks
from cardsdb.games.kit.listtext.line import MAX_WRITTEN, UNKNOWN
from cardsdb.games.kit.listtext.reading import Reading, Unread
from decks.formats.contract import Body, FileFormat, Parsed, Row, Texts, Unreadable
from decks.formats.files import JsonFile, count_in
from decks.formats.notes import ALL_BUT_UNREAD, extra_losses
from decks.formats.placing import reader
from decks.formats.writing import fit_lines, print_of

VERSION = 1
# Characters of a note on a card.
MAX_NOTE = 300
# Keys of MTGJSON's lists of cards -> name of the part.
_MTGJSON = {"commander": "commander", "mainBoard": "main", "sideBoard": "sideboard"}
# Keys of krcg's groups of cards.
_KRCG = ("crypt", "library")
# Keys of our own JSON whose value is a text. "text" of a card is reported as left out.
_TEXTS_OF_DECK = ("game", "name", "format", "house", "notes")
_TEXTS_OF_CARD = ("section", "name", "type", "set", "number", "key", "note")


def write(game: Game, reading: Reading, texts: Texts | None = None) -> Body:
    """Write everything that the list says. ``texts``: code -> text, stored with each card."""
    deck, cards = reading.deck, []
    for entry in deck:
        card, print_, marks = entry.card, print_of(entry), entry.marks
        shown = {
            "section": entry.section,
            "count": entry.count,
            "key": card.key,
            "name": card.name,
            "type": card.type,
        }
        if card.written:
            shown |= {"written": True, "facts": dict(card.facts)}
        optional = {
            "set": print_.set,
            "number": print_.number,
            "note": marks.note,
            "tags": list(marks.tags),
            "keep": marks.keep,
            "text": fit_lines((texts or {}).get(card.code, "")),
        }
        cards.append(shown | {key: value for key, value in optional.items() if value})
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
        "cards": cards,
        "unread": [
            {key: getattr(unread, key) for key in ("line", "text", "code", "message", "section")}
            for unread in reading.unread
        ],
    }
    text = json.dumps(content, ensure_ascii=False, indent=2) + "\n"
    return text, extra_losses(game, reading, ALL_BUT_UNREAD, "the list of unread lines")


def parse(data: bytes) -> Parsed:
    """Read our own JSON, or that of another program."""
    file = JsonFile(data)
    content = file.value
    if not isinstance(content, dict):
        raise Unreadable("wrong_format", "A deck as JSON is an object; this file is something else.")
    parsed = _ours(file, content) if "cutout" in content else parse_other(file, content)
    return replace(parsed, losses=file.losses)


def _ours(file: JsonFile, content: dict[str, Any]) -> Parsed:
    """Read our own JSON. Raise Unreadable for another version."""
    if content["cutout"] != VERSION:
        version = str(content["cutout"])[:20]
        raise Unreadable(
            "newer_version",
            f"The file is of version {version} of our format; this site reads version {VERSION}.",
            "cutout",
        )
    others = ("cutout", "details", "tags", "comments", "cards", "unread")
    values = file.texts(content, "deck", *_TEXTS_OF_DECK, besides=others)
    stated = file.get(content, "deck", "details", dict)
    details = {key: value for key, value in stated.items() if type(value) in (int, str)}
    for key in stated.keys() - details.keys():
        file.drop(stated, "details", key, "no number and no text")
    return Parsed(
        tuple(_row(file, card) for card in file.all_in(content, "deck", "cards", dict)),
        **values,
        tags=file.all_in(content, "deck", "tags", str),
        comments=file.all_in(content, "deck", "comments", str),
        details=details,
        losses=(),
        dialect="Cutout",
        unread=tuple(_unread(file, line) for line in file.all_in(content, "deck", "unread", dict)),
    )


def _row(file: JsonFile, card: dict[str, Any]) -> Row:
    """Read a card of our own JSON. Of a written-in card without a type only the name is known."""
    written = card.get("written") is True
    # Keys whose value is no text; only a card that the list writes in has facts.
    others = ["count", "tags", "keep", "written"]
    if written:
        others.append("facts")
    values = file.texts(card, "cards", *_TEXTS_OF_CARD, besides=others)
    for key in ("written", "keep"):
        if not isinstance(card.get(key, False), bool | None):
            file.drop(card, "cards", key, "neither true nor false")
    if len(values["note"]) > MAX_NOTE:
        file.drop(card, "cards", "note", f"its letters after the first {MAX_NOTE}")
    place, tags = file.place(card), file.all_in(card, "cards", "tags", str)
    facts = None
    if written and card.get("facts") is not None:
        facts = tuple(file.get(card, "cards", "facts", dict).items())
    return Row(
        place,
        count_in(card, "count"),
        values["name"],
        values["section"],
        values["set"],
        values["number"],
        code="" if written else values["key"],
        type=values["type"] or (UNKNOWN if written else ""),
        facts=facts,
        marks=Marks(values["note"][:MAX_NOTE], tags, card.get("keep") is True),
        count_at=place.of("count"),
    )


def _unread(file: JsonFile, line: dict[str, Any]) -> Unread:
    """Read an unread line of our own JSON."""
    called = "unread lines"
    values = file.texts(line, called, "text", "code", "message", "section", besides=("line",))
    if len(values["text"]) > MAX_WRITTEN:
        file.drop(line, called, "text", f"its letters after the first {MAX_WRITTEN}")
    place, text = file.place(line), values["text"][:MAX_WRITTEN]
    return Unread(
        place.line, text, values["code"], values["message"], (), values["section"], where=str(place)
    )


# -- the JSON of other programs ------------------------------------------------------------
#
# The samples below are shortened: a program writes more keys, which are reported as left out.


def parse_other(file: JsonFile, content: Mapping[str, Any]) -> Parsed:
    """Read the JSON of another program, recognised by its keys. Raise Unreadable if none is known.

    Each branch reports the unread keys of the deck itself; its function for the rows reports those of cards.
    """
    data = content.get("data")
    if isinstance(data, dict) and any(isinstance(data.get(board), list) for board in _MTGJSON):
        file.expect(content, "file", ("data", "meta"))
        rows, dialect = _mtgjson, "MTGJSON"
        texts = file.texts(data, "deck", "name", besides=_MTGJSON)
    elif isinstance(content.get("library"), dict) or isinstance(content.get("crypt"), dict):
        rows, dialect = _krcg, "krcg"
        texts = file.texts(content, "deck", "name", "comments", besides=_KRCG)
    elif isinstance(content.get("entries"), dict):
        rows, dialect = _scryfall, "Scryfall"
        texts = file.texts(content, "deck", "name", besides=("entries",))
    elif isinstance(content.get("cards"), dict):
        rows, dialect = _by_code, ""
        texts = file.texts(content, "deck", "name", besides=("cards",))
    else:
        known = (
            "“cutout” (ours), “ObjectStates” (Tabletop Simulator), “data” (MTGJSON), “crypt” or “library”"
            " (krcg), “entries” (Scryfall), “cards” (codes of prints, each with its count)"
        )
        raise Unreadable(
            "wrong_format", f"The JSON is no deck that is known here. A deck has one of these keys: {known}."
        )
    return Parsed(
        tuple(rows(file, content)), name=texts["name"], notes=texts.get("comments", ""), dialect=dialect
    )


def _counted(
    file: JsonFile, card: Mapping[str, Any], name: str, part: str = "", set_code: str = "", number: str = ""
) -> Row:
    """Return the row of a card whose count stands under ``count``."""
    place = file.place(card)
    return Row(place, count_in(card, "count"), name, part, set_code, number, count_at=place.of("count"))


def _mtgjson(file: JsonFile, content: Mapping[str, Any]) -> Iterator[Row]:
    """Yield the rows of MTGJSON's boards: ``{"data": {"mainBoard": [{"count": 2, "name": "Kai", "setCode":
    "ON", "number": "287"}]}}``.
    """
    for board, part in _MTGJSON.items():
        for card in file.all_in(content["data"], "deck", board, dict):
            texts = file.texts(card, "cards", "name", "setCode", "number", besides=("count",))
            yield _counted(file, card, texts["name"], part, texts["setCode"], texts["number"])


def _by_code(file: JsonFile, content: Mapping[str, Any]) -> Iterator[Row]:
    """Yield the rows of codes of prints, each with its count: ``{"cards": {"XF96-0002v1": 2}}``."""
    cards, place = content["cards"], file.place(content["cards"])
    for code in cards:
        yield Row(place, count_in(cards, code), code, count_at=place.of(code))


def _krcg(file: JsonFile, content: Mapping[str, Any]) -> Iterator[Row]:
    """Yield the rows of krcg. Its crypt has cards, its library a group of cards for each type, which becomes
    the part of the rows::

        {"crypt": {"cards": [{"count": 2, "name": "Kai"}]},
         "library": {"cards": [{"type": "Missions", "cards": [{"count": 1, "name": "Reap"}]}]}}
    """
    for key in _KRCG:
        board = file.get(content, "deck", key, dict)
        file.expect(board, key, ("cards", "count"))
        for item in file.all_in(board, key, "cards", dict):
            part, cards = "", file.all_in(item, "cards", "cards", dict)
            if cards:
                part = file.texts(item, "cards", "type", besides=("count", "name", "cards"))["type"]
            for card in cards or (item,):
                name = file.texts(card, "cards", "name", besides=("count",))["name"]
                yield _counted(file, card, name, part)


def _scryfall(file: JsonFile, content: Mapping[str, Any]) -> Iterator[Row]:
    """Yield the rows of Scryfall's entries. A card that Scryfall does not know has no digest, only the text
    that was typed::

        {"entries": {"mainboard": [{"count": 2, "raw_text": "kai",
                                    "card_digest": {"name": "Kai", "set": "on", "collector_number": "287"}}]}}
    """
    entries = content["entries"]
    for part in entries:
        for entry in file.all_in(entries, "entries", part, dict):
            raw = file.texts(entry, "cards", "raw_text", besides=("count", "card_digest"))["raw_text"]
            digest = file.get(entry, "cards", "card_digest", dict)
            texts = file.texts(digest, "cards", "name", "set", "collector_number")
            yield _counted(file, entry, texts["name"] or raw, part, texts["set"], texts["collector_number"])


_read = reader("json", parse)
FORMAT = FileFormat("json", "JSON", ".json", "application/json", write, _read, with_texts=write)
