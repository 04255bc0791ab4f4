"""The JSON of other programs: MTGJSON's decks, krcg's, and lists of sections like Scryfall's."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from decks.formats.contract import Loss, Unreadable
from decks.formats.rows import Parsed, Row

_MTGJSON = {"commander": "commander", "mainBoard": "main", "sideBoard": "sideboard"}


def found_text(content: Mapping[str, Any], key: str) -> str:
    """The text under this key; empty for anything else."""
    value = content.get(key)
    return value.strip() if isinstance(value, str) else ""


def found_list(content: Mapping[str, Any], key: str) -> list[Any]:
    value = content.get(key)
    return value if isinstance(value, list) else []


def found_count(content: Mapping[str, Any], key: str) -> str:
    """A whole number as its digits; what is none stays as it is written, to be refused by name."""
    value = content.get(key)
    return value if isinstance(value, str) else "1" if value is None else repr(value)


def parse_other(content: Mapping[str, Any]) -> Parsed:
    """Raises Unreadable where none of them is recognised."""
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
