"""Judge a deck by a format's rules.

A card of which only the name is known may be any card. So the rules see the deck without such cards; what adding
cards would cure, they may cure; and as long as there are any, the deck is not called legal.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from cardsdb.games.kit.model.decklist import Decklist, count_of
from cardsdb.games.kit.model.format import Format
from cardsdb.games.kit.model.report import Report, Severity, Violation

CODE = "unknown-card"


def judge(deck: Decklist, format: Format, unread: int = 0) -> Report:
    """Every violation of the format's rules, in their order; ``unread`` is how many lines of the list could not be read."""
    known, missed = _known_part(deck)
    violations = (violation for rule in format.rules for violation in rule.judge(known))
    return Report((*missed, *_without_those_cured_by(missed, violations)), unread)


def _known_part(deck: Decklist) -> tuple[Decklist, tuple[Violation, ...]]:
    """The deck without its unknown cards, and the violation that names them, if there are any."""
    missed = tuple(entry for entry in deck.entries if entry.card.unknown)
    if not missed:
        return deck, ()
    names = tuple(dict.fromkeys(entry.card.name for entry in missed))
    known = replace(deck, entries=tuple(entry for entry in deck.entries if not entry.card.unknown))
    return known, (Violation(CODE, "no-such-card", Severity.UNKNOWN, cards=names, found=count_of(missed)),)


def _without_those_cured_by(missed: tuple[Violation, ...], violations: Iterable[Violation]) -> Iterator[Violation]:
    """The violations but those of a want that the unknown cards may fill."""
    spare = sum(violation.found for violation in missed if isinstance(violation.found, int))
    for violation in violations:
        if violation.severity is not Severity.INCOMPLETE or _wanting(violation) > spare:
            yield violation


def _wanting(violation: Violation) -> int:
    """How many cards at least would cure the violation."""
    if isinstance(violation.wanted, tuple):
        return len(violation.wanted)
    if isinstance(violation.wanted, int) and isinstance(violation.found, int):
        return max(violation.wanted - violation.found, 1)
    return 1
