"""Read and clean PNG files chunk by chunk.

``read_png`` returns the facts in the headers, ``clean`` the same picture without metadata. The coded pixels
are copied unchanged; ``clean`` only counts that they unpack to the right number of bytes, in bounded memory.
Every function takes data that ``kinds.kind_of`` has found to begin with SIGNATURE.

Called by ``kinds.py``, ``intake.py`` and ``printing/render/pdf_document.py``.
Tests: ``tests/cardsdb/box/picture_files/test_png.py``.
"""

# A PNG (W3C, Portable Network Graphics, second edition, section 5) is its signature and a row of chunks::
#
#     89 50 4E 47 0D 0A 1A 0A                       signature
#     00 00 00 0D  "IHDR"  13 bytes   CRC           length of the content, name, content, checksum
#     00 00 20 00  "IDAT"  8192 bytes CRC           compressed pixels, in as many chunks as the program likes
#     00 00 00 00  "IEND"             AE 42 60 82   end

import zlib
from collections.abc import Iterator
from itertools import count
from typing import NamedTuple

from cardsdb.box.picture_files.bounds import (
    MAX_PROFILE,
    PRIVATE,
    check_parts,
    check_profile,
    damaged,
    is_whole,
)

SIGNATURE = b"\x89PNG\r\n\x1a\n"
# Chunks that affect how the picture looks; a file has each at most once.
NEEDED = (b"IHDR", b"PLTE", b"tRNS", b"gAMA", b"cHRM", b"sRGB", b"iCCP", b"pHYs")
# The chunk of an animated PNG that states its number of frames.
MOVES = b"acTL"
# Colour type -> (channels of a pixel, bit depths that exist), as in table 11.1; the types are those of
# ``Png.colour``.
COLOURS = {0: (1, (1, 2, 4, 8, 16)), 2: (3, (8, 16)), 3: (1, (1, 2, 4, 8)), 4: (2, (8, 16)), 6: (4, (8, 16))}
# The seven passes of an interlaced picture (section 8.2): first column, first row, column step, row step.
ADAM7 = ((0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2))
# Bytes that are unpacked at once.
PIECE = 1 << 16


class Png(NamedTuple):
    """The facts in a file's headers. ``colour``: 0 grey, 2 RGB, 3 palette, 4 grey with opacity, 6 RGB with
    opacity. ``profile`` is still compressed.
    """

    width: int
    height: int
    depth: int
    colour: int
    interlaced: bool
    palette: bytes
    transparent: bool
    profile: bytes

    @property
    def components(self) -> int:
        return COLOURS[self.colour][0]

    @property
    def fits_pdf(self) -> bool:
        """True if a PDF can embed the coded pixels unchanged."""
        return not self.interlaced and not self.transparent and self.colour in (0, 2, 3)


def chunks(data: bytes, checked: bool = True) -> Iterator[tuple[bytes, bytes]]:
    """Yield (name, content) of the chunks before the end chunk, each with its checksum verified unless
    ``checked`` is false. Raises Rejected.
    """
    at = len(SIGNATURE)
    view = memoryview(data)
    for number in count(1):
        check_parts(number)
        length, name = int.from_bytes(data[at : at + 4], "big"), data[at + 4 : at + 8]
        # Length and name, 4 bytes each; the content; a checksum of 4 bytes over name and content.
        end = at + 12 + length
        if end > len(data):
            raise damaged("it ends too early")
        if checked and zlib.crc32(view[at + 4 : end - 4]) != int.from_bytes(data[end - 4 : end], "big"):
            raise damaged("a checksum is wrong")
        if name == b"IEND":
            return
        yield name, data[at + 8 : end - 4]
        at = end


def clean(data: bytes) -> bytes:
    """Return the file with its pixels and the chunks they need. Raises Rejected.

    Texts, location, time, further frames, a broken colour profile and bytes behind the end are removed. The
    pixels must unpack to exactly the number of bytes that the header implies.
    """
    head: dict[bytes, bytes] = {}
    coded = []
    for name, content in chunks(data):
        if name == b"IDAT":
            coded.append(content)
        elif name in NEEDED and not coded:
            # Of duplicate chunks the first counts, as for decoders.
            head.setdefault(name, content)
    # The header must be the first chunk, or decoders refuse the file.
    if next(iter(head), b"") != b"IHDR":
        raise damaged("it does not state its size")
    facts = read_png(_file(head))
    check_profile(len(_begin_of_profile(facts.profile)[0]))
    if not is_whole(profile_or_empty(facts.profile)):
        head.pop(b"iCCP", None)
    pixels = b"".join(coded)
    whole = _coded_length(pixels, _expected(facts))
    return _file(head, pixels[:whole])


