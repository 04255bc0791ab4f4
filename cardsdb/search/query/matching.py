"""Run a checked query over cards in memory: make a test function of its tree.

``results`` calls ``Matcher.test`` with trees that ``check`` has checked, and sorts what is found by
``ordering``; no query is put to the database. Decks are searched with ``HOLDS``, too (``decks/public``). To
add a kind of nodes (``tree.py``): add it to ``Matcher.test`` and ``_cost``. Three rules of meaning:

- A fact that no source states meets no comparison: ``craft<3`` and ``craft!=3`` find only cards whose craft
  is known.
- A minus means "not known to be": ``-craft>=4`` finds every card except those known to have 4 or more.
- A field with several values (traits, or the sets of several prints) matches if one of them does, so two
  different prints may meet ``set:on rarity:rare`` together.

Tests: ``tests/cardsdb/search/query/test_matching.py``, and ``pinned_queries.txt`` beside it; for likeness,
``test_similar.py``; for own cards, ``tests/cardsdb/search/test_own_cards.py``.
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from math import ceil
from operator import eq, ge, gt, le, lt, ne
from sys import intern
from typing import assert_never

from cardsdb.games.kit import Card, fold
from cardsdb.search.query.expressions import compiled
from cardsdb.search.query.fields import Fields
from cardsdb.search.query.similar import closeness
from cardsdb.search.query.standard import (
    COMPARISONS,
    NO,
    YES,
    Field,
    Place,
    collector_number,
    folded,
    number,
    sort_name,
)
from cardsdb.search.query.tree import (
    And,
    AtLeast,
    Exact,
    Not,
    Or,
    Regex,
    Term,
    Tree,
    Versus,
    Word,
)

# The catalogue's default order: (sortable name, slug of the game, code of the card).
CatalogueKey = tuple[str, str, str]


@dataclass(frozen=True, eq=False)
class Entry:
    """A card with its search columns, ready for matching (see ``standard.search_columns``, which makes them).

    ``pk``: primary key of the row. ``key``: game and code, "spycraft/kai". ``order``: its place in the
    catalogue. ``name`` and ``search_text`` are folded. ``terms``: key -> folded values, as in
    {"type": ("agent",), "expense": ("7",), "set": ("on",), ...}.
    """

    card: Card
    pk: int
    key: str
    order: CatalogueKey
    name: str
    search_text: str
    terms: Mapping[str, tuple[str, ...]]


def entry_of(card: Card, pk: int, name: str, search_text: str, terms: str) -> Entry:
    """Return the entry of a card whose row has these search columns."""
    values: dict[str, list[str]] = {}
    # Terms stand between bars: "|type=agent|craft=4|".
    for term in terms.strip("|").split("|"):
        key, _, value = term.partition("=")
        # Interned to save memory, because thousands of cards share keys and values.
        values.setdefault(intern(key), []).append(intern(value))
    order = (sort_name(name), card.game, card.code)
    by_key = {key: tuple(stated) for key, stated in values.items()}
    return Entry(card, pk, card.key, order, name, search_text, by_key)


Test = Callable[[Entry], bool]
# Operator -> the comparison of a stated number with the typed one.
HOLDS: dict[str, Callable[[int, int], bool]] = {
    "<": lt,
    "<=": le,
    ">": gt,
    ">=": ge,
    "=": eq,
    ":": eq,
    "!=": ne,
}
# Likeness of visitors' own texts (``_words_like``). At most so many words are compared, the rarest.
MAX_WORDS = 12
# A shorter word is not compared.
MIN_LETTERS = 3
# A rare word is in at most this share of all own texts.
COMMON = 0.1
# Similar texts share half of the compared words, and at least so many.
MIN_WORDS = 2


@dataclass(frozen=True)
class Matcher:
    """Makes test functions from query trees. Each method that returns a ``Test`` does what can be done once
    for the query; the test itself is called for each of thousands of cards, so keep it short.

    ``lists``: name that ``in:`` knows -> primary keys of its cards. ``texts``: key of a card -> the visitor's
    own folded text of it, searched besides the catalogue's. ``entries``: all cards, among which ``similar:``
    finds the one that it names.
    """

    fields: Fields
    lists: Mapping[str, Collection[int]] = field(default_factory=dict)
    texts: Mapping[str, str] = field(default_factory=dict)
    entries: Sequence[Entry] = ()

    def test(self, tree: Tree | None) -> Test:
        """Return a function that tells whether a card meets the tree."""
        match tree:
            case None:
                return lambda entry: True
            case And(parts):
                # Cheap tests run first, so that slow ones such as expressions see only the remaining cards.
                return _all([self.test(part) for part in sorted(parts, key=_cost)])
            case Or(parts):
                return _any([self.test(part) for part in parts])
            case Not(part):
                inner = self.test(part)
                return lambda entry: not inner(entry)
            case AtLeast(count, parts):
                tests = [self.test(part) for part in parts]
                in_words = [self._like_in_words(tree)] if tree.like and self.texts else []
                return _any([lambda entry: sum(test(entry) for test in tests) >= count, *in_words])
            case Word(value):
                return self._with_word(fold(value))
            case Exact(value):
                name = fold(value)
                return lambda entry: entry.name == name
            case Term():
                return self._term(tree)
            case Regex(key, pattern):
                search = cache(compiled(pattern).search)
                return self._anywhere(self._field(key).places, lambda place: self._some(place, search))
            case Versus():
                return self._versus(tree)
        assert_never(tree)

    def _with_word(self, part: str) -> Test:
        """Return a test for cards with a folded text anywhere, or in the visitor's own text of them."""
        texts = self.texts
        if not texts:
            return lambda entry: part in entry.search_text
        return lambda entry: part in entry.search_text or part in texts.get(entry.key, "")

    # -- terms -----------------------------------------------------------------------

    def _field(self, key: str) -> Field:
        """Return the field of a key, which ``check`` has made sure of."""
        found = self.fields.get(key)
        if found is None:
            raise ValueError(f"the tree was not checked: no field is called {key!r}")
        return found

    def _term(self, term: Term) -> Test:
        """Return the test of a term."""
        asked = self._field(term.key)
        if asked.kind == "is":
            flags = self.fields.question_places("is", term.value)
            return self._anywhere(flags, lambda place: self._equal(place, YES[0]))
        if asked.kind == "has":
            return self._anywhere(self.fields.question_places("has", term.value), self._known)
        if term.op == "!=":
            is_known = self._anywhere(asked.places, self._known)
            is_same = self._term_at(asked, "=", term.value)
            return lambda entry: is_known(entry) and not is_same(entry)
        return self._term_at(asked, term.op, term.value)

    def _term_at(self, asked: Field, op: str, value: str) -> Test:
        """Return the test of a term with any operator but ``!=``, in all places of its field."""
        ask = self._compared if op in COMPARISONS else self._valued
        return self._anywhere(asked.places_asked(op, value), lambda place: ask(place, op, value))

    def _anywhere(self, places: Iterable[Place], ask: Callable[[Place], Test]) -> Test:
        """Return a test that ``ask`` holds for any of the places. A place counts only in its games."""
        return _any([_in_games(place.games, ask(place)) for place in places])

    def _values(self, place: Place) -> Callable[[Entry], Sequence[str]]:
        """Return a function from a card to its folded values in a place."""
        key, texts = place.key, self.texts
        if place.kind == "name":
            return lambda entry: (entry.name,)
        if key == "text" and texts:

            def with_own_text(entry: Entry) -> Sequence[str]:
                ours, own = entry.terms.get(key, ()), texts.get(entry.key)
                return (*ours, own) if own else ours

            return with_own_text
        return lambda entry: entry.terms.get(key, ())

    def _known(self, place: Place) -> Test:
        """Return a test for cards that have any value in the place."""
        values = self._values(place)
        if place.kind == "list":
            return lambda entry: True
        return lambda entry: bool(values(entry))

    def _some(self, place: Place, holds: Callable[[str], object]) -> Test:
        """Return a test that ``holds`` is true for at least one value in the place."""
        values = self._values(place)
        return lambda entry: any(map(holds, values(entry)))

    def _equal(self, place: Place, value: str) -> Test:
        """Return a test for cards with exactly this folded value in the place."""
        values = self._values(place)
        return lambda entry: value in values(entry)

    def _valued(self, place: Place, op: str, value: str) -> Test:
        """Return a test for cards with a value: equal for ``=``, contained for ``:`` in words and texts."""
        match place.kind:
            case "list":
                pks = self.lists.get(folded(value), ())
                return lambda entry: entry.pk in pks
            case "number":
                return self._equal(place, str(number(value)))
            case "flag":
                return self._equal(place, YES[0] if fold(value) in YES else NO[0])
        part = fold(value) if place.kind == "name" else folded(value)
        if op == ":" and place.kind in ("name", "word", "words", "text"):
            return self._some(place, lambda stated: part in stated)
        return self._equal(place, part)

    # -- numbers ---------------------------------------------------------------------

    def _compared(self, place: Place, op: str, value: str) -> Test:
        """Return a test for cards with a number in the place that compares so with the typed one."""
        limit, holds = number(value), HOLDS[op]
        read = collector_number if place.key == "number" else number

        @cache
        def compares(value: str) -> bool:
            stated = read(value)
            return stated is not None and limit is not None and holds(stated, limit)

        return self._some(place, compares)

    def _versus(self, versus: Versus) -> Test:
        """Return a test that compares two number fields of the same card."""
        holds, read = HOLDS[versus.op], cache(number)

        def number_places(key: str) -> list[Place]:
            return [place for place in self._field(key).places if place.kind == "number"]

        def numbers(place: Place) -> Callable[[Entry], list[int]]:
            values = self._values(place)
            return lambda entry: [stated for value in values(entry) if (stated := read(value)) is not None]

        def compares(place: Place, other: Place) -> Test:
            lefts, rights = numbers(place), numbers(other)
            return lambda entry: any(holds(left, right) for left in lefts(entry) for right in rights(entry))

        # Of a field with several places, each is compared with each of the other field.
        places, others = number_places(versus.left), number_places(versus.right)
        return self._anywhere(
            places, lambda place: self._anywhere(others, lambda other: compares(place, other))
        )

    # -- likeness --------------------------------------------------------------------

    def closeness(self, like: AtLeast) -> Callable[[Entry], int]:
        """Return a function from a card to its likeness with the card that ``similar:`` names: how many of
        the compared facts, and of the words of own texts, both share.
        """
        tests, shared = [self.test(fact) for fact in closeness(like)], self._shared_words(like)
        return lambda entry: sum(test(entry) for test in tests) + shared(entry)

    def _like_in_words(self, like: AtLeast) -> Test:
        """Return a test for cards of the same game and type whose own text shares half of the rare words."""
        is_comparable = _all([self.test(part) for part in _but_facts(like)])
        least, shared = max(MIN_WORDS, ceil(len(self._words_like(like)) / 2)), self._shared_words(like)
        return lambda entry: shared(entry) >= least and is_comparable(entry)

    def _shared_words(self, like: AtLeast) -> Callable[[Entry], int]:
        """Return a function from a card to the number of rare words that its own text shares."""
        words, texts = self._words_like(like), self.texts
        return lambda entry: len(words.intersection(texts.get(entry.key, "").split())) if words else 0

    def _words_like(self, like: AtLeast) -> frozenset[str]:
        """Return the rarest words in the named card's own text that occur in other own texts too."""
        if not self.texts:
            return frozenset()
        # ``similar:`` excludes the named card by ``Not(Exact(name))``; without the Not it finds that card.
        asked = [part.part if isinstance(part, Not) else part for part in _but_facts(like)]
        is_named = _all([self.test(part) for part in asked])
        # (card, words of the visitor's text of it), of all cards with such a text.
        having = [(entry, set(text.split())) for entry in self.entries if (text := self.texts.get(entry.key))]
        # Word -> how many texts have it.
        counts = Counter(word for _, words in having for word in words)
        named = {word for entry, words in having if is_named(entry) for word in words}
        # A word of a single text makes no texts alike; a word of two texts always counts as rare.
        most = max(2, len(having) * COMMON)
        rare = [word for word in named if len(word) >= MIN_LETTERS and 2 <= counts[word] <= most]
        return frozenset(sorted(rare, key=lambda word: (counts[word], word))[:MAX_WORDS])


