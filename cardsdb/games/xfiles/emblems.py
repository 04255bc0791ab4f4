"""The X-Files' emblems, and the words and shapes that its faces read from a card. ``game.toml`` names the
public functions: those with (card, window) draw an emblem, the others at the end return something of a card.

Each of the eleven skills has a direction, like an hour on a dial of eleven hours: the same on agents, sites
and witnesses. A card of which only the name is known has no emblem. Lengths are micrometres, x grows to the
right and y downwards; angles are radians, 0 to the right, pi / 2 downwards. Plain factors such as 0.485 are
proportions chosen by eye. Tests of all emblems are in ``tests/cardsdb/games/test_emblems.py``.
"""

import re
from math import cos, hypot, pi, sin

from cardsdb.games.kit import Card
from cardsdb.games.kit.model.text import table_beside
from cardsdb.games.kit.print.deeds import DAY, NIGHT, Deed, deed_of, draw_deed, picture_of
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

# The angle between the directions of two neighbouring skills.
HOUR = 2 * pi / len(SKILLS)
# A body of so many sides looks round.
ROUND = 48
# Origin of an adversary -> sides of its body. An X-File's affiliation is one of these too.
SIDES = {"Occult": 3, "Government": 4, "Evolutionary": 5, "Primordial": 6, "Alien": ROUND}
# Sides -> factor by which such a body is larger, so that all look equally heavy.
_GROWN = {3: 1.3, 4: 1.16, 5: 1.08}
# Shorter side of the window for which discs are designed; they are smaller in a smaller one.
USUAL = 26_000
DRAWN = table_beside(__file__, "emblems")
# Verb -> picture, as ``picture_of`` reads it.
DEEDS = DRAWN["deeds"]
# Verbs that only say who does the next verb; an emblem shows another verb if there is one.
ASIDE = ("choose", "force", "make", "name", "allow", "forbid")
# A cost printed as a formula is drawn as this number.
FORMULA = 5
# The highest level of an agent's skill.
LEVELS = 4
# Corners of a contour on a site's map.
CORNERS = 72
# The signs of the four questions: triangle, disc, arrow, square, in a square from (-1, -1) to (1, 1).
QUESTIONS: dict[str, tuple[Point, ...]] = {
    "Affiliation": ((0, -1), (1, 0.85), (-1, 0.85)),
    "Motive": tuple(circle(0, 0, 0.9)),
    "Method": ((-1, -0.4), (0, -0.4), (0, -0.95), (1, 0), (0, 0.95), (0, 0.4), (-1, 0.4)),
    "Result": ((-0.85, -0.85), (0.85, -0.85), (0.85, 0.85), (-0.85, 0.85)),
}
# Question -> its answers; an emblem shows the index of the answer as a number.
ANSWERS: dict[str, list[str]] = DRAWN["answers"]


def _bearing(skill: str) -> float | None:
    """Return the direction of a skill, given by key or name, as an angle; None for any other word."""
    key = skill.casefold().replace(" ", "_")
    return -pi / 2 + HOUR * list(SKILLS).index(key) if key in SKILLS else None


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
    x, y, radius = window.width / 2, window.height / 2, min(window.width, window.height) * 0.485
    hub = radius * 0.3
    cell_depth = (radius - hub) / LEVELS
    window.disc(x, y, radius * 1.03, window.full("tint"))
    for place, skill in enumerate(SKILLS):
        middle, level = -pi / 2 + HOUR * place, card.number(skill) or 0
        for cell in range(LEVELS):
            # 180 on either side make the gap between two cells.
            inner, outer = hub + cell_depth * cell + 180, hub + cell_depth * (cell + 1) - 180
            full: Ink = "deep" if level > 2 else "ink"
            empty: Ink = "tint" if window.light else "paper"
            ink = full if cell < level else empty
            window.sector(x, y, inner, outer, middle - HOUR * 0.45, middle + HOUR * 0.45, ink)
    belief = next((word for word in ("Believer", "Skeptic", "Neutral") if word in card.words("keywords")), "")
    window.disc(x, y, hub * 0.72, "deep" if belief == "Believer" else "paper")
    if belief == "Neutral":
        window.sector(x, y, 0, hub * 0.72, -pi / 2, pi / 2, "deep")
    window.outline(circle(x, y, hub * 0.72), 900, "deep")


