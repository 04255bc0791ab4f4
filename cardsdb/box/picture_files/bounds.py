"""The limits of a picture that is taken in, and the error for one that is not."""

from typing import NamedTuple

MEGABYTE = 1024 * 1024
# A picture of more pixels than these is made smaller when it comes; a quarter of them is 850 pixels an inch
# on a card.
FINE = 25_000_000


class Bounds(NamedTuple):
    """The limits of what comes to a site. Of one picture: bytes, pixels, those of a kind whose decoder takes
    four times the memory of others (WebP, HEIC, AVIF), pixels along a side, bytes when it is unpacked for
    printing. Of one upload: pixels. A picture of more pixels than are ``fine`` is made smaller.
    """

    bytes: int
    pixels: int
    costly_pixels: int
    side: int
    unpacked: int
    upload_pixels: int
    fine: int = FINE

    def check(self, kind: str, width: int, height: int) -> None:
        """Raise Rejected for a picture whose header states more pixels than are decoded."""
        most = self.costly_pixels if kind in COSTLY else self.pixels
        if kind == PROGRESSIVE:
            most = max(self.fine, most // 2)
        if not width or not height:
            raise damaged("it says it has no pixels")
        if width > self.side or height > self.side:
            raise Rejected(
                "too_many_pixels",
                f"is {width} x {height} pixels; a side may have {self.side:,}. Make it smaller and try"
                " again.",
            )
        if width * height > most:
            # Rounded up: a picture that is hardly too large must not seem to have as many pixels as are
            # allowed.
            millions = f"{-(-width * height // 100_000) / 10:.1f} million pixels ({width} x {height})"
            raise Rejected(
                "too_many_pixels",
                f"has {millions}; {most // 1_000_000} million are the most. Make it smaller and send it"
                " again.",
            )


COSTLY = {"webp", "heif", "avif"}
# A JPEG whose decoder has all of it in memory before the first pixel.
PROGRESSIVE = "progressive"
# On a public site a picture takes 250 MB of memory while it is looked at, on a private one and for a command
# 650 MB. A card at 1,200 ppi has 13 million pixels, and all cards of an upload at 600 ppi 190 million, of
# which a second takes ten.
PUBLIC = Bounds(5 * MEGABYTE, 25_000_000, 14_000_000, 8_000, 60 * MEGABYTE, 200_000_000)
PRIVATE = Bounds(40 * MEGABYTE, 120_000_000, 30_000_000, 16_000, 120 * MEGABYTE, 2_000_000_000)
# The limits of one upload; further down those of all pictures of one owner, with the files made of them for
# printing.
MAX_UPLOAD_FILES = 60
MAX_UPLOAD_BYTES = 400 * MEGABYTE
MAX_PICTURES = 5_000
MAX_STORED = 2_000 * MEGABYTE
# Of a browser without an account on a public site.
MAX_OF_BROWSER = 200
MAX_STORED_OF_BROWSER = 200 * MEGABYTE
# The most bytes of a colour profile, unpacked; those of presses are the largest.
MAX_PROFILE = 4 * MEGABYTE
# The most segments or chunks of one file, each of which is read: 40 MB in the smallest pieces that programs
# write are some 10,400.
MAX_PARTS = 12_000


class Rejected(ValueError):
    """The picture is not taken. ``code`` is for programs, the message for people: what is wrong and what to
    do.
    """

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message


class Allowance:
    """The number of pixels that may still be decoded for one upload."""

    def __init__(self, pixels: int) -> None:
        self.pixels, self.most = pixels, pixels // 1_000_000

    def spend(self, pixels: int) -> None:
        """Take this many pixels. Raises Rejected when fewer are left; a smaller picture may still fit."""
        if pixels > self.pixels:
            raise Rejected(
                "too_much_at_once",
                f"would be more than {self.most:,} million pixels at once, with those before it. Send it"
                " next.",
            )
        self.pixels -= pixels


def check_profile(size: int) -> None:
    """Raise Rejected for a colour profile of too many bytes."""
    if size > MAX_PROFILE:
        most = MAX_PROFILE // MEGABYTE
        raise Rejected(
            "profile_too_large",
            f"has a colour profile of more than {most} MB. Save it with an ordinary one, such as sRGB.",
        )


def check_parts(number: int) -> None:
    """Raise Rejected for a file of too many segments or chunks."""
    if number > MAX_PARTS:
        raise Rejected(
            "too_many_parts", f"is made of more than {MAX_PARTS:,} parts. Save it again and send that."
        )


def damaged(why: str) -> Rejected:
    """The error for a file that is not whole."""
    return Rejected("damaged", f"is cut off or damaged ({why}). Save it again and send that.")


# The header has 128 bytes; behind it stand the number of tags and, for each, its name, its place and its
# length.
HEADER, COUNT, ENTRY = 128, 4, 12
SIGNATURE = b"acsp"
# The profiles that say what the numbers of a picture mean: of scanners, screens and printers, and of colour
# spaces.
CLASSES = (b"scnr", b"mntr", b"prtr", b"spac")
# The spaces in which profiles meet each other.
CONNECTIONS = (b"XYZ ", b"Lab ")
# The name of the colours in a profile, by their number.
COLOURS = {1: b"GRAY", 3: b"RGB ", 4: b"CMYK"}


def is_whole(profile: bytes) -> bool:
    """Say whether the header is one of a profile for pictures, and every tag lies inside the profile and
    behind the table of tags.
    """
    size, tags = _number(profile, 0), _number(profile, HEADER)
    behind = HEADER + COUNT + tags * ENTRY
    if not tags or not behind <= size <= len(profile):
        return False
    if profile[36:40] != SIGNATURE or profile[12:16] not in CLASSES or profile[20:24] not in CONNECTIONS:
        return False
    entries = range(HEADER + COUNT, behind, ENTRY)
    return all(
        _number(profile, at + 4) >= behind and _number(profile, at + 4) + _number(profile, at + 8) <= size
        for at in entries
    )


def is_for(profile: bytes, colours: int) -> bool:
    """Say whether the profile is whole and says what so many colours of a pixel mean."""
    return profile[16:20] == COLOURS.get(colours) and is_whole(profile)


def _number(profile: bytes, at: int) -> int:
    """The four bytes at this place as a number; 0 where the profile has ended."""
    return int.from_bytes(profile[at : at + 4], "big") if at + 4 <= len(profile) else 0
