"""Parts of a PDF that reportlab cannot make itself, made with its private parts: descriptions in XML,
pictures as streams, tags, writing bit by bit.

Every use of a private part of reportlab stands in this file. ``CHECKED`` is the release with which they were
checked. A test fails with another release, so that this file and a sheet are looked at before the number is
changed.
"""

import hashlib
import re
from collections.abc import Callable, Mapping, Sequence
from html import escape
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

PAPER_BEYOND = 1_000

PLAIN = {1: b"/DeviceGray", 3: b"/DeviceRGB", 4: b"/DeviceCMYK"}
# Colours as inks of their own, and how light they are together: with the weights of
# printing.faces.colours.grey_of.
INKS = {3: b"/R/G/B", 4: b"/C/M/Y/K"}
GREYS = {
    3: b"{0.114 mul exch 0.587 mul add exch 0.299 mul add}",
    4: b"{4 1 roll 0.114 mul exch 0.587 mul add exch 0.299 mul add add dup 1 gt {pop 1} if 1 exch sub}",
}


def picture_operators(picture: Picture, name: str) -> str:
    """The operators that draw the picture with this name in its window.

    A picture that is see-through is laid on paper in the same window, so that it hides the mirrored edges
    that reach in under it.
    """
    a, b, c, d, e, f = picture.matrix
    # PDF counts a picture's rows upwards.
    matrix = " ".join(f"{value:.4f}" for value in (a, b, -c, -d, e + c, f + d))
    x, y, width, height = picture[:4]
    paper = ""
    if picture.image.see_through:
        # Larger than the window, because a renderer may round the two differently.
        paper = (
            f" 1 g {x - PAPER_BEYOND} {y - PAPER_BEYOND} {width + 2 * PAPER_BEYOND}"
            f" {height + 2 * PAPER_BEYOND} re f"
        )
    return f"q {x} {y} {width} {height} re W n{paper} {matrix} cm /{name} Do Q"


CHECKED = "5.1.0"

# Streams as bytes, not as ASCII letters: a fifth smaller, and faster.
rl_config.useA85 = 0


def document_of(canvas: Canvas) -> Any:
    """The document behind a canvas, with the objects of the file and the subsets of its fonts."""
    return canvas._doc  # type: ignore[attr-defined]


class Entry(PDFObject):
    """One dictionary of the file. Parts that are bytes are written as they are, other entries as
    references.
    """

    def __init__(self, *parts: bytes | PDFObject) -> None:
        self.parts = list(parts)

    def format(self, document: Any) -> bytes:
        spelt = [
            part if isinstance(part, bytes) else document.Reference(part).format(document) + b" "
            for part in self.parts
        ]
        return b"<<" + b"".join(spelt) + b">>"


class _Words(PDFObject):
    """A text of the file, to which entries refer. reportlab writes such texts in four letters for each of
    theirs.
    """

    def __init__(self, text: str) -> None:
        self.text = text

    def format(self, _document: Any) -> bytes:
        raw = self.text.encode() if self.text.isascii() else b"\xfe\xff" + self.text.encode("utf-16-be")
        return b"(" + re.sub(rb"[\\()]", rb"\\\g<0>", raw).replace(b"\r", b"\\r") + b")"


class Streamed(Entry):
    """A dictionary with a stream, whose bytes are read when it is written."""

    def __init__(self, parts: Sequence[bytes | PDFObject], read: Callable[[], bytes]) -> None:
        super().__init__(*parts)
        self.read = read

    def format(self, document: Any) -> bytes:
        data = self.read()
        return b"".join(
            [super().format(document)[:-2], b"/Length %d>>\nstream\n" % len(data), data, b"\nendstream"]
        )


