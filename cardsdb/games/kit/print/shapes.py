"""Geometry for emblems: a ``Window`` on a card that a game's ``emblems.py`` draws shapes into, and the parts
that several games draw with (rulings, edges of bands, names as punched codes).

An emblem is a picture of a card made from its facts alone. It quotes no art and no text; every form stands
for a fact, and a fact that no source states is not drawn. The same card must always get the same emblem.

Lengths are micrometres from the window's top left corner, y downwards; angles are radians, clockwise from the
right. Nothing may reach outside a window: areas are clipped at its edges. Curves become short straight
pieces, so that every printer and browser draws the same. ``printing`` turns the shapes into ink.
Tests: ``tests/cardsdb/games/kit/print/test_shapes.py``; windows with the emblems of all games in
``tests/cardsdb/games/test_emblems.py``.
"""

import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import ceil, cos, hypot, pi, sin
from types import FunctionType
from typing import Literal, NamedTuple

from cardsdb.games.kit.model.cards import Card
from cardsdb.games.kit.model.text import table_beside

# deep: the hue of the card; tint: the same hue, flat and light; ink: nearly black; paper: not printed.
Ink = Literal["deep", "tint", "ink", "paper"]
Point = tuple[float, float]
# (letter M, L, C or Z, coordinates) of each step of a path: (("M", (0, 12)), ("L", (3, 12)), ("Z", ())).
Steps = tuple[tuple[str, tuple[int, ...]], ...]

# Length in micrometres of the straight pieces of a curve: short enough to stay within 0.01 mm of it.
PIECE = 1_100
# Side of the grid of our signs.
GRID = 24
# Width of their pen on it.
SIGN_PEN = 2
# Parts of a unit of the grid in which ``read_path`` counts, so that coordinates are whole numbers.
FINE = 1_000
# Width in micrometres of the usual pen of emblems.
PEN = 450
# Width in micrometres of a border.
BORDER = 800

# Name -> SVG path data of the drawings that every game may use.
SYMBOLS: Mapping[str, str] = table_beside(__file__, "symbols")
# Letter of a path's step -> numbers that it takes.
_NUMBERS = {"M": 2, "L": 2, "H": 1, "V": 1, "C": 6, "Z": 0}


class Holder(NamedTuple):
    """A filled shape around a number or a sign: SVG path data on a grid of 24, and the middle of its content
    on the same grid.
    """

    path: str
    x: float = 12
    y: float = 12


# Name -> shape: heads of bands, which touch the left and top of the grid, and others.
SHAPES: Mapping[str, Holder] = {
    name: Holder(*values) for name, values in table_beside(__file__, "shapes").items()
}


class Shape(NamedTuple):
    """A path to draw: steps M (move), L (line), C (curve with two handles) and Z (close). Filled, or drawn
    with a ``pen`` of this width in micrometres if it is not 0.
    """

    steps: Steps
    ink: Ink
    pen: int = 0


