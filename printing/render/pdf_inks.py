"""Colours as inks: the PDF operators that set them, for a home printer (`Inks`) or for a press (`PressInks`);
and what a file for a press needs besides: the paper for which its inks are, and cut lines in a spot colour.

`pdf` asks for all of it; each colour of a document is worked out once. Words must be printed with black ink
only, because inks never lie exactly over each other and would leave fringes. Colours are ``#rrggbb``. § is a
section of PDF 1.7, ISO 32000-1. Tests: ``tests/printing/render/test_pdf_inks.py``, which also sums up the
plates that Ghostscript makes.
"""

from io import BytesIO
from pathlib import Path

from PIL import Image, ImageCms
from reportlab.pdfbase.pdfdoc import PDFArray
from reportlab.pdfgen.canvas import Canvas

from cardsdb.box.picture_files.ref import PictureRef
from printing.faces.colours import BLACK, FAINT, INK, ROLES, channels, grey_of
from printing.render.pdf_document import Entry, Streamed, add_to_catalogue, document_of
from printing.render.png import as_stored

# Colours of ``colours.ROLES``, which are warm on screens -> the grey that is printed instead, with black ink
# only: "#5d574d" -> "#575757". The darkest one becomes pure black, because printers make greys of dots; so
# does its grey, in which prints with ``ink=grey`` draw it.
_IN_BLACK = {colour: grey_of(colour) for colour in (*ROLES.values(), FAINT)}
_IN_BLACK |= {INK: BLACK, grey_of(INK): BLACK}


class Inks:
    """Inks for a home printer, which mixes its own from RGB.

    `of` replaces a colour by the ``printed`` one, and returns the operator of that: ``for_grey`` or
    ``for_colour``. Subclasses replace these three.
    """

    def __init__(self) -> None:
        # (colour, for words) -> its operator, made once.
        self.operators: dict[tuple[str, bool], str] = {}

    def of(self, colour: str, words: bool = False) -> str:
        """Return the operator that sets the fill to this colour, for shapes or for words (§ 8.6.8).

        ``0.000 g`` is black, ``0.784 0.063 0.180 rg`` is ``#c8102e``. In capitals the operator sets the pen.
        """
        if (colour, words) not in self.operators:
            printed = self.printed(_IN_BLACK.get(colour, colour), words)
            red, green, blue = channels(printed)
            operator = self.for_grey(red / 255) if red == green == blue else self.for_colour(printed)
            self.operators[colour, words] = operator
        return self.operators[colour, words]

    def printed(self, colour: str, words: bool) -> str:
        """Return the colour that is printed instead of this one: itself."""
        return colour

    def for_grey(self, light: float) -> str:
        """Return the operator for a grey from 0 (black) to 1 (white). DeviceGray uses black ink only."""
        return f"{light:.3f} g"

    def for_colour(self, colour: str) -> str:
        """Return the operator for a colour that is no grey."""
        return _stated(bytes(channels(colour)), "rg")


def _stated(parts: bytes, operator: str) -> str:
    """Return an operator after the parts of a colour, each 0 to 255, which PDF takes as 0 to 1."""
    return " ".join([*(f"{part / 255:.3f}" for part in parts), operator])


# The ICC profile of coated paper in offset printing as in CGATS TR 006, with at most 240 % of all inks
# together, which every press and service takes (decision 0020). coated/README.md says how it was made.
COATED = (Path(__file__).parent / "coated" / "coated.icc").read_bytes()
# The JPEG quality of pictures in inks. A lower one leaves fringes at edges, with more ink than is allowed.
QUALITY = 95