def adversary(card: Card, window: Window) -> None:
    """Draw an adversary as a body with a ring for each point of health, two teeth for each point of close
    range combat and two rays for each point of long range combat: "Crew-Cut Man" (5, 4, 4) is a square with
    five rings, eight teeth and eight rays.

    Its form tells its origin: triangle Occult, square Government, pentagon Evolutionary, hexagon Primordial,
    circle Alien. An adversary without any of these numbers has the picture of what it does.
    """
    origin = next((word for word in SIDES if word in card.words("keywords")), "")
    health, far_combat, close_combat = (
        card.number(key) for key in ("health", "long_range_combat", "close_range_combat")
    )
    if health is None and far_combat is None and close_combat is None:
        deed(card, window)
        return
    # ``far`` lies outside of the window in every direction.
    x, y, far = window.width / 2, window.height / 2, hypot(window.width, window.height)
    sides = SIDES.get(origin, ROUND)
    radius = min(window.width, window.height) * 0.3
    window.ground("deep")
    rays, teeth = 2 * (far_combat or 0), 2 * (close_combat or 0)
    for ray in range(rays):
        # A triangle from the middle out of the window, 0.12 radians wide. The first ray is half a step right
        # of the top.
        angle = -pi / 2 + 2 * pi * (ray + 0.5) / rays
        window.area([(x, y), _at(x, y, far, angle - 0.06), _at(x, y, far, angle + 0.06)], "tint")
    for tooth in range(teeth):
        # A triangle with its root in the body and its tip outside, the first at the top. A fifth of the room
        # between two teeth stays free.
        angle, half = -pi / 2 + 2 * pi * tooth / teeth, pi / teeth * 0.8
        points = [
            _at(x, y, radius * 0.9, angle - half),
            _at(x, y, radius * 1.5, angle),
            _at(x, y, radius * 0.9, angle + half),
        ]
        window.area(points, "paper")
        window.outline(points, 400, "deep")
    body = radius * _GROWN.get(sides, 1)
    window.area(regular(x, y, body * 1.07, sides), "paper")
    window.area(regular(x, y, body, sides), window.full("ink"))
    window.outline(regular(x, y, body, sides), 650, "ink")
    rings: Ink = "deep" if window.light else "tint"
    if health:
        # The outline of the body is the outermost ring.
        for ring in range(1, health):
            window.outline(regular(x, y, body * ring / health, sides), 500, rings)
    window.disc(x, y, 600, rings)


def deed_shown(card: Card) -> tuple[Deed, str] | None:
    """Return (deed that the card's emblem shows, name of its picture); None for a card without one. All lines
    of an adversary are searched as one, so that an aside in the first line is passed over. "Crew-Cut Man" ->
    (Deed("allow", " only the chosen Agent in the combat", 1), "gate")
    """
    lines = card.text.split("\n")
    if card.type == "adversary":
        lines = ["; ".join(lines)]
    for line in lines:
        found = deed_of(line, card.words("does"), ASIDE)
        if found and (picture := picture_of(found, DEEDS)):
            return found, picture
    return None


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
    letters, x, y = codes(card.name), window.width / 2, window.height / 2
    far = hypot(window.width, window.height) / 2
    window.ground("tint")
    # A contour is a circle distorted by four waves. Letters decide their heights (shares of the radius, 0.03
    # to 0.11) and where they begin; wave 0 goes up and down once on the way around, wave 3 four times.
    heights = [(letters[wave % len(letters)] % 9 + 3) / 100 for wave in range(4)]
    # The outermost contour first, so that inner ones cover it.
    for contour in range(level, 0, -1):
        points = []
        for corner in range(CORNERS):
            angle = 2 * pi * corner / CORNERS
            # The waves turn a little from contour to contour.
            swing = sum(
                height * cos((wave + 1) * angle + letters[(wave + 2) % len(letters)] + contour * 0.25)
                for wave, height in enumerate(heights)
            )
            radius = far * (0.12 + 0.88 * contour / level) * 0.92 * (1 + swing)
            points.append(_at(x, y, radius, angle))
        window.area(points, "paper" if contour % 2 else window.full("tint"))
        window.outline(points, 600, "deep")
    for skill in card.words("site_skills"):
        if (direction := _bearing(skill)) is not None:
            end = _at(x, y, 2 * far, direction)
            window.bar(x, y, *end, 4_300, "paper")
            window.bar(x, y, *end, 3_000, "ink")
            # Dashes along the middle of the road, until it leaves the window: one in each tenth of ``far``.
            for dash in range(2, 40, 2):
                begin, stop = far * dash / 20, far * (dash + 1.1) / 20
                window.bar(*_at(x, y, begin, direction), *_at(x, y, stop, direction), 450, "paper")
    size = window.share_of(USUAL)
    window.disc(x, y, 8_000 * size, "paper")
    window.disc(x, y, 7_100 * size, window.full("deep"))
    window.outline(circle(x, y, 7_100 * size), BORDER, "deep")
    questions = [question for question in card.words("site_questions") if question in QUESTIONS]
    side = (3_600 if len(questions) < 2 else 2_500) * size
    for place, question in enumerate(questions):
        # The signs stand side by side, their row in the middle.
        middle = x + (place - (len(questions) - 1) / 2) * 5_900 * size
        window.area(
            [(middle + across * side, y + down * side) for across, down in QUESTIONS[question]],
            "deep" if window.light else "paper",
        )


