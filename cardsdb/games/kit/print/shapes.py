"""Emblems: a picture of a card made of its facts alone, the same for ever; the shapes in a window that a game
draws them with, and the parts that more than one game builds with. Pure geometry; printing turns the shapes
into ink.

An emblem quotes no art and no text. A player who knows the rules can read it back: every form stands for a
fact, and what no source states is not drawn.

Lengths are micrometres from the window's top left corner, y downwards; angles are radians, clockwise from the
right. Nothing reaches out of a window: areas are cut at its edges. Curves are cut into short straight pieces,
so that every printer and every browser draws the same.
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

# deep: the hue of the card; tint: the same hue, flat and light; ink: near black.
Ink = Literal["deep", "tint", "ink", "paper"]
Point = tuple[float, float]
Steps = tuple[tuple[str, tuple[int, ...]], ...]

# A curve is cut into pieces that leave it by a hundredth of a millimetre at most where it matters: one piece
# every so many micrometres.
PIECE = 1_100
# Our signs are drawn on a grid of 24 with one pen, 2 wide.
GRID, SIGN_PEN = 24, 2

# Our drawings, for every game, by their names.
SYMBOLS: Mapping[str, str] = table_beside(__file__, "symbols")
_NUMBERS = {"M": 2, "L": 2, "H": 1, "V": 1, "C": 6, "Z": 0}


class Holder(NamedTuple):
    """A filled shape that holds a number or a sign: SVG path data on a grid of 24, and where the middle of
    what it holds is, on the same grid.
    """

    path: str
    x: float = 12
    y: float = 12


# By their names: the heads of bands, which touch the grid's left and top, and others.
SHAPES: Mapping[str, Holder] = {
    name: Holder(*values) for name, values in table_beside(__file__, "shapes").items()
}


class Shape(NamedTuple):
    """Steps M (to a point), L (a line), C (a curve by two handles), Z (close), filled, or drawn with a
    ``pen`` so many micrometres wide.
    """

    steps: Steps
    ink: Ink
    pen: int = 0


class Window:
    """A part of a card that shapes are drawn in. ``light``: with little ink, grounds stay paper.

    ``left`` and ``top`` say where it lies on the card. A window inside a window writes into the same list of
    shapes.
    """

    def __init__(
        self, width: float, height: float, left: float = 0, top: float = 0, *, light: bool = False
    ) -> None:
        self.width, self.height, self.left, self.top, self.light = width, height, left, top, light
        self.shapes: list[Shape] = []

    def part(self, x: float, y: float, width: float, height: float) -> "Window":
        """A window inside this one, cut at its edges."""
        inner = Window(width, height, self.left + x, self.top + y, light=self.light)
        inner.shapes = self.shapes
        return inner

    def share_of(self, usual: float) -> float:
        """The size at which a thing is drawn that suits a window with a shorter side of ``usual``: 1, or less
        in a smaller window.
        """
        return min(1.0, min(self.width, self.height) / usual)

    # -- areas ------------------------------------------------------------------

    def full(self, ink: Ink) -> Ink:
        """The ink of a large area: paper where little ink is wanted."""
        return "paper" if self.light else ink

    def ground(self, ink: Ink) -> None:
        """Fill the whole window, with little ink as paper."""
        self.rect(0, 0, self.width, self.height, self.full(ink))

    def area(self, points: Sequence[Point], ink: Ink) -> None:
        """Fill a polygon, cut at the window's edges."""
        inside = cut(points, self.width, self.height)
        if len(inside) > 2:
            self._draw(inside, ink, 0, closed=True)

    def rect(self, x: float, y: float, width: float, height: float, ink: Ink) -> None:
        self.area([(x, y), (x + width, y), (x + width, y + height), (x, y + height)], ink)

    def disc(self, x: float, y: float, radius: float, ink: Ink) -> None:
        self.area(circle(x, y, radius), ink)

    def dots(self, middles: Iterable[Point], radius: float, ink: Ink) -> None:
        """Fill discs of one size, as points of a round pen: they stand in the window, nothing of them is
        cut.
        """
        at = [(round(self.left + x), round(self.top + y)) for x, y in middles]
        if at:
            steps = tuple(step for point in at for step in (("M", point), ("L", point)))
            self.shapes.append(Shape(steps, ink, round(2 * radius)))

    def sector(
        self, x: float, y: float, inner: float, outer: float, start: float, end: float, ink: Ink
    ) -> None:
        """Fill what lies between two circles about (x, y) and between two angles."""
        if outer > inner:
            points = arc(x, y, outer, start, end)
            self.area(
                [*points, *reversed(arc(x, y, inner, start, end))] if inner > 0 else [*points, (x, y)], ink
            )

    def bar(self, x1: float, y1: float, x2: float, y2: float, pen: float, ink: Ink) -> None:
        """A straight line with square ends, as an area: it is cut at the window's edges."""
        length = hypot(x2 - x1, y2 - y1) or 1
        across, down = (y1 - y2) / length * pen / 2, (x2 - x1) / length * pen / 2
        there = [(x1 + across, y1 + down), (x2 + across, y2 + down)]
        self.area([*there, (x2 - across, y2 - down), (x1 - across, y1 - down)], ink)

    # -- lines ------------------------------------------------------------------

    def outline(self, points: Sequence[Point], pen: float, ink: Ink) -> None:
        """Draw round a polygon with a pen; what of it lies outside is cut off, and where it was cut the pen
        runs along the window's edge inside it.
        """
        moved = [(x - pen / 2, y - pen / 2) for x, y in points]
        inside = [(x + pen / 2, y + pen / 2) for x, y in cut(moved, self.width - pen, self.height - pen)]
        if len(inside) > 2:
            self._draw(inside, ink, round(pen), closed=True)

    def line(self, points: Sequence[Point], pen: float, ink: Ink) -> None:
        """Draw from point to point. Nothing is cut: the points lie in the window."""
        self._draw(points, ink, round(pen), closed=False)

    def frame(self, pen: float, ink: Ink) -> None:
        """A line along the window's edges, inside them."""
        near, right, foot = pen / 2, self.width - pen / 2, self.height - pen / 2
        self._draw([(near, near), (right, near), (right, foot), (near, foot)], ink, round(pen), closed=True)

    def sign(self, path: str, x: float, y: float, side: float, ink: Ink) -> None:
        """One of our signs, SVG path data on a grid of 24, with its middle at (x, y)."""
        steps = placed(path, round(self.left + x - side / 2), round(self.top + y - side / 2), round(side))
        self.shapes.append(Shape(steps, ink, round(side * SIGN_PEN / GRID)))

    def _draw(self, points: Sequence[Point], ink: Ink, pen: int, *, closed: bool) -> None:
        at = [(round(self.left + x), round(self.top + y)) for x, y in points]
        steps: list[tuple[str, tuple[int, ...]]] = [("M", at[0]), *(("L", point) for point in at[1:])]
        self.shapes.append(Shape((*steps, ("Z", ())) if closed else tuple(steps), ink, pen))


