"""A verdict as a value. Its words are made where it is shown (``sentences.py``)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Literal, NamedTuple, TypeAlias

from cardsdb.games.kit.model.cards import Card, FactValue
from cardsdb.games.kit.model.decklist import Entry

Verdict = Literal["legal", "undecided", "incomplete", "illegal"]
Problem: TypeAlias = str
Amount = int | str | tuple[str, ...] | None


class Severity(IntEnum):
    """What the player must do about it.

    ILLEGAL: something must come out or change. INCOMPLETE: adding cards cures it. UNKNOWN:
    no source states what the rule needs, and we do not guess. NOTE: nothing; good to know.
    """

    NOTE = 0
    UNKNOWN = 1
    INCOMPLETE = 2
    ILLEGAL = 3

    @property
    def slug(self) -> str:
        return self.name.lower()


_VERDICTS: dict[Severity, Verdict] = {
    Severity.NOTE: "legal",
    Severity.UNKNOWN: "undecided",
    Severity.INCOMPLETE: "incomplete",
    Severity.ILLEGAL: "illegal",
}


@dataclass(frozen=True, slots=True)
class Lack:
    """Cards that would cure a violation, were they in the deck.

    ``count`` of them, of one of these types (of any, if none is named), with these values of
    facts, called ``name`` if that matters, in the first of ``sections`` that takes them (where
    their type belongs, if none is named). ``less`` names a number fact of which a card put in
    for another must have less than that one.
    """

    count: int = 1
    types: tuple[str, ...] = ()
    sections: tuple[str, ...] = ()
    facts: Mapping[str, FactValue] = field(default_factory=dict)
    name: str = ""
    less: str = ""

    def fits(self, card: Card) -> bool:
        """Whether this card is one of those that are lacking."""
        if (self.types and card.type not in self.types) or (self.name and card.name != self.name):
            return False
        if self.less and card.number(self.less) is None:
            return False
        return all(card.fact(key) == value for key, value in self.facts.items())


class Meter(NamedTuple):
    """How far a deck has come by one number of a rule: ``found`` cards, say, of at least ``least`` and at
    most ``most``.
    """

    label: str
    found: int
    least: int | None
    most: int | None
    code: str
    cites: str = ""

    @property
    def within_bounds(self) -> bool:
        """Whether the deck has at least ``least`` and at most ``most``."""
        return (self.least is None or self.found >= self.least) and (
            self.most is None or self.found <= self.most
        )


@dataclass(frozen=True, slots=True)
class Violation:
    """One rule, broken in one way.

    ``code`` is the rule's (``AG-4``) and ``cites`` the citation's, mostly the same. ``problem``
    says how (``too-few``, ``too-many-copies``) and picks the sentence. ``what`` names the cards
    counted ("leaders"). ``cards`` are names. ``excess`` is what could come out to cure it, and
    ``lacks`` what could be put in: of an illegal deck in the place of one of ``cards``.
    """

    code: str
    problem: Problem
    severity: Severity
    what: str = "cards"
    cards: tuple[str, ...] = ()
    found: Amount = None
    wanted: Amount = None
    cites: str = ""
    excess: tuple[tuple[Entry, int], ...] = ()
    lacks: tuple[Lack, ...] = ()


@dataclass(frozen=True, slots=True)
class Report:
    """All violations, in the rulebook's order. ``unread`` is how many lines could not be read."""

    violations: tuple[Violation, ...] = ()
    unread: int = 0

    @property
    def verdict(self) -> Verdict:
        worst = max((violation.severity for violation in self.violations), default=Severity.NOTE)
        if self.unread:
            # An unread line may be any card, so a deck with one is never called legal.
            worst = max(worst, Severity.UNKNOWN)
        return _VERDICTS[worst]

    def codes(self, above: Severity = Severity.NOTE) -> tuple[str, ...]:
        """The rules broken more gravely than ``above``, each once, in order."""
        return tuple(dict.fromkeys(v.code for v in self.violations if v.severity > above))