def witness(card: Card, window: Window) -> None:
    """Draw a witness as a source of sound in the direction of its skill, with a wave for each
    point of cost.
    """
    cost = _cost(card)
    if cost is None:
        return
    # The direction of the first Keyword that is a skill, else to the right.
    angle = next((at for word in card.words("keywords") if (at := _bearing(word)) is not None), 0.0)
    spread = 0.62  # radians on either side of it
    # The source lies opposite to the direction, so that the waves have room.
    x, y = window.width * (0.5 - 0.27 * cos(angle)), window.height * (0.5 - 0.27 * sin(angle))
    far = hypot(window.width, window.height)
    window.ground("tint")
    window.sector(x, y, 0, far, angle - spread, angle + spread, "paper")
    size = window.share_of(USUAL)
    step = min(window.width, window.height) * 0.8 / (cost + 0.4)
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
        width, height = window.width, window.height
        if question == "affiliation":
            sides = SIDES[answer]
            # The middle of a triangle is lower than half of its height.
            middle, radius = (0.6 * height, 0.52 * height) if sides == 3 else (0.5 * height, 0.44 * height)
            window.area(regular(width / 2, middle, radius, sides), above)
            window.area(regular(width / 2, middle, radius * 0.66, sides), below)
            window.area(regular(width / 2, middle, radius * 0.33, sides), above)
        elif question == "method":
            # Arrow heads that point to the right, as high as the window, half a step wide.
            step, tip = width / (count + 0.35), height * 0.3
            for arrow in range(count):
                left = step * arrow - height * 0.04
                right = left + step * 0.5
                window.area(
                    [
                        (left, height),
                        (right, height),
                        (right + tip, height / 2),
                        (right, 0),
                        (left, 0),
                        (left + tip, height / 2),
                    ],
                    above,
                )
        else:
            rule(window, "arcs" if question == "motive" else "grid", count, above, (0, 1))

    return draw


affiliation = characteristic("affiliation", "deep", "tint")
motive = characteristic("motive", "tint", "deep")
method = characteristic("method", "paper", "deep")
result = characteristic("result", "ink", "tint")


# -- words and shapes that faces read from a card ----------------------------------------

# The shape around a cost tells which points pay it: a folder for the Bureau's, an eye for the Conspiracy's.
POOLS = {"RP": "folder", "CP": "eye"}
# Abbreviations in effects.csv -> their full names.
LONG = {"LRC": "Long range combat", "CRC": "Close range combat"}
_NUMBER = r"(?P<number>[+−][0-9]+|X)"
# (pattern of a line of effects.csv, words for its target). The groups are the number and what it changes.
_GIVES = (
    # give 1 team's Computer check +1
    (rf"give (?:1 )?team's (?P<what>.+?) check {_NUMBER}", "to one team’s check"),
    # give bearer Computer +2
    (rf"give bearer (?P<what>[A-Z][\w ]+?) {_NUMBER}", "to its bearer"),
    # only on a Primordial or Occult Adversary; give it CRC +1
    (rf"give (?:it|its|1 combatant(?:'s)?) (?P<what>LRC|CRC|damage) {_NUMBER}", "to the combatant"),
    # test an opposing team on Sciences 4+
    (r"test [\w ]+ on (?P<what>[A-Z][\w ]+?) (?P<number>[0-9]+)", "to be reached"),
)


def pool_shape(card: Card) -> str:
    return POOLS.get(card.word("pool"), "plate")


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
    first = card.text.split("\n")[0]
    for pattern, target in _GIVES:
        if found := re.search(pattern, first):
            what = LONG.get(found["what"], found["what"])
            return found["number"], "", what[:1].upper() + what[1:], target
    return None
