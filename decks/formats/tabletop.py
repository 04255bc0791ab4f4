"""Saved objects for Tabletop Simulator (``tts``): a deck object for each section, on sheets of card pictures.

A sheet is one picture, a grid of cards read row by row; landscape cards and cards with another back have
sheets of their own. The file names pictures at ``BASE_URL``, which must be uploaded where all players can
load them. ``printing/exports`` draws the sheets. A deck of three Kai and another agent, shortened::

    {"ObjectStates": [{"Name": "DeckCustom", "Nickname": "Nine Tiger: Deck", "DeckIDs": [101, 101, 101, 102],
      "CustomDeck": {"1": {"FaceURL": "https://sheets.invalid/spycraft-nine-tiger-sheet-1.png", ...}},
      "ContainedObjects": [{"Name": "Card", "Nickname": "Kai", "CardID": 101, ...}, ...]}]}

Tests: ``test_tabletop.py``, and for what all formats share ``test_writing.py`` and ``test_files.py``, in
``tests/decks/formats``; for files with their pictures ``tests/printing/exports/test_tabletop_sheets.py``.
"""

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from math import ceil, isqrt
from types import MappingProxyType
from typing import Any, NamedTuple

from cardsdb.games.kit import Card, Decklist, Game, as_words, slugify, some
from cardsdb.games.kit.listtext.reading import Reading
from cardsdb.games.kit.print.face import Back, back_for
from decks.formats.contract import (
    PROGRAMS,
    Body,
    FileFormat,
    Loss,
    Parsed,
    Row,
    Texts,
    Unreadable,
    file_stem,
    merged,
)
from decks.formats.files import JsonFile
from decks.formats.notes import extra_losses, note_lines
from decks.formats.placing import reader
from decks.formats.writing import Face, bounded, face_of, faces_of, fit_lines, name_in, parts_of

# Keys that this program's files have and values that ours get, from ``programs.toml``.
_OURS = PROGRAMS["tabletop"]
# The file name of the picture of usual backs; ``back_name`` names those of other backs.
BACK = "back.png"
# A placeholder that cannot exist (``.invalid``). People who host the pictures replace it by their address.
BASE_URL = "https://sheets.invalid/"
# The largest grid that Tabletop Simulator takes, in cards.
MAX_COLUMNS = 10
MAX_ROWS = 7
PER_SHEET = MAX_COLUMNS * MAX_ROWS
# Kinds of extras (``notes.Extra``) that objects have fields for; the others go into their description.
HOLDS = ("name",)


# -- reading ------------------------------------------------------------------------------------


def parse(data: bytes) -> Parsed:
    """Read the decks and cards of any saved object, also those in bags."""
    file = JsonFile(data)
    save = file.value
    if not isinstance(save, dict) or not isinstance(save.get("ObjectStates"), list):
        raise Unreadable(
            "wrong_format",
            "A saved object of Tabletop Simulator has a list “ObjectStates”; this file has none.",
        )
    file.expect(save, "save", _OURS["passed_over"])
    parts = [_read_part(file, item) for item in _decks_and_cards(file, save)]
    losses = [*file.losses]
    if nameless := sum(part.nameless for part in parts):
        message = f"{some(nameless, 'card')} without a name left out: the file has only their pictures."
        losses.append(Loss("cards_nameless", message))
    deck_names = [*dict.fromkeys(part.deck_name for part in parts if part.deck_name)]
    if len(deck_names) > 1:
        message = f"The decks have several names, so none is taken: {', '.join(deck_names)[:200]}."
        losses.append(Loss("names_dropped", message))
    return Parsed(
        merged([row for part in parts for row in part.rows]),
        name=deck_names[0] if len(deck_names) == 1 else "",
        notes_field="\n".join(dict.fromkeys(part.notes for part in parts if part.notes)),
        losses=tuple(losses),
    )


class _Part(NamedTuple):
    """A part of a deck: a deck object, or a single card on the table. ``nameless``: copies without a name."""

    deck_name: str
    notes: str
    rows: list[Row]
    nameless: int


def _read_part(file: JsonFile, item: dict[str, Any]) -> _Part:
    """Read a deck object or a single card."""
    is_single = "DeckIDs" not in item
    # "Nine Tiger: Leaders": the deck's name, if it has one, and the part.
    title = file.get(item, "objects", "GMNotes" if is_single else "Nickname", str).strip()
    deck_name, _, part = title.rpartition(": ")
    notes = file.get(item, "objects", "Description", str).strip()
    if is_single:
        # ``_object`` wrote "Leader\nLevel: 1\nNine Tiger: Leaders\nStrong in Craft.": lines about the card,
        # the title, the deck's notes. Without our title the text is about the card alone.
        notes = notes.partition(f"{title}\n")[2] if title else ""
    copies: dict[str, list[dict[str, Any]]] = {}
    for card, name in _copies(file, item):
        copies.setdefault(name, []).append(card)
    nameless = len(copies.pop("", ()))
    rows = [Row(file.place(cards[0]), str(len(cards)), name, part) for name, cards in copies.items()]
    return _Part(deck_name, notes, rows, nameless)


