"""Pictures of what cards do, for emblems: a picture shows the verb of a card's effect (its deed), with parts
repeated as often as the number in the effect says.

A game maps its verbs to pictures of ``deeds.toml``; no picture may serve two verbs of one game that mean
different things. ``first_deed`` finds the deed in the lines of ``effects.csv``, ``draw_deed`` draws it into a
``Window``. Lengths in ``deeds.toml`` are units of a grid of 160 x 100; a ``Window`` is in micrometres. Plain
factors are proportions chosen by eye. ``search/groups.py`` groups cards by their deeds; the tests of all
pictures are in ``tests/cardsdb/games/test_emblems.py``.
"""

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from math import cos, hypot, pi, sin
from typing import Any, NamedTuple

from cardsdb.games.kit.model.cards import Card
from cardsdb.games.kit.model.text import table_beside
from cardsdb.games.kit.print.shapes import PEN, SYMBOLS, Ink, Point, Window, arc, circle

# Name of a picture -> its parts, drawn one over the other; ``deeds.toml`` explains their keys.
PICTURES: Mapping[str, list[dict[str, Any]]] = table_beside(__file__, "deeds")
# Width and height of the grid of a picture.
ACROSS = 160
DOWN = 100
# Share of a window that the grid fills.
FILLED = 0.94
# Most by which a wide window spreads the parts of a picture.
WIDER = 1.35
# Larger numbers are drawn as this one: more parts could not be told apart.
MOST = 10
# Verbs whose amount is the last number of the clause: "damage 1 Agent 3".
_NUMBER_LAST = ("damage", "heal")
# "10 tokens".
_TOKENS = re.compile(r"\b[0-9]+ tokens?\b")
# A number that something is set to: "set Craft to 0".
_TO_NUMBER = re.compile(r"\bto (?:[A-Z]\S* )*[0-9]")
# Least number of segments of a gauge.
SEGMENTS = 8


class Deed(NamedTuple):
    """A verb of a line, the words after it in its clause, and its number: 1 if the clause has none."""

    verb: str
    after: str = ""
    number: int = 1


def deed_of(line: str, verbs: Collection[str], rather_not: Collection[str] = ()) -> Deed | None:
    """Return the first deed of a line with one of these verbs; None if it has none. A deed with a verb of
    ``rather_not`` is returned only if the line has no other.

    "Intel Craft 6: give this agent +2; move it" -> Deed("give", " this agent +2", 2)
    """
    known = "|".join(map(re.escape, sorted(verbs, key=len, reverse=True)))
    if not known:
        return None
    # A verb begins the line or a clause, or stands after a header, a cost, a condition, "then" or "may".
    clauses = re.finditer(rf"(?:^|: |; |\] |, |then |may )({known})(?= |$|;)([^;]*)", line)
    deeds = [Deed(clause[1], clause[2], _number_of(*clause.groups())) for clause in clauses]
    if not deeds:
        return None
    first = next((deed for deed in deeds if deed.verb not in rather_not), deeds[0])
    # In "put it there; put 10 tokens on it" the second clause says more.
    with_tokens = (deed for deed in deeds if deed.verb == first.verb and _TOKENS.search(deed.after))
    return next(with_tokens, first)


def _number_of(verb: str, after: str) -> int:
    """Return the number of a clause: the first with a sign, else the first (of damage and heal the last)
    outside quotation marks, else 2 for "twice", else 1.

    "damage 1 Agent 3" -> 3, 'give "Subject 0" 4 wounds' -> 4, "move it twice" -> 2
    """
    signed = re.findall(r"[+−]([0-9]+)", after)
    numbers = signed or re.findall(r"(?<![\w\"])([0-9]+)(?![0-9]*\")", after)
    if not numbers:
        return 2 if re.search(r"\btwice\b", after) else 1
    return min(MOST, int(numbers[-1 if verb in _NUMBER_LAST else 0]))


@dataclass(frozen=True)
class Inks:
    """The inks of a picture: of its ground, its main parts, the marks on them, lights, cards, and marks on
    cards.
    """

    ground: Ink = "tint"
    main: Ink = "deep"
    mark: Ink = "ink"
    glow: Ink = "paper"
    card: Ink = "paper"
    inner: Ink = "deep"

    def of(self, name: str) -> Ink:
        """Return the ink that a part of ``deeds.toml`` calls by this name; paper for any other."""
        own: dict[str, Ink] = {**vars(self), "hole": self.ground, "deep": "deep"}
        return own.get(name, "paper")


# Dark on light.
DAY = Inks()
# Light on dark.
NIGHT = Inks(ground="deep", main="tint", mark="paper", glow="tint", card="deep", inner="tint")
# For windows that should take little ink.
ON_PAPER = Inks(ground="paper", glow="tint")


