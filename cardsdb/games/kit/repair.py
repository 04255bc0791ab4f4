"""Offer a repair only after judging the repaired deck."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardsdb.games.kit.decklist import Decklist, Entry
from cardsdb.games.kit.report import Report, Severity, Violation

if TYPE_CHECKING:
    from cardsdb.games.kit.game import Format, Game

Removal = tuple[tuple[Entry, int], ...]


def removal_for(game: Game, deck: Decklist, format: Format, violation: Violation, before: Report) -> Removal:
    """What may come out so that this violation is gone and nothing new is illegal; empty if nothing helps.

    ``before`` is the deck's report. Costs one more judgement, so whoever asks for many bounds how many.
    """
    if not violation.excess:
        return ()
    after = game.judge(deck.without(violation.excess), format)

    def same(other: Violation) -> bool:
        return (other.code, other.problem, other.cards) == (violation.code, violation.problem, violation.cards)

    cured = not any(same(other) and other.severity is Severity.ILLEGAL for other in after.violations)
    illegal = set(after.codes(Severity.INCOMPLETE)) - set(before.codes(Severity.INCOMPLETE))
    return violation.excess if cured and not illegal else ()
