"""Colour profiles (ICC) inside picture files: whether one is whole, and whether it is for the colours of its
picture.

A broken profile makes a file that some presses refuse and that each viewer shows otherwise, so it is left out
of a picture when that is taken in, and of a PDF whose picture was stored with one. Nothing is calculated with
colours here.
"""

from __future__ import annotations

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
    """Whether the header is one of a profile for pictures, and every tag lies inside the profile and behind
    the table of tags.
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
    """Whether the profile is whole and says what so many colours of a pixel mean."""
    return profile[16:20] == COLOURS.get(colours) and is_whole(profile)


def _number(profile: bytes, at: int) -> int:
    """The four bytes at this place as a number; 0 where the profile has ended."""
    return int.from_bytes(profile[at : at + 4], "big") if at + 4 <= len(profile) else 0
