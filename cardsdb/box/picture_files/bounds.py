"""Limits for uploaded pictures, and ``Rejected``, the error for a picture that breaks one.

Every limit is checked before the work that it bounds: bytes before reading, pixels (from the header) before
decoding, profile bytes before unpacking. ``is_whole`` and ``is_for`` check a colour profile's structure, so
that no broken one reaches a printer.

``intake.py`` and the modules of this room apply the limits of a picture, ``jobs.py`` those of an upload,
``placing.py`` those of an owner. Tests: ``tests/cardsdb/box/picture_files/test_bounds.py``; of pictures and
profiles that are too large ``tests/cardsdb/box/test_intake.py``.
"""

from typing import NamedTuple

MEGABYTE = 1024 * 1024
# A picture of more pixels is reduced when it is taken in. A quarter of them is 850 pixels an inch on a card.
FINE = 25_000_000


class Bounds(NamedTuple):
    """Limits of a site.

    Of one picture: ``bytes`` of the file; ``pixels``, or ``costly_pixels`` for kinds whose decoder takes four
    times the memory; pixels along a ``side``; bytes ``unpacked`` for printing. Of one upload:
    ``upload_pixels``. A picture of more than ``fine`` pixels is reduced, not refused; only tests set another
    number.
    """

    bytes: int
    pixels: int
    costly_pixels: int
    side: int
    unpacked: int
    upload_pixels: int
    fine: int = FINE

    def check(self, kind: str, width: int, height: int) -> None:
        """Raise Rejected if the size in a picture's header is more than may be decoded. ``kind`` is that of
        the file, or PROGRESSIVE.
        """
        most = self.costly_pixels if kind in COSTLY else self.pixels
        if kind == PROGRESSIVE:
            most = max(self.fine, most // 2)
        if not width or not height:
            raise damaged("its header states no pixels")
        if width > self.side or height > self.side:
            raise Rejected(
                "too_many_pixels",
                f"is {width} x {height} pixels; a side may have {self.side:,}. Make it smaller and try"
                " again.",
            )
        if width * height > most:
            # Tenths of a million, rounded up: 25,000,001 pixels are "25.1 million", since "25.0 million; 25
            # million are the most" would make no sense.
            tenths = -(-width * height // 100_000)
            millions = f"{tenths / 10:.1f} million pixels ({width} x {height})"
            raise Rejected(
                "too_many_pixels",
                f"has {millions}; {most // 1_000_000} million are the most. Make it smaller and send it"
                " again.",
            )


# Kinds whose decoder takes four times the memory, so ``costly_pixels`` holds for them.
COSTLY = {"webp", "heif", "avif"}
# A progressive JPEG needs all of it in memory before the first pixel, so half as many pixels are allowed, but
# never fewer than ``fine``: 60 million with PRIVATE, and with PUBLIC the same 25 million as of other kinds.
PROGRESSIVE = "progressive"
# Memory while a picture is decoded: 250 MB with PUBLIC, 650 MB with PRIVATE, which commands use too. A card
# at 1,200 ppi has 13 million pixels; all cards of an upload at 600 ppi have 190 million, which take 20
# seconds.
PUBLIC = Bounds(
    bytes=5 * MEGABYTE,
    pixels=25_000_000,
    costly_pixels=14_000_000,
    side=8_000,
    unpacked=60 * MEGABYTE,
    upload_pixels=200_000_000,
)
PRIVATE = Bounds(
    bytes=40 * MEGABYTE,
    pixels=120_000_000,
    costly_pixels=30_000_000,
    side=16_000,
    unpacked=120 * MEGABYTE,
    upload_pixels=2_000_000_000,
)
# Limits of one upload.
MAX_UPLOAD_FILES = 60
MAX_UPLOAD_BYTES = 400 * MEGABYTE
# Limits of all pictures of one owner; the bytes include the files derived for printing.
MAX_PICTURES = 5_000
MAX_STORED = 2_000 * MEGABYTE
# Limits for a browser without an account on a public site.
MAX_OF_BROWSER = 200
MAX_STORED_OF_BROWSER = 200 * MEGABYTE
# Bytes of an unpacked colour profile; those of printing presses are the largest.
MAX_PROFILE = 4 * MEGABYTE
# Segments or chunks of one file. 40 MB in the smallest pieces that programs write are about 10,400.
MAX_PARTS = 12_000


class Rejected(ValueError):
    """The picture is not taken. ``code`` is for programs; ``message`` says what is wrong and what to do, as
    the rest of a sentence that begins with the picture's name.
    """

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message


class Allowance:
    """The number of pixels that may still be decoded for one upload."""

    def __init__(self, pixels: int) -> None:
        self.most = self.left = pixels

    def spend(self, pixels: int) -> None:
        """Charge this many pixels. Raises Rejected if fewer are left; a smaller picture may still fit."""
        if pixels > self.left:
            millions = f"{self.most // 1_000_000:,} million pixels"
            raise Rejected(
                "too_much_at_once",
                f"would be more than {millions} at once, with those before it. Send it next.",
            )
        self.left -= pixels


def check_profile(size: int) -> None:
    """Raise Rejected if a colour profile has too many bytes."""
    if size > MAX_PROFILE:
        most = MAX_PROFILE // MEGABYTE
        raise Rejected(
            "profile_too_large",
            f"has a colour profile of more than {most} MB. Save it with an ordinary one, such as sRGB.",
        )


def check_parts(number: int) -> None:
    """Raise Rejected if a file has too many segments or chunks."""
    if number > MAX_PARTS:
        raise Rejected(
            "too_many_parts", f"is made of more than {MAX_PARTS:,} parts. Save it again and send that."
        )


def damaged(why: str) -> Rejected:
    """Return the error for a file that is not whole."""
    return Rejected("damaged", f"is cut off or damaged ({why}). Save it again and send that.")


# An ICC profile (ICC.1, sections 7.2 and 7.3) has a header, the number of tags, an entry for each tag (its
# name, its offset and its length, 4 bytes each), and the tags. These are the bytes of the first three. Fields
# of the header that are read: at 0 the profile's length, 12 its class, 16 its colour space, 20 its connection
# space, 36 the signature.
HEADER = 128
COUNT = 4
ENTRY = 12
SIGNATURE = b"acsp"
# Classes of profiles that say what pixel values mean: scanner, monitor, printer, colour space.
CLASSES = (b"scnr", b"mntr", b"prtr", b"spac")
# The colour spaces through which profiles are connected.
CONNECTIONS = (b"XYZ ", b"Lab ")
# Number of channels -> the name of their colour space in a profile.
COLOURS = {1: b"GRAY", 3: b"RGB ", 4: b"CMYK"}


def is_whole(profile: bytes) -> bool:
    """True if this is a profile for pictures, and every tag lies within it, after the table of tags."""
    size, tags = _number(profile, 0), _number(profile, HEADER)
    end_of_table = HEADER + COUNT + tags * ENTRY
    if not tags or not end_of_table <= size <= len(profile):
        return False
    if profile[36:40] != SIGNATURE or profile[12:16] not in CLASSES or profile[20:24] not in CONNECTIONS:
        return False
    for at in range(HEADER + COUNT, end_of_table, ENTRY):
        begin, length = _number(profile, at + 4), _number(profile, at + 8)
        if begin < end_of_table or begin + length > size:
            return False
    return True


def is_for(profile: bytes, colours: int) -> bool:
    """True if the profile is whole and is for pixels with so many channels."""
    return profile[16:20] == COLOURS.get(colours) and is_whole(profile)


def _number(profile: bytes, at: int) -> int:
    """Return the four bytes at this offset as a number; 0 if the profile ends before."""
    return int.from_bytes(profile[at : at + 4], "big") if at + 4 <= len(profile) else 0
