"""The kind of a picture file, and the same operations for JPEG, PNG and WebP: size, cleaning, orientation.

JPEG and PNG have a module each, because a PDF embeds their coded pixels unchanged; what is read of WebP is at
the end of this one. Files of the kinds in CONVERTED become PNG or JPEG on arrival (``converting.py``). Ask
``kind_of`` first: all other functions trust that the data begins as their ``kind`` does.

Called by ``intake.py``, ``converting.py``, ``package_pictures.py`` and ``jobs.py``.
Tests: ``tests/cardsdb/box/picture_files/test_kinds.py``; kinds that are converted, and moving pictures, in
``tests/cardsdb/box/test_converting.py``.
"""

from collections.abc import Iterator
from itertools import count

from cardsdb.box.picture_files import jpeg, png
from cardsdb.box.picture_files.bounds import (
    PRIVATE,
    Rejected,
    check_parts,
    check_profile,
    damaged,
    is_whole,
)

STORED = ("jpeg", "png", "webp")
# First bytes of a file -> its kind, for kinds that are converted.
CONVERTED = {
    b"GIF8": "gif",
    b"BM": "bmp",
    b"II*\0": "tiff",
    b"MM\0*": "tiff",
    b"II+\0": "tiff",
    b"MM\0+": "tiff",
}
# HEIC and AVIF are brands of one container. Its first box, "ftyp" at byte 4, lists the brands from byte 8 on.
FAMILY = b"ftyp"
# Bytes of a file in which brands are looked for; a file has about ten brands of four bytes.
MEMBERS = 64
# First bytes -> name, of other files that people send, so that the error can name them.
OTHERS = {
    b"%!PS": "an EPS",
    b"\xc5\xd0\xd3\xc6": "an EPS",
    b"%PDF": "a PDF",
    b"<svg": "an SVG",
    b"<?xml": "an SVG",
    b"<!DOCTYPE svg": "an SVG",
    b"\x1f\x8b": "a packed file, such as SVGZ",
    b"8BPS": "a Photoshop file",
    b"\xff\x0a": "a JPEG XL",
    b"\0\0\0\x0cJXL ": "a JPEG XL",
    b"\0\0\0\x0cjP  ": "a JPEG 2000",
    b"\xff\x4f\xff\x51": "a JPEG 2000",
    b"\0\0\1\0": "an icon",
    b"PK\x03\x04": "a zip",
}
# EXIF's orientation (Exif 2.32, section 4.6.4 A) -> (mirror left to right first, then degrees clockwise) that
# make the picture upright. Many telephones, held upright, write 6: turn it by 90.
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
# The tag "Orientation" of an EXIF directory.
ORIENTATION_TAG = 0x0112
UPRIGHT = (False, 0)
# The most fields of one EXIF directory that are read.
MAX_FIELDS = 500
# The JPEG segment that EXIF shares with other metadata, and the beginning of those that are EXIF. Some
# programs write this beginning into WebP too, where it is not needed.
_APP1, _EXIF_MARK = 0xE1, b"Exif\0\0"


def kind_of(data: bytes) -> str:
    """Return the kind of a picture by its first bytes: ``jpeg``, ``png`` or ``webp``, or one that is
    converted. Raises Rejected, naming the kind that it seems to be.
    """
    if data.startswith(b"\xff\xd8\xff"):
        return "jpeg"
    if data.startswith(png.SIGNATURE):
        return "png"
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        return "webp"
    if not data:
        raise Rejected("empty", "is empty. Choose the file again.")
    if converted := next((kind for begin, kind in CONVERTED.items() if data.startswith(begin)), ""):
        return converted
    if data[4:8] == FAMILY:
        members = data[8:MEMBERS]
        if b"avif" in members or b"avis" in members:
            return "avif"
        if b"mif1" in members or b"heic" in members or b"heix" in members:
            return "heif"
    # Text files such as SVG may begin with a byte order mark and blank lines.
    begins = data.lstrip(b"\xef\xbb\xbf \r\n\t").startswith
    known = (f"{name}, which is not" for begin, name in OTHERS.items() if begins(begin))
    other = next(known, "no picture that is")
    raise Rejected("wrong_kind", f"is {other} read here. Save it as PNG or JPEG and send that.")


