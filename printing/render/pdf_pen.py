"""Strokes as operators of a PDF page. Knows nothing of the file around them but the subsets of its fonts."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Any

from cardsdb.games.kit.print.face import Font
from printing.faces.colours import channels
from printing.faces.strokes import Line, Path, Picture, Rect, Stroke, TextRun
from printing.render import pdf_pictures


class Pen:
    """Writes strokes as operators, and remembers how this document spells each text.

    ``picture_name`` gives the name by which the operators use a picture, and puts it into the file if it is new there.
    """

    def __init__(self, document: Any, typefaces: dict[Font, Any], picture_name: Callable[[Picture], str]) -> None:
        # Subsets of fonts belong to a document.
        self.document, self.typefaces, self.picture_name = document, typefaces, picture_name
        self.spelt: dict[tuple[Font, str], list[tuple[str, str]]] = {}

    def operators(self, strokes: Iterable[Stroke]) -> str:
        out: list[str] = []
        fill = stroke = ""
        pen = 0
        for one in strokes:
            if isinstance(one, TextRun):
                x, y, text, font, size, _, colour, turned = one
                if colour != fill:
                    out.append(_colour(colour))
                    fill = colour
                matrix = "0 -1 -1 0" if turned else "1 0 0 -1"
                words = " ".join([f"{name} {size} Tf ({chunk}) Tj" for name, chunk in self.spell(font, text)])
                out.append(f"BT {matrix} {x} {y} Tm {words} ET")
            elif isinstance(one, Rect):
                x, y, width, height, colour = one
                if colour != fill:
                    out.append(_colour(colour))
                    fill = colour
                out.append(f"{x} {y} {width} {height} re f")
            elif isinstance(one, Line):
                x1, y1, x2, y2, thick, colour = one
                if colour != stroke:
                    out.append(_colour(colour).upper())
                    stroke = colour
                if thick != pen:
                    out.append(f"{thick} w")
                    pen = thick
                out.append(f"{x1} {y1} m {x2} {y2} l S")
            elif isinstance(one, Picture):
                out.append(pdf_pictures.operators(one, self.picture_name(one)))
            else:
                out.append(_path(one))
        return "\n".join(out)

    def spell(self, font: Font, text: str) -> list[tuple[str, str]]:
        """The text as (font resource, string) in this document's subsets."""
        known = self.spelt.get((font, text))
        if known is None:
            typeface = self.typefaces[font]
            parts = typeface.splitString(text, self.document)
            known = [(typeface.getSubsetInternalName(subset, self.document), _escape(chunk)) for subset, chunk in parts]
            self.spelt[font, text] = known
        return known


def _path(path: Path) -> str:
    """A shape in a state of its own: round pen, round corners."""
    if not path.pen:
        return "\n".join(["q", _colour(path.colour), steps(path.steps), "f Q"])
    return "\n".join(["q 1 J 1 j", f"{path.pen} w", _colour(path.colour).upper(), steps(path.steps), "S Q"])


def steps(path: Iterable[tuple[str, tuple[int, ...]]]) -> str:
    """The steps of a shape as operators."""
    return "\n".join([" ".join([*map(str, numbers), _STEPS[letter]]) for letter, numbers in path])


_STEPS = {"M": "m", "L": "l", "C": "c", "Z": "h"}


@lru_cache(maxsize=1_000)
def _colour(colour: str) -> str:
    """The operator that sets the fill; in capitals it sets the pen. A grey is said as such, so that it is printed with black ink alone."""
    red, green, blue = channels(colour)
    if red == green == blue:
        return f"{red / 255:.3f} g"
    return f"{red / 255:.3f} {green / 255:.3f} {blue / 255:.3f} rg"


def _escape(chunk: bytes) -> str:
    return chunk.decode("latin-1").translate(_ESCAPED)


_ESCAPED = {code: f"\\{code:03o}" for code in (*range(32), *range(127, 256))} | {ord(mark): f"\\{mark}" for mark in "()\\"}
