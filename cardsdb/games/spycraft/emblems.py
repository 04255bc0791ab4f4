"""Spycraft's emblems: people are quartered fields, actions a shape on a ruled field, gear a silhouette on a
plinth, missions a figure.

The four skills are four ways to rule a field, each line one point: arcs are Charisma, rays Combat, lanes
Transport, dots Craft.
"""

from __future__ import annotations

from collections.abc import Callable
from math import pi, sqrt

from cardsdb.games.kit import Card
from cardsdb.games.kit.print.shapes import (
    BORDER,
    Corner,
    Ink,
    Partition,
    Point,
    Ruling,
    Window,
    arc,
    circle,
    codes,
    partition,
    regular,
    rule,
)
from cardsdb.games.kit.print.symbols import BOLT, CASE, FLAG, SHIELD, WHEEL
from cardsdb.games.spycraft.silhouettes import THINGS, Silhouette, case

RULINGS: dict[str, Ruling] = {"charisma": "arcs", "combat": "rays", "transport": "lanes", "craft": "grid"}
# The line that parts the quarters says which faction, beside its colour.
PARTITIONS: dict[str, Partition] = {
    "Shadow Patriots": "straight",
    "Bloodvine": "wavy",
    "The Krypt": "embattled",
    "Nine Tiger": "indented",
    "Banshee Net": "scalloped",
    "Franchise": "dovetailed",
    "Freelancer": "raked",
}
# What a faction's people bear: three cells that touch, a drop with a vine, a vault, stripes, a star, a net,
# an empty lozenge.
CRESTS = {
    "Banshee Net": (
        "M12 2 L16 4.3 V8.9 L12 11.2 L8 8.9 V4.3 Z M6.5 11.8 L10.5 14.1 V18.7 L6.5 21 L2.5 18.7 V14.1 Z "
        "M17.5 11.8 L21.5 14.1 V18.7 L17.5 21 L13.5 18.7 V14.1 Z M12 11.2 V13"
    ),
    "Bloodvine": (
        "M12 1.5 C16 7 19.5 11 19.5 15 C19.5 19.5 16 22.5 12 22.5 C8 22.5 4.5 19.5 4.5 15 C4.5 11 8 7 12 1.5"
        " Z M12 22 V10 M12 16 C14 16 16 14.5 16 12 M12 19.5 C10 19.5 8 18 8 15.5"
    ),
    "The Krypt": (
        "M2.5 22 V11 C2.5 6 6.5 2 12 2 C17.5 2 21.5 6 21.5 11 V22 "
        "M7.5 22 V12 C7.5 9.5 9.5 7.5 12 7.5 C14.5 7.5 16.5 9.5 16.5 12 V22 M12 22 V13"
    ),
    "Nine Tiger": (
        "M7.5 2.5 C9.5 8 9 16 4 21.5 M13 2.5 C15 8 14.5 16 9.5 21.5 M18.5 2.5 C20.5 8 20 16 15 21.5"
    ),
    "Shadow Patriots": (
        "M12 2 L14.7 8.8 L22 9.3 L16.4 14 L18.2 21.2 L12 17.2 L5.8 21.2 L7.6 14 L2 9.3 L9.3 8.8 Z M12 6.5 V17"
    ),
    "Franchise": (
        "M3 3 H10 V10 H3 Z M14 3 H21 V10 H14 Z M3 14 H10 V21 H3 Z M14 14 H21 V21 H14 Z "
        "M10 6.5 H14 M6.5 10 V14 M17.5 10 V14 M10 17.5 H14"
    ),
    "Freelancer": "M12 2 L22 12 L12 22 L2 12 Z M12 8 L16 12 L12 16 L8 12 Z",
}
GLASS = (
    "M10 3.5 C13.6 3.5 16.5 6.4 16.5 10 C16.5 13.6 13.6 16.5 10 16.5 C6.4 16.5 3.5 13.6 3.5 10 C3.5 6.4 6.4"
    " 3.5 10 3.5 Z M15 15 L21 21"
)
TRAITS = {
    "Soldier": "M4 9 L12 4 L20 9 M4 14.5 L12 9.5 L20 14.5 M4 20 L12 15 L20 20",
    "Snoop": GLASS,
    "Fixer": CASE,
    "Faceman": (
        "M4 4 C9 6 15 6 20 4 V11 C20 16.5 16 20.5 12 21.5 C8 20.5 4 16.5 4 11 Z M7.5 10 H10 M14 10 H16.5 M9.5"
        " 15.5 H14.5"
    ),
    "Pointman": FLAG,
    "Wheelman": WHEEL,
    "Mastermind": "M12 3 L21 19 H3 Z M12 9 V14",
    "Medic": "M9 3 H15 V9 H21 V15 H15 V21 H9 V15 H3 V9 H9 Z",
    "Squad": (
        "M8 5 L12 3 L16 5 M2 14 L6 12 L10 14 M14 14 L18 12 L22 14 M2 20 L6 18 L10 20 M14 20 L18 18 L22 20"
    ),
    "Bureau": SHIELD,
}
# What an action does, as a sign inside its shape; the first that it does.
DEEDS = {
    "prevent": SHIELD,
    "cancel": "M5 5 L19 19 M19 5 L5 19",
    "retire": "M12 3 V16 M7 11 L12 16 L17 11 M5 21 H19",
    "wound": "M12 2 V8 M12 16 V22 M2 12 H8 M16 12 H22 M5 5 L9 9 M15 15 L19 19 M19 5 L15 9 M9 15 L5 19",
    "move": "M4 21 V11 L12 4 L20 11 V21 Z M12 21 V12 M8.5 15.5 L12 12 L15.5 15.5",
    "draw": "M6 7 H18 V21 H6 Z M12 17 V10 M9 13 L12 10 L15 13",
    "discard": "M6 3 H18 V17 H6 Z M12 6 V13 M9 10 L12 13 L15 10 M8 21 H16",
    "redirect": "M4 19 V12 C4 9 6 7 9 7 H19 M15 3 L19 7 L15 11",
    "examine": "M2 12 C6 5 18 5 22 12 C18 19 6 19 2 12 Z M12 9 V15",
    "expose": "M12 3 L21 19 H3 Z M12 9 V14",
    "attach": (
        "M8 12 H16 M10 7 H7 C4 7 2 9 2 12 C2 15 4 17 7 17 H10 M14 7 H17 C20 7 22 9 22 12 C22 15 20 17 17"
        " 17 H14"
    ),
    "expense": (
        "M12 3 C17 3 21 7 21 12 C21 17 17 21 12 21 C7 21 3 17 3 12 C3 7 7 3 12 3 Z M8 10 H16 M8 14 H16"
    ),
    "cover": "M3 20 H21 M5 20 V12 H10 V20 M14 20 V7 H19 V20",
    "objective": FLAG,
    "queue": "M3 6 H17 V12 H3 Z M7 12 V18 H21 V12",
    "gain": "M12 2.5 L14.8 8.9 L21.5 9.5 L16.4 14 L18 20.7 L12 17.1 L6 20.7 L7.6 14 L2.5 9.5 L9.2 8.9 Z",
    "deactivate": "M12 3 V12 M7 6 C4 8 3 10 3 13 C3 18 7 21 12 21 C17 21 21 18 21 13 C21 10 20 8 17 6",
    "find": GLASS,
    "control": "M5 12 L12 5 L19 12 M12 5 V20",
}


