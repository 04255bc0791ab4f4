"""Words as outlines of their letters, for an SVG that is a file of its own: it shows the right letters on a
machine without our fonts.

Outlines rather than a font inside the file: drawing programs and cutters pass over such a font, and the
letters of a card take less room than the subsets of its three fonts. Each letter is drawn once and used as
often as it stands on the card: a face takes some 23 kB, 40 kB at most.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache, lru_cache
from html import escape
from typing import Any

from fontTools.pens.basePen import BasePen  # type: ignore[import-untyped]
from fontTools.ttLib import TTFont  # type: ignore[import-untyped]

from cardsdb.games.kit.print.face import Font
from printing.faces import fonts
from printing.faces.strokes import TextRun

# Parts of the type size in which outlines are stated. At the size of a stamp FINE ones are digits that nobody
# sees: half of the file.
FINE, COARSE = 1000, 125
# Micrometres that are one for shapes at that size: a tenth of a pixel.
COARSE_STEP = 50


class Letters:
    """The letters of one file. ``run`` returns the element of some words, ``definitions`` that of all letters
    used by them.
    """

    def __init__(self) -> None:
        self.names: dict[str, str] = {}

    def run(self, run: TextRun) -> str:
        """The words, letter by letter, with the widths that the drawing goes by."""
        across, letters = 0, []
        for character in run.text:
            if outline := outline_of(run.font, character):
                name = self.names.setdefault(outline, f"l{len(self.names)}")
                letters.append(f'<use href="#{name}" x="{across}"/>' if across else f'<use href="#{name}"/>')
            across += fonts.width(run.font, character)
        return (
            f'<g fill="{escape(run.colour)}" transform="{placed(run)}">{"".join(letters)}</g>'
            if letters
            else ""
        )

    def definitions(self) -> str:
        """The outlines under the names by which the words use them."""
        shapes = "".join(f'<path id="{name}" d="{outline}"/>' for outline, name in self.names.items())
        return f"<defs>{shapes}</defs>" if shapes else ""


def outlined(run: TextRun) -> str:
    """The words as one shape, in coarse parts: a page shows hundreds of small words, and lays out one element
    and not one a letter.
    """
    across, shape = 0, []
    for character in run.text:
        if outline := outline_of(run.font, character, COARSE):
            shape.append(f"M{round(across * COARSE / FINE)} 0{outline}")
        across += fonts.width(run.font, character)
    place = placed(run, COARSE, COARSE_STEP)
    return f'<path fill="{escape(run.colour)}" transform="{place}" d="{"".join(shape)}"/>' if shape else ""


def placed(run: TextRun, parts: int = FINE, step: int = 1) -> str:
    """Where letters stand that are ``parts`` of the type size, y upwards, in a drawing whose unit is ``step``
    micrometres.
    """
    turned, scale = " rotate(-90)" if run.turned else "", f"{round(run.size / parts / step, 5):g}"
    return f"translate({run.x // step} {run.y // step}){turned} scale({scale} -{scale})"


@lru_cache(maxsize=2_000)
def outline_of(font: Font, character: str, parts: int = FINE) -> str:
    """The outline of a character in parts of the type size, y upwards, as SVG path data; empty for a space or
    what the font lacks.
    """
    font_file = _opened(font)
    glyph = font_file.getBestCmap().get(ord(character))
    if glyph is None or character.isspace():
        return ""
    glyphs = font_file.getGlyphSet()
    pen = _ShortPen(glyphs, parts / FINE)
    glyphs[glyph].draw(pen)
    return "".join(pen.parts)


def short(steps: Iterable[tuple[str, tuple[int, ...]]], step: int = 1) -> str:
    """The steps of a shape as path data, as short as may be, in units of ``step`` micrometres."""
    pen = _ShortPen(None, 1 / step)
    for letter, numbers in steps:
        if letter == "Z":
            pen._closePath()
        else:
            pen._write({"M": "m", "L": "l", "C": "c"}[letter], *zip(numbers[::2], numbers[1::2], strict=True))
            pen.start = pen.at if letter == "M" else pen.start
    return "".join(pen.parts)


class _ShortPen(BasePen):  # type: ignore[misc]
    """Writes an outline as short as path data can be: whole numbers, each point by its distance from the last
    one.
    """

    def __init__(self, glyphs: Any, scale: float = 1) -> None:
        super().__init__(glyphs)
        self.scale = scale
        self.parts: list[str] = []
        self.last = ""
        self.at = self.start = (0, 0)

    def _write(self, letter: str, *points: tuple[float, float]) -> None:
        whole = [(round(x * self.scale), round(y * self.scale)) for x, y in points]
        numbers = [str(number) for x, y in whole for number in (x - self.at[0], y - self.at[1])]
        if letter == "l" and "0" in numbers:
            letter, numbers = ("v", numbers[1:]) if numbers[0] == "0" else ("h", numbers[:1])
        # A letter that is the same as the last one is left out, and so is a space before a minus.
        begin = letter if letter != self.last else "" if numbers[0].startswith("-") else " "
        self.parts.append(
            begin
            + numbers[0]
            + "".join(number if number.startswith("-") else f" {number}" for number in numbers[1:])
        )
        self.last, self.at = letter, whole[-1]

    def _moveTo(self, point: tuple[float, float]) -> None:
        self._write("m", point)
        self.start = self.at

    def _lineTo(self, point: tuple[float, float]) -> None:
        self._write("l", point)

    def _curveToOne(
        self, one: tuple[float, float], two: tuple[float, float], end: tuple[float, float]
    ) -> None:
        self._write("c", one, two, end)

    def _qCurveToOne(self, handle: tuple[float, float], end: tuple[float, float]) -> None:
        self._write("q", handle, end)

    def _closePath(self) -> None:
        self.parts.append("z")
        self.last, self.at = "z", self.start


@cache
def _opened(font: Font) -> Any:
    # All of it is read at once: a file that stays open must not be shared by threads.
    opened = TTFont(fonts.file_of(font), lazy=False)
    for table in ("cmap", "glyf", "hmtx"):
        opened[table]
    return opened
