"""Read what words say of the facts of cards: a number, a value, a flag counts as the type of card that is
asked for has it. The level of sites is a fact of sites; what gear adds to combat is its bonus.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from cardsdb.games.kit import fold
from cardsdb.search.plain.pieces import Piece
from cardsdb.search.plain.vocabulary import Sense, SenseKind, Vocabulary, forms
from cardsdb.search.query.english import WORDS, Bounds
from cardsdb.search.query.standard import Field
from cardsdb.search.query.tree import Or, SortKey, Term, Tree, Word, all_of, any_of, leaves

# The senses of a phrase that is neither a verb nor the type that is asked for, those that count first.
_ORDER_OF_SENSES: tuple[tuple[SenseKind, ...], ...] = (
    ("value", "flag", "set"),
    ("moment",),
    ("name",),
    ("part",),
    ("type",),
    ("game",),
    ("verb",),
)
# Fields that a size is of which names none, the likeliest first; and what the fact is called that says how
# much a card gives of something.
UNSAID = (("worth",), ("cost",), ("points",), ("price",), ("level",), ("power",), ("value",))
BONUS = "bonus"


@dataclass
class Facts:
    """Hold what pieces say of facts. ``head``: the types that are asked for; ``is_wide``: a value is what
    cards have in any way; ``is_lone``: nothing stands beside the piece.

    ``order`` is what to sort by, ``listed`` are values of lists whose number was asked for.
    """

    vocabulary: Vocabulary
    head: tuple[str, ...]
    is_wide: bool
    is_lone: bool
    # Of praise such as "best", whether it asks for the most; None without any.
    praise: bool | None = None
    order: list[SortKey] = field(default_factory=list)
    listed: list[Tree] = field(default_factory=list)
    first: list[Tree] = field(default_factory=list)

    def condition(self, piece: Piece) -> Tree | None:
        """Return what a piece that stands for itself asks of cards; None if that is nothing."""
        match piece.kind:
            case "condition" if piece.said and piece.tree and not self._fits(piece.tree):
                sized = self._sized(piece.said, piece.bounds) if piece.bounds else None
                return sized or self._known(piece)
            case "condition" | "word":
                return piece.tree
            case "size":
                return self._sized(piece.said, piece.bounds)
            case "order":
                return self._sorted(piece.said, piece.most, piece.mark)
            case "fact":
                return self._known(piece)
            case "phrase":
                return self._phrase(piece)
        return None

    def _has(self, key: str) -> bool:
        """Say if the type that is asked for has a fact."""
        fact = self.vocabulary.game.facts_by_key.get(key)
        return not self.head or fact is None or any(map(fact.applies_to, self.head))

    def number(self, said: tuple[str, ...]) -> Field | None:
        """The number that words mean of the type that is asked for: the level of sites, the bonus of gear."""
        types = self.vocabulary.game.types_by_slug
        names = [*((fold(types[head].name), *said) for head in self.head), said]
        names += [(*said, BONUS)] if self.head else []
        if not said:
            keys = dict(self.vocabulary.game.key_cards)
            names = [*UNSAID, *((keys[head],) for head in self.head if head in keys)]
        for name in names:
            found = self.vocabulary.field(name)
            if found and found.kind == "number" and any(self._has(place.key) for place in found.places):
                return found
        return None

    def _listed(self, said: tuple[str, ...]) -> tuple[Tree | None, Field | None]:
        """The term of a list that the type has the words in, and the number beside it: sites need a skill of
        a level.
        """
        found: list[tuple[tuple[bool, bool], tuple[Tree | None, Field | None]]] = []
        named = self.vocabulary.field(said)
        for fact in self.vocabulary.game.facts:
            if fact.kind in ("word", "words") and fact.types and set(self.head) & set(fact.types):
                known, value = self.vocabulary.fields.get(fact.key), self.vocabulary.value
                as_said = value(known, said) if known else None
                if known and (
                    term := as_said or value(known, tuple(named.word.split("_")) if named else said)
                ):
                    begin = fact.key.partition("_")[0]
                    numbers = [
                        self.vocabulary.fields.get(one.key)
                        for one in self.vocabulary.game.facts
                        if one.kind == "number" and one.key.partition("_")[0] == begin and self._has(one.key)
                    ]
                    found.append(((not numbers, as_said is None), (term, next(iter(numbers), None))))
        return min(found, key=lambda one: one[0])[1] if found else (None, None)

    def _sized(self, said: tuple[str, ...], bounds: Bounds) -> Tree | None:
        of = self.number(said)
        if not said and not self.head:
            # What costs less than 6, or is worth less: a card has one of these numbers.
            fields = [self.vocabulary.field(name) for name in UNSAID]
            numbers = dict.fromkeys(one.word for one in fields if one and one.kind == "number")
            return any_of(all_of(Term(word, op, number) for op, number in bounds) for word in numbers)
        if of is None:
            term, of = self._listed(said)
            if term and of:
                self.listed.append(term)
        if of is None:
            of = self.vocabulary.field(said) if said else None
        return all_of(Term(of.word, op, number) for op, number in bounds) if of else None

    def _sorted(self, said: tuple[str, ...], most: bool, mark: str) -> Tree | None:
        of = self.vocabulary.fields.get(" ".join(said)) if mark == "sort" else self.number(said)
        if of is None:
            return self._listed(said)[0]
        is_praised = mark == "sort" and self.praise is not None
        self.order.append(SortKey(of.word, bool(self.praise) if is_praised else most))
        return None if mark == "sort" else _some(of) if most else Term("has", ":", of.word)

    def _known(self, piece: Piece) -> Tree | None:
        """``with medical``, ``without cover``, ``good at computer``."""
        of = self.number(piece.said)
        if of is None:
            term, _ = self._listed(piece.said)
            named = self.vocabulary.field(piece.said)
            return term or (Term("has", ":", named.word) if named and piece.kind == "fact" else _words(piece))
        is_some = piece.after("having", "relative", "negation")
        if not piece.after("negation") and (self.praise is not None or piece.after("relative")):
            is_some = self.praise is not False
            self.order.append(SortKey(of.word, is_some))
        return _some(of) if is_some else Term("has", ":", of.word)

    def _phrase(self, piece: Piece) -> Tree | None:
        of, named = self.number(piece.words), self.vocabulary.field(piece.words)
        is_asked = piece.after("having", "negation", "relative") or self.praise is not None
        is_asked &= not piece.after("concerning")
        is_value = not self.head and bool(piece.of("value"))
        if (
            is_asked
            and not is_value
            and named
            and named.kind == "number"
            and (of or self._listed(piece.words)[0])
        ):
            return self._known(replace(piece, said=piece.words))
        trees = [sense.tree for sense in self.used(piece)]
        if (
            trees
            and self.is_lone
            and not piece.is_noun
            and (called := self.vocabulary.with_words(piece.words))
        ):
            # "Armor" are cards of that keyword, and those that are called so.
            self.first += filter(None, [any_of(trees)])
            trees += called
        if trees:
            return any_of(dict.fromkeys(part for tree in trees for part in _alternatives(tree)))
        if of:
            return self._known(replace(piece, said=piece.words))
        return mentioned(piece)

    def used(self, piece: Piece) -> list[Sense]:
        """The senses of a phrase that count here: of values those that the type has that is asked for."""
        for kinds in _ORDER_OF_SENSES:
            used = [sense for sense in piece.senses if sense.kind in kinds and self._fits(sense.tree)]
            if kinds == ("type",) and self.head:
                continue
            if used:
                if not piece.is_noun:
                    used = self._declared_first(used)
                if (piece.is_noun or self.is_lone) and "value" in kinds:
                    used += [sense for sense in piece.senses if sense.kind == "verb"]
                return used
        return []

    def _declared_first(self, used: list[Sense]) -> list[Sense]:
        """Without a type that is asked for "wheelmen" are wheelmen, not what is restricted to them: what
        cards are is declared first. A rarity is another thing.
        """
        values = [sense for sense in used if sense.kind == "value" and not _is_rarity(sense)]
        return used if self.head or self.is_wide else [sense for sense in used if sense not in values[1:]]

    def _fits(self, tree: Tree) -> bool:
        keys = {leaf.key for leaf in leaves(tree) if isinstance(leaf, Term)}
        return all(self._has(key) for key in keys)


def _some(of: Field) -> Tree:
    """The condition that a number is more than nothing."""
    return Term(of.word, ">=", "1")


def _is_rarity(sense: Sense) -> bool:
    return isinstance(sense.tree, Term) and sense.tree.key == "rarity"


def _alternatives(tree: Tree) -> Sequence[Tree]:
    return tree.parts if isinstance(tree, Or) else (tree,)


def _words(piece: Piece) -> Tree | None:
    return all_of(Word(word, in_quotes=True) for word in piece.words)


def mentioned(piece: Piece) -> Tree | None:
    """Return what texts of cards say of a piece: its words in any form, or what effects call it."""
    words = piece.mended or " ".join(piece.words)
    verbs = [tree.value for tree in piece.of("verb") if isinstance(tree, Term)]
    called = [*forms(words), *(verbs if words.endswith("ed") else ())]
    shortest = [form for form in called if not any(other != form and other in form for other in called)]
    mentioned: list[Tree] = [Term("text", ":", form) for form in shortest]
    for tree in (*piece.of("target"), *piece.of("moment"), *piece.of("verb")):
        named = [leaf.value for leaf in leaves(tree) if isinstance(leaf, Term) and leaf.key == "target"]
        mentioned += [tree, *(Term("text", ":", name) for name in named)]
    return any_of(dict.fromkeys(mentioned))


def worded(piece: Piece) -> Tree | None:
    """Return a piece as words that some text, name or fact of a card has."""
    if not piece.words or piece.kind in ("condition", "size"):
        return piece.tree
    if set(piece.words) <= set(WORDS["playing"]):
        return None
    words = piece.mended or " ".join(piece.words)
    called = (leaf.value for leaf in piece.terms("verb", "target"))
    shortest = min(forms(words), key=len)
    return any_of(Word(one, in_quotes=True) for one in dict.fromkeys((shortest, *map(fold, called))))