def _but_facts(like: AtLeast) -> list[Tree]:
    """Return the conditions of an expanded ``similar:`` besides facts: game, type and another name."""
    # ``similar.like_card``, which shows the tree, puts all conditions into one And.
    every = like.parts[0]
    return [part for part in every.parts if not isinstance(part, AtLeast)] if isinstance(every, And) else []


def _cost(tree: Tree) -> int:
    """Return a rank of how long testing a part takes, 0 for the quickest."""
    match tree:
        case Exact() | Term(key="game"):
            return 0
        case Or() | AtLeast():
            return 2
        case Regex():
            return 3
    return 1


def _in_games(games: Collection[str], test: Test) -> Test:
    """Restrict a test to cards of some games; an empty collection means all games."""
    if not games:
        return test
    return lambda entry: entry.card.game in games and test(entry)


def _all(tests: Sequence[Test]) -> Test:
    """Return a test that all of these hold; true without any."""

    def holds(entry: Entry) -> bool:
        for test in tests:  # noqa: SIM110  (a generator for each card takes twice as long)
            if not test(entry):
                return False
        return True

    return holds


def _any(tests: Sequence[Test]) -> Test:
    """Return a test that one of these holds; false without any."""

    def holds(entry: Entry) -> bool:
        for test in tests:  # noqa: SIM110  (as above)
            if test(entry):
                return True
        return False

    return tests[0] if len(tests) == 1 else holds
