"""What a query finds: its cards in order, in pages that cost the same at any depth, and counts of their
values.

A page is named by the card before or after it, never by a number of rows to skip. Cards of whoever asks, in
sets of their own, stand before the catalogue's: two snapshots, one query, each in its order.
"""

from __future__ import annotations

import random
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from pyroaring import BitMap

from cardsdb.games.kit.model.text import fold
from cardsdb.models import Card
from cardsdb.search.card_query import CardQuery
from cardsdb.search.engine.evaluate import Evaluator
from cardsdb.search.engine.ordering import Ordered, Sorter
from cardsdb.search.engine.snapshot import SLUGS, ListedCard, Snapshot
from cardsdb.search.own_cards import own_cards
from cardsdb.search.own_texts import own_texts
from cardsdb.search.query.similar import closeness
from cardsdb.search.query.tree import SortKey, Tree, Word, leaves
from cardsdb.search.snapshots import current_snapshot, retired_snapshot

# Values of one facet that are counted, the most frequent first.
MAX_VALUES = 40
MAX_KEY_LENGTH = 200
# Values of one key that a card of one's own has, as they are counted.
MAX_OF_A_CARD = 20
# What ``before`` says for the last page.
END = "end"


@dataclass(frozen=True, slots=True)
class CardPage:
    """One page: the cards' rows by primary key in order, the place of the first (from 1), and whether there
    is more on either side.

    ``lost``: the page is the first because the card that named it is not among the results. ``positions`` are
    the cards' places in the snapshot, for ``Results.listed``; those of one's own cards count from -1 down.
    """

    pks: tuple[int, ...]
    first: int
    before: bool
    after: bool
    lost: bool = False
    positions: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Around:
    """Where a card stands in the results (from 1), and the keys of its neighbours, empty at the ends."""

    place: int
    total: int
    previous: str
    next: str


def results_of(query: CardQuery) -> Results:
    """The cards of the catalogue that a query finds; none for a query of which nothing was understood."""
    mine = own_cards(query.own)
    own = Results(query, mine.snapshot, keys=mine.position_of) if mine else None
    return Results(query, current_snapshot(query.state), mine=own)


def pks_with_retired(query: CardQuery, among: Collection[int] | None = None) -> list[int]:
    """Primary keys of all cards that a query finds, retired ones too, which decks may still have.

    ``among`` restricts them to some.
    """
    current_and_retired = (results_of(query), Results(query, retired_snapshot(query.state)))
    return [
        pk
        for results in current_and_retired
        for pk in (results if among is None else results.restricted_to(among)).pks
    ]


