"""Strokes -> PDF. The only place where points appear; what needs the inner parts of reportlab stands in ``pdf_document``.

Each distinct card is one form, placed as often as it is printed. Forms and pages are drawn in
whole micrometres, y downwards, under one matrix: positions are exact and need no decimals.
Strokes are written as PDF operators directly (``pdf_pen``), which takes a fraction of the canvas's own methods.
"""

from __future__ import annotations

import math
import threading
from collections.abc import Callable, Iterable
from io import BytesIO
from typing import IO, Literal, NamedTuple

from reportlab.pdfgen.canvas import Canvas

from printing.faces.strokes import Drawing, Stroke
from printing.faces.styles import rounded
from printing.layout.geometry import Area
from printing.layout.imposition import Placed, SheetSide
from printing.options.duplex import Shift
from printing.render.pdf_document import Pictures, document_of, registered_fonts, tag, write_document
from printing.render.pdf_pen import Pen, steps

POINTS = 72 / 25_400

# reportlab's fonts are read through one shared position, so one document is made at a time.
_press = threading.Lock()


class About(NamedTuple):
    """What the file says of itself. ``labels``: pages are called "1 front", "1 back" and so on."""

    title: str
    subject: str
    author: str = "Cutout"
    duplex: Literal["", "long", "short"] = ""
    labels: bool = False


class Boxes(NamedTuple):
    """Where a page is cut, and how far its colours run on, for printers who ask: areas of the page in micrometres."""

    trim: Area
    bleed: Area


def make_pdf(
    paper: tuple[int, int],
    sides: Iterable[SheetSide],
    about: About,
    bleed: int = 0,
    boxes: Boxes | None = None,
    on_page: Callable[[int], None] = lambda pages: None,
) -> bytes:
    """The sides as one file. The same input gives the same bytes; see ``write_pdf``."""
    out = BytesIO()
    write_pdf(out, paper, sides, about, bleed, boxes, on_page)
    return out.getvalue()


def write_pdf(
    out: IO[bytes],
    paper: tuple[int, int],
    sides: Iterable[SheetSide],
    about: About,
    bleed: int = 0,
    boxes: Boxes | None = None,
    on_page: Callable[[int], None] = lambda pages: None,
) -> None:
    """Draw the sides, one after the other as they come, into a file; pictures are read one by one when it is written.

    ``on_page`` is told how many pages are drawn; what it raises ends the work. Every character must be one
    that ``fonts.missing`` does not name.
    """
    with _press:
        _write(out, paper, sides, about, bleed, boxes, on_page)


def _write(
    out: IO[bytes],
    paper: tuple[int, int],
    sides: Iterable[SheetSide],
    about: About,
    bleed: int,
    boxes: Boxes | None,
    on_page: Callable[[int], None],
) -> None:
    typefaces = registered_fonts()
    points = (paper[0] * POINTS, paper[1] * POINTS)
    canvas = Canvas(BytesIO(), points, pageCompression=1, invariant=1, pdfVersion=(1, 7), initialFontName="sans", lang="en")  # type: ignore[arg-type]
    canvas.setTitle(about.title)
    canvas.setSubject(about.subject)
    canvas.setAuthor(about.author)
    canvas.setCreator("Cutout")
    canvas.setViewerPreference("PrintScaling", "None")
    canvas.setViewerPreference("DisplayDocTitle", "true")
    if about.duplex:
        canvas.setViewerPreference("Duplex", f"DuplexFlip{about.duplex.capitalize()}Edge")
    forms = _Forms(canvas, Pen(document_of(canvas), typefaces, Pictures(canvas).name), paper, bleed)
    names: list[list[str]] = []
    roles: list[str] = []
    for number, side in enumerate(sides):
        _draw(canvas, side, paper, forms)
        canvas.bookmarkPage(f"page{number}")
        canvas.addOutlineEntry(side.label, f"page{number}")
        if about.labels:
            canvas.addPageLabel(number, prefix=f"{side.number} {side.side}")
        if boxes:
            for name, area in (("trim", boxes.trim), ("bleed", boxes.bleed)):
                canvas.setCropBox(_upwards(area, paper[1]), name)
        canvas.showPage()
        names.append([placed.drawing.name for placed in side.placed])
        roles.append(side.role)
        on_page(number + 1)
    tag(canvas, names, roles)
    write_document(canvas, out)


