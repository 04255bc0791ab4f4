"""Pictures of what cards do, for emblems: the verb of a card's effect, and the number that it counts. Pure
geometry.

A game says which of its verbs has which picture of ``deeds.toml``; no picture serves two verbs of one game
that mean different things.
"""

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from math import cos, hypot, pi, sin
from typing import Any, NamedTuple

from cardsdb.games.kit.model.cards import Card
from cardsdb.games.kit.model.text import table_beside
from cardsdb.games.kit.print.shapes import SYMBOLS, Ink, Point, Window, arc, circle

PICTURES: Mapping[str, list[dict[str, Any]]] = table_beside(__file__, "deeds")
# The grid of a picture, and how much further apart its parts may stand in a wide window.
ACROSS, DOWN, WIDER = 160, 100, 1.35
# More than so many are not told apart.
MOST = 10
# Verbs whose number comes last: "damage 1 Agent 3".
_NUMBER_LAST = ("damage", "heal")
_TOKENS = re.compile(r"\b[0-9]+ tokens?\b")
_TO_NUMBER = re.compile(r"\bto (?:[A-Z]\S* )*[0-9]")
# The segments of a gauge.
SEGMENTS = 8


class Deed(NamedTuple):
    """A verb of a line, the words that follow it, and the number that it counts: 1 where it counts none."""

    verb: str
    after: str = ""
    number: int = 1


def deed_of(line: str, verbs: Collection[str], rather_not: Collection[str] = ()) -> Deed | None:
    """The first deed of a line with one of these verbs, but one of ``rather_not`` only where there is no
    other; None without any.
    """
    known = "|".join(map(re.escape, sorted(verbs, key=len, reverse=True)))
    if not known:
        return None
    deeds = [
        Deed(found[1], found[2], _counted(*found.groups()))
        for found in re.finditer(rf"(?:^|: |; |\] |, |then |may )({known})(?= |$|;)([^;]*)", line)
    ]
    first = next((deed for deed in deeds if deed.verb not in rather_not), deeds[0] if deeds else None)
    # "Put it there; put 10 tokens on it": the number says more.
    return next(
        (deed for deed in deeds if first and deed.verb == first.verb and _TOKENS.search(deed.after)), first
    )


def _counted(verb: str, after: str) -> int:
    """The number of a clause: the one with a sign, else the first, or of damage the last, which is its
    amount.
    """
    numbers = re.findall(r"[+−]([0-9]+)", after) or re.findall(r"(?<![\w\"])([0-9]+)(?![0-9]*\")", after)
    if not numbers:
        return 2 if re.search(r"\btwice\b", after) else 1
    return min(MOST, int(numbers[-1 if verb in _NUMBER_LAST else 0]))


@dataclass(frozen=True)
class Inks:
    """The inks of a picture: of its ground, its main parts, what marks them, a light, a card and what is on
    it.
    """

    ground: Ink = "tint"
    main: Ink = "deep"
    mark: Ink = "ink"
    glow: Ink = "paper"
    card: Ink = "paper"
    inner: Ink = "deep"

    def of(self, name: str) -> Ink:
        own: dict[str, Ink] = {
            "main": self.main,
            "mark": self.mark,
            "glow": self.glow,
            "inner": self.inner,
            "hole": self.ground,
            "deep": "deep",
        }
        return own.get(name, "paper")


DAY, NIGHT = Inks(), Inks("deep", "tint", "paper", "tint", "deep", "tint")
ON_PAPER = Inks("paper", glow="tint")


def picture_of(deed: Deed, pictures: Mapping[str, Any]) -> str:
    """The name of the deed's picture; empty where its verb has none.

    A verb has one, or two: with a number and without; or three: of more, of less and of neither.
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
    """The first deed of the card's first line, and its picture; None for a card that does nothing."""
    deed = deed_of(card.text.split("\n")[0], pictures)
    return (deed, picture_of(deed, pictures)) if deed else None


def draw_deed(window: Window, picture: str, count: int, inks: Inks = DAY) -> None:
    """Draw a picture over the whole window, its parts as often as the card counts."""
    if window.light:
        inks = ON_PAPER
    window.ground(inks.ground)
    _Stage(window, count, inks).draw(PICTURES[picture])


