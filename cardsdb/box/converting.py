"""Pictures that are not stored as they came, made PNG or JPEG once: of other kinds (GIF, BMP, TIFF, HEIC,
AVIF), that move, or of more pixels than any printer shows.
"""

import math
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from io import BytesIO

from pi_heif import register_heif_opener  # type: ignore[import-untyped]
from PIL import Image, ImageOps, TiffImagePlugin

from cardsdb.box.picture_files.bounds import PRIVATE, Bounds, Rejected, damaged
from cardsdb.box.picture_files.kinds import STORED, size_of

register_heif_opener()
# Pillow warns of more pixels, and refuses twice as many, before any bound of ours is asked.
Image.MAX_IMAGE_PIXELS = PRIVATE.pixels

# Pillow's kinds of pixels that a PNG can hold, and those that are numbers rather than colours.
FOR_PNG, NUMBERS = {"1", "L", "P", "LA", "RGB", "RGBA", "I;16"}, {"I", "F"}
# What was coded with loss is so again, at a quality at which no eye sees it, and its colours at full size.
LOSSY, QUALITY = {"jpeg", "heif", "avif"}, 95
# How hard a PNG is packed: a tenth more bytes than usual for a third of the time.
PACKED = 3
# Rows of a smaller picture that are made at once.
BAND = 64
FIRST = "has several frames or pages, of which the first is taken."
# Tags of TIFF: a small copy of another picture, and the version of a digital negative.
SUBFILE, NEGATIVE = 254, 50706
RAW = (
    "is a raw file of a camera, of which only a small copy can be read. Save it as JPEG or PNG and send that."
)


@contextmanager
def opened(kind: str, data: bytes) -> Iterator[Image.Image]:
    """The picture, of which so far the header is read. Raises Rejected, for whatever a decoder trips over,
    too.
    """
    try:
        with Image.open(BytesIO(data), formats=[kind]) as picture:
            yield picture
    except Rejected:
        raise
    # Decoders have a dozen names for it; memory and interrupts are not caught.
    except (
        *(OSError, ValueError, SyntaxError, LookupError, TypeError, EOFError, ArithmeticError, RuntimeError),
        *(Image.DecompressionBombError, Image.DecompressionBombWarning),
    ):
        raise damaged("it cannot be decoded") from None


def header_size(kind: str, data: bytes) -> tuple[int, int]:
    """Width and height in pixels of a picture of any kind that is taken, from its header. Raises Rejected."""
    if kind in STORED:
        return size_of(kind, data)
    with opened(kind, data) as picture:
        return picture.size


def converted(kind: str, data: bytes, bounds: Bounds) -> tuple[bytes, list[str]]:
    """(the first frame upright, as PNG or JPEG of no more pixels than are fine; remarks on what is not as it
    was). A PNG of more bytes than may be becomes a JPEG, unless it is see-through. Raises Rejected.
    """
    remarks = []
    with opened(kind, data) as picture:
        if isinstance(picture, TiffImagePlugin.TiffImageFile):
            if picture.tag_v2.get(SUBFILE, 0) & 1 or NEGATIVE in picture.tag_v2 or data[8:10] == b"CR":
                raise Rejected("wrong_kind", RAW)
        if kind not in ("jpeg", "png") and _has_second(kind, data):
            remarks.append(FIRST)
        fine: Image.Image = picture
        if (by := _times(picture.size, bounds.fine)) > 1:
            width, height = picture.size
            # A JPEG is decoded small at once, so that it takes no memory for what is not shown.
            picture.draft(picture.mode, (width // by, height // by))
            fine = _reduced(picture, _times(picture.size, bounds.fine))
            now = f"now it has {fine.width} x {fine.height}, which is finer than printers are"
            remarks.append(f"had {width} x {height} pixels; {now}.")
        return _coded(ImageOps.exif_transpose(fine), kind in LOSSY, bounds.bytes), remarks


def _times(size: tuple[int, int], fine: int) -> int:
    """Return by how much the sides of a picture are too long."""
    return math.ceil(math.sqrt(size[0] * size[1] / fine))


def _reduced(picture: Image.Image, by: int) -> Image.Image:
    """The picture with sides so many times shorter, made band by band, so that only its own pixels take
    memory.
    """
    # A TIFF is upright as soon as it is decoded.
    picture.load()
    see_through = "RGBA" if picture.has_transparency_data else "RGB"
    mode = {"1": "L", "P": see_through, "PA": see_through, "I;16": "I"}.get(picture.mode, picture.mode)
    width, height = picture.size
    made = Image.new(mode, (-(-width // by), -(-height // by)))
    for top in range(0, height, by * BAND):
        band = picture.crop((0, top, width, min(height, top + by * BAND)))
        made.paste(band.convert(mode).reduce(by), (0, top // by))
    made.info = {key: picture.info[key] for key in ("icc_profile", "exif") if key in picture.info}
    return made.convert("I;16") if mode == "I" and picture.mode != "I" else made


def _has_second(kind: str, data: bytes) -> bool:
    """Say whether there is a second frame. The file is opened again for it: there the picture has another
    size then.
    """
    with suppress(Rejected), opened(kind, data) as picture:
        picture.seek(1)
        return True
    return False


def _coded(picture: Image.Image, is_lossy: bool, most: int) -> bytes:
    see_through, profile = picture.has_transparency_data, picture.info.get("icc_profile")
    if picture.mode in NUMBERS:
        raise Rejected(
            "rare_kind", "has numbers instead of colours. Save it as an ordinary PNG and send that."
        )
    if picture.mode not in FOR_PNG | {"CMYK"}:
        to = "I;16" if picture.mode.startswith("I;16") else "RGBA" if see_through else "RGB"
        picture, profile = picture.convert(to), profile if picture.mode in ("PA", "RGBX", "I;16B") else None
    out = BytesIO()
    if picture.mode != "CMYK" and not (is_lossy and not see_through):
        picture.save(out, "PNG", icc_profile=profile, compress_level=PACKED)
        if out.tell() <= most or see_through or picture.mode == "I;16":
            return out.getvalue()
        out = BytesIO()
    shown = picture if picture.mode in ("L", "RGB", "CMYK") else picture.convert("RGB")
    shown.save(out, "JPEG", quality=QUALITY, subsampling=0, icc_profile=profile)
    return out.getvalue()
