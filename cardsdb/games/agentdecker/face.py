"""Agent Decker's faces: cost and alarm as numbers, what you gain as lines, and an alarm card to lay two tokens on."""

from __future__ import annotations

from cardsdb.games.kit.face import Box, Face, Fill, Text, dossier

# Our own drawings of the resources: a moon, two crossed blades, and a disc of two halves.
SYMBOLS = (
    ("stealth", "M15.5 3.5 C10.5 4.5 7 8 7 12.5 C7 17 10.5 20 15 20.5 C9 22.5 3.5 18.5 3.5 12.5 C3.5 6.5 9 2 15.5 3.5 Z"),
    ("fighting", "M4 4 L17 17 M20 4 L7 17 M14 20 L20 14 M10 20 L4 14 M18 18 L21 21 M6 18 L3 21"),
    (
        "any",
        "M12 3 C7 3 3 7 3 12 C3 17 7 21 12 21 C17 21 21 17 21 12 C21 7 17 3 12 3 Z M5.6 18.4 L18.4 5.6",
    ),
)


def _alarm() -> Face:
    """Tens down the left, units in two columns beside them: the two tracks of the alarm card."""
    tens = [(Box(4_000, 21_000 + row * 10_000, 17_000, 9_000), f"={row * 10}") for row in range(6)]
    units = [
        (Box(25_000 + column * 18_000, 21_000 + row * 12_000, 16_000, 11_000), f"={column * 5 + row}")
        for column in (0, 1)
        for row in range(5)
    ]
    return Face(
        (
            Fill(Box(0, 0, 63_000, 88_000), "paper"),
            Fill(Box(0, 0, 63_000, 13_500), "hue"),
            Text(Box(4_000, 1_200, 55_000, 11_100), "name", 120, 90, "serif-bold", colour="paper", lines=3),
            Text(Box(4_000, 15_000, 17_000, 4_000), "=Tens", 80, 65, "sans-bold", colour="soft"),
            Text(Box(25_000, 15_000, 34_000, 4_000), "=Units", 80, 65, "sans-bold", colour="soft"),
            *(Fill(box, "tint") for box, _ in tens + units),
            *(Text(box, number, 200, 120, "sans-bold", "centre") for box, number in tens + units),
            Text(Box(4_000, 82_200, 55_500, 3_800), "credit", 65, 50, colour="soft"),
        )
    )


GAINED = ("reward_name", "reward_stealth", "reward_fighting", "keep")

FACES: dict[str, Face] = {
    "alarm": _alarm(),
    "starting": dossier(lines=("reward_stealth", "reward_fighting")),
    "obstacle": dossier(
        corner="cost",
        column=("alarm",),
        marks="cost_kind",
        symbols=SYMBOLS,
        lines=("obstacle_type", *GAINED),
        blanks=("obstacle_type", *GAINED),
    ),
    "mission-goal": dossier(foot="letter", lines=("reward_name", "reward_stealth", "reward_fighting"), blanks=("reward_name",), edge="ink"),
    "mission-obstacle": dossier(
        corner="cost",
        column=("alarm",),
        foot="letter",
        marks="cost_kind",
        symbols=SYMBOLS,
        lines=("obstacle_type", *GAINED),
        blanks=("obstacle_type", *GAINED),
    ),
    "unplaced": dossier(
        corner="cost",
        column=("alarm",),
        marks="cost_kind",
        symbols=SYMBOLS,
        lines=("obstacle_type", *GAINED),
        blanks=("obstacle_type", *GAINED),
    ),
    "mission": dossier(corner="mission", lines=("letter",)),
    "zone": dossier(lines=("area",)),
    "resource": dossier(marks="cost_kind", symbols=SYMBOLS),
}
