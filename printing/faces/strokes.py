"""Strokes, the elements of every drawing: rectangles, lines, text, paths, pictures; and `Drawing` itself.

Cards, backs, marks and words are all made of strokes. ``printing/render/`` draws the same strokes as PDF, SVG
and PNG, so that all files look alike; a new kind of stroke needs a branch in `pdf`, `svg`, `png`, in `_moved`
and in `colours`. Lengths are whole micrometres from the top left corner, y downwards; colours are
``#rrggbb``. Strokes are tuples because a print has tens of thousands of them and compares them.
Tests: ``tests/printing/faces/test_strokes.py``; for pictures turned, mirrored and cropped,
``tests/printing/pictures/``.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from cardsdb.box.picture_files.ref import PictureRef
from cardsdb.games.kit.print.face import Font
from cardsdb.games.kit.print.shapes import Steps
from printing.faces import fonts


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
    """Words in one font on one line.

    (x, y) is the start of their baseline and ``width`` their length. They run rightwards, or upwards if
    ``turned``.
    """

    x: int
    y: int
    text: str
    font: Font
    size: int
    width: int
    colour: str
    turned: bool = False


def text_runs(
    text: str, font: Font, size: int, x: int, y: int, colour: str, turned: bool = False
) -> list[TextRun]:
    """Return the words from (x, y) as one run for each font that their characters need."""
    runs = []
    for run_font, run in fonts.split(font, text):
        width = fonts.length(run_font, run, size)
        runs.append(TextRun(x, y, run, run_font, size, width, colour, turned))
        x, y = (x, y - width) if turned else (x + width, y)
    return runs


class Path(NamedTuple):
    """A shape. ``pen`` is the thickness of its line; 0 fills it.

    Each step is a letter and its numbers: M moves to a point, L draws a line, C a cubic curve (two handles,
    then the end), Z closes the shape.
    """

    steps: tuple[tuple[str, tuple[int, ...]], ...]
    colour: str
    pen: int = 0


class Picture(NamedTuple):
    """A part of an own picture, shown in the window (x, y, width, height).

    ``crop`` is (left, top, width, height) in pixels of the upright picture; it is stretched over the window
    and may reach beyond the picture. ``flip`` contains x for left to right, y for upside down. ``grey`` shows
    the picture in greys.
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
        """The matrix (a, b, c, d, e, f) that puts the stored picture into its window.

        The stored picture is a square of side 1 with its origin top left. Its point (u, v) comes to
        x = a u + c v + e, y = b u + d v + f. A picture of 400 x 300 pixels in the window (0, 0, 400, 300)::

            whole                    (400, 0, 0, 300, 0, 0)
            its right half           (800, 0, 0, 300, -400, 0)      crop (200, 0, 200, 300)
            the same, flip "x"       (-800, 0, 0, 300, 800, 0)
        """
        # 1. Turn the square upright.
        a, b, c, d, e, f = _UPRIGHT[self.image.turn]
        # 2. Mirror it before that turn: 1 - u replaces u.
        if self.image.mirrored:
            a, b, e, f = -a, -b, e + a, f + b
        # 3. Enlarge it to the pixels of the upright picture, put the crop's corner at (0, 0), scale the crop
        # to the size of the window, and move it there. The letters of x are a, c, e, those of y b, d, f.
        left, top, across, down = self.crop
        wide, high = self.image.upright
        scale_x, scale_y = self.width / across, self.height / down
        a, c, e = a * wide * scale_x, c * wide * scale_x, self.x + (e * wide - left) * scale_x
        b, d, f = b * high * scale_y, d * high * scale_y, self.y + (f * high - top) * scale_y
        # 4. Flip it in the window: left + right - x replaces x.
        if "x" in self.flip:
            a, c, e = -a, -c, 2 * self.x + self.width - e
        if "y" in self.flip:
            b, d, f = -b, -d, 2 * self.y + self.height - f
        return a, b, c, d, e, f


# Degrees -> the matrix that turns a square of side 1 onto itself, clockwise. By 90 degrees x = 1 - v, y = u:
# the corner top left, (0, 0), comes to the top right, (1, 0).
_UPRIGHT: dict[int, tuple[float, float, float, float, float, float]] = {
    0: (1, 0, 0, 1, 0, 0),
    90: (0, 1, -1, 0, 1, 0),
    180: (-1, 0, 0, -1, 1, 1),
    270: (0, -1, 1, 0, 0, 1),
}

Stroke = Rect | Line | TextRun | Path | Picture


def moved(strokes: Iterable[Stroke], x: int, y: int) -> list[Stroke]:
    """Return the strokes, moved right by ``x`` and down by ``y``."""
    return [_moved(stroke, x, y) for stroke in strokes]


def _moved(stroke: Stroke, x: int, y: int) -> Stroke:
    match stroke:
        case Line(x1, y1, x2, y2):
            return stroke._replace(x1=x1 + x, y1=y1 + y, x2=x2 + x, y2=y2 + y)
        case Path(steps):
            moved_steps = []
            for letter, numbers in steps:
                # The numbers of a step are x and y in turn.
                by = (x, y) * (len(numbers) // 2)
                moved_steps.append((letter, tuple(map(sum, zip(numbers, by, strict=True)))))
            return stroke._replace(steps=tuple(moved_steps))
        case _:
            return stroke._replace(x=stroke.x + x, y=stroke.y + y)


class Drawing(NamedTuple):
    """One side of one card: strokes inside width x height, with fills that may run on into the bleed.

    ``turned``: it lies across the slot in which it is printed. ``told``: the words for a screen reader; empty
    if the name is enough.
    """

    name: str
    width: int
    height: int
    strokes: tuple[Stroke, ...]
    turned: bool = False
    told: str = ""


# The length of the handles of a curve that looks like a quarter circle, in thousandths of the radius.
ROUND = 552


def polygon(corners: Sequence[tuple[int, int]]) -> Steps:
    """Return the steps of a closed shape with straight edges."""
    return ("M", corners[0]), *(("L", corner) for corner in corners[1:]), ("Z", ())


def rounded(x: int, y: int, width: int, height: int, corner: int) -> Steps:
    """Return the steps of a rectangle with round corners of this radius, clockwise from the top left."""
    right, bottom, r = x + width, y + height, min(corner, width // 2, height // 2)
    if not r:
        return polygon(((x, y), (right, y), (right, bottom), (x, bottom)))
    # The distance of a curve's handles from the corner that the rectangle would have.
    h = r - r * ROUND // 1000
    return (
        ("M", (x + r, y)),
        ("L", (right - r, y)),
        ("C", (right - h, y, right, y + h, right, y + r)),
        ("L", (right, bottom - r)),
        ("C", (right, bottom - h, right - h, bottom, right - r, bottom)),
        ("L", (x + r, bottom)),
        ("C", (x + h, bottom, x, bottom - h, x, bottom - r)),
        ("L", (x, y + r)),
        ("C", (x, y + h, x + h, y, x + r, y)),
        ("Z", ()),
    )
