"""All of a deck that its author writes, as one value: what is edited, compared, merged, kept in its history and sent about."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from cardsdb.games.kit import Card, CardType, Claim, Decklist, Entry, Game, Marks, Section

WRITTEN_IN = Claim("", note="written in by the author of the list")


@dataclass(frozen=True, slots=True)
class DeckContent:
    """A deck without its address and its readers: the list with details, name and marks, the format, house rules, notes, tags."""

    deck: Decklist
    format: str
    house: str = ""
    notes: str = ""
    tags: tuple[str, ...] = ()

    def as_json(self) -> dict[str, Any]:
        """What ``content_of_json`` reads again. Cards of the catalogue stand by their code alone."""
        return {
            "name": self.deck.name,
            "format": self.format,
            "house": self.house,
            "notes": self.notes,
            "tags": list(self.tags),
            "details": dict(self.deck.details),
            "lines": [_line(entry) for entry in self.deck],
        }


def content_of_json(game: str, data: Mapping[str, Any], card_named: Callable[[str], Card | None]) -> DeckContent:
    """The content again. ``card_named``: code -> card of the game; a card that is nowhere any more keeps its code as a name."""
    entries = tuple(
        Entry(
            written_card(game, line["written"]) if "written" in line else card_named(line["code"]) or _lost(game, line["code"]),
            line["count"],
            line["section"],
            Marks(line.get("note", ""), tuple(line.get("tags", ())), line.get("keep", False)),
        )
        for line in data["lines"]
    )
    deck = Decklist(entries, data["details"], data["name"])
    return DeckContent(deck, data["format"], data["house"], data["notes"], tuple(data["tags"]))


def written_json(card: Card) -> dict[str, Any]:
    """A card that the list's author wrote in."""
    facts = {key: list(value) if isinstance(value, tuple) else value for key, value in card.facts.items()}
    return {"code": card.code, "name": card.name, "type": card.type, "facts": facts}


def written_card(game: str, data: Mapping[str, Any]) -> Card:
    facts = {key: tuple(value) if isinstance(value, list) else value for key, value in data["facts"].items()}
    return Card(game, data["code"], data["name"], data["type"], facts, sources={"": (WRITTEN_IN,)}, written=True)


def _line(entry: Entry) -> dict[str, Any]:
    card, marks = entry.card, entry.marks
    line: dict[str, Any] = {"section": entry.section, "count": entry.count}
    line |= {"written": written_json(card)} if card.written else {"code": card.code}
    line |= {"note": marks.note} if marks.note else {}
    line |= {"tags": list(marks.tags)} if marks.tags else {}
    return line | ({"keep": True} if marks.keep else {})


def _lost(game: str, code: str) -> Card:
    return Card(game, code, code, "", written=True)


def by_type(game: Game, section: Section, entries: Iterable[Entry]) -> list[tuple[CardType, tuple[Entry, ...]]]:
    """Each type that the section has cards of, with its lines; by the section's number if it has one, else as their author put them."""
    found: dict[str, list[Entry]] = {}
    for entry in entries:
        found.setdefault(entry.card.type, []).append(entry)
    # A retired card's type may be one that the game no longer has: it comes last.
    order = [slug for slug in dict.fromkeys([*game.types_by_slug, *found]) if slug in found]
    return [(game.type_named(slug), tuple(_ordered(section, found[slug]))) for slug in order]


def _ordered(section: Section, entries: list[Entry]) -> list[Entry]:
    """By the section's number, least first; cards of which nobody states it come last."""

    def place(entry: Entry) -> tuple[bool, float]:
        value = entry.card.facts.get(section.order) if section.order else None
        number = value if isinstance(value, int | float) and not isinstance(value, bool) else None
        return (True, 0) if number is None else (False, number)

    return sorted(entries, key=place)
