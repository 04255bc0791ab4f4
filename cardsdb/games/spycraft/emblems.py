"""Spycraft's emblems, and the words and shapes that its faces read from a card. ``game.toml`` names the
public functions: those with (card, window) draw an emblem, the others at the end return something of a card.

Each of the four skills is a pattern of lines, one line for each point: arcs for Charisma, rays for Combat,
lanes for Transport, columns of dots for Craft. People are four such fields, actions a picture of what they do
on one field, gear a silhouette over fields of its bonuses, missions a figure for their kind. Lengths are
micrometres, x grows to the right and y downwards; plain factors such as 0.55 are proportions chosen by eye.
``Window`` and ``rule`` (the patterns) are in ``kit/print/shapes.py``. Tests of all emblems are in
``tests/cardsdb/games/test_emblems.py``.
"""

from collections.abc import Callable, Iterable, Mapping
from math import pi, sqrt
from typing import Any

from cardsdb.games.kit import Card
from cardsdb.games.kit.model.text import table_beside
from cardsdb.games.kit.print.deeds import ON_PAPER, Deed, deed_of, draw_deed, picture_of
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
    partition,
    rule,
)

RULINGS: dict[str, Ruling] = {"charisma": "arcs", "combat": "rays", "transport": "lanes", "craft": "grid"}
# The line between the quarters of a person, and the edge of its band, tell the faction besides the colour.
PARTITIONS: dict[str, Partition] = {
    "Shadow Patriots": "straight",
    "Bloodvine": "wavy",
    "The Krypt": "embattled",
    "Nine Tiger": "indented",
    "Banshee Net": "scalloped",
    "Franchise": "dovetailed",
    "Freelancer": "raked",
}
DRAWN = table_beside(__file__, "emblems")
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
# (width, ink) of the two strokes of a line that is visible on every ground: paper, and ink on top of it.
_PENS: tuple[tuple[int, Ink], ...] = ((1_800, "paper"), (600, "ink"))


def person(card: Card, window: Window) -> None:
    """Draw a leader or agent: four quarters with the patterns of the skills, the strongest skill darkest.

    The centre of the cross leans towards the weaker skills, and letters of the name move it a little, so that
    people with equal skills differ. An agent bears the sign of a trait, a leader the shield of the faction
    with a bar for each level.
    """
    skills = tuple(RULINGS)
    values = [card.number(skill) or 0 for skill in skills]
    total, letters = sum(values) or 1, codes(card.name)
    width, height = window.width, window.height
    # The quarters and the indexes of their values; a quarter grows with its share of the total:
    #     0 Charisma | 1 Combat
    #     3 Craft    | 2 Transport
    # All letters move the cross sideways, every second one moves it up or down, at most three steps each way.
    leans_right = 0.55 * (values[0] + values[3] - values[1] - values[2]) / total
    leans_down = 0.55 * (values[0] + values[1] - values[2] - values[3]) / total
    x = width * (min(0.67, max(0.33, 0.5 + leans_right)) + (sum(letters) % 7 - 3) * 0.013)
    y = height * (min(0.65, max(0.35, 0.5 + leans_down)) + (sum(letters[::2]) % 7 - 3) * 0.011)
    # (left, top, width, height, corner at the cross) of each quarter, clockwise from the top left.
    quarters: tuple[tuple[float, float, float, float, Corner], ...] = (
        (0, 0, x, y, (1, 1)),
        (x, 0, width - x, y, (0, 1)),
        (x, y, width - x, height - y, (0, 0)),
        (0, y, x, height - y, (1, 0)),
    )
    # (lines, ground) from the strongest quarter to the weakest.
    inks: list[tuple[Ink, Ink]] = [_TINT_ON_DARK, _DARK_ON_TINT, ("ink", "paper"), _LIGHT]
    if window.light:
        inks = [_LIGHT] * 4
    strongest_first = sorted(range(4), key=lambda place: -values[place])
    for place, (lines, ground) in zip(strongest_first, inks, strict=True):
        *box, corner = quarters[place]
        quarter = window.part(*box)
        quarter.ground(ground)
        rule(quarter, RULINGS[skills[place]], values[place], lines, corner)
    faction = card.word("faction")
    size = window.share_of(USUAL)
    _cross(window, x, y, PARTITIONS.get(faction, "straight"))
    if card.type == "leader":
        # The shield reaches so far above and below its middle.
        y = min(max(y, 8_800 * size), height - 13_500 * size)
        _shield(window, x, y, size, CRESTS.get(faction, ""), card.number("level") or 0)
        return
    window.disc(x, y, 5_600 * size, "paper")
    window.outline(circle(x, y, 4_900 * size), 600, "ink")
    if sign := next((TRAITS[trait] for trait in card.words("traits") if trait in TRAITS), ""):
        window.sign(sign, x, y, 5_400 * size, "ink")


