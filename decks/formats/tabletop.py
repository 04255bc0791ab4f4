"""A saved object for Tabletop Simulator: one deck a section, on sheets of card pictures.

A sheet is one picture, a grid of cards read row by row. The cards of the deck, each once and in
the list's order, fill as many sheets as they need (``sheets_of``); cards that lie across, and cards
with another back, have sheets of their own. The file names the pictures ``BASE_URL`` + ``sheet_name``;
they must be put where all players can load them.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from math import ceil, isqrt
from types import MappingProxyType
from typing import Any

from cardsdb.games.kit import Card, Decklist, Game
from cardsdb.games.kit.listtext.reading import Reading
from cardsdb.games.kit.model.cards import as_words
from cardsdb.games.kit.model.text import slugify, some
from cardsdb.games.kit.print.face import Back, back_for
from decks.formats.contract import Body, FileFormat, Loss, Parsed, Row, Texts, Unreadable, file_stem, merged
from decks.formats.extras import extra_losses, note_lines
from decks.formats.files import JsonFile
from decks.formats.placing import reader
from decks.formats.writing import bounded, face_of, faces_of, fit_lines, in_parts, parts_of

# How things lie on a table and look is no part of a deck; of the rest everything that is set is told.
_FURNITURE = (
    "Name Transform GUID AltLookAngle ColorDiffuse LayoutGroupSortIndex Value Locked Grid Snap IgnoreFoW"
    " MeasureMovement DragSelectable Autoraise Sticky Tooltip GridProjection HideWhenFaceDown Hands Hidden"
    " SidewaysCard CustomDeck CustomImage CardID DeckIDs Nickname Description GMNotes Number Bag"
).split()


def parse(data: bytes) -> Parsed:
    """Any saved object with decks or cards in it, in bags too."""
    file = JsonFile(data)
    save = file.value
    if not isinstance(save, dict) or not isinstance(save.get("ObjectStates"), list):
        raise Unreadable(
            "wrong_format",
            "A saved object of Tabletop Simulator has a list “ObjectStates”; this file has none.",
        )
    file.reads(save, "save", _SAVED)
    rows: list[Row] = []
    names: list[str] = []
    descriptions: list[str] = []
    nameless = 0
    for thing in _decks_and_cards(file, save):
        alone = "DeckIDs" not in thing
        title = file.text(thing, "GMNotes" if alone else "Nickname", "objects")
        name, _, part = title.rpartition(": ")
        names.append(name)
        description = file.text(thing, "Description", "objects")
        descriptions.append(
            description.partition(f"{title}\n")[2] if alone and title else "" if alone else description
        )
        deck_rows, unnamed = _cards(file, thing, part)
        rows += deck_rows
        nameless += unnamed
    losses = file.losses
    if nameless:
        losses = (
            *losses,
            Loss(
                "cards_nameless",
                f"{some(nameless, 'card')} without a name left out: the file has only their pictures.",
            ),
        )
    named = dict.fromkeys(filter(None, names))
    if len(named) > 1:
        losses = (
            *losses,
            Loss(
                "names_dropped", f"The decks have several names, so none is taken: {', '.join(named)[:200]}."
            ),
        )
    shared = next(iter(named), "") if len(named) == 1 else ""
    return Parsed(
        merged(rows),
        name=shared,
        notes_field="\n".join(dict.fromkeys(filter(None, descriptions))),
        losses=losses,
    )


def _decks_and_cards(file: JsonFile, thing: dict[str, Any], called: str = "save") -> Iterator[dict[str, Any]]:
    """The decks and single cards of the save, those in bags after those on the table; bounded by the depth of
    the JSON.
    """
    for inner in (
        *file.objects(thing, "ObjectStates", called),
        *file.objects(thing, "ContainedObjects", called),
    ):
        if "DeckIDs" in inner or "CardID" in inner:
            file.reads(inner, "objects", (*_FURNITURE, "ContainedObjects"))
            yield inner
        elif inner.get("ContainedObjects"):
            file.reads(inner, "objects", (*_FURNITURE, "ContainedObjects"))
            yield from _decks_and_cards(file, inner, "objects")
        else:
            file.drop(
                inner,
                "table",
                str(inner.get("Nickname") or inner.get("Name") or "an object")[:40],
                "no card and no deck",
            )


def _cards(file: JsonFile, thing: dict[str, Any], part: str) -> tuple[list[Row], int]:
    """The cards of a deck, and how many have no name."""
    contained = file.objects(thing, "ContainedObjects", "objects") or [thing]
    if "DeckIDs" not in thing:
        contained = [thing]
    for card in contained:
        if card is not thing:
            file.reads(card, "cards", _FURNITURE)
    named = [(card, file.text(card, "Nickname", "cards")) for card in contained]
    by_id = {card["CardID"]: (card, name) for card, name in named if type(card.get("CardID")) is int}
    ids = [number for number in file.items(thing, "DeckIDs", "objects") if type(number) is int] or [
        c["CardID"] for c in contained if type(c.get("CardID")) is int
    ]
    # Cards may share a picture and differ in their names.
    copies = named if len(contained) == len(ids) else [by_id.get(number, (thing, "")) for number in ids]
    counts = Counter(name for _, name in copies)
    firsts = {name: card for card, name in reversed(copies)}
    rows = [Row(file.place(firsts[name]), str(count), name, part) for name, count in counts.items() if name]
    return rows, counts[""]


BACK = "back.png"
# Nobody can own this address: people who host the pictures put their own address in its place.
BASE_URL = "https://sheets.invalid/"
MAX_COLUMNS, MAX_ROWS = 10, 7
PER_SHEET = MAX_COLUMNS * MAX_ROWS
# The kinds of extras that the objects' own fields hold; the rest goes into their description.
HOLDS = ("name",)


@dataclass(frozen=True, slots=True)
class Sheet:
    """One picture: its number from 1, its grid, and its cards row by row.

    ``sideways``: its cards lie across. ``back``: the picture of their backs; with ``unique_backs`` that is a
    sheet of the same grid.
    """

    number: int
    columns: int
    rows: int
    cards: tuple[Card, ...]
    sideways: bool = False
    back: str = BACK
    unique_backs: bool = False


def write(game: Game, reading: Reading, texts: Texts | None = None, base_url: str = BASE_URL) -> Body:
    deck, beyond = bounded(reading.deck)
    sheets = sheets_of(game, deck)
    body = saved_text(objects_of(game, replace(reading, deck=deck), sheets, base_url, texts=texts or {}))
    losses = (
        extra_losses(game, reading, HOLDS, "the description") if sheets else extra_losses(game, reading, ())
    )
    if sheets:
        names = ", ".join(sheet_name(game, deck, sheet) for sheet in sheets)
        backs = " and ".join(dict.fromkeys(sheet.back for sheet in sheets))
        message = (
            f"{some(len(sheets), 'picture')} of card sheets ({names}) and {backs} must be uploaded, "
            f"and {base_url} in the file replaced by their address."
        )
        losses = (Loss("pictures_needed", message), *losses)
    return body, (*beyond, *losses)


def saved_text(objects: Iterable[dict[str, Any]]) -> str:
    """The text of a file with these objects on the table."""
    return json.dumps({**_SAVE, "ObjectStates": [*objects]}, ensure_ascii=False, indent=2) + "\n"


def objects_of(
    game: Game,
    reading: Reading,
    sheets: Iterable[Sheet],
    base_url: str,
    suffix: str = "png",
    row: int = 0,
    texts: Texts = MappingProxyType({}),
) -> Iterator[dict[str, Any]]:
    """The parts of a deck side by side, in this row of the table, counted from 0. At most ``MAX_COPIES``
    cards stand on these sheets.

    The pictures of the sheets are files with this suffix; the texts of cards stand where the pointer rests on
    them.
    """
    deck, listed = reading.deck, list(sheets)
    parts = parts_of(game, deck, lambda section: section.name)
    notes = "\n".join(note_lines(game, in_parts(reading, parts), HOLDS))
    title = f"{deck.name}: " if deck.name else ""
    pictures = {
        sheet.number: _picture(sheet, base_url + sheet_name(game, deck, sheet, suffix), base_url + sheet.back)
        for sheet in listed
    }
    cells = {face_of(card): (sheet, cell) for sheet in listed for cell, card in enumerate(sheet.cards)}
    for place, part in enumerate(parts):
        cards = [
            _card(game, entry.card, *cells[face_of(entry.card)], pictures, texts)
            for entry in part.entries
            for _ in range(entry.count)
        ]
        yield _object(cards, f"{title}{part.name}", notes, place, row)


def sheets_of(game: Game, deck: Decklist, most: int = PER_SHEET) -> tuple[Sheet, ...]:
    """The sheets that this deck's file points to, copies on them once, at most so many cards on each."""
    alike: dict[tuple[bool, Back], list[Card]] = {}
    for card in faces_of(deck).values():
        alike.setdefault((game.face_named(card.type).landscape, back_for(game.backs, card.type)), []).append(
            card
        )
    chunks = [
        (sideways, back, tuple(cards[start : start + most]))
        for (sideways, back), cards in alike.items()
        for start in range(0, len(cards), most)
    ]
    return tuple(
        Sheet(number, *grid(len(cards)), cards, sideways, back_name(back, sideways))
        for number, (sideways, back, cards) in enumerate(chunks, 1)
    )


