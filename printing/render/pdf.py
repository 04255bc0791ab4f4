"""Strokes to PDF. `write_pdf` draws sides of sheets as pages; `files` and the exports call it.

Each different card is one form, which is placed as often as it is printed; this keeps files small. Forms and
pages are drawn in whole micrometres, y downwards, under one matrix, so positions are exact; points appear
only in this module. Strokes become PDF operators directly, which is several times faster than reportlab's own
methods. Everything that needs the inner parts of reportlab is in `pdf_document`. § is a section of PDF 1.7,
ISO 32000-1. Tests: ``test_pdf.py`` and ``test_proof.py`` in ``tests/printing/render/``, and
``tests/printing/pictures/`` for pages as other programs show them.
"""

import threading
from collections.abc import Callable, Iterable
from io import BytesIO
from typing import IO, Literal, NamedTuple

from reportlab.pdfgen.canvas import Canvas

from cardsdb.games.kit.print.face import Font
from printing.faces.strokes import Drawing, Line, Path, Picture, Rect, Stroke, TextRun, rounded
from printing.layout.imposition import Placed, SheetSide
from printing.options.duplex import Shift
from printing.render.pdf_document import (
    Pictures,
    document_of,
    new_document,
    picture_operators,
    registered_fonts,
    tag,
    write_document,
)
from printing.render.pdf_inks import CutLines, Inks, PressInks, declare_paper

# Points per micrometre.
POINTS = 72 / 25_400

# reportlab reads its fonts through one shared file position, so only one document may be made at a time.
_press = threading.Lock()


class About(NamedTuple):
    """The description of a file.

    ``labels``: pages are labelled "1 front", "1 back" and so on. ``read_aloud``: a screen reader can read
    everything that the file shows, so the file declares PDF/UA.
    """

    title: str
    subject: str
    duplex: Literal["", "long", "short"] = ""
    labels: bool = False
    read_aloud: bool = True


# Called with the number of pages made so far. An error that it raises stops the work.
OnPage = Callable[[int], None]


def no_report(pages: int) -> None:
    """Report nothing."""


class Progress:
    """The progress of a file in whole pages.

    ``on_page`` is called with each number of pages once: 1, 2, 3, ...
    """

    def __init__(self, on_page: OnPage) -> None:
        self.on_page, self.done = on_page, 0

    def reach(self, pages: int) -> None:
        """Report every number of pages up to this one that was not reported yet."""
        while self.done < pages:
            self.done += 1
            self.on_page(self.done)


class Boxes(NamedTuple):
    """The boxes of pages for print shops.

    The TrimBox lies ``inset`` micrometres inside the page; the BleedBox is the page. ``declare_paper``: the
    file is PDF/X-4 in printing inks. ``cut``: the corner radius of a cut line around each front, on a
    separate layer, for machines that cut along it; None for no cut lines.
    """

    inset: int
    declare_paper: bool = False
    cut: int | None = None


def make_pdf(paper: tuple[int, int], sides: Iterable[SheetSide], about: About) -> bytes:
    """Return the sides as one file. The same input gives the same bytes."""
    out = BytesIO()
    write_pdf(out, paper, sides, about)
    return out.getvalue()


