"""SpyNet's rules of the set-up: who plays, how the table is laid, which situation is in play."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import ClassVar

from cardsdb.games.kit import Decklist, Entry, Rule, Severity, Violation
from cardsdb.games.kit.model.decklist import count_of
from cardsdb.games.spynet.box import DRAW_DECK, TO_DRAW, UNPLACED_ASIDE, names

SENTENCES = {
    "no-such-game": "SpyNet is for 2, 3 or 4 players, not {found}.",
    "other-players": "The list says {found} players; this is the set-up for {wanted}.",
    "wrong-teams": "Teams {found}: with four players, seats {wanted} play together.",
    "seats-not-stated": "Teams {found}: write the seats ({wanted}) to have them checked.",
    "no-teams": "Teams {found}: with two or three players everybody plays alone.",
    "several-situations": "{found} situations in play ({cards}); one at most.",
    "several-beside": "{found} cards beside the 76 to draw from ({cards}); one at most, a situation, is in play.",
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
        found = deck.number("players")
        if found is not None and found != self.players:
            problem = "other-players" if found in (2, 3, 4) else "no-such-game"
            yield self.broken(problem, Severity.ILLEGAL, found=found, wanted=self.players)


@dataclass(frozen=True)
class Teams(SetUpRule):
    """Teams, where stated, are those across the table: seats 1 and 3 against 2 and 4."""

    def judge(self, deck: Decklist) -> Iterator[Violation]:
        if stated := _teams(deck):
            teams = {frozenset(re.findall("[0-9]", team)) for team in re.split(r"[,;/]|\bvs?\b|\bagainst\b", stated)}
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
        found = deck.number(self.detail)
        if found is not None and found != self.wanted:
            yield self.broken("not-exactly", Severity.ILLEGAL, what=self.what, found=found, wanted=self.wanted)


@dataclass(frozen=True)
class OneSituation(SetUpRule):
    """At most one situation is in play. Cards of a type not stated must be situations where they cannot be among the 76."""

    def judge(self, deck: Decklist) -> Iterator[Violation]:
        situations = _face_up(deck)
        if (found := count_of(situations)) > 1:
            surplus = ((situations[-1], min(found - 1, situations[-1].count)),)
            yield self.broken("several-situations", Severity.ILLEGAL, cards=names(situations), found=found, wanted=1, excess=surplus)
            return
        unplaced = UNPLACED_ASIDE.pick(deck)
        lacking = max(0, DRAW_DECK - count_of(TO_DRAW.pick(deck)))
        beside = found + max(0, count_of(unplaced) - lacking)
        if beside > 1:
            surplus = ((unplaced[-1], min(beside - 1, unplaced[-1].count)),)
            cards = names((*situations, *unplaced))
            yield self.broken("several-beside", Severity.ILLEGAL, cards=cards, found=beside, wanted=1, excess=surplus)


@dataclass(frozen=True)
class SituationReminder(SetUpRule):
    """A list cannot show who has played before: it is only called to mind."""

    def judge(self, deck: Decklist) -> Iterator[Violation]:
        if situations := _face_up(deck):
            yield self.broken("situation-reminder", Severity.NOTE, cards=names(situations))


def _face_up(deck: Decklist) -> tuple[Entry, ...]:
    """The cards listed as situations in play that are or may be situations; others do not belong there at all."""
    return tuple(entry for entry in deck.in_section("situations") if entry.card.type in ("situation", "unplaced"))


def _teams(deck: Decklist) -> str:
    stated = str(deck.details.get("teams", "")).strip()
    return "" if stated.casefold() in ("", "none", "no", "-") else stated
