"""Intake of uploaded pictures: check, clean and decode one file, and return it ready to store.

``take`` is the entrance, called by uploads (``jobs.py``), card forms (``placing.py``) and packages
(``pictures.py``); it returns a ``CleanPicture``. Order matters for safety: the header is checked against the
bounds first, then metadata is cut out of the bytes, and only then are the pixels decoded, once. Nothing here
writes to a store or the database. ``picture_store.py`` and ``printing/render/png.py`` use the parts that look
at pixels. Tests: ``tests/cardsdb/box/test_intake.py``.
"""

import contextlib
import hashlib
import threading
from collections.abc import Iterator
from functools import reduce
from io import BytesIO
from typing import Any, NamedTuple

from PIL import Image, ImageChops, ImageCms, PngImagePlugin

from cardsdb.box.converting import FIRST, PACKED, converted, header_size, opened
from cardsdb.box.picture_files import jpeg, kinds, png
from cardsdb.box.picture_files.bounds import (
    MAX_PROFILE,
    MEGABYTE,
    PRIVATE,
    PROGRESSIVE,
    PUBLIC,
    Allowance,
    Bounds,
    Rejected,
    damaged,
    is_for,
)
from cardsdb.box.picture_files.kinds import has_profile, is_stored, kind_of, moves, orientation, size_of
from cardsdb.box.picture_files.ref import UNSEEN, Border, upright
from cardsdb.faults import SOON, Fault, Refused
from cardsdb.models.box import has_box_for_everyone
from cardsdb.site.overload import elsewhere

CORNERS = "had see-through corners, which were filled with the colour beside them."
LOST_PROFILE = "has a broken colour profile, which was left out. Its colours are printed as those of sRGB."

# Pillow refuses a PNG whose unpacked colour profile is larger than this. The same limit covers text chunks,
# which ``kinds.clean`` removes anyway.
PngImagePlugin.MAX_TEXT_CHUNK = MAX_PROFILE

# A border is looked for in a copy with sides of about this many pixels.
BORDER_SIDE = 400
# Two colours count as the same if no channel (0 to 255) differs by more than this.
BORDER_EVEN = 40
# A pixel of at least this opacity (0 to 255) is not see-through.
OPAQUE = 251
# Per cent of the side: this far from a corner, the edge is certainly not part of a rounded corner.
BESIDE_CORNER = 12

# Seconds that a request waits for its turn. A picture takes a few, so a longer queue is growing.
MAX_WAIT = 20
# Threads of one process that may wait here. It is fewer than all, because other threads wait for request
# bodies (cardsdb/site/overload.py) and some must stay free to answer.
MAX_WAITING = 6
# (x, y) in pixels.
Point = tuple[int, int]
BUSY = "Too many pictures are being checked right now. Try again in a minute."
_one_at_a_time = threading.Lock()
_places = threading.BoundedSemaphore(MAX_WAITING)


@contextlib.contextmanager
def decoding() -> Iterator[None]:
    """Hold the lock under which one picture at a time is decoded in this process.

    25 million pixels take 100 MB of memory, so two at once could exhaust a small server. Raises Refused (503)
    if the turn does not come within MAX_WAIT seconds or too many threads wait already.
    """
    is_mine = _one_at_a_time.acquire(blocking=False)
    if not is_mine and _places.acquire(blocking=False):
        try:
            with elsewhere():
                is_mine = _one_at_a_time.acquire(timeout=MAX_WAIT)
        finally:
            _places.release()
    if not is_mine:
        raise Refused(Fault("busy", BUSY, "files"), status=503, wait=SOON)
    try:
        yield
    finally:
        _one_at_a_time.release()


class CleanPicture(NamedTuple):
    """A picture ready to be stored.

    ``mirrored``, then ``turn`` (degrees clockwise), make it upright. ``colour`` and ``mask`` are the same
    pixels as plain PNG, filled only for a picture that a PDF cannot hold as it is. ``remarks`` say what was
    changed; each is the rest of a sentence that begins with the picture's name.
    """

    kind: str
    data: bytes
    width: int
    height: int
    mirrored: bool
    turn: int
    colour: bytes = b""
    mask: bytes = b""
    remarks: tuple[str, ...] = ()
    border: Border = UNSEEN

    @property
    def edge_colour(self) -> str:
        """The prevailing colour of the picture's edge, such as ``#1a2b3c``; empty if it is see-through."""
        return self.border.colour

    @property
    def upright(self) -> tuple[int, int]:
        """Width and height in pixels of the upright picture."""
        return upright(self.width, self.height, self.turn)

    @property
    def sha256(self) -> str:
        return hashlib.sha256(self.data).hexdigest()

    @property
    def parts(self) -> dict[str, bytes]:
        """Part name -> its bytes: "" is the picture itself, the others were derived from it."""
        return {"": self.data, "colour": self.colour, "mask": self.mask}

    @property
    def bytes(self) -> int:
        """Bytes that all parts take in the store."""
        return sum(map(len, self.parts.values()))


