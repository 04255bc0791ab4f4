"""What a PDF for a press needs besides its inks: the paper for which they are, and cut lines on a separate
layer.
"""

from reportlab.pdfbase.pdfdoc import PDFArray
from reportlab.pdfgen.canvas import Canvas

from printing.render.pdf_document import Entry, Streamed, add_to_catalogue, document_of


def declare_paper(canvas: Canvas, profile: bytes) -> None:
    """Declare the paper for which the inks are mixed, as PDF/X asks: coated paper of TR 006."""
    condition = (
        b"/Type/OutputIntent/S/GTS_PDFX/OutputConditionIdentifier(CGATS TR 006)/RegistryName(http://www.color.org)"
        b"/OutputCondition(Offset on coated paper, grade 1)/Info(CGATS TR 006, at most 240 % of ink)"
    )
    intent = Entry(condition, b"/DestOutputProfile ", Streamed([b"/N 4"], lambda: profile))
    add_to_catalogue(canvas, "OutputIntents", PDFArray([intent]))


# Cutting machines look for lines in a spot colour of this name. ``_OVER`` prints them on top of what is below
# instead of replacing it. The pen is a quarter of a point, in micrometres.
CUT = b"CutContour"
_SPOT = (
    b"/ColorSpace<</Cut[/Separation/%b/DeviceCMYK<</FunctionType 2/Domain[0 1]/N 1/C0[0 0 0 0]/C1[0 1 0"
    b" 0]>>]>>"
)
_OVER = b"/ExtGState<</Over<</OP true/op true/OPM 1>>>>"
PEN = 88


class CutLines:
    """The cut lines of a file, on a separate layer."""

    def __init__(self, canvas: Canvas) -> None:
        self.canvas, self.names = canvas, dict[str, str]()
        self.layer = Entry(b"/Type/OCG/Name(%b)" % CUT)
        # <</OCGs[layer]/D<</Name(Layers)/Order[layer]/ON[layer]>>>>
        parts = [
            part for key in (b"/OCGs[", b"]/D<</Name(Layers)/Order[", b"]/ON[") for part in (key, self.layer)
        ]
        add_to_catalogue(canvas, "OCProperties", Entry(*parts, b"]>>"))

    def name(self, outlines: str, paper: tuple[int, int]) -> str:
        """Return the name of the form with these outlines, which is made when it is first used."""
        if outlines not in self.names:
            self.names[outlines] = f"cut{len(self.names)}"
            head = b"/Type/XObject/Subtype/Form/BBox[0 0 %d %d]/Resources<<" % paper + _SPOT % CUT + _OVER
            content = f"/Over gs /Cut CS 1 SCN {PEN} w\n{outlines}\nS".encode()
            form = Streamed([head, b">>/OC ", self.layer], lambda: content)
            document_of(self.canvas).addForm(self.names[outlines], form)
        return self.names[outlines]
