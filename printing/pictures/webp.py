"""WebP files, chunk by chunk: their size, and the same picture without what is said about its maker."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count

from printing.pictures.limits import MAX_PIXELS_WEBP, Rejected, check_parts, check_profile, check_size, damaged

NEEDED = (b"VP8X", b"ICCP", b"ALPH", b"VP8 ", b"VP8L")
# Bits of the extended header.
MOVES, PLACE, NOTES = 0x02, 0x04, 0x08


def chunks(data: bytes) -> Iterator[tuple[bytes, bytes]]:
    """(name, content) of the file. Raises Rejected."""
    end = 8 + int.from_bytes(data[4:8], "little")
    if end > len(data) or end < 20:
        raise damaged("it ends too early")
    at = 12
    for number in count(1):
        if at + 8 > end:
            return
        check_parts(number)
        name, length = data[at : at + 4], int.from_bytes(data[at + 4 : at + 8], "little")
        if at + 8 + length > end:
            raise damaged("it ends too early")
        yield name, data[at + 8 : at + 8 + length]
        at += 8 + length + length % 2


def size_of(data: bytes) -> tuple[int, int]:
    """Width and height as every part of the file that says them agrees. Raises Rejected."""
    sizes = {size for name, inside in chunks(data) if (size := _size(name, inside))}
    if len(sizes) != 1:
        raise damaged("it does not say its size")
    width, height = sizes.pop()
    check_size(width, height, MAX_PIXELS_WEBP)
    return width, height


def clean(data: bytes) -> bytes:
    """The coded picture, its opacity and its colour profile. Raises Rejected, for moving pictures too."""
    size_of(data)
    chunks_kept: dict[bytes, bytes] = {}
    for name, inside in chunks(data):
        if name == b"VP8X":
            if len(inside) < 10:
                raise Rejected("damaged", "is damaged: its header is too short.")
            if inside[0] & MOVES:
                raise Rejected("moving", "is a moving picture. Save the frame you want to print as a picture of its own.")
            inside = bytes([inside[0] & ~(PLACE | NOTES)]) + inside[1:]
        if name == b"ICCP":
            check_profile(len(inside))
        if name in NEEDED:
            # Said twice, the first holds.
            chunks_kept.setdefault(name, name + len(inside).to_bytes(4, "little") + inside + b"\0" * (len(inside) % 2))
    body = b"WEBP" + b"".join(chunks_kept.values())
    return b"RIFF" + len(body).to_bytes(4, "little") + body


def _size(name: bytes, inside: bytes) -> tuple[int, int] | None:
    if name == b"VP8X" and len(inside) >= 10:
        return 1 + int.from_bytes(inside[4:7], "little"), 1 + int.from_bytes(inside[7:10], "little")
    if name == b"VP8L" and len(inside) >= 5 and inside[0] == 0x2F:
        bits = int.from_bytes(inside[1:5], "little")
        return 1 + (bits & 0x3FFF), 1 + (bits >> 14 & 0x3FFF)
    if name == b"VP8 " and len(inside) >= 10 and inside[3:6] == b"\x9d\x01\x2a":
        return int.from_bytes(inside[6:8], "little") & 0x3FFF, int.from_bytes(inside[8:10], "little") & 0x3FFF
    return None
