"""Cards by name: the exact one, those that begin so, and those that a slip of the finger was meant for."""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator
from functools import cached_property
from itertools import pairwise

from pyroaring import BitMap
from rapidfuzz import fuzz, process
from rapidfuzz.distance import OSA

from cardsdb.index.container import Container
from cardsdb.index.postings import Cache, Postings, encoded
from cardsdb.index.texts import Text

LONGEST_SLIP = 100
MOST_PIECES = 8
# From this length on a word may differ by two letters; below the other, by none unless it stands alone.
LONG_WORD, SHORT_WORD = 6, 3
# How many names are compared letter by letter, and how alike they must be, in hundredths.
MOST_COMPARED = 1_000
LIKENESS = 65


class Names(Text):
    """The folded names of all cards, and their order by code point."""

    def __init__(self, container: Container, cache: Cache) -> None:
        super().__init__(container, "name", cache)
        self._order = container.numbers("names.order", "I")
        self._inner = Postings(container, "name.inner", cache)

    def exactly(self, name: str) -> BitMap:
        """The cards of this name."""
        first, last = self._range(name)
        wanted = encoded(name)
        end = bisect_left(range(last), True, lo=first, key=lambda place: self._raw(place) != wanted)
        return self._between(first, end)

    def beginning_with(self, prefix: str) -> BitMap:
        """The cards whose whole name begins so."""
        first, last = self._range(prefix)
        return self._between(first, last)

    def with_inner(self, prefix: str) -> BitMap:
        """The cards whose name has a space and then the prefix."""
        if " " in prefix:
            return self.lines.with_part(f" {prefix}", self.having(prefix))
        return self._cache.get(("inner", prefix), lambda: self._inner.cards_of_any(self._inner.starting(prefix)))

    def starting(self, prefix: str, limit: int) -> list[int]:
        """Positions for completing: whole names in their order, then in catalogue order those with a word that begins so."""
        if not prefix:
            return []
        first, last = self._range(prefix)
        found = dict.fromkeys(self._order[first : min(last, first + limit)])
        if len(found) < limit:
            for position in self._with_word(prefix):
                found[position] = None
                if len(found) == limit:
                    break
        return list(found)

    def _with_word(self, prefix: str) -> Iterator[int]:
        if " " not in prefix:
            return iter(self.beginning(prefix))
        return (position for position in self.having(prefix) if self._behind_a_mark(prefix, self.lines[position]))

    @staticmethod
    def _behind_a_mark(part: str, name: str) -> bool:
        """Whether the part begins somewhere in the name where a word does."""
        at = name.find(part)
        while at > 0 and name[at - 1].isalnum():
            at = name.find(part, at + 1)
        return at >= 0

    def _range(self, prefix: str) -> tuple[int, int]:
        """From which to before which place of the order the names begin so."""
        wanted, places = encoded(prefix), range(len(self._order))
        first = bisect_left(places, wanted, key=self._raw)
        return first, bisect_left(places, True, lo=first, key=lambda place: not self._raw(place).startswith(wanted))

    def _between(self, first: int, last: int) -> BitMap:
        return BitMap(array("I", self._order[first:last].tobytes()))

    def _raw(self, place: int) -> bytes:
        return self.lines.raw(self._order[place])

    # -- slips -----------------------------------------------------------------------

    def like(self, wanted: str, limit: int) -> list[int]:
        """Positions of cards whose names are most like this one, best first, one of each name; none if none is like it."""
        wanted = wanted[:LONGEST_SLIP]
        pieces = wanted.split()[:MOST_PIECES]
        compared: dict[str, int] = {}
        for position in self._likely(pieces, len(wanted)):
            compared.setdefault(self.lines[position], position)
        alike = process.extract(wanted, list(compared), scorer=fuzz.ratio, limit=None, score_cutoff=LIKENESS)
        best = sorted(alike, key=lambda found: (OSA.distance(wanted, found[0]), -found[1], found[0]))
        return [compared[name] for name, _, _ in best[:limit]]

    def _likely(self, pieces: list[str], length: int) -> Iterator[int]:
        """The cards with the most words like the pieces: those of about the right length first, up to MOST_COMPARED."""
        # with_so_many[k]: cards with words like more than k of the pieces.
        with_so_many = [BitMap() for _ in pieces]
        for piece in self._pieces(pieces):
            carried = piece
            for count, found in enumerate(with_so_many):
                with_so_many[count], carried = found | carried, found & carried
        left, seen = MOST_COMPARED, BitMap()
        for found in reversed(with_so_many):
            fresh = found - seen
            seen |= fresh
            starts = self.lines.starts
            positions = [p for p in fresh if abs(starts[p + 1] - starts[p] - 1 - length) <= 3] if len(fresh) > left else fresh
            yield from positions[:left]
            left -= len(positions)
            if left <= 0:
                return

    def _pieces(self, pieces: list[str]) -> Iterator[BitMap]:
        """Per piece the cards with a word that was perhaps meant by it, alone, run together or torn apart."""
        words = self.words
        whole = {pair: self._numbers[joined] for pair in pairwise(pieces) if (joined := "".join(pair)) in self._numbers}
        for piece in pieces:
            numbers = self._near(piece, len(pieces) == 1)
            found = words.cards_of_any(numbers)
            for pair, number in whole.items():
                if piece in pair:
                    found |= words.cards(number)
            if piece not in self._numbers:
                for left, right in self._torn(piece):
                    found |= words.cards(left) & words.cards(right)
            yield found

    def _near(self, piece: str, alone: bool) -> set[int]:
        """The words at most a slip or two from the piece."""
        slips = 2 if len(piece) >= LONG_WORD else 1 if alone or len(piece) >= SHORT_WORD else 0
        if not slips:
            return {self._numbers[piece]} if piece in self._numbers else set()
        found: set[int] = set()
        for length in range(len(piece) - slips, len(piece) + slips + 1):
            words, numbers = self._by_length.get(length, ((), ()))
            near = process.extract(piece, words, scorer=OSA.distance, score_cutoff=slips, limit=None)
            found.update(numbers[place] for _, _, place in near)
        return found

    def _torn(self, piece: str) -> Iterator[tuple[int, int]]:
        """The pairs of words that stand in the piece without a space, or with another letter in its place."""
        numbers = self._numbers
        for at in range(1, len(piece)):
            if piece[:at] in numbers:
                yield from ((numbers[piece[:at]], numbers[right]) for right in (piece[at:], piece[at + 1 :]) if right in numbers)

    @cached_property
    def _numbers(self) -> dict[str, int]:
        return {word: number for number, word in enumerate(self.words.values())}

    @cached_property
    def _by_length(self) -> dict[int, tuple[list[str], list[int]]]:
        """Length -> the words of that many characters, and their numbers."""
        grouped: dict[int, tuple[list[str], list[int]]] = defaultdict(lambda: ([], []))
        for word, number in self._numbers.items():
            words, numbers = grouped[len(word)]
            words.append(word)
            numbers.append(number)
        return dict(grouped)