def _cross(window: Window, x: float, y: float, kind: Partition) -> None:
    """Draw the two lines between the quarters, crossing at (x, y), in the faction's shape."""
    # Depth of the line's teeth or waves, length of one, and the free room at the window's edge.
    depth, period, margin = 1_400, 4_600, 900
    # Points of a ``partition`` are (way along the line, way to its side).
    level = [
        (margin + along, y - depth / 2 + off)
        for along, off in partition(kind, window.width - 2 * margin, depth, period)
    ]
    upright = [
        (x + depth / 2 - off, margin + along)
        for along, off in partition(kind, window.height - 2 * margin, depth, period)
    ]
    for pen, ink in _PENS:
        window.line(level, pen, ink)
        window.line(upright, pen, ink)


def _shield(window: Window, x: float, y: float, size: float, crest: str, level: int) -> None:
    """Draw a leader's shield with its middle near (x, y): the crest, and ``level`` bars below it. ``size`` is
    1 in a window of the usual size.
    """

    def outline(radius: float) -> list[Point]:
        """Return the outline of a shield of this half width: a straight top, and below it half an ellipse."""
        middle = y + radius * 0.35
        # The right side from its upper end to the foot: a quarter circle, stretched downwards.
        right = [(px, middle + (py - middle) * 1.15) for px, py in arc(x, middle, radius, 0, pi / 2)]
        mirrored = [(2 * x - px, py) for px, py in reversed(right)]
        return [(x - radius, y - radius), (x + radius, y - radius), *right, *mirrored]

    window.area(outline(8_800 * size), "paper")
    window.area(outline(7_700 * size), window.full("ink"))
    window.outline(outline(7_700 * size), 600, "ink")
    if crest:
        window.sign(crest, x, y - 2_600 * size, 7_400 * size, "deep" if window.light else "tint")
    for bar in range(level):
        # Each bar is shorter than the one above it, as the shield narrows.
        half, top = (4_600 - 650 * bar) * size, (2_200 + 1_750 * bar) * size
        window.rect(x - half, y + top, 2 * half, 950 * size, "deep" if window.light else "paper")


def level_bars(card: Card, window: Window) -> None:
    """Draw four bars and fill as many as the leader's level."""
    level = card.number("level") or 0
    for bar in range(4 if level else 0):
        box = window.part(window.width * 0.27 * bar, 0, window.width * 0.19, window.height)
        box.rect(0, 0, box.width, box.height, "ink" if bar < level else "paper")
        box.frame(PEN, "ink")


def deed_shown(card: Card) -> tuple[Deed, str] | None:
    """Return (deed that an action's emblem shows, name of its picture); None without a picture. The deed is
    taken from the line with the first header, in a text without it from all lines.
    """
    line = card.text
    if first := card.word("action_headers"):
        line = next((line for line in card.text.split("\n") if line.startswith(first)), card.text)
    deed = deed_of(line, card.words("does"), ASIDE)
    if deed and (picture := picture_of(deed, DRAWN["deeds"])):
        return deed, picture
    return None


def action(card: Card, window: Window) -> None:
    """Draw an action: the pattern of its skill with a line for each point of its value (five for X), and on
    it the picture of what the action does, repeated as often as its effect counts.
    """
    # The header is moment, skill and value: Intel Craft 6. It may be a moment alone, so blanks fill it up.
    _moment, skill, value = (*_header_words(card), "", "", "")[:3]
    window.ground("tint")
    if ruling := RULINGS.get(skill.casefold()):
        rule(window, ruling, int(value) if value.isdigit() else 5, "deep", (0, 1))
    high = window.height * 0.8
    wide = min(window.width * 0.86, high * 1.75)
    left, top = (window.width - wide) / 2, (window.height - high) / 2
    edge = 1_000.0  # of paper around the field of the picture
    window.area(_pill(left - edge, top - edge, wide + 2 * edge, high + 2 * edge), "paper")
    window.area(_pill(left, top, wide, high), "paper")
    if shown := deed_shown(card):
        deed, picture = shown
        inside = window.part(left + high * 0.16, top + high * 0.07, wide - high * 0.32, high * 0.86)
        draw_deed(inside, picture, deed.number, ON_PAPER)
    else:
        window.sign(SYMBOLS["bolt"], window.width / 2, window.height / 2, high * 0.6, "deep")
    window.outline(_pill(left, top, wide, high), BORDER, "ink")


