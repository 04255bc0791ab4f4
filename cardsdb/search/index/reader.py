"""An open index: what a query finds, in which order, and how many of what."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from heapq import heappush, heappushpop
from pathlib import Path
from typing import Self

from pyroaring import BitMap

from cardsdb.games.kit.model.text import fold
from cardsdb.search.index.build import SLUGS_FIRST
from cardsdb.search.index.container import Container, IndexUnreadable
from cardsdb.search.index.evaluate import Finder
from cardsdb.search.index.ordering import Ordered
from cardsdb.search.index.postings import Cache, Postings
from cardsdb.search.index.sorter import Sorter
from cardsdb.search.index.texts import Lines
from cardsdb.search.query.fields import Fields
from cardsdb.search.query.tree import SortKey, Tree


class Index:
    """The index of one edition. A card is known by its position: its place in catalogue order, from 0.

    It never changes and may be used by several threads at once. A bitmap it gives is the caller's own.
    """

    def __init__(self, container: Container) -> None:
        self.edition = container.edition
        self.container = container
        self._finder = Finder(container, Cache())
        self._keys = Lines(container, "keys")
        self._shown = Lines(container, "shown")
        self._briefs = Lines(container, "brief")
        self._pks = container.numbers("pks", "Q")
        self._by_pk = container.numbers("pks.order", "I")
        self._sorter = Sorter(container, self._finder)
        self._by_count: dict[str, list[int]] = {}

    @classmethod
    def open(cls, path: Path, edition: int | None = None) -> Self:
        """The index in a file; of this edition, if one is named. Raises IndexUnreadable."""
        container = Container(Path(path))
        if edition is not None and container.edition != edition:
            raise IndexUnreadable(f"The index {path} is of edition {container.edition}, not of {edition}. Load the cards again to make it.")
        return cls(container)

    def __len__(self) -> int:
        return self._finder.total

    def matching(self, tree: Tree | None, fields: Fields) -> BitMap:
        """The positions of the cards that a checked tree means."""
        return self._finder.find(tree, fields).copy()

    def in_order(
        self, found: BitMap, order: Sequence[SortKey], relevance: str = "", fields: Fields | None = None, tree: Tree | None = None
    ) -> Ordered:
        """The cards found in this order; without one, the closest to the tree's ``similar:`` first, then names most like ``relevance``.

        With ``fields`` the order's words mean what they mean in a search; without, they are keys of ``terms``.
        What is unknown comes last either way, and ties stay in catalogue order.
        """
        return self._sorter.in_order(found, order, fold(relevance), fields, tree)

    # -- cards -----------------------------------------------------------------------

    def keys(self, positions: Iterable[int]) -> list[str]:
        """``game/code`` of each."""
        return [self._keys[position] for position in positions]

    def names(self, positions: Iterable[int]) -> list[str]:
        """The name of each, as shown."""
        return [self._shown[position] for position in positions]

    def briefs(self, positions: Iterable[int]) -> list[bytes]:
        """What lists show of each, as it was given when the index was built."""
        return [self._briefs.raw(position) for position in positions]

    def pks(self, positions: Iterable[int]) -> list[int]:
        """The primary key of each one's row."""
        return [self._pks[position] for position in positions]

    def position(self, pk: int) -> int | None:
        """Where the row with this primary key stands; None if it is not in the catalogue."""
        order, pks = self._by_pk, self._pks
        place = bisect_left(order, pk, key=pks.__getitem__)
        return order[place] if place < len(order) and pks[order[place]] == pk else None

    def names_starting(self, prefix: str, limit: int) -> list[int]:
        """Positions for completing a name: those that begin so, then those with a word that does."""
        return self._finder.names.starting(fold(prefix), limit)

    def names_like(self, text: str, limit: int) -> list[int]:
        """Positions of the cards whose names are most like the text, best first; none if none is like it."""
        return self._finder.names.like(fold(text), limit)

    # -- facets ----------------------------------------------------------------------

    def facet(self, found: BitMap, key: str, game: str | None = None, most: int = 40) -> list[tuple[str, int]]:
        """The most frequent values of a key of ``terms`` among the cards found: (folded value, cards).

        Games and types are counted by their slugs. With a game's slug only its cards are counted.
        """
        postings = self._finder.postings(f"{key}!" if key in SLUGS_FIRST else key)
        if postings is None or not most:
            return []
        if game is not None:
            found = found & self._finder.of_games((game,))
        counts = postings.counts
        if len(found) == len(self):
            return [(postings.value(which), counts[which]) for which in self._most_frequent(key, postings)[:most]]
        # The most frequent of all come first: once they are rarer than the least of the best, nothing can follow.
        kept: list[tuple[int, int]] = []
        for which in self._most_frequent(key, postings):
            if len(kept) == most and counts[which] < kept[0][0]:
                break
            count = found.intersection_cardinality(postings.cards(which))
            if count:
                (heappush if len(kept) < most else heappushpop)(kept, (count, -which))
        return [(postings.value(-which), count) for count, which in sorted(kept, reverse=True)]

    def _most_frequent(self, key: str, postings: Postings) -> list[int]:
        """The values of a key, those of most cards first."""
        if key not in self._by_count:
            self._by_count[key] = sorted(range(len(postings)), key=lambda which: (-postings.counts[which], which))
        return self._by_count[key]
