"""Which pictures of a job print softly, with the number."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from printing.pictures.reference import GOOD_PPI, PictureRef, ppi

# So many are named; the rest are counted.
NAMED = 3


class Soft(NamedTuple):
    """A picture with fewer pixels an inch than a sharp print takes."""

    name: str
    ppi: int


def soft_pictures(
    pictures: Mapping[tuple[str, str], PictureRef], names: Mapping[str, str], trim: tuple[int, int], bleed: int
) -> tuple[Soft, ...]:
    """Those of the pictures that print softly on cards of this size, softest first. ``names``: card's code -> its name."""
    found = []
    for (code, side), ref in pictures.items():
        found.append(Soft(f"{names.get(code, 'all cards')}, {side}" if side == "back" else names[code], ppi(ref, trim, bleed)))
    return tuple(sorted((one for one in found if one.ppi < GOOD_PPI), key=lambda one: (one.ppi, one.name)))


def in_words(soft: tuple[Soft, ...]) -> str:
    """``2 pictures under 300 ppi: Kai 212 ppi, Lucky Shot 250 ppi``; nothing for none."""
    if not soft:
        return ""
    listed = ", ".join(f"{one.name} {one.ppi} ppi" for one in soft[:NAMED])
    more = f" and {len(soft) - NAMED} more" if len(soft) > NAMED else ""
    return f"{len(soft)} picture{'' if len(soft) == 1 else 's'} under {GOOD_PPI} ppi: {listed}{more}"
