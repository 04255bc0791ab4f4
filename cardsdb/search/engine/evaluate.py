"""Which cards a checked query means.

Two rules of meaning. A fact that nobody states satisfies no comparison: ``craft<3`` and ``craft!=3`` find
only cards whose craft is known. A minus means "not known to be so": ``-craft>=4`` finds every card but those
known to have 4 or more. A field with several values (traits, or the sets of several prints) matches if one of
them does; ``set:on rarity:rare`` may be met by two different prints.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import chain
from operator import eq, ge, gt, le, lt, ne
from typing import assert_never

from pyroaring import BitMap

from cardsdb.games.kit.model.text import fold
from cardsdb.search.engine.names import with_so_many
from cardsdb.search.engine.own_texts import OwnTexts
from cardsdb.search.engine.snapshot import Snapshot
from cardsdb.search.query.fields import Fields
from cardsdb.search.query.similar import closeness
from cardsdb.search.query.standard import COMPARISONS, NO, YES, Field, Place
from cardsdb.search.query.tree import And, AtLeast, Exact, Not, Or, Regex, Term, Tree, Versus, Word
from cardsdb.search.query.values import folded, number

HOLDS: dict[str, Callable[[int, int], bool]] = {
    "<": lt,
    "<=": le,
    ">": gt,
    ">=": ge,
    "=": eq,
    ":": eq,
    "!=": ne,
}
# How many words two texts must share to be alike.
MIN_WORDS = 2
# An estimate of what a part costs: ready bitmaps, bitmaps to join, text to look through.
READY, JOINED, PHRASE, PATTERN = 1, 4, 30, 1_000


class Evaluator:
    """Finds cards in a snapshot. Its bitmaps may be shared: nobody may change one.

    ``lists`` are the lists of cards that ``in:`` knows by name in these fields, by position. ``own`` are
    texts of whoever asks: a card's text is the catalogue's or their own.
    """

    def __init__(
        self,
        snapshot: Snapshot,
        fields: Fields,
        lists: Mapping[str, BitMap] | None = None,
        own: OwnTexts | None = None,
    ) -> None:
        self._snapshot = snapshot
        self._fields = fields
        self._lists = lists or {}
        self._own = own
        self._words: dict[str, list[BitMap]] = {}

    def find(self, tree: Tree | None, among: BitMap | None = None) -> BitMap:
        """The cards that a tree means. What is outside ``among`` may be left out: the caller has no use for
        it.
        """
        match tree:
            case None:
                return self._snapshot.everything
            case And(parts):
                return self._all(parts, among)
            case Or(parts):
                return BitMap.union(*(self.find(part, among) for part in parts))
            case Not(part):
                return (self._snapshot.everything if among is None else among) - self.find(part, among)
            case AtLeast(count, parts):
                cards = self.sharing(parts, count, among)[-1]
                return cards | self._like_in_words(tree, among) if tree.like and self._own else cards
            case Word(value):
                cards = self._snapshot.words.containing(fold(value), among)
                return cards | self._own.containing(fold(value), among) if self._own else cards
            case Exact(value):
                return self._snapshot.names.exactly(fold(value))
            case Term():
                return self._term(tree, among)
            case Regex(key, pattern):
                return self.any_of(
                    (place, self._matching(place, pattern, among)) for place in self._field(key).places
                )
            case Versus():
                return self._versus(tree)
        assert_never(tree)

    def _all(self, parts: Sequence[Tree], among: BitMap | None) -> BitMap:
        """The cards that all parts mean. The cheapest part comes first: the others look only at what is
        left.
        """
        cards = among
        for part in sorted(parts, key=self._cost):
            matches = self.find(part, cards)
            cards = matches if cards is None else cards & matches
            if not cards:
                break
        return cards if cards is not None else self._snapshot.everything

    def sharing(self, parts: Sequence[Tree], count: int, among: BitMap | None) -> list[BitMap]:
        """At place k, from 0 to before ``count``, the cards that meet more than k of the parts."""
        return with_so_many((self.find(part, among) for part in parts), count)

    def closest(self, like: AtLeast, among: BitMap | None) -> list[BitMap]:
        """At place k, from 0, the cards that share more than k of what a ``similar:`` compares: facts, and
        words of own texts.
        """
        words = self._words_like(like)
        facts = closeness(like)
        return with_so_many(chain((self.find(fact, among) for fact in facts), words), len(facts) + len(words))

    def _like_in_words(self, like: AtLeast, among: BitMap | None) -> BitMap:
        """The cards of the game and type whose own texts share half of the rarer words of that of the card
        which is named.
        """
        words = self._words_like(like)
        least = max(MIN_WORDS, -(-len(words) // 2))
        return (
            with_so_many(iter(words), least)[-1] & self._all(_but_facts(like), among) if words else BitMap()
        )

    def _words_like(self, like: AtLeast) -> list[BitMap]:
        """The cards with each of the rarer words of the text of the card that a ``similar:`` names."""
        if like.like not in self._words:
            self._words[like.like] = self._find_words_like(like)
        return self._words[like.like]

    def _find_words_like(self, like: AtLeast) -> list[BitMap]:
        if self._own is None:
            return []
        others = _but_facts(like)
        kind = self._all([part for part in others if isinstance(part, Term)], None)
        # The card itself is the one that the query leaves out.
        named = (self.find(part.part) for part in others if isinstance(part, Not))
        return self._own.with_words_of(kind.intersection(*named))

    # -- terms -----------------------------------------------------------------------

    def _field(self, key: str) -> Field:
        field = self._fields.get(key)
        if field is None:
            raise ValueError(f"the tree was not checked: no field is called {key!r}")
        return field

    def _term(self, term: Term, among: BitMap | None) -> BitMap:
        field = self._field(term.key)
        if field.kind == "is":
            return self.any_of(
                (place, self._snapshot.valued(place.key, YES[0])) for place in self._fields.flag(term.value)
            )
        if field.kind == "has":
            return self.any_of((place, self._known(place)) for place in self._fields.knowable(term.value))
        if term.op == "!=":
            known = self.any_of((place, self._known(place)) for place in field.places)
            return known - self._equal(field, "=", term.value, among)
        if term.op in COMPARISONS:
            places = self._fields.places(field, term.op, term.value)
            return self.any_of((place, self._compared(place.key, term.op, term.value)) for place in places)
        return self._equal(field, term.op, term.value, among)

    def _equal(self, field: Field, op: str, value: str, among: BitMap | None) -> BitMap:
        return self.any_of(
            (place, self._valued(place, op, value, among)) for place in self._fields.places(field, op, value)
        )

    def _known(self, place: Place) -> BitMap:
        cards = self._snapshot.everything if place.kind == "list" else self._snapshot.known(place.key)
        return cards | self._own.with_text if self._own and place.key == "text" else cards

    def _valued(self, place: Place, op: str, value: str, among: BitMap | None) -> BitMap:
        snapshot = self._snapshot
        match place.kind:
            case "list":
                return self._lists.get(folded(value), BitMap())
            case "name":
                return (
                    snapshot.names.containing(fold(value), among)
                    if op == ":"
                    else snapshot.names.exactly(fold(value))
                )
            case "number":
                return snapshot.valued(place.key, str(number(value)))
            case "flag":
                return snapshot.valued(place.key, YES[0] if fold(value) in YES else NO[0])
            case "text" if place.key == "text":
                cards = snapshot.text.containing(folded(value), among)
                return cards | self._own.containing(folded(value), among) if self._own else cards
            case "word" | "words" | "text" if op == ":":
                return (
                    snapshot.terms[place.key].cards_containing(folded(value))
                    if place.key in snapshot.terms
                    else BitMap()
                )
            case _:
                return snapshot.valued(place.key, folded(value))

    def _compared(self, key: str, op: str, value: str) -> BitMap:
        """The cards whose number compares so."""
        limit = number(value)
        if limit is None or key not in self._snapshot.terms:
            return BitMap()
        numbers = (which for one, which in self._snapshot.numbers(key) if HOLDS[op](one, limit))
        return self._snapshot.terms[key].cards_compared(op, limit, numbers)

    def any_of(self, by_place: Iterable[tuple[Place, BitMap]]) -> BitMap:
        """The cards of all places; of each place only those of its games."""
        bitmaps = [
            cards & self._snapshot.of_games(place.games) if place.games else cards
            for place, cards in by_place
        ]
        return bitmaps[0] if len(bitmaps) == 1 else BitMap.union(BitMap(), *bitmaps)

    # -- expressions and comparisons of fields ------------------------------------------

    def _matching(self, place: Place, pattern: str, among: BitMap | None) -> BitMap:
        if place.kind == "name":
            return self._snapshot.names.matching(pattern, among)
        if place.key == "text":
            cards = self._snapshot.text.matching(pattern, among) & self._snapshot.known("text")
            return cards | self._own.matching(pattern, among) if self._own else cards
        return (
            self._snapshot.terms[place.key].cards_matching(pattern)
            if place.key in self._snapshot.terms
            else BitMap()
        )

    def _versus(self, versus: Versus) -> BitMap:
        """The cards on which one number compares so with another."""
        left, right = self._field(versus.left), self._field(versus.right)
        pairs = [
            (one, other)
            for one in left.places
            for other in right.places
            if one.kind == other.kind == "number"
        ]
        return BitMap.union(BitMap(), *(self._place_versus(one, versus.op, other) for one, other in pairs))

    def _place_versus(self, one: Place, op: str, other: Place) -> BitMap:
        """The cards whose number in one place compares so with their number in the other."""
        snapshot, cards = self._snapshot, BitMap()
        others = [
            (value, snapshot.terms[other.key].cards(which)) for value, which in snapshot.numbers(other.key)
        ]
        for value, which in snapshot.numbers(one.key):
            comparing = BitMap.union(
                BitMap(), *(cards_of_other for against, cards_of_other in others if HOLDS[op](value, against))
            )
            cards |= snapshot.terms[one.key].cards(which) & comparing
        return self.any_of([(one, self.any_of([(other, cards)]))])

    def _cost(self, tree: Tree) -> int:
        """An estimate of what a part costs to evaluate."""
        match tree:
            case And(parts) | Or(parts) | AtLeast(_, parts):
                return sum(map(self._cost, parts))
            case Not(part):
                return self._cost(part) + 1
            case Exact():
                return READY
            case Word(value):
                return PHRASE if " " in value else JOINED
            case Term(key, op, value):
                is_text = op == ":" and self._field(key).kind in ("name", "text")
                return PHRASE if is_text and " " in value else JOINED if op in (":", *COMPARISONS) else READY
            case Regex():
                return PATTERN
            case Versus():
                return PHRASE
        assert_never(tree)


def _but_facts(like: AtLeast) -> tuple[Tree, ...]:
    """What a ``similar:`` asks of cards besides facts: their game, their type, another name."""
    every = like.parts[0]
    return (
        tuple(part for part in every.parts if not isinstance(part, AtLeast)) if isinstance(every, And) else ()
    )