def is_stored(kind: str, data: bytes) -> bool:
    """True if a file is stored without conversion, after cleaning. An animated WebP is not."""
    return kind in STORED and not (kind == "webp" and moves(kind, data))


def moves(kind: str, data: bytes) -> bool:
    """True if a PNG or WebP is animated. Raises Rejected."""
    if kind == "png":
        return any(name == png.MOVES for name, _ in png.chunks(data, checked=False))
    if kind != "webp":
        return False
    flags = (content[0] for name, content in webp_chunks(data) if name == b"VP8X" and content)
    return any(byte & _MOVES for byte in flags)


def clean(kind: str, data: bytes) -> bytes:
    """Return the picture without metadata. Raises Rejected for a file that cannot be printed unconverted."""
    return {"jpeg": jpeg.clean, "png": png.clean, "webp": _clean_webp}[kind](data)


def has_profile(kind: str, data: bytes) -> bool:
    """True if the file has a colour profile, even a broken one. Raises Rejected."""
    if kind == "webp":
        return any(name == b"ICCP" for name, _ in webp_chunks(data))
    return bool(jpeg.read_profile(data) if kind == "jpeg" else png.read_png(data).profile)


def size_of(kind: str, data: bytes) -> tuple[int, int]:
    """Return (width, height) in pixels from the header. Raises Rejected."""
    if kind == "webp":
        return _webp_size(data)
    facts = jpeg.read_jpeg(data) if kind == "jpeg" else png.read_png(data)
    return facts.width, facts.height


def orientation(kind: str, data: bytes) -> tuple[bool, int]:
    """Return (mirrored, degrees clockwise) that make the picture upright, from its EXIF data. Unreadable data
    counts as upright.
    """
    for notes in _exif_notes(kind, data):
        if turn := _orientation_in(notes):
            return turn
    return UPRIGHT


def _exif_notes(kind: str, data: bytes) -> list[bytes]:
    """Return the EXIF blocks of a file, each beginning with its TIFF header."""
    if kind == "jpeg":
        parts = (content for marker, content, _ in jpeg.segments(data) if marker == _APP1)
        return [content.removeprefix(_EXIF_MARK) for content in parts if content.startswith(_EXIF_MARK)]
    if kind == "png":
        return [content for name, content in png.chunks(data) if name == b"eXIf"]
    return [content.removeprefix(_EXIF_MARK) for name, content in webp_chunks(data) if name == b"EXIF"]


def _orientation_in(notes: bytes) -> tuple[bool, int] | None:
    """Return the orientation in an EXIF block; None if it has none or is damaged. The block is a TIFF:

    bytes 0 to 3           II 2A 00 little-endian, or MM 00 2A big-endian
    bytes 4 to 7           offset of the directory, usually 8
    at that offset         number of fields (2 bytes), then 12 bytes for each field:
                           tag (2), type (2), count (4), value (4; the orientation is in the first 2)
    """
    if notes[:4] not in (b"II*\0", b"MM\0*"):
        return None

    def number(at: int, length: int) -> int:
        """Return the number in ``length`` bytes at this offset; 0 behind the end."""
        return int.from_bytes(notes[at : at + length], "big" if notes.startswith(b"M") else "little")

    directory = number(4, 4)
    for field in range(min(number(directory, 2), MAX_FIELDS)):
        at = directory + 2 + field * 12
        if number(at, 2) == ORIENTATION_TAG:
            return ORIENTATIONS.get(number(at + 8, 2))
    return None


# -- WebP, chunk by chunk --------------------------------------------------------------

