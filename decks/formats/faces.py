"""Which cards of a deck are one picture: what prints sheets and orders needs each picture once."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeAlias

from cardsdb.games.kit import Card, Entry

Face: TypeAlias = tuple[str, str, str]


def face_of(card: Card) -> Face:
    """Equal for cards that look alike; cards written in by one name may differ in their facts."""
    return card.code, card.type, str(sorted(card.facts.items())) if card.written else ""


def faces_of(entries: Iterable[Entry]) -> dict[Face, Card]:
    """The different cards of these entries, in their order."""
    faces: dict[Face, Card] = {}
    for entry in entries:
        faces.setdefault(face_of(entry.card), entry.card)
    return faces
