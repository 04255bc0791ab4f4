"""Ways to build a deck: a format with its rules in order, ready decks, and decks whose verdict is known."""

from __future__ import annotations

from dataclasses import dataclass

from cardsdb.games.kit.model.decklist import Detail
from cardsdb.games.kit.model.report import Verdict
from cardsdb.games.kit.model.rule import Rule


@dataclass(frozen=True, slots=True)
class Format:
    """A way to build a deck: its sections, the details a list must state, and its rules in order."""

    slug: str
    name: str
    rules: tuple[Rule, ...]
    sections: tuple[str, ...]
    help: str = ""
    details: tuple[Detail, ...] = ()
    official: bool = True


@dataclass(frozen=True, slots=True)
class Starter:
    """A ready deck, kept as the text a person would paste."""

    slug: str
    name: str
    format: str
    text: str
    source: str = ""
    note: str = ""


@dataclass(frozen=True, slots=True)
class Example:
    """A deck and the verdict it must get: specification and test at once.

    ``codes`` are the rules broken more gravely than a note, ``notes`` those that only note
    something (None: not looked at).
    """

    name: str
    format: str
    text: str
    verdict: Verdict
    codes: tuple[str, ...] = ()
    notes: tuple[str, ...] | None = None