class Window:
    """A rectangle of a card into which shapes are drawn. ``light``: use little ink, so grounds stay paper.

    ``left`` and ``top``: its place on the card. A part of a window adds to the same list of shapes.
    """

    def __init__(
        self, width: float, height: float, left: float = 0, top: float = 0, *, light: bool = False
    ) -> None:
        self.width, self.height, self.left, self.top, self.light = width, height, left, top, light
        self.shapes: list[Shape] = []

    def part(self, x: float, y: float, width: float, height: float) -> "Window":
        """Return a window inside this one, which clips what is drawn into it."""
        inner = Window(width, height, self.left + x, self.top + y, light=self.light)
        inner.shapes = self.shapes
        return inner

    @property
    def middle(self) -> "Point":
        return self.width / 2, self.height / 2

    @property
    def short(self) -> float:
        """The shorter side."""
        return min(self.width, self.height)

    def share_of(self, usual: float) -> float:
        """Return the scale for things designed for a window with a shorter side of ``usual``: at most 1."""
        return min(1.0, self.short / usual)

    # -- areas ------------------------------------------------------------------

    def full(self, ink: Ink) -> Ink:
        """Return the ink for a large area: paper if little ink should be used."""
        return "paper" if self.light else ink

    def ground(self, ink: Ink) -> None:
        """Fill the whole window, with paper if little ink should be used."""
        self.rect(0, 0, self.width, self.height, self.full(ink))

    def area(self, points: Sequence[Point], ink: Ink) -> None:
        """Fill a polygon, clipped at the window's edges."""
        inside = cut(points, self.width, self.height)
        if len(inside) > 2:
            self._draw(inside, ink, 0, closed=True)

    def rect(self, x: float, y: float, width: float, height: float, ink: Ink) -> None:
        self.area([(x, y), (x + width, y), (x + width, y + height), (x, y + height)], ink)

    def disc(self, x: float, y: float, radius: float, ink: Ink) -> None:
        self.area(circle(x, y, radius), ink)

    def dots(self, middles: Iterable[Point], radius: float, ink: Ink) -> None:
        """Draw discs of one size as points of a round pen. They are not clipped: keep them inside."""
        at = [(round(self.left + x), round(self.top + y)) for x, y in middles]
        if at:
            steps = tuple(step for point in at for step in (("M", point), ("L", point)))
            self.shapes.append(Shape(steps, ink, round(2 * radius)))

    def sector(
        self, x: float, y: float, inner: float, outer: float, start: float, end: float, ink: Ink
    ) -> None:
        """Fill the area between two circles around (x, y) and between two angles."""
        if outer > inner:
            points = arc(x, y, outer, start, end)
            self.area(
                [*points, *reversed(arc(x, y, inner, start, end))] if inner > 0 else [*points, (x, y)], ink
            )

    def bar(self, x1: float, y1: float, x2: float, y2: float, pen: float, ink: Ink) -> None:
        """Draw a straight line with square ends as an area, which is clipped at the window's edges."""
        length = hypot(x2 - x1, y2 - y1) or 1
        # From the middle of the line to its side: its direction, turned by a quarter, half a pen long.
        across, down = (y1 - y2) / length * pen / 2, (x2 - x1) / length * pen / 2
        side = [(x1 + across, y1 + down), (x2 + across, y2 + down)]
        self.area([*side, (x2 - across, y2 - down), (x1 - across, y1 - down)], ink)

    # -- lines ------------------------------------------------------------------

    def outline(self, points: Sequence[Point], pen: float, ink: Ink) -> None:
        """Draw the outline of a polygon, clipped so that the whole width of the pen stays in the window.
        Where it is clipped, the pen runs along the window's edge.
        """
        half = pen / 2
        moved = [(x - half, y - half) for x, y in points]
        inside = [(x + half, y + half) for x, y in cut(moved, self.width - pen, self.height - pen)]
        if len(inside) > 2:
            self._draw(inside, ink, round(pen), closed=True)

    def line(self, points: Sequence[Point], pen: float, ink: Ink) -> None:
        """Draw a line from point to point. It is not clipped: keep the points inside."""
        self._draw(points, ink, round(pen), closed=False)

    def frame(self, pen: float, ink: Ink) -> None:
        """Draw a line along the window's edges, inside them."""
        near, right, foot = pen / 2, self.width - pen / 2, self.height - pen / 2
        self._draw([(near, near), (right, near), (right, foot), (near, foot)], ink, round(pen), closed=True)

    def sign(self, path: str, x: float, y: float, side: float, ink: Ink) -> None:
        """Draw one of our signs, SVG path data on a grid of 24, with its middle at (x, y)."""
        steps = placed(path, round(self.left + x - side / 2), round(self.top + y - side / 2), round(side))
        self.shapes.append(Shape(steps, ink, round(side * SIGN_PEN / GRID)))

    def _draw(self, points: Sequence[Point], ink: Ink, pen: int, *, closed: bool) -> None:
        at = [(round(self.left + x), round(self.top + y)) for x, y in points]
        steps: list[tuple[str, tuple[int, ...]]] = [("M", at[0]), *(("L", point) for point in at[1:])]
        self.shapes.append(Shape((*steps, ("Z", ())) if closed else tuple(steps), ink, pen))


# -- points -----------------------------------------------------------------------


def arc(x: float, y: float, radius: float, start: float, end: float) -> list[Point]:
    """Return points along a circle from one angle to another, both included: at least ten pieces for each
    half circle, so that small ones look round too.
    """
    angle = end - start
    by_length, by_angle = ceil(abs(angle) * max(radius, 1) / PIECE), ceil(abs(angle) / (pi / 10))
    count = max(2, by_length, by_angle)
    turns = [start + angle * k / count for k in range(count + 1)]
    return [(x + radius * cos(turn), y + radius * sin(turn)) for turn in turns]


def circle(x: float, y: float, radius: float) -> list[Point]:
    # The last point of the arc is its first again.
    return arc(x, y, radius, 0, 2 * pi)[:-1]


def regular(x: float, y: float, radius: float, sides: int) -> list[Point]:
    """Return the corners of a regular polygon, the topmost first."""
    turns = [2 * pi * k / sides - pi / 2 for k in range(sides)]
    return [(x + radius * cos(turn), y + radius * sin(turn)) for turn in turns]


def pill(left: float, top: float, width: float, height: float) -> list[Point]:
    """Return the outline of a rectangle with round ends on the left and right."""
    radius, middle = height / 2, top + height / 2
    right = arc(left + width - radius, middle, radius, -pi / 2, pi / 2)
    return [*right, *arc(left + radius, middle, radius, pi / 2, pi * 3 / 2)]