def picture_of(deed: Deed, pictures: Mapping[str, Any]) -> str:
    """Return the name of the deed's picture; empty if its verb has none.

    ``pictures``: verb -> name of its picture. It may be two names, for a deed with a number of tokens or a
    number that something is set to, and for any other; or three, for a deed that gives more (+2), that gives
    less (−2), and for any other.
    """
    of_verb = pictures.get(deed.verb, "")
    if isinstance(of_verb, str):
        return of_verb
    if len(of_verb) == 3:
        more, less, neither = of_verb
        signed = re.search(r"[+−-](?:[0-9]|X)", deed.after)
        return str(neither if not signed else more if signed[0][0] == "+" else less)
    numbered, plain = of_verb
    return str(numbered if _TOKENS.search(deed.after) or _TO_NUMBER.search(deed.after) else plain)


def first_deed(card: Card, pictures: Mapping[str, Any]) -> tuple[Deed, str] | None:
    """Return (first deed of the card's first line, name of its picture); None for a card without a deed."""
    deed = deed_of(card.text.split("\n")[0], pictures)
    return (deed, picture_of(deed, pictures)) if deed else None


def shown_deed(
    card: Card, lines: Iterable[str], pictures: Mapping[str, Any], rather_not: Collection[str]
) -> tuple[Deed, str] | None:
    """Return (first deed of these lines of the card that has a picture, name of the picture); None without
    one. ``rather_not``: as for ``deed_of``.
    """
    for line in lines:
        deed = deed_of(line, card.words("does"), rather_not)
        if deed and (picture := picture_of(deed, pictures)):
            return deed, picture
    return None


def draw_deed(window: Window, picture: str, count: int, inks: Inks = DAY) -> None:
    """Draw a picture over the whole window, its repeated parts ``count`` times."""
    if window.light:
        inks = ON_PAPER
    window.ground(inks.ground)
    _Stage(window, count, inks).draw(PICTURES[picture])


