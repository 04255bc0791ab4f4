"""Texts and values with the cards that have them. All texts are one string, so that looking for a part is one
scan in C.

A card is known by its position: its place in the catalogue, from 0. Bitmaps may be shared: nobody may change
one.
"""

from __future__ import annotations

import re
from array import array
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property, partial
from itertools import accumulate

from pyroaring import BitMap

from cardsdb.search.query.values import compiled

# Up to so many positions of one value are stored as plain numbers alone; of more the bitmap too, once it was
# asked for.
FEW = 64
# To look for so many one by one is quicker than to make a bitmap of them.
VERY_FEW = 6
# Bytes of bitmaps that were made for one answer and are stored for the next.
CACHE_BYTES = 32 * 2**20
# Bytes of an empty bitmap and its key.
EMPTY = 300
# Bytes of a string and of where it stands.
PER_VALUE = 70
# Up to so many cards that may have a phrase are read at once; more are narrowed down first.
FEW_ENOUGH = 500
# Up to this share of all, cards are read one by one; beyond it one scan of all is quicker.
FEW_OF_ALL = 1 / 16
# Parts of an expression that tell the beginning of a line from the beginning of the whole text.
_WHOLE_TEXT = re.compile(r"\\[AzQC]|\(\?[^:P)]*[-m]|\n")

CardsByWord = defaultdict[str, "array[int]"]


def encoded(text: str) -> bytes:
    """Text as ``Lines`` store it."""
    return text.encode("utf-8", "surrogatepass")


class Lines:
    """Many texts, a line each; a line is known by its number, from 0."""

    def __init__(self, texts: Iterable[str] = ()) -> None:
        self._starts = array("Q", (0,))
        self._data = bytearray()
        for text in texts:
            self.append(text)

    def append(self, text: str) -> None:
        """Add a line at the end."""
        self._data += encoded(text)
        self._data += b"\n"
        self._starts.append(len(self._data))

    def __len__(self) -> int:
        return len(self._starts) - 1

    @property
    def bytes(self) -> int:
        """About so many bytes they take in memory."""
        return len(self._data) + 8 * len(self._starts)

    def all(self) -> list[str]:
        """Every line, at once."""
        lines = self._data.decode("utf-8", "surrogatepass").split("\n")[:-1]
        # A text that has line ends of its own stands in as many pieces.
        return lines if len(lines) == len(self) else list(self)

    def __getitem__(self, number: int) -> str:
        return self._data[self._starts[number] : self._starts[number + 1] - 1].decode(
            "utf-8", "surrogatepass"
        )

    def __iter__(self) -> Iterator[str]:
        return map(self.__getitem__, range(len(self)))

    def of_about(self, length: int, apart: int, among: Iterable[int]) -> list[int]:
        """Those of some lines that have ``length`` bytes, or at most ``apart`` more or fewer."""
        starts, shortest, longest = self._starts, length - apart + 1, length + apart + 1
        return [number for number in among if shortest <= starts[number + 1] - starts[number] <= longest]

    def containing(self, part: str) -> Iterator[int]:
        """The numbers of the lines with this part in them, ascending. A part that ends in a line end stands
        at the end of a line.
        """
        find, starts, data = self._data.find, self._starts, encoded(part)
        number, place = 0, find(data)
        while place >= 0 and number < len(self):
            number = bisect_right(starts, place, number) - 1
            yield number
            number += 1
            place = find(data, starts[number])

    def containing_among(self, part: str, among: Iterable[int]) -> BitMap:
        """Those of some lines that have the part in them."""
        find, starts, data = self._data.find, self._starts, encoded(part)
        return BitMap([number for number in among if find(data, starts[number], starts[number + 1]) >= 0])

    def matching(self, pattern: str, among: Iterable[int] | None = None) -> Iterator[int]:
        """The numbers of the lines that a visitor's expression matches, ascending; with ``among``, only of
        these. Raises ``re2.error``.
        """
        data, starts, last = self._data, self._starts, len(self)
        if among is not None or _WHOLE_TEXT.search(pattern):
            search = compiled(pattern).search
            yield from (
                n
                for n in (range(last) if among is None else among)
                if search(data[starts[n] : starts[n + 1] - 1])
            )
            return
        search = compiled(f"(?m:{pattern})").search
        number = place = 0
        # The end of the last line is left out: no line begins behind it.
        while number < last and (match := search(data, place, len(data) - 1)):
            number = bisect_right(starts, match.start(), number, last) - 1
            yield number
            number += 1
            place = starts[number]


