"""What Spycraft cards look like: the printed order of things, in our own drawing.

As on the printed cards the name runs up the left edge, the skills stand down the left, the
expense is top right and the level or bravado bottom right. Missions lie on their side.
"""

from __future__ import annotations

from math import pi

from cardsdb.games.kit.print.face import (
    HEIGHT,
    SAFE,
    WIDTH,
    Area,
    Box,
    Element,
    Face,
    FactSymbols,
    Lines,
    Notes,
    Number,
    NumberRow,
    Symbol,
    Text,
    foot_line,
    on_the_band,
    paper,
)
from cardsdb.games.kit.print.shapes import SYMBOLS, Emblem, arc
from cardsdb.games.spycraft.emblems import CRESTS, action, gear, mission, person

# Edges carry the name in paper colour, so each has a contrast of 4.5:1 or more with it.
ACTION, GEAR, MISSION = "#0f605e", "#2f5163", "#363b40"

CHASE = "M 4 5 L 11 12 L 4 19 M 12 5 L 19 12 L 12 19"
MISSION_SYMBOLS = (("Fight", SYMBOLS["blades"]), ("Chase", CHASE), ("Intrigue", SYMBOLS["eye"]))
# The four skills: a word, a sight, a steering wheel and a wrench; cover is a shield.
SKILL_SYMBOLS = (
    ("charisma", SYMBOLS["speech"]),
    ("combat", SYMBOLS["target"]),
    ("transport", SYMBOLS["wheel"]),
    ("craft", SYMBOLS["wrench"]),
)
BONUSES = (
    *((f"{skill}_bonus", path, skill.capitalize()) for skill, path in SKILL_SYMBOLS),
    ("cover_bonus", SYMBOLS["shield"], "Cover"),
)

SKILLS = ("charisma", "combat", "transport", "craft")
OBJECTIVE = ("location", "objective_skill", "objective_value")


# The spine that carries the name, 10 mm wide, and the head that tells the type: its shape runs out to the
# right of the spine.
SPINE, HEAD = 10_000, 18_600
# Where the type and what stands beside the head begin, the window of people beside their skills, that of
# everything else.
BESIDE_HEAD, BESIDE_SKILLS, BESIDE_SPINE, RIGHT = 22_300, 25_500, 12_500, 59_500


def _round(middle: int, right: int) -> tuple[tuple[int, int], ...]:
    """A half circle that bulges to the right, from above to below."""
    return tuple((round(x), round(y)) for x, y in arc(right - middle, middle, middle, -pi / 2, pi / 2))


# A shield for leaders, a round for agents, an arrow for actions, cut corners for gear.
HEADS: dict[str, tuple[tuple[int, int], ...]] = {
    "leader": ((19_000, 0), (19_000, 10_500), (17_200, 15_500), (13_600, 19_200), (SPINE, 20_500)),
    "agent": (*_round(9_300, 18_300),),
    "action": ((12_500, 0), (20_600, 9_300), (12_500, HEAD)),
    "gear": ((14_800, 0), (19_000, 4_200), (19_000, 14_400), (14_800, HEAD)),
}


def _spine(card_type: str, colour: str, sign: Element) -> tuple[Element, ...]:
    """Paper, the spine with its head and the sign in it, and the name up the left edge as on the printed
    cards.
    """
    head = HEADS[card_type]
    points = ((0, 0), *head, (SPINE, head[-1][1]), (SPINE, HEIGHT), (0, HEIGHT))
    name = Text(
        Box(2_200, 21_500, 5_800, HEIGHT - 25_000),
        "name",
        155,
        90,
        "serif-bold",
        "right",
        "paper",
        turned=True,
    )
    return paper(), Area(points, Box(0, 0, SPINE, HEIGHT), colour), sign, name


def _foot(number: str) -> tuple[Element, ...]:
    """Set, source and credit at the left, the number that a hand is counted by at the right."""
    return (
        Text(Box(BESIDE_SPINE, 77_000, 30_000, 4_000), "set", 80, 60, "sans-bold", colour="soft"),
        Number(Box(WIDTH - 14_500, HEIGHT - 17_200, 11_000, 10_200), number, size=280),
        *foot_line(BESIDE_SPINE),
    )


def _person(card_type: str, number: str) -> Face:
    """Expense top right, four skills down the left, the actions and the emblem beside them."""
    crest = FactSymbols(
        Box(3_200, 3_300, 12_000, 12_000), "faction", tuple(CRESTS.items()), 12_000, named=False
    )
    skills = [
        Number(Box(SPINE + 800, 22_000 + place * 13_700, 14_000, 12_900), skill, "", 300, symbol)
        for place, (skill, symbol) in enumerate(SKILL_SYMBOLS)
    ]
    return Face(
        (
            *_spine(card_type, "by:faction", crest),
            Number(Box(WIDTH - 16_600, SAFE, 13_200, 13_000), "expense", size=300),
            Text(Box(BESIDE_HEAD, SAFE, 23_500, 3_400), "type", 70, 65, "sans-bold", colour="soft"),
            Text(Box(BESIDE_HEAD, 6_300, 23_500, 10_600), "fact:traits", 85, 65, "sans-bold", lines=3),
            Text(
                Box(BESIDE_HEAD, 16_900, 24_000, 3_000),
                "fact:faction",
                75,
                65,
                "sans-bold",
                colour="by:faction",
                blank=True,
            ),
            *skills,
            FactSymbols(
                Box(BESIDE_SKILLS, 20_400, RIGHT - BESIDE_SKILLS, 4_400),
                "action_headers",
                SKILL_SYMBOLS,
                3_800,
            ),
            Lines(Box(BESIDE_SKILLS, 25_400, RIGHT - BESIDE_SKILLS, 4_000), ("master", "henchman")),
            Notes(
                Box(BESIDE_SKILLS, 29_900, RIGHT - BESIDE_SKILLS, 40_600), emblem=Emblem(person, "by:faction")
            ),
            *_foot(number),
        )
    )