# Shields and signs are drawn for a window with a shorter side of so many micrometres, and smaller in a
# smaller one.
USUAL = 30_000
# (lines, ground) of a field: with little ink, and otherwise dark on light or light on dark.
_LIGHT: tuple[Ink, Ink] = ("deep", "paper")
_DARK_ON_TINT: tuple[Ink, Ink] = ("deep", "tint")
_TINT_ON_DARK: tuple[Ink, Ink] = ("tint", "deep")
# Paper under ink: a line drawn so stands out from every ground.
_PENS: tuple[tuple[int, Ink], ...] = ((1_800, "paper"), (600, "ink"))


def person(card: Card, window: Window) -> None:
    """Four skills rule four quarters, as many lines as points; where the cross stands the skills weigh it.

    The strongest quarter is the darkest. Letters of the name move the cross a little, so that twins differ.
    An agent bears the sign of a trait, a leader the shield of the faction with a bar for each level.
    """
    skills = tuple(RULINGS)
    values = [card.number(skill) or 0 for skill in skills]
    total, letters = sum(values) or 1, codes(card.name)
    width, height = window.width, window.height
    leans_right = 0.55 * (values[0] + values[3] - values[1] - values[2]) / total
    leans_down = 0.55 * (values[0] + values[1] - values[2] - values[3]) / total
    x = width * (min(0.67, max(0.33, 0.5 + leans_right)) + (sum(letters) % 7 - 3) * 0.013)
    y = height * (min(0.65, max(0.35, 0.5 + leans_down)) + (sum(letters[::2]) % 7 - 3) * 0.011)
    # Clockwise from the top left; every ruling starts in the corner at the cross but for the arcs' and rays'
    # far ones.
    quarters: tuple[tuple[float, float, float, float, Corner], ...] = (
        (0, 0, x, y, (1, 1)),
        (x, 0, width - x, y, (0, 1)),
        (x, y, width - x, height - y, (0, 0)),
        (0, y, x, height - y, (1, 0)),
    )
    full: list[tuple[Ink, Ink]] = [("tint", "deep"), ("deep", "tint"), ("ink", "paper"), ("deep", "paper")]
    inks = [_LIGHT] * 4 if window.light else full
    for rank, place in enumerate(sorted(range(4), key=lambda place: (-values[place], place))):
        left, top, wide, high, corner = quarters[place]
        lines, ground = inks[rank]
        quarter = window.part(left, top, wide, high)
        quarter.ground(ground)
        rule(quarter, RULINGS[skills[place]], values[place], lines, corner)
    faction = next(iter(card.words("faction")), "")
    size = window.share_of(USUAL)
    _cross(window, x, y, PARTITIONS.get(faction, "straight"))
    if card.type == "leader":
        y = min(max(y, 8_800 * size), height - 13_500 * size)
        _shield(window, x, y, size, CRESTS.get(faction, ""), card.number("level") or 0)
        return
    window.disc(x, y, 5_600 * size, "paper")
    window.outline(circle(x, y, 4_900 * size), 600, "ink")
    if sign := next((TRAITS[trait] for trait in card.words("traits") if trait in TRAITS), ""):
        window.sign(sign, x, y, 5_400 * size, "ink")