class Cache:
    """Bitmaps that were made for an answer, in a catalogue of so many cards. When there are too many, all are
    dropped.
    """

    def __init__(self, cards: int, max_bytes: int = CACHE_BYTES) -> None:
        self._most = max_bytes // (cards // 8 + EMPTY)
        self._made: dict[Hashable, BitMap] = {}

    def get(self, key: Hashable, make: Callable[[], BitMap]) -> BitMap:
        """The bitmap of this key, made if it is not there."""
        bitmap = self._made.get(key)
        if bitmap is None:
            if len(self._made) >= self._most:
                self._made.clear()
            bitmap = self._made[key] = make()
        return bitmap


def cards_by_word() -> CardsByWord:
    """Word -> the positions of its cards, ascending; none yet."""
    return defaultdict(partial(array, "I"))


class Postings:
    """Sorted values and the cards that have each. A value is known by its number: its place among them."""

    def __init__(self, lines: Lines, starts: array[int], positions: array[int], cache: Cache) -> None:
        """``lines``: the values. The positions of the first one's cards come first; ``starts`` says where
        those of each begin.
        """
        self.values = lines.all()
        self.lines, self._starts, self._positions = lines, starts, positions
        # Made when they are asked for first.
        self._bitmaps: dict[int, BitMap] = {}
        self._cache = cache

    @classmethod
    def of(cls, cards_by_value: Mapping[str, array[int]], cache: Cache) -> Postings:
        """``cards_by_value`` has for each value the positions of its cards, ascending."""
        values = sorted(cards_by_value)
        starts = array("I", accumulate((len(cards_by_value[value]) for value in values), initial=0))
        positions = array("I")
        for value in values:
            positions.extend(cards_by_value[value])
        return cls(Lines(values), starts, positions, cache)

    def __len__(self) -> int:
        return len(self.values)

    @property
    def bytes(self) -> int:
        """About so many bytes they take in memory: each value stands in a string and in a line, and its cards
        in numbers and a bitmap.
        """
        return 2 * self.lines.bytes + PER_VALUE * len(self.values) + 8 * len(self._positions)

    def number(self, value: str) -> int | None:
        """The number of a value, None if no card has it."""
        number = bisect_left(self.values, value)
        return number if number < len(self.values) and self.values[number] == value else None

    def beginning_with(self, prefix: str) -> range:
        """The numbers of the values that begin so."""
        first = bisect_left(self.values, prefix)
        return range(
            first, bisect_left(self.values, True, lo=first, key=lambda value: not value.startswith(prefix))
        )

    def count(self, number: int) -> int:
        """How many cards have the value."""
        return self._starts[number + 1] - self._starts[number]

    def cards(self, number: int) -> BitMap:
        """The cards with the value of this number."""
        bitmap = self._bitmaps.get(number)
        if bitmap is None:
            bitmap = BitMap(self._some(number))
            if len(bitmap) > FEW:
                self._bitmaps[number] = bitmap
        return bitmap

    def count_among(self, cards: BitMap, number: int) -> int:
        """How many of some cards have the value of this number."""
        if self.count(number) > VERY_FEW:
            return cards.intersection_cardinality(self.cards(number))
        return sum(position in cards for position in self._some(number))

    def cards_of(self, value: str) -> BitMap:
        """The cards with this value."""
        number = self.number(value)
        return BitMap() if number is None else self.cards(number)

    def cards_of_any(self, numbers: Iterable[int]) -> BitMap:
        """The cards with any of the values."""
        if isinstance(numbers, range):
            return BitMap(self._positions[self._starts[numbers.start] : self._starts[numbers.stop]])
        few, many = array("I"), list[BitMap]()
        for number in numbers:
            if self.count(number) > FEW:
                many.append(self.cards(number))
            else:
                few.extend(self._some(number))
        return BitMap.union(BitMap(few), *many)

    def cards_compared(self, op: str, limit: int, numbers: Iterable[int]) -> BitMap:
        """The cards with any of these values, which are all that compare so with a limit: one page asks for
        them again and again.
        """
        return self._cache.get((id(self), op, limit), lambda: self.cards_of_any(numbers))

    def cards_containing(self, part: str) -> BitMap:
        """The cards with a value that has this part in it."""
        return self._cache.get((id(self), ":", part), lambda: self.cards_of_any(self.lines.containing(part)))

    def cards_matching(self, pattern: str) -> BitMap:
        """The cards with a value in which an expression is found. Raises ``re2.error``."""
        return self._cache.get(
            (id(self), "/", pattern), lambda: self.cards_of_any(self.lines.matching(pattern))
        )

    def all_cards(self) -> BitMap:
        """The cards that have any value."""
        return self._cache.get((id(self), "all"), lambda: BitMap(self._positions))

    def _some(self, number: int) -> array[int]:
        return self._positions[self._starts[number] : self._starts[number + 1]]


