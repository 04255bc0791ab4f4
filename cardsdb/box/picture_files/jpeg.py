"""JPEG files, segment by segment: the facts in their headers, and the same picture without notes on its
maker.

The coded picture is neither decoded nor changed here.
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
# The frames that readers of PDF can decode: baseline, extended and progressive, Huffman-coded.
FRAMES = (0xC0, 0xC1, 0xC2)
OTHER_FRAMES = (0xC3, 0xC5, 0xC6, 0xC7, 0xC9, 0xCA, 0xCB, 0xCD, 0xCE, 0xCF)
SCAN = 0xDA
# Tables and sizes without which the picture cannot be decoded.
NEEDED = (0xC4, 0xDB, 0xDD, SCAN, *FRAMES)
PROFILE = b"ICC_PROFILE\0"
ADOBE = b"Adobe"
# The name of a header in which a small copy of the picture may be; that is cut off.
JFIF = b"JFIF\0"
# For each scan of a progressive picture a decoder walks through all of it; programs write about ten.
MAX_SCANS = 32
USUAL_SCANS = 10
# The byte that begins a marker may be repeated.
FILLING = re.compile(rb"\xff+")
# Any marker but those that are part of coded data: 0 for an FF that means itself, D0 to D7 where decoding
# begins anew.
MARKER = re.compile(rb"\xff[\x01-\xcf\xd8-\xfe]")


class Jpeg(NamedTuple):
    """The facts in a file's headers. ``transform``: Adobe's word on its colours (0 as they are, 1 YCC, 2
    YCCK), None where it is absent.
    """

    width: int
    height: int
    components: tuple[int, ...]
    transform: int | None
    jfif: bool
    profile: bytes

    @property
    def is_plain_rgb(self) -> bool:
        """Say whether the three components are red, green and blue, by their names, as libjpeg decides
        it.
        """
        return self.transform is None and not self.jfif and self.components == tuple(b"RGB")


def segments(data: bytes, scans: bool = True) -> Iterator[tuple[int, bytes, bytes]]:
    """(marker, content of its segment, coded data behind it) up to the end of the picture, or without
    ``scans`` up to the first scan.

    Raises Rejected.
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
        inside, at = data[at + 2 : at + length], at + length
        start = at
        if marker == SCAN:
            at = _end_of_scan(data, at)
        yield marker, inside, data[start:at]


def _end_of_scan(data: bytes, at: int) -> int:
    """The place of the next marker that is no part of the coded data."""
    match = MARKER.search(data, at)
    if not match:
        raise damaged("it ends too early")
    return match.start()


def walks(data: bytes) -> int:
    """The cost of decoding the picture, as a multiple of that of an ordinary one. Raises Rejected."""
    return max(1, sum(marker == SCAN for marker, *_ in segments(data)) // USUAL_SCANS)


def is_progressive(data: bytes) -> bool:
    """Say whether the picture comes in coarse steps, of which the last shows it whole. Raises Rejected."""
    return any(marker == FRAMES[2] for marker, *_ in segments(data, scans=False))


def clean(data: bytes) -> bytes:
    """The picture with its tables, colour profile and Adobe's word on colours; without notes, place, small
    copy and bytes behind its end.

    A broken profile is left out. Raises Rejected for a file that cannot be printed as it is.
    """
    parts, scans, coded, size = [START], 0, 0, (0, 0)
    profile = read_profile(data)
    check_profile(len(profile))
    has_profile = is_whole(profile)
    for marker, inside, scan in segments(data):
        if marker in OTHER_FRAMES:
            raise Rejected(
                "rare_kind",
                "is a rare kind of JPEG (lossless or arithmetic). Save it as an ordinary JPEG and send that.",
            )
        if marker in FRAMES:
            if size != (0, 0):
                raise damaged("it holds two pictures")
            size = _size(inside)
        elif marker == 0xE0 and inside.startswith(JFIF) and len(inside) >= 14:
            inside = inside[:12] + b"\0\0"
        elif marker == 0xEE and inside[:5] == ADOBE:
            inside = inside[:12]
        elif marker == 0xE2 and inside.startswith(PROFILE):
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
        parts += [b"\xff", bytes([marker]), (len(inside) + 2).to_bytes(2, "big"), inside, scan]
    # Every block of 8 x 8 pixels takes at least one bit: a file of a few bytes that claims millions is not
    # whole.
    if not scans or coded * 8 < (size[0] + 7) // 8 * ((size[1] + 7) // 8):
        raise damaged("most of the picture is missing")
    return b"".join([*parts, END])


def read_jpeg(data: bytes) -> Jpeg:
    """The facts in the headers of a cleaned file. Raises Rejected."""
    frame, transform, jfif = b"", None, False
    for marker, inside, _ in segments(data, scans=False):
        if marker in FRAMES:
            frame = inside
        elif marker == 0xE0 and inside.startswith(JFIF):
            jfif = True
        elif marker == 0xEE and inside[:5] == ADOBE and len(inside) >= 12:
            transform = inside[11]
    width, height = _size(frame)
    components = tuple(frame[6 + 3 * number] for number in range(frame[5]))
    return Jpeg(width, height, components, transform, jfif, read_profile(data))


def read_profile(data: bytes) -> bytes:
    """The colour profile, put together from its pieces; empty if there is none. Raises Rejected."""
    pieces = {}
    for marker, inside, _ in segments(data, scans=False):
        # Each piece begins with this name, its number and how many there are.
        if marker == 0xE2 and inside.startswith(PROFILE) and len(inside) > len(PROFILE) + 2:
            pieces[inside[len(PROFILE)]] = inside[len(PROFILE) + 2 :]
    return b"".join(pieces[number] for number in sorted(pieces))


def _size(frame: bytes) -> tuple[int, int]:
    """Width and height from a frame's header, checked."""
    if len(frame) < 6 or len(frame) < 6 + 3 * frame[5]:
        raise damaged("it does not say its size")
    if frame[0] != 8 or frame[5] not in (1, 3, 4):
        raise Rejected(
            "rare_kind",
            "is a JPEG of more than 8 bits a colour, or of 2 colours. Save it as an ordinary JPEG and send"
            " that.",
        )
    width, height = int.from_bytes(frame[3:5], "big"), int.from_bytes(frame[1:3], "big")
    PRIVATE.check("jpeg", width, height)
    return width, height
