"""The types of cards and entries, the ranks that stand on a character sheet, the facts that cards carry, and the
places of cards that no source names.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from cardsdb.games.kit import CardType, Fact
from cardsdb.games.kit.model.cards import PlaceGroup
from cardsdb.games.kit.model.effects import EFFECT_FACTS
from cardsdb.games.kit.model.text import slugify

Kind = Literal["trait", "action", "skill"]

TRAITS = ("Intelligence", "Charisma", "Body")
ENCOUNTER_TYPES = ("Interaction", "Infiltration", "Stealing", "Sabotage", "Chase", "Fighting")

# The rules page lists 18 actions and 18 skills without dividing them. Both lists fall into six
# runs of three in the order of ENCOUNTER_TYPES; the division is deduced from that.
ACTIONS = {
    "Interaction": ("Lines", "Looks", "Willpower"),
    "Infiltration": ("Sneaking", "Bluffing", "Observation"),
    "Stealing": ("Heisting", "Sleight of Hand", "Security"),
    "Sabotage": ("Disarming", "Disposal", "Destruction"),
    "Chase": ("Accuracy", "Dodging", "Speed"),
    "Fighting": ("Targeting", "Feint", "Brawn"),
}
SKILLS = {
    "Interaction": ("Persuasion", "Seduction", "Intimidation"),
    "Infiltration": ("Cat Burgling", "Disguise", "Stealth"),
    "Stealing": ("Safe Cracking", "Forgery", "Pick Pocket"),
    "Sabotage": ("Demolitions", "Rewiring", "Smashing"),
    "Chase": ("Sea", "Air", "Land"),
    "Fighting": ("Firearms", "Melee", "Hand to Hand"),
}

START = 1
PRICES: dict[Kind, int] = {"trait": 4, "action": 3, "skill": 1}


@dataclass(frozen=True, slots=True)
class Rank:
    """One line of the sheet. ``encounter_type`` is empty for a trait."""

    key: str
    name: str
    kind: Kind
    encounter_type: str = ""

    @property
    def price(self) -> int:
        """XP for each rank bought."""
        return PRICES[self.kind]


def key_of(name: str) -> str:
    """The fact that holds the rank of this trait, action or skill: ``Hand to Hand`` -> ``hand_to_hand``."""
    return name.lower().replace(" ", "_")


RANKS: dict[str, Rank] = {
    rank.key: rank
    for rank in (
        *(Rank(key_of(name), name, "trait") for name in TRAITS),
        *(
            Rank(key_of(name), name, "action", encounter)
            for encounter, names in ACTIONS.items()
            for name in names
        ),
        *(
            Rank(key_of(name), name, "skill", encounter)
            for encounter, names in SKILLS.items()
            for name in names
        ),
    )
}


PLAYED = ("ally", "interrupt", "equipment", "add-on", "creature", "corporation-card", "organisation-card")
WRITE_IN = (*PLAYED, "character")

TYPES = (
    CardType(
        "character",
        "Character",
        "Characters",
        "An agent of a player's cell, with a sheet of ranks bought for XP.",
        kind="component",
    ),
    CardType(
        "ally", "Ally", "Allies", "A corporation card: an Interaction encounter decides whom it follows."
    ),
    CardType("interrupt", "Interrupt", "Interrupts", "A corporation card that may be played at any time."),
    CardType(
        "equipment",
        "Equipment",
        "Equipment",
        "An organisation card; a character has one for each encounter type.",
    ),
    CardType(
        "add-on", "Add On", "Add Ons", "An organisation card that goes on a piece of equipment in play."
    ),
    CardType(
        "creature", "Creature", "Creatures", "An organisation card that serves like an ally, but uncontested."
    ),
    CardType(
        "corporation-card",
        "Corporation card",
        "Corporation cards",
        "A card of a corporation whose kind is not known.",
    ),
    CardType(
        "organisation-card",
        "Organisation card",
        "Organisation cards",
        "A card of an organisation whose kind is not known.",
    ),
    CardType(
        "corporation",
        "Corporation",
        "Corporations",
        "Whom a character works for, and what it adds.",
        in_decks=False,
        kind="term",
    ),
    CardType(
        "organisation",
        "Organisation",
        "Organisations",
        "Whom a character spies for, and what it adds.",
        in_decks=False,
        kind="term",
    ),
    CardType("trait", "Trait", "Traits", "One of three approaches to anything.", in_decks=False, kind="term"),
    CardType(
        "action",
        "Action",
        "Actions",
        "What a trait does in one type of encounter.",
        in_decks=False,
        kind="term",
    ),
    CardType(
        "skill",
        "Skill",
        "Skills",
        "What helps in one type of encounter, whatever the trait.",
        in_decks=False,
        kind="term",
    ),
    CardType(
        "encounter-type",
        "Encounter type",
        "Encounter types",
        "What an encounter is about.",
        in_decks=False,
        kind="term",
    ),
    CardType(
        "card-kind",
        "Card kind",
        "Card kinds",
        "What the rules page says of a kind of card.",
        in_decks=False,
        kind="term",
    ),
    CardType(
        "goal",
        "Goal",
        "Goals",
        "What the Antagonist wins by three story encounters.",
        in_decks=False,
        kind="term",
    ),
)


def _rank_fact(rank: Rank) -> Fact:
    what = f"the {rank.kind} {rank.name}"
    where = f", used in {rank.encounter_type} encounters" if rank.encounter_type else ""
    help = (
        f"The character's rank of {what}{where}, bonus included. A rank that is not written is at its start."
    )
    return Fact(rank.key, "number", help, ("character",), rank.name, optional=True)


FACTS = (
    Fact(
        "corporation",
        "word",
        "The corporation a character works for or a card is of.",
        ("character", *PLAYED),
        aliases=("corp", "company"),
        # A character may have none, and the other deck's cards are of an organisation.
        optional_for=("character", "equipment", "add-on", "creature", "organisation-card"),
    ),
    Fact(
        "organisation",
        "word",
        "The organisation a character spies for or a card is of.",
        ("character", *PLAYED),
        aliases=("organization", "org"),
        optional_for=("character", "ally", "interrupt", "corporation-card"),
    ),
    Fact(
        "level",
        "number",
        "The character's level: one for every 10 XP spent, and never below 1.",
        ("character",),
        aliases=("lvl",),
        optional=True,
    ),
    Fact(
        "xp",
        "number",
        "The XP the character has had in all; 10 unless written.",
        ("character",),
        "XP had",
        optional=True,
    ),
    Fact(
        "download",
        "flag",
        "Whether the character has bought the ability to download a card.",
        ("character",),
        optional=True,
    ),
    *(_rank_fact(rank) for rank in RANKS.values()),
    Fact(
        "protagonist",
        "words",
        "The traits approved for the Protagonist in the card's initiative field.",
        PLAYED,
    ),
    Fact(
        "antagonist",
        "words",
        "The traits approved for the Antagonist in the card's initiative field.",
        PLAYED,
    ),
    Fact(
        "vehicle",
        "word",
        "The type of vehicle a card is, if it is one. The rules page lists no types.",
        PLAYED,
        optional=True,
    ),
    Fact(
        "encounter_type",
        "word",
        "The type of encounter: of a card, of an action or skill, or of those a corporation or organisation"
        " raises.",
        ("equipment", "add-on", "corporation", "organisation", "action", "skill"),
        aliases=("encounter", "action_type", "skill_type"),
    ),
    Fact(
        "trait",
        "words",
        "The trait of an action (deduced), or the traits a corporation raises.",
        ("action", "corporation"),
    ),
    Fact("trait_bonus", "number", "Ranks the corporation adds to each trait it raises.", ("corporation",)),
    Fact(
        "skill_bonus",
        "number",
        "Ranks the corporation adds to skills of its encounter type.",
        ("corporation",),
    ),
    Fact(
        "action_bonus",
        "number",
        "Ranks the organisation adds to actions of its encounter type.",
        ("organisation",),
    ),
    Fact("region", "word", "Where the corporation is based.", ("corporation",)),
    Fact(
        "sponsored", "word", "The organisation that the corporation sponsors.", ("corporation",), "Sponsors"
    ),
    Fact("sponsor", "word", "The corporation that sponsors the organisation.", ("organisation",)),
    Fact("price", "number", "XP for one more rank.", ("trait", "action", "skill"), "XP a rank", ("cost",)),
    Fact(
        "place",
        "number",
        "The place in the rules page's list.",
        ("trait", "action", "skill"),
        "Place in the list",
    ),
    Fact(
        "encounter_kind",
        "words",
        "Whether an encounter is a story encounter, an immediate one, or either.",
        ("encounter-type",),
    ),
    Fact(
        "listed_under",
        "word",
        "The group of cards under which the rules page describes the kind.",
        ("card-kind",),
    ),
    Fact("aim", "word", "What the goal is aimed at.", ("goal",), "Aimed at", ("aimed_at",)),
    Fact(
        "encounters",
        "words",
        "The second and third story encounter that lead to the goal, after Infiltration.",
        ("goal",),
    ),
    *EFFECT_FACTS,
)


CORPORATIONS = (
    "Das Wort",
    "The Encyclopedia Englania Company",
    "Orisaku Artificials Inc",
    "Transylvanian Transportation Company",
    "Renningson & Sons Firearms",
    "Navidad Pharmaceuticals",
)
ORGANISATIONS = (
    "Diamond Club",
    "M-5",
    "Dragon Sect",
    "Shadow Bureau",
    'Federal Agency "Feds"',
    "Unified Alliance",
)

CHECKLIST = (
    *(
        PlaceGroup(
            f"corporation-{slugify(name)[:30].strip('-')}",
            f"{name}, card",
            "corporation-card",
            32,
            "SS-23",
            "A corporation deck has 32 cards of different names, so each corporation has so many at least.",
            {"corporation": name},
        )
        for name in CORPORATIONS
    ),
    *(
        PlaceGroup(
            f"organisation-{slugify(name)[:30].strip('-')}",
            f"{name}, card",
            "organisation-card",
            24,
            "SS-26",
            "An organisation deck has 24 cards of different names, and where all in a cell spy for one"
            " organisation they are all of it.",
            {"organisation": name},
        )
        for name in ORGANISATIONS
    ),
)
