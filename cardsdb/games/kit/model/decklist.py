"""What a deck is to the rules: entries in sections, and a few details."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Literal

from cardsdb.games.kit.model.cards import Card


@dataclass(frozen=True, slots=True)
class Section:
    """A part of a deck. A card that names no section goes to the first one that takes its type.

    ``secret`` sections are shown to the deck's owner alone. ``headings`` are other words by
    which lists name the section. ``order``: the number by which pages order its cards, if not as their author put them.
    """

    slug: str
    name: str
    types: tuple[str, ...]
    headings: tuple[str, ...] = ()
    secret: bool = False
    order: str = ""


@dataclass(frozen=True, slots=True)
class Detail:
    """Something a list states that is not a card: ``Players: 4``, ``Mission 1: 12``."""

    key: str
    label: str
    help: str
    kind: Literal["number", "text"] = "number"


@dataclass(frozen=True, slots=True)
class Marks:
    """What a deck's author wrote on one of its lines. No rule looks at them.

    ``keep``: no repair may take the card out, only copies beyond what the rules allow of it.
    """

    note: str = ""
    tags: tuple[str, ...] = ()
    keep: bool = False


NO_MARKS = Marks()


@dataclass(frozen=True, slots=True)
class Entry:
    """``count`` copies of one card in one section."""

    card: Card
    count: int
    section: str
    marks: Marks = NO_MARKS


@dataclass(frozen=True, slots=True)
class Decklist:
    """A deck as the rules see it. Immutable; the order of entries is the author's."""

    entries: tuple[Entry, ...] = ()
    details: Mapping[str, int | str] = field(default_factory=dict)
    name: str = ""

    def __iter__(self) -> Iterator[Entry]:
        return iter(self.entries)

    @property
    def size(self) -> int:
        return sum(entry.count for entry in self.entries)

    def number(self, key: str) -> int | None:
        value = self.details.get(key)
        return value if isinstance(value, int) else None

    def in_section(self, *sections: str) -> tuple[Entry, ...]:
        return tuple(entry for entry in self.entries if entry.section in sections)

    def of_type(self, *types: str) -> tuple[Entry, ...]:
        return tuple(entry for entry in self.entries if entry.card.type in types)

    def without(self, removed: Iterable[tuple[Entry, int]]) -> Decklist:
        """The deck after so many copies of those entries are taken out."""
        gone: dict[int, int] = {}
        for entry, count in removed:
            gone[id(entry)] = gone.get(id(entry), 0) + count
        left = tuple(
            replace(entry, count=entry.count - gone.get(id(entry), 0)) for entry in self.entries if entry.count > gone.get(id(entry), 0)
        )
        return replace(self, entries=left)


def count_of(entries: Iterable[Entry]) -> int:
    """Cards in these entries, copies counted."""
    return sum(entry.count for entry in entries)
