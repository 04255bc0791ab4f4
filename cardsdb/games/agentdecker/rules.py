"""Rules that only Agent Decker has: for all cards, for a score sheet, and for the state of a campaign, where
each zone of the table is a section of the list.

``game.toml`` lists them in its formats (``rule = "no_gaps"`` is ``NoGaps``) with their codes and sentences;
``rulebook.toml`` cites each code, ``examples.toml`` has a deck that breaks it, which
``tests/cardsdb/games/test_games.py`` judges. A card of the type ``unplaced`` is one whose type no source
states: it may be of any type. ``worksheets.py`` uses the numbers and ``mission_of``.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby

from cardsdb.games.kit import Card, Decklist, Entry, Meter, Rule, Violation, count_of
from cardsdb.games.kit.model.format import Lack, last_of
from cardsdb.games.kit.play.statistics import tally

# The letters of missions 1 to 5.
LETTERS = ("A", "B", "C", "D", "E")
MISSIONS = range(1, len(LETTERS) + 1)
# All cards of the game.
CARDS = 54
# Mission obstacles in the box, by our deduction.
MISSION_OBSTACLES = 18
# Obstacles in the line at the start of a turn.
IN_LINE = 6
# The alarm at which the game is lost.
LOST_AT = 50
# The highest alarm at which a mission can be finished.
MAX_SCORE = LOST_AT - 1
COSTS = {"stealth", "fighting", "any"}
OBSTACLES = {"obstacle", "mission-obstacle"}
# Types of the mission deck, which have a letter; a card of the type "unplaced" may be one.
_LETTERED = {"mission-goal", "mission-obstacle", "unplaced"}


def letter_of(card: Card) -> str:
    """Return the card's mission letter as a capital; empty if it is unknown."""
    return card.word("letter").upper()


class StatedCopies(Rule):
    """Notes more copies of a starting card than stated. The number is from a source outside the rulebook, so
    this changes no verdict.
    """

    def judge(self, deck: Decklist) -> Iterator[Violation]:
        starting = deck.of_type("starting")
        found = tally(starting, lambda entry: (entry.card.name,))
        stated = {entry.card.name: entry.card.number("copies") for entry in starting}
        for name, copies in stated.items():
            if copies and found[name] > copies:
                yield self.note("other-copies", cards=(name,), found=found[name], wanted=copies)


class InMissionDeck(Rule):
    """The mission deck has only goals and mission obstacles."""

    def judge(self, deck: Decklist) -> Iterator[Violation]:
        cards = deck.in_section("mission-deck")
        yield from self.barred(
            "not-a-mission-card", [entry for entry in cards if entry.card.type not in _LETTERED]
        )
        yield from self.doubted("deck-unknown", [entry for entry in cards if entry.card.type == "unplaced"])


class GoalsAndObstacles(Rule):
    """Notes if there are not five goals, one of each letter, and MISSION_OBSTACLES mission obstacles. Both
    numbers are only our deduction.
    """

    def judge(self, deck: Decklist) -> Iterator[Violation]:
        goals = tally(deck.of_type("mission-goal"), lambda entry: (letter_of(entry.card) or "?",))
        letters = tuple(sorted(goals.elements()))  # one for each copy
        if letters != LETTERS:
            yield self.note("goal-letters", found=letters or ("none",), wanted=LETTERS)
        known = count_of(deck.of_type("mission-obstacle"))
        # Cards of unknown type may be further mission obstacles.
        may_be = known + count_of(deck.of_type("unplaced"))
        if known > MISSION_OBSTACLES or may_be < MISSION_OBSTACLES:
            yield self.note("mission-obstacles", found=known, wanted=MISSION_OBSTACLES)


class Letters(Rule):
    """The letter of a mission card, if it is known, is one of the five."""

    def judge(self, deck: Decklist) -> Iterator[Violation]:
        wrong = [entry for entry in deck.entries if letter_of(entry.card) not in ("", *LETTERS)]
        yield from self.barred("no-such-letter", wrong, wanted="A to E")


