"""What a query finds: how many, in which order, in pages that cost the same at any depth.

Two ways to the same answer. The index, a file of bitmaps made when the catalogue was loaded,
answers in fractions of a millisecond at a million cards. Where this machine has no index of the
current edition, the database answers the same; that is also what the index is tested against.
A page is asked for by the card before or after it, never by a number of rows to skip.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from django.db.models import Q

from cardsdb.models import Card, CardQuerySet, Edition, EditionState
from cardsdb.search.compile import to_q
from cardsdb.search.index import Index
from cardsdb.search.listed import Listed, from_brief, from_rows
from cardsdb.search.open_index import index_of
from cardsdb.search.order import is_by_name, ordering, relevance_words
from cardsdb.search.query.fields import Fields
from cardsdb.search.query.tree import Query

# Values of one facet that are counted, the most frequent first.
MOST_VALUES = 40


@dataclass(frozen=True, slots=True)
class Slice:
    """One page: the cards' rows by primary key in order, the place of the first (from 1), and whether there is more on either side.

    ``lost`` says that the page is the first because the card it was asked for by is not among the results.
    ``positions`` are the cards' places in the index, for ``Results.listed``.
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


class Results(Protocol):
    """The cards that a query finds, in its order."""

    total: int

    def page(self, size: int, after: str = "", before: str = "") -> Slice:
        """The cards after the one with the key ``after``, or before ``before``; with "end" there, the last. Else the first.

        A key that is not among the results starts at the beginning.
        """

    def listed(self, page: Slice) -> list[Listed]:
        """The cards of a page as lists show them."""

    def facet(self, key: str) -> list[tuple[str, int]]:
        """(folded value, cards) of the key of ``terms``, the most frequent first."""

    def around(self, key: str) -> Around | None:
        """Where the card stands; None if it is not among the results."""

    def key_at(self, place: int) -> str:
        """The key of the card at a place from 0."""


def results_of(query: Query, fields: Fields, now: EditionState | None = None) -> Results:
    """The results of a checked query. One small query finds the edition, if the caller does not say; the index needs no other."""
    index = index_of(now or Edition.objects.current())
    return IndexResults(index, query, fields) if index else DatabaseResults(query, fields)


def random_key(results: Results) -> str:
    """The key of any of the cards found; empty if none is."""
    return results.key_at(random.randrange(results.total)) if results.total else ""  # noqa: S311  (nothing secret hangs on it)


# -- the index ------------------------------------------------------------------


class IndexResults:
    """Results from bitmaps."""

    def __init__(self, index: Index, query: Query, fields: Fields) -> None:
        self._index = index
        self._asked = (query, fields)
        self._by_name = is_by_name(query)
        self._found = index.matching(query.tree, fields)
        self._ordered = index.in_order(self._found, query.order, relevance_words(query.tree), fields, query.tree)
        self.total = len(self._ordered)

    def page(self, size: int, after: str = "", before: str = "") -> Slice:
        start, lost = 0, False
        if before == "end":
            start = max(self.total - size, 0)
        elif (place := self._place(after)) is not None:
            start = place + 1
        elif (place := self._place(before)) is not None:
            start, size = max(place - size, 0), min(size, place)
        elif (after or before) and before != "end":
            # The card has left the results since the page was made: by name the database knows where it stood.
            if self._by_name and primary_key(after or before) is not None:
                return self._beside_one_that_left(size, after, before)
            lost = True
        positions = self._ordered.slice(start, size)
        more = start + len(positions) < self.total
        return Slice(tuple(self._index.pks(positions)), start + 1, start > 0, more, lost, tuple(positions))

    def _beside_one_that_left(self, size: int, after: str, before: str) -> Slice:
        page = DatabaseResults(*self._asked).page(size, after, before)
        positions = tuple(position for pk in page.pks if (position := self._index.position(pk)) is not None)
        return Slice(page.pks, page.first, page.before, page.after, page.lost, positions)

    def listed(self, page: Slice) -> list[Listed]:
        return [from_brief(line) for line in self._index.briefs(page.positions)]

    def facet(self, key: str) -> list[tuple[str, int]]:
        return self._index.facet(self._found, key, most=MOST_VALUES)

    def around(self, key: str) -> Around | None:
        place = self._place(key)
        if place is None:
            return None
        return Around(place + 1, self.total, self.key_at(place - 1) if place else "", self.key_at(place + 1))

    def key_at(self, place: int) -> str:
        return next(iter(self._index.keys(self._ordered.slice(place, 1))), "")

    def _place(self, key: str) -> int | None:
        pk = primary_key(key)
        position = self._index.position(pk) if pk is not None else None
        return self._ordered.place(position) if position is not None else None


