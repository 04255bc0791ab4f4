"""Words or values with the cards that have them: sorted, so that a prefix is a range, and joined, so that a part is one scan.

A position is a card's place in the catalogue, from 0. Few positions are kept as plain numbers, many as
a roaring bitmap; either way the union of thousands of short ones is one step.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from functools import cached_property
from threading import Lock

from pyroaring import BitMap

from cardsdb.search.index.container import Container, Writer
from cardsdb.search.index.patterns import lines_matching

# So many positions are shorter as plain numbers than as a bitmap with its headings.
FEW = 64
# Bytes of bitmaps a process keeps ready.
CACHE_BYTES = 64 * 2**20
# While an index is built: a word's one position, or its many.
Gathered = dict[str, "int | array[int]"]


def encoded(text: str) -> bytes:
    """Text as the index holds it."""
    return text.encode("utf-8", "surrogatepass")


def gather(into: Gathered, words: Iterable[str], position: int) -> None:
    """Note that the card at this position has these words, each named once."""
    for word in words:
        held = into.get(word)
        if held is None:
            into[word] = position
        elif isinstance(held, int):
            into[word] = array("I", (held, position))
        else:
            held.append(position)


def write_postings(writer: Writer, name: str, found: Mapping[str, int | array[int]]) -> None:
    """Write sections ``name.values``, ``.starts``, ``.counts``, ``.ends`` and ``.bits``."""
    values = sorted(found)
    starts, ends, counts = array("Q", (0,)), array("Q"), array("I")
    end = 0

    def bits() -> Iterator[bytes]:
        nonlocal end
        for value in values:
            held = found[value]
            positions = array("I", (held,)) if isinstance(held, int) else held
            data = positions.tobytes() if len(positions) <= FEW else BitMap(positions).serialize()
            end += len(data)
            ends.append(end)
            counts.append(len(positions))
            yield data

    def joined() -> Iterator[bytes]:
        for value in values:
            data = encoded(value) + b"\n"
            starts.append(starts[-1] + len(data))
            yield data

    writer.add_pieces(f"{name}.bits", bits())
    writer.add_pieces(f"{name}.values", joined())
    for section, numbers in (("starts", starts), ("ends", ends), ("counts", counts)):
        writer.add(f"{name}.{section}", numbers)


class Cache:
    """Bitmaps that were read or made, the least used forgotten first. Nobody may change one that came from here."""

    def __init__(self, most: int = CACHE_BYTES) -> None:
        self._most = most
        self._held: OrderedDict[Hashable, tuple[BitMap, int]] = OrderedDict()
        self._bytes = 0
        self._lock = Lock()

    def get(self, key: Hashable, make: Callable[[], BitMap]) -> BitMap:
        with self._lock:
            if key in self._held:
                self._held.move_to_end(key)
                return self._held[key][0]
        made = make()
        self.keep(key, made)
        return made

    def keep(self, key: Hashable, made: BitMap) -> None:
        size = 200 + _bytes(made)
        with self._lock:
            if key in self._held or size * 4 > self._most:
                return
            self._held[key] = (made, size)
            self._bytes += size
            while self._bytes > self._most:
                _, (_, gone) = self._held.popitem(last=False)
                self._bytes -= gone


def _bytes(bitmap: BitMap) -> int:
    held = bitmap.get_statistics()
    return held["n_bytes_array_containers"] + held["n_bytes_run_containers"] + held["n_bytes_bitset_containers"]


class Postings:
    """Sorted values and where each occurs. A value is known by its number, its place among them."""

    def __init__(self, container: Container, name: str, cache: Cache) -> None:
        self._name = name
        self._cache = cache
        self._starts = container.numbers(f"{name}.starts", "Q")
        self._ends = container.numbers(f"{name}.ends", "Q")
        self._bits = container.section(f"{name}.bits")
        self._values = container.section(f"{name}.values")
        self.counts = container.numbers(f"{name}.counts", "I")

    def __len__(self) -> int:
        return len(self.counts)

    @cached_property
    def joined(self) -> bytes:
        """All values, each with a line end behind it."""
        return bytes(self._values)

    def value(self, number: int) -> str:
        return self._value(number).decode("utf-8", "surrogatepass")

    def _value(self, number: int) -> bytes:
        return bytes(self._values[self._starts[number] : self._starts[number + 1] - 1])

    def values(self) -> list[str]:
        """All values, sorted by code point."""
        return self.joined.decode("utf-8", "surrogatepass").split("\n")[:-1]

    # -- finding values ----------------------------------------------------------

    def number(self, value: str) -> int | None:
        wanted = encoded(value)
        number = bisect_left(range(len(self)), wanted, key=self._value)
        return number if number < len(self) and self._value(number) == wanted else None

    def starting(self, prefix: str) -> range:
        """The numbers of the values that begin so."""
        wanted = encoded(prefix)
        first = bisect_left(range(len(self)), wanted, key=self._value)
        last = bisect_left(range(len(self)), True, lo=first, key=lambda number: not self._value(number).startswith(wanted))
        return range(first, last)

    def containing(self, part: str) -> Iterator[int]:
        """The numbers of the values with this part in them."""
        return self._found(encoded(part), 0)

    def matching(self, pattern: str) -> Iterator[int]:
        """The numbers of the values in which a pattern is found. Raises ``re2.error``."""
        return lines_matching(pattern, self._values, self._starts, None)

    def ending(self, suffix: str) -> Iterator[int]:
        """The numbers of the values that end so."""
        return self._found(encoded(suffix) + b"\n", 0)

    def _found(self, wanted: bytes, place: int) -> Iterator[int]:
        joined, starts = self.joined, self._starts
        number = 0
        while (place := joined.find(wanted, place)) >= 0:
            number = bisect_right(starts, place, number) - 1
            yield number
            number += 1
            place = starts[number]

    # -- finding cards ------------------------------------------------------------

    def cards(self, number: int) -> BitMap:
        """Where the value occurs. Not to be changed."""
        if self.counts[number] <= FEW:
            return BitMap(array("I", bytes(self._data(number))))
        return self._cache.get((self._name, number), lambda: BitMap.deserialize(bytes(self._data(number))))

    def cards_of(self, value: str) -> BitMap:
        """Where the value occurs, nowhere if no card has it. Not to be changed."""
        number = self.number(value)
        return BitMap() if number is None else self.cards(number)

    def cards_of_any(self, numbers: Iterable[int]) -> BitMap:
        """Where any of the values occurs."""
        few: list[memoryview] = []
        many: list[BitMap] = []
        for number in numbers:
            if self.counts[number] <= FEW:
                few.append(self._data(number))
            else:
                many.append(self.cards(number))
        found = BitMap(array("I", b"".join(few)))
        return BitMap.union(found, *many) if many else found

    def _data(self, number: int) -> memoryview:
        return self._bits[self._ends[number - 1] if number else 0 : self._ends[number]]