def _action() -> Face:
    """When and with which skill it is played, then what decides a solo operation, then the emblem."""
    wide = RIGHT - BESIDE_SPINE
    return Face(
        (
            *_spine("action", ACTION, Symbol(Box(3_000, 3_300, 12_000, 12_000), SYMBOLS["bolt"], "paper")),
            Text(Box(BESIDE_HEAD, SAFE, 36_000, 3_400), "type", 70, 65, "sans-bold", colour="soft"),
            Text(Box(BESIDE_HEAD, 6_400, 36_000, 4_600), "fact:traits", 85, 65, "sans-bold"),
            FactSymbols(Box(BESIDE_SPINE, 20_200, wide, 5_400), "action_headers", SKILL_SYMBOLS),
            Lines(Box(BESIDE_SPINE, 26_400, wide, 4_400), ("faction", "restricted_to", *OBJECTIVE)),
            Notes(Box(BESIDE_SPINE, 31_300, wide, 39_200), emblem=Emblem(action, ACTION)),
            *_foot("bravado"),
        )
    )


def _gear() -> Face:
    """Expense top right, what it adds side by side, then the emblem."""
    wide = RIGHT - BESIDE_SPINE
    return Face(
        (
            *_spine("gear", GEAR, Symbol(Box(3_000, 3_300, 12_000, 12_000), SYMBOLS["case"], "paper")),
            Number(Box(WIDTH - 16_600, SAFE, 13_200, 13_000), "expense", size=300),
            Text(Box(BESIDE_HEAD, SAFE, 23_500, 3_400), "type", 70, 65, "sans-bold", colour="soft"),
            Text(Box(BESIDE_HEAD, 6_300, 23_500, 10_600), "fact:traits", 85, 65, "sans-bold", lines=3),
            NumberRow(Box(BESIDE_SPINE, 20_600, wide, 11_200), BONUSES, 240, signed=True),
            FactSymbols(Box(BESIDE_SPINE, 32_600, wide, 4_400), "action_headers", SKILL_SYMBOLS, 3_800),
            Lines(Box(BESIDE_SPINE, 37_800, wide, 4_200), ("restricted_to",)),
            Notes(Box(BESIDE_SPINE, 42_600, wide, 27_900), emblem=Emblem(gear, GEAR)),
            *_foot("bravado"),
        )
    )


def _mission() -> Face:
    """Landscape: cover top left, name in the middle, victory points top right; the emblem says the kind.

    The objective's skill is a mark, its value the second largest number.
    """
    return Face(
        (
            paper(88_000, 63_000),
            Area(
                (
                    (0, 0),
                    (88_000, 0),
                    (88_000, 17_500),
                    (73_000, 17_500),
                    (69_000, 12_500),
                    (19_000, 12_500),
                    (15_000, 17_500),
                    (0, 17_500),
                ),
                Box(0, 0, 88_000, 12_500),
                "by:mission_types",
            ),
            *on_the_band("cover"),
            Text(
                Box(18_500, 2_700, 51_000, 8_600), "name", 150, 90, "serif-bold", "centre", "paper", lines=2
            ),
            *on_the_band("victory_points", "VP", "victory_points_formula", x=73_500),
            Text(Box(20_500, 13_600, 18_000, 3_400), "type", 68, 65, "sans-bold", colour="soft"),
            Number(
                Box(3_500, 19_000, 16_500, 16_500),
                "objective_value",
                "Objective",
                400,
                instead="objective_formula",
            ),
            FactSymbols(Box(3_400, 36_500, 17_200, 5_000), "objective_skill", SKILL_SYMBOLS, 3_300),
            FactSymbols(Box(36_500, 13_200, 30_000, 4_200), "mission_types", MISSION_SYMBOLS, 4_000),
            Lines(Box(21_000, 18_600, 63_500, 4_600), ("location", "mission_number"), ("location",)),
            Notes(Box(21_000, 24_000, 63_500, 29_500), emblem=Emblem(mission, "by:mission_types")),
            Text(Box(4_000, 48_500, 16_000, 4_000), "set", 80, 60, "sans-bold", colour="soft"),
            *foot_line(width=88_000, height=63_000),
        ),
        landscape=True,
    )


FACES = {
    "leader": _person("leader", "level"),
    "agent": _person("agent", "bravado"),
    "action": _action(),
    "gear": _gear(),
    "mission": _mission(),
}
