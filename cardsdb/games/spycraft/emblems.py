"""Spycraft's emblems, and the words and shapes that its faces read from a card. Only ``game.toml`` names the
public functions: those with (card, window) draw an emblem (``emblem = "person"``), those with a card alone,
at the end, return words or shapes (``of = "say:whose"``).

Each of the four skills is a pattern of lines, one line for each point: arcs for Charisma, rays for Combat,
lanes for Transport, columns of dots for Craft. People are four such fields, actions a picture of what they do
on one field, gear a silhouette over fields of its bonuses, missions a figure for their kind. Lengths are
micrometres, x grows to the right and y downwards; plain factors such as 0.86 are proportions chosen by eye.
``Window`` and ``rule`` (the patterns) are in ``kit/print/shapes.py``.
Tests of all emblems: ``tests/cardsdb/games/test_emblems.py``.
"""

from collections.abc import Callable, Iterable, Mapping
from math import pi, sqrt
from typing import Any, NamedTuple

from cardsdb.games.kit import Card
from cardsdb.games.kit.model.text import table_beside
from cardsdb.games.kit.print.deeds import ON_PAPER, Deed, draw_deed, shown_deed
from cardsdb.games.kit.print.shapes import (
    BORDER,
    LIGHT_DUTY,
    PEN,
    SYMBOLS,
    Corner,
    Ink,
    Partition,
    Point,
    Ruling,
    Window,
    arc,
    circle,
    codes,
    mirrored,
    partition,
    pill,
    rule,
)
from cardsdb.games.spycraft.rules import header_of

RULINGS: dict[str, Ruling] = {"charisma": "arcs", "combat": "rays", "transport": "lanes", "craft": "grid"}
DRAWN = table_beside(__file__, "emblems")
PARTITIONS: dict[str, Partition] = DRAWN["partitions"]
# SVG path data of the signs; a value of emblems.toml may be the name of a drawing of the kit.
CRESTS = {faction: SYMBOLS.get(path, path) for faction, path in DRAWN["crests"].items()}
TRAITS = {trait: SYMBOLS.get(path, path) for trait, path in DRAWN["traits"].items()}
# Verbs that only say who or what the next verb is about; an emblem shows another verb if there is one.
ASIDE = ("target", "name", "choose", "make", "allow")

# Shorter side of the window for which shields and signs are designed; they are smaller in a smaller one.
USUAL = 30_000
# (lines, ground) of a field.
_LIGHT: tuple[Ink, Ink] = ("deep", "paper")
_DARK_ON_TINT: tuple[Ink, Ink] = ("deep", "tint")
_TINT_ON_DARK: tuple[Ink, Ink] = ("tint", "deep")

# -- people: leaders and agents

# (lines, ground) from the strongest quarter to the weakest.
_QUARTERS: tuple[tuple[Ink, Ink], ...] = (_TINT_ON_DARK, _DARK_ON_TINT, ("ink", "paper"), _LIGHT)
# The cross between the quarters lies in the middle of the window if all skills are equal. Shares of the
# window's width or height: its way if one side has all points, ...
LEAN = 0.55
# ... the least and the greatest place, so that no quarter becomes too small, ...
MIN_ACROSS, MAX_ACROSS, MIN_DOWN, MAX_DOWN = 0.33, 0.67, 0.35, 0.65
# ... and one step by letters of the name, at most three each way, small enough to keep the quarters' order.
STEP_ACROSS, STEP_DOWN = 0.013, 0.011
# (width, ink) of the two strokes of a line that is visible on every ground: paper, and ink on top of it.
_PENS: tuple[tuple[int, Ink], ...] = ((1_800, "paper"), (600, "ink"))
LEVELS = 4  # of leaders


