"""Emblems: a picture of a card made of its facts alone, the same for ever; the parts that more than one game
builds with.

An emblem quotes no art and no text. Whoever knows the rules can read it back: every form stands for a fact,
and what nobody has stated is not drawn.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable
from dataclasses import dataclass
from math import cos, hypot, pi, sin
from types import FunctionType
from typing import Literal

from cardsdb.games.kit.model.cards import Card
from cardsdb.games.kit.print.shapes import Ink, Point, Window, arc

# The pen of every emblem, and that of a border.
PEN, BORDER = 450, 800


Draw = Callable[[Card, Window], None]


@dataclass(frozen=True, slots=True)
class Emblem:
    """How the cards of a type get their emblem: ``draw`` fills a window from the card's facts, in the hue of
    the role ``colour``.
    """

    draw: Draw
    colour: str = "hue"

    def __repr__(self) -> str:
        """The same in every process, for tags that are made of it: a function is otherwise told by where it
        lies in memory.
        """
        drawn = (
            f"{self.draw.__module__}.{self.draw.__qualname__}"
            if isinstance(self.draw, FunctionType)
            else repr(self.draw)
        )
        return f"Emblem({drawn}, {self.colour!r})"


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
            area(
                [
                    (0, 0),
                    (far * cos(start), far * sin(start)),
                    (far * cos(start + each * duty), far * sin(start + each * duty)),
                ]
            )
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


# -- the name as holes ------------------------------------------------------------

# The telegraph's alphabet of five holes, ITA2: letters, then figures with theirs.
_HOLES = dict(
    zip(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZ 1234567890",
        (
            3,
            25,
            14,
            9,
            1,
            13,
            26,
            20,
            6,
            11,
            15,
            18,
            28,
            12,
            24,
            22,
            23,
            10,
            5,
            16,
            7,
            30,
            19,
            29,
            21,
            17,
            4,
            23,
            19,
            1,
            10,
            16,
            21,
            7,
            6,
            24,
            22,
        ),
        strict=True,
    )
)


def codes(name: str) -> list[int]:
    """The name's letters as numbers from 1 to 31, five holes each; what the telegraph does not know is left
    out, never all of it.
    """
    plain = unicodedata.normalize("NFKD", name).upper()
    return [_HOLES[letter] for letter in plain if letter in _HOLES] or [4]


def tape(window: Window, name: str) -> None:
    """The name as a punched tape along the window, five holes to a letter and a small one that moves it: the
    thread through all games.
    """
    letters = codes(name)[:40]
    row = window.height / 5.4
    pitch = min(row * 1.9, window.width / (len(letters) + 1))
    radius = min(row, pitch) * 0.36
    columns = [(pitch * (place + 0.5), letter) for place, letter in enumerate(letters)]
    holes = [
        (x, row * (hole + (hole > 2) * 0.4 + 0.5))
        for x, letter in columns
        for hole in range(5)
        if letter >> hole & 1
    ]
    window.dots(holes, radius, "ink")
    window.dots([(x, row * 3.2) for x, _ in columns], radius * 0.4, "ink")