# -- points -----------------------------------------------------------------------


def arc(x: float, y: float, radius: float, start: float, end: float) -> list[Point]:
    """Points along a circle from one angle to another, both included."""
    count = max(2, ceil(abs(end - start) * max(radius, 1) / PIECE), ceil(abs(end - start) / (pi / 10)))
    turns = [start + (end - start) * k / count for k in range(count + 1)]
    return [(x + radius * cos(turn), y + radius * sin(turn)) for turn in turns]


def circle(x: float, y: float, radius: float) -> list[Point]:
    return arc(x, y, radius, 0, 2 * pi)[:-1]


def regular(x: float, y: float, radius: float, sides: int) -> list[Point]:
    """The corners of a regular polygon, the first one upwards."""
    turns = [2 * pi * k / sides - pi / 2 for k in range(sides)]
    return [(x + radius * cos(turn), y + radius * sin(turn)) for turn in turns]


def cut(points: Sequence[Point], width: float, height: float) -> list[Point]:
    """A polygon's part inside the rectangle from (0, 0) to (width, height), edge by edge of the rectangle."""
    inside = list(points)
    if all(0 <= x <= width and 0 <= y <= height for x, y in inside):
        return inside
    for axis, bound, sign in ((0, 0.0, 1), (0, width, -1), (1, 0.0, 1), (1, height, -1)):
        if not inside:
            return []
        inside = list(_cut_at(inside, axis, bound, sign))
    return inside


def _cut_at(points: list[Point], axis: int, bound: float, sign: int) -> Iterable[Point]:
    """The polygon's part on one side of a line: where ``axis`` is at least ``bound``, or with ``sign`` -1 at
    most.
    """
    before = points[-1]
    away = (before[axis] - bound) * sign
    for point in points:
        here = (point[axis] - bound) * sign
        if (here < 0) != (away < 0):
            share = away / (away - here)
            yield (before[0] + (point[0] - before[0]) * share, before[1] + (point[1] - before[1]) * share)
        if here >= 0:
            yield point
        before, away = point, here


# -- path data --------------------------------------------------------------------


def placed(path: str, left: int, top: int, side: int) -> Steps:
    """The sign's steps with its grid of 24 laid on a square, in micrometres. Cards of a type have their signs
    at the same places.
    """
    return tuple(
        (
            letter,
            tuple(
                (left if index % 2 == 0 else top) + number * side // (GRID * 1000)
                for index, number in enumerate(numbers)
            ),
        )
        for letter, numbers in read_path(path)
    )


def read_path(path: str) -> Steps:
    """SVG path data as steps M, L, C and Z, in thousandths of the grid. Raises ValueError for any other
    letter.
    """
    steps: list[tuple[str, tuple[int, ...]]] = []
    x = y = 0
    for letter, numbers in _commands(path):
        if letter == "H":
            letter, numbers = "L", (*numbers, y)
        elif letter == "V":
            letter, numbers = "L", (x, *numbers)
        if numbers:
            x, y = numbers[-2:]
        steps.append((letter, numbers))
    return tuple(steps)


