"""Parts of a PDF that reportlab cannot make itself: descriptions, pictures as streams, tags, writing bit by
bit.

`pdf` and `pdf_inks` call them. They are made with private parts of reportlab, all uses of which must stay in
this file. ``CHECKED`` is the release with which they were checked; a test fails with any other release. Then
read this file beside reportlab's changes, look at a printed sheet, and raise the number. § is a section of
PDF 1.7, ISO 32000-1. Tests in ``tests/printing/``: ``render/test_pdf.py`` with a checker of PDF/UA,
``render/test_pdf_inks.py``, and ``pictures/test_sheets.py`` for own pictures.
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
# Colour spaces (§ 8.6.4).
PLAIN = {1: b"/DeviceGray", 3: b"/DeviceRGB", 4: b"/DeviceCMYK"}
# To show a picture in greys its colours are declared as inks of a DeviceN space (§ 8.6.6.5). Its function, in
# PostScript (§ 7.10.5), gives the grey of their mixture, 0 (black) to 1, by the weights of
# ``printing.faces.colours.grey_of``:
#
#     3:  0.299 R + 0.587 G + 0.114 B                             pure green -> 0.587
#     4:  1 - min(1, 0.299 C + 0.587 M + 0.114 Y + K)             pure cyan  -> 0.701
#
# PostScript works on a stack. The last colour is on top; ``exch`` brings up the one below it. For 4 colours
# ``4 1 roll`` first puts K to the bottom, to be added last. Pure cyan, the stack with its top on the right:
#
#     C 1  M 0  Y 0  K 0     4 1 roll
#     K 0  C 1  M 0  Y 0     0.114 mul exch 0.587 mul add exch 0.299 mul add
#     K 0  0.299             add dup 1 gt {pop 1} if     (no more than full black)
#     0.299                  1 exch sub
#     0.701
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
    # ``matrix`` takes the top left corner of the picture as (0, 0), PDF the bottom left one (§ 8.9.5.1). So
    # 1 - v replaces v: a u + c (1 - v) + e is a u - c v + (e + c), and b u + d (1 - v) + f likewise.
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
    """One dictionary of the file: the parts between ``<<`` and ``>>``, one after the other.

    Bytes are written as they are, other objects as references: ``Entry(b"/Type/StructTreeRoot/K ", whole)``
    is written ``<</Type/StructTreeRoot/K 38 0 R >>`` if ``whole`` is object 38.
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
    """A text of the file, to which entries refer (§ 7.9.2.2).

    ``A (b)`` is written ``(A \\(b\\))``. reportlab's own strings take four letters for many of a text's.
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


# ``Decode`` (§ 8.9.5.2) turns the four inks round: the least number is a full ink, the greatest none.
INVERTED = b"/Decode[1 0 1 0 1 0 1 0]"
# The colour type of a PNG (its header IHDR) whose pixels are numbers of a table of colours.
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

        ``grey``: the bytes are the same, and a function in the PDF turns their colours into greys; for a
        press the bytes are grey themselves. Raise PictureLost.
        """
        try:
            if in_inks := self.in_inks:
                # Pillow writes inverted CMYK: 255 is no ink.
                space = PLAIN[1] if grey else PLAIN[4] + INVERTED
                entries = _head(ref.width, ref.height, 8) + b"/Filter/DCTDecode/ColorSpace" + space
                return self._stream(f"{ref.sha256}.{grey:d}", lambda: in_inks(ref, grey), entries)
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
        """Return the stream of a JPEG, whose bytes PDF reads as they are (DCTDecode, § 7.4.8)."""
        facts = read_jpeg(ref.read())
        count = len(facts.components)
        parts = [_head(facts.width, facts.height, 8), b"/Filter/DCTDecode"]
        if facts.is_plain_rgb:
            # Without this a reader takes three components for YCbCr and changes them into RGB.
            parts.append(b"/DecodeParms<</ColorTransform 0>>")
        if count == 4 and facts.transform is not None:
            # Adobe's programs write inks turned round. Their segment APP14, from which ``transform`` is read,
            # tells that one of them, or a program that does alike, wrote this file.
            parts.append(INVERTED)
        colours = self._colours(count, facts.profile, grey)
        return self._stream(f"{ref.sha256}.{grey:d}", lambda: _content(ref), *parts, b"/ColorSpace", *colours)

    def _png(self, ref: PictureRef, part: str, grey: bool, masked: bool = False) -> Streamed:
        """Return the stream of a PNG, whose packed pixels PDF reads as they are: both use the predictors of
        PNG (FlateDecode with /Predictor 15, § 7.4.4.4).

        A picture with transparency is stored in two parts, ``colour`` and ``mask``; the second becomes the
        soft mask (§ 11.6.5.3) of the first.
        """
        facts = read_png(ref.read(part))
        # The colours of a table are red, green and blue.
        count = 3 if facts.colour == PALETTE else facts.components
        colours = self._colours(count, profile_or_empty(facts.profile), grey)
        if facts.colour == PALETTE:
            # [/Indexed/DeviceRGB 1<000000ffffff>]: the last number of the table, its colours (§ 8.6.6.3).
            table = b" %d<" % (len(facts.palette) // 3 - 1) + facts.palette.hex().encode() + b">]"
            colours = (b"[/Indexed", *colours, table)
        shape = (facts.components, facts.depth, facts.width)
        soft_mask = (b"/SMask ", self._png(ref, "mask", grey)) if masked else ()
        return self._stream(
            f"{ref.sha256}.{part}{grey:d}",
            lambda: pixels_of(_content(ref, part)),
            _head(facts.width, facts.height, facts.depth),
            b"/Filter/FlateDecode/DecodeParms<</Predictor 15/Colors %d/BitsPerComponent %d/Columns %d>>"
            % shape,
            b"/ColorSpace",
            *colours,
            *soft_mask,
        )

    def _colours(self, count: int, profile: bytes, grey: bool) -> tuple[bytes | PDFObject, ...]:
        """Return the parts of the colour space: greys if ``grey``, else that of a usable profile, else the
        plain one.

        [/DeviceN[/R/G/B]/DeviceGray 9 0 R ], [/ICCBased 9 0 R ] (§ 8.6.5.5) or /DeviceRGB, where object 9 is
        the function or the profile.
        """
        if grey and count > 1:
            domain = b"/FunctionType 4/Domain[" + b"0 1 " * count + b"]/Range[0 1]"
            function = self._stream(f"grey.{count}", lambda: GREYS[count], domain)
            return b"[/DeviceN[" + INKS[count] + b"]/DeviceGray ", function, b"]"
        if not is_for(profile, count):
            return (PLAIN[count],)
        key, entries = hashlib.sha256(profile).hexdigest(), b"/N %d/Alternate" % count + PLAIN[count]
        return b"[/ICCBased ", self._stream(f"icc.{key}", lambda: profile, entries), b"]"

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
    _add_to(document_of(canvas).Catalog, name, entry)


def _add_to(dictionary: Any, name: str, value: object) -> None:
    """Add an entry to a dictionary of reportlab, which writes the attributes that ``__NoDefault__`` lists."""
    dictionary.__NoDefault__ = [*dictionary.__NoDefault__, name]
    setattr(dictionary, name, value)


def tag(canvas: Canvas, pages: Sequence[tuple[str, list[str]]]) -> None:
    """Give the file the structure that screen readers follow (§ 14.7). ``pages``: for each page the role of
    its things, and their words.

    Each placed card is a Figure with its words as alternative text. On a page of words (P) the words
    themselves are read, and the page gets only a title. One sheet with two cards and their backs::

        33: <</Type/StructTreeRoot/K 38 0 R /ParentTree<</Nums[0[39 0 R 40 0 R ]1[41 0 R 42 0 R ]]>>
              /ParentTreeNextKey 2>>
        38: <</Type/StructElem/S/Document/P 33 0 R /K[39 0 R 40 0 R 41 0 R 42 0 R ]>>
        40: <</Type/StructElem/S/Figure/P 38 0 R /Pg 6 0 R /K 1/Alt 44 0 R >>
        44: (Hitman, Agent, SpyNet. Branches enforcement)
        page 6: /StructParents 0, and in its content: /Figure <</MCID 1>> BDC ... EMC    (`pdf` writes it)

    From the root (33) to the document (38) and to the card (40): /K. From the card to its page: /Pg, and /K
    is the MCID there. Back from the page: its /StructParents is a key of /Nums, whose list has the element of
    each MCID in order.
    """
    document = document_of(canvas)
    # Each text is in the file once, however often its card is placed.
    texts = {name: _Words(name) for _, names in pages for name in names}
    root = Entry(b"/Type/StructTreeRoot")
    whole = Entry(b"/Type/StructElem/S/Document/P ", root, b"/K[")
    # The content of /Nums: the key of each page and its list.
    by_page: list[bytes | PDFObject] = []
    for key, (page, (role, names)) in enumerate(zip(document.Pages.pages, pages, strict=True)):
        _add_to(page, "StructParents", key)
        elements = [_element(role, whole, page, mcid, texts[name]) for mcid, name in enumerate(names)]
        whole.parts += elements
        by_page += [b"%d[" % key, *elements, b"]"]
    whole.parts.append(b"]")
    next_key = b"]>>/ParentTreeNextKey %d" % len(pages)
    root.parts += [b"/K ", whole, b"/ParentTree<</Nums[", *by_page, next_key]
    document.Catalog.StructTreeRoot, document.Catalog.MarkInfo = root, Entry(b"/Marked true")


def _element(role: str, whole: Entry, page: Any, mcid: int, words: _Words) -> Entry:
    """Return the element of a thing on a page (40 above). The words of a Figure are read aloud (/Alt), those
    of a P are only its title (/T).
    """
    kind, called = b"/Type/StructElem/S/%b/P " % role.encode(), b"/Alt " if role == "Figure" else b"/T "
    return Entry(kind, whole, b"/Pg ", page, b"/K %d" % mcid + called, words)


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
    """Write the document of this canvas, whose pages are all finished, object by object (§ 7.5).

    reportlab would make the whole file in memory first. Here the bytes of a stream are read when its turn
    comes and released when it is written: a file of five thousand pictures takes no more memory than its
    largest one. Objects may add others while they are written, as forms add their fonts; these come last.
    Then come a table with the byte at which each object begins, and where that table itself begins.

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
    # The bytes written so far, and the place of the first byte of each object.
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
