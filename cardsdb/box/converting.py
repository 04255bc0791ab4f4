"""Convert pictures that are not stored as they came to PNG or JPEG: other kinds (GIF, BMP, TIFF, HEIC, AVIF),
moving pictures, and pictures with more pixels than any printer shows.

``intake`` calls ``converted`` under its ``decoding`` lock. All decoding by Pillow goes through ``opened``,
which turns each decoder's errors into Rejected. Tests: ``tests/cardsdb/box/test_converting.py``.
"""

import math
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from io import BytesIO

from pi_heif import register_heif_opener  # type: ignore[import-untyped]
from PIL import Image, ImageOps, PngImagePlugin, TiffImagePlugin

from cardsdb.box.picture_files.bounds import MAX_PROFILE, PRIVATE, Bounds, Rejected, damaged
from cardsdb.box.picture_files.kinds import STORED, size_of

register_heif_opener()
# Pillow warns at this number of pixels, and refuses at twice as many, before our own bounds are checked.
Image.MAX_IMAGE_PIXELS = PRIVATE.pixels
# Pillow refuses a PNG whose unpacked colour profile is larger than this. The same limit covers text chunks,
# which ``kinds.clean`` removes anyway.
PngImagePlugin.MAX_TEXT_CHUNK = MAX_PROFILE

# Pillow modes that a PNG can hold.
FOR_PNG = {"1", "L", "P", "LA", "RGB", "RGBA", "I;16"}
# Pillow modes that hold numbers instead of colours.
NUMBERS = {"I", "F"}
# Lossy originals are saved as JPEG again.
LOSSY = {"jpeg", "heif", "avif"}
# The JPEG quality, without visible loss; colour is kept at full resolution (no subsampling).
QUALITY = 95
# PNG compression level: files are a tenth larger than at the default 6, in a third of the time.
PACKED = 3
# Rows of a reduced picture that are made at once.
BAND = 64
# Decoders raise all of these for damaged files. MemoryError and KeyboardInterrupt are not among them.
DECODER_ERRORS = (
    *(OSError, ValueError, SyntaxError, LookupError, TypeError, EOFError, ArithmeticError, RuntimeError),
    *(Image.DecompressionBombError, Image.DecompressionBombWarning),
)
FIRST = "has several frames or pages, of which the first is taken."
# NewSubfileType, the TIFF tag whose bit 0 marks a reduced copy of another picture (TIFF 6.0, section 8).
SUBFILE = 254
# DNGVersion, the tag that only DNG raw files have (DNG specification, chapter 4).
NEGATIVE = 50706
RAW = (
    "is a raw file of a camera, of which only a small copy can be read. Save it as JPEG or PNG and send that."
)


@contextmanager
def opened(kind: str, data: bytes) -> Iterator[Image.Image]:
    """Open a picture and read its header. Any error of a decoder inside the block becomes Rejected."""
    try:
        with Image.open(BytesIO(data), formats=[kind]) as picture:
            yield picture
    except Rejected:
        raise
    except DECODER_ERRORS:
        raise damaged("it cannot be decoded") from None


def header_size(kind: str, data: bytes) -> tuple[int, int]:
    """Return (width, height) in pixels from the header of a picture of any accepted kind. Raises Rejected."""
    if kind in STORED:
        return size_of(kind, data)
    with opened(kind, data) as picture:
        return picture.size