def person(card: Card, window: Window) -> None:
    """Draw a leader or agent: four quarters with the patterns of the skills, the strongest skill darkest.

    The centre of the cross leans towards the weaker skills, and letters of the name move it a little, so that
    people with equal skills differ. An agent bears the sign of a trait, a leader the shield of the faction
    with a bar for each level.
    """
    points = {skill: card.number(skill) or 0 for skill in RULINGS}
    x, y = _crossing(window, points, card.name)
    right, below = window.width - x, window.height - y
    # Skill -> its quarter, and the corner of it that lies at the cross.
    quarters: dict[str, tuple[Window, Corner]] = {
        "charisma": (window.part(0, 0, x, y), (1, 1)),
        "combat": (window.part(x, 0, right, y), (0, 1)),
        "transport": (window.part(x, y, right, below), (0, 0)),
        "craft": (window.part(0, y, x, below), (1, 0)),
    }
    strongest_first = sorted(points, key=lambda skill: -points[skill])
    inks = (_LIGHT,) * 4 if window.light else _QUARTERS
    for skill, (lines, ground) in zip(strongest_first, inks, strict=True):
        quarter, corner = quarters[skill]
        quarter.ground(ground)
        rule(quarter, RULINGS[skill], points[skill], lines, corner)
    faction = card.word("faction")
    _cross(window, x, y, PARTITIONS.get(faction, "straight"))
    if card.type == "leader":
        _shield(window, x, y, CRESTS.get(faction, ""), card.number("level") or 0)
    else:
        _trait(window, x, y, card.words("traits"))


def _crossing(window: Window, points: Mapping[str, int], name: str) -> Point:
    """Return the point at which the quarters of a person meet: a quarter grows with its skill's share of all
    points.

        Charisma | Combat
        Craft    | Transport
    """
    total = sum(points.values()) or 1
    charisma, combat, transport, craft = points.values()
    leans_right = LEAN * (charisma + craft - combat - transport) / total
    leans_down = LEAN * (charisma + combat - craft - transport) / total
    # All letters move it sideways, every second one up or down.
    letters = codes(name)
    steps_right, steps_down = sum(letters) % 7 - 3, sum(letters[::2]) % 7 - 3
    across = min(MAX_ACROSS, max(MIN_ACROSS, 0.5 + leans_right)) + steps_right * STEP_ACROSS
    down = min(MAX_DOWN, max(MIN_DOWN, 0.5 + leans_down)) + steps_down * STEP_DOWN
    return window.width * across, window.height * down


def _cross(window: Window, x: float, y: float, kind: Partition) -> None:
    """Draw the two lines between the quarters, crossing at (x, y), in the faction's shape."""
    # Depth of the line's teeth or waves, length of one, and the free room at the window's edge.
    depth, period, margin = 1_400, 4_600, 900
    # Points of a ``partition`` are (way along the line, way to its side).
    across = partition(kind, window.width - 2 * margin, depth, period)
    down = partition(kind, window.height - 2 * margin, depth, period)
    level = [(margin + along, y - depth / 2 + aside) for along, aside in across]
    upright = [(x + depth / 2 - aside, margin + along) for along, aside in down]
    for pen, ink in _PENS:
        window.line(level, pen, ink)
        window.line(upright, pen, ink)


def _trait(window: Window, x: float, y: float, traits: Iterable[str]) -> None:
    """Draw the sign of an agent's first trait that has one, in a disc around (x, y)."""
    size = window.share_of(USUAL)
    window.disc(x, y, 5_600 * size, "paper")
    window.outline(circle(x, y, 4_900 * size), 600, "ink")
    signs = [TRAITS[trait] for trait in traits if trait in TRAITS]
    if signs:
        window.sign(signs[0], x, y, 5_400 * size, "ink")


def _shield(window: Window, x: float, cross_y: float, crest: str, level: int) -> None:
    """Draw a leader's shield in the window, its middle as near to (x, ``cross_y``) as it fits: the crest, and
    a bar for each level below it.
    """
    size = window.share_of(USUAL)
    # The shield reaches so far above and below its middle.
    y = min(max(cross_y, 8_800 * size), window.height - 13_500 * size)
    edge, field = _shield_outline(x, y, 8_800 * size), _shield_outline(x, y, 7_700 * size)
    window.area(edge, "paper")
    window.area(field, window.full("ink"))
    window.outline(field, 600, "ink")
    if crest:
        window.sign(crest, x, y - 2_600 * size, 7_400 * size, "deep" if window.light else "tint")
    for bar in range(level):
        # Each bar is shorter than the one above it, as the shield narrows.
        half, top = (4_600 - 650 * bar) * size, (2_200 + 1_750 * bar) * size
        window.rect(x - half, y + top, 2 * half, 950 * size, "deep" if window.light else "paper")