class PressInks(Inks):
    """Inks for a press, mixed by the profile of its paper, which limits the sum of all inks.

    Words are in black only.
    """

    def __init__(self) -> None:
        super().__init__()
        srgb, paper = ImageCms.createProfile("sRGB"), ImageCms.ImageCmsProfile(BytesIO(COATED))
        self.by_profile = ImageCms.buildTransform(srgb, paper, "RGB", "CMYK", ImageCms.Intent.PERCEPTUAL)

    def printed(self, colour: str, words: bool) -> str:
        """Return the colour itself for shapes, and a grey that is as light for words."""
        return grey_of(colour) if words else colour

    def for_grey(self, light: float) -> str:
        """Return the operator for a grey, with black ink only, in DeviceCMYK, which is printed as it is."""
        return f"0 0 0 {1 - light:.3f} k"

    def for_colour(self, colour: str) -> str:
        """Return the operator for a colour that is no grey, in DeviceCMYK by the profile."""
        return _stated(self.by_profile.apply(Image.new("RGB", (1, 1), colour)).tobytes(), "k")

    def picture(self, ref: PictureRef, grey: bool) -> bytes:
        """Return the whole stored picture as JPEG in the four inks of the press; if ``grey``, in black only.

        Raise PictureLost.
        """
        picture, out = as_stored(ref), BytesIO()
        inked = picture.convert("L") if grey else self.by_profile.apply(picture)
        inked.save(out, "JPEG", quality=QUALITY, subsampling=0)
        return out.getvalue()


# -- a file for a press ------------------------------------------------------------------


def declare_paper(canvas: Canvas) -> None:
    """Declare the paper for which the inks are mixed, as PDF/X asks: coated paper of TR 006.

    An output intent (§ 14.11.5): /OutputConditionIdentifier is its name in the registry of color.org, the
    other words are for people, and /DestOutputProfile is the profile with its 4 colours.
    """
    condition = (
        b"/Type/OutputIntent/S/GTS_PDFX/OutputConditionIdentifier(CGATS TR 006)"
        b"/RegistryName(http://www.color.org)/OutputCondition(Offset on coated paper, grade 1)"
        b"/Info(CGATS TR 006, at most 240 % of ink)"
    )
    intent = Entry(condition, b"/DestOutputProfile ", Streamed([b"/N 4"], lambda: COATED))
    add_to_catalogue(canvas, "OutputIntents", PDFArray([intent]))


# Cutting machines look for lines in a spot colour of this name.
CUT = b"CutContour"
# The colour space /Cut is that spot colour (§ 8.6.6.4). Where there is no such ink it looks like magenta: the
# function (§ 7.10.3) goes from no ink, C0, to full magenta, C1, of CMYK.
# The graphics state /Over (§ 8.4.5, § 8.6.7): OP and op print pen and fill on top of what is below instead of
# replacing it, and with OPM 1 an ink of 0 leaves what is there.
_RESOURCES = (
    b"/Resources<</ColorSpace<</Cut[/Separation/%b/DeviceCMYK"
    b"<</FunctionType 2/Domain[0 1]/N 1/C0[0 0 0 0]/C1[0 1 0 0]>>]>>"
    b"/ExtGState<</Over<</OP true/op true/OPM 1>>>>>>"
) % CUT
# A quarter of a point, in micrometres.
PEN = 88


class CutLines:
    """The cut lines of a file, on a separate layer (an optional content group, § 8.11).

    Each different outline is a form (§ 8.10), which pages draw by its name. In the file, with the layer as
    object 29 and the resources above for ``...``::

        <</Type/XObject/Subtype/Form/BBox[0 0 69350 94350]/Resources<<...>>/OC 29 0 R /Length 235>>
        stream
        /Over gs /Cut CS 1 SCN 88 w
        6175 3175 m
        63175 3175 l
        64831 3175 66175 4519 66175 6175 c  (and so on, around the card)
        h
        S
        endstream
    """

    def __init__(self, canvas: Canvas) -> None:
        self.canvas, self.names = canvas, dict[str, str]()
        self.layer = layer = Entry(b"/Type/OCG/Name(%b)" % CUT)
        # OCGs lists all layers. D says how a viewer begins: which layers its list shows, and which are on.
        parts = (b"/OCGs[", layer, b"]/D<</Name(Layers)/Order[", layer, b"]/ON[", layer, b"]>>")
        add_to_catalogue(canvas, "OCProperties", Entry(*parts))

    def form_of(self, outlines: str, paper: tuple[int, int]) -> str:
        """Return the name of the form with these outlines (operators), which is made at its first use."""
        if outlines not in self.names:
            self.names[outlines] = f"cut{len(self.names)}"
            head = b"/Type/XObject/Subtype/Form/BBox[0 0 %d %d]" % paper + _RESOURCES
            content = f"/Over gs /Cut CS 1 SCN {PEN} w\n{outlines}\nS".encode()
            form = Streamed([head, b"/OC ", self.layer], lambda: content)
            document_of(self.canvas).addForm(self.names[outlines], form)
        return self.names[outlines]
