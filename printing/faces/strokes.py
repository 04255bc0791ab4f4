"""What a drawing is made of. Whole micrometres, origin top left, y downwards; colours are ``#rrggbb``.

Plain tuples: one set of sheets has tens of thousands of them, and PDF and SVG draw the very same ones.
"""

from __future__ import annotations

from typing import NamedTuple

from cardsdb.games.kit.print.face import Font
from printing.pictures.ref import PictureRef


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


class Picture(NamedTuple):
    """A part of somebody's picture, shown in the window x, y, width, height and cut off at its edges.

    ``crop``: (left, top, width, height) in pixels of the upright picture, which is stretched over the window; it may reach
    beyond the picture. ``flip``: the window shows it left for right (x), upside down (y), or both.
    ``grey``: it is shown in greys as light as its colours.
    """

    x: int
    y: int
    width: int
    height: int
    image: PictureRef
    crop: tuple[float, float, float, float]
    flip: str = ""
    grey: bool = False

    @property
    def matrix(self) -> tuple[float, float, float, float, float, float]:
        """(a, b, c, d, e, f) that takes the stored picture, as a square of side 1 with its origin top left, to where it is drawn.

        A point (u, v) comes to (a u + c v + e, b u + d v + f).
        """
        a, b, c, d, e, f = _UPRIGHT[self.image.turn]
        if self.image.mirrored:
            a, b, e, f = -a, -b, e + a, f + b
        left, top, across, down = self.crop
        wide, high = self.image.upright
        scale_x, scale_y = self.width / across, self.height / down
        a, c, e = a * wide * scale_x, c * wide * scale_x, self.x + (e * wide - left) * scale_x
        b, d, f = b * high * scale_y, d * high * scale_y, self.y + (f * high - top) * scale_y
        if "x" in self.flip:
            a, c, e = -a, -c, 2 * self.x + self.width - e
        if "y" in self.flip:
            b, d, f = -b, -d, 2 * self.y + self.height - f
        return a, b, c, d, e, f


# Turned clockwise by so many degrees, the square of side 1 stays on itself.
_UPRIGHT: dict[int, tuple[float, float, float, float, float, float]] = {
    0: (1, 0, 0, 1, 0, 0),
    90: (0, 1, -1, 0, 1, 0),
    180: (-1, 0, 0, -1, 1, 1),
    270: (0, -1, 1, 0, 0, 1),
}

Stroke = Rect | Line | TextRun | Path | Picture


class Drawing(NamedTuple):
    """One card: its strokes inside width x height. ``turned``: it lies across the slot it is printed in."""

    name: str
    width: int
    height: int
    strokes: tuple[Stroke, ...]
    turned: bool = False
