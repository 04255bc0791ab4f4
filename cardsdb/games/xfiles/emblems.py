"""The X-Files' emblems, and the words and shapes that its faces read from a card. Only ``game.toml`` names
the public functions: those with (card, window) draw an emblem (``emblem = "agent"``), those with a card
alone, at the end, return words or shapes (``words = "say:kind"``).

Each of the eleven skills has a direction, like an hour on a dial of eleven hours: the same on agents, sites
and witnesses. A card of which only the name is known has no emblem. Lengths are micrometres, x grows to the
right and y downwards; angles are radians, 0 to the right, pi / 2 downwards. Plain factors such as 0.485 are
proportions chosen by eye. Tests of all emblems: ``tests/cardsdb/games/test_emblems.py``.
"""

import re
from math import cos, hypot, pi, sin

from cardsdb.games.kit import Card
from cardsdb.games.kit.model.text import table_beside
from cardsdb.games.kit.print.deeds import DAY, NIGHT, Deed, draw_deed, shown_deed
from cardsdb.games.kit.print.shapes import (
    BORDER,
    Draw,
    Ink,
    Point,
    Window,
    circle,
    codes,
    regular,
    rule,
)
from cardsdb.games.xfiles.rules import SKILLS

DRAWN = table_beside(__file__, "emblems")
# Verb -> picture, as ``picture_of`` reads it.
DEEDS = DRAWN["deeds"]
# Question -> its answers; an emblem shows the index of the answer as a number.
ANSWERS: dict[str, list[str]] = DRAWN["answers"]
# Question -> its sign: triangle, arrow, square or disc, in a square from (-1, -1) to (1, 1).
QUESTIONS: dict[str, list[Point]] = {**DRAWN["questions"], "Motive": circle(0, 0, 0.9)}
# Verbs that only say who does the next verb; an emblem shows another verb if there is one.
ASIDE = ("choose", "force", "make", "name", "allow", "forbid")
# The angle between the directions of two neighbouring skills.
HOUR = 2 * pi / len(SKILLS)
# Shorter side of the window for which discs are designed; they are smaller in a smaller one.
USUAL = 26_000
# A body of so many sides looks round.
ROUND = 48
# Origin of an adversary -> sides of its body. An X-File's affiliation is one of these too.
SIDES = {"Occult": 3, "Government": 4, "Evolutionary": 5, "Primordial": 6, "Alien": ROUND}
# Sides -> factor by which such a body is larger, so that all look equally heavy.
_GROWN = {3: 1.3, 4: 1.16, 5: 1.08}
# A cost printed as a formula is drawn as this number.
FORMULA = 5
# The highest level of an agent's skill.
LEVELS = 4
# Half of the gap between two cells of an agent's dial, in micrometres.
HALF_GAP = 180
# Corners of a contour on a site's map.
CORNERS = 72


def _bearing(skill: str) -> float | None:
    """Return the direction of a skill, given by key or name, as an angle; None for any other word."""
    key = skill.casefold().replace(" ", "_")
    return _direction(list(SKILLS).index(key)) if key in SKILLS else None


def _direction(hour: int) -> float:
    """Return the direction of an hour as an angle; hour 0 is at the top."""
    return -pi / 2 + HOUR * hour


def _at(x: float, y: float, distance: float, angle: float) -> Point:
    """Return the point that lies in this direction, at this distance from (x, y)."""
    return x + distance * cos(angle), y + distance * sin(angle)


def _cost(card: Card) -> int | None:
    """Return the cost to draw; None if it is unknown."""
    cost = card.number("cost")
    return FORMULA if cost is None and card.words("cost_formula") else cost


def agent(card: Card, window: Window) -> None:
    """Draw an agent as a dial: in the direction of each skill a row of cells, filled up to its level.
    The hub is filled for a believer, half for a neutral, empty for a skeptic.
    """
    if all(card.number(skill) is None for skill in SKILLS):
        return
    (x, y), radius = window.middle, window.short * 0.485
    hub = radius * 0.3
    window.disc(x, y, radius * 1.03, window.full("tint"))
    for hour, skill in enumerate(SKILLS):
        _cells(window, _direction(hour), card.number(skill) or 0, hub, radius)
    hub_radius = hub * 0.72
    beliefs = [word for word in ("Believer", "Skeptic", "Neutral") if word in card.words("keywords")]
    window.disc(x, y, hub_radius, "deep" if beliefs[:1] == ["Believer"] else "paper")
    if beliefs == ["Neutral"]:
        window.sector(x, y, 0, hub_radius, -pi / 2, pi / 2, "deep")
    window.outline(circle(x, y, hub_radius), 900, "deep")


