"""The rules of a score sheet."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from cardsdb.games.kit import Decklist, Rule, Severity, Violation
from cardsdb.games.kit.model.format import names_of, whole

MAX_SCORE = 49


def scores(deck: Decklist) -> tuple[int | None, ...]:
    """The alarm at the end of missions 1 to 5; None where the sheet is empty."""
    return tuple(deck.number(f"mission_{number}") for number in range(1, 6))


@dataclass(frozen=True)
class FiveMissions(Rule):
    """A whole sheet has five scores, a total and a date."""

    words = {
        "missions-missing": "{wanted}: no score yet.",
        "total-missing": "No total is written down; the five come to {found}.",
        "date-missing": "No date is written down.",
    }

    def judge(self, deck: Decklist) -> Iterator[Violation]:
        by_mission = scores(deck)
        missing = tuple(f"Mission {number}" for number, score in enumerate(by_mission, 1) if score is None)
        if missing:
            yield self.broken("missions-missing", Severity.INCOMPLETE, found=5 - len(missing), wanted=missing)
        elif deck.number("total") is None:
            yield self.broken("total-missing", Severity.NOTE, found=sum(score or 0 for score in by_mission))
        if not deck.details.get("date"):
            yield self.broken("date-missing", Severity.NOTE)


@dataclass(frozen=True)
class NoCards(Rule):
    """A score sheet lists numbers, no cards."""

    words = {"card-on-sheet": "{cards}: a score sheet lists scores alone, no cards."}

    def judge(self, deck: Decklist) -> Iterator[Violation]:
        if deck.entries:
            yield self.broken(
                "card-on-sheet",
                Severity.ILLEGAL,
                cards=names_of(deck.entries),
                found=deck.size,
                wanted=0,
                excess=whole(deck),
            )


@dataclass(frozen=True)
class FinishedBelowFifty(Rule):
    """A mission is finished with an alarm of 0 to 49."""

    words = {"score-too-high": "{what}: {found}; at 50 the game is lost, so {wanted} at most."}

    def judge(self, deck: Decklist) -> Iterator[Violation]:
        for number, score in enumerate(scores(deck), 1):
            if score is not None and score > MAX_SCORE:
                yield self.broken(
                    "score-too-high",
                    Severity.ILLEGAL,
                    what=f"Mission {number}",
                    found=score,
                    wanted=MAX_SCORE,
                )


@dataclass(frozen=True)
class TotalAddsUp(Rule):
    """The total is the sum of the five; while scores are missing it must at least be possible."""

    words = {
        "wrong-total": "Total {found}; the five come to {wanted}.",
        "impossible-total": "Total {found}: the scores written down allow {wanted}.",
    }

    def judge(self, deck: Decklist) -> Iterator[Violation]:
        total = deck.number("total")
        if total is None:
            return
        by_mission = scores(deck)
        least = sum(score or 0 for score in by_mission)
        most = least + MAX_SCORE * by_mission.count(None)
        if least == most and total != least:
            yield self.broken("wrong-total", Severity.ILLEGAL, found=total, wanted=least)
        elif not least <= total <= most:
            yield self.broken("impossible-total", Severity.ILLEGAL, found=total, wanted=f"{least} to {most}")


@dataclass(frozen=True)
class NoGaps(Rule):
    """Notes a score after an empty line, since missions are played in order."""

    words = {"gap": "{wanted}: empty, though a later mission has a score."}

    def judge(self, deck: Decklist) -> Iterator[Violation]:
        by_mission = scores(deck)
        last = max((number for number, score in enumerate(by_mission, 1) if score is not None), default=0)
        gaps = tuple(
            f"Mission {number}" for number, score in enumerate(by_mission[:last], 1) if score is None
        )
        if gaps:
            yield self.broken("gap", Severity.NOTE, wanted=gaps)
