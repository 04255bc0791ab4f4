"""Agent Decker's faces: what a card costs above, what it gives below, and an alarm card to lay two tokens
on.
"""

from __future__ import annotations

from cardsdb.games.agentdecker import emblems
from cardsdb.games.kit import Marker, PrintExtras, ScoreCard
from cardsdb.games.kit.print.emblem import Emblem, Partition
from cardsdb.games.kit.print.face import (
    BESIDE,
    LEFT,
    TYPE_TOP,
    Back,
    Box,
    Element,
    Face,
    FactSymbols,
    Fill,
    Lines,
    Notes,
    Number,
    NumberRow,
    Text,
    dossier,
    foot_line,
    name_band,
    on_the_band,
    paper,
    type_row,
)
from cardsdb.games.kit.print.symbols import BELL, BLADES, CARD, COIN, FLAG, GRID, MOON, PERSON, STOP

# The hue of what a mission asks for.
GOAL = "#1f5a4a"

# Our own drawings of the resources: a moon, two crossed blades, and a disc of two halves.
HALVES = (
    "M12 3 C7 3 3 7 3 12 C3 17 7 21 12 21 C17 21 21 17 21 12 C21 7 17 3 12 3 Z M12 3 C17 7.5 7 16.5 12 21"
)
SYMBOLS = (("stealth", MOON), ("fighting", BLADES), ("any", HALVES))
GAINED = (("reward_stealth", MOON, "Stealth"), ("reward_fighting", BLADES, "Fighting"))


def _alarm() -> Face:
    """Tens down the left, units in two columns beside them: the two tracks of the alarm card."""
    tens = [(Box(4_000, 21_500 + row * 9_800, 17_000, 8_900), f"={row * 10}") for row in range(6)]
    units = [
        (Box(25_000 + column * 17_500, 21_500 + row * 11_780, 16_500, 10_780), f"={column * 5 + row}")
        for column in (0, 1)
        for row in range(5)
    ]
    return Face(
        (
            paper(),
            *name_band(),
            Text(Box(4_000, 16_200, 17_000, 4_500), "=Tens", 90, 65, "sans-bold", colour="soft"),
            Text(Box(25_000, 16_200, 34_000, 4_500), "=Units", 90, 65, "sans-bold", colour="soft"),
            *(Fill(box, "tint") for box, _ in tens + units),
            *(Text(box, number, 220, 120, "sans-bold", "centre") for box, number in tens + units),
            *foot_line(),
        )
    )


def _gains(top: int) -> tuple[Element, ...]:
    """The panel of what the card gives its owner: stealth and fighting at the left edge, which a hand shows,
    then name and keep.
    """
    numbers = [
        Number(Box(3_500, top + 1_100 + index * 11_600, 15_500, 10_200), fact, name, 220, symbol)
        for index, (fact, symbol, name) in enumerate(GAINED)
    ]
    return (
        Fill(Box(0, top, 63_000, 24_000), "tint"),
        *numbers,
        Lines(Box(21_500, top + 2_000, 38_000, 20_000), ("reward_name", "keep"), ("reward_name", "keep"), 95),
    )


def _obstacle(symbol: str, line: Partition, letter: bool = False) -> Face:
    """Cost and alarm above, the effect between, the gains below."""
    top = 56_800
    part_of = (Number(Box(46_500, TYPE_TOP, 13_000, 10_500), "letter", size=230),) if letter else ()
    return Face(
        (
            paper(),
            *name_band(BESIDE, colour="by:cost_kind", line=line),
            *on_the_band("cost"),
            *type_row(symbol, right=46_000),
            *part_of,
            Number(Box(3_500, 22_000, 15_500, 12_000), "alarm", "", 260, BELL),
            FactSymbols(Box(21_500, 22_000, 24_500 if letter else 38_000, 6_000), "cost_kind", SYMBOLS),
            Lines(Box(21_500, 28_800, 38_000, 5_500), ("obstacle_type",), ("obstacle_type",)),
            Notes(Box(4_000, 35_500, 55_500, top - 37_200), emblem=Emblem(emblems.obstacle, "by:cost_kind")),
            *_gains(top),
            *foot_line(),
        )
    )


def _gives(symbol: str, corner: str = "", edge: str = "hue") -> Face:
    """A card that only gives something: its numbers first, then room for its words."""
    return Face(
        (
            paper(),
            *name_band(BESIDE if corner else LEFT, colour=edge, line="raked"),
            *(on_the_band(corner) if corner else ()),
            *type_row(symbol),
            Lines(Box(4_000, 22_000, 55_500, 5_500), ("reward_name",), ("reward_name",), 95),
            NumberRow(Box(4_000, 28_500, 55_500, 14_000), GAINED, size=300),
            Notes(Box(4_000, 44_000, 55_500, 35_800), emblem=Emblem(emblems.goal, edge)),
            *foot_line(),
        )
    )


def _starting() -> Face:
    """A card to begin with: one large number."""
    return Face(
        (
            paper(),
            *name_band(),
            *type_row(PERSON),
            NumberRow(Box(4_000, 21_500, 55_500, 16_000), GAINED, size=340),
            Notes(Box(4_000, 39_500, 55_500, 40_300), emblem=Emblem(emblems.starting)),
            *foot_line(),
        )
    )


def _resource() -> Face:
    """The drawing of a resource as large as the card."""
    marks = FactSymbols(Box(9_000, 23_000, 45_000, 34_000), "cost_kind", SYMBOLS, 32_000, named=False)
    return Face(
        (
            paper(),
            *name_band(),
            *type_row(COIN),
            marks,
            Notes(Box(4_000, 60_000, 55_500, 19_800)),
            *foot_line(),
        )
    )


FACES: dict[str, Face] = {
    "alarm": _alarm(),
    "starting": _starting(),
    "obstacle": _obstacle(STOP, "embattled"),
    "mission-goal": _gives(FLAG, "letter", GOAL),
    "mission-obstacle": _obstacle(FLAG, "dovetailed", letter=True),
    "unplaced": _obstacle(CARD, "indented"),
    "mission": dossier(
        corner="mission",
        symbol=FLAG,
        lines=("letter",),
        edge=GOAL,
        line="raked",
        emblem=Emblem(emblems.goal, GOAL),
    ),
    "zone": dossier(symbol=GRID, lines=("area",)),
    "resource": _resource(),
}

# Rings like those of an alarm. Whatever a deck of the game takes in may end in the player's own deck, so all
# of that shares one back; what lies on the table from the start has another. No source states the back of the
# printed cards: the choice is ours.
_RINGS = (
    "M12 3 C17 3 21 7 21 12 C21 17 17 21 12 21 C7 21 3 17 3 12 C3 7 7 3 12 3 Z M0 0 L3 3 M24 0 L21 3 M0 24 L3"
    " 21 M24 24 L21 21"
)
BACKS = (
    Back(HALVES, _RINGS),
    Back(BELL, _RINGS, "Table", types=("alarm", "mission", "zone", "resource"), colour="#46525c"),
)

# -- beside the deck -------------------------------------------------------------

# Two tokens for the alarm, and a sheet for the scores.
PRINT_EXTRAS = PrintExtras(
    markers=(Marker("Alarm, tens", BELL, 1, "AD-06"), Marker("Alarm, units", BELL, 1, "AD-06", "#9a3a16")),
    scores=(
        ScoreCard(
            "Score sheet",
            tuple(f"Mission {number}" for number in range(1, 6)),
            4,
            "Total",
            "AD-41",
            "The alarm at the end of each mission, 0 to 49. The lowest total is the best.",
        ),
    ),
)
