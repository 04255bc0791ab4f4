"""Rules that only SpyNet has. Players build no decks: a list is the whole box, the table laid for two to four
players, a house list, or the count at the end of a game.

``game.toml`` lists the rules in its formats (``rule = "house_list"`` is ``HouseList``) with their codes and
sentences; ``rulebook.toml`` cites each code, ``examples.toml`` has a list that breaks it, which
``tests/cardsdb/games/test_games.py`` judges. A card of the type ``unplaced`` is one whose type no source
states: it may be of any type. A list that does not state a detail, such as the number of players, breaks no
rule about it. Tests: ``tests/cardsdb/games/spynet/test_rules.py``.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from cardsdb.games.kit import Card, Decklist, Entry, Group, Meter, Rule, Violation, count_of
from cardsdb.games.kit.model.format import GroupRule, Lack, last_of

SEATS = (1, 2, 3, 4)
# The branches of espionage.
BRANCHES = ("enforcement", "infiltration", "counterespionage", "tech")
# Type -> number of its cards in the box (SN-01 to SN-04).
BOX = {"agent": 34, "mission": 32, "funding": 10, "situation": 8}
PLURALS = {"agent": "agents", "mission": "missions", "funding": "funding cards", "situation": "situations"}
# Number of cards in the draw deck: all of the box but the situations.
DRAW_DECK = 76
# Their types.
DRAWN = ("agent", "mission", "funding")
TO_DRAW = Group("cards in the draw deck", ("deck",), (*DRAWN, "unplaced"))
# Cards of unknown type that a list has under a heading of their own, outside the draw deck.
UNPLACED_ASIDE = Group("cards of a type not stated", ("unplaced",), ("unplaced",))


@dataclass(frozen=True)
class Players(Rule):
    """The number of players, if stated, is ``players``, that of this set-up."""

    players: int = 4
    numbers = {"players": "players"}

    def judge(self, deck: Decklist) -> Iterator[Violation]:
        stated = deck.number("players")
        if stated is not None and stated != self.players:
            problem = "other-players" if stated in (2, 3, 4) else "no-such-game"
            yield self.illegal(problem, found=stated, wanted=self.players)


class Teams(Rule):
    """Teams, if stated, sit opposite each other: seats 1 and 3 against seats 2 and 4."""

    def judge(self, deck: Decklist) -> Iterator[Violation]:
        stated = _teams(deck)
        if not stated:
            return
        # "1+3 vs 2 and 4" -> {{"1", "3"}, {"2", "4"}}
        parts = re.split(r"[,;/]|\bvs?\b|\bagainst\b", stated)
        teams = {frozenset(re.findall("[0-9]", part)) for part in parts} - {frozenset()}
        if not teams:
            yield self.note("seats-not-stated", found=stated, wanted="1+3, 2+4")
        elif not teams <= {frozenset("13"), frozenset("24")}:
            yield self.illegal("wrong-teams", found=stated, wanted="1+3, 2+4")


class NoTeams(Rule):
    """The list states no teams: with two or three players there are none."""

    def judge(self, deck: Decklist) -> Iterator[Violation]:
        if stated := _teams(deck):
            yield self.illegal("no-teams", found=stated)


@dataclass(frozen=True)
class StatedNumber(Rule):
    """A detail of the set-up, if the list states it, is exactly ``wanted``. ``detail``: its key."""

    detail: str = ""
    wanted: int = 0
    what: str = ""
    numbers = {"wanted": "{what}, exactly"}

    def judge(self, deck: Decklist) -> Iterator[Violation]:
        stated = deck.number(self.detail)
        if stated is not None and stated != self.wanted:
            yield self.illegal("not-exactly", what=self.what, found=stated, wanted=self.wanted)


class OneSituation(Rule):
    """At most one situation is in play. A card of unknown type counts as a situation if the draw deck has no
    room for it: beside a draw deck of 75 cards, one situation and two cards of unknown type are at least two
    situations, because only one of the two can be the 76th card.
    """

    def judge(self, deck: Decklist) -> Iterator[Violation]:
        situations = _face_up(deck)
        if (count := count_of(situations)) > 1:
            surplus = tuple(last_of(situations, count - 1))
            yield self.illegal("several-situations", situations, found=count, wanted=1, excess=surplus)
            return
        unplaced = UNPLACED_ASIDE.pick(deck)
        room = max(0, DRAW_DECK - count_of(TO_DRAW.pick(deck)))
        at_least = count + max(0, count_of(unplaced) - room)
        if at_least > 1:
            surplus = tuple(last_of(unplaced, at_least - 1))
            cards = (*situations, *unplaced)
            yield self.illegal("several-beside", cards, found=at_least, wanted=1, excess=surplus)


class SituationReminder(Rule):
    """Notes for a situation in play that it is only for people who have played before, which
    no list shows.
    """

    def judge(self, deck: Decklist) -> Iterator[Violation]:
        yield from self.noted("situation-reminder", _face_up(deck))


def _face_up(deck: Decklist) -> tuple[Entry, ...]:
    """Return the cards listed as situations in play that are or may be situations."""
    return tuple(
        entry for entry in deck.in_section("situations") if entry.card.type in ("situation", "unplaced")
    )


def _teams(deck: Decklist) -> str:
    """Return the teams that the list states; empty if it states none or says "none"."""
    stated = str(deck.details.get("teams", "")).strip()
    return "" if stated.casefold() in ("", "none", "no", "-") else stated


def stars_of(deck: Decklist) -> dict[int, int]:
    """Return seat -> stars, for the seats whose stars are stated."""
    return {seat: stars for seat in SEATS if (stars := deck.number(f"stars_{seat}")) is not None}


class Counted(Rule):
    """A count at the end of a game has the stars of at least two players, no empty seat before the last, and
    no cards.
    """

    def judge(self, deck: Decklist) -> Iterator[Violation]:
        yield from self.barred("card-on-sheet", deck.entries)
        stars = stars_of(deck)
        if len(stars) < 2:
            yield self.incomplete("stars-missing", found=len(stars), wanted=2)
        last = max(stars, default=1)
        if empty := tuple(f"Seat {seat}" for seat in range(1, last) if seat not in stars):
            yield self.incomplete("seat-missing", wanted=empty)


class FundingOfBox(Rule):
    """The players together own no more funding cards than the box has."""

    def judge(self, deck: Decklist) -> Iterator[Violation]:
        owned = sum(deck.number(f"funding_{seat}") or 0 for seat in SEATS)
        if owned > BOX["funding"]:
            yield self.illegal("too-much-funding", found=owned, wanted=BOX["funding"])


@dataclass(frozen=True)
class Belongs(GroupRule):
    """Only cards of these types are in the group. A card of unknown type leaves the list undecided."""

    types: tuple[str, ...] = ()

    def judge(self, deck: Decklist) -> Iterator[Violation]:
        others = [entry for entry in self.of.pick(deck) if entry.card.type not in self.types]
        yield from self.barred("wrong-type", [entry for entry in others if entry.card.type != "unplaced"])
        yield from self.doubted("type-unknown", [entry for entry in others if entry.card.type == "unplaced"])


@dataclass(frozen=True)
class HoldsNamed(Rule):
    """Notes cards that the rulebook names and the list lacks. ``named``: name -> copies."""

    named: Mapping[str, int] = field(default_factory=dict)

    def judge(self, deck: Decklist) -> Iterator[Violation]:
        missing = dict(self.named)
        for entry in deck.entries:
            if entry.card.name in missing:
                missing[entry.card.name] -= entry.count
        if lacking := tuple(name for name, count in missing.items() if count > 0):
            yield self.note("named-missing", cards=lacking)


class HouseList(Rule):
    """Notes that a list has not the numbers of cards of the published box."""

    def judge(self, deck: Decklist) -> Iterator[Violation]:
        if any(count_of(deck.of_type(card_type)) != number for card_type, number in BOX.items()):
            wanted = tuple(f"{number} {PLURALS[kind]}" for kind, number in BOX.items())
            yield self.note("not-published", wanted=wanted)


@dataclass(frozen=True)
class Tokens(Rule):
    """There are exactly ``each`` tokens of every branch. If they are ``optional``, a list without any tokens
    is only noted.
    """

    each: int = 4
    optional: bool = False
    numbers = {"each": "tokens of each branch, exactly"}

    def meters(self, deck: Decklist) -> Iterator[Meter]:
        if deck.of_type("token") or not self.optional:
            for branch in BRANCHES:
                yield self.meter(f"{branch} tokens", count_of(_of_branch(deck, branch)), self.each, self.each)

    def judge(self, deck: Decklist) -> Iterator[Violation]:
        if self.optional and not deck.of_type("token"):
            yield self.note("tokens-not-listed", wanted=self.each * len(BRANCHES))
            return
        for branch in BRANCHES:
            of_branch = _of_branch(deck, branch)
            count = count_of(of_branch)
            if count == self.each:
                continue
            values: dict[str, Any] = {"what": f"{branch} tokens", "found": count, "wanted": self.each}
            if count > self.each:
                surplus = tuple(last_of(of_branch, count - self.each))
                yield self.illegal("not-exactly", of_branch, **values, excess=surplus)
            else:
                lacks = (Lack(self.each - count, ("token",), facts={"branches": (branch,)}),)
                yield self.incomplete("not-exactly", of_branch, **values, lacks=lacks)


def _of_branch(deck: Decklist, branch: str) -> list[Entry]:
    """Return the tokens of a branch."""
    return [entry for entry in deck.of_type("token") if entry.card.words("branches") == (branch,)]


@dataclass(frozen=True)
class CardData(Rule):
    """The facts of cards of one ``type`` are possible, as far as they are stated: ``number``, the key of a
    number fact, is not below 0; branches are known ones, and missing if the type is not ``in_branch``.
    """

    type: str = ""
    number: str = ""
    in_branch: bool = True

    def judge(self, deck: Decklist) -> Iterator[Violation]:
        wrong: dict[str, list[Entry]] = {}
        for entry in deck.of_type(self.type):
            if problem := self._problem(entry.card):
                wrong.setdefault(problem, []).append(entry)
        for problem, entries in wrong.items():
            yield from self.barred(problem, entries, what=self.number)

    def _problem(self, card: Card) -> str:
        """Return the problem of a card's facts; empty if there is none."""
        if self.number and (card.number(self.number) or 0) < 0:
            return "below-zero"
        branches = {word.casefold() for word in card.words("branches")}
        if not branches:
            return ""  # not stated
        if branches == {"none"}:
            return "no-branch" if self.in_branch else ""
        if not self.in_branch:
            return "has-branch"
        if not branches.issubset(BRANCHES):
            return "no-such-branch"
        if card.fact("mercenary") is True and len(branches) < len(BRANCHES):
            return "mercenary-branches"
        return ""
