"""Colours as inks: their operators in a PDF for a printer at home, and for a press.

``pdf.py`` asks for the operators, each colour of a document once; ``pdf_press.py`` says in the file for which
paper they are. Colours are ``#rrggbb``.
"""

from io import BytesIO
from pathlib import Path

from PIL import Image, ImageCms

from cardsdb.box.picture_files.ref import PictureRef
from printing.faces.colours import BLACK, FAINT, INK, ROLES, channels, grey_of
from printing.render.png import as_stored

# A colour of the family (``colours.ROLES``) -> the grey in its place on paper. These colours are warm on
# screens and printed with black alone: inks that are printed over each other leave fringes round letters and
# hair lines. The darkest becomes the whole black, also as a grey, because a printer makes greys of dots.
_IN_BLACK = {colour: grey_of(colour) for colour in (*ROLES.values(), FAINT)} | dict.fromkeys(
    (INK, grey_of(INK)), BLACK
)


class Inks:
    """Inks for a printer at home, which mixes its own from RGB. ``seen``, ``grey`` and ``mixed`` are what
    other inks do otherwise.
    """

    def __init__(self) -> None:
        # (colour, for words) -> its operator, made once.
        self.operators: dict[tuple[str, bool], str] = {}

    def of(self, colour: str, words: bool = False) -> str:
        """The operator that sets the fill to this colour, for shapes or for words, such as ``0.000 g``. The
        same operator in capitals sets the pen.
        """
        if (colour, words) not in self.operators:
            seen = self.seen(_IN_BLACK.get(colour, colour), words)
            light, *others = channels(seen)
            is_grey = others == [light, light]
            self.operators[colour, words] = self.grey(light / 255) if is_grey else self.mixed(seen)
        return self.operators[colour, words]

    def seen(self, colour: str, words: bool) -> str:
        """The colour that is printed in place of this one, for shapes or for words: here the same."""
        return colour

    def grey(self, light: float) -> str:
        """The operator for a grey from 0 (black) to 1 (white): in DeviceGray, for black ink alone."""
        return f"{light:.3f} g"

    def mixed(self, colour: str) -> str:
        """The operator for a colour that is no grey: in DeviceRGB."""
        return _stated(bytes(channels(colour)), "rg")


def _stated(parts: bytes, operator: str) -> str:
    """An operator behind the parts of a colour, each 0 to 255, which it takes as 0 to 1."""
    return " ".join([*(f"{part / 255:.3f}" for part in parts), operator])


# The ICC profile of coated paper in offset printing, as CGATS TR 006 describes it, with at most 240 % of all
# inks together, which every press and service takes (decision 0020). The README beside it says how it was
# made.
COATED = (Path(__file__).parent / "coated" / "coated.icc").read_bytes()
# JPEG's quality for pictures in inks: a lower one gives edges fringes, and fringes more ink than is allowed.
QUALITY = 95


class PressInks(Inks):
    """Inks for a press, mixed by the profile of its paper: together they are never more than the profile
    allows. Words are printed with black alone, because inks never lie exactly over each other.
    """

    def __init__(self) -> None:
        super().__init__()
        srgb, paper = ImageCms.createProfile("sRGB"), ImageCms.ImageCmsProfile(BytesIO(COATED))
        self.by_profile = ImageCms.buildTransform(srgb, paper, "RGB", "CMYK", ImageCms.Intent.PERCEPTUAL)

    def seen(self, colour: str, words: bool) -> str:
        """The colour that is printed in place of this one: the same for shapes, a grey as light for words."""
        return grey_of(colour) if words else colour

    def grey(self, light: float) -> str:
        """The operator for a grey from 0 (black) to 1 (white): black alone in DeviceCMYK, which the press
        prints as it is.
        """
        return f"0 0 0 {1 - light:.3f} k"

    def mixed(self, colour: str) -> str:
        """The operator for a colour that is no grey: in DeviceCMYK, by the profile."""
        return _stated(self.by_profile.apply(Image.new("RGB", (1, 1), colour)).tobytes(), "k")

    def picture(self, ref: PictureRef, grey: bool) -> bytes:
        """The bytes of a JPEG of the whole stored picture, in the four inks of the press, with ``grey`` in
        black alone. Raises PictureLost.
        """
        picture, out = as_stored(ref), BytesIO()
        inked = picture.convert("L") if grey else self.by_profile.apply(picture)
        inked.save(out, "JPEG", quality=QUALITY, subsampling=0)
        return out.getvalue()
