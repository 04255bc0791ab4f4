"""Likeness of texts: the known texts that are like a typed one, and the one that it surely means.

Whole texts are compared by likeness, in percent (``fuzz.ratio``); words by edits: letters that are wrong,
added, lacking or swapped with the next (``OSA.distance``). ``names.py`` uses both for names of cards,
searches for values and words. Tests: ``tests/cardsdb/games/kit/model/test_likeness.py``, and of the names
that are found so ``test_names.py`` beside it.
"""

from collections.abc import Iterable, Sequence

from rapidfuzz import fuzz, process
from rapidfuzz.distance import OSA

from cardsdb.games.kit.model.text import fold

# The least likeness of a whole text.
LIKENESS = 70
# Only so many characters of a text are compared.
MAX_COMPARED = 100
# Misspellings that leave no doubt: (least length of a name, most edits). Shorter names may have no edit.
SLIPS = ((4, 1), (8, 2), (14, 3))


def alike(
    typed: str, known: Iterable[str], limit: int | None = None, likeness: float = LIKENESS
) -> list[str]:
    """Return at most ``limit`` of the folded texts in ``known`` that are like a folded text as a whole, best
    first. Empty for an empty text.
    """
    typed = typed[:MAX_COMPARED]
    if not typed:
        return []
    found = process.extract(typed, tuple(known), scorer=fuzz.ratio, limit=None, score_cutoff=likeness)
    # Each match is (text, likeness, index); of equally like texts the one with fewer edits comes first.
    found.sort(key=lambda match: (-match[1], OSA.distance(typed, match[0]), match[0]))
    return [text for text, _, _ in found[:limit]]


def letters_off(typed: str, known: Iterable[str], most: int) -> dict[str, int]:
    """Return known word -> number of edits from the typed one, for the words with at most ``most`` edits."""
    found = process.extract(typed, tuple(known), scorer=OSA.distance, score_cutoff=most, limit=None)
    return {word: int(edits) for word, edits, _ in found}


def surely_meant(typed: str, names: Sequence[str]) -> str:
    """Return the name that a misspelt one surely means: at most the ``SLIPS`` of its length away, with the
    next name at least two edits further. Empty if no name is sure, or if the name is not misspelt.

    "Bruce Bulet Cho" means ``Bruce "Bullet" Cho`` (3 edits). A wrong digit is no misspelling: "Glock 18" does
    not mean "Glock 17".
    """
    folded = fold(typed)
    by_edits = sorted((OSA.distance(folded, fold(name)), name) for name in names)
    if not by_edits:
        return ""
    edits, nearest = by_edits[0]
    if any(others <= edits + 1 for others, _ in by_edits[1:]):
        return ""
    meant = fold(nearest)
    length = min(len(folded), len(meant))
    most_edits = max((most for least, most in SLIPS if length >= least), default=0)
    return nearest if 0 < edits <= most_edits and digits_of(folded) == digits_of(meant) else ""


def digits_of(text: str) -> str:
    """Return the digits of a text. Texts that differ in them are not misspellings of each other."""
    return "".join(filter(str.isdigit, text))