def _decks_and_cards(file: JsonFile, thing: dict[str, Any], called: str = "save") -> Iterator[dict[str, Any]]:
    """Yield the decks and single cards of a save or bag in the order of the file, a bag's content where the
    bag stands. Report all other things on the table. ``called``: the name of ``thing`` in messages.

    A deck has ``DeckIDs``, a card ``CardID``; a bag has neither, only ``ContainedObjects``, a list of decks,
    cards and further bags. ``JsonFile`` limits the depth of the JSON, and so the recursion.
    """
    for key in ("ObjectStates", "ContainedObjects"):
        for inner in file.all_in(thing, called, key, dict):
            is_card = "DeckIDs" in inner or "CardID" in inner
            if not is_card and not inner.get("ContainedObjects"):
                title = str(inner.get("Nickname") or inner.get("Name") or "an object")
                file.drop(inner, "table", title[:40], "no card and no deck")
                continue
            file.expect(inner, "objects", (*_OURS["furniture"], "ContainedObjects"))
            if is_card:
                yield inner
            else:
                yield from _decks_and_cards(file, inner, "objects")


def _copies(file: JsonFile, thing: dict[str, Any]) -> list[tuple[dict[str, Any], str]]:
    """Return (card, its name) for every copy in a deck, or for a single card. A copy without a card of its
    own has the name "".

    Files of this program write a deck in two ways, both of which are read as Kai, Kai, Li Cong::

        {"DeckIDs": [101, 101, 102], "ContainedObjects": [Kai 101, Kai 101, Li Cong 102]}   a card each
        {"DeckIDs": [101, 101, 102], "ContainedObjects": [Kai 101, Li Cong 102]}            a card for each id

    A single card is ``{"CardID": 101, "Nickname": "Kai"}``.
    """
    cards = file.all_in(thing, "objects", "ContainedObjects", dict)
    if "DeckIDs" not in thing or not cards:
        cards = (thing,)
    for card in cards:
        if card is not thing:
            file.expect(card, "cards", _OURS["furniture"])
    named = [(card, file.get(card, "cards", "Nickname", str).strip()) for card in cards]
    by_id = {card["CardID"]: (card, name) for card, name in named if type(card.get("CardID")) is int}
    ids = [number for number in file.get(thing, "objects", "DeckIDs", list) if type(number) is int]
    if not ids:
        # A single card has no list of ids, only its own.
        ids = [card["CardID"] for card in cards if type(card.get("CardID")) is int]
    if len(cards) == len(ids):
        return named
    return [by_id.get(number, (thing, "")) for number in ids]


# -- writing ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Sheet:
    """One picture: its number from 1, its grid, and its cards row by row.

    - sideways: its cards are landscape;
    - back: the file name of the picture of their backs;
    - unique_backs: the picture ``back`` is a sheet of the same grid, with a back for each card. Only
      ``printing/exports/tabletop_sheets.py`` sets it, where own pictures make the backs differ.
    """

    number: int
    columns: int
    rows: int
    cards: tuple[Card, ...]
    sideways: bool = False
    back: str = BACK
    unique_backs: bool = False


def write(game: Game, reading: Reading, texts: Texts | None = None) -> Body:
    """Write a save with the deck's parts side by side. The losses name the pictures to upload."""
    deck, beyond = bounded(reading.deck)
    sheets = sheets_of(game, deck)
    body = saved_text(objects_of(game, replace(reading, deck=deck), sheets, BASE_URL, texts=texts or {}))
    if not sheets:
        # Without cards there is no object, so nothing holds the name and there is no description.
        return body, (*beyond, *extra_losses(game, reading, ()))
    names = ", ".join(sheet_name(game, deck, sheet) for sheet in sheets)
    backs = " and ".join(dict.fromkeys(sheet.back for sheet in sheets))
    message = (
        f"{some(len(sheets), 'picture')} of card sheets ({names}) and {backs} must be uploaded, "
        f"and {BASE_URL} in the file replaced by their address."
    )
    kept = extra_losses(game, reading, HOLDS, "the description")
    return body, (*beyond, Loss("pictures_needed", message), *kept)


def saved_text(objects: Iterable[dict[str, Any]]) -> str:
    """Return the text of a file with these objects on the table."""
    return json.dumps({**_OURS["save"], "ObjectStates": [*objects]}, ensure_ascii=False, indent=2) + "\n"


def objects_of(
    game: Game,
    reading: Reading,
    sheets: Iterable[Sheet],
    base_url: str,
    suffix: str = "png",
    row: int = 0,
    texts: Texts = MappingProxyType({}),
) -> Iterator[dict[str, Any]]:
    """Yield an object for each part of a deck, side by side in this row of the table (from 0). All its cards
    must be on the sheets, else KeyError.

    ``suffix``: the file ending of the sheets' pictures. ``texts``: card code -> text, shown when the pointer
    is over a card.
    """
    deck = reading.deck
    parts = parts_of(game, deck, lambda section: section.name)
    notes = "\n".join(note_lines(game, reading, parts, HOLDS))
    title = f"{deck.name}: " if deck.name else ""
    cells: dict[Face, dict[str, Any]] = {}
    for sheet in sheets:
        cells |= _cells(sheet, base_url + sheet_name(game, deck, sheet, suffix), base_url + sheet.back)
    for column, part in enumerate(parts):
        cards = [
            {
                "Name": "Card",
                "Transform": _OURS["transform"],
                "Nickname": name_in(game, entry.card),
                "Description": _description(game, entry.card, texts),
                **cells[face_of(entry.card)],
            }
            for entry in part.entries
            for _ in range(entry.count)
        ]
        yield _object(cards, f"{title}{part.name}", notes, column, row)