# The chunks of a cleaned file (WebP container specification, RFC 9649, section 2): extended header, colour
# profile, opacity, and the coded picture, lossy or lossless.
_WEBP_NEEDED = (b"VP8X", b"ICCP", b"ALPH", b"VP8 ", b"VP8L")
# Bits of the first byte of VP8X, the extended header (RFC 9649, section 2.7): the file has an animation,
# and chunks of XMP, EXIF or a profile.
_MOVES = 0x02
_XMP = 0x04
_EXIF = 0x08
_PROFILE = 0x20


def webp_chunks(data: bytes) -> Iterator[tuple[bytes, bytes]]:
    """Yield (name, content) of the chunks of a WebP file. Raises Rejected."""
    # "RIFF", the number of bytes that follow, and "WEBP", each four bytes; then chunks of at least 8 bytes.
    end = 8 + int.from_bytes(data[4:8], "little")
    if end > len(data) or end < 12 + 8:
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
        # A chunk of odd length is followed by a byte of padding.
        at += 8 + length + length % 2


def _webp_size(data: bytes) -> tuple[int, int]:
    """Return (width, height); all chunks that state it must agree. Raises Rejected."""
    sizes = set(filter(None, (_size_in(name, content) for name, content in webp_chunks(data))))
    if len(sizes) != 1:
        raise damaged("it does not state its size")
    width, height = sizes.pop()
    # The widest bounds, those of a private site; ``intake`` then checks against its own site's.
    PRIVATE.check("webp", width, height)
    return width, height


def _clean_webp(data: bytes) -> bytes:
    """Return the file with only its coded picture, opacity and intact colour profile. Raises Rejected."""
    # For its checks; the size itself is not needed.
    _webp_size(data)
    profile = next((content for name, content in webp_chunks(data) if name == b"ICCP"), b"")
    check_profile(len(profile))
    dropped = () if is_whole(profile) else (b"ICCP",)
    needed: dict[bytes, bytes] = {}
    for name, content in webp_chunks(data):
        if name == b"VP8X":
            if len(content) < 10:
                raise Rejected("damaged", "is damaged: its header is too short.")
            # The header must not announce chunks that are left out.
            gone = _XMP | _EXIF | (_PROFILE if dropped else 0)
            content = bytes([content[0] & ~gone]) + content[1:]
        if name in _WEBP_NEEDED and name not in dropped:
            # Of duplicate chunks the first counts.
            needed.setdefault(
                name, name + len(content).to_bytes(4, "little") + content + b"\0" * (len(content) % 2)
            )
    body = b"WEBP" + b"".join(needed.values())
    return b"RIFF" + len(body).to_bytes(4, "little") + body


def _size_in(name: bytes, content: bytes) -> tuple[int, int] | None:
    """Return (width, height) in this chunk, None if it states none. All numbers are little-endian.

    * VP8X: width - 1 in the bytes 4 to 6, height - 1 in the bytes 7 to 9
    * VP8L: byte 0 is the signature 2F; then 14 bits of width - 1 and 14 bits of height - 1
    * VP8: bytes 3 to 5 are the signature 9D 01 2A; then 14 bits of width in bytes 6 and 7, of height in 8 and
      9, each below two bits for scaling
    """
    if name == b"VP8X" and len(content) >= 10:
        return 1 + int.from_bytes(content[4:7], "little"), 1 + int.from_bytes(content[7:10], "little")
    if name == b"VP8L" and len(content) >= 5 and content[0] == 0x2F:
        bits = int.from_bytes(content[1:5], "little")
        return 1 + (bits & 0x3FFF), 1 + (bits >> 14 & 0x3FFF)
    if name == b"VP8 " and len(content) >= 10 and content[3:6] == b"\x9d\x01\x2a":
        width, height = (int.from_bytes(content[at : at + 2], "little") & 0x3FFF for at in (6, 8))
        return width, height
    return None