class Pictures:
    """The pictures of one file. Each picture and each colour space stands in it once, however many cards show
    it. ``in_inks`` gives a picture, or its greys, as JPEG in inks, for a press; without it the bytes of
    pictures are as they are.
    """

    def __init__(self, canvas: Canvas, in_inks: Callable[[PictureRef, bool], bytes] | None = None) -> None:
        self.canvas, self.in_inks = canvas, in_inks
        self.made: dict[str, Streamed] = {}
        self.names: dict[tuple[str, bool], str] = {}

    def name(self, picture: Picture) -> str:
        """The name of this picture in the form that is being made; adds the picture to the file at its first
        use.
        """
        stream = (picture.image.sha256, picture.grey)
        if stream not in self.names:
            self.names[stream] = f"picture{len(self.names)}"
            made = self._picture(picture.image, picture.grey)
            document_of(self.canvas).addForm(self.names[stream], made)
        name, in_use = self.names[stream], self.canvas._formsinuse  # type: ignore[attr-defined]
        if name not in in_use:
            in_use.append(name)
        return str(document_of(self.canvas).getXObjectName(name))

    def _picture(self, ref: PictureRef, grey: bool) -> Streamed:
        """The stream of a picture. Its file is opened for the header; the pixels are read when the stream is
        written.

        ``grey``: the bytes are the same, and a function of the PDF turns their colours into greys.
        """
        try:
            if in_inks := self.in_inks:
                colours = b"Gray" if grey else b"CMYK/Decode[1 0 1 0 1 0 1 0]"
                parts = (_head(ref.width, ref.height, 8), b"/Filter/DCTDecode/ColorSpace/Device", colours)
                return self._stream(f"{ref.sha256}.{grey:d}", lambda: in_inks(ref, grey), *parts)
            if ref.kind == "jpeg":
                return self._jpeg(ref, grey)
            sizes = ref.sizes
            if "colour" in sizes:
                return self._png(ref, "colour", grey, "mask" in sizes)
            return self._png(ref, "", grey)
        except (OSError, ValueError):
            raise PictureLost.of(ref) from None

    def _jpeg(self, ref: PictureRef, grey: bool) -> Streamed:
        facts = read_jpeg(ref.read())
        count = len(facts.components)
        parts = [_head(facts.width, facts.height, 8), b"/Filter/DCTDecode"]
        if facts.is_plain_rgb:
            parts.append(b"/DecodeParms<</ColorTransform 0>>")
        if count == 4 and facts.transform is not None:
            # Adobe's programs write how much ink there is not.
            parts.append(b"/Decode[1 0 1 0 1 0 1 0]")
        colours = self._colours(count, facts.profile, grey)
        return self._stream(f"{ref.sha256}.{grey:d}", lambda: _content(ref), *parts, b"/ColorSpace", *colours)

    def _png(self, ref: PictureRef, part: str, grey: bool, masked: bool = False) -> Streamed:
        facts = read_png(ref.read(part))
        colours = self._colours(
            3 if facts.colour == 3 else facts.components, profile_or_empty(facts.profile), grey
        )
        if facts.colour == 3:
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
        """The colour space: greys if ``grey``, else that of the profile if it is whole and for this number of
        colours, else the plain one.
        """
        if grey and count > 1:
            domain = b"/FunctionType 4/Domain[" + b"0 1 " * count + b"]/Range[0 1]"
            function = self._stream(f"grey.{count}", lambda: GREYS[count], domain)
            return b"[/DeviceN[" + INKS[count] + b"]/DeviceGray ", function, b"]"
        if not is_for(profile, count):
            return (PLAIN[count],)
        key, number = hashlib.sha256(profile).hexdigest(), b"/N %d/Alternate" % count + PLAIN[count]
        return b"[/ICCBased ", self._stream(f"icc.{key}", lambda: profile, number), b"]"

    def _stream(self, key: str, read: Callable[[], bytes], *parts: bytes | PDFObject) -> Streamed:
        """The stream with this key, made at its first use: the parts of its dictionary and its content."""
        if key not in self.made:
            self.made[key] = Streamed(parts, read)
        return self.made[key]


def _content(ref: PictureRef, part: str = "") -> bytes:
    """The bytes of the file. Raises PictureLost, because its owner may have deleted it after its header was
    read.
    """
    try:
        return ref.read(part)
    except OSError:
        raise PictureLost.of(ref) from None


def _head(width: int, height: int, depth: int) -> bytes:
    return b"/Type/XObject/Subtype/Image/Width %d/Height %d/BitsPerComponent %d" % (width, height, depth)


