"""JPEG, PNG and WebP alike: which of them a file is, its size, the file without its notes, and how the camera was held."""

from __future__ import annotations

from printing.pictures import jpeg, png, webp
from printing.pictures.limits import Rejected

# What else people send, by how it begins, to be told by name.
OTHERS = {
    b"GIF8": "a GIF",
    b"BM": "a BMP",
    b"II*\0": "a TIFF",
    b"MM\0*": "a TIFF",
    b"%!PS": "an EPS",
    b"\xc5\xd0\xd3\xc6": "an EPS",
    b"%PDF": "a PDF",
    b"<svg": "an SVG",
    b"<?xml": "an SVG",
    b"8BPS": "a Photoshop file",
    b"\0\0\0": "a HEIC or AVIF",
}
# What Pillow calls each kind.
PILLOW = {"jpeg": "JPEG", "png": "PNG", "webp": "WEBP"}

# EXIF's eight orientations -> (mirrored first, then turned clockwise by so many degrees), and the number of EXIF's field.
ORIENTATIONS = {
    1: (False, 0),
    2: (True, 0),
    3: (False, 180),
    4: (True, 180),
    5: (True, 270),
    6: (False, 90),
    7: (True, 90),
    8: (False, 270),
}
ORIENTATION_TAG = 0x0112
UPRIGHT = (False, 0)
# Fields of one EXIF directory that are looked at.
MAX_FIELDS = 500


def kind_of(data: bytes) -> str:
    """jpeg, png or webp by how the file begins, whatever it is called. Raises Rejected."""
    if data.startswith(b"\xff\xd8\xff"):
        return "jpeg"
    if data.startswith(png.SIGNATURE):
        return "png"
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        return "webp"
    if not data:
        raise Rejected("empty", "is empty. Choose the file again.")
    other = next((name for begin, name in OTHERS.items() if data.lstrip(b"\xef\xbb\xbf \r\n\t").startswith(begin)), "no picture we know")
    raise Rejected("wrong_kind", f"is {other}. Pictures are taken as JPEG, PNG or WebP; save it as one of these.")


def clean(kind: str, data: bytes) -> bytes:
    """The same picture without notes on its maker, place and time. Raises Rejected for what cannot be printed as it is."""
    if kind == "jpeg":
        return jpeg.clean(data)
    return png.clean(data) if kind == "png" else webp.clean(data)


def size_of(kind: str, data: bytes) -> tuple[int, int]:
    """Width and height in pixels, as the header says them. Raises Rejected."""
    if kind == "webp":
        return webp.size_of(data)
    facts = jpeg.read_jpeg(data) if kind == "jpeg" else png.read_png(data)
    return facts.width, facts.height


def orientation(kind: str, data: bytes) -> tuple[bool, int]:
    """(whether mirrored, degrees clockwise) that make the picture upright. Notes that cannot be read say nothing."""
    return next((turn for notes in _exif_notes(kind, data) if (turn := _orientation_in(notes))), UPRIGHT)


def _exif_notes(kind: str, data: bytes) -> list[bytes]:
    if kind == "jpeg":
        return [inside[6:] for marker, inside, _ in jpeg.segments(data) if marker == 0xE1 and inside.startswith(b"Exif\0\0")]
    if kind == "png":
        return [inside for name, inside in png.chunks(data) if name == b"eXIf"]
    return [inside.removeprefix(b"Exif\0\0") for name, inside in webp.chunks(data) if name == b"EXIF"]


def _orientation_in(notes: bytes) -> tuple[bool, int] | None:
    order = {b"II*\0": "little", b"MM\0*": "big"}.get(notes[:4])
    if order is None:
        return None

    def number(at: int, length: int) -> int:
        return int.from_bytes(notes[at : at + length], "little" if order == "little" else "big")

    directory = number(4, 4)
    for entry in range(min(number(directory, 2), MAX_FIELDS)):
        at = directory + 2 + entry * 12
        if number(at, 2) == ORIENTATION_TAG:
            return ORIENTATIONS.get(number(at + 8, 2))
    return None
