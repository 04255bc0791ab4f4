"""What a drawing is made of. Whole micrometres, origin top left, y downwards; colours are ``#rrggbb``.

Plain tuples: one set of sheets has tens of thousands of them, and PDF and SVG draw the very same ones.
"""

from __future__ import annotations

from typing import NamedTuple

from cardsdb.games.kit.face import Font


class Rect(NamedTuple):
    """A filled rectangle."""

    x: int
    y: int
    width: int
    height: int
    colour: str


class Line(NamedTuple):
    """A straight line, ``pen`` thick."""

    x1: int
    y1: int
    x2: int
    y2: int
    pen: int
    colour: str


class TextRun(NamedTuple):
    """Words in one font from (x, y), the start of their baseline, ``width`` long, rightwards or, ``turned``, upwards."""

    x: int
    y: int
    text: str
    font: Font
    size: int
    width: int
    colour: str
    turned: bool = False


class Path(NamedTuple):
    """A shape: steps M (to a point), L (a line), C (a curve by two handles), Z (close). ``pen`` 0 fills it."""

    steps: tuple[tuple[str, tuple[int, ...]], ...]
    colour: str
    pen: int = 0


Stroke = Rect | Line | TextRun | Path


class Drawing(NamedTuple):
    """One card: its strokes inside width x height. ``turned``: it lies across the slot it is printed in."""

    name: str
    width: int
    height: int
    strokes: tuple[Stroke, ...]
    turned: bool = False
