"""Cards in order: as the query says, by likeness, or in the catalogue's."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cache
from operator import itemgetter
from typing import Any

from cardsdb.games.kit.model.text import fold
from cardsdb.search.engine.entries import SLUGS, Entry
from cardsdb.search.engine.matching import Matcher
from cardsdb.search.query.fields import Fields
from cardsdb.search.query.similar import asked_like
from cardsdb.search.query.standard import Place
from cardsdb.search.query.tree import SortKey, Tree, Word, leaves
from cardsdb.search.query.values import number

# Numbers come before words.
Value = tuple[bool, int | str]


def in_order(
    entries: Iterable[Entry],
    matcher: Matcher,
    tree: Tree | None,
    order: Sequence[SortKey] = (),
    first: Sequence[Tree] = (),
) -> list[Entry]:
    """The cards, given as the catalogue has them, in this order; without one, the closest to the tree's
    ``similar:`` first, then the names most like its words.

    Equals stay as they are given; cards without the value come last. Before all others come the cards that
    meet the first tree of ``first``, then those that meet the second.
    """
    ordered = list(entries)
    for key in reversed(order):
        ordered = _sorted(ordered, key, matcher.fields)
    if not order:
        if words := relevance_words(tree):
            ordered.sort(key=lambda entry: _likeness(entry.name, words))
        if like := asked_like(tree):
            ordered.sort(key=matcher.closeness(like), reverse=True)
    if first:
        tests = [matcher.test(one) for one in first]
        ordered.sort(key=lambda entry: next((n for n, test in enumerate(tests) if test(entry)), len(tests)))
    return ordered


def relevance_words(tree: Tree | None) -> str:
    """The plain words that a query looks for, folded, without those it excludes. Names most like them come
    first.
    """
    return fold(" ".join(leaf.value for leaf in leaves(tree, excluded=False) if isinstance(leaf, Word)))


def _likeness(name: str, words: str) -> int:
    """0 for the same name; more for one that begins so, has a word that begins so, has it anywhere, has not."""
    if words not in name:
        return 4
    return 0 if name == words else 1 if name.startswith(words) else 2 if f" {words}" in name else 3


def _sorted(entries: list[Entry], key: SortKey, fields: Fields) -> list[Entry]:
    value = _value(key, fields)
    pairs = [(value(entry), entry) for entry in entries]
    known = (pair for pair in pairs if pair[0] is not None)
    ordered = sorted(known, key=itemgetter(0), reverse=key.descending)
    return [entry for _, entry in ordered] + [entry for stated, entry in pairs if stated is None]


def _value(key: SortKey, fields: Fields) -> Callable[[Entry], Any]:
    """The value by which a card is sorted, the first or the last of several; None if nobody states one."""
    if key.key == "name":
        return lambda entry: entry.order[0]
    if key.key in SLUGS:
        return lambda entry: entry.terms[key.key][0]
    places = [(place, _best(place, key.descending)) for place in fields.sortable(key.key)]
    if len(places) == 1:
        ((only, best),) = places
        return lambda entry: best(entry.terms.get(only.key, ()))

    def value(entry: Entry) -> Value | None:
        here = [(place, best) for place, best in places if not place.games or entry.card.game in place.games]
        values = filter(None, (best(entry.terms.get(place.key, ())) for place, best in here))
        return max(values, default=None) if key.descending else min(values, default=None)

    return value


def _best(place: Place, descending: bool) -> Callable[[tuple[str, ...]], Value | None]:
    """The value that counts of those that a card has in a place."""

    @cache
    def best(stated: tuple[str, ...]) -> Value | None:
        values: list[Value] = [(True, one) for one in stated]
        if place.kind == "number":
            values = [(False, whole) for one in stated if (whole := number(one)) is not None]
        return max(values, default=None) if descending else min(values, default=None)

    return best
