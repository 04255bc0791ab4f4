"""How a camera was held: the one fact of a picture's notes that is needed before they are thrown away."""

from __future__ import annotations

from printing.pictures import jpeg, png, webp

# EXIF's eight ways -> mirrored first, then turned clockwise by so many degrees.
WAYS = {1: (False, 0), 2: (True, 0), 3: (False, 180), 4: (True, 180), 5: (True, 270), 6: (False, 90), 7: (True, 90), 8: (False, 270)}
TAG = 0x0112
UPRIGHT = (False, 0)


def orientation(kind: str, data: bytes) -> tuple[bool, int]:
    """(whether mirrored, degrees clockwise) that make the picture upright. Notes that cannot be read say nothing."""
    found = next((way for notes in _notes(kind, data) if (way := _way(notes))), None)
    return found or UPRIGHT


def _notes(kind: str, data: bytes) -> list[bytes]:
    if kind == "jpeg":
        return [inside[6:] for marker, inside, _ in jpeg.segments(data) if marker == 0xE1 and inside.startswith(b"Exif\0\0")]
    if kind == "png":
        return [inside for name, inside in png.chunks(data) if name == b"eXIf"]
    return [inside.removeprefix(b"Exif\0\0") for name, inside in webp.chunks(data) if name == b"EXIF"]


def _way(notes: bytes) -> tuple[bool, int] | None:
    order = {b"II*\0": "little", b"MM\0*": "big"}.get(notes[:4])
    if order is None:
        return None

    def number(at: int, length: int) -> int:
        return int.from_bytes(notes[at : at + length], "little" if order == "little" else "big")

    directory = number(4, 4)
    for entry in range(min(number(directory, 2), 500)):
        at = directory + 2 + entry * 12
        if number(at, 2) == TAG:
            return WAYS.get(number(at + 8, 2))
    return None