def write_pdf(
    out: IO[bytes],
    paper: tuple[int, int],
    sides: Iterable[SheetSide],
    about: About,
    bleed: int = 0,
    boxes: Boxes | None = None,
    on_page: OnPage = no_report,
) -> None:
    """Draw the sides into a file as they come; pictures are read one by one when it is written.

    ``bleed`` is the most that a drawing shows beyond its trim. ``on_page`` gets each number of pages made
    once: 1, 2, 3, ...; its errors stop the work. A page counts as half made when it is drawn and as made when
    it is written, so that the number rises steadily. The caller must refuse characters that `fonts.missing`
    names.
    """
    for_press = bool(boxes and boxes.declare_paper)
    with _press:
        canvas = new_document(paper[0] * POINTS, paper[1] * POINTS, about._asdict(), about.duplex, for_press)
        if for_press:
            declare_paper(canvas)
        forms = _Forms(canvas, bleed, for_press, boxes.cut if boxes else None)
        tags: list[tuple[str, list[str]]] = []
        progress = Progress(on_page)
        for number, side in enumerate(sides):
            page = side.page or paper
            canvas.setPageSize((page[0] * POINTS, page[1] * POINTS))
            _draw(canvas, side, page, forms)
            canvas.bookmarkPage(f"page{number}")
            canvas.addOutlineEntry(side.label, f"page{number}")
            if about.labels:
                canvas.addPageLabel(number, prefix=f"{side.number} {side.side}")
            for name, inset in (("trim", boxes.inset), ("bleed", 0)) if boxes else ():
                # Left, foot, right, top (§ 14.11.2), counted from the foot. Both boxes are symmetric.
                box = (inset, inset, page[0] - inset, page[1] - inset)
                canvas.setCropBox([length * POINTS for length in box], name)
            canvas.showPage()
            tags.append((side.role, [placed.drawing.told or placed.drawing.name for placed in side.placed]))
            # A page that is drawn is half made.
            progress.reach((number + 1) // 2)
        tag(canvas, tags)
        drawn, pages = progress.done, len(tags)
        write_document(canvas, out, lambda share: progress.reach(drawn + int((pages - drawn) * share)))


class _Forms:
    """The forms of one file: each different drawing once, and what surrounds the cards once."""

    def __init__(self, canvas: Canvas, bleed: int, for_press: bool, cut: int | None) -> None:
        inks = PressInks() if for_press else Inks()
        self.canvas, self.pen, self.bleed, self.corner = canvas, Pen(canvas, inks), bleed, cut
        self.lines = None if cut is None else CutLines(canvas)
        # Kind -> id of an object -> (name of its form, the object): ``{"card": {140: ("card0", drawing)}}``.
        # Objects are compared by identity, which is fast; they are kept here, so that no other object gets
        # their id.
        self.made: dict[str, dict[int, tuple[str, object]]] = {"card": {}, "sheet": {}}

    def card(self, drawing: Drawing) -> str:
        """Return the name of the drawing's form, which is made when it is first used."""
        bleed = self.bleed
        box = -bleed, -bleed, drawing.width + bleed, drawing.height + bleed
        return self._form("card", drawing, drawing.strokes, box)

    def around(self, strokes: tuple[Stroke, ...], paper: tuple[int, int]) -> str:
        """Return the name of the form of these strokes around the cards; empty if there are none."""
        return self._form("sheet", strokes, strokes, (0, 0, *paper)) if strokes else ""

    def cuts(self, side: SheetSide, paper: tuple[int, int]) -> str:
        """Return the name of the form with the cut lines of a side; empty if it has none.

        Only fronts have cut lines, because a machine cuts from one side.
        """
        if self.lines is None or self.corner is None or (side.side, side.role) != ("front", "Figure"):
            return ""
        outlines = (steps(rounded(*placed.area, self.corner)) for placed in side.placed)
        return self.lines.form_of("\n".join(outlines), paper)

    def _form(self, kind: str, whole: object, strokes: tuple[Stroke, ...], box: tuple[int, ...]) -> str:
        """Return the name of the form of these strokes.

        ``whole`` is the object that decides if it is made already.
        """
        made = self.made[kind]
        if id(whole) not in made:
            name = f"{kind}{len(made)}"
            made[id(whole)] = name, whole
            self.canvas.beginForm(name, *box)
            self.canvas.addLiteral(self.pen.operators(strokes))
            self.canvas.endForm()
        return made[id(whole)][0]


def _draw(canvas: Canvas, side: SheetSide, paper: tuple[int, int], forms: _Forms) -> None:
    """Draw one page, in whole micrometres from its top left corner, y downwards. A4 with one card::

    q 0.002834645669 0 0 -0.002834645669 0 841.889764 cm        points to micrometres, y turned over
    /Artifact BMC /FormXob.sheet0 Do EMC                        ``under``: marks below the cards
    /Figure <</MCID 0>> BDC q                                   a tagged thing of `pdf_document.tag`
    9750 15150 63500 88900 re W n 1 0 0 1 9750 15150 cm         its clip, its place on the sheet
    /FormXob.card0 Do Q EMC
    /Artifact BMC /FormXob.sheet1 Do ... EMC Q                  ``over`` and ``notes``
    """
    # Making a form resets the canvas, so all forms must be made before the page is begun.
    cards = [forms.card(placed.drawing) for placed in side.placed]
    under, over = forms.around(side.under, paper), forms.around(side.over, paper)
    canvas.addLiteral(f"q {POINTS:.12f} 0 0 {-POINTS:.12f} 0 {paper[1] * POINTS:.6f} cm")
    if any(side.shift):
        canvas.addLiteral(_shifted(side.shift, paper))
    _artifact(canvas, under, "")
    for number, (name, placed) in enumerate(zip(cards, side.placed, strict=True)):
        canvas.addLiteral(
            f"/{side.role} <</MCID {number}>> BDC q{_clip(placed, forms.bleed)}"
            f" {' '.join(map(str, placed.matrix))} cm"
        )
        canvas.doForm(name)
        canvas.addLiteral("Q EMC")
    _artifact(canvas, over, forms.pen.operators(side.notes))
    _artifact(canvas, forms.cuts(side, paper), "")
    canvas.addLiteral("Q")


def _artifact(canvas: Canvas, form: str, operators: str) -> None:
    """Draw a form and operators as an artifact, which screen readers pass over."""
    if form or operators:
        canvas.addLiteral("/Artifact BMC")
        if form:
            canvas.doForm(form)
        canvas.addLiteral(f"{operators}\nEMC")


def _shifted(shift: Shift, paper: tuple[int, int]) -> str:
    """Return the operator that moves and turns a side to correct the printer."""
    *turned, right, down = shift.matrix(paper)
    return f"{' '.join(f'{number:.9f}' for number in turned)} {right:.3f} {down:.3f} cm"


def _clip(placed: Placed, bleed: int) -> str:
    """Return the operators that clip a card to its part of the paper; empty if its form clips it already.

    ``re`` and ``steps`` make a path, ``W n`` clips to it without drawing it (§ 8.5.4).
    """
    clip, whole = placed.clip, placed.area.grown(bleed, bleed, bleed, bleed)
    if clip is None or (clip == whole and not placed.corner):
        return ""
    if not placed.corner:
        return f" {clip.x} {clip.y} {clip.width} {clip.height} re W n"
    return f" {steps(rounded(*clip, placed.corner + bleed))} W n"


# -- strokes as operators --------------------------------------------------------------


class Pen:
    """Writes strokes as operators in these inks. It remembers how this document encodes each text."""

    def __init__(self, canvas: Canvas, inks: Inks) -> None:
        # Fonts are embedded as subsets, whose codes differ from document to document.
        self.document, self.typefaces = document_of(canvas), registered_fonts()
        self.inks = inks
        self.pictures = Pictures(canvas, inks.picture if isinstance(inks, PressInks) else None)
        self.spelt: dict[tuple[Font, str], list[tuple[str, str]]] = {}

    def operators(self, strokes: Iterable[Stroke]) -> str:
        """Return the operators that draw the strokes. An ink or pen that is set already is not set again.

        Operators: fonts and text § 9.4, shapes § 8.5. ``Line(0, 0, 500, 0, 120, "#000000")`` becomes
        ``0.000 G``, ``120 w`` and ``0 0 m 500 0 l S``.
        """
        out: list[str] = []
        fill = line_ink = ""
        pen = 0
        for stroke in strokes:
            if isinstance(stroke, TextRun):
                x, y, text, font, size, _, colour, turned = stroke
                if (ink := self.inks.of(colour, words=True)) != fill:
                    out.append(ink)
                    fill = ink
                # On a page whose y grows downwards letters would stand on their heads, so their y is turned
                # over; words that run upwards are turned by a quarter besides.
                matrix = "0 -1 -1 0" if turned else "1 0 0 -1"
                words = " ".join([f"{name} {size} Tf ({chunk}) Tj" for name, chunk in self.spell(font, text)])
                out.append(f"BT {matrix} {x} {y} Tm {words} ET")
            elif isinstance(stroke, Rect):
                x, y, width, height, colour = stroke
                if (ink := self.inks.of(colour)) != fill:
                    out.append(ink)
                    fill = ink
                out.append(f"{x} {y} {width} {height} re f")
            elif isinstance(stroke, Line):
                x1, y1, x2, y2, thick, colour = stroke
                if (ink := self.inks.of(colour).upper()) != line_ink:
                    out.append(ink)
                    line_ink = ink
                if thick != pen:
                    out.append(f"{thick} w")
                    pen = thick
                out.append(f"{x1} {y1} m {x2} {y2} l S")
            elif isinstance(stroke, Picture):
                out.append(picture_operators(stroke, self.pictures.name(stroke)))
            else:
                out.append(_path(stroke, self.inks.of(stroke.colour)))
        return "\n".join(out)

    def spell(self, font: Font, text: str) -> list[tuple[str, str]]:
        """Return the text as (font resource, encoded string) in the subsets of this document."""
        known = self.spelt.get((font, text))
        if known is None:
            typeface = self.typefaces[font]
            parts = typeface.splitString(text, self.document)
            known = [
                (typeface.getSubsetInternalName(subset, self.document), _escape(chunk))
                for subset, chunk in parts
            ]
            self.spelt[font, text] = known
        return known


def _path(path: Path, ink: str) -> str:
    """Return the operators of a shape, drawn with a round pen and round corners.

    It has a graphics state of its own, so that it does not change the inks of other strokes.
    """
    if not path.pen:
        return "\n".join(["q", ink, steps(path.steps), "f Q"])
    return "\n".join(["q 1 J 1 j", f"{path.pen} w", ink.upper(), steps(path.steps), "S Q"])


# The letter of a step -> its operator: move, line, curve, close.
_STEPS = {"M": "m", "L": "l", "C": "c", "Z": "h"}


def steps(path: Iterable[tuple[str, tuple[int, ...]]]) -> str:
    """Return the steps of a shape as operators: ``("M", (0, 5))`` becomes ``0 5 m``."""
    return "\n".join([" ".join([*map(str, numbers), _STEPS[letter]]) for letter, numbers in path])


# Characters that a PDF string cannot hold as they are -> a backslash and three octal digits, or the character
# after a backslash (§ 7.3.4.2).
_ESCAPED = {code: f"\\{code:03o}" for code in (*range(32), *range(127, 256))} | {
    ord(mark): f"\\{mark}" for mark in "()\\"
}


def _escape(chunk: bytes) -> str:
    """Return the content of a PDF string: ``b"(\\xe9"`` becomes ``\\(\\351``."""
    return chunk.decode("latin-1").translate(_ESCAPED)