def _cells(window: Window, direction: float, level: int, start: float, end: float) -> None:
    """Draw the cells of one skill from ``start`` to ``end``, distances from the middle, filled up to its
    level.
    """
    depth = (end - start) / LEVELS
    full: Ink = "deep" if level > 2 else "ink"
    empty: Ink = "tint" if window.light else "paper"
    half = HOUR * 0.45  # a tenth of the hour stays free
    for cell in range(LEVELS):
        inner, outer = start + depth * cell + HALF_GAP, start + depth * (cell + 1) - HALF_GAP
        ink = full if cell < level else empty
        window.sector(*window.middle, inner, outer, direction - half, direction + half, ink)


def adversary(card: Card, window: Window) -> None:
    """Draw an adversary as a body with a ring for each point of health, two teeth for each point of close
    range combat and two rays for each point of long range combat: "Crew-Cut Man" (5, 4, 4) is a square with
    five rings, eight teeth and eight rays.

    Its form tells its origin: triangle Occult, square Government, pentagon Evolutionary, hexagon Primordial,
    circle Alien. An adversary without any of these numbers has the picture of what it does.
    """
    health = card.number("health")
    far_combat, close_combat = card.number("long_range_combat"), card.number("close_range_combat")
    if health is None and far_combat is None and close_combat is None:
        deed(card, window)
        return
    window.ground("deep")
    _rays(window, 2 * (far_combat or 0))
    _teeth(window, 2 * (close_combat or 0))
    origins = [origin for origin in SIDES if origin in card.words("keywords")]
    _body(window, SIDES[origins[0]] if origins else ROUND, health or 0)


def _rays(window: Window, count: int) -> None:
    """Draw rays from the middle out of the window. The first is half a step right of the top."""
    x, y = window.middle
    # So far from the middle every direction is outside of the window.
    far = hypot(window.width, window.height)
    for ray in range(count):
        # A triangle, 0.12 radians wide.
        angle = -pi / 2 + 2 * pi * (ray + 0.5) / count
        window.area([(x, y), _at(x, y, far, angle - 0.06), _at(x, y, far, angle + 0.06)], "tint")


def _teeth(window: Window, count: int) -> None:
    """Draw teeth around the body, the first at the top: triangles with the root in the body and the tip
    outside. A fifth of the room between two teeth stays free.
    """
    (x, y), radius = window.middle, window.short * 0.3
    for tooth in range(count):
        angle, half = -pi / 2 + 2 * pi * tooth / count, pi / count * 0.8
        points = [
            _at(x, y, radius * 0.9, angle - half),
            _at(x, y, radius * 1.5, angle),
            _at(x, y, radius * 0.9, angle + half),
        ]
        window.area(points, "paper")
        window.outline(points, 400, "deep")


def _body(window: Window, sides: int, health: int) -> None:
    """Draw the body with a ring for each point of health; its outline is the outermost ring."""
    x, y = window.middle
    radius = window.short * 0.3 * _GROWN.get(sides, 1)
    window.area(regular(x, y, radius * 1.07, sides), "paper")
    window.area(regular(x, y, radius, sides), window.full("ink"))
    window.outline(regular(x, y, radius, sides), 650, "ink")
    rings: Ink = "deep" if window.light else "tint"
    for ring in range(1, health):
        window.outline(regular(x, y, radius * ring / health, sides), 500, rings)
    window.disc(x, y, 600, rings)


def deed_shown(card: Card) -> tuple[Deed, str] | None:
    """Return (deed that the card's emblem shows, name of its picture); None for a card without one. All lines
    of an adversary are searched as one, so that an aside in the first line is passed over. "Crew-Cut Man" ->
    (Deed("allow", " only the chosen Agent in the combat", 1), "gate")
    """
    lines = card.text.split("\n")
    if card.type == "adversary":
        lines = ["; ".join(lines)]
    return shown_deed(card, lines, DEEDS, ASIDE)