def _cross(window: Window, x: float, y: float, kind: Partition) -> None:
    """The two lines that part the quarters, paper under ink, so that they stand out from every ground."""
    depth, margin = 1_400, 400
    level = [
        (margin + along, y - depth / 2 + off)
        for along, off in partition(kind, window.width - 2 * margin, depth, 4_600)
    ]
    upright = [
        (x + depth / 2 - off, margin + along)
        for along, off in partition(kind, window.height - 2 * margin, depth, 4_600)
    ]
    for pen, ink in _PENS:
        window.line(level, pen, ink)
        window.line(upright, pen, ink)


def _shield(window: Window, x: float, y: float, size: float, crest: str, level: int) -> None:
    """The shield of a leader with its middle near (x, y); ``size`` is 1 in a window of the usual size."""

    def outline(radius: float) -> list[Point]:
        middle = y + radius * 0.35
        side = [(px, middle + (py - middle) * 1.15) for px, py in arc(x, middle, radius, 0, pi / 2)]
        return [
            (x - radius, y - radius),
            (x + radius, y - radius),
            *side,
            *((2 * x - px, py) for px, py in reversed(side)),
        ]

    window.area(outline(8_800 * size), "paper")
    window.area(outline(7_700 * size), "paper" if window.light else "ink")
    window.outline(outline(7_700 * size), 600, "ink")
    if crest:
        window.sign(crest, x, y - 2_600 * size, 7_400 * size, "deep" if window.light else "tint")
    for bar in range(level):
        left, top, wide = 4_600 - 650 * bar, 2_200 + 1_750 * bar, 9_200 - 1_300 * bar
        window.rect(
            x - left * size, y + top * size, wide * size, 950 * size, "deep" if window.light else "paper"
        )