def mirrored(points: Sequence[Point], axis: float) -> list[Point]:
    """Return the points mirrored at x = ``axis``, the last first: behind the points they close an outline."""
    return [(2 * axis - x, y) for x, y in reversed(points)]


def cut(points: Sequence[Point], width: float, height: float) -> list[Point]:
    """Return the part of a polygon inside the rectangle from (0, 0) to (width, height), by the algorithm of
    Sutherland and Hodgman: the polygon is clipped at one edge of the rectangle after the other.
    """
    inside = list(points)
    if all(0 <= x <= width and 0 <= y <= height for x, y in inside):
        return inside
    for axis, bound, sign in ((0, 0.0, 1), (0, width, -1), (1, 0.0, 1), (1, height, -1)):
        if not inside:
            return []
        inside = list(_cut_at(inside, axis, bound, sign))
    return inside


def _cut_at(points: list[Point], axis: int, bound: float, sign: int) -> Iterable[Point]:
    """Yield the part of a polygon where the coordinate ``axis`` (0 is x, 1 is y) is at least ``bound``, or at
    most if ``sign`` is -1. The square (0, 0), (2, 0), (2, 2), (0, 2) with axis 0, bound 1 and sign -1 becomes
    (0, 0), (1, 0), (1, 2), (0, 2).
    """
    before = points[-1]
    # How far the last point and this one lie inside the bound; below 0 outside.
    away = (before[axis] - bound) * sign
    for point in points:
        here = (point[axis] - bound) * sign
        if (here < 0) != (away < 0):
            # The side from the last point to this one crosses the line.
            share = away / (away - here)
            yield (before[0] + (point[0] - before[0]) * share, before[1] + (point[1] - before[1]) * share)
        if here >= 0:
            yield point
        before, away = point, here


# -- path data --------------------------------------------------------------------