class _Stage:
    """A window with a picture in it: the grid is laid on it as large as it fits, a little wider in a wide
    one.
    """

    def __init__(self, window: Window, count: int, inks: Inks) -> None:
        self.window, self.count, self.inks = window, count, inks
        self.unit = min(window.width / ACROSS, window.height / DOWN) * 0.94
        self.across = min(window.width * 0.94 / ACROSS, self.unit * WIDER)

    def draw(self, parts: list[dict[str, Any]]) -> None:
        if any("square" in part for part in parts):
            self.across = self.unit
        for part in parts:
            pen, ink = part.get("pen", 0) * self.unit, self.inks.of(part.get("ink", "mark"))
            if self.window.light and part.get("ink") == "hole":
                # With little ink a hole is a ring in the outline that it would be cut from.
                ink = self.inks.main
            for x, y, wide in self._places(part):
                self._part(part, x, y, wide, pen, ink)

    def _places(self, part: dict[str, Any]) -> Iterator[tuple[float, float, float]]:
        """The places of a part: x and y of its origin, and how wide a hundredth of its room is."""
        if "slide" in part:
            left, right = part["slide"]
            yield left + (right - left) * min(self.count, 10) / 10, 0, 1
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
            share = (k + 0.5) / times
            room = (right - left) / times
            is_column = "rect" in part
            yield (
                left + (right - left) * share,
                first + (last - first) * share,
                (min(0.4, room / 100) if is_column else min(1.0, room / 34)),
            )

    def _part(self, part: dict[str, Any], x: float, y: float, wide: float, pen: float, ink: Ink) -> None:
        window = self.window

        def at(px: float, py: float) -> Point:
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
                across, down = at(px, py)
                turns = [
                    (pi * k / 10, (1.0, 0.55)[k % 2] * radius * self.unit * min(1, wide)) for k in range(20)
                ]
                self._fill([(across + far * cos(turn), down + far * sin(turn)) for turn, far in turns], ink)
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
        """Fill an area; with little ink a solid one becomes its outline."""
        if self.window.light and ink == "deep":
            self.window.area(points, "paper")
            self.window.outline(points, 450, ink)
        else:
            self.window.area(points, ink)

    def _card(self, corners: list[Point], ink: str | None) -> None:
        solid = self.inks.of(ink) if ink else self.inks.card
        self.window.area(corners, self.window.full(solid))
        self.window.outline(corners, 3.4 * self.unit, self.inks.main)

    def _arrow(self, points: list[Point], pen: float, ink: Ink) -> None:
        """A line with a head at its last point."""
        (x1, y1), (x2, y2) = points[-2:]
        long = hypot(x2 - x1, y2 - y1) or 1
        along, up = (x2 - x1) / long, (y2 - y1) / long
        neck = (x2 - along * pen * 0.6, y2 - up * pen * 0.6)
        self.window.line([*points[:-1], neck], pen, ink)
        half, tip = pen * 1.5, pen * 1.3
        self.window.area(
            [
                (x2 - up * half, y2 + along * half),
                (x2 + along * tip, y2 + up * tip),
                (x2 + up * half, y2 - along * half),
            ],
            ink,
        )

    def _person(self, x: float, y: float, size: float, ink: Ink) -> None:
        """Head and shoulders, their middle at (x, y)."""
        self._fill(circle(x, y - size * 0.27, size * 0.19), ink)
        shoulders = arc(x, y + size * 0.46, size * 0.36, pi, 2 * pi)
        self._fill([(x - size * 0.36, y + size * 0.46), *shoulders, (x + size * 0.36, y + size * 0.46)], ink)

    def _gauge(self, x: float, y: float, outer: float, inner: float) -> None:
        """A half circle of segments, those beyond the number full, with its needle on the number."""
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
        self.window.line([(x, y), tip], 9 * self.unit, self.inks.ground)
        self.window.line([(x, y), tip], 5 * self.unit, self.inks.mark)
        self.window.disc(x, y, 10 * self.unit, self.inks.mark)


def _box(at: Any, left: float, top: float, width: float, height: float) -> list[Point]:
    return [at(left, top), at(left + width, top), at(left + width, top + height), at(left, top + height)]