def action(card: Card, window: Window) -> None:
    """The skill rules the field, a line for each point of its value (five where it is X); the shape says
    when: a disc in the Intel phase, an arrow on a mission, a lozenge as a reaction. Signs in it say what the
    card does.
    """
    headers = [header.split() for header in card.words("action_headers")]
    when, skill, value = (*(headers[0] if headers else ()), "", "", "")[:3]
    count = int(value) if value.isdigit() else 5
    window.ground("paper" if window.light else "deep")
    if skill.casefold() in RULINGS:
        corner: Corner = {"Intel": (0, 0), "Mission": (0, 1)}.get(when, (1, 1))
        rule(window, RULINGS[skill.casefold()], count, "deep" if window.light else "tint", corner)
    x, y, radius = window.width / 2, window.height / 2, min(window.width, window.height) * 0.31
    window.area(_moment(when, x, y, radius + 1_300), "paper")
    window.area(_moment(when, x, y, radius), "paper")
    window.outline(_moment(when, x, y, radius), BORDER, "ink")
    told = (*card.words("does"), *card.words("target"))
    deeds = [DEEDS[deed] for deed in told if deed in DEEDS][:2] or [BOLT]
    for place, deed in enumerate(deeds):
        at = (
            x
            + (place - (len(deeds) - 1) / 2) * radius * 0.9
            - (radius * 0.15 if when == "Mission" and len(deeds) > 1 else 0)
        )
        window.sign(deed, at, y, radius * (1.05 if len(deeds) == 1 else 0.72), "ink")


def _moment(when: str, x: float, y: float, radius: float) -> list[Point]:
    if when == "Intel":
        return circle(x, y, radius)
    if when == "Mission":
        half = radius * 0.8
        return [
            (x - radius, y - half),
            (x + radius * 0.35, y - half),
            (x + radius * 1.15, y),
            (x + radius * 0.35, y + half),
            (x - radius, y + half),
        ]
    return regular(x, y, radius * 1.12, 4)


def gear(card: Card, window: Window) -> None:
    """A silhouette over a plinth: a tile for each bonus, ruled as often as it adds; cover is courses of
    brick.
    """
    adds = [
        (skill, card.number(f"{skill}_bonus") or 0)
        for skill in (*RULINGS, "cover")
        if card.number(f"{skill}_bonus")
    ]
    width, base = window.width, window.height * 0.3 if adds else 0
    top = window.height - base
    window.ground("paper" if window.light else "tint")
    radius = min(width, top) * 0.44
    window.disc(width / 2, top / 2, radius, "paper")
    if window.light:
        window.outline(circle(width / 2, top / 2, radius), 450, "deep")
    traits = card.words("traits")
    thing = next((draw for trait, draw in THINGS.items() if trait in traits), case)
    scale = min(width * 0.86 / 120, top * 0.8 / 60)
    thing(Silhouette(window, width / 2 - 60 * scale, top / 2 - 30 * scale, scale))
    for place, (skill, count) in enumerate(adds):
        tile = window.part(width / len(adds) * place, top, width / len(adds), base)
        lines, ground = _LIGHT if window.light or place % 2 else _TINT_ON_DARK
        tile.ground(ground)
        if skill in RULINGS:
            rule(tile, RULINGS[skill], count, lines, (0, 1))
            continue
        for course in range(count):
            tile.rect(
                tile.width * 0.12,
                base * (course + 0.25) / count,
                tile.width * 0.76,
                base / count * 0.5,
                lines,
            )
    if adds:
        window.bar(0, top, width, top, 700, "ink")


