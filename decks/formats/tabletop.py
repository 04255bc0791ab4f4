"""A saved object for Tabletop Simulator: one deck a section, on sheets of card pictures.

A sheet is one picture, a grid of cards read row by row. The cards of the deck, each once and in
the list's order, fill as many sheets as they need (``sheets_of``). The file names the pictures
``BASE_URL`` + ``sheet_name``; they must be put where all players can load them.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from math import ceil, isqrt
from typing import Any

from cardsdb.games.kit import Card, Decklist, Game
from cardsdb.games.kit.cards import as_words
from cardsdb.games.kit.decktext import Reading
from decks.formats.bounds import bounded
from decks.formats.contract import Body, FileFormat, Loss, file_stem
from decks.formats.extras import extra_losses, note_lines, some
from decks.formats.faces import face_of, faces_of
from decks.formats.parts import parts_of

# Nobody can own this address: whoever hosts the pictures puts theirs in its place.
BASE_URL = "https://sheets.invalid/"
MOST_COLUMNS, MOST_ROWS = 10, 7
PER_SHEET = MOST_COLUMNS * MOST_ROWS
BACK = "back.png"
# What the deck's description and the cards' descriptions keep.
HOLDS = ("name", "facts")


@dataclass(frozen=True, slots=True)
class Sheet:
    """One picture: its number from 1, its grid, and its cards row by row."""

    number: int
    columns: int
    rows: int
    cards: tuple[Card, ...]


def write(game: Game, reading: Reading, base_url: str = BASE_URL) -> Body:
    deck, beyond = bounded(reading.deck)
    sheets = sheets_of(deck)
    parts = parts_of(game, deck, lambda section: section.name)
    notes = "\n".join(note_lines(game, reading, HOLDS))
    title = f"{deck.name}: " if deck.name else ""
    pictures = {str(sheet.number): _picture(sheet, base_url + sheet_name(game, deck, sheet), base_url + BACK) for sheet in sheets}
    numbers = {face_of(card): 100 * sheet.number + cell for sheet in sheets for cell, card in enumerate(sheet.cards)}
    objects = []
    for place, part in enumerate(parts):
        cards = [_card(game, entry.card, numbers[face_of(entry.card)], pictures) for entry in part.entries for _ in range(entry.count)]
        objects.append(_object(cards, f"{title}{part.name}", notes, place))
    losses = extra_losses(game, reading, HOLDS, "the description") if objects else extra_losses(game, reading, ())
    if sheets:
        names = ", ".join(sheet_name(game, deck, sheet) for sheet in sheets)
        message = (
            f"{some(len(sheets), 'picture')} of card sheets ({names}) and {BACK} must be uploaded, "
            f"and {base_url} in the file replaced by their address."
        )
        losses = (Loss("pictures_needed", message), *losses)
    return json.dumps({**_SAVE, "ObjectStates": objects}, ensure_ascii=False, indent=2) + "\n", (*beyond, *losses)


def sheets_of(deck: Decklist) -> tuple[Sheet, ...]:
    """The sheets that this deck's file points to, copies on them once."""
    cards = tuple(faces_of(deck).values())
    chunks = [cards[start : start + PER_SHEET] for start in range(0, len(cards), PER_SHEET)]
    return tuple(Sheet(number, *grid(len(chunk)), chunk) for number, chunk in enumerate(chunks, 1))


def grid(count: int) -> tuple[int, int]:
    """(columns, rows) of a sheet for so many cards. Raises ValueError beyond 70."""
    if not 1 <= count <= PER_SHEET:
        raise ValueError(f"a sheet holds 1 to {PER_SHEET} cards, not {count}")
    rows = min(isqrt(count), MOST_ROWS)
    return ceil(count / rows), rows


def sheet_name(game: Game, deck: Decklist, sheet: Sheet) -> str:
    """The picture's file name."""
    return f"{file_stem(game, deck)}-sheet-{sheet.number}.png"


def _object(cards: list[dict[str, Any]], title: str, notes: str, place: int) -> dict[str, Any]:
    """A deck, or the card itself where there is but one: Tabletop Simulator has no decks of one card."""
    transform = {**_TRANSFORM, "posX": 3 * place, "posY": 1}
    if len(cards) == 1:
        said = "\n".join(text for text in (cards[0]["Description"], title, notes) if text)
        return {**cards[0], "Transform": transform, "Description": said}
    return {
        "Name": "DeckCustom",
        "Transform": transform,
        "Nickname": title,
        "Description": notes,
        "DeckIDs": [card["CardID"] for card in cards],
        "CustomDeck": {number: picture for card in cards for number, picture in card["CustomDeck"].items()},
        "ContainedObjects": cards,
    }


def _card(game: Game, card: Card, number: int, pictures: dict[str, dict[str, Any]]) -> dict[str, Any]:
    sheet = str(number // 100)
    return {
        "Name": "Card",
        "Transform": _TRANSFORM,
        "Nickname": card.name,
        "Description": _description(game, card),
        "CardID": number,
        "CustomDeck": {sheet: pictures[sheet]},
    }


def _description(game: Game, card: Card) -> str:
    """The type and the facts, for whoever hovers over the card."""
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
        "UniqueBack": False,
        "Type": 0,
    }


# rotZ 180 is face down.
_TRANSFORM = {"posX": 0, "posY": 0, "posZ": 0, "rotX": 0, "rotY": 180, "rotZ": 180, "scaleX": 1, "scaleY": 1, "scaleZ": 1}
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

FORMAT = FileFormat("tts", "Tabletop Simulator", ".tts.json", "application/json", write)
