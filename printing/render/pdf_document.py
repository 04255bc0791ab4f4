"""What reportlab does not do itself, done with its inner parts: pictures as streams, tags for screen readers, writing bit by bit.

Every reach into reportlab stands in this file. ``CHECKED`` is the release that they were checked with: a test fails on
another one, so that whoever takes a new release looks at this file and at a sheet before the number is changed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import IO, Any

from reportlab import rl_config
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.pdfdoc import PDFObject, PDFString
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas

from cardsdb.games.kit.print.face import Font
from printing.faces import fonts
from printing.faces.strokes import Picture
from printing.render.pdf_pictures import Stream, picture_stream

CHECKED = "5.1.0"

# Streams as bytes, not as ASCII letters: a fifth smaller, and faster.
rl_config.useA85 = 0


def document_of(canvas: Canvas) -> Any:
    """The document behind a canvas, which has the objects of the file and the subsets of its fonts."""
    return canvas._doc  # type: ignore[attr-defined]


class Pictures:
    """The pictures of one file, each once, however many cards show it."""

    def __init__(self, canvas: Canvas) -> None:
        self.canvas = canvas
        self.made: dict[str, _Streamed] = {}
        self.names: dict[tuple[str, bool], str] = {}

    def name(self, picture: Picture) -> str:
        """What the form that is being made calls this picture."""
        canvas: Any = self.canvas
        document = document_of(self.canvas)
        stream = (picture.image.sha256, picture.grey)
        if stream not in self.names:
            self.names[stream] = f"picture{len(self.names)}"
            document.addForm(self.names[stream], self.entry(picture_stream(picture.image, picture.grey)))
        name = self.names[stream]
        if name not in canvas._formsinuse:
            canvas._formsinuse.append(name)
        return str(document.getXObjectName(name))

    def entry(self, stream: Stream) -> _Streamed:
        if stream.key not in self.made:
            parts = [part if isinstance(part, bytes) else self.entry(part) for part in stream.parts]
            self.made[stream.key] = _Streamed(parts, stream.read)
        return self.made[stream.key]


class _Entry(PDFObject):
    """One dictionary of the file, spelt out: bytes as they are, other entries by reference."""

    def __init__(self, *parts: bytes | PDFObject) -> None:
        self.parts = list(parts)

    def format(self, document: Any) -> bytes:
        spelt = [part if isinstance(part, bytes) else document.Reference(part).format(document) + b" " for part in self.parts]
        return b"<<" + b"".join(spelt) + b">>"


class _Streamed(_Entry):
    """A dictionary with the bytes behind it, which are read when it is written."""

    def __init__(self, parts: Sequence[bytes | PDFObject], read: Callable[[], bytes]) -> None:
        super().__init__(*parts)
        self.read = read

    def format(self, document: Any) -> bytes:
        data = self.read()
        return b"".join([super().format(document)[:-2], b"/Length %d>>\nstream\n" % len(data), data, b"\nendstream"])


def tag(canvas: Canvas, names: list[list[str]], roles: list[str]) -> None:
    """Give the file the structure that screen readers follow: one figure a placed card, called by the card's name.

    A page of words is read as they stand, and only titled.

    reportlab has no such thing, so the entries are written here; a page is told of them by one attribute more.
    """
    document = document_of(canvas)
    spelt = {name: PDFString(name).format(document) for name in dict.fromkeys(name for page in names for name in page)}
    root = _Entry(b"/Type/StructTreeRoot")
    whole = _Entry(b"/Type/StructElem/S/Document/P ", root, b"/K[")
    parents: list[bytes | PDFObject] = [b"/ParentTree<</Nums["]
    for number, page in enumerate(document.Pages.pages):
        page.__NoDefault__ = [*page.__NoDefault__, "StructParents"]
        page.StructParents = number
        role, called = roles[number].encode(), b"/Alt" if roles[number] == "Figure" else b"/T"
        figures = [
            _Entry(b"/Type/StructElem/S/" + role + b"/P ", whole, b"/Pg ", page, b"/K %d" % place + called, spelt[name])
            for place, name in enumerate(names[number])
        ]
        whole.parts += figures
        parents += [b"%d[" % number, *figures, b"]"]
    whole.parts.append(b"]")
    root.parts += [b"/K ", whole, *parents, b"]>>/ParentTreeNextKey %d" % len(names)]
    document.Catalog.StructTreeRoot, document.Catalog.MarkInfo = root, _Entry(b"/Marked true")


@cache
def registered_fonts() -> dict[Font, TTFont]:
    """The fonts as reportlab knows them. ASCII keeps its codes, so that most text needs no re-coding."""
    found: dict[Font, TTFont] = {}
    for name in ("sans", "sans-light", "sans-bold", "serif-bold"):
        found[name] = TTFont(name, str(fonts.file_of(name)), asciiReadable=True)
        pdfmetrics.registerFont(found[name])
    return {**found, "serif": found["serif-bold"]}


def write_document(canvas: Canvas, out: IO[bytes]) -> None:
    """Write the document of this canvas, all pages of which are shown, object by object. The same objects give the same bytes.

    reportlab makes the whole file in memory first. Here what a stream holds is read when its turn comes and let go when it is
    written: a file of five thousand pictures takes no more memory than its largest one. Objects may make further ones while
    they are written, as forms do with their fonts; they come last.
    """
    document = document_of(canvas)
    for font in document.delayedFonts:
        font.addObjects(document)
    document.info.invariant = document.invariant
    document.info.digest(document.signature)
    catalog, info = document.Reference(document.Catalog), document.Reference(document.info)
    document.Outlines.prepare(document, canvas)
    if document.Outlines.ready < 0:
        document.Catalog.Outlines = None
    document.encrypt.prepare(document)
    at, places = 0, []

    def add(data: bytes) -> None:
        nonlocal at
        out.write(data)
        at += len(data)

    # The second line says by its letters that the file is no text.
    add(b"%%PDF-%d.%d\n%%\xe2\xe3\xcf\xd3\n" % document._pdfVersion)
    while (number := len(places) + 1) in document.numberToId:
        places.append(at)
        content = document.idToObject[document.numberToId[number]].format(document)
        add(b"%d 0 obj\n" % number)
        add(content)
        add(b"\nendobj\n")
    table = at
    add(b"xref\n0 %d\n0000000000 65535 f \n" % (len(places) + 1))
    add(b"".join(b"%010d 00000 n \n" % place for place in places))
    names = (len(places) + 1, catalog.format(document), info.format(document), document.ID())
    add(b"trailer\n<</Size %d/Root %s/Info %s/ID %s>>\nstartxref\n" % names)
    add(b"%d\n%%%%EOF\n" % table)