# PDF/X asks for dates, which are the same always, so that the same print has the same bytes.
DATED = {"CreationDate": b"(D:20000101000000Z)", "ModDate": b"(D:20000101000000Z)", "Trapped": b"/False"}


def begun(
    width: float, height: float, about: Mapping[str, Any], duplex: str = "", for_press: bool = False
) -> Canvas:
    """An empty document of pages of this size in points. Its description (Title, Subject, Author and Creator)
    is written once as PDF's own entries and once as an XMP packet. ``for_press``: it declares PDF/X-4.

    It has no date of its own: the same print has the same bytes whenever it is made.
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
    words = {name.capitalize(): about[name] for name in ("title", "subject", "author")}
    words |= {"Creator": "Cutout", "Producer": document.info.producer}
    document.signature.update(repr(words).encode())
    document.info = Entry(
        *(f"/{name} ".encode() + PDFString(text).format(document) for name, text in words.items()),
        *(b"/%b%b" % (name.encode(), value) for name, value in DATED.items() if for_press),
    )
    packet = _xmp(
        {name: escape(_in_xml(text)) for name, text in words.items()}, about["read_aloud"], for_press
    ).encode()
    document.Catalog.Metadata = Streamed([b"/Type/Metadata/Subtype/XML"], lambda: packet)
    canvas.setViewerPreference("PrintScaling", "None")
    canvas.setViewerPreference("DisplayDocTitle", "true")
    if duplex:
        canvas.setViewerPreference("Duplex", f"DuplexFlip{duplex.capitalize()}Edge")
    return canvas


def _in_xml(text: str) -> str:
    """The text, with � for each character that no XML may have, not even in coded form."""
    return "".join(
        c if c in "\t\n\r" or " " <= c <= "\ud7ff" or "\ue000" <= c <= "\ufffd" or c > "\uffff" else "\ufffd"
        for c in text
    )


def _xmp(words: Mapping[str, str], read_aloud: bool, for_press: bool) -> str:
    """The packet in which programs that know nothing of PDF look for a file's title, and in which a file
    declares PDF/UA or PDF/X-4. The words are escaped already.
    """
    whole = hashlib.sha256(repr(words).encode()).hexdigest()
    return f"""<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?>
<x:xmpmeta xmlns:x="adobe:ns:meta/">
<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
<rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:xmp="http://ns.adobe.com/xap/1.0/"
 xmlns:pdf="http://ns.adobe.com/pdf/1.3/" xmlns:pdfuaid="http://www.aiim.org/pdfua/ns/id/">
{"<pdfuaid:part>1</pdfuaid:part>" if read_aloud else ""}
<dc:format>application/pdf</dc:format>
<dc:title><rdf:Alt><rdf:li xml:lang="x-default">{words["Title"]}</rdf:li></rdf:Alt></dc:title>
<dc:description><rdf:Alt><rdf:li xml:lang="x-default">{words["Subject"]}</rdf:li></rdf:Alt></dc:description>
<dc:creator><rdf:Seq><rdf:li>{words["Author"]}</rdf:li></rdf:Seq></dc:creator>
<dc:language><rdf:Bag><rdf:li>en</rdf:li></rdf:Bag></dc:language>
<xmp:CreatorTool>{words["Creator"]}</xmp:CreatorTool>
<pdf:Producer>{words["Producer"]}</pdf:Producer>
</rdf:Description>{_PRESS.format(whole) if for_press else ""}
</rdf:RDF>
</x:xmpmeta>
<?xpacket end="r"?>"""


_DATE = "2000-01-01T00:00:00Z"
_PRESS = f"""
<rdf:Description rdf:about="" xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmlns:pdf="http://ns.adobe.com/pdf/1.3/"
 xmlns:pdfxid="http://www.npes.org/pdfx/ns/id/" xmlns:xmpMM="http://ns.adobe.com/xap/1.0/mm/">
