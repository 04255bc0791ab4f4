"""What the manual advises about Sites and Agents: notes, never verdicts."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from cardsdb.games.kit import Card, Decklist, Entry, Rule, Severity, Violation
from cardsdb.games.kit.model.decklist import count_of
from cardsdb.games.xfiles.facts import QUESTIONS, SKILLS

_KEY_OF_SKILL = {name: key for key, name in SKILLS.items()}


@dataclass(frozen=True)
class AgentTwice(Rule):
    """Notes Agents of the Bureau deck who may already be in play when they are drawn."""

    words = {"agent-twice": "{cards}: cannot be deployed while the same Agent is in play."}

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

    words = {
        "few-sites": "Sites: {found}. The manual advises about a quarter of the deck, here {wanted}.",
        "no-such-question": "No Site in the Bureau deck asks about {wanted}.",
        "out-of-reach": (
            "{cards}: the starting Agents together have less of the skill than is needed, so other cards must"
            " help."
        ),
        "multiplayer": "{cards}: of use with three or more players only.",
    }

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
        if team and (names := _out_of_reach(sites, team)):
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


def _out_of_reach(sites: list[Entry], team: list[Entry]) -> tuple[str, ...]:
    """The names of Sites for which the whole team has not enough of any skill. An unknown fact counts as
    0.
    """
    totals: dict[str, int] = {}

    def is_reached(site: Card) -> bool:
        needed = _needed(site)
        for skill in _words(site, "site_skills"):
            if skill not in totals:
                key = _KEY_OF_SKILL.get(skill, "")
                totals[skill] = sum([(agent.card.number(key) or 0) * agent.count for agent in team])
            if totals[skill] >= needed:
                return True
        return needed <= 0

    return tuple([site.card.name for site in sites if not is_reached(site.card)])


def _needed(card: Card) -> int:
    """The lowest level that solves the Site: its own, or the one for a named answer (``Motive: Security at
    4``).
    """
    needed = card.number("site_level") or 0
    special = card.facts.get("site_special")
    if not isinstance(special, str):
        return needed
    level = special.rpartition(" ")[2]
    return min(needed, int(level)) if level.isdecimal() else needed
