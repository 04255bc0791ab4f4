"""Deck construction of The X-Files CCG, in the rulebook's order: page (S), manual (D), Basic game (B), sideboard (C);
before them what the manual advises about Sites and Agents: notes, never verdicts.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace

from cardsdb.games.kit import (
    Card,
    CopyLimit,
    Decklist,
    Group,
    Meter,
    Rule,
    Severity,
    TotalAtMost,
    Violation,
    count_of,
)
from cardsdb.games.xfiles.reach import QUESTIONS, reach, skills_of


@dataclass(frozen=True)
class AgentTwice(Rule):
    """Notes Agents of the Bureau deck who may already be in play when they are drawn."""

    def judge(self, deck: Decklist) -> Iterator[Violation]:
        starting = {entry.card.name for entry in deck.in_section("agents")}
        counts: dict[str, int] = {}
        for entry in deck.of_type("agent"):
            if entry.section == "bureau":
                counts[entry.card.name] = counts.get(entry.card.name, 0) + entry.count
        names = tuple(name for name, count in counts.items() if count > 1 or name in starting)
        if names:
            yield self.broken(
                "agent-twice", Severity.NOTE, what="Agents in the Bureau deck", cards=names, found=len(names)
            )


@dataclass(frozen=True)
class SuitableSites(Rule):
    """Notes on the Sites of the Bureau deck, and on cards that need a third player."""

    def judge(self, deck: Decklist) -> Iterator[Violation]:
        bureau = deck.in_section("bureau")
        if not bureau:
            return
        size = count_of(bureau)
        sites = [entry for entry in deck.of_type("site") if entry.section == "bureau"]
        count = count_of(sites)
        if count * 4 < size:
            yield self.broken("few-sites", Severity.NOTE, what="Sites", found=count, wanted=-(-size // 4))
        questions = set().union(*[_words(entry.card, "site_questions") for entry in sites])
        if missing := tuple(kind for kind in QUESTIONS if kind not in questions):
            yield self.broken("no-such-question", Severity.NOTE, what="Sites", wanted=" or ".join(missing))
        team = [entry for entry in deck.of_type("agent") if entry.section == "agents"]
        skills = skills_of(team)
        names = tuple([site.card.name for site in sites if reach(site.card, skills) == "none"])
        if team and names:
            yield self.broken("out-of-reach", Severity.NOTE, what="Sites", cards=names, found=len(names))
        active = [entry for entry in bureau if "activators" in entry.card.facts]
        if names := tuple(
            [entry.card.name for entry in active if "Multiplayer" in _words(entry.card, "activators")]
        ):
            yield self.broken("multiplayer", Severity.NOTE, cards=names, found=len(names))


def _words(card: Card, key: str) -> tuple[str, ...]:
    # Card.words does more than is needed here, and this is called for every card of a deck.
    value = card.facts.get(key)
    return value if isinstance(value, tuple) else ()


BUREAU = Group("cards in the Bureau deck", ("bureau",))
SIDEBOARD = Group("sideboard cards", ("sideboard",))
TEAM = Group("starting Agents", ("agents",), ("agent",))


@dataclass(frozen=True)
class CopiesByTitle(CopyLimit):
    """At most so many copies of a card over all its prints.

    Every catalogue card has its own name, except the five called Smoke & Mirrors; counting by
    code therefore counts by name and keeps those five apart.
    """

    def judge(self, deck: Decklist) -> Iterator[Violation]:
        # Most decks keep this rule, so the entries are gathered by card only if a count is too high.
        counts: dict[str, int] = {}
        for entry in self.of.pick(deck):
            counts[entry.card.code] = counts.get(entry.card.code, 0) + entry.count
        if max(counts.values(), default=0) <= self.limit:
            return
        for violation in super().judge(deck):
            card = violation.excess[0][0].card
            if card.code.startswith("smoke-mirrors-"):
                what = (
                    f"{card.name} ({card.prints[0].set}) {card.prints[0].number}"
                    if card.prints
                    else card.name
                )
                yield replace(violation, problem="too-many-of-one", what=what)
            else:
                yield violation


@dataclass(frozen=True)
class Remark(Rule):
    """Notes a group that is smaller or larger than usual, which changes no verdict. A group so small that no
    source shows the like is undecided.
    """

    of: Group = BUREAU
    unknown_below: int = 0
    fewer_than: int | None = None
    more_than: int | None = None
    numbers = {
        "unknown_below": "{what}, undecided if fewer than",
        "fewer_than": "{what}, pointed out if fewer than",
        "more_than": "{what}, pointed out if more than",
    }

    def judge(self, deck: Decklist) -> Iterator[Violation]:
        found = count_of(self.of.pick(deck))
        if found < self.unknown_below:
            yield self.broken(
                "no-known-minimum",
                Severity.UNKNOWN,
                what=self.of.what,
                found=found,
                wanted=self.unknown_below,
            )
        elif self.more_than is not None and found > self.more_than:
            yield self.broken(
                "large-deck", Severity.NOTE, what=self.of.what, found=found, wanted=self.more_than
            )
        elif self.fewer_than is not None and found < self.fewer_than:
            yield self.broken(
                "small-basic-deck", Severity.NOTE, what=self.of.what, found=found, wanted=self.fewer_than
            )


@dataclass(frozen=True)
class TeamCost(TotalAtMost):
    """The starting Agents cost no more than the limit together."""

    numbers = {"limit": "RP of the starting Agents together, at most"}

    def meters(self, deck: Decklist) -> Iterator[Meter]:
        yield self.meter("RP of the starting Agents", self.total(self.of.pick(deck)), most=self.limit)


@dataclass(frozen=True)
class TeamSize(Rule):
    """There is at least one starting Agent; the manual advises three."""

    advised: int = 3
    numbers = {"advised": "starting Agents, pointed out if fewer than"}

    def meters(self, deck: Decklist) -> Iterator[Meter]:
        yield self.meter(TEAM.what, count_of(TEAM.pick(deck)), 1)

    def judge(self, deck: Decklist) -> Iterator[Violation]:
        found = count_of(TEAM.pick(deck))
        if not found:
            yield self.broken(
                "no-agents", Severity.INCOMPLETE, what=TEAM.what, found=0, wanted=1, lacks=(TEAM.lack(),)
            )
        elif found < self.advised:
            yield self.broken("small-team", Severity.NOTE, what=TEAM.what, found=found, wanted=self.advised)


@dataclass(frozen=True)
class NoSideboard(Rule):
    """The official formats know no sideboard."""

    def judge(self, deck: Decklist) -> Iterator[Violation]:
        aside = SIDEBOARD.pick(deck)
        yield from self.barred("sideboard", aside, what=SIDEBOARD.what, found=count_of(aside), wanted=0)


@dataclass(frozen=True)
class LeftOut(Rule):
    """Cards that a format leaves out are not in the deck; ``problem`` picks the sentence that says why."""

    problem: str
    is_out: Callable[[Card], bool] = field(repr=False)
    of: Group = BUREAU

    def judge(self, deck: Decklist) -> Iterator[Violation]:
        out = [entry for entry in self.of.pick(deck) if self.is_out(entry.card)]
        found = count_of(out)
        yield from self.barred(self.problem, out, what=self.of.what, found=found, wanted=0)


def is_killer(card: Card) -> bool:
    return card.facts.get("killer") is True


def is_agent(card: Card) -> bool:
    return card.type == "agent"


def is_advanced(card: Card) -> bool:
    return card.type == "combat" or card.facts.get("advanced_only") is True


def by_code(card: Card) -> str:
    return card.code
