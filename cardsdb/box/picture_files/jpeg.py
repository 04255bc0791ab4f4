"""Read and clean JPEG files segment by segment.

``read_jpeg`` returns the facts in the headers, ``clean`` the same picture without metadata. The coded pixels
are copied unchanged, never decoded. Every function takes data that ``kinds.kind_of`` has found to begin like
a JPEG. It may still be hostile: each loop is bounded by ``check_parts`` or MAX_SCANS.

Called by ``kinds.py``, ``intake.py`` and ``printing/render/pdf_document.py``.
Tests: ``tests/cardsdb/box/picture_files/test_jpeg.py``; of damaged files and exact pixels
``tests/cardsdb/box/test_intake.py``.
"""

# A JPEG (ITU T.81, annex B; the profile: ICC.1, annex B.4) is a row of segments; numbers are big-endian::
#
#     FF D8                               start
#     FF E0  00 10  4A 46 49 46 00 ...    segment: marker E0, length 16 (of itself and the content)
#     FF C0  ...                          frame: bits, height, width, channels
#     FF DA  ...  coded data              scan: its segment, then coded pixels up to the next marker
#     FF D9                               end

import re
from collections.abc import Iterator
from itertools import count
from typing import NamedTuple

from cardsdb.box.picture_files.bounds import (
    PRIVATE,
    Rejected,
    check_parts,
    check_profile,
    damaged,
    is_whole,
)

# The markers around the whole picture.
START = b"\xff\xd8"
END = b"\xff\xd9"
# Frame markers (SOF) that PDF readers can decode: baseline, extended and progressive, all Huffman-coded; and
# those that they cannot: lossless, differential or arithmetic.
FRAMES = (0xC0, 0xC1, 0xC2)
OTHER_FRAMES = (0xC3, 0xC5, 0xC6, 0xC7, 0xC9, 0xCA, 0xCB, 0xCD, 0xCE, 0xCF)
SCAN = 0xDA
# Segments without which the picture cannot be decoded: Huffman tables (DHT), quantisation tables (DQT),
# restart interval (DRI), scans and frames.
NEEDED = (0xC4, 0xDB, 0xDD, SCAN, *FRAMES)
# Segments of applications. Several programs use the same marker, so the first bytes of the content count too.
APP0, JFIF = 0xE0, b"JFIF\0"
APP2, PROFILE = 0xE2, b"ICC_PROFILE\0"
APP14, ADOBE = 0xEE, b"Adobe"
# A decoder passes over the whole picture for each scan of a progressive file; programs write about ten. With
# hundreds of scans, a small file would keep the decoder busy for minutes, so more than MAX_SCANS are refused.
MAX_SCANS = 32
USUAL_SCANS = 10
# A marker is FF and one byte; the FF may be repeated as padding.
FILLING = re.compile(rb"\xff+")
# The next marker behind coded data. FF 00 is an escaped FF within the data, and D0 to D7 are restart markers
# there, so neither ends it.
MARKER = re.compile(rb"\xff[\x01-\xcf\xd8-\xfe]")


class Jpeg(NamedTuple):
    """The facts in a file's headers. ``transform`` is the colour transform of Adobe's segment (0 none, 1 YCC,
    2 YCCK), None without that segment.
    """

    width: int
    height: int
    components: tuple[int, ...]
    transform: int | None
    jfif: bool
    profile: bytes

    @property
    def is_plain_rgb(self) -> bool:
        """True if libjpeg would take the three components as red, green and blue because of their names."""
        return self.transform is None and not self.jfif and self.components == tuple(b"RGB")


def segments(data: bytes, scans: bool = True) -> Iterator[tuple[int, bytes, bytes]]:
    """Yield (marker, segment content, coded data behind it) up to the picture's end; without ``scans`` up to
    the first scan. Only a scan has coded data; for other segments it is b"".

    Raises Rejected for a damaged file.
    """
    at = len(START)
    for number in count(1):
        check_parts(number)
        filling = FILLING.match(data, at)
        if not filling:
            raise damaged("no marker where one must be")
        at = filling.end()
        if at >= len(data):
            raise damaged("it ends too early")
        marker = data[at]
        at += 1
        if marker == END[1] or (marker == SCAN and not scans):
            return
        # These have no length and content: 00 and D0 to D7 stand within coded data only, D8 only at the
        # start; 01 is private to decoders.
        if marker in (0x00, 0x01, 0xD8) or 0xD0 <= marker <= 0xD7:
            raise damaged("a marker where none may be")
        # The stated length includes its own two bytes.
        length = int.from_bytes(data[at : at + 2], "big")
        if length < 2 or at + length > len(data):
            raise damaged("it ends too early")
        content = data[at + 2 : at + length]
        at += length
        start_of_coded = at
        if marker == SCAN:
            at = _end_of_scan(data, at)
        yield marker, content, data[start_of_coded:at]


def _end_of_scan(data: bytes, at: int) -> int:
    """Return the offset of the next marker that is not part of the coded data."""
    match = MARKER.search(data, at)
    if not match:
        raise damaged("it ends too early")
    return match.start()