def primary_key(key: str) -> int | None:
    """The row of the card with this key, None if there is none."""
    game, _, code = key.partition("/")
    if not code or len(key) > 200 or "\0" in key:
        return None
    return Card.objects.filter(game=game, code=code).values_list("pk", flat=True).first()


# -- the database ---------------------------------------------------------------


class DatabaseResults:
    """Results from plain SQL. In an order other than by name it lists the keys of all rows found."""

    def __init__(self, query: Query, fields: Fields) -> None:
        cards = Card.objects.current()
        self._cards: CardQuerySet = cards.filter(to_q(query.tree, fields)) if query.tree else cards
        self._order = ordering(query.order, query.tree, fields)
        self._by_name = is_by_name(query)
        self.total = self._cards.count()

    def page(self, size: int, after: str = "", before: str = "") -> Slice:
        if not self._by_name:
            return self._page_of_all(size, after, before)
        rows = self._cards
        if before == "end":
            found = tuple(rows.by_name().reverse().values_list("pk", flat=True)[:size])[::-1]
            return Slice(found, self.total - len(found) + 1, len(found) < self.total, False)
        mark = _sort_key(after or before)
        if mark is None:
            found = tuple(rows.by_name().values_list("pk", flat=True)[:size])
            return Slice(found, 1, False, self.total > len(found), bool(after or before))
        if after:
            found = tuple(_beyond(rows, mark).by_name().values_list("pk", flat=True)[:size])
            first = self.total - _beyond(rows, mark).count() + 1
        else:
            earlier = _short_of(rows, mark)
            found = tuple(earlier.by_name().reverse().values_list("pk", flat=True)[:size])[::-1]
            first = earlier.count() - len(found) + 1
        return Slice(found, first, first > 1, first - 1 + len(found) < self.total)

    def _page_of_all(self, size: int, after: str, before: str) -> Slice:
        pks = self._pks()
        start, lost = 0, False
        if before == "end":
            start = max(len(pks) - size, 0)
        elif (pk := primary_key(after or before)) in pks:
            place = pks.index(pk)
            start, size = (place + 1, size) if after else (max(place - size, 0), min(size, place))
        else:
            lost = bool(after or before)
        return Slice(tuple(pks[start : start + size]), start + 1, start > 0, start + size < len(pks), lost)

    def listed(self, page: Slice) -> list[Listed]:
        return from_rows(page.pks)

    def _pks(self) -> Sequence[int | None]:
        return list(self._cards.order_by(*self._order).values_list("pk", flat=True))

    def facet(self, key: str) -> list[tuple[str, int]]:
        counts = self._counts().get(key, {})
        return sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))[:MOST_VALUES]

    def _counts(self) -> dict[str, dict[str, int]]:
        """All facets in one pass over the rows found."""
        if not hasattr(self, "_counted"):
            self._counted: dict[str, dict[str, int]] = {}
            for terms in self._cards.values_list("terms", flat=True).iterator(2000):
                slugs = set()
                for term in terms.strip("|").split("|"):
                    key, _, value = term.partition("=")
                    # A game and a type stand there by slug and by name, the slug first.
                    if key != "text" and key not in slugs:
                        if key in ("game", "type"):
                            slugs.add(key)
                        counts = self._counted.setdefault(key, {})
                        counts[value] = counts.get(value, 0) + 1
        return self._counted

    def around(self, key: str) -> Around | None:
        pks = self._pks()
        pk = primary_key(key)
        if pk not in pks:
            return None
        place = pks.index(pk)
        return Around(place + 1, len(pks), self.key_at(place - 1) if place else "", self.key_at(place + 1))

    def key_at(self, place: int) -> str:
        return "/".join(next(iter(self._cards.order_by(*self._order).values_list("game", "code")[place : place + 1]), ()))


Mark = tuple[str, str, str]


def _sort_key(key: str) -> Mark | None:
    """What the card with this key is sorted by, None if there is no such card."""
    pk = primary_key(key)
    return None if pk is None else Card.objects.values_list("sort_name", "game", "code").get(pk=pk)


def _beyond(cards: CardQuerySet, mark: Mark) -> CardQuerySet:
    """The rows after the mark: a range on the index less the few of the same name, which a plain OR would turn into a scan."""
    name, game, code = mark
    return cards.filter(sort_name__gte=name).exclude(Q(sort_name=name) & (Q(game__lt=game) | Q(game=game, code__lte=code)))


def _short_of(cards: CardQuerySet, mark: Mark) -> CardQuerySet:
    name, game, code = mark
    return cards.filter(sort_name__lte=name).exclude(Q(sort_name=name) & (Q(game__gt=game) | Q(game=game, code__gte=code)))
