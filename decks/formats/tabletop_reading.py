"""A saved object of Tabletop Simulator as a deck: names from the cards that a deck contains, counts from its ids."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from cardsdb.games.kit.model.text import some
from decks.formats.contract import Loss, Unreadable
from decks.formats.decoding import json_of_bytes
from decks.formats.json_dialects import found_list, found_text
from decks.formats.rows import Parsed, Row, merged


def parse(data: bytes) -> Parsed:
    """Any saved object with decks or cards in it, in bags too."""
    save, losses = json_of_bytes(data)
    if not isinstance(save, dict) or not isinstance(save.get("ObjectStates"), list):
        raise Unreadable("wrong_format", "A saved object of Tabletop Simulator has a list “ObjectStates”; this file has none.")
    rows: list[Row] = []
    names: list[str] = []
    kept: list[str] = []
    nameless = 0
    for thing in _decks_and_cards(save):
        alone = "DeckIDs" not in thing
        title = found_text(thing, "GMNotes" if alone else "Nickname")
        name, _, part = title.rpartition(": ")
        names.append(name)
        description = found_text(thing, "Description")
        kept.append(description.partition(f"{title}\n")[2] if alone and title else "" if alone else description)
        found, missed = _cards(thing, part)
        rows += found
        nameless += missed
    if nameless:
        losses = (*losses, Loss("cards_nameless", f"{some(nameless, 'card')} without a name left out: the file has only their pictures."))
    shared = next((name for name in names if name), "") if len(set(filter(None, names))) < 2 else ""
    return Parsed(merged(rows), name=shared, kept="\n".join(dict.fromkeys(filter(None, kept))), losses=losses)


def _decks_and_cards(thing: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The decks and single cards of the save, those in bags after those on the table; bounded by the depth of the JSON."""
    for inner in (*found_list(thing, "ObjectStates"), *found_list(thing, "ContainedObjects")):
        if not isinstance(inner, dict):
            continue
        if "DeckIDs" in inner or "CardID" in inner:
            yield inner
        else:
            yield from _decks_and_cards(inner)


def _cards(thing: dict[str, Any], part: str) -> tuple[list[Row], int]:
    """The cards of a deck, and how many have no name."""
    contained = [card for card in found_list(thing, "ContainedObjects") if isinstance(card, dict)] or [thing]
    if "DeckIDs" not in thing:
        contained = [thing]
    names = {card["CardID"]: found_text(card, "Nickname") for card in contained if type(card.get("CardID")) is int}
    ids = [number for number in found_list(thing, "DeckIDs") if type(number) is int] or [
        c["CardID"] for c in contained if type(c.get("CardID")) is int
    ]
    if len(contained) == len(ids):
        # Cards may share a picture and differ in their names.
        counts = Counter(found_text(card, "Nickname") for card in contained)
    else:
        counts = Counter(names.get(number, "") for number in ids)
    rows = [Row(place, str(count), name, part) for place, (name, count) in enumerate(counts.items(), 1) if name]
    return rows, counts[""]
