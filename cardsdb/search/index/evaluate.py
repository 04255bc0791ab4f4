"""What a checked tree finds, as a bitmap of positions. Means exactly what ``cardsdb.search.compile`` means in SQL."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from operator import eq, ge, gt, le, lt, ne
from typing import assert_never

from pyroaring import BitMap

from cardsdb.games.kit.model.text import fold
from cardsdb.search.index.container import Container
from cardsdb.search.index.names import Names
from cardsdb.search.index.postings import Cache, Postings
from cardsdb.search.index.texts import Text
from cardsdb.search.query.fields import COMPARISONS, NO, YES, Field, Fields, Place
from cardsdb.search.query.tree import And, AtLeast, Exact, Not, Or, Regex, Term, Tree, Versus, Word
from cardsdb.search.query.values import collector_number, folded, number

HOLDS: dict[str, Callable[[int, int], bool]] = {"<": lt, "<=": le, ">": gt, ">=": ge, "=": eq, ":": eq, "!=": ne}
# How dear a part is to evaluate, at a guess: bitmaps that are there, bitmaps to join, text to look through.
READY, JOINED, PHRASE, PATTERN = 1, 4, 30, 1_000


class Finder:
    """Evaluates trees over an open index. Bitmaps it gives may be shared: they are not to be changed."""

    def __init__(self, container: Container, cache: Cache) -> None:
        self._container = container
        self._cache = cache
        self.total = len(container.numbers("pks", "Q"))
        self.everything = BitMap(range(self.total))
        self.names = Names(container, cache)
        self.text = Text(container, "text", cache)
        self.words = Text(container, "search", cache)
        self._known = Postings(container, "known", cache)
        self._by_key: dict[str, Postings] = {}
        self._numbers: dict[str, list[tuple[int, int]]] = {}

    def postings(self, key: str) -> Postings | None:
        """The values of a key of ``terms``; None if no card has it."""
        if key not in self._by_key and f"key:{key}.values" in self._container:
            self._by_key[key] = Postings(self._container, f"key:{key}", self._cache)
        return self._by_key.get(key)

    def cards(self, key: str, which: int) -> BitMap:
        """The cards with the value of this number of a key that some card has."""
        postings = self.postings(key)
        return postings.cards(which) if postings else BitMap()

    def valued(self, key: str, value: str) -> BitMap:
        """The cards with this value of a key, folded."""
        postings = self.postings(key)
        return postings.cards_of(value) if postings else BitMap()

    def known(self, key: str) -> BitMap:
        """The cards that have the key at all."""
        return self.everything if key == "name" else self._known.cards_of(key)

    def numbers(self, key: str) -> list[tuple[int, int]]:
        """(number, which value of the key it is), ascending; values that are no numbers are left out."""
        if key not in self._numbers:
            postings = self.postings(key)
            read_number = collector_number if key == "number" else number
            read = ((read_number(value), which) for which, value in enumerate(postings.values())) if postings else ()
            self._numbers[key] = sorted((found, which) for found, which in read if found is not None)
        return self._numbers[key]

    # -- trees -----------------------------------------------------------------------

    def find(self, tree: Tree | None, fields: Fields, among: BitMap | None = None) -> BitMap:
        """The cards that a tree means. What is outside ``among`` may be left out: the caller has no use for it."""
        match tree:
            case None:
                return self.everything
            case And(parts):
                return self._all(parts, fields, among)
            case Or(parts):
                return BitMap.union(*(self.find(part, fields, among) for part in parts))
            case Not(part):
                return (self.everything if among is None else among) - self.find(part, fields, among)
            case AtLeast(count, parts):
                return self._at_least(count, parts, fields, among)
            case Word(value):
                return self.words.having(fold(value), among)
            case Exact(value):
                return self.names.exactly(fold(value))
            case Term():
                return self._term(tree, fields, among)
            case Regex():
                return self._regex(tree, fields, among)
            case Versus():
                return self._versus(tree, fields)
        assert_never(tree)

    def _all(self, parts: Sequence[Tree], fields: Fields, among: BitMap | None) -> BitMap:
        """The cheapest part first: the dear ones need only look at what is left."""
        found = among
        for part in sorted(parts, key=lambda part: _cost(part, fields)):
            cards = self.find(part, fields, found)
            found = cards if found is None else found & cards
            if not found:
                break
        return found if found is not None else self.everything

    def _at_least(self, count: int, parts: Sequence[Tree], fields: Fields, among: BitMap | None) -> BitMap:
        return self.so_many(count, parts, fields, among)[-1]

    def so_many(self, count: int, parts: Sequence[Tree], fields: Fields, among: BitMap | None) -> list[BitMap]:
        """At place k, from 0 to before ``count``, the cards that meet more than k of the parts."""
        so_many = [BitMap() for _ in range(count)]
        for part in parts:
            met = self.find(part, fields, among)
            for place, before in enumerate(so_many):
                so_many[place], met = before | met, before & met
        return so_many

    # -- terms -----------------------------------------------------------------------

    def _term(self, term: Term, fields: Fields, among: BitMap | None) -> BitMap:
        field = fields.get(term.key)
        if field is None:
            raise ValueError(f"the tree was not checked: no field is called {term.key!r}")
        if field.kind == "is":
            return self.any_of((place, self.valued(place.key, YES[0])) for place in fields.flag(term.value))
        if field.kind == "has":
            return self.any_of((place, self.known(place.key)) for place in fields.knowable(term.value))
        if term.op == "!=":
            known = self.any_of((place, self.known(place.key)) for place in field.places)
            return known - self._equal(field, "=", term.value, fields, among)
        if term.op in COMPARISONS:
            places = fields.places(field, term.op, term.value)
            return self.any_of((place, self._compared(place.key, term.op, term.value)) for place in places)
        return self._equal(field, term.op, term.value, fields, among)

    def _equal(self, field: Field, op: str, value: str, fields: Fields, among: BitMap | None) -> BitMap:
        return self.any_of((place, self._valued(place, op, value, among)) for place in fields.places(field, op, value))

    def _valued(self, place: Place, op: str, value: str, among: BitMap | None) -> BitMap:
        match place.kind:
            case "name":
                return self.names.having(fold(value), among) if op == ":" else self.names.exactly(fold(value))
            case "number":
                return self.valued(place.key, str(number(value)))
            case "flag":
                return self.valued(place.key, YES[0] if fold(value) in YES else NO[0])
            case "text" if place.key == "text":
                return self.text.having(folded(value), among)
            case "word" | "words" | "text" if op == ":":
                return self._containing(place.key, folded(value))
            case _:
                return self.valued(place.key, folded(value))

    def _containing(self, key: str, part: str) -> BitMap:
        """The cards with a value that has the part in it."""
        postings = self.postings(key)
        if postings is None:
            return BitMap()
        return self._cache.get((key, ":", part), lambda: postings.cards_of_any(postings.containing(part)))

    def _compared(self, key: str, op: str, value: str) -> BitMap:
        """The cards whose number compares so."""
        limit = number(value)
        postings = self.postings(key)
        if postings is None or limit is None:
            return BitMap()
        holds = HOLDS[op]
        return self._cache.get(
            (key, op, limit), lambda: postings.cards_of_any(which for one, which in self.numbers(key) if holds(one, limit))
        )

    def any_of(self, found: Iterable[tuple[Place, BitMap]]) -> BitMap:
        """The cards of all places, each only of the games it is for."""
        bitmaps = [cards & self.of_games(place.games) if place.games else cards for place, cards in found]
        return bitmaps[0] if len(bitmaps) == 1 else BitMap.union(*bitmaps) if bitmaps else BitMap()

    def of_games(self, slugs: Sequence[str]) -> BitMap:
        found = [self.valued("game!", slug) for slug in slugs]
        return found[0] if len(found) == 1 else BitMap.union(*found)

    # -- patterns and comparisons ------------------------------------------------------

    def _regex(self, regex: Regex, fields: Fields, among: BitMap | None) -> BitMap:
        """The cards with a value of the field in which the pattern is found."""
        field = fields.get(regex.key)
        if field is None:
            raise ValueError(f"the tree was not checked: no field is called {regex.key!r}")
        return self.any_of((place, self._place_matching(place, regex.pattern, among)) for place in field.places)

    def _place_matching(self, place: Place, pattern: str, among: BitMap | None) -> BitMap:
        if place.kind == "name":
            return self.names.matching(pattern, among)
        if place.key == "text":
            return self.text.matching(pattern, among) & self.known("text")
        postings = self.postings(place.key)
        if postings is None:
            return BitMap()
        return self._cache.get((place.key, "/", pattern), lambda: postings.cards_of_any(postings.matching(pattern)))

    def _versus(self, versus: Versus, fields: Fields) -> BitMap:
        """The cards on which one number compares so with another."""
        left, right = fields.get(versus.left), fields.get(versus.right)
        if left is None or right is None:
            raise ValueError(f"the tree was not checked: {versus!r}")
        pairs = [(one, other) for one in left.places for other in right.places if one.kind == other.kind == "number"]
        return BitMap.union(BitMap(), *(self._place_versus(one, versus.op, other) for one, other in pairs))

    def _place_versus(self, one: Place, op: str, other: Place) -> BitMap:
        """Value by value of the one, the cards whose other number compares so with it."""
        holds = HOLDS[op]
        others = [(value, self.cards(other.key, which)) for value, which in self.numbers(other.key)]
        found = BitMap()
        for value, which in self.numbers(one.key):
            cards = self.cards(one.key, which)
            found |= cards & BitMap.union(BitMap(), *(held for against, held in others if holds(value, against)))
        return self.any_of([(one, self.any_of([(other, found)]))])


def _cost(tree: Tree, fields: Fields) -> int:
    """How dear a part is to evaluate, at a guess."""
    match tree:
        case And(parts) | Or(parts) | AtLeast(_, parts):
            return sum(_cost(part, fields) for part in parts)
        case Not(part):
            return _cost(part, fields) + 1
        case Exact():
            return READY
        case Word(value):
            return PHRASE if " " in value else JOINED
        case Term(key, op, value):
            field = fields.get(key)
            text = field is not None and op == ":" and field.kind in ("name", "text")
            return PHRASE if text and " " in value else JOINED if op in (":", *COMPARISONS) else READY
        case Regex():
            return PATTERN
        case Versus():
            return PHRASE
    assert_never(tree)
