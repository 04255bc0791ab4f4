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

from cardsdb.search.index.container import Container
from cardsdb.search.index.postings import Cache, Postings, encoded
from cardsdb.search.index.texts import Text

LONGEST_SLIP = 100
MOST_PIECES = 8
# From this length on a word may differ by two letters; below the other, by none unless it stands alone.
LONG_WORD, SHORT_WORD = 5, 3
MOST_SLIPS = 2
# How many names are compared letter by letter, and how alike they must be, in hundredths.
MOST_COMPARED = 500
# From this length on a word alone may bring names; and how many of one group are compared.
SHORTEST_SLIP = 4
MOST_BY_WORDS = 200
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
        """Positions of cards whose names are most like this one, best first, one of each name; none if none is like it.

        The names that are like it as a whole come first, then those with words like its words.
        """
        wanted = wanted[:LONGEST_SLIP]
        pieces = wanted.split()[:MOST_PIECES]
        near = [self._near(piece, len(pieces) == 1) for piece in pieces]
        compared: dict[str, int] = {}
        for position in self._likely(pieces, near, len(wanted)):
            compared.setdefault(self.lines[position], position)
        alike = process.extract(wanted, list(compared), scorer=fuzz.ratio, limit=None, score_cutoff=LIKENESS)
        best = sorted(alike, key=lambda found: (OSA.distance(wanted, found[0]), -found[1], found[0]))
        names = {name: compared[name] for name, _, _ in best[:limit]}
        # A whole name with a slip in it is enough; of one word alone most that it may mean are longer.
        if not names or (len(pieces) == 1 and len(names) < limit):
            for name, position in self._with_words_like(wanted, pieces, near, limit):
                names.setdefault(name, position)
        return list(names.values())[:limit]

    def _with_words_like(self, wanted: str, pieces: list[str], near: list[dict[int, int]], limit: int) -> list[tuple[str, int]]:
        """Names with a word like most of the pieces, and their positions: the likeliest words first, then the names likest as a whole."""
        if max(map(len, pieces), default=0) < SHORTEST_SLIP:
            return []
        # Per piece the cards with a word so many slips from it, the fewest first.
        chosen: dict[str, int] = {}
        seen = BitMap()
        for slips in range(MOST_SLIPS + 1):
            # The cards of most of the pieces, each at so many slips at most.
            enough = [BitMap() for _ in range(len(pieces) // 2 + 1)]
            for words in near:
                carried = self.words.cards_of_any(number for number, so_many in words.items() if so_many <= slips)
                for count, found in enumerate(enough):
                    enough[count], carried = found | carried, found & carried
            fresh = enough[-1] - seen
            seen |= fresh
            names: dict[str, int] = {}
            for position in fresh[:MOST_BY_WORDS]:
                names.setdefault(self.lines[position], position)
            for name, _, _ in process.extract(wanted, list(names), scorer=fuzz.ratio, limit=limit):
                chosen.setdefault(name, names[name])
            if len(chosen) >= limit:
                break
        return list(chosen.items())

    def _likely(self, pieces: list[str], near: list[dict[int, int]], length: int) -> Iterator[int]:
        """The cards with the most words like the pieces: those of about the right length first, up to MOST_COMPARED."""
        # with_so_many[k]: cards with words like more than k of the pieces.
        with_so_many = [BitMap() for _ in pieces]
        for piece in self._pieces(pieces, near):
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

    def _pieces(self, pieces: list[str], near: list[dict[int, int]]) -> Iterator[BitMap]:
        """Per piece the cards with a word that was perhaps meant by it, alone, run together or torn apart."""
        words = self.words
        whole = {pair: self._numbers[joined] for pair in pairwise(pieces) if (joined := "".join(pair)) in self._numbers}
        for piece, numbers in zip(pieces, near, strict=True):
            found = words.cards_of_any(numbers)
            for pair, number in whole.items():
                if piece in pair:
                    found |= words.cards(number)
            if piece not in self._numbers:
                for left, right in self._torn(piece):
                    found |= words.cards(left) & words.cards(right)
            yield found

    def _near(self, piece: str, alone: bool) -> dict[int, int]:
        """The words at most a slip or two from the piece, by their numbers, and how many slips each is."""
        most = MOST_SLIPS if len(piece) >= LONG_WORD else 1 if alone or len(piece) >= SHORT_WORD else 0
        # A long word of some name beside others is hardly the one with the slip.
        if not most or (not alone and len(piece) >= LONG_WORD and piece in self._numbers):
            return {self._numbers[piece]: 0} if piece in self._numbers else {}
        found: dict[int, int] = {}
        for length in range(len(piece) - most, len(piece) + most + 1):
            words, numbers = self._by_length.get(length, ((), ()))
            near = process.extract(piece, words, scorer=OSA.distance, score_cutoff=most, limit=None)
            found.update((numbers[place], int(slips)) for _, slips, place in near)
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
