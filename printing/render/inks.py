"""Colours as inks: their operators in a PDF for a printer at home, and for a press."""

from io import BytesIO
from pathlib import Path

from PIL import Image, ImageCms

from cardsdb.box.picture_files.ref import PictureRef
from printing.faces.colours import BLACK, FAINT, INK, ROLES, channels, grey_of
from printing.render.png import as_stored

# The inks of the family are warm on screens and printed with black alone: colours that are printed over each
# other leave fringes round letters and hair lines. The darkest is the whole of the black, because a grey
# would be made of dots.
_IN_BLACK = {colour: grey_of(colour) for colour in (*ROLES.values(), FAINT)} | dict.fromkeys(
    (INK, grey_of(INK)), BLACK
)


class Inks:
    """Inks for a printer at home, which mixes its own from RGB."""

    def __init__(self) -> None:
        self.operators: dict[tuple[str, bool], str] = {}

    def of(self, colour: str, words: bool = False) -> str:
        """The operator that sets the fill to this colour, for shapes or for words; in capitals it sets the
        pen.
        """
        if (colour, words) not in self.operators:
            seen = self.seen(_IN_BLACK.get(colour, colour), words)
            light, *others = channels(seen)
            is_grey = others == [light, light]
            self.operators[colour, words] = self.grey(light / 255) if is_grey else self.mixed(seen)
        return self.operators[colour, words]

    def seen(self, colour: str, words: bool) -> str:
        """The colour that is printed for this one."""
        return colour

    def grey(self, light: float) -> str:
        """The operator for a grey, 0 to 1: in DeviceGray, to be printed with black ink alone."""
        return f"{light:.3f} g"

    def mixed(self, colour: str) -> str:
        """The operator for a colour that is no grey."""
        return _stated(bytes(channels(colour)), "rg")


def _stated(parts: bytes, operator: str) -> str:
    """An operator with the parts of a colour, 0 to 255, before it."""
    return " ".join([*(f"{part / 255:.3f}" for part in parts), operator])


# Coated paper in offset printing, as CGATS TR 006 describes it, with at most 240 % of all inks together: the
# least that a press or a service asks for. The README beside the profile tells how it was made.
COATED = (Path(__file__).parent / "coated" / "coated.icc").read_bytes()
# JPEG's quality for pictures in inks: below it edges get fringes, and fringes more ink than they may have.
QUALITY = 95


class PressInks(Inks):
    """Inks for a press, by the profile of its paper: together never more than the profile allows, and black
    alone for words, because inks never lie exactly over each other.
    """

    def __init__(self) -> None:
        super().__init__()
        srgb, paper = ImageCms.createProfile("sRGB"), ImageCms.ImageCmsProfile(BytesIO(COATED))
        self.by_profile = ImageCms.buildTransform(srgb, paper, "RGB", "CMYK", ImageCms.Intent.PERCEPTUAL)

    def seen(self, colour: str, words: bool) -> str:
        """The colour that is printed for this one; for words a grey that is as light."""
        return grey_of(colour) if words else colour

    def grey(self, light: float) -> str:
        """The operator for a grey as so much black in the inks of the press, which converts it no more."""
        return f"0 0 0 {1 - light:.3f} k"

    def mixed(self, colour: str) -> str:
        """The operator for a colour that is no grey."""
        return _stated(self.by_profile.apply(Image.new("RGB", (1, 1), colour)).tobytes(), "k")

    def picture(self, ref: PictureRef, grey: bool) -> bytes:
        """The whole picture as it is stored, in inks, as JPEG; with ``grey`` in black alone. Raises
        PictureLost.
        """
        picture, out = as_stored(ref), BytesIO()
        inked = picture.convert("L") if grey else self.by_profile.apply(picture)
        inked.save(out, "JPEG", quality=QUALITY, subsampling=0)
        return out.getvalue()
