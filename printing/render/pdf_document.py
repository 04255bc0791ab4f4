"""Parts of a PDF that reportlab cannot make itself: descriptions, pictures as streams, tags, writing bit by
bit.

`pdf` and `pdf_inks` call them. They are made with private parts of reportlab, all uses of which must stay in
this file. ``CHECKED`` is the release with which they were checked; a test fails with any other release. Then
read this file beside reportlab's changes, look at a printed sheet, and raise the number. Tests:
``test_pdf.py``, and ``tests/printing/pictures`` for own pictures.
"""

import hashlib
import re
from collections.abc import Callable, Mapping, Sequence
from io import BytesIO
from typing import IO, Any

from reportlab import rl_config
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.pdfdoc import PDFObject, PDFString
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas

from cardsdb.box.picture_files.bounds import is_for
from cardsdb.box.picture_files.jpeg import read_jpeg
from cardsdb.box.picture_files.png import pixels_of, profile_or_empty, read_png
from cardsdb.box.picture_files.ref import PictureRef
from cardsdb.games.kit.print.face import Font
from printing.faces import fonts
from printing.faces.own_pictures import PictureLost
from printing.faces.strokes import Picture
from printing.render.xmp import packet_of_pdf

# The paper below a see-through picture reaches this far beyond its window, in micrometres.
PAPER_BEYOND = 1_000

# The keys of these tables are numbers of colours.
# Colour spaces.
PLAIN = {1: b"/DeviceGray", 3: b"/DeviceRGB", 4: b"/DeviceCMYK"}
# To show a picture in greys its colours are declared as separate inks, with a function (in PostScript) that
# gives the grey of their mixture, by the weights of printing.faces.colours.grey_of.
INKS = {3: b"/R/G/B", 4: b"/C/M/Y/K"}
GREYS = {
    3: b"{0.114 mul exch 0.587 mul add exch 0.299 mul add}",
    4: b"{4 1 roll 0.114 mul exch 0.587 mul add exch 0.299 mul add add dup 1 gt {pop 1} if 1 exch sub}",
}


def picture_operators(picture: Picture, name: str) -> str:
    """Return the operators that draw the picture with this name in its window.

    A see-through picture gets paper below it, so that it hides the mirrored edges that reach under it.
    """
    a, b, c, d, e, f = picture.matrix
    # In a PDF the origin of a picture is at the bottom left, so its y is turned over: (u, v) is (u, 1 - v).
    matrix = " ".join(f"{value:.4f}" for value in (a, b, -c, -d, e + c, f + d))
    x, y, width, height = picture[:4]
    paper = ""
    if picture.image.see_through:
        # The paper is larger than the window that clips it, because renderers may round the two differently.
        paper = (
            f" 1 g {x - PAPER_BEYOND} {y - PAPER_BEYOND} {width + 2 * PAPER_BEYOND}"
            f" {height + 2 * PAPER_BEYOND} re f"
        )
    return f"q {x} {y} {width} {height} re W n{paper} {matrix} cm /{name} Do Q"


# The release of reportlab.
CHECKED = "5.1.0"

# Write streams as bytes, not as ASCII letters, which makes files a fifth smaller and is faster.
rl_config.useA85 = 0


def document_of(canvas: Canvas) -> Any:
    """Return the document behind a canvas, which has the objects of the file and the subsets of its fonts."""
    return canvas._doc  # type: ignore[attr-defined]


class Entry(PDFObject):
    """One dictionary of the file. Parts that are bytes are written as they are, other entries as
    references.
    """

    def __init__(self, *parts: bytes | PDFObject) -> None:
        self.parts = list(parts)

    def format(self, document: Any) -> bytes:
        written = [
            part if isinstance(part, bytes) else document.Reference(part).format(document) + b" "
            for part in self.parts
        ]
        return b"<<" + b"".join(written) + b">>"


class _Words(PDFObject):
    """A text of the file, to which entries refer. reportlab would write four letters for each letter of such
    texts.
    """

    def __init__(self, text: str) -> None:
        self.text = text

    def format(self, _document: Any) -> bytes:
        # PDF takes a text as ASCII, or as UTF-16 after these two bytes.
        raw = self.text.encode() if self.text.isascii() else b"\xfe\xff" + self.text.encode("utf-16-be")
        # Brackets and backslashes get a backslash before them.
        return b"(" + re.sub(rb"[\\()]", rb"\\\g<0>", raw).replace(b"\r", b"\\r") + b")"