class ObstacleData(Rule):
    """Cost and alarm of an obstacle, if known, are not below zero, and its cost is paid with a known
    resource.
    """

    def judge(self, deck: Decklist) -> Iterator[Violation]:
        obstacles = [entry for entry in deck.entries if entry.card.type in OBSTACLES]
        negative = [
            entry
            for entry in obstacles
            if (entry.card.number("cost") or 0) < 0 or (entry.card.number("alarm") or 0) < 0
        ]
        yield from self.barred("below-zero", negative)
        # An unknown kind is empty.
        wrong_kind = [
            entry for entry in obstacles if entry.card.word("cost_kind").casefold() not in ("", *COSTS)
        ]
        yield from self.barred("no-such-cost", wrong_kind)


class GoalHasLetter(Rule):
    """A goal has a known letter; otherwise it is undecided to which mission it belongs."""

    def judge(self, deck: Decklist) -> Iterator[Violation]:
        goals = deck.of_type("mission-goal")
        yield from self.doubted("goal-without-letter", [goal for goal in goals if not letter_of(goal.card)])


# -- the score sheet --------------------------------------------------------------


def scores(deck: Decklist) -> tuple[int | None, ...]:
    """Return the alarm at the end of missions 1 to 5; None where the sheet is empty."""
    return tuple(deck.number(f"mission_{number}") for number in MISSIONS)


class FiveMissions(Rule):
    """A complete sheet has five scores. A missing total or date is noted."""

    def judge(self, deck: Decklist) -> Iterator[Violation]:
        by_mission = scores(deck)
        missing = tuple(f"Mission {number}" for number, score in enumerate(by_mission, 1) if score is None)
        if missing:
            yield self.incomplete("missions-missing", found=len(MISSIONS) - len(missing), wanted=missing)
        elif deck.number("total") is None:
            yield self.note("total-missing", found=sum(score or 0 for score in by_mission))
        if not deck.details.get("date"):
            yield self.note("date-missing")


class FinishedBelowFifty(Rule):
    """No score is above MAX_SCORE."""

    def judge(self, deck: Decklist) -> Iterator[Violation]:
        for number, score in enumerate(scores(deck), 1):
            if score is not None and score > MAX_SCORE:
                what = f"Mission {number}"
                yield self.illegal("score-too-high", what=what, found=score, wanted=MAX_SCORE)


class TotalAddsUp(Rule):
    """The total is the sum of the five scores; if some are missing, it is a sum that is still possible."""

    def judge(self, deck: Decklist) -> Iterator[Violation]:
        total = deck.number("total")
        if total is None:
            return
        by_mission = scores(deck)
        # Scores 12, 31, 7 and two missing: the total is from 50 to 50 + 2 * 49 = 148.
        least = sum(score or 0 for score in by_mission)
        most = least + MAX_SCORE * by_mission.count(None)
        if least == most and total != least:
            yield self.illegal("wrong-total", found=total, wanted=least)
        elif not least <= total <= most:
            yield self.illegal("impossible-total", found=total, wanted=f"{least} to {most}")


class NoGaps(Rule):
    """Notes a score after an empty line, because missions are played in order."""

    def judge(self, deck: Decklist) -> Iterator[Violation]:
        by_mission = scores(deck)
        played = [number for number, score in enumerate(by_mission, 1) if score is not None]
        empty = [number for number, score in enumerate(by_mission, 1) if score is None]
        gaps = tuple(f"Mission {number}" for number in empty if number < max(played, default=0))
        if gaps:
            yield self.note("gap", wanted=gaps)


# Types in zones of obstacles.
_OBSTACLES = {*OBSTACLES, "unplaced"}
# Types in zones of the player's own cards: obstacles that were overcome join these.
_YOURS = _OBSTACLES | {"starting"}
# Slug of a zone -> types that may be there. The mission deck (AD-07) and items (AD-11) have rules of their
# own.
ZONES = {
    "alarm": {"alarm"},
    **dict.fromkeys(("obstacle-deck", "line", "obstacle-discard"), _OBSTACLES),
    **dict.fromkeys(("your-deck", "hand", "play-area", "your-discard"), _YOURS),
    **dict.fromkeys(("equip-area", "removed"), _YOURS | {"mission-goal"}),
}