def _commands(path: str) -> list[tuple[str, tuple[int, ...]]]:
    commands: list[tuple[str, tuple[int, ...]]] = []
    for letter, rest in re.findall(r"([A-Za-z])([^A-Za-z]*)", path):
        numbers = tuple(round(float(n) * 1000) for n in re.findall(r"-?[0-9]*\.?[0-9]+", rest))
        if letter not in _NUMBERS:
            raise ValueError(f"a symbol's path has the step {letter!r}; only {', '.join(_NUMBERS)} are drawn")
        each = _NUMBERS[letter]
        if not each:
            commands.append((letter, ()))
            continue
        if not numbers or len(numbers) % each:
            raise ValueError(f"a symbol's path has {len(numbers)} numbers after {letter}, which takes {each}")
        commands += [(letter, numbers[start : start + each]) for start in range(0, len(numbers), each)]
    return commands


# The pen of every emblem, and that of a border.
PEN, BORDER = 450, 800


Draw = Callable[[Card, Window], None]


@dataclass(frozen=True)
class Emblem:
    """The emblem of the cards of a type: ``draw`` fills a window from the card's facts, in the colour of
    the face's band.
    """

    draw: Draw

    def __repr__(self) -> str:
        return f"Emblem({named_in_code(self.draw)})"


def named_in_code(function: object) -> str:
    """The name of a function, the same in every process, for tags that are made of it: by itself it is told
    by where it lies in memory.
    """
    if isinstance(function, FunctionType):
        return f"{function.__module__}.{function.__qualname__}"
    return repr(function)


# -- rulings ----------------------------------------------------------------------

Ruling = Literal["arcs", "rays", "lanes", "grid"]
Corner = tuple[int, int]
# How much of a ruled field is ink; with little ink the lines are thinner.
DUTY, LIGHT_DUTY = 0.5, 0.22


def rule(window: Window, ruling: Ruling, count: int, ink: Ink, corner: Corner = (0, 0)) -> None:
    """Rule a window with so many lines, which start in a corner (0 or 1 across, 0 or 1 down): a field's lines
    can be counted.

    Arcs lie about the corner, rays leave it, lanes cross before it; a grid of dots has so many columns.
    """
    if count < 1:
        return
    width, height = window.width, window.height
    far, duty = hypot(width, height), LIGHT_DUTY if window.light else DUTY

    def area(points: list[Point]) -> None:
        across, down = corner
        window.area([(width - x if across else x, height - y if down else y) for x, y in points], ink)

    if ruling == "arcs":
        step = far * 0.97 / count
        for k in range(count):
            middle, half = step * (k + 0.62), step * duty / 2
            area([*arc(0, 0, middle + half, 0, pi / 2), *reversed(arc(0, 0, middle - half, 0, pi / 2))])
    elif ruling == "rays":
        each = pi / 2 / count
        for k in range(count):
            start = each * (k + 0.5 - duty / 2)
            ends = [(far * cos(turn), far * sin(turn)) for turn in (start, start + each * duty)]
            area([(0, 0), *ends])
    elif ruling == "lanes":
        step = (width + height) / (count + 0.3)
        for start in (step * (k + 0.45) for k in range(count)):
            area([(start, 0), (start + step * duty, 0), (0, start + step * duty), (0, start)])
    else:
        rows = max(1, round(height * count / width))
        across, down = width / count, height / rows
        radius = min(across, down) * (0.08 + 0.46 * duty)
        middles = [
            (across * (column + 0.5), down * (row + 0.5)) for column in range(count) for row in range(rows)
        ]
        window.dots(middles, radius, ink)


# -- lines of partition -----------------------------------------------------------

Partition = Literal["straight", "indented", "embattled", "wavy", "scalloped", "dovetailed", "raked"]
# One period of each line, as (share of the period, share of the depth).
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
    """A line from (0, 0) to (length, 0) as heralds part a shield, swinging ``depth`` downwards about once
    every ``period``.
    """
    count = max(2, round(length / period))
    each = length / count
    points = [(each * (k + x), depth * y) for k in range(count) for x, y in _PERIODS[kind]]
    return [*points, (length, 0.0)]


# -- letters as numbers -----------------------------------------------------------

# The telegraph's alphabet of five holes, ITA2: letters and figures, each at the place of its number.
_ROWS = ("_E_A SIU_DRJNFCKTZLWHYPQOBG_MXV", "_3____87__4_____5__2_6019")
_HOLES = {letter: number for row in _ROWS for number, letter in enumerate(row) if letter != "_"}


def codes(name: str) -> list[int]:
    """The name's letters as numbers from 1 to 31; what the telegraph does not know is left out, never all of
    it.
    """
    plain = unicodedata.normalize("NFKD", name).upper()
    return [_HOLES[letter] for letter in plain if letter in _HOLES] or [4]