def _shield_outline(x: float, y: float, radius: float) -> list[Point]:
    """Return the outline of a shield of this half width: a straight top, and below it half an ellipse."""
    middle = y + radius * 0.35
    # The right side from its upper end to the foot: a quarter circle, stretched downwards.
    quarter = arc(x, middle, radius, 0, pi / 2)
    right = [(circle_x, middle + (circle_y - middle) * 1.15) for circle_x, circle_y in quarter]
    top = [(x - radius, y - radius), (x + radius, y - radius)]
    return [*top, *right, *mirrored(right, x)]


def level_bars(card: Card, window: Window) -> None:
    """Draw four bars and fill as many as the leader's level."""
    level = card.number("level") or 0
    for bar in range(LEVELS if level else 0):
        box = window.part(window.width * 0.27 * bar, 0, window.width * 0.19, window.height)
        box.rect(0, 0, box.width, box.height, "ink" if bar < level else "paper")
        box.frame(PEN, "ink")


# -- actions and gear


def deed_shown(card: Card) -> tuple[Deed, str] | None:
    """Return (deed that an action's emblem shows, name of its picture); None without a picture. The deed is
    taken from the line with the first header, in a text without it from all lines.
    """
    line = card.text
    if first := card.word("action_headers"):
        line = next((line for line in card.text.split("\n") if line.startswith(first)), card.text)
    return shown_deed(card, [line], DRAWN["deeds"], ASIDE)


def action(card: Card, window: Window) -> None:
    """Draw an action: the pattern of its skill with a line for each point of its value (five for X), and on
    it the picture of what the action does, repeated as often as its effect counts.
    """
    header = header_of(card)
    window.ground("tint")
    if ruling := RULINGS.get(header.skill.casefold()):
        rule(window, ruling, int(header.number) if header.number.isdigit() else 5, "deep", (0, 1))
    height = window.height * 0.8
    width = min(window.width * 0.86, height * 1.75)
    left, top = (window.width - width) / 2, (window.height - height) / 2
    field = pill(left, top, width, height)
    edge = 1_000.0  # of paper around the field
    window.area(pill(left - edge, top - edge, width + 2 * edge, height + 2 * edge), "paper")
    window.area(field, "paper")
    if shown := deed_shown(card):
        deed, picture = shown
        inside = window.part(left + height * 0.16, top + height * 0.07, width - height * 0.32, height * 0.86)
        draw_deed(inside, picture, deed.number, ON_PAPER)
    else:
        window.sign(SYMBOLS["bolt"], *window.middle, height * 0.6, "deep")
    window.outline(field, BORDER, "ink")


def gear(card: Card, window: Window) -> None:
    """Draw gear: the silhouette of its kind, and below it a tile for each bonus with a line of the skill's
    pattern for each point; cover is rows of bricks.
    """
    # Skill or "cover" -> the bonus that it gives.
    numbers = {skill: card.number(f"{skill}_bonus") for skill in (*RULINGS, "cover")}
    bonuses = {skill: number for skill, number in numbers.items() if number}
    tile_height = window.height * 0.3 if bonuses else 0
    picture = window.part(0, 0, window.width, window.height - tile_height)
    window.ground("tint")
    _silhouette(picture, card.words("traits"))
    tile_width = window.width / max(1, len(bonuses))
    for place, (skill, bonus) in enumerate(bonuses.items()):
        tile = window.part(tile_width * place, picture.height, tile_width, tile_height)
        lines, ground = _LIGHT if window.light or place % 2 else _TINT_ON_DARK
        tile.ground(ground)
        if skill in RULINGS:
            rule(tile, RULINGS[skill], bonus, lines, (0, 1))
        else:
            brick = tile_height / bonus / 2  # as high as the gap to the next row
            for row in range(bonus):
                tile.rect(tile.width * 0.12, brick * (2 * row + 0.5), tile.width * 0.76, brick, lines)
    if bonuses:
        window.bar(0, picture.height, window.width, picture.height, 700, "ink")


