"""From an order, or the words a query looks for, to groups of the cards found."""

from __future__ import annotations

from array import array
from collections import OrderedDict, defaultdict
from collections.abc import Hashable, Iterator, Sequence
from threading import Lock

from pyroaring import BitMap

from cardsdb.search.index.build import SLUGS_FIRST
from cardsdb.search.index.container import Container
from cardsdb.search.index.evaluate import Finder
from cardsdb.search.index.ordering import Backwards, Forwards, Group, Ordered, Sorted, Values, grouped, ranks
from cardsdb.search.query.fields import Fields, Place
from cardsdb.search.query.similar import closeness
from cardsdb.search.query.tree import SortKey, Tree

# A field with more values than this is not taken apart value by value: the catalogue is sorted by it once.
MANY_VALUES = 1_000
# How many such orders a process keeps: 8 bytes a card each.
KEPT = 4


class Sorter:
    """Puts cards in order. Safe for several threads."""

    def __init__(self, container: Container, finder: Finder) -> None:
        self._finder = finder
        self._begins = BitMap.deserialize(bytes(container.section("names.begin")))
        self._kept: OrderedDict[Hashable, tuple[array[int], array[int]]] = OrderedDict()
        self._lock = Lock()

    def in_order(self, found: BitMap, order: Sequence[SortKey], relevance: str, fields: Fields | None, tree: Tree | None) -> Ordered:
        """By the order if there is one, else the closest to the tree's ``similar:`` first, then the names most like ``relevance``.

        At last in catalogue order.
        """
        return Ordered(len(found), self._groups(found, tuple(order), relevance, fields, closeness(tree)))

    def _groups(
        self, found: BitMap, order: tuple[SortKey, ...], relevance: str, fields: Fields | None, close: tuple[Tree, ...]
    ) -> Iterator[Group]:
        if not found:
            return
        if not order:
            orders = [lambda: self._by_closeness(found, close, fields)] if fields and close else []
            orders += [lambda: self._by_name(relevance)] if relevance else []
            yield from map(Forwards, grouped(found, orders))
            return
        names = [place for place, one in enumerate(order) if one.key == "name"]
        # Behind the name only cards of one name are left to be told apart: that is not worth groups.
        last = names[0] if names else len(order)
        values = [self._values(one, fields) for one in order[:last]]
        if (names and last < len(order) - 1) or sum(len(one) for one in values) > MANY_VALUES:
            yield Sorted(found, *self._sorted(order, fields))
            return
        backwards = bool(names) and order[last].descending
        for group in grouped(found, [self._cards(one) for one in values]):
            yield Backwards(group, self._begins) if backwards else Forwards(group)

    def _by_closeness(self, found: BitMap, parts: tuple[Tree, ...], fields: Fields) -> Iterator[BitMap]:
        """The cards that share all the parts, those that share all but one, and so on."""
        return reversed(self._finder.so_many(len(parts), parts, fields, found))

    def _by_name(self, wanted: str) -> Iterator[BitMap]:
        """The cards of this name, those whose name begins so, has a word that does, has it anywhere."""
        names = self._finder.names
        yield names.exactly(wanted)
        yield names.beginning_with(wanted)
        yield names.with_inner(wanted)
        yield names.having(wanted)

    def _values(self, order: SortKey, fields: Fields | None) -> list[list[tuple[Place, int]]]:
        """Per value, the first of the order first: in which places it is the value of which number."""
        found: dict[tuple[bool, int | str], list[tuple[Place, int]]] = defaultdict(list)
        for place in self._places(order.key, fields):
            postings = self._finder.postings(place.key)
            if postings is None:
                continue
            if place.kind == "number":
                for value, which in self._finder.numbers(place.key):
                    found[False, value].append((place, which))
            else:
                for which, text in enumerate(postings.values()):
                    found[True, text].append((place, which))
        return [found[value] for value in sorted(found, reverse=order.descending)]

    def _places(self, key: str, fields: Fields | None) -> tuple[Place, ...]:
        """Where the values of a field stand."""
        if key in SLUGS_FIRST:
            return (Place(f"{key}!", "word"),)
        if fields:
            return fields.sortable(key)
        postings = self._finder.postings(key)
        numbers = postings is not None and len(self._finder.numbers(key)) == len(postings)
        return (Place(key, "number" if numbers else "word"),)

    def _cards(self, values: list[list[tuple[Place, int]]]) -> Values:
        """What ``grouped`` goes through: the cards of each value."""
        return lambda: (self._finder.any_of((place, self._finder.cards(place.key, which)) for place, which in one) for one in values)

    def _sorted(self, order: tuple[SortKey, ...], fields: Fields | None) -> tuple[array[int], array[int]]:
        """All positions in this order, and the place of every position in it."""
        # A word may mean other facts among the fields of other games.
        kept_as = tuple((one.key, one.descending, self._places(one.key, fields)) for one in order)
        with self._lock:
            if kept_as in self._kept:
                self._kept.move_to_end(kept_as)
                return self._kept[kept_as]
        total = self._finder.total
        positions = list(range(total))
        for one in reversed(order):
            if one.key == "name":
                names = array("I", map(self._begins.rank, range(total)))
                positions.sort(key=names.__getitem__, reverse=one.descending)
            else:
                positions.sort(key=ranks(total, self._cards(self._values(one, fields))).__getitem__)
        places = array("I", bytes(4 * total))
        for place, position in enumerate(positions):
            places[position] = place
        with self._lock:
            self._kept[kept_as] = (array("I", positions), places)
            while len(self._kept) > KEPT:
                self._kept.popitem(last=False)
            return self._kept[kept_as]