def placed(path: str, left: int, top: int, side: int) -> Steps:
    """Return the steps of a sign with its grid of 24 laid on a square, in whole micrometres."""
    steps = []
    for letter, numbers in read_path(path):
        lengths = [number * side // (GRID * FINE) for number in numbers]
        # Numbers are x and y in turn.
        at = [(top if index % 2 else left) + length for index, length in enumerate(lengths)]
        steps.append((letter, tuple(at)))
    return tuple(steps)


def read_path(path: str) -> Steps:
    """Return SVG path data as steps M, L, C and Z in ``FINE`` parts of the grid; H and V become L. Raises
    ValueError for any other letter or a wrong count of numbers.

    "M0 12 H3 Z" -> (("M", (0, 12000)), ("L", (3000, 12000)), ("Z", ()))
    """
    steps: list[tuple[str, tuple[int, ...]]] = []
    x = y = 0
    for letter, numbers in _commands(path):
        if letter == "H":
            letter, numbers = "L", (*numbers, y)
        elif letter == "V":
            letter, numbers = "L", (x, *numbers)
        if numbers:
            # Each step ends at its last two numbers.
            x, y = numbers[-2:]
        steps.append((letter, numbers))
    return tuple(steps)


def _commands(path: str) -> list[tuple[str, tuple[int, ...]]]:
    """Return (letter, numbers in ``FINE`` parts) of each step; "L 1 2 3 4" is two steps."""
    commands: list[tuple[str, tuple[int, ...]]] = []
    for letter, rest in re.findall(r"([A-Za-z])([^A-Za-z]*)", path):
        numbers = tuple(round(float(n) * FINE) for n in re.findall(r"-?[0-9]*\.?[0-9]+", rest))
        if letter not in _NUMBERS:
            raise ValueError(f"a symbol's path has the step {letter!r}; only {', '.join(_NUMBERS)} are drawn")
        size = _NUMBERS[letter]
        if not size:
            commands.append((letter, ()))
            continue
        if not numbers or len(numbers) % size:
            raise ValueError(f"a symbol's path has {len(numbers)} numbers after {letter}, which takes {size}")
        commands += [(letter, numbers[start : start + size]) for start in range(0, len(numbers), size)]
    return commands


# -- emblems ----------------------------------------------------------------------

Draw = Callable[[Card, Window], None]


@dataclass(frozen=True)
class Emblem:
    """The emblem of a type of cards: ``draw`` draws a card's facts into a window."""

    draw: Draw

    def __repr__(self) -> str:
        return f"Emblem({named_in_code(self.draw)})"


def named_in_code(function: object) -> str:
    """Return the name of a function, the same in every process. ``repr`` of a function would hold its address
    in memory, and tags of drawings are made from this.
    """
    if isinstance(function, FunctionType):
        return f"{function.__module__}.{function.__qualname__}"
    return repr(function)


# -- rulings ----------------------------------------------------------------------

Ruling = Literal["arcs", "rays", "lanes", "grid"]
Corner = tuple[int, int]
# The share of a ruled field that is ink: lines as wide as their gaps.
DUTY = 0.5
# That share if little ink should be used.
LIGHT_DUTY = 0.22


def rule(window: Window, ruling: Ruling, count: int, ink: Ink, corner: Corner = (0, 0)) -> None:
    """Fill a window with ``count`` lines, which a reader can count. ``corner``: (0 left or 1 right, 0 top or
    1 bottom).

    ``arcs`` lie around the corner, ``rays`` start in it, ``lanes`` run diagonally across; a ``grid`` of dots
    has ``count`` columns. Plain factors are chosen by eye, so that the first and last line keep their
    distance. Each line fills ``duty`` of its step; the rest is gap.
    """
    if count < 1:
        return
    width, height = window.width, window.height
    far, duty = hypot(width, height), LIGHT_DUTY if window.light else DUTY

    def area(points: list[Point]) -> None:
        """Fill an area given as if the corner were the top left one."""
        across, down = corner
        window.area([(width - x if across else x, height - y if down else y) for x, y in points], ink)

    if ruling == "arcs":
        step = far * 0.97 / count
        for k in range(count):
            # With 0.62 of a step in place of a half, the first arc keeps away from the corner.
            middle, half = step * (k + 0.62), step * duty / 2
            area([*arc(0, 0, middle + half, 0, pi / 2), *reversed(arc(0, 0, middle - half, 0, pi / 2))])
    elif ruling == "rays":
        each = pi / 2 / count
        for k in range(count):
            start = each * (k + 0.5 - duty / 2)
            # The window cuts the ray off, since ``far`` lies beyond all its edges.
            ends = [(far * cos(turn), far * sin(turn)) for turn in (start, start + each * duty)]
            area([(0, 0), *ends])
    elif ruling == "lanes":
        # 0.3 and 0.45 leave a gap between the corner and the first lane, and behind the last one.
        step = (width + height) / (count + 0.3)
        for start in (step * (k + 0.45) for k in range(count)):
            area([(start, 0), (start + step * duty, 0), (0, start + step * duty), (0, start)])
    else:
        rows = max(1, round(height * count / width))
        across, down = width / count, height / rows
        # With DUTY the dots are 0.62 as wide as their places, with LIGHT_DUTY 0.36.
        radius = min(across, down) * (0.08 + 0.46 * duty)
        middles = [
            (across * (column + 0.5), down * (row + 0.5)) for column in range(count) for row in range(rows)
        ]
        window.dots(middles, radius, ink)


# -- lines of partition -----------------------------------------------------------

Partition = Literal["straight", "indented", "embattled", "wavy", "scalloped", "dovetailed", "raked"]
# One period of each line, as (share of the period, share of the depth). "embattled" is a battlement: straight
# for a quarter, down, straight for a half, up again; the next period adds the last quarter.
_PERIODS: dict[str, tuple[Point, ...]] = {
    "straight": ((0, 0),),
    "indented": ((0, 0), (0.5, 1)),
    "embattled": ((0, 0), (0.25, 0), (0.25, 1), (0.75, 1), (0.75, 0)),
    "dovetailed": ((0, 0), (0.35, 0), (0.2, 1), (0.8, 1), (0.65, 0)),
    "raked": ((0, 0), (0.72, 1), (0.72, 0)),
    "wavy": tuple((k / 12, 0.5 - 0.5 * cos(2 * pi * k / 12)) for k in range(12)),
    "scalloped": tuple((k / 8, sin(pi * k / 8)) for k in range(8)),
}


def partition(kind: Partition, length: float, depth: float, period: float) -> list[Point]:
    """Return a line from (0, 0) to (length, 0) as used to divide shields in heraldry. It swings ``depth``
    downwards, about once every ``period``.
    """
    count = max(2, round(length / period))
    width = length / count
    points = [(width * (k + x), depth * y) for k in range(count) for x, y in _PERIODS[kind]]
    return [*points, (length, 0.0)]


# -- letters as numbers -----------------------------------------------------------

# ITA2, the telegraph's code of five holes: letters, then figures, each at the index of its code.
_ROWS = ("_E_A SIU_DRJNFCKTZLWHYPQOBG_MXV", "_3____87__4_____5__2_6019")
_HOLES = {letter: number for row in _ROWS for number, letter in enumerate(row) if letter != "_"}


def codes(name: str) -> list[int]:
    """Return the ITA2 codes of a name's letters, from 1 to 31: "AB Z3" -> [3, 25, 4, 17, 1]. Characters
    without a code are left out; a name of such characters only is one space.
    """
    plain = unicodedata.normalize("NFKD", name).upper()
    return [_HOLES[letter] for letter in plain if letter in _HOLES] or [_HOLES[" "]]