def deed(card: Card, window: Window) -> None:
    """Draw the picture of the card's deed, repeated as often as its effect counts; light on dark for cards
    that the Conspiracy pays for.
    """
    if shown := deed_shown(card):
        found, picture = shown
        draw_deed(window, picture, found.number, NIGHT if "CP" in card.words("pool") else DAY)


def site(card: Card, window: Window) -> None:
    """Draw a site as a map: a contour for each level, a road in the direction of each skill that it needs,
    and the signs of its questions in the middle. Letters of the name shape the contours. "Ellens Air Base,
    ID" has four contours, one road for Bureaucracy and the triangle of Affiliation.
    """
    level = card.number("site_level")
    if level is None:
        return
    window.ground("tint")
    _contours(window, level, codes(card.name))
    for skill in card.words("site_skills"):
        direction = _bearing(skill)
        if direction is not None:
            _road(window, direction)
    _question_signs(window, [sign for sign in card.words("site_questions") if sign in QUESTIONS])


def _contours(window: Window, level: int, letters: list[int]) -> None:
    """Draw a contour for each level, the outermost first, so that inner ones cover it.

    A contour is a circle distorted by four waves: wave 0 goes up and down once on the way around, wave 3 four
    times. Letters decide their heights (shares of the radius, 0.03 to 0.11) and where they begin.
    """
    (x, y), far = window.middle, hypot(window.width, window.height) / 2
    heights = [(letters[wave % len(letters)] % 9 + 3) / 100 for wave in range(4)]
    begins = [letters[(wave + 2) % len(letters)] for wave in range(4)]
    for contour in range(level, 0, -1):
        circle_radius = far * (0.12 + 0.88 * contour / level) * 0.92
        points = []
        for corner in range(CORNERS):
            angle = 2 * pi * corner / CORNERS
            # The waves turn a little from contour to contour.
            swing = sum(
                heights[wave] * cos((wave + 1) * angle + begins[wave] + contour * 0.25) for wave in range(4)
            )
            points.append(_at(x, y, circle_radius * (1 + swing), angle))
        window.area(points, "paper" if contour % 2 else window.full("tint"))
        window.outline(points, 600, "deep")


def _road(window: Window, direction: float) -> None:
    """Draw a road from the middle out of the window, with dashes along its middle."""
    (x, y), far = window.middle, hypot(window.width, window.height) / 2
    end = _at(x, y, 2 * far, direction)
    window.bar(x, y, *end, 4_300, "paper")
    window.bar(x, y, *end, 3_000, "ink")
    # A dash in each tenth of ``far``.
    for dash in range(2, 40, 2):
        dash_begin = _at(x, y, far * dash / 20, direction)
        dash_end = _at(x, y, far * (dash + 1.1) / 20, direction)
        window.bar(*dash_begin, *dash_end, 450, "paper")


def _question_signs(window: Window, questions: list[str]) -> None:
    """Draw a disc in the middle, and on it the signs of these questions side by side."""
    (x, y), size = window.middle, window.share_of(USUAL)
    window.disc(x, y, 8_000 * size, "paper")
    window.disc(x, y, 7_100 * size, window.full("deep"))
    window.outline(circle(x, y, 7_100 * size), BORDER, "deep")
    side = (3_600 if len(questions) < 2 else 2_500) * size
    for place, question in enumerate(questions):
        sign_x = x + (place - (len(questions) - 1) / 2) * 5_900 * size
        points = [(sign_x + across * side, y + down * side) for across, down in QUESTIONS[question]]
        window.area(points, "deep" if window.light else "paper")


def witness(card: Card, window: Window) -> None:
    """Draw a witness as a source of sound in the direction of its skill, with a wave for each
    point of cost.
    """
    cost = _cost(card)
    if cost is None:
        return
    # The direction of the first Keyword that is a skill, else to the right.
    bearings = [_bearing(word) for word in card.words("keywords")]
    angle = next((bearing for bearing in bearings if bearing is not None), 0.0)
    spread = 0.62  # radians on either side of it
    # The source lies opposite to the direction, so that the waves have room.
    x, y = window.width * (0.5 - 0.27 * cos(angle)), window.height * (0.5 - 0.27 * sin(angle))
    far = hypot(window.width, window.height)
    window.ground("tint")
    window.sector(x, y, 0, far, angle - spread, angle + spread, "paper")
    size = window.share_of(USUAL)
    step = window.short * 0.8 / (cost + 0.4)
    for wave in range(cost):
        start = 7_400 * size + step * wave
        ink: Ink = "deep" if wave % 2 == 0 else "ink"
        window.sector(x, y, start, start + step * 0.55, angle - spread, angle + spread, ink)
    window.disc(x, y, 6_200 * size, "paper")
    window.disc(x, y, 5_300 * size, window.full("ink"))
    window.outline(circle(x, y, 5_300 * size), BORDER, "ink")
    window.disc(*_at(x, y, 2_300 * size, angle), 1_500 * size, "ink" if window.light else "paper")


