"""How alike names are: one measure for all that is misspelt, in lists, searches, packages and pictures."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rapidfuzz import fuzz, process
from rapidfuzz.distance import OSA

from cardsdb.games.kit.model.text import fold

# How alike a name must be to be offered in place of a misspelt one, and to be all but that name, in hundredths.
LIKENESS, ALL_BUT = 70, 85
# Characters of a text that are compared.
MAX_COMPARED = 100
# How many letters may be wrong, too many, lacking or in another's place in a name that is surely meant, by
# its least length.
SLIPS = ((14, 3), (8, 2), (4, 1))


def alike(
    typed: str, known: Iterable[str], limit: int | None = None, likeness: float = LIKENESS
) -> list[str]:
    """Return those of the known folded texts that are like a folded one as a whole, best first; none for an
    empty text.
    """
    typed = typed[:MAX_COMPARED]
    if not typed:
        return []
    found = process.extract(typed, tuple(known), scorer=fuzz.ratio, limit=None, score_cutoff=likeness)
    found.sort(key=lambda one: (OSA.distance(typed, one[0]), -one[1], one[0]))
    return [text for text, _, _ in found[:limit]]


def is_all_but(typed: str, known: Iterable[str]) -> bool:
    """Say if one of the known folded texts is all but this one."""
    return process.extractOne(typed, tuple(known), scorer=fuzz.ratio, score_cutoff=ALL_BUT) is not None


def letters_off(typed: str, known: Iterable[str], most: int) -> dict[str, int]:
    """Return the known words that are at most so many letters off a typed one, each with how many are."""
    found = process.extract(typed, tuple(known), scorer=OSA.distance, score_cutoff=most, limit=None)
    return {word: int(off) for word, off, _ in found}


def surely_meant(typed: str, names: Sequence[str]) -> str:
    """Return the one of these names that a misspelt one surely means: a few letters off, and no other as
    near; empty if none is sure.

    A name with another number in it is another name.
    """
    folded = fold(typed)
    off = sorted((OSA.distance(folded, fold(name)), name) for name in names)
    if not off or (len(off) > 1 and off[1][0] <= off[0][0] + 1):
        return ""
    letters, name = off[0]
    length = min(len(folded), len(fold(name)))
    most = next((slips for least, slips in SLIPS if length >= least), 0)
    return name if 0 < letters <= most and digits_of(folded) == digits_of(fold(name)) else ""


def digits_of(text: str) -> str:
    """Return the digits of a text: two that differ in these are no slip of each other."""
    return "".join(filter(str.isdigit, text))