def back_name(back: Back, sideways: bool) -> str:
    """The file name of the picture of a back; cards that lie across have one that lies across."""
    return "-".join(filter(None, ("back", slugify(back.label), "sideways" if sideways else ""))) + ".png"


def grid(count: int) -> tuple[int, int]:
    """(columns, rows) of a sheet for so many cards. Raises ValueError beyond 70."""
    if not 1 <= count <= PER_SHEET:
        raise ValueError(f"a sheet holds 1 to {PER_SHEET} cards, not {count}")
    rows = min(isqrt(count), MAX_ROWS)
    return ceil(count / rows), rows


def sheet_name(game: Game, deck: Decklist, sheet: Sheet, suffix: str = "png") -> str:
    """The picture's file name."""
    return f"{file_stem(game, deck)}-sheet-{sheet.number}.{suffix}"


def _object(cards: list[dict[str, Any]], title: str, notes: str, place: int, row: int) -> dict[str, Any]:
    """A deck, or the card itself if there is only one, because Tabletop Simulator has no decks of one
    card.
    """
    transform = {**_TRANSFORM, "posX": 3 * place, "posY": 1, "posZ": -4 * row}
    if len(cards) == 1:
        description = "\n".join(text for text in (cards[0]["Description"], title, notes) if text)
        return {**cards[0], "Transform": transform, "Description": description, "GMNotes": title}
    return {
        "Name": "DeckCustom",
        "Transform": transform,
        "Nickname": title,
        "Description": notes,
        "DeckIDs": [card["CardID"] for card in cards],
        "CustomDeck": {number: picture for card in cards for number, picture in card["CustomDeck"].items()},
        "ContainedObjects": cards,
    }