class _Forms:
    """The forms of one file: each distinct drawing once, and what stands around the cards of every sheet once."""

    def __init__(self, canvas: Canvas, pen: Pen, paper: tuple[int, int], bleed: int) -> None:
        self.canvas, self.pen, self.paper, self.bleed = canvas, pen, paper, bleed
        # Drawings and furniture are told apart by being the same object; kept, so that no two share an id.
        self.cards: dict[int, tuple[str, Drawing]] = {}
        self.furniture: dict[int, tuple[str, tuple[Stroke, ...]]] = {}

    def card(self, drawing: Drawing) -> str:
        """The name of the drawing's form, made when it is asked for the first time."""
        if id(drawing) not in self.cards:
            name, bleed = f"card{len(self.cards)}", self.bleed
            self._make(name, (-bleed, -bleed, drawing.width + bleed, drawing.height + bleed), drawing.strokes)
            self.cards[id(drawing)] = name, drawing
        return self.cards[id(drawing)][0]

    def around(self, strokes: tuple[Stroke, ...]) -> str:
        """The name of the form of what stands around the cards; empty for nothing."""
        if strokes and id(strokes) not in self.furniture:
            name = f"sheet{len(self.furniture)}"
            self._make(name, (0, 0, *self.paper), strokes)
            self.furniture[id(strokes)] = name, strokes
        return self.furniture[id(strokes)][0] if strokes else ""

    def _make(self, name: str, box: tuple[int, int, int, int], strokes: tuple[Stroke, ...]) -> None:
        self.canvas.beginForm(name, *box)
        self.canvas.addLiteral(self.pen.operators(strokes))
        self.canvas.endForm()


def _draw(canvas: Canvas, side: SheetSide, paper: tuple[int, int], forms: _Forms) -> None:
    """One page, in whole micrometres from its top left corner, y downwards."""
    # Making a form sets the canvas back, so all are made before the page is begun.
    cards = [forms.card(placed.drawing) for placed in side.placed]
    under, over = forms.around(side.under), forms.around(side.over)
    canvas.addLiteral(f"q {POINTS:.12f} 0 0 {-POINTS:.12f} 0 {paper[1] * POINTS:.6f} cm")
    if any(side.shift):
        canvas.addLiteral(_shifted(side.shift, paper))
    _artifact(canvas, under, "")
    for number, (name, placed) in enumerate(zip(cards, side.placed, strict=True)):
        canvas.addLiteral(f"/{side.role} <</MCID {number}>> BDC q{_clip(placed, forms.bleed)} {_matrix(placed)} cm")
        canvas.doForm(name)
        canvas.addLiteral("Q EMC")
    _artifact(canvas, over, forms.pen.operators(side.notes))
    canvas.addLiteral("Q")


def _artifact(canvas: Canvas, form: str, operators: str) -> None:
    """What a screen reader passes over."""
    if form or operators:
        canvas.addLiteral("/Artifact BMC")
        if form:
            canvas.doForm(form)
        canvas.addLiteral(f"{operators}\nEMC")


def _shifted(shift: Shift, paper: tuple[int, int]) -> str:
    """Turned clockwise about the paper's middle, then moved."""
    angle, (x, y) = math.radians(shift.turn / 100), (paper[0] / 2, paper[1] / 2)
    cos, sin = math.cos(angle), math.sin(angle)
    return f"{cos:.9f} {sin:.9f} {-sin:.9f} {cos:.9f} {x - x * cos + y * sin + shift.x:.3f} {y - x * sin - y * cos + shift.y:.3f} cm"


def _matrix(placed: Placed) -> str:
    x, y, (_, width, height, *_) = placed.x, placed.y, placed.drawing
    match placed.turn:
        case 90:  # A card on its left side: its left edge is the slot's foot.
            return f"0 -1 1 0 {x} {y + width}"
        case 180:
            return f"-1 0 0 -1 {x + width} {y + height}"
        case 270:
            return f"0 1 -1 0 {x + height} {y}"
    return f"1 0 0 1 {x} {y}"


def _clip(placed: Placed, bleed: int) -> str:
    """The path that keeps a card to its part of the paper; nothing where the form's own box does."""
    clip, whole = placed.clip, placed.area.grown(bleed, bleed, bleed, bleed)
    if clip is None or (clip == whole and not placed.corner):
        return ""
    if not placed.corner:
        return f" {clip.x} {clip.y} {clip.width} {clip.height} re W n"
    return f" {steps(rounded(*clip, placed.corner + bleed))} W n"


def _upwards(area: Area, height: int) -> list[float]:
    """The area as PDF has it: left, foot, right, top in points."""
    return [length * POINTS for length in (area.x, height - area.bottom, area.right, height - area.y)]