def mission(card: Card, window: Window) -> None:
    """A figure for the kind, as often as the objective's value: chevrons of a chase, wedges of a fight, rings
    of an intrigue.

    The ground is light in public and dark, with a frame, in private. Below stand blocks for cover and suns
    for victory points.
    """
    kinds, count = card.words("mission_types"), card.number("objective_value") or 1
    private = "Private" in card.words("location")
    floor = window.height * 0.2
    top = window.height - floor
    lines, ground = _LIGHT if window.light else _TINT_ON_DARK if private else _DARK_ON_TINT
    stage = window.part(0, 0, window.width, top)
    stage.ground(ground)
    for place, kind in enumerate(kinds):
        part = stage.part(stage.width * place / len(kinds), 0, stage.width / len(kinds), top)
        FIGURES.get(kind, _rings)(
            part, count, lines, ground, "paper" if private and not window.light else "ink"
        )
    if private:
        frames: tuple[tuple[int, int, Ink], ...] = (
            (900, 900, "paper"),
            (1_500, 450, "deep" if window.light else "tint"),
        )
        for inset, pen, ink in frames:
            corners = [
                (inset, top),
                (inset, inset),
                (window.width - inset, inset),
                (window.width - inset, top),
            ]
            window.line(corners, pen, ink)
    foot = window.part(0, top, window.width, floor)
    foot.ground("paper")
    for block in range(card.number("cover") or 0):
        foot.rect(1_200 + block * 3_300, floor * 0.3, 2_500, floor * 0.45, "ink")
    suns = [
        (window.width - floor * (0.6 + sun * 0.66), floor * 0.52)
        for sun in range(card.number("victory_points") or 0)
    ]
    foot.dots(suns, floor * 0.24, "deep")
    foot.bar(0, 0, window.width, 0, 1_400, "ink")


def _chevrons(stage: Window, count: int, lines: Ink, ground: Ink, last: Ink) -> None:
    step, high = stage.width / (count + 0.1), stage.height
    for k in range(count):
        x = step * k - high * 0.1
        wide = step * 0.52
        points = [
            (x, 0),
            (x + wide, 0),
            (x + wide + high / 2, high / 2),
            (x + wide, high),
            (x, high),
            (x + high / 2, high / 2),
        ]
        stage.area(points, last if k == count - 1 else lines)


def _wedges(stage: Window, count: int, lines: Ink, ground: Ink, last: Ink) -> None:
    x, y, each = stage.width * 0.72, stage.height / 2, stage.height / count
    stage.disc(x, y, stage.height * 0.42, lines)
    stage.disc(x, y, stage.height * 0.24, ground)
    for k in range(count):
        stage.area([(0, each * (k + 0.12)), (x, y), (0, each * (k + 0.88))], last)


def _rings(stage: Window, count: int, lines: Ink, ground: Ink, last: Ink) -> None:
    radius, middle = stage.height * 0.44, stage.height / 2
    gap = max(0.0, (stage.width * 0.86 - 2 * radius) / max(1, count - 1))
    first = stage.width * 0.07 + radius if count > 1 else stage.width / 2
    for k in range(count):
        stage.outline(circle(first + gap * k, middle, radius), 1_300, lines)
    if 0 < gap < 2 * radius and count > 1:
        # What the last two share is solid.
        x, half = first + gap * (count - 1.5), gap / 2
        reach = sqrt(radius * radius - half * half)
        bow = [(first + gap * (count - 2) + px, middle + py) for px, py in _between(radius, half, reach)]
        stage.area([*bow, *((2 * x - px, py) for px, py in reversed(bow))], lines)


def _between(radius: float, half: float, reach: float) -> list[Point]:
    """The arc of a circle about (0, 0) that lies right of x = ``half``, from above to below."""
    count = 16
    rows = [reach * (2 * k / count - 1) for k in range(count + 1)]
    return [(sqrt(max(radius * radius - y * y, half * half)), y) for y in rows]


Figure = Callable[[Window, int, Ink, Ink, Ink], None]
FIGURES: dict[str, Figure] = {"Chase": _chevrons, "Fight": _wedges, "Intrigue": _rings}
