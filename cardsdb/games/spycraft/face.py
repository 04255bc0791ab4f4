"""What Spycraft cards look like: the printed order of things, in our own drawing.

As on the printed cards the name runs up the left edge, the skills stand down the left, the
expense is top right and the level or bravado bottom right. Missions lie on their side.
"""

from __future__ import annotations

from cardsdb.games.kit.print.face import (
    BAND,
    Back,
    Box,
    Face,
    FactSymbols,
    Fill,
    Lines,
    Notes,
    Number,
    Text,
    dossier,
    foot_line,
    on_the_band,
    paper,
    type_row,
)
from cardsdb.games.kit.print.symbols import BLADES, BOLT, CASE, EYE, FLAG, PERSON, SHIELD, SPEECH, STAR, TARGET, WHEEL, WRENCH

# Edges carry the name in paper colour, so each has a contrast of 4.5:1 or more with it.
ACTION, GEAR, MISSION = "#17605f", "#585d63", "#363b40"
COLOURS = {
    "Banshee Net": "#4c6a10",
    "Bloodvine": "#7d1f26",
    "The Krypt": "#a64408",
    "Nine Tiger": "#7d5c05",
    "Shadow Patriots": "#27497c",
    "Franchise": "#613a77",
    "Freelancer": "#4d5a66",
    "Fight": "#8c2a2a",
    "Chase": "#215c80",
    "Intrigue": "#5d3f7a",
}

CHASE = "M 4 5 L 11 12 L 4 19 M 12 5 L 19 12 L 12 19"
MISSION_SYMBOLS = (("Fight", BLADES), ("Chase", CHASE), ("Intrigue", EYE))
# The four skills: a word, a sight, a steering wheel and a wrench; cover is a shield.
SKILL_SYMBOLS = (("charisma", SPEECH), ("combat", TARGET), ("transport", WHEEL), ("craft", WRENCH))
BONUSES = (*((f"{skill}_bonus", path, skill.capitalize()) for skill, path in SKILL_SYMBOLS), ("cover_bonus", SHIELD, "Cover"))

SKILLS = ("charisma", "combat", "transport", "craft")
OBJECTIVE = ("location", "objective_skill", "objective_value")


def _with_set(face: Face) -> Face:
    """The printed cards name their set bottom left."""
    return Face((*face.elements, Text(Box(11_500, 76_000, 34_000, 4_200), "set", 80, 60, "sans-bold", colour="soft")), face.landscape)


def _mission() -> Face:
    """Landscape: cover top left, name in the middle, victory points top right, mission number bottom right.

    The objective stands as what it is: its skill as a mark, its value as the second largest number.
    """
    return Face(
        (
            paper(88_000, 63_000),
            Fill(Box(0, 0, 88_000, BAND), MISSION),
            *on_the_band("cover"),
            Text(Box(16_500, 2_500, 55_000, 11_000), "name", 135, 90, "serif-bold", "centre", "paper", lines=2),
            *on_the_band("victory_points", "VP", x=73_500),
            *type_row(FLAG, 4_000, 32_000),
            FactSymbols(Box(4_000, 21_800, 28_000, 6_000), "mission_types", MISSION_SYMBOLS),
            Number(Box(33_000, 15_800, 14_000, 12_200), "objective_value", "Objective", 280, instead="objective_formula"),
            FactSymbols(Box(48_000, 15_800, 36_500, 6_000), "objective_skill", SKILL_SYMBOLS),
            Lines(Box(48_000, 22_500, 36_500, 5_500), ("location", "victory_points_formula"), ("location",)),
            Notes(Box(4_000, 29_500, 66_000, 21_000)),
            Number(Box(72_000, 41_500, 12_500, 11_000), "mission_number", "Number", 230),
            Text(Box(4_000, 51_200, 50_000, 4_200), "set", 80, 60, "sans-bold", colour="soft"),
            *foot_line(width=88_000, height=63_000, ruled=True),
        ),
        landscape=True,
    )


FACES = {
    "leader": _with_set(
        dossier(
            corner="expense",
            column=SKILLS,
            symbols=SKILL_SYMBOLS,
            symbol=STAR,
            foot="level",
            lines=("faction", "traits", "master", "henchman"),
            blanks=("faction",),
            edge="by:faction",
            name_up_edge=True,
        )
    ),
    "agent": _with_set(
        dossier(
            corner="expense",
            column=SKILLS,
            symbols=SKILL_SYMBOLS,
            symbol=PERSON,
            foot="bravado",
            lines=("faction", "traits"),
            blanks=("faction",),
            edge="by:faction",
            name_up_edge=True,
        )
    ),
    "action": _with_set(
        dossier(
            foot="bravado",
            symbol=BOLT,
            marks="action_headers",
            symbols=SKILL_SYMBOLS,
            lines=("faction", "restricted_to", *OBJECTIVE),
            edge=ACTION,
            name_up_edge=True,
        )
    ),
    "gear": _with_set(
        dossier(
            corner="expense",
            symbol=CASE,
            foot="bravado",
            row=BONUSES,
            lines=("traits", "restricted_to"),
            edge=GEAR,
            name_up_edge=True,
        )
    ),
    "mission": _mission(),
}

# A sight on a lattice. The mission deck is one for all players and never mixed with their own, so it has a back of its own;
# what the printed backs look like is not stated: both are our choice.
_SIGHTS = (
    "M12 6 C15.3 6 18 8.7 18 12 C18 15.3 15.3 18 12 18 C8.7 18 6 15.3 6 12 C6 8.7 8.7 6 12 6 Z M12 0 V9 M12 15 V24 M0 12 H9 M15 12 H24"
)
BACKS = (Back(TARGET, _SIGHTS, "Agency"), Back(FLAG, _SIGHTS, "Missions", types=("mission",), colour=MISSION))