def _cells(sheet: Sheet, face_url: str, back_url: str) -> dict[Face, dict[str, Any]]:
    """Return key of a card's look (``face_of``) -> the fields of an object by which it shows that cell of the
    sheet.
    """
    picture = {
        "FaceURL": face_url,
        "BackURL": back_url,
        "NumWidth": sheet.columns,
        "NumHeight": sheet.rows,
        # Without this, other players see the sheet's last cell in place of a hidden card.
        "BackIsHidden": True,
        "UniqueBack": sheet.unique_backs,
        "Type": 0,
    }
    return {
        face_of(card): {
            # The number of the sheet, then the cell in two digits, from 0: 102 is the third card of sheet 1.
            "CardID": 100 * sheet.number + cell,
            "SidewaysCard": sheet.sideways,
            "CustomDeck": {str(sheet.number): picture},
        }
        for cell, card in enumerate(sheet.cards)
    }


def sheets_of(game: Game, deck: Decklist, most: int = PER_SHEET) -> tuple[Sheet, ...]:
    """Return the sheets for this deck's file: each different card once, in the deck's order, at most ``most``
    cards on a sheet. Cards on one sheet lie the same way and have the same back.
    """
    by_look: dict[tuple[bool, Back], list[Card]] = {}
    for card in faces_of(deck).values():
        look = game.face_named(card.type).landscape, back_for(game.backs, card.type)
        by_look.setdefault(look, []).append(card)
    sheets = list[Sheet]()
    for (sideways, back), cards in by_look.items():
        for start in range(0, len(cards), most):
            on_sheet = tuple(cards[start : start + most])
            columns, rows = grid(len(on_sheet))
            number = len(sheets) + 1
            sheets.append(Sheet(number, columns, rows, on_sheet, sideways, back_name(back, sideways)))
    return tuple(sheets)


def back_name(back: Back, sideways: bool) -> str:
    """Return the file name of the picture of a back. Landscape cards have a back of their own."""
    return "-".join(filter(None, ("back", slugify(back.label), "sideways" if sideways else ""))) + ".png"


def grid(count: int) -> tuple[int, int]:
    """Return (columns, rows) of a sheet for this number of cards: 5 -> (3, 2), 70 -> (10, 7). Raise
    ValueError for none and beyond PER_SHEET.
    """
    if not 1 <= count <= PER_SHEET:
        raise ValueError(f"a sheet holds 1 to {PER_SHEET} cards, not {count}")
    rows = min(isqrt(count), MAX_ROWS)
    return ceil(count / rows), rows


def sheet_name(game: Game, deck: Decklist, sheet: Sheet, suffix: str = "png") -> str:
    """The picture's file name."""
    return f"{file_stem(game, deck)}-sheet-{sheet.number}.{suffix}"


def _object(cards: list[dict[str, Any]], title: str, notes: str, column: int, row: int) -> dict[str, Any]:
    """Return a deck object; for one card, the card itself, because Tabletop Simulator has no decks of one
    card. Its title then goes into ``GMNotes``, where ``parse`` finds it.
    """
    # In the units of the table. x runs along the row: parts stand 3 apart. The next row is 4 units lower in
    # z. y is the height: 1 is above the table's surface.
    transform = {**_OURS["transform"], "posX": 3 * column, "posY": 1, "posZ": -4 * row}
    if len(cards) == 1:
        (card,) = cards
        description = "\n".join(filter(None, (card["Description"], title, notes)))
        return {**card, "Transform": transform, "Description": description, "GMNotes": title}
    return {
        "Name": "DeckCustom",
        "Transform": transform,
        "Nickname": title,
        "Description": notes,
        "DeckIDs": [card["CardID"] for card in cards],
        "CustomDeck": {number: picture for card in cards for number, picture in card["CustomDeck"].items()},
        "ContainedObjects": cards,
    }


def _description(game: Game, card: Card, texts: Texts) -> str:
    """Return type, facts and text of a card, which are shown when the pointer is over it."""
    card_type = game.types_by_slug.get(card.type)
    lines = [card_type.name if card_type else card.type]
    for key, value in card.facts.items():
        fact = game.facts_by_key.get(key)
        if fact and fact.kind != "text":
            lines.append(f"{fact.title}: {as_words(value)}")
    lines.append(fit_lines(texts.get(card.code, "")))
    return "\n".join(filter(None, lines))


FORMAT = FileFormat(
    "tts",
    "Tabletop Simulator",
    ".tts.json",
    "application/json",
    write,
    read=reader("tts", parse),
    with_texts=write,
)