def characteristic(question: str, ground: Ink, lines: Ink) -> Draw:
    """Return a function that draws an X-File's answer to one question: the question decides the figure, and
    the index of the answer how many there are. An affiliation is the body of adversaries of that origin, a
    method arrows, a motive arcs, a result a grid. ``ground``, ``lines``: their inks.
    """

    def draw(card: Card, window: Window) -> None:
        answer = card.word(question)
        if answer not in ANSWERS[question]:
            return
        count = ANSWERS[question].index(answer) + 1
        below = window.full(ground)
        above: Ink = "deep" if window.light else lines
        window.ground(below)
        if question == "affiliation":
            _bodies(window, SIDES[answer], above, below)
        elif question == "method":
            _arrows(window, count, above)
        else:
            rule(window, "arcs" if question == "motive" else "grid", count, above, (0, 1))

    return draw


def _bodies(window: Window, sides: int, above: Ink, below: Ink) -> None:
    """Draw the body of adversaries of an origin three times, each in the middle of the last."""
    x, height = window.width / 2, window.height
    # The middle of a triangle is lower than half of its height.
    y, radius = (0.6 * height, 0.52 * height) if sides == 3 else (0.5 * height, 0.44 * height)
    window.area(regular(x, y, radius, sides), above)
    window.area(regular(x, y, radius * 0.66, sides), below)
    window.area(regular(x, y, radius * 0.33, sides), above)


def _arrows(window: Window, count: int, ink: Ink) -> None:
    """Draw arrow heads that point to the right, as high as the window, half a step wide."""
    height, middle = window.height, window.height / 2
    step, tip = window.width / (count + 0.35), height * 0.3
    for arrow in range(count):
        left = step * arrow - height * 0.04
        right = left + step * 0.5
        lower, upper = [(left, height), (right, height)], [(right, 0), (left, 0)]
        window.area([*lower, (right + tip, middle), *upper, (left + tip, middle)], ink)


affiliation = characteristic("affiliation", "deep", "tint")
motive = characteristic("motive", "tint", "deep")
method = characteristic("method", "paper", "deep")
result = characteristic("result", "ink", "tint")


# -- words and shapes that faces read from a card ----------------------------------------


def pool_shape(card: Card) -> str:
    """Return the shape around a cost, which tells the points that pay it: ``folder`` for the Bureau's."""
    return str(DRAWN["pools"].get(card.word("pool"), "plate"))


def kind(card: Card) -> tuple[str, ...]:
    """Return the Keywords that the face does not show elsewhere; and "Advanced" for a card that only Advanced
    games allow, unless its Keyword "Killer" says more.
    """
    shown = {card.type, *card.words("site_skills"), *card.words("site_questions")}
    words = (word for word in card.words("keywords") if word not in shown and word.casefold() != card.type)
    return *words, "Advanced" if card.fact("advanced_only") and not card.fact("killer") else ""


def needs(card: Card) -> tuple[str, str, str, str] | None:
    """Return the ``Headline`` of a Site: the level that it needs, and in which skills; None without a level.
    ("4", "needs, in one team", "Bureaucracy", "")
    """
    level = card.number("site_level")
    return (str(level), "needs, in one team", " or ".join(card.words("site_skills")), "") if level else None


def gives(card: Card) -> tuple[str, str, str, str] | None:
    """Return the ``Headline`` of a card whose first line gives or tests a number: the number, what it
    changes, and the target. None for other cards. "give bearer Computer +2" ->
    ("+2", "", "Computer", "to its bearer")
    """
    first_line = card.text.split("\n")[0]
    for form in DRAWN["gives"]:
        if found := re.search(form["pattern"], first_line):
            what = DRAWN["long"].get(found["what"], found["what"])
            return found["number"], "", what[:1].upper() + what[1:], form["target"]
    return None
