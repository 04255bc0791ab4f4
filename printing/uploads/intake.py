"""Take a picture in: bounds by its header, cleaned without touching the pixels, decoded once in full to see that it is whole."""

from __future__ import annotations

import contextlib
import hashlib
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from io import BytesIO

from PIL import Image, PngImagePlugin

from cardsdb.site.errors import SOON
from cardsdb.site.faults import Fault, Refused
from printing.pictures import jpeg, kinds, png
from printing.pictures.kinds import PILLOW, kind_of, orientation, size_of
from printing.pictures.limits import MAX_BYTES, MAX_PROFILE, MEGABYTE, Allowance, Rejected, damaged

# The most bytes of a picture that must be unpacked to be printed.
MAX_UNPACKED = 60 * MEGABYTE
# How hard it is packed again: a tenth more bytes than usual for a third of the time.
PACKED = 3

# Pillow calls a PNG damaged whose colour profile is larger than this when unpacked; it is its bound for words too, which we take out.
PngImagePlugin.MAX_TEXT_CHUNK = MAX_PROFILE

# Seconds to wait for one's turn. A picture takes a few at most, so a queue that lasts longer does not get shorter.
MAX_WAIT = 20
BUSY = "Too many pictures are being looked at just now. Try again in a minute."
_one_at_a_time = threading.Lock()


@contextlib.contextmanager
def decoding() -> Iterator[None]:
    """Pictures are decoded one at a time in each process: 25 million pixels are 100 MB. Raises Refused, with 503, on a busy machine."""
    if not _one_at_a_time.acquire(timeout=MAX_WAIT):
        raise Refused(Fault("busy", BUSY, "files"), status=503, wait=SOON)
    try:
        yield
    finally:
        _one_at_a_time.release()


@dataclass(frozen=True, slots=True)
class CleanPicture:
    """A picture as it is stored. ``colour`` and ``mask``: the same pixels as plain PNG, for a picture that a PDF cannot hold as it is.

    ``lost_profile``: its colour profile was broken and is left out.
    """

    kind: str
    data: bytes
    width: int
    height: int
    mirrored: bool
    turn: int
    colour: bytes = b""
    mask: bytes = b""
    lost_profile: bool = False

    @property
    def sha256(self) -> str:
        return hashlib.sha256(self.data).hexdigest()

    @property
    def bytes(self) -> int:
        return len(self.data) + len(self.colour) + len(self.mask)


def take(data: bytes, size: int = 0, allowance: Allowance | None = None) -> CleanPicture:
    """The picture of an uploaded file, of which ``data`` is the beginning where its ``size`` is more; its pixels count as spent.

    Raises Rejected, with the reason and what to do, before anything large is decoded; Refused on a busy machine.
    """
    if len(data) > MAX_BYTES:
        # Rounded up: the message must not give a picture that is slightly too large the size that is allowed.
        tenths = -(-max(size, len(data)) * 10 // MEGABYTE)
        raise Rejected("too_large", f"has {tenths / 10:.1f} MB; {MAX_BYTES // MEGABYTE} MB are the most. Save it smaller.")
    kind = kind_of(data)
    if kind == "png":
        # Looking whether it is whole unpacks it already.
        _spend(allowance, kind, data)
    clean = kinds.clean(kind, data)
    if kind != "png":
        _spend(allowance, kind, clean)
    mirrored, turn = orientation(kind, data)
    with decoding():
        width, height, colour, mask = _decoded(kind, clean)
    if len(colour) + len(mask) > MAX_UNPACKED:
        raise Rejected("too_large", "becomes larger than 60 MB when it is unpacked for printing. Save it as a JPEG, or smaller.")
    lost_profile = kinds.has_profile(kind, data) and not kinds.has_profile(kind, clean)
    return CleanPicture(kind, clean, width, height, mirrored, turn, colour, mask, lost_profile)


def _spend(allowance: Allowance | None, kind: str, data: bytes) -> None:
    if allowance:
        width, height = size_of(kind, data)
        allowance.spend(width * height * (jpeg.walks(data) if kind == "jpeg" else 1))


def _decoded(kind: str, clean: bytes) -> tuple[int, int, bytes, bytes]:
    """(width, height, colour, mask) after every pixel was decoded."""
    expected = size_of(kind, clean)
    try:
        with Image.open(BytesIO(clean), formats=[PILLOW[kind]]) as picture:
            if picture.size != expected:
                raise damaged("it says two different sizes")
            picture.load()
            if kind == "jpeg" or (kind == "png" and png.read_png(clean).fits_pdf):
                return *expected, b"", b""
            return *expected, *_plain(picture)
    except Rejected:
        raise
    # Whatever a decoder trips over (it has a dozen names for it) is a damaged file; memory and interrupts are not caught.
    except (OSError, ValueError, SyntaxError, IndexError, KeyError, TypeError, EOFError, ArithmeticError, Image.DecompressionBombError):
        raise damaged("it cannot be decoded") from None


def _plain(picture: Image.Image) -> tuple[bytes, bytes]:
    """The same pixels as PNG without interlacing; and a PNG of their opacity, empty if all of them are opaque."""
    profile = picture.info.get("icc_profile")
    mask = b""
    if picture.has_transparency_data and picture.mode != "I;16":
        picture = picture if picture.mode in ("RGBA", "LA") else picture.convert("RGBA")
        opacity = picture.getchannel("A")
        if opacity.getextrema() != (255, 255):
            mask = _png(opacity)
        del opacity
    if picture.mode not in ("L", "RGB", "I;16"):
        picture = picture.convert("L" if picture.mode in ("1", "LA") else "RGB")
    picture.info = {}
    return _png(picture, profile), mask


def _png(picture: Image.Image, profile: bytes | None = None) -> bytes:
    out = BytesIO()
    picture.save(out, "PNG", icc_profile=profile, compress_level=PACKED)
    return out.getvalue()
