"""A saved object for Tabletop Simulator: one deck a section, on sheets of card pictures.

A sheet is one picture, a grid of cards read row by row. The cards of the deck, each once and in
the list's order, fill as many sheets as they need (``sheets_of``); cards that lie across, and cards
with another back, have sheets of their own. The file names the pictures ``BASE_URL`` + ``sheet_name``;
they must be put where all players can load them.
"""

import json
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from math import ceil, isqrt
from types import MappingProxyType
from typing import Any

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
from decks.formats.placing import reader
from decks.formats.writing import (
    Face,
    bounded,
    extra_losses,
    face_of,
    faces_of,
    fit_lines,
    name_in,
    note_lines,
    parts_of,
)

_OURS = PROGRAMS["tabletop"]


def parse(data: bytes) -> Parsed:
    """Any saved object with decks or cards in it, in bags too."""
    file = JsonFile(data)
    save = file.value
    if not isinstance(save, dict) or not isinstance(save.get("ObjectStates"), list):
        raise Unreadable(
            "wrong_format",
            "A saved object of Tabletop Simulator has a list “ObjectStates”; this file has none.",
        )
    file.reads(save, "save", _OURS["passed_over"])
    rows: list[Row] = []
    names: list[str] = []
    descriptions: list[str] = []
    nameless = 0
    for thing in _decks_and_cards(file, save):
        alone = "DeckIDs" not in thing
        title = file.taken(thing, "objects", "GMNotes" if alone else "Nickname", str).strip()
        name, _, part = title.rpartition(": ")
        names.append(name)
        description = file.taken(thing, "objects", "Description", str).strip()
        if alone:
            description = description.partition(f"{title}\n")[2] if title else ""
        descriptions.append(description)
        copies = _copies(file, thing)
        counts = Counter(name for _, name in copies)
        firsts = {name: card for card, name in reversed(copies)}
        nameless += counts.pop("", 0)
        rows += (Row(file.place(firsts[name]), str(count), name, part) for name, count in counts.items())
    losses = [*file.losses]
    if nameless:
        message = f"{some(nameless, 'card')} without a name left out: the file has only their pictures."
        losses.append(Loss("cards_nameless", message))
    named = [*dict.fromkeys(filter(None, names))]
    if len(named) > 1:
        message = f"The decks have several names, so none is taken: {', '.join(named)[:200]}."
        losses.append(Loss("names_dropped", message))
    return Parsed(
        merged(rows),
        name=named[0] if len(named) == 1 else "",
        notes_field="\n".join(dict.fromkeys(filter(None, descriptions))),
        losses=tuple(losses),
    )


def _decks_and_cards(file: JsonFile, thing: dict[str, Any], called: str = "save") -> Iterator[dict[str, Any]]:
    """The decks and single cards of the save, those in bags after those on the table; bounded by the depth of
    the JSON.
    """
    for key in ("ObjectStates", "ContainedObjects"):
        for inner in file.all_in(thing, called, key, dict):
            is_card = "DeckIDs" in inner or "CardID" in inner
            if not is_card and not inner.get("ContainedObjects"):
                title = str(inner.get("Nickname") or inner.get("Name") or "an object")
                file.drop(inner, "table", title[:40], "no card and no deck")
                continue
            file.reads(inner, "objects", (*_OURS["furniture"], "ContainedObjects"))
            if is_card:
                yield inner
            else:
                yield from _decks_and_cards(file, inner, "objects")


def _copies(file: JsonFile, thing: dict[str, Any]) -> list[tuple[dict[str, Any], str]]:
    """Every copy in a deck: its card, and the card's name."""
    contained = file.all_in(thing, "objects", "ContainedObjects", dict)
    if "DeckIDs" not in thing or not contained:
        contained = (thing,)
    for card in contained:
        if card is not thing:
            file.reads(card, "cards", _OURS["furniture"])
    named = [(card, file.taken(card, "cards", "Nickname", str).strip()) for card in contained]
    by_id = {card["CardID"]: (card, name) for card, name in named if type(card.get("CardID")) is int}
    ids = [number for number in file.taken(thing, "objects", "DeckIDs", list) if type(number) is int]
    ids = ids or [card["CardID"] for card in contained if type(card.get("CardID")) is int]
    # Cards may share a picture and differ in their names.
    return named if len(contained) == len(ids) else [by_id.get(number, (thing, "")) for number in ids]


