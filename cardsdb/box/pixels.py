"""The pixels of decoded pictures: the border that is seen in them, cut corners filled, and parts that other
files can hold.

``intake.py`` calls it for pictures that are taken in, under its lock; ``picture_store.py`` and
``printing/render/png.py`` for stored ones. Nothing here reads a file that was not cleaned.
Tests: ``tests/cardsdb/box/test_pixels.py``.
"""

import contextlib
from functools import reduce
from io import BytesIO
from typing import Any, NamedTuple

from PIL import Image, ImageChops, ImageCms

from cardsdb.box.converting import PACKED, opened
from cardsdb.box.picture_files.bounds import is_for
from cardsdb.box.picture_files.ref import UNSEEN, Border

# A border is looked for in a copy with sides of about this many pixels.
BORDER_SIDE = 400
# Two colours count as the same if no channel (0 to 255) differs by more than this.
BORDER_EVEN = 40
# A pixel of at least this opacity (0 to 255) is not see-through.
OPAQUE = 251
# Per cent of the side: this far from a corner, the edge is certainly not part of a rounded corner.
BESIDE_CORNER = 12

# (x, y) in pixels.
Point = tuple[int, int]


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


def with_corners(kind: str, clean: bytes) -> bytes:
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


def plain(picture: Image.Image) -> tuple[bytes, bytes]:
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
