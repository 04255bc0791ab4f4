"""The rules of the cards themselves, in whatever zone they lie, and those of a score sheet."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from cardsdb.games.kit import Card, Decklist, Rule, Severity, Violation
from cardsdb.games.kit.model.decklist import count_of

LETTERS = ("A", "B", "C", "D", "E")
COSTS = {"stealth", "fighting", "any"}
OBSTACLES = {"obstacle", "mission-obstacle"}


def letter_of(card: Card) -> str:
    """The card's mission letter as a capital; empty when no source states it."""
    return str(card.fact("letter") or "").upper()


@dataclass(frozen=True)
class StatedCopies(Rule):
    """More copies than a source outside the rulebook states are only noted."""

    def judge(self, deck: Decklist) -> Iterator[Violation]:
        counts: dict[str, int] = {}
        stated: dict[str, int] = {}
        for entry in deck.of_type("starting"):
            counts[entry.card.name] = counts.get(entry.card.name, 0) + entry.count
            stated[entry.card.name] = entry.card.number("copies") or 0
        for name, copies in stated.items():
            if copies and counts[name] > copies:
                yield self.broken(
                    "other-copies", Severity.NOTE, cards=(name,), found=counts[name], wanted=copies
                )


@dataclass(frozen=True)
class InMissionDeck(Rule):
    """The mission deck holds goals and mission obstacles only."""

    def judge(self, deck: Decklist) -> Iterator[Violation]:
        strange = [
            e
            for e in deck.in_section("mission-deck")
            if e.card.type not in ("mission-goal", "mission-obstacle")
        ]
        yield from self.barred("not-a-mission-card", [e for e in strange if e.card.type != "unplaced"])
        if unknown := [entry for entry in strange if entry.card.type == "unplaced"]:
            yield self.broken("deck-unknown", Severity.UNKNOWN, unknown)


@dataclass(frozen=True)
class GoalsAndObstacles(Rule):
    """Notes if there are not five goals, one of each letter, and 18 mission obstacles: both numbers are only
    deduced.
    """

    def judge(self, deck: Decklist) -> Iterator[Violation]:
        goals = tuple(
            sorted(
                letter_of(entry.card) or "?"
                for entry in deck.of_type("mission-goal")
                for _ in range(entry.count)
            )
        )
        if goals != LETTERS:
            yield self.broken("goal-letters", Severity.NOTE, found=goals or ("none",), wanted=LETTERS)
        count = count_of(deck.of_type("mission-obstacle"))
        if not count <= 18 <= count + count_of(deck.of_type("unplaced")):
            yield self.broken("mission-obstacles", Severity.NOTE, found=count, wanted=18)


@dataclass(frozen=True)
class Letters(Rule):
    """The letter of a mission card, where it is stated, is one of the five."""

    def judge(self, deck: Decklist) -> Iterator[Violation]:
        wrong = [
            entry for entry in deck.entries if (letter := letter_of(entry.card)) and letter not in LETTERS
        ]
        yield from self.barred("no-such-letter", wrong, wanted="A to E")


@dataclass(frozen=True)
class ObstacleData(Rule):
    """Cost and alarm of an obstacle, where stated, are not below zero, and the cost is paid in something
    known.
    """

    def judge(self, deck: Decklist) -> Iterator[Violation]:
        obstacles = [entry for entry in deck.entries if entry.card.type in OBSTACLES]
        negative = [
            e for e in obstacles if (e.card.number("cost") or 0) < 0 or (e.card.number("alarm") or 0) < 0
        ]
        yield from self.barred("below-zero", negative)
        strange = [
            e for e in obstacles if (kind := e.card.fact("cost_kind")) and str(kind).casefold() not in COSTS
        ]
        yield from self.barred("no-such-cost", strange)


@dataclass(frozen=True)
class GoalHasLetter(Rule):
    """A goal whose letter is not stated belongs to no known mission."""

    def judge(self, deck: Decklist) -> Iterator[Violation]:
        if unknown := [entry for entry in deck.of_type("mission-goal") if not letter_of(entry.card)]:
            yield self.broken("goal-without-letter", Severity.UNKNOWN, unknown)


# -- the score sheet --------------------------------------------------------------

MAX_SCORE = 49


def scores(deck: Decklist) -> tuple[int | None, ...]:
    """The alarm at the end of missions 1 to 5; None where the sheet is empty."""
    return tuple(deck.number(f"mission_{number}") for number in range(1, 6))


@dataclass(frozen=True)
class FiveMissions(Rule):
    """A whole sheet has five scores, a total and a date."""

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

    def judge(self, deck: Decklist) -> Iterator[Violation]:
        yield from self.barred("card-on-sheet", deck.entries, found=deck.size, wanted=0)


@dataclass(frozen=True)
class FinishedBelowFifty(Rule):
    """A mission is finished with an alarm of 0 to 49."""

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

    def judge(self, deck: Decklist) -> Iterator[Violation]:
        by_mission = scores(deck)
        last = max((number for number, score in enumerate(by_mission, 1) if score is not None), default=0)
        gaps = tuple(
            f"Mission {number}" for number, score in enumerate(by_mission[:last], 1) if score is None
        )
        if gaps:
            yield self.broken("gap", Severity.NOTE, wanted=gaps)
