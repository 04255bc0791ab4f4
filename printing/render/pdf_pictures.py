"""Own pictures as the streams of a PDF: the very bytes of the stored file, which are read when the PDF is
written.

A JPEG goes in as it is. Of a PNG the coded pixels go in, which PDF can unpack by itself. Other pictures are
unpacked once, when they are taken in (cardsdb.box.intake), and stored beside the file. Colour profiles
are kept.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import NamedTuple

from cardsdb.box.picture_files.bounds import is_for
from cardsdb.box.picture_files.jpeg import read_jpeg
from cardsdb.box.picture_files.png import Png, pixels_of, read_png, unpacked
from cardsdb.box.picture_files.ref import PictureRef
from printing.faces.own_pictures import PictureLost
from printing.faces.strokes import Picture

PAPER_BEYOND = 1_000

PLAIN = {1: b"/DeviceGray", 3: b"/DeviceRGB", 4: b"/DeviceCMYK"}
# Colours as inks of their own, and how light they are together: with the weights of
# printing.faces.colours.grey_of.
INKS = {3: b"/R/G/B", 4: b"/C/M/Y/K"}
GREYS = {
    3: b"{0.114 mul exch 0.587 mul add exch 0.299 mul add}",
    4: b"{4 1 roll 0.114 mul exch 0.587 mul add exch 0.299 mul add add dup 1 gt {pop 1} if 1 exch sub}",
}


class Stream(NamedTuple):
    """A stream of the file: the parts of its dictionary (bytes, or streams as references) and its content.
    Equal keys are one object.
    """

    key: str
    parts: tuple[bytes | Stream, ...]
    read: Callable[[], bytes]


def picture_stream(ref: PictureRef, grey: bool = False) -> Stream:
    """The stream of a picture. Opens its file for the header; the pixels are read when the stream is written.

    ``grey``: the bytes are the same, and a function of the PDF turns their colours into greys.
    """
    try:
        if ref.kind == "jpeg":
            return _jpeg(ref, grey)
        sizes = ref.sizes
        if "colour" in sizes:
            mask = _png(ref, "mask", grey) if "mask" in sizes else None
            return _png(ref, "colour", grey, mask)
        return _png(ref, "", grey)
    except (OSError, ValueError):
        raise PictureLost.of(ref) from None


def operators(picture: Picture, name: str) -> str:
    """The operators that draw the picture with this name in its window.

    A picture that is see-through is laid on paper in the same window, so that it hides the mirrored edges
    that reach in under it.
    """
    a, b, c, d, e, f = picture.matrix
    # PDF counts a picture's rows upwards.
    matrix = " ".join(f"{value:.4f}" for value in (a, b, -c, -d, e + c, f + d))
    x, y, width, height = picture[:4]
    paper = ""
    if picture.image.see_through:
        # Larger than the window, because a renderer may round the two differently.
        paper = (
            f" 1 g {x - PAPER_BEYOND} {y - PAPER_BEYOND} {width + 2 * PAPER_BEYOND}"
            f" {height + 2 * PAPER_BEYOND} re f"
        )
    return f"q {x} {y} {width} {height} re W n{paper} {matrix} cm /{name} Do Q"


def _jpeg(ref: PictureRef, grey: bool) -> Stream:
    facts = read_jpeg(ref.read())
    count = len(facts.components)
    parts: list[bytes | Stream] = [_head(facts.width, facts.height, 8), b"/Filter/DCTDecode"]
    if facts.is_plain_rgb:
        parts.append(b"/DecodeParms<</ColorTransform 0>>")
    if count == 4 and facts.transform is not None:
        # Adobe's programs write how much ink there is not.
        parts.append(b"/Decode[1 0 1 0 1 0 1 0]")
    colours = _colours(count, facts.profile, grey)
    return Stream(f"{ref.sha256}.{grey:d}", (*parts, b"/ColorSpace", *colours), lambda: _content(ref))


def _png(ref: PictureRef, part: str, grey: bool, mask: Stream | None = None) -> Stream:
    facts = read_png(ref.read(part))
    colours = _colours(3 if facts.colour == 3 else facts.components, unpacked(facts.profile), grey)
    if facts.colour == 3:
        table = b" %d<" % (len(facts.palette) // 3 - 1) + facts.palette.hex().encode() + b">]"
        colours = (b"[/Indexed", *colours, table)
    masked: tuple[bytes | Stream, ...] = (b"/SMask ", mask) if mask else ()
    parts = (
        _head(facts.width, facts.height, facts.depth),
        _predicted(facts),
        b"/ColorSpace",
        *colours,
        *masked,
    )
    return Stream(f"{ref.sha256}.{part}{grey:d}", parts, lambda: pixels_of(_content(ref, part)))


def _content(ref: PictureRef, part: str = "") -> bytes:
    """The bytes of the file. Raises PictureLost: its owner may have deleted it after its header was read."""
    try:
        return ref.read(part)
    except OSError:
        raise PictureLost.of(ref) from None


def _head(width: int, height: int, depth: int) -> bytes:
    return b"/Type/XObject/Subtype/Image/Width %d/Height %d/BitsPerComponent %d" % (width, height, depth)


def _predicted(facts: Png) -> bytes:
    shape = (facts.components, facts.depth, facts.width)
    return (
        b"/Filter/FlateDecode/DecodeParms<</Predictor 15/Colors %d/BitsPerComponent %d/Columns %d>>" % shape
    )


def _colours(count: int, profile: bytes, grey: bool) -> tuple[bytes | Stream, ...]:
    """The colour space: greys if ``grey``, else that of the profile if it is whole and for this number of
    colours, else the plain one.
    """
    if grey and count > 1:
        domain = b"/FunctionType 4/Domain[" + b"0 1 " * count + b"]/Range[0 1]"
        function = Stream(f"grey.{count}", (domain,), lambda: GREYS[count])
        return b"[/DeviceN[" + INKS[count] + b"]/DeviceGray ", function, b"]"
    if not is_for(profile, count):
        return (PLAIN[count],)
    key = hashlib.sha256(profile).hexdigest()
    return (
        b"[/ICCBased ",
        Stream(f"icc.{key}", (b"/N %d/Alternate" % count + PLAIN[count],), lambda: profile),
        b"]",
    )