def read_png(data: bytes) -> Png:
    """Return the facts in the headers of a cleaned file. Raises Rejected."""
    by_name: dict[bytes, bytes] = {}
    for name, content in chunks(data, checked=False):
        if name == b"IDAT":
            break
        by_name.setdefault(name, content)
    header = by_name.get(b"IHDR", b"")
    # Width and height (4 bytes each), depth, colour type, compression, filter (both always 0), interlacing.
    if len(header) != 13:
        raise damaged("it does not state its size")
    width, height = int.from_bytes(header[:4], "big"), int.from_bytes(header[4:8], "big")
    # The widest bounds, those of a private site; ``intake`` then checks against its own site's.
    PRIVATE.check("png", width, height)
    depth, colour, palette = header[8], header[9], by_name.get(b"PLTE", b"")
    if colour not in COLOURS or depth not in COLOURS[colour][1] or any(header[10:12]) or header[12] > 1:
        raise damaged("its kind of colours does not exist")
    # A palette has at most 256 colours of 3 bytes.
    if colour == 3 and (not palette or len(palette) % 3 or len(palette) > 3 * 256):
        raise damaged("its table of colours is missing")
    # The profile's name, a zero, one byte for the method of compression, and the compressed profile.
    profile = by_name.get(b"iCCP", b"").partition(b"\0")[2][1:]
    return Png(
        width, height, depth, colour, bool(header[12]), palette, b"tRNS" in by_name or colour > 3, profile
    )


def pixels_of(data: bytes) -> bytes:
    """Return the coded pixels of a cleaned file, unchanged."""
    return b"".join(content for name, content in chunks(data, checked=False) if name == b"IDAT")


def profile_or_empty(profile: bytes) -> bytes:
    """Return a colour profile unpacked; b"" if it is damaged or too large."""
    bare, is_all = _begin_of_profile(profile)
    return bare if is_all and len(bare) <= MAX_PROFILE else b""


def _begin_of_profile(profile: bytes) -> tuple[bytes, bool]:
    """Return (the unpacked profile up to one byte over the limit, True if that is all of it); (b"", False) if
    it is damaged.
    """
    reader = zlib.decompressobj()
    try:
        return reader.decompress(profile, MAX_PROFILE + 1), reader.eof
    except zlib.error:
        return b"", False


def _expected(facts: Png) -> int:
    """Return the number of bytes of all unpacked rows, each with the byte that names its filter: for 10 x 2
    pixels of 8-bit RGB 2 * (1 + 10 * 3) = 62.
    """
    passes = ADAM7 if facts.interlaced else ((0, 0, 1, 1),)
    size = 0
    for left, top, across, down in passes:
        # Columns and rows of this pass, rounded up; a small picture has no pixels in some passes.
        width, height = -(-(facts.width - left) // across), -(-(facts.height - top) // down)
        if width > 0 and height > 0:
            bytes_of_row = (width * facts.components * facts.depth + 7) // 8
            size += (bytes_of_row + 1) * height
    return size


def _coded_length(pixels: bytes, expected: int) -> int:
    """Return how many of these bytes belong to the picture, by unpacking them piece by piece in little
    memory. Raises Rejected if they do not unpack to ``expected`` bytes.
    """
    # ``at``: bytes fed to the reader so far; ``left_over``: those of them that it has not used yet, as it
    # gives at most PIECE bytes at each call.
    reader, unpacked, at, left_over = zlib.decompressobj(), 0, 0, b""
    try:
        while not reader.eof and unpacked <= expected:
            if not left_over:
                # Feed small pieces: zlib copies all input that is left over at each call.
                left_over, at = pixels[at : at + PIECE], at + PIECE
            piece = reader.decompress(left_over, PIECE)
            left_over = reader.unconsumed_tail
            if not piece and not left_over and at >= len(pixels):
                # All is fed, and the end of the compressed data has not come.
                break
            unpacked += len(piece)
    except zlib.error:
        raise damaged("its pixels cannot be unpacked") from None
    if not reader.eof or unpacked != expected:
        raise damaged("it has other pixels than its header states")
    # Unused bytes are the end of the last piece that was fed, and no part of the picture.
    return min(at, len(pixels)) - len(reader.unused_data)


def _file(head: dict[bytes, bytes], coded: bytes = b"") -> bytes:
    """Return a PNG file of these chunks."""
    out = SIGNATURE
    for name, content in (*head.items(), (b"IDAT", coded), (b"IEND", b"")):
        checksum = zlib.crc32(content, zlib.crc32(name)).to_bytes(4, "big")
        out += len(content).to_bytes(4, "big") + name + content + checksum
    return out
