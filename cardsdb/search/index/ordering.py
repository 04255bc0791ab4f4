"""Found cards in any order, a page at a time: groups that follow each other, each ready to be cut anywhere.

A group is made only when a page reaches it, and a page inside a group is a selection, so that the
last page costs what the first does.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from threading import Lock
from typing import Protocol

from pyroaring import BitMap

# What an order goes by: per value, best first, the cards that have it.
Values = Callable[[], Iterable[BitMap]]


class Group(Protocol):
    """Some of the cards in their order."""

    def __len__(self) -> int: ...

    def __contains__(self, position: int) -> bool: ...

    def cut(self, start: int, end: int) -> list[int]:
        """The positions from place ``start`` to before ``end``."""

    def place(self, position: int) -> int:
        """Where a card of the group stands in it."""


class Ordered:
    """Cards in order. Safe for several threads."""

    def __init__(self, total: int, groups: Iterator[Group]) -> None:
        self._total = total
        self._coming = groups
        self._groups: list[Group] = []
        # How many cards stand before each group, and after the last.
        self._before = [0]
        self._lock = Lock()

    def __len__(self) -> int:
        return self._total

    def slice(self, start: int, size: int) -> list[int]:
        """The positions of ``size`` cards from place ``start`` on; fewer at the end."""
        found: list[int] = []
        start, end = max(start, 0), min(start + size, self._total)
        at = 0
        while start < end and (group := self._group(at)) is not None:
            before = self._before[at]
            at += 1
            if start < before + len(group):
                taken = group.cut(start - before, min(end - before, len(group)))
                found += taken
                start += len(taken)
        return found

    def place(self, position: int) -> int | None:
        """Where a card stands, from 0; None if it is not among them."""
        at = 0
        while (group := self._group(at)) is not None:
            if position in group:
                return self._before[at] + group.place(position)
            at += 1
        return None

    def _group(self, at: int) -> Group | None:
        while at >= len(self._groups):
            with self._lock:
                if at < len(self._groups):
                    break
                group = next(self._coming, None)
                if group is None:
                    return None
                self._before.append(self._before[-1] + len(group))
                self._groups.append(group)
        return self._groups[at]


class Forwards:
    """Cards in catalogue order."""

    def __init__(self, found: BitMap) -> None:
        self.found = found

    def __len__(self) -> int:
        return len(self.found)

    def __contains__(self, position: int) -> bool:
        return position in self.found

    def cut(self, start: int, end: int) -> list[int]:
        return list(self.found[start:end])

    def place(self, position: int) -> int:
        return self.found.rank(position) - 1


class Backwards(Forwards):
    """Cards with the last name first; those of one name stay in catalogue order.

    ``begins`` are the positions at which another name begins.
    """

    def __init__(self, found: BitMap, begins: BitMap) -> None:
        super().__init__(found)
        self._begins = begins

    def cut(self, start: int, end: int) -> list[int]:
        positions: list[int] = []
        while start < end:
            first, last = self._same_name(self.found[len(self) - 1 - start])
            # The cards of this name stand at the places from len - last to before len - first.
            at = first + start - (len(self) - last)
            taken = self.found[at : min(last, at + end - start)]
            positions += taken
            start += len(taken)
        return positions

    def place(self, position: int) -> int:
        first, last = self._same_name(position)
        return len(self) - last + self.found.rank(position) - 1 - first

    def _same_name(self, position: int) -> tuple[int, int]:
        """From which to before which place of ``found`` the cards of this one's name stand."""
        name = self._begins.rank(position)
        first = self._begins[name - 1]
        last = self.found.rank(self._begins[name] - 1) if name < len(self._begins) else len(self)
        return (self.found.rank(first - 1) if first else 0), last


class Sorted(Forwards):
    """Cards in an order that was worked out for the whole catalogue.

    ``order`` has all positions in that order, ``places`` the place of every position in it.
    """

    def __init__(self, found: BitMap, order: array[int], places: array[int]) -> None:
        super().__init__(found)
        self._order = order
        self._places = places
        self._found = BitMap(array("I", map(places.__getitem__, found)))

    def cut(self, start: int, end: int) -> list[int]:
        return [self._order[place] for place in self._found[start:end]]

    def place(self, position: int) -> int:
        return self._found.rank(self._places[position]) - 1


def grouped(found: BitMap, orders: Sequence[Values]) -> Iterator[BitMap]:
    """Groups of the cards found: by the first order, within a value by the next, what is unknown last."""
    if not orders or len(found) == 1:
        yield found
        return
    rest = found
    for cards in orders[0]():
        if group := rest & cards:
            yield from grouped(group, orders[1:])
            rest = rest - group
            if not rest:
                return
    yield from grouped(rest, orders[1:])


def ranks(total: int, values: Values) -> array[int]:
    """For every position which of the values it has, from 0; what has none comes after all."""
    found = array("I", (2**32 - 1,)) * total
    for rank, cards in enumerate(values()):
        for position in cards:
            if rank < found[position]:
                found[position] = rank
    return found
