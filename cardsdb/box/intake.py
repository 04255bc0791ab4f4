"""Take a picture in: bounds by its header, cleaned without touching the pixels, decoded once in full to see
that it is whole.
"""

import contextlib
import hashlib
import threading
from argparse import ArgumentParser
from collections.abc import Iterator, Mapping
from functools import reduce
from io import BytesIO
from typing import Any, Literal, NamedTuple

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
from cardsdb.box.picture_files.ref import UNSEEN, Border, shape_of, upright
from cardsdb.faults import SOON, Fault, Refused
from cardsdb.games.kit import Game
from cardsdb.models.box import has_box_for_everyone
from cardsdb.site.overload import elsewhere

CORNERS = "had see-through corners, which were filled with the colour beside them."
LOST_PROFILE = "has a broken colour profile, which was left out. Its colours are printed as those of sRGB."

# Pillow calls a PNG damaged whose colour profile is larger than this when unpacked; it is its bound for words
# too, which we take out.
PngImagePlugin.MAX_TEXT_CHUNK = MAX_PROFILE

# The side in pixels of the copy in which a border is looked for, and how much its colours may differ, of 255.
BORDER_SIDE, BORDER_EVEN = 400, 40
# Where an edge is that a cut corner does not reach, in per cent of the side.
BESIDE_CORNER = 12

# Seconds to wait for one's turn. A picture takes a few at most, so a queue that lasts longer does not get
# shorter.
MAX_WAIT = 20
# Of a process's threads, how many may wait: with those that wait for bodies (cardsdb/site/overload.py) not
# all.
MAX_WAITING = 6
BUSY = "Too many pictures are being looked at just now. Try again in a minute."
_one_at_a_time, _places = threading.Lock(), threading.BoundedSemaphore(MAX_WAITING)


@contextlib.contextmanager
def decoding() -> Iterator[None]:
    """Pictures are decoded one at a time in each process: 25 million pixels are 100 MB. Raises Refused, with
    503, on a busy machine.
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
    """A picture as it is stored. ``colour`` and ``mask``: the same pixels as plain PNG, for a picture that a
    PDF cannot hold as it is.

    ``remarks``: what is not as it came, each as it goes on behind the picture's name.
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
        """The colour of most of its edge."""
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
        """Return what is stored of it: the picture itself, and what was made of it."""
        return {"": self.data, "colour": self.colour, "mask": self.mask}

    @property
    def bytes(self) -> int:
        return sum(map(len, self.parts.values()))


def bounds_here() -> Bounds:
    """Return the bounds of what is uploaded to this site."""
    return PRIVATE if has_box_for_everyone() else PUBLIC