<pdfxid:GTS_PDFXVersion>PDF/X-4</pdfxid:GTS_PDFXVersion><pdf:Trapped>False</pdf:Trapped>
<xmp:CreateDate>{_DATE}</xmp:CreateDate><xmp:ModifyDate>{_DATE}</xmp:ModifyDate>
<xmp:MetadataDate>{_DATE}</xmp:MetadataDate><xmpMM:DocumentID>urn:sha256:{{}}</xmpMM:DocumentID>
<xmpMM:VersionID>1</xmpMM:VersionID><xmpMM:RenditionClass>default</xmpMM:RenditionClass>
</rdf:Description>"""


def catalogued(canvas: Canvas, name: str, entry: PDFObject) -> None:
    """Give the catalogue of the file an entry that reportlab does not know."""
    catalog = document_of(canvas).Catalog
    catalog.__NoDefault__ = [*catalog.__NoDefault__, name]
    setattr(catalog, name, entry)


def tag(canvas: Canvas, pages: Sequence[tuple[str, list[str]]]) -> None:
    """Give the file the structure that screen readers follow: one figure for each placed card, with its
    words. ``pages``: the role of the things on each page, and their words.

    The words of a page of words are read as they are; the page only gets a title. reportlab has no tags, so
    their entries are written here, and each page gets one attribute more.
    """
    document = document_of(canvas)
    # Each text stands in the file once, however often its card is placed.
    spelt = {name: _Words(name) for name in dict.fromkeys(name for _, names in pages for name in names)}
    root = Entry(b"/Type/StructTreeRoot")
    whole = Entry(b"/Type/StructElem/S/Document/P ", root, b"/K[")
    parents: list[bytes | PDFObject] = [b"/ParentTree<</Nums["]
    for number, (page, (role, names)) in enumerate(zip(document.Pages.pages, pages, strict=True)):
        page.__NoDefault__ = [*page.__NoDefault__, "StructParents"]
        page.StructParents = number
        kind, called = b"/Type/StructElem/S/%b/P " % role.encode(), b"/Alt " if role == "Figure" else b"/T "
        figures = [
            Entry(kind, whole, b"/Pg ", page, b"/K %d" % place + called, spelt[name])
            for place, name in enumerate(names)
        ]
        whole.parts += figures
        parents += [b"%d[" % number, *figures, b"]"]
    whole.parts.append(b"]")
    root.parts += [b"/K ", whole, *parents, b"]>>/ParentTreeNextKey %d" % len(pages)]
    document.Catalog.StructTreeRoot, document.Catalog.MarkInfo = root, Entry(b"/Marked true")


# The fonts that files are set in.
TYPEFACES: tuple[Font, ...] = ("sans", "sans-light", "sans-bold", "serif-bold")


def registered_fonts() -> dict[Font, TTFont]:
    """The fonts by their names in reportlab, after they are registered."""
    for name in sorted({*TYPEFACES} - {*pdfmetrics.getRegisteredFontNames()}):
        # ASCII keeps its codes, so that most text needs no re-coding.
        pdfmetrics.registerFont(TTFont(name, str(fonts.file_of(name)), asciiReadable=True, shapable=False))
    typefaces: dict[Font, TTFont] = {name: pdfmetrics.getFont(name) for name in TYPEFACES}
    return {**typefaces, "serif": typefaces["serif-bold"]}


def write_document(canvas: Canvas, out: IO[bytes], on_share: Callable[[float], None]) -> None:
    """Write the document of this canvas, all pages of which are finished, object by object. The same objects
    give the same bytes.

    ``on_share`` gets the part of the objects that is written, 0 to 1; an error that it raises ends the work.

    reportlab makes the whole file in memory first. Here the bytes of a stream are read when its turn comes
    and released when it is written: a file of five thousand pictures takes no more memory than its largest
    one. Objects may add further ones while they are written, as forms do with their fonts; these come last.
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

    # The second line has bytes beyond ASCII, by which programs see that the file is no text.
    add(b"%%PDF-%d.%d\n%%\xe2\xe3\xcf\xd3\n" % document._pdfVersion)
    while (number := len(places) + 1) in document.numberToId:
        places.append(at)
        name = document.numberToId[number]
        content = document.idToObject[name].format(document)
        # Written is written: others refer to it by its number. A form, for one, is twice as large by then as
        # it was before.
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