class _Stage:
    """Draws one picture into a window. ``unit`` and ``across`` are the micrometres of a grid unit, downwards
    and sideways: the grid is as large as fits, and spread sideways in a wide window.
    """

    def __init__(self, window: Window, count: int, inks: Inks) -> None:
        self.window, self.count, self.inks = window, count, inks
        self.unit = min(window.width / ACROSS, window.height / DOWN) * FILLED
        self.across = min(window.width * FILLED / ACROSS, self.unit * WIDER)

    def draw(self, parts: list[dict[str, Any]]) -> None:
        """Draw the parts of a picture, which ``deeds.toml`` explains."""
        # A picture with a part that is "square" is not spread.
        if any("square" in part for part in parts):
            self.across = self.unit
        for part in parts:
            pen, ink = part.get("pen", 0) * self.unit, self.inks.of(part.get("ink", "mark"))
            if self.window.light and part.get("ink") == "hole":
                # In light ink there is no solid to cut a hole from, so the hole is outlined.
                ink = self.inks.main
            for x, y, wide in self._places(part):
                self._part(part, x, y, wide, pen, ink)

    def _places(self, part: dict[str, Any]) -> Iterator[tuple[float, float, float]]:
        """Yield (x, y of the origin, factor for the width) for each place where a part is drawn.

        ``slide``: one place on a scale from 0 to ``MOST``. ``fan``: places one below the other. ``spread``:
        places side by side, with ``climb`` rising or falling. Without any of these, one place in the middle.
        A rectangle with spread = [-74, 38] and climb = [40, -30], twice: (-46, 22.5, 0.4), (10, -12.5, 0.4).
        """
        if "slide" in part:
            left, right = part["slide"]
            yield left + (right - left) * min(self.count, MOST) / MOST, 0, 1
            return
        times = part.get("times", max(1, self.count))
        if "fan" in part:
            top, foot = part["fan"]
            yield from ((0, top + (foot - top) * (k + 0.5) / times, 1) for k in range(times))
            return
        if "spread" not in part:
            yield 0, 0, 1
            return
        left, right = part["spread"]
        first, last = part.get("climb", (0, 0))
        for k in range(times):
            share = (k + 0.5) / times  # of the way from left to right, the middle of the place
            room = (right - left) / times
            # Rectangles are 100 units wide at factor 1, other parts about 34.
            wide = min(0.4, room / 100) if "rect" in part else min(1.0, room / 34)
            yield left + (right - left) * share, first + (last - first) * share, wide

    def _part(self, part: dict[str, Any], x: float, y: float, wide: float, pen: float, ink: Ink) -> None:
        """Draw a part with its origin at (x, y) on the grid; ``pen`` is in micrometres."""
        window = self.window

        def at(px: float, py: float) -> Point:
            """Return the point of the window for a point of the part."""
            return (
                window.width / 2 + (x + px * wide) * self.across,
                window.height / 2 + (y + py) * self.unit,
            )

        match part:
            case {"area": points}:
                self._fill([at(*point) for point in points], ink)
            case {"rect": [left, top, width, height]}:
                self._fill(_box(at, left, top, width, height), ink)
            case {"card": [left, top, width, height]}:
                self._card(_box(at, left, top, width, height), part.get("ink"))
            case {"disc": [px, py, radius]}:
                self._fill(circle(*at(px, py), radius * self.unit * min(1, wide)), ink)
            case {"ring": [px, py, radius]}:
                window.outline(circle(*at(px, py), radius * self.unit), pen, ink)
            case {"star": [px, py, radius]}:
                self._fill(_star(*at(px, py), radius * self.unit * min(1, wide)), ink)
            # In narrow places pens become thinner, but not below 0.6 of their width.
            case {"line": points}:
                window.line([at(*point) for point in points], pen * max(wide, 0.6), ink)
            case {"arrow": points}:
                self._arrow([at(*point) for point in points], pen * max(wide, 0.6), ink)
            case {"sign": name, "at": [px, py, side]}:
                window.sign(SYMBOLS[name], *at(px, py), side * self.unit, ink)
            case {"person": [px, py, size]}:
                self._person(*at(px, py), size * self.unit, ink)
            case {"gauge": [px, py, outer, inner]}:
                self._gauge(*at(px, py), outer * self.unit, inner * self.unit)

    def _fill(self, points: list[Point], ink: Ink) -> None:
        """Fill an area; in light ink draw the outline of an area that would be solid."""
        if self.window.light and ink == "deep":
            self.window.area(points, "paper")
            self.window.outline(points, PEN, ink)
        else:
            self.window.area(points, ink)

    def _card(self, corners: list[Point], ink: str | None) -> None:
        solid = self.inks.of(ink) if ink else self.inks.card
        self.window.area(corners, self.window.full(solid))
        self.window.outline(corners, 3.4 * self.unit, self.inks.main)

    def _arrow(self, points: list[Point], pen: float, ink: Ink) -> None:
        """Draw a line with a head at its last point. The head is 3 pens wide and reaches 1.3 pens beyond it;
        the line ends 0.6 of a pen before it, under the head.
        """
        (x1, y1), (x2, y2) = points[-2:]
        long = hypot(x2 - x1, y2 - y1) or 1
        # The direction of the last piece, one unit long.
        along, down = (x2 - x1) / long, (y2 - y1) / long
        neck = (x2 - along * pen * 0.6, y2 - down * pen * 0.6)
        self.window.line([*points[:-1], neck], pen, ink)
        half, tip = pen * 1.5, pen * 1.3
        self.window.area(
            [
                (x2 - down * half, y2 + along * half),
                (x2 + along * tip, y2 + down * tip),
                (x2 + down * half, y2 - along * half),
            ],
            ink,
        )

    def _person(self, x: float, y: float, size: float, ink: Ink) -> None:
        """Draw head and shoulders with their middle at (x, y). All factors are shares of the size."""
        self._fill(circle(x, y - size * 0.27, size * 0.19), ink)
        shoulders = arc(x, y + size * 0.46, size * 0.36, pi, 2 * pi)
        self._fill([(x - size * 0.36, y + size * 0.46), *shoulders, (x + size * 0.36, y + size * 0.46)], ink)

    def _gauge(self, x: float, y: float, outer: float, inner: float) -> None:
        """Draw a half circle of segments around (x, y), filled from the number on, with a needle on it. The
        segments go from left over the top to the right, 0.06 radians apart outside and 0.1 inside.
        """
        each = pi / max(SEGMENTS, self.count)
        for k in range(max(SEGMENTS, self.count)):
            start = pi + each * k
            points = [
                *arc(x, y, outer, start + 0.03, start + each - 0.03),
                *reversed(arc(x, y, inner, start + 0.05, start + each - 0.05)),
            ]
            self._fill(points, self.inks.main if k >= self.count - 1 else self.inks.card)
            self.window.outline(points, 2 * self.unit, self.inks.main)
        turn = pi + each * (max(1, self.count) - 0.5)
        tip = (x + outer * 0.9 * cos(turn), y + outer * 0.9 * sin(turn))
        # The needle lies on a wider line in the colour of the ground, which sets it off.
        self.window.line([(x, y), tip], 9 * self.unit, self.inks.ground)
        self.window.line([(x, y), tip], 5 * self.unit, self.inks.mark)
        self.window.disc(x, y, 10 * self.unit, self.inks.mark)


def _star(x: float, y: float, radius: float) -> list[Point]:
    """Return a star of ten points: its outline alternates between the radius and 0.55 of it."""
    points = []
    for k in range(20):
        turn, far = pi * k / 10, radius if k % 2 == 0 else radius * 0.55
        points.append((x + far * cos(turn), y + far * sin(turn)))
    return points


def _box(
    at: Callable[[float, float], Point], left: float, top: float, width: float, height: float
) -> list[Point]:
    """Return the corners of a rectangle of the grid, as ``at`` places them in the window."""
    return [at(left, top), at(left + width, top), at(left + width, top + height), at(left, top + height)]
