"""What Spycraft cards look like: the printed order of things, in our own drawing.

As on the printed cards the name runs up the left edge, the skills stand down the left, the
expense is top right and the level or bravado bottom right. Missions lie on their side.
"""

from __future__ import annotations

from cardsdb.games.kit.face import Box, Face, Fill, Lines, Marks, Notes, Number, Text, dossier

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

FIGHT = "M 4 4 L 18 18 M 20 4 L 6 18 M 3 15 L 9 21 M 21 15 L 15 21"
CHASE = "M 4 5 L 11 12 L 4 19 M 12 5 L 19 12 L 12 19"
INTRIGUE = "M 2 12 C 7 4 17 4 22 12 C 17 20 7 20 2 12 Z M 12 9 C 16 9 16 15 12 15 C 8 15 8 9 12 9 Z"
MISSION_SYMBOLS = (("Fight", FIGHT), ("Chase", CHASE), ("Intrigue", INTRIGUE))

SKILLS = ("charisma", "combat", "transport", "craft")
BONUSES = ("charisma_bonus", "combat_bonus", "transport_bonus", "craft_bonus", "cover_bonus")
OBJECTIVE = ("location", "objective_skill", "objective_value")


def _with_set(face: Face) -> Face:
    """The printed cards name their set bottom left."""
    return Face((*face.elements, Text(Box(9_000, 77_800, 36_000, 3_800), "set", 70, 60, colour="soft")), face.landscape)


def _mission() -> Face:
    """Landscape: cover top left, name in the middle, victory points top right, mission number bottom right."""
    return Face(
        (
            Fill(Box(0, 0, 88_000, 63_000), "paper"),
            Fill(Box(0, 0, 88_000, 13_500), MISSION),
            Fill(Box(2_000, 1_500, 12_000, 10_800), "paper"),
            Number(Box(2_000, 1_800, 12_000, 10_500), "cover"),
            Text(Box(16_000, 2_500, 56_000, 9_000), "name", 120, 90, "serif-bold", "centre", "paper", lines=2),
            Fill(Box(74_000, 1_500, 12_000, 10_800), "paper"),
            Number(Box(74_000, 1_800, 12_000, 10_500), "victory_points", "VP"),
            Text(Box(4_000, 15_500, 26_000, 4_000), "type", 80, 65, "sans-bold", colour="soft"),
            Marks(Box(4_000, 20_500, 26_000, 6_500), "mission_types", MISSION_SYMBOLS),
            Lines(Box(32_000, 15_500, 52_500, 12_600), (*OBJECTIVE, "objective_formula", "victory_points_formula"), OBJECTIVE),
            Notes(Box(4_000, 29_500, 66_000, 18_000)),
            Number(Box(72_500, 45_500, 12_000, 10_500), "mission_number", "Number"),
            Text(Box(4_000, 53_000, 50_000, 3_800), "set", 70, 60, colour="soft"),
            Text(Box(4_000, 57_200, 80_000, 3_800), "credit", 65, 50, colour="soft"),
        ),
        landscape=True,
    )


FACES = {
    "leader": _with_set(
        dossier(
            corner="expense",
            column=SKILLS,
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
            lines=("action_headers", "faction", "restricted_to", *OBJECTIVE),
            edge=ACTION,
            name_up_edge=True,
        )
    ),
    "gear": _with_set(
        dossier(
            corner="expense",
            foot="bravado",
            lines=(*BONUSES, "traits", "restricted_to"),
            edge=GEAR,
            name_up_edge=True,
        )
    ),
    "mission": _mission(),
}
