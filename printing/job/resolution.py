"""Which pictures of a job print softly, with the number."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from cardsdb.games.kit.model.text import plural
from printing.job.pictures_used import UsedPicture
from printing.pictures.ref import GOOD_PPI

# So many are named; the rest are counted.
NAMED = 3


class Soft(NamedTuple):
    """A picture with fewer pixels an inch than a sharp print takes."""

    name: str
    ppi: int


def soft_pictures(used: Iterable[UsedPicture]) -> tuple[Soft, ...]:
    """Those of the pictures that print softly, softest first."""
    found = dict.fromkeys(Soft(one.name, one.ppi) for one in used if one.ppi < GOOD_PPI)
    return tuple(sorted(found, key=lambda one: (one.ppi, one.name)))


def in_words(soft: tuple[Soft, ...]) -> str:
    """``2 pictures under 300 ppi: Kai 212 ppi, Lucky Shot 250 ppi``; nothing for none."""
    if not soft:
        return ""
    listed = ", ".join(f"{one.name} {one.ppi} ppi" for one in soft[:NAMED])
    more = f" and {len(soft) - NAMED} more" if len(soft) > NAMED else ""
    return f"{len(soft)} {plural(len(soft), 'picture')} under {GOOD_PPI} ppi: {listed}{more}"
