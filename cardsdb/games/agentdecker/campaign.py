"""The rules of a campaign's state. Each zone of the table is a section of the list."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from cardsdb.games.agentdecker.rules import LETTERS, letter_of
from cardsdb.games.kit import Decklist, Entry, Rule, Severity, Violation
from cardsdb.games.kit.model.decklist import count_of
from cardsdb.games.kit.model.format import Lack, Meter, last_of, names_of

# Types that may lie in a zone. The mission deck (AD-07) and items (AD-11) have rules of their own.
_OBSTACLES = {"obstacle", "mission-obstacle", "unplaced"}
_YOURS = _OBSTACLES | {"starting"}
# Types that have or may have a mission's letter.
_LETTERED = {"mission-goal", "mission-obstacle", "unplaced"}
ZONES = {
    "alarm": {"alarm"},
    "obstacle-deck": _OBSTACLES,
    "line": _OBSTACLES,
    "obstacle-discard": _OBSTACLES,
    "your-deck": _YOURS,
    "hand": _YOURS,
    "play-area": _YOURS,
    "your-discard": _YOURS,
    "equip-area": _YOURS | {"mission-goal"},
    "removed": _YOURS | {"mission-goal"},
}


def mission_of(deck: Decklist) -> str:
    """The letter of the mission being played: empty if the list does not say, "?" if it names none of the
    five.
    """
    stated = str(deck.details.get("mission", "")).strip().upper()
    if not stated:
        return ""
    match = re.fullmatch(r"(?:MISSION )?([1-5A-E])(?: \([A-E]\))?", stated)
    if not match:
        return "?"
    return LETTERS[int(match[1]) - 1] if match[1].isdigit() else match[1]


@dataclass(frozen=True)
class Equipped(Rule):
    """Only items and finished goals are equipped."""

    def judge(self, deck: Decklist) -> Iterator[Violation]:
        equipped = [entry for entry in deck.in_section("equip-area") if entry.card.type in _YOURS]
        yield from self.barred("not-an-item", [e for e in equipped if e.card.fact("keep") is False])
        if unknown := [entry for entry in equipped if entry.card.fact("keep") is None]:
            yield self.broken("item-unknown", Severity.UNKNOWN, unknown)


@dataclass(frozen=True)
class InOrderOfLetters(Rule):
    """The mission deck, as listed from the top, runs through the alphabet."""

    def judge(self, deck: Decklist) -> Iterator[Violation]:
        entries = [entry for entry in deck.in_section("mission-deck") if entry.card.type in _LETTERED]
        letters = [letter for entry in entries if (letter := letter_of(entry.card))]
        if letters != sorted(letters):
            runs = [
                letter for before, letter in zip(["", *letters], letters, strict=False) if letter != before
            ]
            yield self.broken("out-of-order", Severity.ILLEGAL, found=", ".join(runs))
        if unknown := [entry for entry in entries if not letter_of(entry.card)]:
            yield self.broken("letter-unknown", Severity.UNKNOWN, unknown)


@dataclass(frozen=True)
class AlarmBelowFifty(Rule):
    """The alarm starts at 0, and at 50 the game is lost."""

    def judge(self, deck: Decklist) -> Iterator[Violation]:
        alarm = deck.number("alarm")
        if alarm is None:
            yield self.broken("alarm-not-stated", Severity.INCOMPLETE)
        elif alarm >= 50:
            yield self.broken("alarm-full", Severity.ILLEGAL, found=alarm, wanted=50)
        elif alarm and deck.number("turn") == 1:
            yield self.broken("alarm-not-zero", Severity.ILLEGAL, found=alarm, wanted=0)


@dataclass(frozen=True)
class Dealt(Rule):
    """A zone has so many cards, and when the campaign starts so many are left where they came from."""

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
            # Obstacles of mission A may be in from the start; they come on top of the 22.
            added = count_of(entry for entry in (*dealt, *rest) if entry.card.type == "mission-obstacle")
            yield from self._exactly(
                self.left + added, rest, f"cards left in {self.rest} at the start", self.source
            )

    def _exactly(self, wanted: int, entries: tuple[Entry, ...], what: str, zone: str) -> Iterator[Violation]:
        count = count_of(entries)
        if count < wanted:
            lacks = (Lack(wanted - count, types=tuple(sorted(ZONES[zone])), sections=(zone,)),)
            yield self.broken(
                "not-exactly", Severity.INCOMPLETE, what=what, found=count, wanted=wanted, lacks=lacks
            )
        elif count > wanted:
            cards, excess = names_of(entries), tuple(last_of(entries, count - wanted))
            yield self.broken(
                "not-exactly",
                Severity.ILLEGAL,
                what=what,
                cards=cards,
                found=count,
                wanted=wanted,
                excess=excess,
            )


@dataclass(frozen=True)
class ObstaclesInTime(Rule):
    """A mission's obstacles leave the mission deck when their mission begins, not before and not after."""

    def judge(self, deck: Decklist) -> Iterator[Violation]:
        current = mission_of(deck)
        if not current:
            yield self.broken("mission-not-stated", Severity.INCOMPLETE)
            return
        if current == "?":
            yield self.broken("no-such-mission", Severity.ILLEGAL, found=str(deck.details["mission"]))
            return
        obstacles = [(letter_of(entry.card), entry) for entry in deck.of_type("mission-obstacle")]
        waiting = [(letter, entry) for letter, entry in obstacles if entry.section == "mission-deck"]
        joined = [(letter, entry) for letter, entry in obstacles if entry.section != "mission-deck"]
        if early := [entry for letter, entry in joined if letter > current]:
            yield self.broken("too-early", Severity.ILLEGAL, early, wanted=current)
        if late := [entry for letter, entry in waiting if "A" < letter <= current]:
            yield self.broken("too-late", Severity.ILLEGAL, late, wanted=current)
        if unknown := [entry for letter, entry in joined if not letter]:
            yield self.broken("obstacle-letter-unknown", Severity.UNKNOWN, unknown)
        if first := [entry for letter, entry in joined if letter == "A"]:
            yield self.broken("letter-a", Severity.NOTE, first)


