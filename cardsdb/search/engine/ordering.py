"""Cards in order: groups one after another, each made only when a page reaches it, so that the last page
costs what the first does.
"""

from __future__ import annotations

from array import array
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence

from pyroaring import BitMap

from cardsdb.search.engine.evaluate import Evaluator
from cardsdb.search.engine.snapshot import SLUGS, Arrangement, Snapshot
from cardsdb.search.query.fields import Fields
from cardsdb.search.query.similar import asked_like
from cardsdb.search.query.standard import Place
from cardsdb.search.query.tree import SortKey, Tree

# With more values than this the catalogue is sorted once instead of being grouped value by value.
MAX_VALUES = 1_000
# Such orders that a snapshot stores, of 8 bytes a card each.
MAX_CACHED = 4

# What cards are grouped by: for each value, in order, the cards that have it.
Values = Callable[[], Iterable[BitMap]]


class Ordered:
    """Some cards in order."""

    def __init__(self, total: int, groups: Iterator[BitMap], arrangement: Arrangement | None = None) -> None:
        """The groups hold positions; with an arrangement, places in it."""
        self._total = total
        self._coming = groups
        self._groups: list[BitMap] = []
        self._arrangement = arrangement

    def __len__(self) -> int:
        return self._total

    def slice(self, start: int, size: int) -> list[int]:
        """The positions of ``size`` cards from place ``start`` on; fewer at the end."""
        places: list[int] = []
        start, end, before = max(start, 0), min(start + size, self._total), 0
        for group in self._all_groups() if start < end else ():
            taken = group[start - before : end - before] if start < before + len(group) else BitMap()
            places += taken
            start += len(taken)
            before += len(group)
            if start >= end:
                break
        return [self._arrangement.positions[place] for place in places] if self._arrangement else places

    def place(self, position: int) -> int | None:
        """Where a card stands, from 0; None if it is not among them."""
        before, here = 0, self._arrangement.places[position] if self._arrangement else position
        for group in self._all_groups():
            if here in group:
                return before + group.rank(here) - 1
            before += len(group)
        return None

    def _all_groups(self) -> Iterator[BitMap]:
        at = 0
        while at < len(self._groups) or self._add_group():
            yield self._groups[at]
            at += 1

    def _add_group(self) -> bool:
        group = next(self._coming, None)
        if group is not None:
            self._groups.append(group)
        return group is not None


class Sorter:
    """Puts cards of a snapshot in order; ``fields`` say what the order's words mean."""

    def __init__(self, snapshot: Snapshot, fields: Fields, evaluator: Evaluator) -> None:
        self._snapshot = snapshot
        self._fields = fields
        self._evaluator = evaluator

    def in_order(
        self,
        cards: BitMap,
        order: Sequence[SortKey],
        relevance: str = "",
        tree: Tree | None = None,
        first: Sequence[Tree] = (),
    ) -> Ordered:
        """The cards in this order; without one, the closest to the tree's ``similar:`` first, then the names
        most like ``relevance``.

        Equals stand in catalogue order; cards without the value come last. Before all others come the cards
        that meet the first tree of ``first``, then those that meet the second.
        """
        levels: list[Values] = [lambda: (self._evaluator.find(one, cards) for one in first)] if first else []
        if not order:
            if like := asked_like(tree):
                levels.append(lambda: reversed(self._evaluator.closest(like, cards)))
            if relevance:
                levels.append(lambda: self._by_name(relevance))
            return Ordered(len(cards), _grouped(cards, levels))
        values = [self._values(key) for key in order if key.key != "name"]
        # All groups are in ascending order of names.
        ends_by_name = all(key.key != "name" or (key is order[-1] and not key.descending) for key in order)
        if ends_by_name and sum(map(len, values)) <= MAX_VALUES:
            return Ordered(len(cards), _grouped(cards, [*levels, *map(self._cards_of, values)]))
        arrangement = self._arrangement(tuple(order))
        groups = (
            BitMap(array("I", map(arrangement.places.__getitem__, group)))
            for group in _grouped(cards, levels)
        )
        return Ordered(len(cards), groups, arrangement)

    def _by_name(self, name: str) -> Iterator[BitMap]:
        """The cards of this name; those whose name begins so, then has a word that begins so, then has it
        anywhere.
        """
        names = self._snapshot.names
        yield names.exactly(name)
        yield names.whole_beginning_with(name)
        yield names.inner_beginning_with(name)
        yield names.containing(name)

    def _values(self, order: SortKey) -> list[list[tuple[Place, int]]]:
        """For each value, in this order: in which places it stands, and under which number. Numbers come
        before words.
        """
        snapshot = self._snapshot
        by_value: dict[tuple[bool, int | str], list[tuple[Place, int]]] = defaultdict(list)
        for place in self._places(order.key):
            if place.kind == "number":
                for value, which in snapshot.numbers(place.key):
                    by_value[False, value].append((place, which))
            elif place.key in snapshot.terms:
                for which, text in enumerate(snapshot.terms[place.key].values):
                    by_value[True, text].append((place, which))
        return [by_value[value] for value in sorted(by_value, reverse=order.descending)]

    def _places(self, key: str) -> tuple[Place, ...]:
        """Where the values of a field stand."""
        return (Place(SLUGS[key], "word"),) if key in SLUGS else self._fields.sortable(key)

    def _cards_of(self, values: list[list[tuple[Place, int]]]) -> Values:
        """The cards of each value."""
        snapshot, any_of = self._snapshot, self._evaluator.any_of
        return lambda: (
            any_of((place, snapshot.terms[place.key].cards(which)) for place, which in one) for one in values
        )

    def _arrangement(self, order: tuple[SortKey, ...]) -> Arrangement:
        """The whole catalogue in this order."""
        # A word may mean other facts among the fields of other games.
        key = tuple((one.key, one.descending, self._places(one.key)) for one in order)
        cached = self._snapshot.arrangements.get(key)
        if cached is None:
            cached = self._arranged(order)
            if len(self._snapshot.arrangements) >= MAX_CACHED:
                self._snapshot.arrangements.clear()
            self._snapshot.arrangements[key] = cached
        return cached

    def _arranged(self, order: tuple[SortKey, ...]) -> Arrangement:
        positions = list(range(self._snapshot.total))
        for one in reversed(order):
            if one.key == "name":
                positions.sort(key=self._snapshot.name_ranks.__getitem__, reverse=one.descending)
            else:
                positions.sort(key=_ranks(len(positions), self._cards_of(self._values(one))).__getitem__)
        places = array("I", bytes(4 * len(positions)))
        for place, position in enumerate(positions):
            places[position] = place
        return Arrangement(array("I", positions), places)


def _grouped(cards: BitMap, levels: Sequence[Values]) -> Iterator[BitMap]:
    """Groups of the cards: by the first level, within a value by the next; cards without a value last."""
    if not levels or len(cards) <= 1:
        yield cards
        return
    rest = cards
    for value in levels[0]():
        if group := rest & value:
            yield from _grouped(group, levels[1:])
            rest = rest - group
            if not rest:
                return
    yield from _grouped(rest, levels[1:])


def _ranks(total: int, values: Values) -> array[int]:
    """For every position the number of its value, from 0; positions without one come after all."""
    ranks = array("I", (2**32 - 1,)) * total
    for rank, cards in enumerate(values()):
        for position in cards:
            ranks[position] = min(ranks[position], rank)
    return ranks
