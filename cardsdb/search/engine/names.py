"""Names that a misspelt one may mean, and names with a word that begins so."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import cached_property
from itertools import pairwise

from rapidfuzz import fuzz, process
from rapidfuzz.distance import OSA

# Characters and words of a misspelt name that are looked at.
MAX_CHARACTERS, MAX_WORDS = 100, 8
# From the first length on a word may differ by two letters; below the second, by none unless it stands alone.
LONG_WORD, SHORT_WORD = 5, 3
MAX_EDITS = 2
# How alike names must be, in hundredths.
LIKENESS = 65
# From this length on one word of a name is enough to offer it.
WORD_ALONE = 4


class Names:
    """Some folded names, each once, in their order."""

    def __init__(self, names: Iterable[str]) -> None:
        self.all = tuple(dict.fromkeys(names))

    @cached_property
    def by_word(self) -> dict[str, list[str]]:
        """Word -> the names with it."""
        names: dict[str, list[str]] = defaultdict(list)
        for name in self.all:
            for word in _words_of(name):
                names[word].append(name)
        return dict(names)

    def like(self, typed: str, limit: int) -> list[str]:
        """The names that are most like this one, best first; none if none is like it.

        The names that are like it as a whole come first, then those with words like its words.
        """
        typed = typed[:MAX_CHARACTERS]
        pieces = typed.split()[:MAX_WORDS]
        near = [self._near(piece, len(pieces) == 1) for piece in pieces]
        likely = dict.fromkeys(self._likely(pieces, near))
        alike = process.extract(typed, likely.keys(), scorer=fuzz.ratio, limit=None, score_cutoff=LIKENESS)
        alike.sort(key=lambda one: (OSA.distance(typed, one[0]), -one[1], one[0]))
        names = [name for name, _, _ in alike[:limit]]
        # A whole name with a slip in it is enough; of one word alone most that it may mean are longer.
        if not names or (len(pieces) == 1 and len(names) < limit):
            names += self._with_words_like(typed, pieces, near, limit)
        return list(dict.fromkeys(names))[:limit]

    def _near(self, piece: str, alone: bool) -> dict[str, int]:
        """The words at most an edit or two from the piece, each with its number of edits."""
        most = MAX_EDITS if len(piece) >= LONG_WORD else 1 if alone or len(piece) >= SHORT_WORD else 0
        # A long word of some name beside others is hardly the one with the slip.
        if not most or (not alone and len(piece) >= LONG_WORD and piece in self.by_word):
            return {piece: 0} if piece in self.by_word else {}
        alike = process.extract(
            piece, self.by_word.keys(), scorer=OSA.distance, score_cutoff=most, limit=None
        )
        return {word: int(edits) for word, edits, _ in alike}

    def _likely(self, pieces: Sequence[str], near: Iterable[Collection[str]]) -> Iterator[str]:
        """The names with a word that a piece may mean: alone, run together with the next, or torn in two."""
        words = [word for of in near for word in of] + ["".join(pair) for pair in pairwise(pieces)]
        for word in words:
            yield from self.by_word.get(word, ())
        for piece in pieces:
            for at in range(1, len(piece)) if piece not in self.by_word else ():
                # Without a space, or with another letter in its place.
                rests = {piece[at:], piece[at + 1 :]}
                lefts = self.by_word.get(piece[:at], ())
                yield from (name for name in lefts if rests & _words_of(name))

    def _with_words_like(
        self, typed: str, pieces: Sequence[str], near: Sequence[dict[str, int]], limit: int
    ) -> list[str]:
        """The names with a word like most of the pieces: the likeliest words first, then the names likest as
        a whole.
        """
        chosen: dict[str, None] = {}
        for most in range(MAX_EDITS + 1) if max(map(len, pieces), default=0) >= WORD_ALONE else ():
            words = [[word for word, edits in of.items() if edits <= most] for of in near]
            met = Counter(
                name for of in words for name in {name for word in of for name in self.by_word[word]}
            )
            fresh = [name for name in self.all if met[name] > len(pieces) // 2 and name not in chosen]
            best = process.extract(typed, fresh, scorer=fuzz.ratio, limit=limit)
            chosen |= dict.fromkeys(name for name, _, _ in best)
            if len(chosen) >= limit:
                break
        return list(chosen)


def begins_a_word(part: str, name: str) -> bool:
    """Whether the part begins somewhere in the name where a word does, or behind a mark in it."""
    at = name.find(part)
    while at > 0 and name[at - 1].isalnum():
        at = name.find(part, at + 1)
    return at >= 0


def _words_of(name: str) -> set[str]:
    """The words of a name, and their parts behind a mark: ``"doc"`` is found by its d, ``x-ray`` by its r."""
    words = set(name.split())
    for word in [word for word in words if not word.isalnum()]:
        starts = (at for at in range(1, len(word)) if word[at].isalnum() and not word[at - 1].isalnum())
        words.update(word[at:] for at in starts)
    return words
