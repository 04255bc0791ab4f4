"""How much of a picture is taken, and what is said of one that is not."""

from __future__ import annotations

MEGABYTE = 1024 * 1024
# One picture: bytes, pixels, pixels along a side. A card at 1,200 ppi has 13 million pixels.
MAX_BYTES = 5 * MEGABYTE
MAX_PIXELS = 25_000_000
MAX_SIDE = 8_000
# The decoder of WebP takes 16 bytes a pixel, four times what others do.
MAX_PIXELS_WEBP = 14_000_000
# One upload, and all pictures of one owner with what is made of them for printing.
MAX_UPLOAD_FILES = 60
MAX_UPLOAD_BYTES = 100 * MEGABYTE
# Pixels of one upload, all of which are decoded: sixty cards at 600 ppi have 190 million, and some take a second for ten million.
MAX_UPLOAD_PIXELS = 200_000_000
MAX_PICTURES = 200
MAX_STORED = 200 * MEGABYTE
# Of a colour profile, unpacked; those of presses are the largest.
MAX_PROFILE = 4 * MEGABYTE
# Segments or chunks of one file, each of which is looked at: 5 MB in the smallest pieces that programs write are some 1,300.
MAX_PARTS = 4_000


class Rejected(ValueError):
    """A picture that is not taken. ``code`` for programs, the message for people: what is wrong and what to do."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message


class Allowance:
    """How many pixels are still decoded for one upload."""

    def __init__(self, pixels: int = MAX_UPLOAD_PIXELS) -> None:
        self.pixels = pixels

    def spend(self, pixels: int) -> None:
        """Raise Rejected when so many are no longer left; what follows may be smaller and still fit."""
        if pixels > self.pixels:
            most = MAX_UPLOAD_PIXELS // 1_000_000
            raise Rejected("too_much_at_once", f"would be more than {most} million pixels at once, with those before it. Send it next.")
        self.pixels -= pixels


def check_profile(size: int) -> None:
    """Raise Rejected for a colour profile of so many bytes, if they are too many."""
    if size > MAX_PROFILE:
        most = MAX_PROFILE // MEGABYTE
        raise Rejected("profile_too_large", f"has a colour profile of more than {most} MB. Save it with an ordinary one, such as sRGB.")


def check_parts(number: int) -> None:
    """Raise Rejected for a file of so many segments or chunks, if they are too many."""
    if number > MAX_PARTS:
        raise Rejected("too_many_parts", f"is made of more than {MAX_PARTS:,} parts. Save it again and send that.")


def damaged(why: str) -> Rejected:
    """For a file that is not whole."""
    return Rejected("damaged", f"is cut off or damaged ({why}). Save it again and send that.")


def check_size(width: int, height: int, most: int = MAX_PIXELS) -> None:
    """Raise Rejected for more pixels than are decoded, by what the header says."""
    if not width or not height:
        raise damaged("it says it has no pixels")
    if width > MAX_SIDE or height > MAX_SIDE:
        raise Rejected("too_many_pixels", f"is {width} x {height} pixels; a side may have {MAX_SIDE:,}. Make it smaller and try again.")
    if width * height > most:
        # Rounded up, so that one that is hardly too large is not said to have as many as are allowed.
        millions = f"{-(-width * height // 100_000) / 10:.1f} million pixels ({width} x {height})"
        raise Rejected("too_many_pixels", f"has {millions}; {most // 1_000_000} million are the most. Make it smaller and send it again.")