def _silhouette(window: Window, traits: Iterable[str]) -> None:
    """Draw the silhouette of the first thing of emblems.toml that is among the traits, on a disc."""
    (x, y), radius = window.middle, window.short * 0.44
    window.disc(x, y, radius, "paper")
    if window.light:
        window.outline(circle(x, y, radius), 450, "deep")
    things = DRAWN["things"]
    parts = next((things[trait] for trait in things if trait in traits), things["case"])
    # Silhouettes are drawn on a grid of 120 by 60.
    scale = min(window.width * 0.86 / 120, window.height * 0.8 / 60)
    _draw(parts, window, x - 60 * scale, y - 30 * scale, scale)


def _draw(parts: Iterable[Mapping[str, Any]], window: Window, left: float, top: float, scale: float) -> None:
    """Draw the parts of a silhouette of emblems.toml, with the top left of its grid at (left, top). A part is
    one of ``{ area = [[0, 10], ...] }``, ``{ rect = [x, y, width, height] }``, ``{ disc = [x, y, radius] }``,
    ``{ wheel = [x, y, radius] }``, any with an ``ink``.
    """
    for part in parts:
        ink: Ink = part.get("ink", "deep")
        match part:
            case {"area": points}:
                window.area([(left + x * scale, top + y * scale) for x, y in points], ink)
            case {"rect": [x, y, width, height]}:
                corners = ((x, y), (x + width, y), (x + width, y + height), (x, y + height))
                window.area([(left + across * scale, top + down * scale) for across, down in corners], ink)
            case {"disc": [x, y, radius]}:
                window.disc(left + x * scale, top + y * scale, radius * scale, ink)
            case {"wheel": [x, y, radius]}:
                # (share of the radius, ink): a rim of paper, the tyre, the hub.
                rings: tuple[tuple[float, Ink], ...] = ((1.24, "paper"), (1, "deep"), (0.4, "paper"))
                for share, colour in rings:
                    window.disc(left + x * scale, top + y * scale, radius * share * scale, colour)


# -- missions


class Inks(NamedTuple):
    """The inks of a mission's figures: ``standout`` is for those that stand out."""

    lines: Ink
    ground: Ink
    standout: Ink


def mission(card: Card, window: Window) -> None:
    """Draw a mission: as many figures as the objective's value, chevrons for a chase, wedges for a fight,
    rings for an intrigue. The ground is dark for private missions.
    """
    if window.light:
        inks = Inks(*_LIGHT, "ink")
    elif "Private" in card.words("location"):
        inks = Inks(*_TINT_ON_DARK, "paper")
    else:
        inks = Inks(*_DARK_ON_TINT, "ink")
    window.ground(inks.ground)
    mission_kinds = card.words("mission_types")
    for place, kind in enumerate(mission_kinds):
        width = window.width / len(mission_kinds)
        stage = window.part(width * place, 0, width, window.height)
        draw_figures = FIGURES.get(kind, _rings)
        draw_figures(stage, card.number("objective_value") or 1, inks)


def _chevrons(stage: Window, count: int, inks: Inks) -> None:
    """Draw arrow heads pointing right, one after the other; the last one stands out."""
    step, height, tip = stage.width / (count + 0.1), stage.height, stage.height / 2
    for chevron in range(count):
        left = step * chevron - height * 0.1
        right = left + step * (LIGHT_DUTY if stage.light else 0.52)
        upper, lower = [(left, 0), (right, 0), (right + tip, tip)], [(right, height), (left, height)]
        stage.area([*upper, *lower, (left + tip, tip)], inks.standout if chevron == count - 1 else inks.lines)


def _wedges(stage: Window, count: int, inks: Inks) -> None:
    """Draw a target on the right, and wedges from the left edge to its middle, all of which stand out."""
    x, y = stage.width * 0.72, stage.height / 2
    # Radii of the target's discs as shares of the height. The discs are lines and ground in turn.
    for ring, share in enumerate((0.46, 0.34, 0.22, 0.1)):
        if stage.light:
            stage.outline(circle(x, y, stage.height * share), PEN, inks.lines)
        else:
            stage.disc(x, y, stage.height * share, inks.ground if ring % 2 else inks.lines)
    room = stage.height / count
    half = room * (LIGHT_DUTY if stage.light else 0.76) / 2
    for wedge in range(count):
        middle = room * (wedge + 0.5)
        stage.area([(0, middle - half), (x, y), (0, middle + half)], inks.standout)


