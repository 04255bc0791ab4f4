"""Cards by name: of the exact name, of names that begin so, of names that a misspelt one may mean."""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import islice, pairwise

from pyroaring import BitMap

from cardsdb.search.engine.postings import Text

# Characters and words of a misspelt name that are looked at.
MAX_CHARACTERS, MAX_WORDS = 100, 8
# From the first length on a word may differ by two letters; below the second, by none unless it stands alone.
LONG_WORD, SHORT_WORD = 5, 3
MAX_EDITS = 2
# How many names are compared letter by letter, and how alike they must be, in hundredths.
MAX_COMPARED = 500
LIKENESS = 65
# From this length on one word of a name is enough to offer it; and how many names of one distance are
# compared.
WORD_ALONE = 4
MAX_BY_WORDS = 200
# How much longer or shorter a name may be than what was typed, where too many are like it.
LENGTH_APART = 3

# A word's number -> how many edits it is from the word typed.
Near = Mapping[int, int]


class Names(Text):
    """The folded names of all cards, and their order by code point."""

    @cached_property
    def _order(self) -> array[int]:
        return array("I", sorted(range(len(self.lines)), key=list(self.lines).__getitem__))

    def words_of(self, text: str) -> set[str]:
        """The words of a name, and their parts behind a mark: ``"doc"`` is found by its d, ``x-ray`` by its
        r.
        """
        words = super().words_of(text)
        for word in [word for word in words if not word.isalnum()]:
            words.update(
                word[at:] for at in range(1, len(word)) if word[at].isalnum() and not word[at - 1].isalnum()
            )
        return words

    def exactly(self, name: str) -> BitMap:
        """The cards of this name."""
        first = self._place(name)
        return BitMap(
            self._order[
                first : bisect_left(self._order, True, lo=first, key=lambda at: self.lines[at] != name)
            ]
        )

    def whole_beginning_with(self, prefix: str) -> BitMap:
        """The cards whose whole name begins so."""
        return BitMap(self._order[self._range(prefix)])

    def inner_beginning_with(self, prefix: str) -> BitMap:
        """The cards whose name has a space and then the prefix."""
        candidates = self.containing if " " in prefix else self.beginning_with
        return self._cache.get(
            (id(self), "inner", prefix), lambda: self.lines.containing_among(f" {prefix}", candidates(prefix))
        )

    def completing(self, prefix: str, limit: int, among: BitMap | None = None) -> list[int]:
        """Positions of the cards whose name begins so, in order of names; then, in catalogue order, of those
        with a word that begins so.

        ``among``: the cards that count; all without it.
        """
        if not prefix:
            return []
        whole = list(islice(_those(self._order[self._range(prefix)], among), limit))
        others = islice(_those(self._with_word(prefix), among), 2 * limit) if len(whole) < limit else ()
        return list(dict.fromkeys((*whole, *others)))[:limit]

    def _with_word(self, prefix: str) -> Iterator[int]:
        if " " not in prefix:
            return iter(self.beginning_with(prefix))
        return (
            position for position in self.containing(prefix) if _begins_a_word(prefix, self.lines[position])
        )

    def _place(self, name: str) -> int:
        """Where a name stands in the order, or would stand."""
        return bisect_left(self._order, name, key=self.lines.__getitem__)

    def _range(self, prefix: str) -> slice:
        """The part of the order in which the names begin so."""
        first = self._place(prefix)
        return slice(
            first,
            bisect_left(self._order, True, lo=first, key=lambda at: not self.lines[at].startswith(prefix)),
        )

    # -- misspelt names --------------------------------------------------------------

    def like(self, typed: str, limit: int) -> list[int]:
        """Positions of cards whose names are most like this one, best first, one of each name; none if none
        is like it.

        The names that are like it as a whole come first, then those with words like its words.
        """
        # Imported with the first name that is misspelt, here and below.
        from rapidfuzz import fuzz, process
        from rapidfuzz.distance import OSA

        typed = typed[:MAX_CHARACTERS]
        pieces = typed.split()[:MAX_WORDS]
        near = [self._near(piece, len(pieces) == 1) for piece in pieces]
        compared: dict[str, int] = {}
        for position in self._likely(pieces, near, len(typed)):
            compared.setdefault(self.lines[position], position)
        alike = process.extract(typed, list(compared), scorer=fuzz.ratio, limit=None, score_cutoff=LIKENESS)
        best = sorted(alike, key=lambda name: (OSA.distance(typed, name[0]), -name[1], name[0]))
        names = {name: compared[name] for name, _, _ in best[:limit]}
        # A whole name with a slip in it is enough; of one word alone most that it may mean are longer.
        if not names or (len(pieces) == 1 and len(names) < limit):
            for name, position in self._with_words_like(typed, pieces, near, limit):
                names.setdefault(name, position)
        return list(names.values())[:limit]

    def _with_words_like(
        self, typed: str, pieces: Sequence[str], near: Sequence[Near], limit: int
    ) -> list[tuple[str, int]]:
        """Names with a word like most of the pieces, and their positions: the likeliest words first, then the
        names likest as a whole.
        """
        from rapidfuzz import fuzz, process

        if max(map(len, pieces), default=0) < WORD_ALONE:
            return []
        chosen: dict[str, int] = {}
        seen = BitMap()
        for most in range(MAX_EDITS + 1):
            words = (
                self.words.cards_of_any(number for number, edits in of.items() if edits <= most)
                for of in near
            )
            fresh = with_so_many(words, len(pieces) // 2 + 1)[-1] - seen
            seen |= fresh
            names: dict[str, int] = {}
            for position in fresh[:MAX_BY_WORDS]:
                names.setdefault(self.lines[position], position)
            for name, _, _ in process.extract(typed, list(names), scorer=fuzz.ratio, limit=limit):
                chosen.setdefault(name, names[name])
            if len(chosen) >= limit:
                break
        return list(chosen.items())

    def _likely(self, pieces: Sequence[str], near: Sequence[Near], length: int) -> Iterator[int]:
        """The cards with the most words like the pieces: those of about the right length first, up to
        MAX_COMPARED.
        """
        left, seen = MAX_COMPARED, BitMap()
        for cards in reversed(with_so_many(self._cards_of_pieces(pieces, near), len(pieces))):
            fresh = cards - seen
            seen |= fresh
            positions = self.lines.of_about(length, LENGTH_APART, fresh) if len(fresh) > left else list(fresh)
            yield from positions[:left]
            left -= len(positions)
            if left <= 0:
                return

    def _cards_of_pieces(self, pieces: Sequence[str], near: Sequence[Near]) -> Iterator[BitMap]:
        """For each piece the cards with a word that it may mean: alone, run together with the next, or torn
        in two.
        """
        words = self.words
        whole = {
            pair: number for pair in pairwise(pieces) if (number := words.number("".join(pair))) is not None
        }
        for piece, numbers in zip(pieces, near, strict=True):
            cards = words.cards_of_any(list(numbers))
            cards |= BitMap.union(
                BitMap(), *(words.cards(number) for pair, number in whole.items() if piece in pair)
            )
            if words.number(piece) is None:
                cards |= BitMap.union(
                    BitMap(), *(words.cards(left) & words.cards(right) for left, right in self._torn(piece))
                )
            yield cards

    def _near(self, piece: str, alone: bool) -> dict[int, int]:
        """The numbers of the words at most an edit or two from the piece, each with its number of edits."""
        from rapidfuzz import process
        from rapidfuzz.distance import OSA

        most = MAX_EDITS if len(piece) >= LONG_WORD else 1 if alone or len(piece) >= SHORT_WORD else 0
        number = self.words.number(piece)
        # A long word of some name beside others is hardly the one with the slip.
        if not most or (not alone and len(piece) >= LONG_WORD and number is not None):
            return {} if number is None else {number: 0}
        near: dict[int, int] = {}
        for length in range(len(piece) - most, len(piece) + most + 1):
            words, numbers = self._by_length.get(length, ((), ()))
            alike = process.extract(piece, words, scorer=OSA.distance, score_cutoff=most, limit=None)
            near.update((numbers[place], int(edits)) for _, edits, place in alike)
        return near

    def _torn(self, piece: str) -> Iterator[tuple[int, int]]:
        """The pairs of words that stand in the piece without a space, or with another letter in its place."""
        number = self.words.number
        for at in range(1, len(piece)):
            if (left := number(piece[:at])) is not None:
                yield from (
                    (left, right)
                    for rest in (piece[at:], piece[at + 1 :])
                    if (right := number(rest)) is not None
                )

    @cached_property
    def _by_length(self) -> dict[int, tuple[list[str], list[int]]]:
        """Length -> the words of that many characters, and their numbers."""
        grouped: dict[int, tuple[list[str], list[int]]] = defaultdict(lambda: ([], []))
        for number, word in enumerate(self.words.values):
            words, numbers = grouped[len(word)]
            words.append(word)
            numbers.append(number)
        return dict(grouped)


def with_so_many(groups: Iterator[BitMap], count: int) -> list[BitMap]:
    """At place k, from 0 to before ``count``, the cards that are in more than k of the groups."""
    so_many = [BitMap() for _ in range(count)]
    for cards in groups:
        for place, before in enumerate(so_many):
            so_many[place], cards = before | cards, before & cards
    return so_many


def _those(positions: Iterable[int], among: BitMap | None) -> Iterable[int]:
    """The positions that are among these cards."""
    return positions if among is None else (position for position in positions if position in among)


def _begins_a_word(part: str, name: str) -> bool:
    """Whether the part begins somewhere in the name where a word does."""
    at = name.find(part)
    while at > 0 and name[at - 1].isalnum():
        at = name.find(part, at + 1)
    return at >= 0