@dataclass(frozen=True)
class GoalsInPlace(Rule):
    """Goals of finished missions lie in the equip area; the others do not."""

    def judge(self, deck: Decklist) -> Iterator[Violation]:
        current = mission_of(deck)
        if current in ("", "?"):
            return
        goals = [
            (letter, entry) for entry in deck.of_type("mission-goal") if (letter := letter_of(entry.card))
        ]
        if missing := [
            entry for letter, entry in goals if letter < current and entry.section != "equip-area"
        ]:
            yield self.broken("goal-not-equipped", Severity.ILLEGAL, missing, wanted=current)
        if early := [entry for letter, entry in goals if letter >= current and entry.section == "equip-area"]:
            yield self.broken("goal-equipped-early", Severity.ILLEGAL, early, wanted=current)


@dataclass(frozen=True)
class FreshMission(Rule):
    """On the first turn of a mission everything discarded or played has been shuffled back."""

    def judge(self, deck: Decklist) -> Iterator[Violation]:
        if deck.number("turn") == 1 and (
            lying := deck.in_section("obstacle-discard", "your-discard", "play-area")
        ):
            yield self.broken("not-reshuffled", Severity.ILLEGAL, lying, found=count_of(lying), wanted=0)


@dataclass(frozen=True)
class InZones(Rule):
    """Every card lies in a zone, and in one where a card of its type can lie."""

    def judge(self, deck: Decklist) -> Iterator[Violation]:
        if lost := deck.in_section("unplaced"):
            yield self.broken("no-zone", Severity.INCOMPLETE, lost)
        wrong = [
            entry
            for entry in deck.entries
            if entry.section in ZONES and entry.card.type not in ZONES[entry.section]
        ]
        yield from self.barred("wrong-zone", wrong)


@dataclass(frozen=True)
class LineCanBeFilled(Rule):
    """The line can be filled; otherwise the game is lost. A list with fewer cards in all may only be
    unfinished.
    """

    cards: int = 54
    numbers = {"cards": "cards from which on the line must be full"}

    def judge(self, deck: Decklist) -> Iterator[Violation]:
        count = count_of(deck.in_section("line"))
        if count < 6 and deck.size >= self.cards and not deck.in_section("obstacle-deck", "obstacle-discard"):
            yield self.broken("no-obstacles-left", Severity.ILLEGAL, found=count, wanted=6)