def mission_of(deck: Decklist) -> str:
    """Return the letter of the current mission: empty if the list does not state it, "?" if it states none of
    the five. "B", "2", "Mission 2" and "mission 2 (b)" -> "B"
    """
    stated = str(deck.details.get("mission", "")).strip().upper()
    if not stated:
        return ""
    match = re.fullmatch(r"(?:MISSION )?([1-5A-E])(?: \([A-E]\))?", stated)
    if not match:
        return "?"
    return LETTERS[int(match[1]) - 1] if match[1].isdigit() else match[1]


class Equipped(Rule):
    """Only items (obstacles that may be kept) and finished goals are in the equip area."""

    def judge(self, deck: Decklist) -> Iterator[Violation]:
        equipped = [entry for entry in deck.in_section("equip-area") if entry.card.type in _YOURS]
        no_items = [entry for entry in equipped if entry.card.fact("keep") is False]
        unknown = [entry for entry in equipped if entry.card.fact("keep") is None]
        yield from self.barred("not-an-item", no_items)
        yield from self.doubted("item-unknown", unknown)


class InOrderOfLetters(Rule):
    """The mission deck, listed from the top, is in the order of the letters."""

    def judge(self, deck: Decklist) -> Iterator[Violation]:
        entries = [entry for entry in deck.in_section("mission-deck") if entry.card.type in _LETTERED]
        letters = list(filter(None, [letter_of(entry.card) for entry in entries]))
        if letters != sorted(letters):
            # "B, A, B" of the letters B, B, A, B
            yield self.illegal("out-of-order", found=", ".join(letter for letter, _ in groupby(letters)))
        yield from self.doubted("letter-unknown", [entry for entry in entries if not letter_of(entry.card)])


class AlarmBelowFifty(Rule):
    """The alarm is stated and below LOST_AT; on the first turn it is 0."""

    def judge(self, deck: Decklist) -> Iterator[Violation]:
        alarm = deck.number("alarm")
        if alarm is None:
            yield self.incomplete("alarm-not-stated")
        elif alarm >= LOST_AT:
            yield self.illegal("alarm-full", found=alarm, wanted=LOST_AT)
        elif alarm and deck.number("turn") == 1:
            yield self.illegal("alarm-not-zero", found=alarm, wanted=0)


@dataclass(frozen=True)
class Dealt(Rule):
    """The zone ``to`` has ``wanted`` cards, and on the first turn of the campaign ``left`` cards remain in
    the zone ``source`` that they were dealt from. ``what`` and ``rest`` are words for the two zones: 6 cards
    in the line (``to``), 16 left in the obstacles deck (``source``).
    """

    to: str = ""
    what: str = ""
    wanted: int = 0
    source: str = ""
    rest: str = ""
    left: int = 0
    numbers = {"wanted": "cards in {what}, exactly", "left": "cards left in {rest} at the start, exactly"}

    def meters(self, deck: Decklist) -> Iterator[Meter]:
        yield self.meter(
            f"cards in {self.what}", count_of(deck.in_section(self.to)), self.wanted, self.wanted
        )

    def judge(self, deck: Decklist) -> Iterator[Violation]:
        dealt = deck.in_section(self.to)
        yield from self._exactly(self.wanted, dealt, f"cards in {self.what}", self.to)
        if deck.number("turn") == 1 and mission_of(deck) == "A":
            rest = deck.in_section(self.source)
            # Obstacles of mission A may be among the cards from the start; they are not counted in ``left``.
            added = count_of(entry for entry in (*dealt, *rest) if entry.card.type == "mission-obstacle")
            yield from self._exactly(
                self.left + added, rest, f"cards left in {self.rest} at the start", self.source
            )

    def _exactly(self, wanted: int, entries: tuple[Entry, ...], what: str, zone: str) -> Iterator[Violation]:
        """Yield a violation if the entries of a zone are fewer or more cards than wanted."""
        count = count_of(entries)
        if count < wanted:
            lacks = (Lack(wanted - count, types=tuple(sorted(ZONES[zone])), sections=(zone,)),)
            yield self.incomplete("not-exactly", what=what, found=count, wanted=wanted, lacks=lacks)
        elif count > wanted:
            excess = tuple(last_of(entries, count - wanted))
            yield self.illegal("not-exactly", entries, what=what, found=count, wanted=wanted, excess=excess)