BACK = "back.png"
# An address that no one can own: people who host the pictures put their own in its place.
BASE_URL = "https://sheets.invalid/"
MAX_COLUMNS, MAX_ROWS = 10, 7
PER_SHEET = MAX_COLUMNS * MAX_ROWS
# The kinds of extras that the objects' own fields hold; the rest goes into their description.
HOLDS = ("name",)


@dataclass(frozen=True)
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


def write(game: Game, reading: Reading, texts: Texts | None = None) -> Body:
    deck, beyond = bounded(reading.deck)
    sheets = sheets_of(game, deck)
    body = saved_text(objects_of(game, replace(reading, deck=deck), sheets, BASE_URL, texts=texts or {}))
    if not sheets:
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
    """The text of a file with these objects on the table."""
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
    """The parts of a deck side by side, in this row of the table, counted from 0. At most ``MAX_COPIES``
    cards stand on these sheets.

    The pictures of the sheets are files with this suffix; the texts of cards stand where the pointer rests on
    them.
    """
    deck = reading.deck
    parts = parts_of(game, deck, lambda section: section.name)
    notes = "\n".join(note_lines(game, reading, parts, HOLDS))
    title = f"{deck.name}: " if deck.name else ""
    cells: dict[Face, dict[str, Any]] = {}
    for sheet in sheets:
        picture = {
            "FaceURL": base_url + sheet_name(game, deck, sheet, suffix),
            "BackURL": base_url + sheet.back,
            "NumWidth": sheet.columns,
            "NumHeight": sheet.rows,
            # Otherwise the last cell is what other players see of a hidden card.
            "BackIsHidden": True,
            "UniqueBack": sheet.unique_backs,
            "Type": 0,
        }
        for cell, card in enumerate(sheet.cards):
            cells[face_of(card)] = {
                "CardID": 100 * sheet.number + cell,
                "SidewaysCard": sheet.sideways,
                "CustomDeck": {str(sheet.number): picture},
            }
    for place, part in enumerate(parts):
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
        yield _object(cards, f"{title}{part.name}", notes, place, row)


def sheets_of(game: Game, deck: Decklist, most: int = PER_SHEET) -> tuple[Sheet, ...]:
    """The sheets that this deck's file points to, copies on them once, at most so many cards on each."""
    alike: dict[tuple[bool, Back], list[Card]] = {}
    for card in faces_of(deck).values():
        look = game.face_named(card.type).landscape, back_for(game.backs, card.type)
        alike.setdefault(look, []).append(card)
    chunks = (
        (sideways, back, tuple(cards[start : start + most]))
        for (sideways, back), cards in alike.items()
        for start in range(0, len(cards), most)
    )
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
    transform = {**_OURS["transform"], "posX": 3 * place, "posY": 1, "posZ": -4 * row}
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


def _description(game: Game, card: Card, texts: Texts) -> str:
    """The type, the facts and the text, shown when the pointer is over the card."""
    named = game.types_by_slug.get(card.type)
    lines = [named.name if named else card.type]
    for key, value in card.facts.items():
        fact = game.facts_by_key.get(key)
        if fact and fact.kind != "text":
            lines.append(f"{fact.title}: {as_words(value)}")
    return "\n".join(filter(None, (*lines, fit_lines(texts.get(card.code, "")))))


FORMAT = FileFormat(
    "tts",
    "Tabletop Simulator",
    ".tts.json",
    "application/json",
    write,
    read=reader("tts", parse),
    with_texts=write,
)
