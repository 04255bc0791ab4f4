"""The words of The X-Files CCG: types of card, Agents' skills, and the facts that cards state."""

from __future__ import annotations

from cardsdb.games.kit import CardType, Fact
from cardsdb.games.kit.model.effects import EFFECT_FACTS

TYPES = (
    CardType("agent", "Agent", "Agents", "An investigator, on the starting team or bought for one turn."),
    CardType(
        "site", "Site", "Sites", "A place to investigate; solving it allows a question about an X-File."
    ),
    CardType("event", "Event", "Events", "Helps one's own Agents or hinders another player's."),
    CardType("witness", "Witness", "Witnesses", "Helps Agents at a Site, mostly in a skill check."),
    CardType(
        "bluff",
        "Bluff",
        "Bluffs",
        "Laid face down under a Site, or played openly, to spoil an investigation.",
    ),
    CardType("equipment", "Equipment", "Equipment", "Improves the Agent who carries it."),
    CardType("combat", "Combat", "Combat cards", "Changes how a combat goes; Advanced game only."),
    CardType("adversary", "Adversary", "Adversaries", "Fights the Agents who investigate a Site."),
    CardType("x-file", "X-File", "X-Files", "The secret that the other players try to identify."),
)
DECK_TYPES = tuple(card_type.slug for card_type in TYPES if card_type.slug != "x-file")

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

_FIGHTERS = ("agent", "adversary")
_WITH_ACTIVATORS = ("event", "witness", "bluff", "equipment", "combat", "adversary")
_SKILL_ALIASES = {
    "alien_investigation": ("alien",),
    "behavioral": ("behavior", "behavioural"),
    "criminal_investigation": ("criminal",),
    "evidence_collection": ("evidence",),
    "occult_investigation": ("occult",),
    "sciences": ("science",),
}

FACTS = (
    Fact(
        "cost",
        "number",
        "What the card costs; on a starting Agent, what it counts towards the 20 RP of the team.",
        DECK_TYPES,
        aliases=("worth",),
        unless=("cost_formula",),
    ),
    Fact(
        "cost_formula",
        "word",
        "The printed cost where it is not a number: X, X+1 or 2X.",
        DECK_TYPES,
        aliases=("formula",),
        optional=True,
    ),
    Fact(
        "pool",
        "word",
        "What pays for it: RP (Resource Pool), CP (Conspiracy Pool) or *P (either).",
        DECK_TYPES,
    ),
    Fact(
        "keywords",
        "words",
        "What the card counts as for other cards' activators.",
        DECK_TYPES,
        aliases=("keyword", "kw"),
    ),
    Fact(
        "activators",
        "words",
        "What must hold for the card to be played.",
        _WITH_ACTIVATORS,
        aliases=("activator",),
    ),
    Fact(
        "advanced_only",
        "flag",
        "Whether the card bears the green X: not for the Basic game.",
        aliases=("green x", "advanced"),
        opposites=("basic", "basic game"),
    ),
    Fact("killer", "flag", "Whether the card has the keyword Killer: out unless both players agree."),
    Fact(
        "episode",
        "word",
        "The episode of the series that the card is drawn from; lists say so, cards do not.",
    ),
    *(
        Fact(
            key,
            "number",
            f"The Agent's {name} skill; a team adds its Agents' skills.",
            ("agent",),
            name,
            _SKILL_ALIASES.get(key, ()),
        )
        for key, name in SKILLS.items()
    ),
    # Half of the Adversaries have a word in place of a number, which is then not unknown.
    Fact(
        "long_range_combat",
        "number",
        "Damage dealt in the round of long range combat.",
        _FIGHTERS,
        "LRC",
        ("long range", "range"),
        unless=("long_range_combat_special",),
    ),
    Fact(
        "close_range_combat",
        "number",
        "Damage dealt in a round of close range combat.",
        _FIGHTERS,
        "CRC",
        ("close range", "close"),
        unless=("close_range_combat_special",),
    ),
    Fact(
        "health",
        "number",
        "Damage that it takes to send an Agent to the Hospital or to end an Adversary.",
        _FIGHTERS,
        aliases=("hp",),
        unless=("health_special",),
    ),
    *(
        Fact(
            f"{key}_special",
            "word",
            f"Printed in place of a {name} number: N/A or Special.",
            ("adversary",),
            label,
            optional=True,
        )
        for key, name, label in (
            ("long_range_combat", "long range", "LRC printed"),
            ("close_range_combat", "close range", "CRC printed"),
            ("health", "Health", "Health printed"),
        )
    ),
    Fact(
        "resources",
        "number",
        "Points that the Agent adds to the Resource Pool each turn.",
        ("agent",),
        "RES",
        ("resource", "res"),
    ),
    Fact(
        "site_skills",
        "words",
        "The skills by which the Site can be solved; any one of them will do.",
        ("site",),
        "Skills",
        ("skill",),
    ),
    Fact(
        "site_level",
        "number",
        "How much of the skill the investigating team needs.",
        ("site",),
        "Skill needed",
        ("prerequisite",),
    ),
    Fact(
        "site_questions",
        "words",
        "The kinds of question that solving the Site allows.",
        ("site",),
        "Questions",
        ("question", "asks"),
    ),
    Fact(
        "site_special",
        "word",
        "The one answer that may be asked about at a lower level of the skill.",
        ("site",),
        "Easier",
        optional=True,
    ),
    Fact("affiliation", "word", "What sort of thing the X-File is.", ("x-file",)),
    Fact("motive", "word", "Why the X-File acts.", ("x-file",)),
    Fact("method", "word", "How the X-File acts.", ("x-file",)),
    Fact("result", "word", "What the X-File leaves behind.", ("x-file",)),
    *EFFECT_FACTS,
)
