"""Strokes -> PDF. The only module that imports reportlab, and the only place where points appear.

Each distinct card is one form, placed as often as it is printed. Forms and pages are drawn in
whole micrometres, y downwards, under one matrix: positions are exact and need no decimals.
Strokes are written as PDF operators directly, which takes a fraction of the canvas's own methods.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable, Sequence
from functools import cache, lru_cache
from io import BytesIO
from typing import Any, NamedTuple

from reportlab import rl_config
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.pdfdoc import PDFObject, PDFString
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas

from cardsdb.games.kit.face import Font
from printing import fonts
from printing.colours import channels
from printing.strokes import Drawing, Line, Path, Rect, Stroke, TextRun

POINTS = 72 / 25_400

# Streams as bytes, not as ASCII letters: a fifth smaller, and faster.
rl_config.useA85 = 0

# reportlab's fonts are read through one shared position, so one document is made at a time.
_press = threading.Lock()


class Page(NamedTuple):
    """One sheet: the forms on it as (number of the drawing, x, y) and the strokes of its margins."""

    cards: Sequence[tuple[int, int, int]]
    margin: Sequence[Stroke]
    label: str


class About(NamedTuple):
    """What the file says of itself."""

    title: str
    subject: str
    author: str = "Cutout"


def make_pdf(paper: tuple[int, int], drawings: Sequence[Drawing], pages: Sequence[Page], about: About, bleed: int = 0) -> bytes:
    """Draw the pages. The same input gives the same bytes.

    Every character must be one that ``fonts.missing`` does not name.
    """
    with _press:
        return _make(paper, drawings, pages, about, bleed)


def _make(paper: tuple[int, int], drawings: Sequence[Drawing], pages: Sequence[Page], about: About, bleed: int) -> bytes:
    typefaces = _registered()
    out = BytesIO()
    points = (paper[0] * POINTS, paper[1] * POINTS)
    canvas = Canvas(out, points, pageCompression=1, invariant=1, pdfVersion=(1, 7), initialFontName="sans", lang="en")  # type: ignore[arg-type]
    canvas.setTitle(about.title)
    canvas.setSubject(about.subject)
    canvas.setAuthor(about.author)
    canvas.setCreator("Cutout")
    canvas.setViewerPreference("PrintScaling", "None")
    canvas.setViewerPreference("DisplayDocTitle", "true")
    pen = _Pen(canvas, typefaces)
    for number, drawing in enumerate(drawings):
        canvas.beginForm(f"card{number}", -bleed, -bleed, drawing.width + bleed, drawing.height + bleed)
        canvas.addLiteral(pen.operators(drawing.strokes))
        canvas.endForm()
    for number, page in enumerate(pages):
        canvas.bookmarkPage(f"sheet{number}")
        canvas.addOutlineEntry(page.label, f"sheet{number}")
        canvas.addLiteral(f"q {POINTS:.12f} 0 0 {-POINTS:.12f} 0 {points[1]:.6f} cm")
        for place, (index, x, y) in enumerate(page.cards):
            drawing = drawings[index]
            # A turned card runs up the slot: its left edge is the slot's foot.
            matrix = f"0 -1 1 0 {x} {y + drawing.width}" if drawing.turned else f"1 0 0 1 {x} {y}"
            canvas.addLiteral(f"/Figure <</MCID {place}>> BDC q {matrix} cm")
            canvas.doForm(f"card{index}")
            canvas.addLiteral("Q EMC")
        canvas.addLiteral(f"/Artifact BMC\n{pen.operators(page.margin)}\nEMC Q")
        canvas.showPage()
    _tag(canvas, [[drawings[index].name for index, _, _ in page.cards] for page in pages])
    canvas.save()
    return out.getvalue()


class _Entry(PDFObject):
    """One dictionary of the file, spelt out: bytes as they are, other entries by reference."""

    def __init__(self, *parts: bytes | PDFObject) -> None:
        self.parts = list(parts)

    def format(self, document: Any) -> bytes:
        spelt = [part if isinstance(part, bytes) else document.Reference(part).format(document) + b" " for part in self.parts]
        return b"<<" + b"".join(spelt) + b">>"


def _tag(canvas: Canvas, names: list[list[str]]) -> None:
    """Give the file the structure that screen readers follow: one figure a placed card, called by the card's name.

    reportlab has no such thing, so the entries are written here; a page is told of them by one attribute more.
    """
    document: Any = canvas._doc  # type: ignore[attr-defined]
    spelt = {name: PDFString(name).format(document) for name in dict.fromkeys(name for page in names for name in page)}
    root = _Entry(b"/Type/StructTreeRoot")
    whole = _Entry(b"/Type/StructElem/S/Document/P ", root, b"/K[")
    parents: list[bytes | PDFObject] = [b"/ParentTree<</Nums["]
    for number, page in enumerate(document.Pages.pages):
        page.__NoDefault__ = [*page.__NoDefault__, "StructParents"]
        page.StructParents = number
        figures = [
            _Entry(b"/Type/StructElem/S/Figure/P ", whole, b"/Pg ", page, b"/K %d/Alt" % place, spelt[name])
            for place, name in enumerate(names[number])
        ]
        whole.parts += figures
        parents += [b"%d[" % number, *figures, b"]"]
    whole.parts.append(b"]")
    root.parts += [b"/K ", whole, *parents, b"]>>/ParentTreeNextKey %d" % len(names)]
    document.Catalog.StructTreeRoot, document.Catalog.MarkInfo = root, _Entry(b"/Marked true")


@cache
def _registered() -> dict[Font, TTFont]:
    """The fonts as reportlab knows them. ASCII keeps its codes, so that most text needs no re-coding."""
    found: dict[Font, TTFont] = {}
    for name in ("sans", "sans-bold", "serif-bold"):
        found[name] = TTFont(name, str(fonts.file_of(name)), asciiReadable=True)
        pdfmetrics.registerFont(found[name])
    return {**found, "serif": found["serif-bold"]}


class _Pen:
    """Writes strokes as operators, and remembers how this document spells each text."""

    def __init__(self, canvas: Canvas, typefaces: dict[Font, TTFont]) -> None:
        # Subsets belong to a document, which the canvas keeps to itself but the fonts ask for.
        self.document: Any = canvas._doc  # type: ignore[attr-defined]
        self.typefaces = typefaces
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
    steps = [" ".join([*map(str, numbers), _STEPS[letter]]) for letter, numbers in path.steps]
    if not path.pen:
        return "\n".join(["q", _colour(path.colour), *steps, "f Q"])
    return "\n".join(["q 1 J 1 j", f"{path.pen} w", _colour(path.colour).upper(), *steps, "S Q"])


_STEPS = {"M": "m", "L": "l", "C": "c", "Z": "h"}


@lru_cache(maxsize=1_000)
def _colour(colour: str) -> str:
    """The operator that sets the fill; in capitals it sets the pen."""
    return " ".join([f"{value / 255:.3f}" for value in channels(colour)]) + " rg"


def _escape(chunk: bytes) -> str:
    return chunk.decode("latin-1").translate(_ESCAPED)


_ESCAPED = {code: f"\\{code:03o}" for code in (*range(32), *range(127, 256))} | {ord(mark): f"\\{mark}" for mark in "()\\"}