class Streamed(Entry):
    """A dictionary with a stream, whose bytes are read only when it is written."""

    def __init__(self, parts: Sequence[bytes | PDFObject], read: Callable[[], bytes]) -> None:
        super().__init__(*parts)
        self.read = read

    def format(self, document: Any) -> bytes:
        data = self.read()
        # The length is added to the dictionary before it is closed.
        entries = super().format(document).removesuffix(b">>")
        return b"".join([entries, b"/Length %d>>\nstream\n" % len(data), data, b"\nendstream"])


# Each of the four inks counts from 1, full light, to 0.
INVERTED = b"/Decode[1 0 1 0 1 0 1 0]"
# Colour type of PNG: pixels are numbers of a table of colours.
PALETTE = 3


class Pictures:
    """The pictures of one file. Each picture and each colour space is in it once, however many cards show it.

    ``in_inks`` (picture, grey) returns a picture as JPEG in printing inks, for a press; without it the bytes
    of pictures are copied as they are.
    """

    def __init__(self, canvas: Canvas, in_inks: Callable[[PictureRef, bool], bytes] | None = None) -> None:
        self.canvas, self.in_inks = canvas, in_inks
        self.made: dict[str, Streamed] = {}
        self.names: dict[tuple[str, bool], str] = {}

    def name(self, picture: Picture) -> str:
        """Return the name of this picture, which is added to the file when it is first used."""
        stream = (picture.image.sha256, picture.grey)
        if stream not in self.names:
            self.names[stream] = f"picture{len(self.names)}"
            made = self._picture(picture.image, picture.grey)
            document_of(self.canvas).addForm(self.names[stream], made)
        # reportlab must know which pictures the form uses.
        name, in_use = self.names[stream], self.canvas._formsinuse  # type: ignore[attr-defined]
        if name not in in_use:
            in_use.append(name)
        return str(document_of(self.canvas).getXObjectName(name))

    def _picture(self, ref: PictureRef, grey: bool) -> Streamed:
        """Return the stream of a picture. Its file is opened for the header only; pixels are read when it is
        written.

        ``grey``: the bytes are the same, and a function in the PDF turns their colours into greys. Raise
        PictureLost.
        """
        try:
            if in_inks := self.in_inks:
                # Pillow writes inverted CMYK: 255 is no ink.
                colours = b"Gray" if grey else b"CMYK" + INVERTED
                parts = (_head(ref.width, ref.height, 8), b"/Filter/DCTDecode/ColorSpace/Device", colours)
                return self._stream(f"{ref.sha256}.{grey:d}", lambda: in_inks(ref, grey), *parts)
            if ref.kind == "jpeg":
                return self._jpeg(ref, grey)
            sizes = ref.sizes
            if "colour" in sizes:
                return self._png(ref, "colour", grey, "mask" in sizes)
            return self._png(ref, "", grey)
        # ValueError: the file is not the picture that was stored.
        except (OSError, ValueError):
            raise PictureLost.of(ref) from None

    def _jpeg(self, ref: PictureRef, grey: bool) -> Streamed:
        """Return the stream of a JPEG, whose bytes PDF reads as they are."""
        facts = read_jpeg(ref.read())
        count = len(facts.components)
        parts = [_head(facts.width, facts.height, 8), b"/Filter/DCTDecode"]
        if facts.is_plain_rgb:
            parts.append(b"/DecodeParms<</ColorTransform 0>>")
        if count == 4 and facts.transform is not None:
            # So do Adobe's programs, which say so in the file (``transform``).
            parts.append(INVERTED)
        colours = self._colours(count, facts.profile, grey)
        return self._stream(f"{ref.sha256}.{grey:d}", lambda: _content(ref), *parts, b"/ColorSpace", *colours)

    def _png(self, ref: PictureRef, part: str, grey: bool, masked: bool = False) -> Streamed:
        """Return the stream of a PNG, whose packed pixels PDF reads as they are.

        A picture with transparency is stored in two parts, ``colour`` and ``mask``.
        """
        facts = read_png(ref.read(part))
        # The colours of a table are red, green and blue.
        count = 3 if facts.colour == PALETTE else facts.components
        colours = self._colours(count, profile_or_empty(facts.profile), grey)
        if facts.colour == PALETTE:
            table = b" %d<" % (len(facts.palette) // 3 - 1) + facts.palette.hex().encode() + b">]"
            colours = (b"[/Indexed", *colours, table)
        shape = (facts.components, facts.depth, facts.width)
        return self._stream(
            f"{ref.sha256}.{part}{grey:d}",
            lambda: pixels_of(_content(ref, part)),
            _head(facts.width, facts.height, facts.depth),
            b"/Filter/FlateDecode/DecodeParms<</Predictor 15/Colors %d/BitsPerComponent %d/Columns %d>>"
            % shape,
            b"/ColorSpace",
            *colours,
            *((b"/SMask ", self._png(ref, "mask", grey)) if masked else ()),
        )

    def _colours(self, count: int, profile: bytes, grey: bool) -> tuple[bytes | PDFObject, ...]:
        """Return the colour space: greys if ``grey``, else that of a usable profile, else the plain one."""
        if grey and count > 1:
            domain = b"/FunctionType 4/Domain[" + b"0 1 " * count + b"]/Range[0 1]"
            function = self._stream(f"grey.{count}", lambda: GREYS[count], domain)
            return b"[/DeviceN[" + INKS[count] + b"]/DeviceGray ", function, b"]"
        if not is_for(profile, count):
            return (PLAIN[count],)
        key, number = hashlib.sha256(profile).hexdigest(), b"/N %d/Alternate" % count + PLAIN[count]
        return b"[/ICCBased ", self._stream(f"icc.{key}", lambda: profile, number), b"]"

    def _stream(self, key: str, read: Callable[[], bytes], *parts: bytes | PDFObject) -> Streamed:
        """Return the stream with this key, which is made when it is first used. ``parts`` are those of its
        dictionary.
        """
        if key not in self.made:
            self.made[key] = Streamed(parts, read)
        return self.made[key]


def _content(ref: PictureRef, part: str = "") -> bytes:
    """Return the bytes of the file. Raise PictureLost: its owner may have deleted it since its header was
    read.
    """
    try:
        return ref.read(part)
    except OSError:
        raise PictureLost.of(ref) from None


def _head(width: int, height: int, depth: int) -> bytes:
    return b"/Type/XObject/Subtype/Image/Width %d/Height %d/BitsPerComponent %d" % (width, height, depth)


# PDF/X asks for dates. They are always the same, so that the same print has the same bytes.
DATED = {"CreationDate": b"(D:20000101000000Z)", "ModDate": b"(D:20000101000000Z)", "Trapped": b"/False"}


def new_document(
    width: float, height: float, about: Mapping[str, Any], duplex: str = "", for_press: bool = False
) -> Canvas:
    """Return an empty document with pages of this size in points. ``for_press``: it declares PDF/X-4.

    Its description (title, subject, author, creator) is written twice, as PDF's own entries and as an XMP
    packet. It has no real date, so that the same print has the same bytes whenever it is made.
    """
    registered_fonts()
    canvas = Canvas(
        BytesIO(),
        (width, height),
        pageCompression=1,
        invariant=1,
        pdfVersion=(1, 6) if for_press else (1, 7),
        initialFontName="sans",
        lang="en",
    )  # type: ignore[arg-type]
    document = document_of(canvas)
    words = {"Title": about["title"], "Subject": about["subject"], "Author": "Cutout", "Creator": "Cutout"}
    words["Producer"] = document.info.producer
    document.signature.update(repr(words).encode())
    info = [f"/{name} ".encode() + PDFString(text).format(document) for name, text in words.items()]
    if for_press:
        info += [b"/%b%b" % (name.encode(), value) for name, value in DATED.items()]
    document.info = Entry(*info)
    packet = packet_of_pdf(words, about["read_aloud"], for_press).encode()
    document.Catalog.Metadata = Streamed([b"/Type/Metadata/Subtype/XML"], lambda: packet)
    canvas.setViewerPreference("PrintScaling", "None")
    canvas.setViewerPreference("DisplayDocTitle", "true")
    if duplex:
        canvas.setViewerPreference("Duplex", f"DuplexFlip{duplex.capitalize()}Edge")
    return canvas


def add_to_catalogue(canvas: Canvas, name: str, entry: PDFObject) -> None:
    """Add an entry to the catalogue of the file that reportlab does not know."""
    catalog = document_of(canvas).Catalog
    catalog.__NoDefault__ = [*catalog.__NoDefault__, name]
    setattr(catalog, name, entry)


def tag(canvas: Canvas, pages: Sequence[tuple[str, list[str]]]) -> None:
    """Give the file the structure that screen readers follow. ``pages``: for each page the role of its
    things, and their words.

    Each placed card is a Figure with its words as alternative text. On a page of words (P) the words
    themselves are read, and the page gets only a title.
    """
    document = document_of(canvas)
    # Each text is in the file once, however often its card is placed.
    texts = {name: _Words(name) for name in dict.fromkeys(name for _, names in pages for name in names)}
    root = Entry(b"/Type/StructTreeRoot")
    whole = Entry(b"/Type/StructElem/S/Document/P ", root, b"/K[")
    parents: list[bytes | PDFObject] = [b"/ParentTree<</Nums["]
    for number, (page, (role, names)) in enumerate(zip(document.Pages.pages, pages, strict=True)):
        page.__NoDefault__ = [*page.__NoDefault__, "StructParents"]
        page.StructParents = number
        kind, called = b"/Type/StructElem/S/%b/P " % role.encode(), b"/Alt " if role == "Figure" else b"/T "
        figures = [
            Entry(kind, whole, b"/Pg ", page, b"/K %d" % index + called, texts[name])
            for index, name in enumerate(names)
        ]
        whole.parts += figures
        parents += [b"%d[" % number, *figures, b"]"]
    whole.parts.append(b"]")
    root.parts += [b"/K ", whole, *parents, b"]>>/ParentTreeNextKey %d" % len(pages)]
    document.Catalog.StructTreeRoot, document.Catalog.MarkInfo = root, Entry(b"/Marked true")


# The fonts that are embedded in files.
TYPEFACES: tuple[Font, ...] = ("sans", "sans-light", "sans-bold", "serif-bold")


def registered_fonts() -> dict[Font, TTFont]:
    """Register the fonts with reportlab and return them by their names."""
    for name in sorted({*TYPEFACES} - {*pdfmetrics.getRegisteredFontNames()}):
        # ASCII keeps its codes, so that most text need not be encoded again.
        pdfmetrics.registerFont(TTFont(name, str(fonts.file_of(name)), asciiReadable=True, shapable=False))
    typefaces: dict[Font, TTFont] = {name: pdfmetrics.getFont(name) for name in TYPEFACES}
    return {**typefaces, "serif": typefaces["serif-bold"]}


def write_document(canvas: Canvas, out: IO[bytes], on_share: Callable[[float], None]) -> None:
    """Write the document of this canvas, whose pages are all finished, object by object.

    reportlab would make the whole file in memory first. Here the bytes of a stream are read when its turn
    comes and released when it is written: a file of five thousand pictures takes no more memory than its
    largest one. Objects may add others while they are written, as forms add their fonts; these come last.

    ``on_share`` gets the part of the objects that is written, 0 to 1; its errors stop the work. The same
    objects give the same bytes.
    """
    document = document_of(canvas)
    for font in document.delayedFonts:
        font.addObjects(document)
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

    # The second line has bytes beyond ASCII, which tell other programs that the file is not text.
    add(b"%%PDF-%d.%d\n%%\xe2\xe3\xcf\xd3\n" % document._pdfVersion)
    while (number := len(places) + 1) in document.numberToId:
        places.append(at)
        name = document.numberToId[number]
        content = document.idToObject[name].format(document)
        # Others refer to a written object by its number only. Releasing it saves memory: writing makes a form
        # twice as large.
        document.idToObject[name] = None
        add(b"%d 0 obj\n" % number)
        add(content)
        add(b"\nendobj\n")
        on_share(number / len(document.numberToId))
    table = at
    add(b"xref\n0 %d\n0000000000 65535 f \n" % (len(places) + 1))
    add(b"".join(b"%010d 00000 n \n" % place for place in places))
    names = (len(places) + 1, catalog.format(document), info.format(document), document.ID())
    add(b"trailer\n<</Size %d/Root %s/Info %s/ID %s>>\nstartxref\n" % names)
    add(b"%d\n%%%%EOF\n" % table)
