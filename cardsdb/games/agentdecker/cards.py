"""The rules of the cards themselves, in whatever zone they lie."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from cardsdb.games.kit import Card, Decklist, Rule, Severity, Violation
from cardsdb.games.kit.model.decklist import count_of
from cardsdb.games.kit.model.format import names_of, whole

LETTERS = ("A", "B", "C", "D", "E")
COSTS = {"stealth", "fighting", "any"}
OBSTACLES = {"obstacle", "mission-obstacle"}


def letter_of(card: Card) -> str:
    """The card's mission letter as a capital; empty when no source states it."""
    return str(card.fact("letter") or "").upper()


@dataclass(frozen=True)
class StatedCopies(Rule):
    """More copies than a source outside the rulebook states are only noted."""

    words = {"other-copies": "{found} copies of {cards}; a source outside the rulebook has {wanted}."}

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

    words = {
        # Here the deck is unknown, not the type as in other games.
        "perhaps-enough": (
            "{found} {what} of {wanted}; {cards} may be among them, but no source states their deck."
        ),
        "not-a-mission-card": "{cards}: the mission deck holds goals and mission obstacles only.",
        "deck-unknown": (
            "{cards}: no source states the deck, so whether the mission deck is the right one cannot be"
            " decided."
        ),
    }

    def judge(self, deck: Decklist) -> Iterator[Violation]:
        strange = [
            e
            for e in deck.in_section("mission-deck")
            if e.card.type not in ("mission-goal", "mission-obstacle")
        ]
        if wrong := [entry for entry in strange if entry.card.type != "unplaced"]:
            yield self.broken(
                "not-a-mission-card", Severity.ILLEGAL, cards=names_of(wrong), excess=whole(wrong)
            )
        if len(wrong) < len(strange):
            unknown = names_of(entry for entry in strange if entry.card.type == "unplaced")
            yield self.broken("deck-unknown", Severity.UNKNOWN, cards=unknown)


@dataclass(frozen=True)
class GoalsAndObstacles(Rule):
    """Notes if there are not five goals, one of each letter, and 18 mission obstacles: both numbers are only
    deduced.
    """

    words = {
        "goal-letters": "Letters of the goals: {found}; one goal each of {wanted} is expected.",
        "mission-obstacles": "Mission obstacles: {found}; {wanted} are expected.",
    }

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

    words = {"no-such-letter": "{cards}: a mission's letter is {wanted}."}

    def judge(self, deck: Decklist) -> Iterator[Violation]:
        wrong = [
            entry for entry in deck.entries if (letter := letter_of(entry.card)) and letter not in LETTERS
        ]
        if wrong:
            yield self.broken(
                "no-such-letter",
                Severity.ILLEGAL,
                cards=names_of(wrong),
                wanted="A to E",
                excess=whole(wrong),
            )


@dataclass(frozen=True)
class ObstacleData(Rule):
    """Cost and alarm of an obstacle, where stated, are not below zero, and the cost is paid in something
    known.
    """

    words = {
        "below-zero": "{cards}: neither cost nor alarm can be below zero.",
        "no-such-cost": "{cards}: a cost is paid in stealth, fighting or any mix of them.",
    }

    def judge(self, deck: Decklist) -> Iterator[Violation]:
        obstacles = [entry for entry in deck.entries if entry.card.type in OBSTACLES]
        negative = [
            e for e in obstacles if (e.card.number("cost") or 0) < 0 or (e.card.number("alarm") or 0) < 0
        ]
        if negative:
            yield self.broken(
                "below-zero", Severity.ILLEGAL, cards=names_of(negative), excess=whole(negative)
            )
        strange = [
            e for e in obstacles if (kind := e.card.fact("cost_kind")) and str(kind).casefold() not in COSTS
        ]
        if strange:
            yield self.broken(
                "no-such-cost", Severity.ILLEGAL, cards=names_of(strange), excess=whole(strange)
            )


@dataclass(frozen=True)
class GoalHasLetter(Rule):
    """A goal whose letter is not stated belongs to no known mission."""

    words = {"goal-without-letter": "{cards}: no letter is stated, so the mission is not known."}

    def judge(self, deck: Decklist) -> Iterator[Violation]:
        if unknown := [entry for entry in deck.of_type("mission-goal") if not letter_of(entry.card)]:
            yield self.broken("goal-without-letter", Severity.UNKNOWN, cards=names_of(unknown))
