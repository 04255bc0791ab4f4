"""Shapes in a window: what a game draws its emblems with. Pure geometry; printing turns the shapes into ink.

Lengths are micrometres from the window's top left corner, y downwards; angles are radians, clockwise from the
right. Nothing reaches out of a window: areas are cut at its edges. Curves are cut into short straight pieces,
so that every printer and every browser draws the same.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from math import ceil, cos, hypot, pi, sin
from typing import Literal, NamedTuple

# deep: the hue of the card; tint: the same hue, flat and light; ink: near black.
Ink = Literal["deep", "tint", "ink", "paper"]
Point = tuple[float, float]
Steps = tuple[tuple[str, tuple[int, ...]], ...]

# A curve is cut into pieces that leave it by a hundredth of a millimetre at most where it matters: one piece
# every so many micrometres.
PIECE = 1_100
# Our signs are drawn on a grid of 24 with one pen, 2 wide.
GRID, SIGN_PEN = 24, 2

_NUMBERS = {"M": 2, "L": 2, "H": 1, "V": 1, "C": 6, "Z": 0}


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

    def part(self, x: float, y: float, width: float, height: float) -> Window:
        """A window inside this one, cut at its edges."""
        inner = Window(width, height, self.left + x, self.top + y, light=self.light)
        inner.shapes = self.shapes
        return inner

    def share_of(self, usual: float) -> float:
        """How large a thing is drawn that suits a window with a shorter side of ``usual``: 1, or less in a
        smaller window.
        """
        return min(1.0, min(self.width, self.height) / usual)

    # -- areas ------------------------------------------------------------------

    def ground(self, ink: Ink) -> None:
        """Fill the whole window."""
        self.rect(0, 0, self.width, self.height, ink)

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
        self.area(
            [
                (x1 + across, y1 + down),
                (x2 + across, y2 + down),
                (x2 - across, y2 - down),
                (x1 - across, y1 - down),
            ],
            ink,
        )

    # -- lines ------------------------------------------------------------------

    def outline(self, points: Sequence[Point], pen: float, ink: Ink) -> None:
        """Draw round a polygon with a pen; what of it lies outside is cut off."""
        inside = cut(points, self.width, self.height)
        if len(inside) > 2:
            self._draw(inside, ink, round(pen), closed=True)

    def line(self, points: Sequence[Point], pen: float, ink: Ink) -> None:
        """Draw from point to point. Nothing is cut: the points lie in the window."""
        self._draw(points, ink, round(pen), closed=False)

    def frame(self, pen: float, ink: Ink) -> None:
        """A line along the window's edges, inside them."""
        half = pen / 2
        corners = [
            (half, half),
            (self.width - half, half),
            (self.width - half, self.height - half),
            (half, self.height - half),
        ]
        self._draw(corners, ink, round(pen), closed=True)

    def sign(
        self,
        path: str,
        x: float,
        y: float,
        side: float,
        ink: Ink,
        *,
        filled: bool = False,
        pen: float = SIGN_PEN,
    ) -> None:
        """One of our signs, SVG path data on a grid of 24, with its middle at (x, y)."""
        steps = placed(path, round(self.left + x - side / 2), round(self.top + y - side / 2), round(side))
        self.shapes.append(Shape(steps, ink, 0 if filled else round(side * pen / GRID)))

    def _draw(self, points: Sequence[Point], ink: Ink, pen: int, *, closed: bool) -> None:
        at = [(round(self.left + x), round(self.top + y)) for x, y in points]
        steps: list[tuple[str, tuple[int, ...]]] = [("M", at[0]), *(("L", point) for point in at[1:])]
        self.shapes.append(Shape((*steps, ("Z", ())) if closed else tuple(steps), ink, pen))


# -- points -----------------------------------------------------------------------


def arc(x: float, y: float, radius: float, start: float, end: float) -> list[Point]:
    """Points along a circle from one angle to another, both included."""
    count = max(2, ceil(abs(end - start) * max(radius, 1) / PIECE), ceil(abs(end - start) / (pi / 10)))
    return [
        (
            x + radius * cos(start + (end - start) * k / count),
            y + radius * sin(start + (end - start) * k / count),
        )
        for k in range(count + 1)
    ]


def circle(x: float, y: float, radius: float) -> list[Point]:
    return arc(x, y, radius, 0, 2 * pi)[:-1]


def regular(x: float, y: float, radius: float, sides: int, turn: float = -pi / 2) -> list[Point]:
    """The corners of a regular polygon, the first one at the angle ``turn``: upwards."""
    return [
        (x + radius * cos(turn + 2 * pi * k / sides), y + radius * sin(turn + 2 * pi * k / sides))
        for k in range(sides)
    ]


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
    for part in re.findall(r"[A-Za-z][^A-Za-z]*", path):
        letter, numbers = (
            part[0],
            tuple(round(float(n) * 1000) for n in re.findall(r"-?[0-9]*\.?[0-9]+", part[1:])),
        )
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