def _pill(left: float, top: float, width: float, height: float) -> list[Point]:
    """Return the outline of a rectangle with round ends."""
    radius, middle = height / 2, top + height / 2
    return [
        *arc(left + width - radius, middle, radius, -pi / 2, pi / 2),
        *arc(left + radius, middle, radius, pi / 2, pi * 3 / 2),
    ]


def gear(card: Card, window: Window) -> None:
    """Draw gear: the silhouette of its kind, and below it a tile for each bonus with a line of the skill's
    pattern for each point; cover is rows of bricks.
    """
    # (skill or "cover", bonus), for the bonuses that it gives.
    adds = [(skill, add) for skill in (*RULINGS, "cover") if (add := card.number(f"{skill}_bonus"))]
    width, base = window.width, window.height * 0.3 if adds else 0
    top = window.height - base
    window.ground("tint")
    radius = min(width, top) * 0.44
    window.disc(width / 2, top / 2, radius, "paper")
    if window.light:
        window.outline(circle(width / 2, top / 2, radius), 450, "deep")
    traits = card.words("traits")
    things = DRAWN["things"]
    thing = next((parts for trait, parts in things.items() if trait in traits), things["case"])
    # Silhouettes are drawn on a grid of 120 by 60.
    scale = min(width * 0.86 / 120, top * 0.8 / 60)
    _draw(thing, window, width / 2 - 60 * scale, top / 2 - 30 * scale, scale)
    for place, (skill, count) in enumerate(adds):
        tile = window.part(width / len(adds) * place, top, width / len(adds), base)
        lines, ground = _LIGHT if window.light or place % 2 else _TINT_ON_DARK
        tile.ground(ground)
        if skill in RULINGS:
            rule(tile, RULINGS[skill], count, lines, (0, 1))
            continue
        # Cover: a row of bricks for each point.
        left, wide, high = tile.width * 0.12, tile.width * 0.76, base / count
        for course in range(count):
            tile.rect(left, high * (course + 0.25), wide, high * 0.5, lines)
    if adds:
        window.bar(0, top, width, top, 700, "ink")


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


def mission(card: Card, window: Window) -> None:
    """Draw a mission: as many figures as the objective's value, chevrons for a chase, wedges for a fight,
    rings for an intrigue. The ground is dark for private missions.
    """
    kinds, count = card.words("mission_types"), card.number("objective_value") or 1
    private = "Private" in card.words("location")
    lines, ground = _LIGHT if window.light else _TINT_ON_DARK if private else _DARK_ON_TINT
    # The ink of the figures that stand out.
    last: Ink = "paper" if private and not window.light else "ink"
    window.ground(ground)
    for place, kind in enumerate(kinds):
        wide = window.width / len(kinds)
        part = window.part(wide * place, 0, wide, window.height)
        FIGURES.get(kind, _rings)(part, count, lines, ground, last)


def _chevrons(stage: Window, count: int, lines: Ink, ground: Ink, last: Ink) -> None:
    """Draw arrow heads pointing right, one after the other; the last one stands out."""
    step, high = stage.width / (count + 0.1), stage.height
    wide = step * (LIGHT_DUTY if stage.light else 0.52)
    for chevron in range(count):
        x = step * chevron - high * 0.1
        points = [
            (x, 0),
            (x + wide, 0),
            (x + wide + high / 2, high / 2),
            (x + wide, high),
            (x, high),
            (x + high / 2, high / 2),
        ]
        stage.area(points, last if chevron == count - 1 else lines)


def _wedges(stage: Window, count: int, lines: Ink, ground: Ink, last: Ink) -> None:
    """Draw a target on the right, and wedges from the left edge to its middle, all of which stand out."""
    x, y, each = stage.width * 0.72, stage.height / 2, stage.height / count
    half = each * (LIGHT_DUTY if stage.light else 0.76) / 2
    # (radius as a share of the height, ink) of the target's discs.
    for share, ink in ((0.46, lines), (0.34, ground), (0.22, lines), (0.1, ground)):
        if stage.light:
            stage.outline(circle(x, y, stage.height * share), PEN, lines)
        else:
            stage.disc(x, y, stage.height * share, ink)
    for wedge in range(count):
        middle = each * (wedge + 0.5)
        stage.area([(0, middle - half), (x, y), (0, middle + half)], last)


