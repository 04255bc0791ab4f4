"""What files say, before any game looks at it: rows that name cards, and words about the deck."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

from cardsdb.games.kit import Game, Marks
from cardsdb.games.kit.listtext.deck import Unread
from cardsdb.games.kit.model.decklist import NO_MARKS
from decks.formats.contract import Loss, ReadFile

MAX_ROWS = 5_000


@dataclass(frozen=True, slots=True)
class Row:
    """Some copies of a card as a file names it. ``place`` is a line's number, or the how manieth card of the file it is.

    ``id`` is the card's in that tool, ``code`` the one in our catalogue. ``facts`` are those of a card that the list
    writes in, None for any other.
    """

    place: int
    count: str
    name: str
    part: str = ""
    set: str = ""
    number: str = ""
    id: str = ""
    code: str = ""
    type: str = ""
    facts: tuple[tuple[str, object], ...] | None = None
    marks: Marks = NO_MARKS

    @property
    def text(self) -> str:
        """The row as a line that a person would write."""
        extras = f" ({self.set})" + (f" {self.number}" if self.number else "") if self.set else ""
        return f"{self.count} {self.name}{extras}"


@dataclass(frozen=True, slots=True)
class Parsed:
    """A whole file. ``game`` is the slug of the game it is for, empty if it does not say; ``kept`` are the notes in which we
    keep what the format has no place for. ``details`` stand by key."""

    rows: tuple[Row, ...]
    game: str = ""
    name: str = ""
    format: str = ""
    house: str = ""
    notes: str = ""
    kept: str = ""
    tags: tuple[str, ...] = ()
    comments: tuple[str, ...] = ()
    details: Mapping[str, int | str] = field(default_factory=dict)
    losses: tuple[Loss, ...] = ()
    dialect: str = ""
    unread: tuple[Unread, ...] = ()


Read = Callable[[Game | None, bytes, str], ReadFile]


def merged(rows: list[Row]) -> tuple[Row, ...]:
    """Rows of one copy each, added up where they say the same."""
    found: dict[tuple[str, ...], Row] = {}
    counts: dict[tuple[str, ...], int] = {}
    for row in rows:
        key = (row.name, row.part, row.set, row.number, row.id, row.code)
        found.setdefault(key, row)
        counts[key] = counts.get(key, 0) + (int(row.count) if re.fullmatch("[0-9]{1,4}", row.count) else 0)
    return tuple(replace(row, count=str(counts[key])) for key, row in found.items())