class Text:
    """A text of every card, and the words that occur in it. Parts to look for are folded: single spaces, no
    line ends.
    """

    def __init__(self, lines: Lines, cache: Cache) -> None:
        self.lines = lines
        self._cache = cache

    @cached_property
    def words(self) -> Postings:
        """The words with the cards that have them: gathered when they are asked for first, for most pages
        need none.
        """
        cards = cards_by_word()
        for position, text in enumerate(self.lines):
            for word in self.words_of(text):
                cards[word].append(position)
        return Postings.of(cards, self._cache)

    @property
    def bytes(self) -> int:
        """About so many bytes it takes in memory, its words included."""
        return self.lines.bytes + self.words.bytes

    def words_of(self, text: str) -> set[str]:
        """The words by which a text is found, each once."""
        return set(text.split())

    def containing(self, part: str, among: BitMap | None = None) -> BitMap:
        """The cards with this part in their text. For a phrase, cards outside ``among`` may be left out."""
        first, *others = part.split(" ")
        if not others:
            return self.words.cards_containing(part)
        candidates = self._with_words(first, others)
        return self.lines.containing_among(part, candidates if among is None else candidates & among)

    def _with_words(self, first: str, others: Sequence[str]) -> BitMap:
        """The cards that may have a phrase: a word ending in its first one, the inner words, a word beginning
        with its last one.
        """
        *inner, last = others
        cards = self.beginning_with(last)
        for word in inner:
            cards = cards & self.words.cards_of(word)
        if len(cards) <= FEW_ENOUGH:
            return cards
        return cards & self.words.cards_containing(f"{first}\n")

    def beginning_with(self, prefix: str) -> BitMap:
        """The cards with a word that begins so."""
        return self.words.cards_of_any(self.words.beginning_with(prefix))

    def matching(self, pattern: str, among: BitMap | None) -> BitMap:
        """The cards whose text the expression matches. Cards outside ``among`` may be left out. Raises
        ``re2.error``.
        """
        if among is not None and len(among) <= len(self.lines) * FEW_OF_ALL:
            return BitMap(self.lines.matching(pattern, among))
        # The next page and every facet need it again.
        return self._cache.get((id(self), pattern), lambda: BitMap(self.lines.matching(pattern)))