def converted(kind: str, data: bytes, bounds: Bounds) -> tuple[bytes, list[str]]:
    """Return (first frame, upright, as PNG or JPEG; remarks on what changed).

    It has at most ``bounds.fine`` pixels. A PNG with more than ``bounds.bytes`` becomes a JPEG, unless it is
    see-through. Raises Rejected.
    """
    remarks = []
    with opened(kind, data) as picture:
        if isinstance(picture, TiffImagePlugin.TiffImageFile):
            # A raw file shows only a preview: DNG has the tag, CR2 the letters "CR" at byte 8.
            if picture.tag_v2.get(SUBFILE, 0) & 1 or NEGATIVE in picture.tag_v2 or data[8:10] == b"CR":
                raise Rejected("wrong_kind", RAW)
        if kind not in ("jpeg", "png") and _has_second(kind, data):
            remarks.append(FIRST)
        fine: Image.Image = picture
        if (factor := _times(picture.size, bounds.fine)) > 1:
            width, height = picture.size
            # A JPEG can be decoded at a smaller size at once, which saves memory. Pillow chooses that size
            # (not below the wanted one), so the rest of the factor is calculated anew.
            picture.draft(picture.mode, (width // factor, height // factor))
            fine = _reduced(picture, _times(picture.size, bounds.fine))
            now = f"now it has {fine.width} x {fine.height}, which is finer than printers are"
            remarks.append(f"had {width} x {height} pixels; {now}.")
        return _coded(ImageOps.exif_transpose(fine), kind in LOSSY, bounds.bytes), remarks


def _times(size: tuple[int, int], fine: int) -> int:
    """Return the whole number by which to divide both sides so that at most ``fine`` pixels remain: 2 for
    8,000 x 6,000 and 25 million, 1 for a picture that has fewer already.
    """
    return math.ceil(math.sqrt(size[0] * size[1] / fine))


def _reduced(picture: Image.Image, by: int) -> Image.Image:
    """Return the picture with both sides divided by ``by``. It is reduced band by band, so only the original
    takes much memory.
    """
    # Pillow applies a TIFF's orientation while loading, which may swap width and height.
    picture.load()
    see_through = "RGBA" if picture.has_transparency_data else "RGB"
    # The mode of Pillow in which pixels can be averaged: black and white becomes grey, a palette its colours.
    mode = {"1": "L", "P": see_through, "PA": see_through, "I;16": "I"}.get(picture.mode, picture.mode)
    width, height = picture.size
    # Both sides divided and rounded up, as ``reduce`` does.
    made = Image.new(mode, (-(-width // by), -(-height // by)))
    for top in range(0, height, by * BAND):
        band = picture.crop((0, top, width, min(height, top + by * BAND)))
        made.paste(band.convert(mode).reduce(by), (0, top // by))
    made.info = {key: picture.info[key] for key in ("icc_profile", "exif") if key in picture.info}
    # 16-bit grey was widened to be reduced.
    return made.convert("I;16") if picture.mode == "I;16" else made


def _has_second(kind: str, data: bytes) -> bool:
    """True if there is a second frame. The file is opened again, because seeking may change the size of the
    picture that the caller works on.
    """
    with suppress(Rejected), opened(kind, data) as picture:
        picture.seek(1)
        return True
    return False


def _coded(picture: Image.Image, is_lossy: bool, most: int) -> bytes:
    """Return the picture as a file. It is a JPEG if it is CMYK; if the original is lossy and not see-through;
    or if the PNG would have more than ``most`` bytes and is neither see-through nor 16-bit grey. Else it is a
    PNG.
    """
    see_through, profile = picture.has_transparency_data, picture.info.get("icc_profile")
    if picture.mode in NUMBERS:
        raise Rejected(
            "rare_kind", "has numbers instead of colours. Save it as an ordinary PNG and send that."
        )
    if picture.mode not in FOR_PNG | {"CMYK"}:
        if picture.mode not in ("PA", "RGBX", "I;16B"):
            # Converting changes the colours that the profile describes, as of YCbCr or Lab.
            profile = None
        mode = "I;16" if picture.mode.startswith("I;16") else "RGBA" if see_through else "RGB"
        picture = picture.convert(mode)
    out = BytesIO()
    if picture.mode != "CMYK" and (see_through or not is_lossy):
        picture.save(out, "PNG", icc_profile=profile, compress_level=PACKED)
        if out.tell() <= most or see_through or picture.mode == "I;16":
            return out.getvalue()
        out = BytesIO()
    shown = picture if picture.mode in ("L", "RGB", "CMYK") else picture.convert("RGB")
    shown.save(out, "JPEG", quality=QUALITY, subsampling=0, icc_profile=profile)
    return out.getvalue()