def _card(
    game: Game, card: Card, sheet: Sheet, cell: int, pictures: dict[int, dict[str, Any]], texts: Texts
) -> dict[str, Any]:
    return {
        "Name": "Card",
        "Transform": _TRANSFORM,
        "Nickname": card.name,
        "Description": "\n".join(
            filter(None, (_description(game, card), fit_lines(texts.get(card.code, ""))))
        ),
        "CardID": 100 * sheet.number + cell,
        "SidewaysCard": sheet.sideways,
        "CustomDeck": {str(sheet.number): pictures[sheet.number]},
    }


def _description(game: Game, card: Card) -> str:
    """The type and the facts, shown when the pointer is over the card."""
    named = game.types_by_slug.get(card.type)
    lines = [named.name if named else card.type]
    for key, value in card.facts.items():
        fact = game.facts_by_key.get(key)
        if fact and fact.kind != "text":
            lines.append(f"{fact.title}: {as_words(value)}")
    return "\n".join(lines)


def _picture(sheet: Sheet, face: str, back: str) -> dict[str, Any]:
    return {
        "FaceURL": face,
        "BackURL": back,
        "NumWidth": sheet.columns,
        "NumHeight": sheet.rows,
        # Otherwise the last cell is what other players see of a hidden card.
        "BackIsHidden": True,
        "UniqueBack": sheet.unique_backs,
        "Type": 0,
    }


# rotZ 180 is face down.
_TRANSFORM = {
    "posX": 0,
    "posY": 0,
    "posZ": 0,
    "rotX": 0,
    "rotY": 180,
    "rotZ": 180,
    "scaleX": 1,
    "scaleY": 1,
    "scaleZ": 1,
}
_SAVE: dict[str, Any] = {
    "SaveName": "",
    "GameMode": "",
    "Gravity": 0.5,
    "PlayArea": 0.5,
    "Date": "",
    "Table": "",
    "Sky": "",
    "Note": "",
    "Rules": "",
    "XmlUI": "",
    "LuaScript": "",
    "LuaScriptState": "",
    "ObjectStates": [],
    "TabStates": {},
    "VersionNumber": "",
}

# What a save says of its table and its maker, which is no part of a deck; what it says besides is told.
_SAVED = (
    *(key for key in _SAVE if key not in ("Note", "Rules", "XmlUI", "LuaScript", "LuaScriptState")),
    *("EpochTime", "GameType", "GameComplexity", "Turns", "Lighting", "Grid", "Hands", "CameraStates"),
    "DecalPallet",
)

FORMAT = FileFormat(
    "tts",
    "Tabletop Simulator",
    ".tts.json",
    "application/json",
    write,
    read=reader("tts", parse),
    with_texts=write,
)
