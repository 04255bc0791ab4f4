"""The cards of one section as pages show them: by type, and within a type as the game orders the section."""

from __future__ import annotations

from collections.abc import Iterable

from cardsdb.games.kit import CardType, Entry, Game, Section


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
