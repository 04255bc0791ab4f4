"""Turn pieces about facts of cards (sizes, orders, values, flags) into conditions.

The same words can mean different facts of different card types: "level" of sites is a fact of sites, and
"combat" of gear is its bonus. So a ``Facts`` is made for the types that the question asks for.

``reading`` makes one for each row of pieces. It calls ``share_size`` once and ``condition`` for each piece,
in the order of the words, and then takes what these calls added to ``order``, ``listed`` and ``first``.

Tests: ``tests/cardsdb/search/plain/test_reading.py``, and the tables of ``tests/cardsdb/search/test_ask.py``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from cardsdb.games.kit import Fact, fold
from cardsdb.search.plain.forms import forms
from cardsdb.search.plain.pieces import Piece
from cardsdb.search.plain.vocabulary import Sense, SenseKind, Vocabulary
from cardsdb.search.query.english import WORDS, Bounds
from cardsdb.search.query.standard import Field
from cardsdb.search.query.tree import Or, SortKey, Term, Tree, Word, all_of, any_of, leaves

# Senses of a phrase that is neither a verb nor the asked type. The first group with a fitting sense is used.
_ORDER_OF_SENSES: tuple[tuple[SenseKind, ...], ...] = (
    ("value", "flag", "set"),
    ("moment",),
    ("name",),
    ("part",),
    ("type",),
    ("game",),
    ("verb",),
)
# Fields that a size without a field may mean, the likeliest first.
UNSAID = (("worth",), ("cost",), ("points",), ("price",), ("level",), ("power",), ("value",))
# The last word of facts that say how much a card adds to another number: "combat bonus".
BONUS = "bonus"


class Listed(NamedTuple):
    """A value that only the asked types can have, and the number beside it; each is None if there is none.
    "Medical" of X-Files' sites, which need a skill at some level, is (``site_skills=Medical``, site_level).
    """

    term: Tree | None = None
    number: Field | None = None


@dataclass
class Facts:
    """Reads pieces as facts of the asked card types.

    question                            conditions   added to
    highest craft                       craft>=1     order: craft, highest first
    level 4 medical sites (of X-Files)  site_level=4 listed: site_skills=Medical
    """

    vocabulary: Vocabulary
    # Slugs of the types that the question asks for; empty if it names none.
    types: tuple[str, ...]
    # True if a word means all fields with such a value, not only the first declared.
    is_wide: bool
    # True if the question is a single piece.
    is_lone: bool
    # True if praise such as "best" asks for the most, False for the least, None without praise.
    praise: bool | None = None
    # The rest is empty at first, and filled by ``condition``. Sort keys:
    order: list[SortKey] = field(default_factory=list)
    # Conditions for the values (``Listed``) whose number was asked for.
    listed: list[Tree] = field(default_factory=list)
    # Conditions for the cards that come first.
    first: list[Tree] = field(default_factory=list)

    def condition(self, piece: Piece) -> Tree | None:
        """Return the condition that a piece states by itself; None if it states none."""
        match piece.kind:
            case "condition" if piece.field_words and piece.tree and not self._fits(piece.tree):
                # The asked types lack the fact, so its words mean another fact of theirs.
                sized = self._sized(piece.field_words, piece.bounds) if piece.bounds else None
                return sized or self._known(piece)
            case "condition" | "word":
                return piece.tree
            case "size":
                return self._sized(piece.field_words, piece.bounds)
            case "order":
                return self._sorted(piece.field_words, piece.most, piece.mark)
            case "fact":
                return self._known(piece)
            case "phrase":
                return self._phrase(piece)
        return None

    def _has(self, key: str) -> bool:
        """True if an asked type has this fact, or if no type is asked for."""
        fact = self.vocabulary.game.facts_by_key.get(key)
        return not self.types or fact is None or any(map(fact.applies_to, self.types))

    def number(self, words: tuple[str, ...]) -> Field | None:
        """Return the number field that words mean for the asked types; no words mean one of UNSAID."""
        by_slug = self.vocabulary.game.types_by_slug
        # "Level" of sites may be "site level", then "level", then "level bonus"; "combat" of gear is
        # ``combat_bonus``.
        names = [*((fold(by_slug[slug].name), *words) for slug in self.types), words]
        names += [(*words, BONUS)] if self.types else []
        if not words:
            keys = dict(self.vocabulary.game.key_cards)
            names = [*UNSAID, *((keys[slug],) for slug in self.types if slug in keys)]
        for name in names:
            found = self.vocabulary.field(name)
            if found and found.kind == "number" and any(self._has(place.key) for place in found.places):
                return found
        return None

    def _listed(self, words: tuple[str, ...]) -> Listed:
        """Find the words among the values of a fact that only asked types have. Facts with a number beside
        them are preferred, then those that have the words as typed.
        """
        named = self.vocabulary.field(words)
        by_name = tuple(named.word.split("_")) if named else words
        # Ranked by: no number is beside it, it is found only by the field's name.
        found: list[tuple[tuple[bool, bool], Listed]] = []
        for fact in self.vocabulary.game.facts:
            known = self.vocabulary.fields.get(fact.key)
            if known and fact.kind in ("word", "words") and set(self.types) & set(fact.types):
                as_typed = self.vocabulary.value(known, words)
                if term := as_typed or self.vocabulary.value(known, by_name):
                    number = self._number_beside(fact)
                    found.append(((number is None, as_typed is None), Listed(term, number)))
        _, best = min(found, key=lambda ranked: ranked[0], default=((True, True), Listed()))
        return best

    def _number_beside(self, fact: Fact) -> Field | None:
        """Return the number field beside a fact: its key begins alike, "site_level" beside "site_skills"."""

        def beginning(key: str) -> str:
            return key.partition("_")[0]

        numbers = (other.key for other in self.vocabulary.game.facts if other.kind == "number")
        beside = (key for key in numbers if beginning(key) == beginning(fact.key) and self._has(key))
        return next(filter(None, map(self.vocabulary.fields.get, beside)), None)

    def share_size(self, pieces: Sequence[Piece]) -> None:
        """Give the only size to every number field that is named behind it: in "6+ in craft and charisma" the
        piece "charisma" becomes the size ``charisma>=6`` too. In "4+ in both combat and craft" both become
        sizes, and the "4+", which has no field, is silenced.
        """
        sizes = [piece for piece in pieces if piece.kind == "size" and not piece.is_object]
        if len(sizes) != 1:
            return
        (size,) = sizes
        # The field of the size must stand last in it: in "craft 6+ and charisma" charisma has no size.
        if size.field_words and size.words[-len(size.field_words) :] != size.field_words:
            return
        numbers = [
            piece
            for piece in pieces
            if piece.kind in ("fact", "phrase")
            and not (piece.is_object or piece.after("having") or piece.of("type", "verb"))
            and self.number(piece.field_words or piece.words)
        ]
        # Without a field of its own, the size must have two others to be shared by.
        least = 1 if size.field_words else 2
        behind = pieces[pieces.index(size) :]
        if len(numbers) < least or not all(piece in behind for piece in numbers):
            return
        for piece in numbers:
            piece.kind, piece.bounds = "size", size.bounds
            piece.field_words = piece.field_words or piece.words
        if not size.field_words:
            size.silence()

    def _sized(self, words: tuple[str, ...], bounds: Bounds) -> Tree | None:
        """Return the condition of a size: ``level 1``, or ``less than 6`` without a field."""
        if not words and not self.types:
            # "Less than 6" may be a cost or a worth; a card has one of these numbers.
            fields = [self.vocabulary.field(name) for name in UNSAID]
            numbers = dict.fromkeys(field.word for field in fields if field and field.kind == "number")
            return any_of(all_of(Term(word, op, number) for op, number in bounds) for word in numbers)
        number_field = self.number(words)
        if number_field is None:
            term, number_field = self._listed(words)
            if term and number_field:
                self.listed.append(term)
        if number_field is None and words:
            number_field = self.vocabulary.field(words)
        if number_field is None:
            return None
        return all_of(Term(number_field.word, op, number) for op, number in bounds)

    def _sorted(self, words: tuple[str, ...], most: bool, mark: str) -> Tree | None:
        """Add the sort key of an order. Return the condition that it implies: "highest craft" asks for
        ``craft>=1``, "lowest craft" for ``has:craft``, and a typed order ("sorted by craft") for nothing.
        """
        fields = self.vocabulary.fields
        sort_field = fields.get(" ".join(words)) if mark == "sort" else self.number(words)
        if sort_field is None:
            return self._listed(words).term
        is_praised = mark == "sort" and self.praise is not None
        self.order.append(SortKey(sort_field.word, bool(self.praise) if is_praised else most))
        if mark == "sort":
            return None
        return _some(sort_field) if most else Term("has", ":", sort_field.word)

    def _known(self, piece: Piece) -> Tree | None:
        """Return the condition of a field alone:

        agents with craft      craft>=1
        agents without craft   craft>=1, which ``reading`` negates
        agents that fight      combat>=1, and sorts by combat
        any other              has:craft
        """
        number_field = self.number(piece.field_words)
        if number_field is None:
            term, _ = self._listed(piece.field_words)
            named = self.vocabulary.field(piece.field_words)
            return term or (Term("has", ":", named.word) if named and piece.kind == "fact" else _words(piece))
        is_some = piece.after("having", "relative", "negation")
        if not piece.after("negation") and (self.praise is not None or piece.after("relative")):
            is_some = self.praise is not False
            self.order.append(SortKey(number_field.word, is_some))
        return _some(number_field) if is_some else Term("has", ":", number_field.word)

    def _phrase(self, piece: Piece) -> Tree | None:
        """Return the condition of a phrase of the vocabulary: that of the field that it names if it is about
        a number; else its senses; else the field; else that a text mentions it.
        """
        number_field = self.number(piece.words)
        if self._is_measured(piece) and (number_field or self._listed(piece.words).term):
            return self._known(replace(piece, field_words=piece.words))
        trees = [sense.tree for sense in self.used(piece)]
        if trees and self.is_lone and not piece.is_noun:
            called = self.vocabulary.with_words(piece.words)
            if called:
                # "Armor" means cards of that keyword, and then cards with the word in their names.
                self.first += filter(None, [any_of(trees)])
                trees += called
        if trees:
            return any_of(dict.fromkeys(part for tree in trees for part in _alternatives(tree)))
        if number_field:
            return self._known(replace(piece, field_words=piece.words))
        return mentioned(piece)

    def _is_measured(self, piece: Piece) -> bool:
        """True if a phrase is about a number, as in "with medical", although it may be a value too."""
        named = self.vocabulary.field(piece.words)
        if named is None or named.kind != "number" or piece.after("concerning"):
            return False
        if not self.types and piece.of("value"):
            return False
        return self.praise is not None or piece.after("having", "negation", "relative")

    def used(self, piece: Piece) -> list[Sense]:
        """Return the senses of a phrase that count here: those of the first group of _ORDER_OF_SENSES that
        the asked types can have. "Krypt" means a faction and a restriction of gear: in "krypt gear" both.
        """
        for kinds in _ORDER_OF_SENSES:
            used = [sense for sense in piece.senses if sense.kind in kinds and self._fits(sense.tree)]
            if not used or (kinds == ("type",) and self.types):
                continue
            if not piece.is_noun:
                used = self._declared_first(used)
            # "Bid" alone, and "bid cards", may also be a deed.
            if (piece.is_noun or self.is_lone) and "value" in kinds:
                used += [sense for sense in piece.senses if sense.kind == "verb"]
            return used
        return []

    def _declared_first(self, used: list[Sense]) -> list[Sense]:
        """Without an asked type, keep only the first of several values. Games declare first what cards are,
        so "wheelmen" means wheelmen, not gear that is restricted to them. Rarities are kept as well.
        """
        values = [sense for sense in used if sense.kind == "value" and not _is_rarity(sense)]
        return used if self.types or self.is_wide else [sense for sense in used if sense not in values[1:]]

    def _fits(self, tree: Tree) -> bool:
        """True if the asked types have every fact of the tree."""
        keys = {leaf.key for leaf in leaves(tree) if isinstance(leaf, Term)}
        return all(self._has(key) for key in keys)


def _some(number_field: Field) -> Tree:
    """Return the condition that a number is 1 or more."""
    return Term(number_field.word, ">=", "1")


def _is_rarity(sense: Sense) -> bool:
    """True if a sense is a rarity."""
    return isinstance(sense.tree, Term) and sense.tree.key == "rarity"


def _alternatives(tree: Tree) -> Sequence[Tree]:
    """Return the alternatives of a tree; a tree that is no "or" is its only one."""
    return tree.parts if isinstance(tree, Or) else (tree,)


def _words(piece: Piece) -> Tree | None:
    """Return the condition that cards have the words of a piece."""
    return all_of(Word(word, in_quotes=True) for word in piece.words)


def mentioned(piece: Piece) -> Tree | None:
    """Return the condition that a card's text mentions a piece: its words in any form, or what the notation
    of effects calls it. "Agents" gives ``text:agent or target:agent``, "wounded" ``text:wound or
    does=wound``.
    """
    words = piece.mended or " ".join(piece.words)
    verbs = [tree.value for tree in piece.of("verb") if isinstance(tree, Term)]
    called = [*forms(words), *(verbs if words.endswith("ed") else ())]
    # A form that contains another one is found by that.
    shortest = [form for form in called if not any(other != form and other in form for other in called)]
    mentioned: list[Tree] = [Term("text", ":", form) for form in shortest]
    for tree in (*piece.of("target"), *piece.of("moment"), *piece.of("verb")):
        named = [leaf.value for leaf in leaves(tree) if isinstance(leaf, Term) and leaf.key == "target"]
        mentioned += [tree, *(Term("text", ":", name) for name in named)]
    return any_of(dict.fromkeys(mentioned))


def worded(piece: Piece) -> Tree | None:
    """Return the condition that the words of a piece occur anywhere on a card; None for words of playing."""
    if not piece.words or piece.kind in ("condition", "size"):
        return piece.tree
    if set(piece.words) <= set(WORDS["playing"]):
        return None
    words = piece.mended or " ".join(piece.words)
    called = (leaf.value for leaf in piece.terms("verb", "target"))
    shortest = min(forms(words), key=len)
    return any_of(Word(word, in_quotes=True) for word in dict.fromkeys((shortest, *map(fold, called))))
