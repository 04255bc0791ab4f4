"""What a verdict is: a value. The words are made where it is shown."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import Literal, TypeAlias

from cardsdb.games.kit.decklist import Entry

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
class Violation:
    """One rule, broken in one way.

    ``code`` is the rule's (``AG-4``) and ``cites`` the citation's, mostly the same. ``problem``
    says how (``too-few``, ``too-many-copies``) and picks the sentence. ``what`` names the cards
    counted ("leaders"). ``cards`` are names. ``excess`` is what could come out to cure it.
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