def _rings(stage: Window, count: int, lines: Ink, ground: Ink, last: Ink) -> None:
    """Draw overlapping rings in a row; the overlap of the last two is filled."""
    radius, middle = min(stage.height * 0.44, stage.width * 0.3), stage.height / 2
    gap = max(0.0, (stage.width * 0.86 - 2 * radius) / max(1, count - 1))
    first = stage.width * 0.07 + radius if count > 1 else stage.width / 2
    pen = min(PEN * 2 if stage.light else 1_300, max(gap, 900) * 0.4)
    for ring in range(count):
        stage.outline(circle(first + gap * ring, middle, radius), pen, lines)
    if 0 < gap < 2 * radius and count > 1:
        # The last two rings cross at x, midway between their middles, ``reach`` above and below. The right
        # side of the overlap is an arc of the last ring but one; its left side is the same, mirrored at x.
        x, half = first + gap * (count - 1.5), gap / 2
        reach = sqrt(radius * radius - half * half)
        right = [(first + gap * (count - 2) + px, middle + py) for px, py in _between(radius, half, reach)]
        mirrored = [(2 * x - px, py) for px, py in reversed(right)]
        stage.area([*right, *mirrored], lines)


def _between(radius: float, half: float, reach: float) -> list[Point]:
    """Return the part of a circle around (0, 0) right of x = ``half``, from top to bottom. ``reach`` is half
    its height.
    """
    pieces = 16
    rows = [reach * (2 * piece / pieces - 1) for piece in range(pieces + 1)]
    # At both ends rounding could put a point to the left of ``half``.
    return [(sqrt(max(radius * radius - y * y, half * half)), y) for y in rows]


# Draws figures: (window, number of them, their ink, the ink of the ground, the ink of those that stand out).
Figure = Callable[[Window, int, Ink, Ink, Ink], None]
FIGURES: dict[str, Figure] = {"Chase": _chevrons, "Fight": _wedges, "Intrigue": _rings}


# -- words and shapes that faces read from a card ----------------------------------------

# The shape around the number of an action tells when it is played.
MOMENTS = {"Intel": "circle", "Mission": "arrow", "React": "diamond"}
# The edge of a mission's band tells its kind.
KINDS: dict[str, Partition] = {"Fight": "indented", "Chase": "raked", "Intrigue": "scalloped"}


def line(card: Card) -> str:
    """Return the shape of the band's inner edge: the faction's, or that of a mission's first kind."""
    faction = card.word("faction")
    return PARTITIONS.get(faction) or KINDS.get(card.word("mission_types"), "straight")


def whose(card: Card) -> str:
    """Return faction and type, ``Nine Tiger leader``; an unknown faction is a blank to write on."""
    return " ".join((*(card.words("faction") or ("Faction ____",)), card.type))


def _header_words(card: Card) -> list[str]:
    """Return the words of an action's first header: moment, skill, number, as far as it has them."""
    return card.word("action_headers").split()


def header(card: Card) -> str:
    """Return the header shown at the head of an action's face: ``Intel Craft 6``."""
    return " ".join(_header_words(card))


def moment(card: Card) -> str:
    return "".join(_header_words(card)[:1])


def skill(card: Card) -> tuple[str, ...]:
    return tuple(word for word in _header_words(card)[1:] if not _is_number(word))


def number(card: Card) -> str | None:
    """Return the number that an action's skill check must reach, "X" for a formula; None without one."""
    return next(filter(_is_number, _header_words(card)), None)


def moment_shape(card: Card) -> tuple[str, ...]:
    return tuple(MOMENTS[word] for word in _header_words(card)[:1] if word in MOMENTS)


def _is_number(word: str) -> bool:
    return word.isdigit() or word == "X"


def solo_op(card: Card) -> tuple[str, str, str, str] | None:
    """Return the ``Headline`` of an action that can be run as a solo op: the number that wins it, and in
    which skill. None for other actions.
    """
    value, place = card.number("objective_value"), card.words("location")
    if value is None:
        return None
    where = ", ".join(("Solo op", *place))
    return str(value), f"{where}: win by", ", ".join(card.words("objective_skill")), ""


def level(card: Card) -> str | None:
    return f"Level {card.number('level')}" if card.number("level") else None


def kinds(card: Card) -> tuple[str, ...]:
    """Return a mission's kinds and its location."""
    return *card.words("mission_types"), *card.words("location")