class ObstaclesInTime(Rule):
    """Obstacles of a mission are in the mission deck until their mission begins, and
    elsewhere from then on.
    """

    def judge(self, deck: Decklist) -> Iterator[Violation]:
        current = mission_of(deck)
        if not current:
            yield self.incomplete("mission-not-stated")
            return
        if current == "?":
            yield self.illegal("no-such-mission", found=str(deck.details["mission"]))
            return
        # (letter of its mission, entry). An unknown letter is "", which comes before every other.
        obstacles = [(letter_of(entry.card), entry) for entry in deck.of_type("mission-obstacle")]
        waiting = [(letter, entry) for letter, entry in obstacles if entry.section == "mission-deck"]
        joined = [(letter, entry) for letter, entry in obstacles if entry.section != "mission-deck"]
        if early := [entry for letter, entry in joined if letter > current]:
            yield self.illegal("too-early", early, wanted=current)
        # Obstacles of mission A may be in either place: no rule says when they join.
        if late := [entry for letter, entry in waiting if "A" < letter <= current]:
            yield self.illegal("too-late", late, wanted=current)
        yield from self.doubted("obstacle-letter-unknown", [entry for letter, entry in joined if not letter])
        yield from self.noted("letter-a", [entry for letter, entry in joined if letter == "A"])


class GoalsInPlace(Rule):
    """Goals of finished missions are in the equip area, and no others."""

    def judge(self, deck: Decklist) -> Iterator[Violation]:
        current = mission_of(deck)
        if current in ("", "?"):
            return
        missing, early = [], []
        for entry in deck.of_type("mission-goal"):
            letter = letter_of(entry.card)
            is_equipped = entry.section == "equip-area"
            if letter and letter < current and not is_equipped:
                missing.append(entry)
            elif letter >= current and is_equipped:
                early.append(entry)
        if missing:
            yield self.illegal("goal-not-equipped", missing, wanted=current)
        if early:
            yield self.illegal("goal-equipped-early", early, wanted=current)


class FreshMission(Rule):
    """On the first turn of a mission the discard piles and the play area are empty."""

    def judge(self, deck: Decklist) -> Iterator[Violation]:
        used = deck.in_section("obstacle-discard", "your-discard", "play-area")
        if used and deck.number("turn") == 1:
            yield self.illegal("not-reshuffled", used, found=count_of(used), wanted=0)


class InZones(Rule):
    """Every card is in a zone that cards of its type can be in."""

    def judge(self, deck: Decklist) -> Iterator[Violation]:
        if unplaced := deck.in_section("unplaced"):
            yield self.incomplete("no-zone", unplaced)
        wrong = [
            entry
            for entry in deck.entries
            if entry.section in ZONES and entry.card.type not in ZONES[entry.section]
        ]
        yield from self.barred("wrong-zone", wrong)


@dataclass(frozen=True)
class LineCanBeFilled(Rule):
    """The line can be filled; otherwise the game is lost. A list with fewer than ``cards`` cards is not
    checked, because it may be unfinished.
    """

    cards: int = CARDS
    numbers = {"cards": "cards from which on the line must be full"}

    def judge(self, deck: Decklist) -> Iterator[Violation]:
        count = count_of(deck.in_section("line"))
        left = deck.in_section("obstacle-deck", "obstacle-discard")
        if count < IN_LINE and deck.size >= self.cards and not left:
            yield self.illegal("no-obstacles-left", found=count, wanted=IN_LINE)