def _rings(stage: Window, count: int, inks: Inks) -> None:
    """Draw overlapping rings in a row; the overlap of the last two is filled."""
    radius, y = min(stage.height * 0.44, stage.width * 0.3), stage.height / 2
    step = max(0.0, (stage.width * 0.86 - 2 * radius) / max(1, count - 1))  # from one ring to the next
    first_x = stage.width * 0.07 + radius if count > 1 else stage.width / 2
    pen = min(PEN * 2 if stage.light else 1_300, max(step, 900) * 0.4)
    for ring in range(count):
        stage.outline(circle(first_x + step * ring, y, radius), pen, inks.lines)
    if count > 1 and 0 < step < 2 * radius:
        stage.area(_overlap(first_x + step * (count - 2), y, radius, step), inks.lines)


def _overlap(x: float, y: float, radius: float, step: float) -> list[Point]:
    """Return the outline of the area that two circles share: one around (x, y), one ``step`` further right.

    They cross at two points, one above the other, midway between their middles. Right of the crossings the
    outline is an arc of the left circle; left of them it is that arc, mirrored.
    """
    half_step = step / 2
    reach = sqrt(radius * radius - half_step * half_step)  # of the crossings, above and below y
    pieces = 16
    rows = [reach * (2 * piece / pieces - 1) for piece in range(pieces + 1)]
    # At both ends rounding could put a point to the left of the crossings.
    right = [(x + max(half_step, sqrt(radius * radius - row * row)), y + row) for row in rows]
    return [*right, *mirrored(right, x + half_step)]


FIGURES: dict[str, Callable[[Window, int, Inks], None]] = {"Chase": _chevrons, "Fight": _wedges}

# -- words and shapes that faces read from a card ----------------------------------------


def line(card: Card) -> str:
    """Return the shape of the band's inner edge: the faction's, or that of a mission's first kind."""
    faction = card.word("faction")
    return PARTITIONS.get(faction) or DRAWN["kinds"].get(card.word("mission_types"), "straight")


def whose(card: Card) -> str:
    """Return faction and type, ``Nine Tiger leader``; an unknown faction is a blank to write on."""
    return " ".join((*(card.words("faction") or ("Faction ____",)), card.type))


def header(card: Card) -> str:
    """Return the header shown at the head of an action's face: ``Intel Craft 6``. Its notes leave it out."""
    return card.word("action_headers")


def moment(card: Card) -> str:
    """Return the part of a turn in which an action is played: ``Intel``."""
    return header_of(card).moment


def moment_shape(card: Card) -> tuple[str, ...]:
    """Return the shape around the number of an action, which tells the moment; none for an unknown one."""
    return tuple(filter(None, [DRAWN["moments"].get(moment(card))]))


def skill(card: Card) -> tuple[str, ...]:
    """Return the skill of an action: ``("Craft",)``."""
    return tuple(filter(None, [header_of(card).skill]))


def number(card: Card) -> str | None:
    """Return the number that an action's skill check must reach, "X" for a formula; None without one."""
    return header_of(card).number or None


def solo_op(card: Card) -> tuple[str, str, str, str] | None:
    """Return the ``Headline`` of an action that can be run as a solo op: the number that wins it, and in
    which skill. None for other actions.
    """
    value = card.number("objective_value")
    if value is None:
        return None
    where = ", ".join(("Solo op", *card.words("location")))
    return str(value), f"{where}: win by", ", ".join(card.words("objective_skill")), ""


def level(card: Card) -> str | None:
    """Return the level of a leader in words: ``Level 3``."""
    return f"Level {card.number('level')}" if card.number("level") else None


def kinds(card: Card) -> tuple[str, ...]:
    """Return a mission's kinds and its location: ``("Chase", "Public")``."""
    return *card.words("mission_types"), *card.words("location")
