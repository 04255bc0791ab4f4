"""Deck construction of The X-Files CCG, in the rulebook's order: page (S), manual (D), Basic game (B),
sideboard (C); before them the manual's advice about Sites and Agents: notes, never verdicts. First come the
Sites that a team reaches: its Agents' skills are added up, and one of the skills that a Site asks for is
enough.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Literal

from cardsdb.games.kit import (
    Card,
    CopyLimit,
    Decklist,
    Entry,
    Group,
    Meter,
    Rule,
    Severity,
    TotalAtMost,
    Violation,
    count_of,
)
from cardsdb.games.kit.model.format import GroupRule
from cardsdb.games.kit.play.statistics import tally

# Fact key -> name on the card, in the order in which the Agents' cards are listed.
SKILLS = {
    "alien_investigation": "Alien Investigation",
    "behavioral": "Behavioral",
    "bureaucracy": "Bureaucracy",
    "computer": "Computer",
    "criminal_investigation": "Criminal Investigation",
    "evidence_collection": "Evidence Collection",
    "medical": "Medical",
    "observation": "Observation",
    "occult_investigation": "Occult Investigation",
    "sciences": "Sciences",
    "subterfuge": "Subterfuge",
}
QUESTIONS = ("Affiliation", "Motive", "Method", "Result")

Reach = Literal["whole", "one answer", "unknown", "none"]


def skills_of(team: Iterable[Entry]) -> dict[str, int]:
    """Name of a skill -> the team's sum of it. A skill that no source states of any Agent is left out; an
    Agent of whom it is not stated adds nothing.
    """
    sums: dict[str, int] = {}
    for agent in team:
        facts = agent.card.facts
        for key, name in SKILLS.items():
            if isinstance(value := facts.get(key), int):
                sums[name] = sums.get(name, 0) + value * agent.count
    return sums


def reach(site: Card, skills: Mapping[str, int]) -> Reach:
    """The reach of these sums of skills at a Site: the ``whole`` of it, ``one answer`` that is easier than
    the others (``Motive: Security at 4``), or ``none``; ``unknown`` where no source states its number.
    """
    level, asked = site.facts.get("site_level"), site.facts.get("site_skills")
    if not isinstance(level, int):
        return "unknown"
    best = max([skills.get(skill, 0) for skill in asked], default=0) if isinstance(asked, tuple) else 0
    if best >= level:
        return "whole"
    easier = site.facts.get("site_special")
    number = easier.rpartition(" ")[2] if isinstance(easier, str) else ""
    return "one answer" if number.isdecimal() and best >= int(number) else "none"


# -- rules -----------------------------------------------------------------------------


class AgentTwice(Rule):
    """Notes Agents of the Bureau deck who may already be in play when they are drawn."""

    def judge(self, deck: Decklist) -> Iterator[Violation]:
        starting = {entry.card.name for entry in deck.in_section("agents")}
        drawn = [entry for entry in deck.of_type("agent") if entry.section == "bureau"]
        counts = tally(drawn, lambda entry: (entry.card.name,))
        if names := tuple(name for name, count in counts.items() if count > 1 or name in starting):
            yield self.note("agent-twice", what="Agents in the Bureau deck", cards=names, found=len(names))


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
            yield self.note("few-sites", what="Sites", found=count, wanted=-(-size // 4))
        questions = set().union(*[entry.card.words("site_questions") for entry in sites])
        if missing := tuple(kind for kind in QUESTIONS if kind not in questions):
            yield self.note("no-such-question", what="Sites", wanted=" or ".join(missing))
        team = [entry for entry in deck.of_type("agent") if entry.section == "agents"]
        skills = skills_of(team)
        names = tuple([site.card.name for site in sites if reach(site.card, skills) == "none"])
        if team and names:
            yield self.note("out-of-reach", what="Sites", cards=names, found=len(names))
        several = [one.card.name for one in bureau if "Multiplayer" in one.card.words("activators")]
        if several:
            yield self.note("multiplayer", cards=tuple(several), found=len(several))


BUREAU = Group("cards in the Bureau deck", ("bureau",))
TEAM = Group("starting Agents", ("agents",), ("agent",))


class CopiesByTitle(CopyLimit):
    """At most so many copies of a card over all its prints.

    Every catalogue card has its own name, except the five called Smoke & Mirrors; counting by
    code therefore counts by name and keeps those five apart.
    """

    def judge(self, deck: Decklist) -> Iterator[Violation]:
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
class Remark(GroupRule):
    """Notes a group that is smaller or larger than usual, which changes no verdict. A group so small that no
    source shows the like is undecided.
    """

    of: Group = field(default=BUREAU, kw_only=True)
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
            yield self.broken("no-known-minimum", Severity.UNKNOWN, found=found, wanted=self.unknown_below)
        elif self.more_than is not None and found > self.more_than:
            yield self.note("large-deck", found=found, wanted=self.more_than)
        elif self.fewer_than is not None and found < self.fewer_than:
            yield self.note("small-basic-deck", found=found, wanted=self.fewer_than)


class TeamCost(TotalAtMost):
    """The starting Agents cost no more than the limit together."""

    numbers = {"limit": "RP of the starting Agents together, at most"}

    def meters(self, deck: Decklist) -> Iterator[Meter]:
        yield self.meter("RP of the starting Agents", self.total(self.of.pick(deck)), most=self.limit)


@dataclass(frozen=True)
class TeamSize(GroupRule):
    """There is at least one starting Agent; the manual advises three."""

    of: Group = field(default=TEAM, kw_only=True)
    advised: int = 3
    numbers = {"advised": "starting Agents, pointed out if fewer than"}

    def meters(self, deck: Decklist) -> Iterator[Meter]:
        yield self.meter(self.of.what, count_of(self.of.pick(deck)), 1)

    def judge(self, deck: Decklist) -> Iterator[Violation]:
        found = count_of(self.of.pick(deck))
        if not found:
            yield self.incomplete("no-agents", found=0, wanted=1, lacks=(self.of.lack(),))
        elif found < self.advised:
            yield self.note("small-team", found=found, wanted=self.advised)


def is_advanced(card: Card) -> bool:
    return card.type == "combat" or card.facts.get("advanced_only") is True


def by_code(card: Card) -> str:
    return card.code