def take(
    data: bytes, size: int = 0, allowance: Allowance | None = None, bounds: Bounds = PUBLIC
) -> CleanPicture:
    """The picture of an uploaded file, of which ``data`` is the beginning where its ``size`` is more; its
    pixels count as spent.

    Raises Rejected, with the reason and what to do, before anything large is decoded; Refused on a busy
    machine.
    """
    if len(data) > bounds.bytes:
        # Rounded up: the message must not give a picture that is slightly too large the size that is allowed.
        tenths = -(-max(size, len(data)) * 10 // MEGABYTE)
        most = bounds.bytes // MEGABYTE
        raise Rejected("too_large", f"has {tenths / 10:.1f} MB; {most} MB are the most. Save it smaller.")
    kind, clean, (mirrored, turn), remarks = _cleaned(data, bounds, allowance)
    with decoding():
        width, height, colour, mask, border = _decoded(kind, clean)
        if mask and (filled := _with_corners(kind, clean)):
            kind, clean = "png", kinds.clean("png", filled)
            remarks.append(CORNERS)
            width, height, colour, mask, border = _decoded(kind, clean)
            border = border._replace(cut_corners=True)
    if len(colour) + len(mask) > bounds.unpacked:
        most = bounds.unpacked // MEGABYTE
        why = (
            f"becomes larger than {most} MB when it is unpacked for printing. Save it as a JPEG, or smaller."
        )
        raise Rejected("too_large", why)
    return CleanPicture(kind, clean, width, height, mirrored, turn, colour, mask, tuple(remarks), border)


def _cleaned(
    data: bytes, bounds: Bounds, allowance: Allowance | None = None
) -> tuple[str, bytes, tuple[bool, int], list[str]]:
    """The kind of a file, the bytes that are stored, the turn that makes it upright, and remarks. Raises
    Rejected and Refused.
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
        # Looking whether it is whole unpacks it already.
        _spend(allowance, kind, data)
    clean, upright = kinds.clean(kind, data), orientation(kind, data)
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
    return kind, clean, upright, remarks


def _spend(allowance: Allowance | None, kind: str, data: bytes) -> None:
    if allowance:
        width, height = size_of(kind, data)
        allowance.spend(width * height * (jpeg.walks(data) if kind == "jpeg" else 1))


def hash_of(data: bytes, bounds: Bounds = PUBLIC) -> str:
    """The hash by which the picture of an uploaded file would be stored; found without decoding it where it
    is stored as it is. Raises Rejected.
    """
    return hashlib.sha256(_cleaned(data, bounds)[1]).hexdigest()


def _decoded(kind: str, clean: bytes) -> tuple[int, int, bytes, bytes, Border]:
    """(width, height, colour, mask, border) after every pixel was decoded."""
    expected = size_of(kind, clean)
    with opened(kind, clean) as picture:
        if picture.size != expected:
            raise damaged("it says two different sizes")
        picture.load()
        border = border_of(picture)
        fits_pdf = kind == "jpeg" or (kind == "png" and png.read_png(clean).fits_pdf)
        return *expected, *((b"", b"") if fits_pdf else _plain(picture)), border


def border_of(picture: Image.Image) -> Border:
    """The even margin of a decoded picture, whether its corners are cut off, and the colour of its edge:
    looked for in a small copy.
    """
    part = max(1, max(picture.size) // BORDER_SIDE)
    width, height = (max(1, side // part) for side in picture.size)
    small = picture.resize((width, height), Image.Resampling.NEAREST)
    if small.mode.startswith(("I", "F")):
        return UNSEEN
    small = in_srgb(small).convert("RGBA")
    even = Image.new("RGBA", small.size, small.getpixel((width // 2, 0)))
    # The pixels that differ by more than a little.
    bands = ImageChops.difference(small, even).split()
    inside = reduce(ImageChops.lighter, bands).point(lambda value: 255 * (value > BORDER_EVEN)).getbbox()
    left, top, right, foot = inside or (0, 0, width, height)
    margin = min(left, top, width - right, height - foot) * 1000 // min(small.size)
    across, down = width * BESIDE_CORNER // 100, height * BESIDE_CORNER // 100
    corners = [
        ((x, y), ((abs(x - across), y), (x, abs(y - down)))) for x in (0, width - 1) for y in (0, height - 1)
    ]
    cut = all(not _alike(small, corner, edge) for corner, edges in corners for edge in edges)
    is_cut = cut and all(_alike(small, (0, 0), corner) for corner, _ in corners)
    colour, is_even = _edge(small)
    return Border(margin, is_cut, "#{:02x}{:02x}{:02x}".format(*colour) if colour else "", is_even)


def _edge(picture: Image.Image) -> tuple[tuple[int, ...], bool]:
    """(the colour of most of the edge of an RGBA picture without its corners, or none where it is
    see-through; whether nearly all of it has that colour).
    """
    width, height = picture.size
    across, down = width * BESIDE_CORNER // 100, height * BESIDE_CORNER // 100
    sides = [(across, y, width - across, y + 1) for y in (0, height - 1)]
    sides += [(x, down, x + 1, height - down) for x in (0, width - 1)]
    *colour, opacity = (
        sorted(value for side in sides for value in band.crop(side).tobytes()) for band in picture.split()
    )
    middle, few = len(opacity) // 2, len(opacity) // 10
    if not opacity or opacity[few] <= 250:
        return (), False
    is_even = all(band[-1 - few] - band[few] <= BORDER_EVEN for band in colour)
    return tuple(band[middle] for band in colour), is_even


def _with_corners(kind: str, clean: bytes) -> bytes:
    """A see-through picture with corners cut off, as PNG with the colour beside them in them; empty for any
    other.
    """
    with opened(kind, clean) as seen:
        picture, profile = seen.convert("RGBA"), seen.info.get("icc_profile")
    width, height = picture.size
    side = min(width, height) * BESIDE_CORNER // 100
    corners = [(x, y) for x in (0, width - 1) for y in (0, height - 1)]
    if not _edge(picture)[0] or any(picture.getpixel(corner)[3] for corner in corners):  # type: ignore[index]
        return b""
    for x, y in corners:
        beside: Any = [picture.getpixel((abs(x - side), y)), picture.getpixel((x, abs(y - side)))]
        colour = tuple((one + other) // 2 for one, other in zip(*beside, strict=True))
        box = (x and width - side, y and height - side)
        part = picture.crop((*box, box[0] + side, box[1] + side))
        picture.paste(Image.alpha_composite(Image.new("RGBA", part.size, (*colour[:3], 255)), part), box)
    opaque = picture.getchannel("A").getextrema() == (255, 255)
    return _png(picture.convert("RGB") if opaque else picture, profile)


def _alike(picture: Image.Image, one: tuple[int, int], other: tuple[int, int]) -> bool:
    pairs = zip(picture.getpixel(one), picture.getpixel(other), strict=True)  # type: ignore[arg-type]
    return all(abs(a - b) <= BORDER_EVEN for a, b in pairs)


def _plain(picture: Image.Image) -> tuple[bytes, bytes]:
    """The same pixels as PNG without interlacing; and a PNG of their opacity, empty if all of them are
    opaque.
    """
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


class Wish(NamedTuple):
    """``use``: as which part of the card; empty: what has a card's shape is the card, the rest stands in the
    window.

    ``edge``: what is printed outside the cut line; empty: bleed that is found is cut off, and an edge without
    bleed is mirrored, or what its border tells. An edge that is mirrored by wish shows on the card what bleed
    is found. ``bleed`` in micrometres is that of pictures by wish.
    """

    use: Literal["", "card", "art"] = ""
    edge: str = ""
    bleed: int = 0


AS_FOUND = Wish()
# The fields of a form, and options of a command, that say a wish for pictures that come together.
FIELDS = ("pictures_as", "pictures_bleed")
# Bleed that is found is cut off at the card's edge; or shown on the card, and then more is mirrored outside
# of it.
EDGE_OF_BLEED = {"cut": "included", "keep": "mirrored"}


def add_wish(parser: ArgumentParser) -> None:
    """Options of a command that takes pictures in: what they are of their cards, and what becomes of their
    bleed.
    """
    help_text = (
        "pictures as whole cards, or as art in the faces’ windows; without it as the shape of each tells"
    )
    parser.add_argument("--pictures-as", choices=("card", "art"), default="", help=help_text)
    help_text = (
        "bleed that is found in pictures: cut off at the card’s edge (cut), or shown on the card (keep)"
    )
    parser.add_argument("--pictures-bleed", choices=("cut", "keep"), default="cut", help=help_text)


def wish_of(said: Mapping[str, Any]) -> Wish:
    """The wish that a form or a command says; what it says wrongly is as if it said nothing, and to cut bleed
    is no wish of its own.
    """
    use, bleed = (said.get(field, "") for field in FIELDS)
    return Wish(use if use in ("card", "art") else "", EDGE_OF_BLEED["keep"] if bleed == "keep" else "")


def settled(wish: Wish, picture: CleanPicture, game: Game, side: str) -> dict[str, Any]:
    """The columns of a picture that follow from the wish and from what is seen in the picture. A back is
    always the whole card.
    """
    shape = shape_of(picture.upright, game.trim, picture.border)
    bleed = wish.bleed if wish.edge == "included" else shape.bleed
    use = wish.use or ("card" if shape.is_card else "art")
    return {
        "use": "card" if side == "back" else use,
        "edge": wish.edge or ("included" if bleed else picture.border.edge(min(game.trim))),
        "bleed": bleed,
    }


def in_srgb(picture: Image.Image) -> Image.Image:
    """The picture in sRGB by its colour profile, as RGBA if it is see-through and RGB if not. One without a
    profile counts as sRGB.
    """
    see_through = picture.has_transparency_data
    profile = picture.info.get("icc_profile") or b""
    mode = {"L": "L", "LA": "L", "1": "L", "CMYK": "CMYK"}.get(picture.mode, "RGB")
    # Tags that lie where they must may say what no converter understands.
    with contextlib.suppress(ImageCms.PyCMSError, OSError):
        if not picture.mode.startswith("I") and is_for(profile, len(mode)):
            said = ImageCms.ImageCmsProfile(BytesIO(profile))
            srgb = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB"))
            transform = ImageCms.buildTransform(said, srgb, mode, "RGB")
            opacity = picture.convert("RGBA").getchannel("A") if see_through else None
            coloured = transform.apply(picture.convert(mode))
            if opacity:
                coloured.putalpha(opacity)
            return coloured
    return picture.convert("RGBA" if see_through else "RGB")
