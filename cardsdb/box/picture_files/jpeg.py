"""Read and clean JPEG files segment by segment.

``read_jpeg`` returns the facts in the headers, ``clean`` the same picture without metadata. The coded pixels
are copied unchanged, never decoded. Input may be hostile: each loop is bounded by ``check_parts`` or
MAX_SCANS.
"""

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

START = b"\xff\xd8"
END = b"\xff\xd9"
# Frame markers that PDF readers can decode: baseline, extended and progressive, all Huffman-coded.
FRAMES = (0xC0, 0xC1, 0xC2)
OTHER_FRAMES = (0xC3, 0xC5, 0xC6, 0xC7, 0xC9, 0xCA, 0xCB, 0xCD, 0xCE, 0xCF)
SCAN = 0xDA
# Segments without which the picture cannot be decoded.
NEEDED = (0xC4, 0xDB, 0xDD, SCAN, *FRAMES)
PROFILE = b"ICC_PROFILE\0"
ADOBE = b"Adobe"
# A JFIF header may contain a thumbnail, which is cut off.
JFIF = b"JFIF\0"
# A decoder passes over the whole picture for each scan of a progressive file; programs write about ten.
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
    the first scan.

    Raises Rejected for a damaged file.
    """
    at = 2
    for number in count(1):
        check_parts(number)
        filling = FILLING.match(data, at)
        if not filling:
            raise damaged("no marker where one must be")
        at = filling.end()
        if at >= len(data):
            raise damaged("it ends too early")
        marker, at = data[at], at + 1
        if marker == 0xD9 or (marker == SCAN and not scans):
            return
        if marker in (0x00, 0x01, 0xD8) or 0xD0 <= marker <= 0xD7:
            raise damaged("a marker where none may be")
        length = int.from_bytes(data[at : at + 2], "big")
        if length < 2 or at + length > len(data):
            raise damaged("it ends too early")
        content, at = data[at + 2 : at + length], at + length
        start = at
        if marker == SCAN:
            at = _end_of_scan(data, at)
        yield marker, content, data[start:at]


def _end_of_scan(data: bytes, at: int) -> int:
    """Return the offset of the next marker that is not part of the coded data."""
    match = MARKER.search(data, at)
    if not match:
        raise damaged("it ends too early")
    return match.start()


def walks(data: bytes) -> int:
    """Return how many times an ordinary picture's cost it takes to decode this one. Raises Rejected."""
    return max(1, sum(marker == SCAN for marker, *_ in segments(data)) // USUAL_SCANS)


def is_progressive(data: bytes) -> bool:
    """True if the picture is progressive: coarse first, then finer with each scan. Raises Rejected."""
    return any(marker == FRAMES[2] for marker, *_ in segments(data, scans=False))


def clean(data: bytes) -> bytes:
    """Return the picture with only what is needed to show it: tables, colour profile, Adobe's colour
    transform.

    Metadata, location, thumbnail, bytes behind the end, and a broken profile are removed. Raises Rejected for
    a file that cannot be printed unconverted.
    """
    parts, scans, coded, size = [START], 0, 0, (0, 0)
    profile = read_profile(data)
    check_profile(len(profile))
    has_profile = is_whole(profile)
    for marker, content, scan in segments(data):
        if marker in OTHER_FRAMES:
            raise Rejected(
                "rare_kind",
                "is a rare kind of JPEG (lossless or arithmetic). Save it as an ordinary JPEG and send that.",
            )
        if marker in FRAMES:
            if size != (0, 0):
                raise damaged("it holds two pictures")
            size = _size(content)
        elif marker == 0xE0 and content.startswith(JFIF) and len(content) >= 14:
            content = content[:12] + b"\0\0"
        elif marker == 0xEE and content[:5] == ADOBE:
            content = content[:12]
        elif marker == 0xE2 and content.startswith(PROFILE):
            if not has_profile:
                continue
        elif marker not in NEEDED:
            continue
        if marker == SCAN:
            scans, coded = scans + 1, coded + len(scan)
            if scans > MAX_SCANS:
                raise Rejected(
                    "rare_kind",
                    f"is a JPEG of more than {MAX_SCANS} scans. Save it as an ordinary JPEG and send that.",
                )
        parts += [b"\xff", bytes([marker]), (len(content) + 2).to_bytes(2, "big"), content, scan]
    # A block of 8 x 8 pixels takes at least one bit. So a file of a few bytes that claims millions of pixels
    # is not whole.
    if not scans or coded * 8 < (size[0] + 7) // 8 * ((size[1] + 7) // 8):
        raise damaged("most of the picture is missing")
    return b"".join([*parts, END])


def read_jpeg(data: bytes) -> Jpeg:
    """Return the facts in the headers of a cleaned file. Raises Rejected."""
    frame, transform, jfif = b"", None, False
    for marker, content, _ in segments(data, scans=False):
        if marker in FRAMES:
            frame = content
        elif marker == 0xE0 and content.startswith(JFIF):
            jfif = True
        elif marker == 0xEE and content[:5] == ADOBE and len(content) >= 12:
            transform = content[11]
    width, height = _size(frame)
    components = tuple(frame[6 + 3 * number] for number in range(frame[5]))
    return Jpeg(width, height, components, transform, jfif, read_profile(data))


def read_profile(data: bytes) -> bytes:
    """Return the colour profile, joined from its pieces; b"" if there is none. Raises Rejected."""
    pieces = {}
    for marker, content, _ in segments(data, scans=False):
        # A piece begins with PROFILE, its number and the count of pieces, each one byte.
        if marker == 0xE2 and content.startswith(PROFILE) and len(content) > len(PROFILE) + 2:
            pieces[content[len(PROFILE)]] = content[len(PROFILE) + 2 :]
    return b"".join(pieces[number] for number in sorted(pieces))


def _size(frame: bytes) -> tuple[int, int]:
    """Return (width, height) from a frame's header. Raises Rejected unless it is 8-bit with 1, 3 or 4
    channels.
    """
    if len(frame) < 6 or len(frame) < 6 + 3 * frame[5]:
        raise damaged("it does not state its size")
    if frame[0] != 8 or frame[5] not in (1, 3, 4):
        raise Rejected(
            "rare_kind",
            "is a JPEG of more than 8 bits a colour, or of 2 colours. Save it as an ordinary JPEG and send"
            " that.",
        )
    width, height = int.from_bytes(frame[3:5], "big"), int.from_bytes(frame[1:3], "big")
    PRIVATE.check("jpeg", width, height)
    return width, height