def decoding_cost(data: bytes) -> int:
    """Return the cost of decoding, in ordinary pictures: one for each USUAL_SCANS scans. Raises Rejected."""
    scans = [marker for marker, _, _ in segments(data)].count(SCAN)
    return max(1, scans // USUAL_SCANS)


def is_progressive(data: bytes) -> bool:
    """True if the picture is progressive: coarse first, then finer with each scan. Raises Rejected."""
    return any(marker == FRAMES[2] for marker, _, _ in segments(data, scans=False))


def clean(data: bytes) -> bytes:
    """Return the picture with only what is needed to show it: tables, colour profile, Adobe's colour
    transform.

    Metadata, location, thumbnail, bytes behind the end, and a broken profile are removed. Raises Rejected for
    a file that cannot be printed unconverted.
    """
    profile = read_profile(data)
    check_profile(len(profile))
    has_profile = is_whole(profile)
    parts, scans, coded_bytes = [START], 0, 0
    frame: bytes | None = None
    for marker, content, scan in segments(data):
        if marker in OTHER_FRAMES:
            raise Rejected(
                "rare_kind",
                "is a rare kind of JPEG (lossless or arithmetic). Save it as an ordinary JPEG and send that.",
            )
        if marker in FRAMES:
            if frame is not None:
                raise damaged("it holds two pictures")
            frame = content
        if marker == SCAN:
            scans, coded_bytes = scans + 1, coded_bytes + len(scan)
            if scans > MAX_SCANS:
                raise Rejected(
                    "rare_kind",
                    f"is a JPEG of more than {MAX_SCANS} scans. Save it as an ordinary JPEG and send that.",
                )
        kept = _kept(marker, content, has_profile)
        if kept is not None:
            parts += [b"\xff", bytes([marker]), (len(kept) + 2).to_bytes(2, "big"), kept, scan]
    width, height = _size(frame or b"")
    # A block of 8 x 8 pixels takes at least one bit. So a file of a few bytes that claims millions of pixels
    # is not whole.
    blocks = (width + 7) // 8 * ((height + 7) // 8)
    if coded_bytes * 8 < blocks:
        raise damaged("most of the picture is missing")
    return b"".join([*parts, END])


def _kept(marker: int, content: bytes, has_profile: bool) -> bytes | None:
    """Return what a cleaned file keeps of a segment's content; None for a segment that it does not keep."""
    if marker == APP0 and content.startswith(JFIF) and len(content) >= 14:
        # "JFIF\0", version, units, densities: 12 bytes. Then the width and height of a thumbnail, and its
        # pixels: none is kept, so both are 0.
        return content[:12] + b"\0\0"
    if marker == APP14 and content.startswith(ADOBE):
        # "Adobe", version, two flags of two bytes each, and the colour transform: 12 bytes.
        return content[:12]
    is_kept = marker in NEEDED or (has_profile and marker == APP2 and content.startswith(PROFILE))
    return content if is_kept else None


def read_jpeg(data: bytes) -> Jpeg:
    """Return the facts in the headers of a cleaned file. Raises Rejected."""
    frame, transform, jfif = b"", None, False
    for marker, content, _ in segments(data, scans=False):
        if marker in FRAMES:
            frame = content
        elif marker == APP0 and content.startswith(JFIF):
            jfif = True
        elif marker == APP14 and content.startswith(ADOBE) and len(content) >= 12:
            transform = content[11]
    width, height = _size(frame)
    # From byte 6 on, each component has three bytes, the first of which names it (``_size`` checked them).
    components = tuple(frame[6 + 3 * number] for number in range(frame[5]))
    return Jpeg(width, height, components, transform, jfif, read_profile(data))


def read_profile(data: bytes) -> bytes:
    """Return the colour profile, joined from its pieces; b"" if there is none. Raises Rejected."""
    pieces = {}
    for marker, content, _ in segments(data, scans=False):
        # A piece begins with PROFILE, its number and the count of pieces, each one byte.
        piece = content.removeprefix(PROFILE)
        if marker == APP2 and piece != content and len(piece) > 2:
            pieces[piece[0]] = piece[2:]
    return b"".join(pieces[number] for number in sorted(pieces))


def _size(frame: bytes) -> tuple[int, int]:
    """Return (width, height) from a frame's header. Raises Rejected unless it is 8-bit with 1, 3 or 4
    channels.
    """
    # Byte 0: bits of a colour; 1 and 2: height; 3 and 4: width; 5: channels; then three for each channel.
    if len(frame) < 6 or len(frame) < 6 + 3 * frame[5]:
        raise damaged("it does not state its size")
    if frame[0] != 8 or frame[5] not in (1, 3, 4):
        raise Rejected(
            "rare_kind",
            "is a JPEG of more than 8 bits a colour, or of 2 colours. Save it as an ordinary JPEG and send"
            " that.",
        )
    width, height = int.from_bytes(frame[3:5], "big"), int.from_bytes(frame[1:3], "big")
    # The widest bounds, those of a private site; ``intake`` then checks against its own site's.
    PRIVATE.check("jpeg", width, height)
    return width, height
