"""The Sites that a team reaches: its Agents' skills are added up, and one of the skills that a Site asks is enough."""

from collections.abc import Iterable, Mapping
from typing import Literal

from cardsdb.games.kit import Card, Entry

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
    """Name of a skill -> the team's sum of it. A skill that no source states of any Agent is left out; an Agent of
    whom it is not stated adds nothing.
    """
    sums: dict[str, int] = {}
    for agent in team:
        facts = agent.card.facts
        for key, name in SKILLS.items():
            if isinstance(value := facts.get(key), int):
                sums[name] = sums.get(name, 0) + value * agent.count
    return sums


def reach(site: Card, skills: Mapping[str, int]) -> Reach:
    """The reach of these sums of skills at a Site: the ``whole`` of it, ``one answer`` that is easier than the others
    (``Motive: Security at 4``), or ``none``; ``unknown`` where no source states its number.
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
