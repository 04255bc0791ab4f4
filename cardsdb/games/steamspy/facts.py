"""The ranks that stand on a character sheet: traits, and the actions and skills of each type of encounter."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

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