class Results:
    """The cards that a query finds, in its order; without one, those most like its words or its ``similar:``
    first, or by name.
    """

    def __init__(
        self,
        query: CardQuery,
        snapshot: Snapshot,
        cards: BitMap | None = None,
        first: Sequence[Tree] = (),
        order: Sequence[SortKey] = (),
        mine: Results | None = None,
        keys: Mapping[str, int] | None = None,
    ) -> None:
        """``mine``: what the query finds of one's own cards; ``keys``: code -> position, where the snapshot's
        cards are such.
        """
        self._query = query
        self._snapshot = snapshot
        self._mine, self._keys = mine, keys
        lists = {name: snapshot.positions(pks) for name, pks in query.lists.items()}
        texts = own_texts(query.own, query.state, snapshot) if keys is None else None
        self._evaluator = Evaluator(snapshot, query.fields, lists, texts)
        if cards is None:
            cards = BitMap() if query.is_lost else self._evaluator.find(query.query.tree)
        self._cards = cards
        self._first, self._order = first, query.query.order or order
        self._before = mine.total if mine else 0
        self.total = self._before + len(cards)

    def restricted_to(self, pks: Iterable[int]) -> Results:
        """Those of the catalogue's cards that have one of these primary keys."""
        return Results(
            self._query, self._snapshot, self._cards & self._snapshot.positions(pks), self._first, self._order
        )

    def preferring(self, first: Sequence[Tree], order: Sequence[SortKey]) -> Results:
        """The same cards: those that meet ``first``, tree by tree, before all others; in this order where the
        query has none.
        """
        mine = self._mine.preferring(first, order) if self._mine else None
        return Results(self._query, self._snapshot, self._cards, first, order, mine, self._keys)

    # -- cards -----------------------------------------------------------------------

    @property
    def pks(self) -> list[int]:
        """The primary keys of the catalogue's cards among them, in its order."""
        return [self._snapshot.pks[position] for position in self._cards]

    def listed(self, page: CardPage) -> list[ListedCard]:
        """The cards of a page as lists show them."""
        return self._listed(page.positions)

    def slice(self, start: int, size: int) -> list[ListedCard]:
        """``size`` cards from a place (from 0) on, as lists show them."""
        return self._listed(self._positions(start, size))

    def _positions(self, start: int, size: int) -> tuple[int, ...]:
        """Where the cards of these places stand in the snapshot; one's own, which come first, count from -1
        down.
        """
        mine = self._mine._positions(start, size) if self._mine and start < self._before else ()
        rest = self._ordered.slice(max(start - self._before, 0), size - len(mine)) if size > len(mine) else ()
        return (*(~position for position in mine), *rest)

    def _listed(self, positions: Iterable[int]) -> list[ListedCard]:
        return [
            card
            for position in positions
            for card in self._of(position)._snapshot.cards([max(position, ~position)])
        ]

    def _of(self, position: int) -> Results:
        """The results that a position is of: one's own, or these."""
        return self._mine if position < 0 and self._mine else self

    def key_at(self, place: int) -> str:
        """The key of the card at a place from 0; empty if there is none."""
        return next((card.key for card in self.slice(place, 1)), "")

    def random_key(self) -> str:
        """The key of any of the cards; empty if there is none."""
        return self.key_at(random.randrange(self.total)) if self.total else ""  # noqa: S311  (nothing secret hangs on it)

    def facet(self, key: str, limit: int = MAX_VALUES) -> list[tuple[str, int]]:
        """(folded value, cards) of the key of ``terms``, the most frequent first."""
        counts = self._snapshot.facet(self._cards, key, limit)
        if not self._before or self._mine is None:
            return counts
        both = dict(counts)
        for value, count in self._mine.facet(key, self._before * MAX_OF_A_CARD):
            # A value may be too rare among the catalogue's cards to be among the most frequent.
            others = (
                both[value]
                if value in both
                else len(self._cards & self._snapshot.valued(SLUGS.get(key, key), value))
            )
            both[value] = others + count
        return sorted(both.items(), key=lambda pair: -pair[1])[:limit]

    # -- order -----------------------------------------------------------------------

    @property
    def is_by_name(self) -> bool:
        """Whether they come in the catalogue's own order."""
        tree = self._query.query.tree
        return not (self._order or self._first or relevance_words(tree) or closeness(tree))

    @cached_property
    def _ordered(self) -> Ordered:
        tree = self._query.query.tree
        sorter = Sorter(self._snapshot, self._query.fields, self._evaluator)
        return sorter.in_order(self._cards, self._order, relevance_words(tree), tree, self._first)

    def page(self, size: int, after: str = "", before: str = "") -> CardPage:
        """The cards after the one with the key ``after``, or before the one with ``before``, where END means
        the last page; else the first.

        A card that is not among the results still has its place where they are by name; otherwise the page is
        the first.
        """
        start, lost = 0, False
        if before == END:
            start = max(self.total - size, 0)
        elif (place := self._place(after)) is not None:
            start = place + 1
        elif (place := self._place(before)) is not None:
            start, size = max(place - size, 0), min(size, place)
        elif after or before:
            # The card has left the results since the page was made: by name it still has its place.
            place = self._place_left(after or before) if self.is_by_name else None
            if place is None:
                lost = True
            elif after:
                start = place
            else:
                start, size = max(place - size, 0), min(size, place)
        positions = self._positions(start, size)
        pks = tuple(self._of(position)._snapshot.pks[max(position, ~position)] for position in positions)
        return CardPage(pks, start + 1, start > 0, start + len(positions) < self.total, lost, positions)

    def around(self, key: str) -> Around | None:
        """Where the card with this key stands; None if it is not among the results."""
        place = self._place(key)
        if place is None:
            return None
        return Around(place + 1, self.total, self.key_at(place - 1) if place else "", self.key_at(place + 1))

    def _place(self, key: str) -> int | None:
        if self._keys is not None:
            position = self._keys.get(key.partition("/")[2])
            return self._ordered.place(position) if position is not None else None
        mine = self._mine._place(key) if self._mine else None
        if mine is not None:
            return mine
        row = _row(key)
        position = self._snapshot.position(row[0]) if row else None
        place = self._ordered.place(position) if position is not None else None
        return None if place is None else self._before + place

    def _place_left(self, key: str) -> int | None:
        """How many of the cards stand before one by name that is not among them; None if there is no such
        card.
        """
        row = _row(key)
        position = self._snapshot.place_of(row[1:]) if row else 0
        return None if row is None else self._before + (self._cards.rank(position - 1) if position else 0)


def relevance_words(tree: Tree | None) -> str:
    """The plain words that a query looks for, folded, without those it excludes. Names most like them come
    first.
    """
    return fold(" ".join(leaf.value for leaf in leaves(tree, excluded=False) if isinstance(leaf, Word)))


def _row(key: str) -> tuple[int, str, str, str] | None:
    """(primary key, sortable name, game, code) of the card with this key, None if there is none."""
    game, _, code = key.partition("/")
    if not code or len(key) > MAX_KEY_LENGTH or "\0" in key:
        return None
    return Card.objects.filter(game=game, code=code).values_list("pk", "sort_name", "game", "code").first()
