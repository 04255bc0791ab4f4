"""Rules that only The X-Files has, and how a team of Agents reaches Sites.

``game.toml`` lists the rules in its formats with those of the kit: ``rule = "agent_twice"`` is
``AgentTwice``. There are also their codes and sentences; ``rulebook.toml`` cites each code: S from the
magazine page, D from the manual, B for the Basic game, C for the sideboard; ``examples.toml`` has a deck that
breaks it, which ``tests/cardsdb/games/test_games.py`` judges. Advice of the manual is a note and never
changes a verdict. ``reach`` is tested in ``tests/cardsdb/games/xfiles/test_statistics.py``.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from math import ceil
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

# Key of a fact -> name of the skill, in the order of the Agents' cards.
SKILLS = {
    name.lower().replace(" ", "_"): name
    for name in (
        "Alien Investigation",
        "Behavioral",
        "Bureaucracy",
        "Computer",
        "Criminal Investigation",
        "Evidence Collection",
        "Medical",
        "Observation",
        "Occult Investigation",
        "Sciences",
        "Subterfuge",
    )
}
QUESTIONS = ("Affiliation", "Motive", "Method", "Result")

BUREAU = Group("cards in the Bureau deck", ("bureau",))
TEAM = Group("starting Agents", ("agents",), ("agent",))

# How far a team reaches a Site: completely, for one answer to its question only, unknown, not at all.
Reach = Literal["whole", "one answer", "unknown", "none"]


def skills_of(team: Iterable[Entry]) -> dict[str, int]:
    """Return name of a skill -> sum of the team's Agents. An Agent without a stated number adds nothing; a
    skill without any stated number is left out.
    """
    sums: dict[str, int] = {}
    for agent in team:
        facts = agent.card.facts
        for key, name in SKILLS.items():
            if isinstance(value := facts.get(key), int):
                sums[name] = sums.get(name, 0) + value * agent.count
    return sums


def reach(site: Card, skills: Mapping[str, int]) -> Reach:
    """Return how far these sums of skills reach a Site. One of the skills that it asks for is enough.

    Some Sites have one answer that is easier than their level (``site_special``). Excelsius Dei asks for
    Occult or Criminal Investigation at level 5, ``Motive: Security at 4``: a team with 5 in one of the two
    skills has the "whole" Site, with 4 "one answer", with 3 "none". "unknown": no source states the level.
    """
    level, asked = site.facts.get("site_level"), site.facts.get("site_skills")
    if not isinstance(level, int):
        return "unknown"
    sums = [skills.get(skill, 0) for skill in asked] if isinstance(asked, tuple) else []
    best = max(sums, default=0)
    if best >= level:
        return "whole"
    easier_level = site.word("site_special").rpartition(" ")[2]
    return "one answer" if easier_level.isdecimal() and best >= int(easier_level) else "none"


# -- rules -----------------------------------------------------------------------------


class AgentTwice(Rule):
    """Notes Agents of the Bureau deck that may already be in play when they are drawn."""

    def judge(self, deck: Decklist) -> Iterator[Violation]:
        starting = {entry.card.name for entry in deck.in_section("agents")}
        drawn = [entry for entry in BUREAU.pick(deck) if entry.card.type == "agent"]
        counts = tally(drawn, lambda entry: (entry.card.name,))
        if names := tuple(name for name, count in counts.items() if count > 1 or name in starting):
            yield self.note("agent-twice", what="Agents in the Bureau deck", cards=names, found=len(names))


class SuitableSites(Rule):
    """Notes if fewer than a quarter of the Bureau deck are Sites, if they ask no question of some kind, if
    the team does not reach them, and cards that need a third player.
    """

    def judge(self, deck: Decklist) -> Iterator[Violation]:
        bureau = BUREAU.pick(deck)
        if not bureau:
            return
        sites = [entry for entry in bureau if entry.card.type == "site"]
        count = count_of(sites)
        quarter = ceil(count_of(bureau) / 4)
        if count < quarter:
            yield self.note("few-sites", what="Sites", found=count, wanted=quarter)
        questions = set().union(*[entry.card.words("site_questions") for entry in sites])
        if missing := tuple(kind for kind in QUESTIONS if kind not in questions):
            yield self.note("no-such-question", what="Sites", wanted=" or ".join(missing))
        team = TEAM.pick(deck)
        skills = skills_of(team)
        out_of_reach = tuple([site.card.name for site in sites if reach(site.card, skills) == "none"])
        if team and out_of_reach:
            yield self.note("out-of-reach", what="Sites", cards=out_of_reach, found=len(out_of_reach))
        multiplayer = [entry.card.name for entry in bureau if "Multiplayer" in entry.card.words("activators")]
        if multiplayer:
            yield self.note("multiplayer", cards=tuple(multiplayer), found=len(multiplayer))


class CopiesByTitle(CopyLimit):
    """At most ``limit`` copies of a card over all its prints.

    Copies are counted by code: every card has its own name, except the five called Smoke & Mirrors, which
    count separately. A violation by one of these five names its set and number.
    """

    def judge(self, deck: Decklist) -> Iterator[Violation]:
        for violation in super().judge(deck):
            # A violation of a copy limit always has an excess: (entry, copies) pairs.
            (entry, _copies), *_ = violation.excess
            card = entry.card
            if card.code.startswith("smoke-mirrors-"):
                print_ = f" ({card.prints[0].set}) {card.prints[0].number}" if card.prints else ""
                yield replace(violation, problem="too-many-of-one", what=card.name + print_)
            else:
                yield violation


@dataclass(frozen=True)
class Remark(GroupRule):
    """Notes a group that is smaller or larger than usual. A group smaller than any that a source shows
    (``unknown_below``) leaves the deck undecided.
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
            yield self.broken(Severity.UNKNOWN, "no-known-minimum", found=found, wanted=self.unknown_below)
        elif self.more_than is not None and found > self.more_than:
            yield self.note("large-deck", found=found, wanted=self.more_than)
        elif self.fewer_than is not None and found < self.fewer_than:
            yield self.note("small-basic-deck", found=found, wanted=self.fewer_than)


class TeamCost(TotalAtMost):
    """The starting Agents together cost at most ``limit`` RP."""

    numbers = {"limit": "RP of the starting Agents together, at most"}

    def meters(self, deck: Decklist) -> Iterator[Meter]:
        yield self.meter("RP of the starting Agents", self.total(self.of.pick(deck)), most=self.limit)


@dataclass(frozen=True)
class TeamSize(GroupRule):
    """There is at least one starting Agent. Fewer than ``advised`` are noted."""

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


# Tests and keys of cards for rules of game.toml.


def is_advanced(card: Card) -> bool:
    """True for a card that the Basic game does not allow."""
    return card.type == "combat" or card.facts.get("advanced_only") is True


def by_code(card: Card) -> str:
    return card.code
