"""The parts of a PDF that a press needs besides its inks: the paper that they are for, and cut lines on a
layer of their own.
"""

from reportlab.pdfbase.pdfdoc import PDFArray
from reportlab.pdfgen.canvas import Canvas

from printing.render.pdf_document import Entry, Streamed, catalogued, document_of


def press(canvas: Canvas, profile: bytes) -> None:
    """Declare the paper for which the inks of the file are made: coated paper by TR 006, as this profile has
    it.
    """
    said = (
        b"/Type/OutputIntent/S/GTS_PDFX/OutputConditionIdentifier(CGATS TR 006)/RegistryName(http://www.color.org)"
        b"/OutputCondition(Offset on coated paper, grade 1)/Info(CGATS TR 006, at most 240 % of ink)"
    )
    intent = Entry(said, b"/DestOutputProfile ", Streamed([b"/N 4"], lambda: profile))
    catalogued(canvas, "OutputIntents", PDFArray([intent]))


# Cut lines as machines know them: a spot colour of this name, a quarter of a point thick, printed over what
# lies below.
CUT = b"CutContour"
_SPOT = (
    b"/ColorSpace<</Cut[/Separation/%b/DeviceCMYK<</FunctionType 2/Domain[0 1]/N 1/C0[0 0 0 0]/C1[0 1 0"
    b" 0]>>]>>"
)
_OVER = b"/ExtGState<</Over<</OP true/op true/OPM 1>>>>"
PEN = 88


class CutLines:
    """The cut lines of a file, on a layer of their own."""

    def __init__(self, canvas: Canvas) -> None:
        self.canvas, self.names = canvas, dict[str, str]()
        self.layer = Entry(b"/Type/OCG/Name(%b)" % CUT)
        parts = [
            part for key in (b"/OCGs[", b"]/D<</Name(Layers)/Order[", b"]/ON[") for part in (key, self.layer)
        ]
        catalogued(canvas, "OCProperties", Entry(*parts, b"]>>"))

    def name(self, outlines: str, paper: tuple[int, int]) -> str:
        """The name of the form with these outlines, which is made at its first use."""
        if outlines not in self.names:
            self.names[outlines] = f"cut{len(self.names)}"
            head = b"/Type/XObject/Subtype/Form/BBox[0 0 %d %d]/Resources<<" % paper + _SPOT % CUT + _OVER
            drawn = f"/Over gs /Cut CS 1 SCN {PEN} w\n{outlines}\nS".encode()
            form = Streamed([head, b">>/OC ", self.layer], lambda: drawn)
            document_of(self.canvas).addForm(self.names[outlines], form)
        return self.names[outlines]