def bounds_here() -> Bounds:
    """The bounds for uploads to this site: wider on a private site than on a public one."""
    return PRIVATE if has_box_for_everyone() else PUBLIC


def take(
    data: bytes, size: int = 0, allowance: Allowance | None = None, bounds: Bounds = PUBLIC
) -> CleanPicture:
    """Return the cleaned picture of an uploaded file.

    ``data`` may be only the beginning of the file; ``size`` is then the whole length, used in the message.
    The picture's pixels are charged to ``allowance``.

    Raises Rejected, with the reason and what to do, before anything large is decoded; Refused (503) on a busy
    machine.
    """
    if len(data) > bounds.bytes:
        # Rounded up: "has 20.0 MB; 20 MB are the most" would make no sense to the person.
        tenths = -(-max(size, len(data)) * 10 // MEGABYTE)
        most = bounds.bytes // MEGABYTE
        raise Rejected("too_large", f"has {tenths / 10:.1f} MB; {most} MB are the most. Save it smaller.")
    clean = _cleaned(data, bounds, allowance)
    with decoding():
        seen = _decoded(clean.kind, clean.data)
        # Only a see-through picture has a mask. With its corners filled it is another file: decoded again.
        if seen.mask and (filled := _with_corners(clean.kind, clean.data)):
            clean = _Cleaned("png", kinds.clean("png", filled), clean.upright_by, [*clean.remarks, CORNERS])
            seen = _decoded(clean.kind, clean.data)
            seen = seen._replace(border=seen.border._replace(cut_corners=True))
    if len(seen.colour) + len(seen.mask) > bounds.unpacked:
        most = bounds.unpacked // MEGABYTE
        why = (
            f"becomes larger than {most} MB when it is unpacked for printing. Save it as a JPEG, or smaller."
        )
        raise Rejected("too_large", why)
    (width, height), (mirrored, turn) = seen.size, clean.upright_by
    return CleanPicture(
        clean.kind,
        clean.data,
        width,
        height,
        mirrored,
        turn,
        seen.colour,
        seen.mask,
        tuple(clean.remarks),
        seen.border,
    )


class _Cleaned(NamedTuple):
    """The bytes to store of a file. ``upright_by``: (mirrored, turn) that make it upright."""

    kind: str
    data: bytes
    upright_by: tuple[bool, int]
    remarks: list[str]


def _cleaned(data: bytes, bounds: Bounds, allowance: Allowance | None = None) -> _Cleaned:
    """Return a file without metadata. A picture of a kind that is not stored, or with more pixels than
    ``bounds.fine``, is converted, which decodes it. Raises Rejected and Refused.

    An upright JPEG of ordinary size comes back with the same coded pixels; a GIF as a PNG, with a remark if
    it moves.
    """
    kind, remarks = kind_of(data), list[str]()
    size = header_size(kind, data)
    bounds.check(PROGRESSIVE if kind == "jpeg" and jpeg.is_progressive(data) else kind, *size)
    if not is_stored(kind, data):
        with decoding():
            data, remarks = converted(kind, data, bounds)
        kind = kind_of(data)
    elif moves(kind, data):
        remarks.append(FIRST)
    if kind == "png":
        # ``kinds.clean`` unpacks all pixels of a PNG, so they are charged before it; those of other kinds
        # after it, as it finds damaged files without decoding.
        _spend(allowance, kind, data)
    clean, upright_by = kinds.clean(kind, data), orientation(kind, data)
    if kind != "png":
        _spend(allowance, kind, clean)
    if has_profile(kind, data) and not has_profile(kind, clean):
        remarks.append(LOST_PROFILE)
    width, height = size_of(kind, clean)
    if width * height > bounds.fine:
        with decoding():
            smaller, more = converted(kind, clean, bounds)
        kind, remarks = kind_of(smaller), remarks + more
        clean = kinds.clean(kind, smaller)
    return _Cleaned(kind, clean, upright_by, remarks)


def _spend(allowance: Allowance | None, kind: str, data: bytes) -> None:
    """Charge the pixels to the allowance; those of a progressive JPEG once for each of its passes."""
    if allowance:
        width, height = size_of(kind, data)
        allowance.spend(width * height * (jpeg.decoding_cost(data) if kind == "jpeg" else 1))


def hash_of(data: bytes, bounds: Bounds = PUBLIC) -> str:
    """Return the SHA-256 under which the picture of an uploaded file would be stored, without the full
    decoding where the file can be stored unconverted. Raises Rejected.
    """
    return hashlib.sha256(_cleaned(data, bounds).data).hexdigest()


class _Decoded(NamedTuple):
    """What only the pixels tell; see ``CleanPicture``. ``size``: (width, height)."""

    size: tuple[int, int]
    colour: bytes
    mask: bytes
    border: Border


def _decoded(kind: str, clean: bytes) -> _Decoded:
    """Decode every pixel of a cleaned picture. Raises Rejected for a damaged one."""
    expected = size_of(kind, clean)
    with opened(kind, clean) as picture:
        if picture.size != expected:
            raise damaged("it states two different sizes")
        picture.load()
        border = border_of(picture)
        colour = mask = b""
        if kind == "webp" or (kind == "png" and not png.read_png(clean).fits_pdf):
            colour, mask = _plain(picture)
        return _Decoded(expected, colour, mask, border)


def border_of(picture: Image.Image) -> Border:
    """Return the border of a decoded picture: its even margin, cut corners and edge colour. It is measured in
    a copy of about BORDER_SIDE pixels.

    A white picture of 630 x 880 with a black rectangle 63 pixels inside has the margin 98 (thousandths of
    the shorter side) and the edge colour ``#ffffff``.
    """
    factor = max(1, max(picture.size) // BORDER_SIDE)
    width, height = (max(1, side // factor) for side in picture.size)
    small = picture.resize((width, height), Image.Resampling.NEAREST)
    if small.mode.startswith(("I", "F")):
        # 16- and 32-bit grey have no comparable 8-bit colours.
        return UNSEEN
    small = in_srgb(small).convert("RGBA")
    edge = _edge(small)
    colour = f"#{bytes(edge.colour).hex()}" if edge.colour else ""
    return Border(_margin(small), _has_cut_corners(small), colour, edge.is_even)


def _margin(picture: Image.Image) -> int:
    """Return the narrowest even margin of an RGBA picture, in thousandths of its shorter side. It lies around
    all pixels that differ, in any of their four channels, from the colour in the middle of the top edge.
    """
    width, height = picture.size
    even = Image.new("RGBA", picture.size, picture.getpixel((width // 2, 0)))
    difference = reduce(ImageChops.lighter, ImageChops.difference(picture, even).split())
    # White where the picture differs; ``getbbox`` returns the rectangle around that.
    inside = difference.point(lambda value: 255 if value > BORDER_EVEN else 0).getbbox()
    left, top, right, foot = inside or (0, 0, width, height)
    return min(left, top, width - right, height - foot) * 1000 // min(picture.size)


def _has_cut_corners(picture: Image.Image) -> bool:
    """True if the corners of an RGBA picture are cut: all four (C) have one colour, and each differs from the
    points (o) beside it on its two edges::

        C..o......o..C
        o            o
    """
    across, down = (side * BESIDE_CORNER // 100 for side in picture.size)
    for corner in _corners(picture):
        if not _is_alike(picture, (0, 0), corner):
            return False
        if any(_is_alike(picture, corner, point) for point in _beside(corner, across, down)):
            return False
    return True


def _corners(picture: Image.Image) -> list[Point]:
    """Return the corners of a picture: top left, bottom left, top right, bottom right."""
    width, height = picture.size
    return [(x, y) for x in (0, width - 1) for y in (0, height - 1)]


def _beside(corner: Point, across: int, down: int) -> list[Point]:
    """Return the two points on the edges at a corner which are so far away from it."""
    x, y = corner
    # For the left corners x is 0, so this is ``across``; for the right ones it is x - across.
    return [(abs(x - across), y), (x, abs(y - down))]


def _is_alike(picture: Image.Image, one: Point, other: Point) -> bool:
    """True if the pixels at these two places count as the same colour."""
    pairs = zip(picture.getpixel(one), picture.getpixel(other), strict=True)  # type: ignore[arg-type]
    return all(abs(a - b) <= BORDER_EVEN for a, b in pairs)


class _Edge(NamedTuple):
    """The colour of a picture's edge: its (red, green, blue), and True if nearly all of the edge has it. It
    is () if a tenth of the edge or more is see-through.
    """

    colour: tuple[int, ...] = ()
    is_even: bool = False


def _edge(picture: Image.Image) -> _Edge:
    """Return the edge colour of an RGBA picture, the median of each channel; corners are left out."""
    width, height = picture.size
    across, down = (side * BESIDE_CORNER // 100 for side in picture.size)
    # The outermost row or column of each side, as (left, top, right, bottom).
    sides = [(across, y, width - across, y + 1) for y in (0, height - 1)]
    sides += [(x, down, x + 1, height - down) for x in (0, width - 1)]
    # The values of each channel along the edge, sorted.
    red, green, blue, opacity = (
        sorted(b"".join(channel.crop(side).tobytes() for side in sides)) for channel in picture.split()
    )
    middle, a_tenth = len(opacity) // 2, len(opacity) // 10
    if not opacity or opacity[a_tenth] < OPAQUE:
        return _Edge()
    colours = (red, green, blue)
    # The lowest and the highest tenth are ignored: dust and scratches.
    is_even = all(values[-1 - a_tenth] - values[a_tenth] <= BORDER_EVEN for values in colours)
    return _Edge(tuple(values[middle] for values in colours), is_even)


def _with_corners(kind: str, clean: bytes) -> bytes:
    """Return a picture whose cut-off corners are see-through as a PNG with these corners filled with the
    colour next to them; b"" for any other picture.
    """
    with opened(kind, clean) as original:
        picture, profile = original.convert("RGBA"), original.info.get("icc_profile")
    opacity = picture.getchannel("A")
    if not _edge(picture).colour or any(map(opacity.getpixel, _corners(picture))):
        # The edge is see-through too, or a corner is not.
        return b""
    for corner in _corners(picture):
        _fill(picture, corner)
    is_opaque = picture.getchannel("A").getextrema() == (255, 255)
    return _png(picture.convert("RGB") if is_opaque else picture, profile)


def _fill(picture: Image.Image, corner: Point) -> None:
    """Put a square of one colour behind a corner of an RGBA picture: the mean of the two points beside it."""
    (width, height), (x, y) = picture.size, corner
    side = min(width, height) * BESIDE_CORNER // 100
    beside: Any = map(picture.getpixel, _beside(corner, side, side))
    red, green, blue, _ = ((one + other) // 2 for one, other in zip(*beside, strict=True))
    left, top = (width - side if x else 0), (height - side if y else 0)
    square = picture.crop((left, top, left + side, top + side))
    ground = Image.new("RGBA", square.size, (red, green, blue, 255))
    picture.paste(Image.alpha_composite(ground, square), (left, top))


def _plain(picture: Image.Image) -> tuple[bytes, bytes]:
    """Return (pixels as PNG without interlacing, opacity as a grey PNG or b"" for an opaque picture): the
    parts ``colour`` and ``mask`` of a picture whose own file a PDF cannot embed.
    """
    profile = picture.info.get("icc_profile")
    mask = b""
    if picture.has_transparency_data and picture.mode != "I;16":
        picture = picture if picture.mode in ("RGBA", "LA") else picture.convert("RGBA")
        opacity = picture.getchannel("A")
        if opacity.getextrema() != (255, 255):
            mask = _png(opacity)
        # A quarter of the picture's memory.
        del opacity
    if picture.mode not in ("L", "RGB", "I;16"):
        picture = picture.convert("L" if picture.mode in ("1", "LA") else "RGB")
    picture.info = {}
    return _png(picture, profile), mask


def _png(picture: Image.Image, profile: bytes | None = None) -> bytes:
    out = BytesIO()
    picture.save(out, "PNG", icc_profile=profile, compress_level=PACKED)
    return out.getvalue()


def in_srgb(picture: Image.Image) -> Image.Image:
    """Return the picture converted to sRGB by its colour profile: RGBA if it is see-through, else RGB.
    Without a usable profile its values are taken as sRGB.
    """
    see_through = picture.has_transparency_data
    profile = picture.info.get("icc_profile") or b""
    # The mode in which the profile's transform takes the pixels: its name has a letter for each channel.
    mode = {"L": "L", "LA": "L", "1": "L", "CMYK": "CMYK"}.get(picture.mode, "RGB")
    # A profile may pass our checks and still have tags that LittleCMS cannot use.
    with contextlib.suppress(ImageCms.PyCMSError, OSError):
        if not picture.mode.startswith("I") and is_for(profile, len(mode)):
            source = ImageCms.ImageCmsProfile(BytesIO(profile))
            srgb = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB"))
            transform = ImageCms.buildTransform(source, srgb, mode, "RGB")
            opacity = picture.convert("RGBA").getchannel("A") if see_through else None
            coloured = transform.apply(picture.convert(mode))
            if opacity:
                coloured.putalpha(opacity)
            return coloured
    return picture.convert("RGBA" if see_through else "RGB")
