"""SpyNet's rules of the set-up: who plays, how the table is laid, which situation is in play."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import ClassVar

from cardsdb.games.kit import Decklist, Entry, Group, Rule, Severity, Violation
from cardsdb.games.kit.model.decklist import count_of
from cardsdb.games.kit.model.format import names_of

DRAW_DECK = 76
DRAWN = ("agent", "mission", "funding")
TO_DRAW = Group("cards in the draw deck", ("deck",), (*DRAWN, "unplaced"))
# Cards of a type not stated that a list has under their own heading, beside the cards to draw from.
UNPLACED_ASIDE = Group("cards of a type not stated", ("unplaced",), ("unplaced",))

SENTENCES = {
    "no-such-game": "SpyNet is for 2, 3 or 4 players, not {found}.",
    "other-players": "The list says {found} players; this is the set-up for {wanted}.",
    "wrong-teams": "Teams {found}: with four players, seats {wanted} play together.",
    "seats-not-stated": "Teams {found}: write the seats ({wanted}) to have them checked.",
    "no-teams": "Teams {found}: with two or three players everybody plays alone.",
    "several-situations": "{found} situations in play ({cards}); one at most.",
    "several-beside": (
        "{found} cards beside the 76 to draw from ({cards}); one at most, a situation, is in play."
    ),
    "situation-reminder": "{cards}: use a situation only when everybody at the table has played before.",
}


@dataclass(frozen=True)
class SetUpRule(Rule):
    """Base of the rules below: one table of sentences for all of them."""

    words: ClassVar[Mapping[str, str]] = SENTENCES


@dataclass(frozen=True)
class Players(SetUpRule):
    """The number of players, where stated, is one the game knows and the one of this set-up."""

    players: int = 4
    numbers = {"players": "players"}

    def judge(self, deck: Decklist) -> Iterator[Violation]:
        stated = deck.number("players")
        if stated is not None and stated != self.players:
            problem = "other-players" if stated in (2, 3, 4) else "no-such-game"
            yield self.broken(problem, Severity.ILLEGAL, found=stated, wanted=self.players)


@dataclass(frozen=True)
class Teams(SetUpRule):
    """Teams, where stated, are those across the table: seats 1 and 3 against 2 and 4."""

    def judge(self, deck: Decklist) -> Iterator[Violation]:
        if stated := _teams(deck):
            teams = {
                frozenset(re.findall("[0-9]", team))
                for team in re.split(r"[,;/]|\bvs?\b|\bagainst\b", stated)
            }
            seats = teams - {frozenset()}
            if not seats:
                yield self.broken("seats-not-stated", Severity.NOTE, found=stated, wanted="1+3, 2+4")
            elif not seats <= {frozenset("13"), frozenset("24")}:
                yield self.broken("wrong-teams", Severity.ILLEGAL, found=stated, wanted="1+3, 2+4")


@dataclass(frozen=True)
class NoTeams(SetUpRule):
    """With two or three players there are no teams."""

    def judge(self, deck: Decklist) -> Iterator[Violation]:
        if stated := _teams(deck):
            yield self.broken("no-teams", Severity.ILLEGAL, found=stated)


@dataclass(frozen=True)
class StatedNumber(SetUpRule):
    """A number of the set-up, where the list states it, is exactly this one."""

    detail: str = ""
    wanted: int = 0
    what: str = ""
    numbers = {"wanted": "{what}, exactly"}

    def judge(self, deck: Decklist) -> Iterator[Violation]:
        stated = deck.number(self.detail)
        if stated is not None and stated != self.wanted:
            yield self.broken(
                "not-exactly", Severity.ILLEGAL, what=self.what, found=stated, wanted=self.wanted
            )


@dataclass(frozen=True)
class OneSituation(SetUpRule):
    """At most one situation is in play. Cards of a type not stated count as situations if they cannot be
    among the 76.
    """

    def judge(self, deck: Decklist) -> Iterator[Violation]:
        situations = _face_up(deck)
        if (count := count_of(situations)) > 1:
            surplus = ((situations[-1], min(count - 1, situations[-1].count)),)
            yield self.broken(
                "several-situations",
                Severity.ILLEGAL,
                cards=names_of(situations),
                found=count,
                wanted=1,
                excess=surplus,
            )
            return
        unplaced = UNPLACED_ASIDE.pick(deck)
        lacking = max(0, DRAW_DECK - count_of(TO_DRAW.pick(deck)))
        beside = count + max(0, count_of(unplaced) - lacking)
        if beside > 1:
            surplus = ((unplaced[-1], min(beside - 1, unplaced[-1].count)),)
            cards = names_of((*situations, *unplaced))
            yield self.broken(
                "several-beside", Severity.ILLEGAL, cards=cards, found=beside, wanted=1, excess=surplus
            )


@dataclass(frozen=True)
class SituationReminder(SetUpRule):
    """Notes the rule about who has played before, which no list can show."""

    def judge(self, deck: Decklist) -> Iterator[Violation]:
        if situations := _face_up(deck):
            yield self.broken("situation-reminder", Severity.NOTE, cards=names_of(situations))


def _face_up(deck: Decklist) -> tuple[Entry, ...]:
    """The cards listed as situations in play that are situations or may be."""
    return tuple(
        entry for entry in deck.in_section("situations") if entry.card.type in ("situation", "unplaced")
    )


def _teams(deck: Decklist) -> str:
    stated = str(deck.details.get("teams", "")).strip()
    return "" if stated.casefold() in ("", "none", "no", "-") else stated
