"""Sort the cards that a query finds: as the query asks, by likeness with its words, or as the catalogue does.

``Results`` (``results.py``) calls ``in_order`` with the entries and the ``Matcher`` that found them, and
``relevance_words`` to tell if words sort them. Tests: ``tests/cardsdb/search/query/test_ordering.py``.
"""

from collections.abc import Callable, Iterable, Sequence
from functools import cache
from operator import itemgetter
from typing import Any

from cardsdb.games.kit import fold
from cardsdb.search.query.fields import Fields
from cardsdb.search.query.matching import Entry, Matcher
from cardsdb.search.query.similar import asked_like
from cardsdb.search.query.standard import Place, collector_number
from cardsdb.search.query.standard import number as whole_number
from cardsdb.search.query.tree import SortKey, Tree, Word, leaves

# Under these keys ``terms`` have a slug and then a name. Sorting and counting use the slug only.
SLUGS = ("game", "type")
# A sort value, (False, a number) or (True, a word): numbers sort before words.
Value = tuple[bool, int | str]
# The ranks of a card's name for the searched words, the best first (``_likeness``).
IS_NAME = 0
BEGINS_NAME = 1
BEGINS_WORD = 2
IN_NAME = 3
NOT_IN_NAME = 4


def in_order(
    entries: Iterable[Entry],
    matcher: Matcher,
    tree: Tree | None,
    order: Sequence[SortKey] = (),
    first: Sequence[Tree] = (),
) -> list[Entry]:
    """Return the cards, given in the catalogue's order, sorted by (the most important first):

    1. the first tree of ``first`` that they meet; those that meet none come last
    2. ``order``, cards without a value last; or, without an order,
       a. closeness to the card of the tree's ``similar:``, b. likeness of their names with the tree's words
    3. the order in which they were given
    """
    ordered = list(entries)
    # Sorting keeps the order of equals, so the least important is sorted by first.
    for key in reversed(order):
        ordered = _sorted(ordered, key, matcher.fields)
    if not order:
        if words := relevance_words(tree):
            ordered.sort(key=lambda entry: _likeness(entry.name, words))
        if like := asked_like(tree):
            ordered.sort(key=matcher.closeness(like), reverse=True)
    tests = [matcher.test(preferred) for preferred in first]

    def preference(entry: Entry) -> int:
        """Return the place in ``first`` of the first tree that the card meets."""
        return next((place for place, test in enumerate(tests) if test(entry)), len(tests))

    return sorted(ordered, key=preference) if tests else ordered


def relevance_words(tree: Tree | None) -> str:
    """Return the plain words that a query looks for, folded and joined, without excluded ones. Results are
    ordered by how like them their names are.
    """
    return fold(" ".join(leaf.value for leaf in leaves(tree, excluded=False) if isinstance(leaf, Word)))


def _likeness(name: str, words: str) -> int:
    """Return how like the words a folded name is, as one of the ranks above."""
    if words not in name:
        return NOT_IN_NAME
    if name == words:
        return IS_NAME
    if name.startswith(words):
        return BEGINS_NAME
    return BEGINS_WORD if f" {words}" in name else IN_NAME


def _sorted(entries: list[Entry], key: SortKey, fields: Fields) -> list[Entry]:
    """Return the cards sorted by one field; those without a value come last in both directions."""
    value = _value(key, fields)
    pairs = [(value(entry), entry) for entry in entries]
    with_value = (pair for pair in pairs if pair[0] is not None)
    ordered = sorted(with_value, key=itemgetter(0), reverse=key.descending)
    return [entry for _, entry in ordered] + [entry for found, entry in pairs if found is None]


def _value(key: SortKey, fields: Fields) -> Callable[[Entry], Any]:
    """Return a function from a card to its sort value: of several values the lowest, or the highest if
    descending; of several sets always the earliest. The value is None if no source states one.
    """
    if key.key == "name":
        return lambda entry: entry.order[0]
    if key.key in SLUGS:
        return lambda entry: entry.terms[key.key][0]
    if key.key == "set":
        # Games declare their sets in the order of release.
        released = {(game.slug, s.code): place for game in fields.games for place, s in enumerate(game.sets)}
        return lambda entry: min(
            # A set that its game does not declare, such as an own set, comes last.
            (released.get((entry.card.game, print_.set), len(released)) for print_ in entry.card.prints),
            default=None,
        )
    field = fields.get(key.key)
    # (place, function that finds its best value). A word of several games has a place for each.
    places = [(place, _best(place, key.descending)) for place in field.sortable] if field else []

    def value(entry: Entry) -> Value | None:
        game = entry.card.game
        of_game = [(place, best) for place, best in places if not place.games or game in place.games]
        values = filter(None, (best(entry.terms.get(place.key, ())) for place, best in of_game))
        return max(values, default=None) if key.descending else min(values, default=None)

    return value


def _best(place: Place, descending: bool) -> Callable[[tuple[str, ...]], Value | None]:
    """Return a function from the values that a card has in a place to the one it is sorted by, the highest if
    ``descending``, else the lowest: ("12", "12a", "7") -> (False, 7) for collector numbers, as "12a" is none.
    """
    read = whole_number if place.kind == "number" else None
    # Collector numbers, whose key is "number", are texts ("12a"); cards are sorted by those in plain digits.
    if place.key == "number":
        read = collector_number

    @cache
    def best(stated: tuple[str, ...]) -> Value | None:
        if read:
            values: list[Value] = [(False, whole) for text in stated if (whole := read(text)) is not None]
        else:
            values = [(True, text) for text in stated]
        return max(values, default=None) if descending else min(values, default=None)

    return best
