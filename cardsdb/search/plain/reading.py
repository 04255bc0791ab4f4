"""What the pieces of a question mean together.

The last type of card is what is asked for; behind a verb of the effects stands what it is done to, which is
looked for in what cards do. A size, a fact or a value counts as the type of card that is asked for has it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby, pairwise

from cardsdb.games.kit import fold
from cardsdb.search.plain.english import WORDS, Bounds
from cardsdb.search.plain.patterns import Piece
from cardsdb.search.plain.vocabulary import Sense, SenseKind, Vocabulary, forms
from cardsdb.search.query.standard import Field
from cardsdb.search.query.tree import Or, SortKey, Term, Tree, Word, all_of, any_of, leaves, none_of

# The senses of a phrase that is neither a verb nor the type that is asked for, those that count first; and
# those that hold also behind a verb.
_ORDER_OF_SENSES: tuple[tuple[SenseKind, ...], ...] = (
    ("value", "flag", "set"),
    ("moment",),
    ("name",),
    ("part",),
    ("type",),
    ("game",),
    ("verb",),
    ("target",),
)
_SOUGHT: tuple[SenseKind, ...] = ("game", "set", "flag", "name")
# Fields that a size is of which names none, the likeliest first; what the fact is called that says how much a
# card gives of something, and the verbs of giving.
UNSAID = (("worth",), ("cost",), ("points",), ("price",), ("level",), ("power",), ("value",))
BONUS, GIVING = "bonus", ("give", "gain")
# "More than one card" is said of two cards, three or four.
MAX_MORE = 3
# What praise is worth less where no number measures it.
UNMEASURED = 0.35
# What a number behind a verb is worth.
COUNTED = 0.9
# How much less a reading is worth for each thing asked that is left out of it.
LEFT_OUT = 0.15


@dataclass(frozen=True, slots=True)
class Reading:
    """What the words mean: conditions, what to sort by, and how much of the words is understood, from 0 to 1.

    ``optional``: what a verb is done to, which may be one word too many. ``first``: what comes first among
    the cards found. ``unknown``: the words that say nothing here.
    """

    parts: tuple[Tree, ...] = ()
    order: tuple[SortKey, ...] = ()
    optional: tuple[Tree, ...] = ()
    weak: tuple[Tree, ...] = ()
    first: tuple[Tree, ...] = ()
    score: float = 0.0
    unknown: tuple[str, ...] = ()
    count: int = 0
    # Types among what a verb is done to, which may be what is asked for.
    types: tuple[tuple[Tree, Tree], ...] = ()
    is_playing: bool = False
    # What the words mean as words that cards have, the likeliest first.
    also: tuple[Tree, ...] = ()

    @property
    def tree(self) -> Tree | None:
        return all_of(self.parts)

    def relaxed(self) -> Iterator[Reading]:
        """The same with less that a verb is done to, the likeliest first; each costs some of its score."""
        for part in self.optional if len(self.optional) > 1 else ():
            yield self.without(part)
        for mentioned, of_type in self.types:
            yield replace(self, parts=tuple(of_type if one == mentioned else one for one in self.parts))
        if self.optional:
            yield self.without(*self.optional)
        if self.weak:
            yield self.without(*self.weak)
            yield self.without(*self.weak, *self.optional)

    def halved(self) -> Iterator[Reading]:
        """The same with any one thing less, the last first."""
        asked = [part for part in self.parts if not (isinstance(part, Term) and part.key in ("game", "type"))]
        for part in reversed(asked) if len(asked) > 1 else ():
            yield self.without(part)

    def without(self, *parts: Tree) -> Reading:
        """The same with some parts less."""
        left = tuple(one for one in self.parts if one not in parts)
        return replace(self, parts=left, score=self.score - LEFT_OUT * len(parts) / max(1, self.count))


def read(
    pieces: Sequence[Piece], vocabulary: Vocabulary, with_verb: bool = True, is_wide: bool = False
) -> Reading:
    """Return what some pieces mean together; alternatives that each name a type are read one by one.

    ``with_verb``: as a question of what cards do; ``is_wide``: each value is what cards have in any way.
    """
    rows = [list(row) for is_or, row in groupby(pieces, lambda piece: piece.mark == "or") if not is_or]
    if len(rows) > 1 and all(_is_whole(row) for row in rows):
        readings = [_Row(row, vocabulary, with_verb, is_wide).reading() for row in rows]
        either = any_of(one.tree for one in readings)
        count = sum(one.count for one in readings)
        score = sum(one.score * one.count for one in readings) / max(1, count)
        unknown = tuple(word for one in readings for word in one.unknown)
        return Reading((either,) if either else (), readings[0].order, (), (), (), score, unknown, count)
    return _Row(list(pieces), vocabulary, with_verb, is_wide).reading()


def _is_whole(row: Sequence[Piece]) -> bool:
    """Say if an alternative stands by itself: a type of card with something that is asked of it."""
    said = [piece for piece in row if piece.words and piece.kind != "mark"]
    return len(said) > 1 and any(piece.of("type") for piece in said) and not said[0].of("verb")


@dataclass
class _Row:
    """Some pieces, all of which hold but for alternatives beside an "or"."""

    pieces: list[Piece]
    vocabulary: Vocabulary
    with_verb: bool = True
    is_wide: bool = False
    head: tuple[str, ...] = ()
    order: list[SortKey] = field(default_factory=list)
    # What is done, and how much of it cards give.
    done: list[Tree] = field(default_factory=list)
    said: list[Piece] = field(default_factory=list)
    # Values of lists whose number stands beside them.
    listed: list[Tree] = field(default_factory=list)

    def reading(self) -> Reading:
        """Return what the pieces mean together."""
        self.said = [replace(piece) for piece in self.pieces]
        for piece, behind in pairwise(self.pieces):
            # "That give the most points" is said of a number, not of what a card does.
            if set(piece.words) & set(WORDS["give"]) and behind.kind in ("order", "size"):
                piece.kind, piece.mark, piece.senses = "mark", "give", ()
        verbs = self._verbs()
        if not self.with_verb:
            self.pieces = [piece for place, piece in enumerate(self.pieces) if place not in verbs]
            verbs = []
        behind = max(verbs, default=len(self.pieces))
        for piece in self.pieces[behind + 1 :]:
            of_number = piece.kind == "size" and not piece.said
            piece.is_object = (
                piece.kind in ("phrase", "word", "fact", "count") or of_number or piece.is_object
            )
        heads = [
            place
            for place, piece in enumerate(self.pieces)
            if piece.of("type") and not piece.is_object and place not in verbs
        ]
        # "Agents with an action": what something has is not what is asked for.
        if heads and self.pieces[heads[0]].is_for and any(one.of("value") for one in self.pieces[: heads[0]]):
            self.pieces[heads[0]].kind, self.pieces[heads[0]].mark = "mark", "for"
            heads = heads[1:]
        for at, place in enumerate(heads[1:], start=1):
            if any(piece.is_having or piece.is_for for piece in self.pieces[heads[at - 1] + 1 : place + 1]):
                heads = heads[:at]
                break
        # "Actions and skills" are both asked for.
        asked = heads[-1:]
        for place in heads[-2::-1]:
            if place != asked[-1] - 2 or self.pieces[place + 1].mark != "or":
                break
            asked.append(place)
        self.head = tuple(name for place in asked for name in self._types_of(self.pieces[place]))
        parts: list[Tree] = []
        optional, weak, first = list[Tree](), list[Tree](), list[Tree]()
        unknown, types = list[str](), list[tuple[Tree, Tree]]()
        lost, is_playing = 0.0, False
        is_or = False
        praised = next((piece for piece in self.pieces if piece.kind == "praise"), None)
        for place, piece in enumerate(self.pieces):
            if piece.mark in ("or", ","):
                is_or = piece.mark == "or" or self._are_names(place)
                continue
            is_head = place in asked
            if place in verbs:
                tree = self._verb(piece, place)
                if piece.words and piece.words[0] in WORDS["playing"]:
                    lost, is_playing = lost - COUNTED, True
            elif is_head:
                tree = any_of(piece.of("type"))
            elif piece.is_object and not self._is_condition(piece):
                tree = self._object(piece, first)
                if tree is None:
                    continue
                optional.append(tree)
                if piece.of("type") and not heads and not piece.is_thing:
                    types.append((tree, any_of(piece.of("type")) or tree))
            elif heads and place > heads[-1] and piece.of("type") and not self._used(piece):
                continue
            else:
                tree = self._condition(piece, praised)
            if piece.kind == "count" and tree:
                lost -= COUNTED
            if tree is None:
                if piece.kind in ("unknown", "count", "size", "fact", "order") and piece.mark != "sort":
                    unknown += piece.words
                    lost += piece.value
                continue
            if piece.is_negated:
                tree = none_of(tree)
            if piece.kind == "word" or piece.mended or (piece.kind == "size" and not self._field(piece.said)):
                weak.append(tree)
            if is_or and parts and self.pieces[place - 2 : place - 1] and self.pieces[place - 2].words:
                tree = any_of([parts.pop(), tree]) or tree
            parts.append(tree)
            is_or = False
        parts += self.listed
        # Lines that have the words side by side come first.
        together = [piece for piece in self.pieces[behind + 1 :] if piece.is_object and piece.words]
        if len(together) > 1:
            said = " ".join(word for piece in together for word in piece.words)
            first.insert(0, Term("text", ":", said))
        if praised and not self.order:
            lost += UNMEASURED
        count = sum(piece.count for piece in self.pieces)
        value = sum(piece.value for piece in self.pieces) - lost
        return Reading(
            tuple(dict.fromkeys(parts)),
            tuple(dict.fromkeys(self.order)),
            tuple(optional),
            tuple(weak),
            tuple(first),
            value / count if count else 1.0,
            tuple(unknown),
            count,
            tuple(types),
            is_playing,
            tuple(self._also(asked)) if verbs and count > 1 else (),
        )

    def _also(self, heads: Sequence[int]) -> Iterator[Tree]:
        """Return the words as cards may have them, with and without the type that is asked for."""
        of_piece = {
            place: _worded(piece) for place, piece in enumerate(self.said) if piece.senses or piece.tree
        }
        for left_out in ((), tuple(heads)):
            if tree := all_of(one for place, one in of_piece.items() if place not in left_out):
                yield tree

    def _are_names(self, place: int) -> bool:
        """Say if a comma stands between names of cards."""
        around = self.pieces[place - 1 : place + 2 : 2] if place else ()
        return len(around) == 2 and all(piece.of("name") for piece in around)

    # -- verbs -------------------------------------------------------------------------

    def _verbs(self) -> list[int]:
        """The places of what is done: the first verb, and those that "or" or "and" join to it."""
        verbs = [place for place in range(len(self.pieces)) if self._is_verb(place)]
        likely = [p for p in verbs if not set(self.pieces[p].words) & set(WORDS["playing"])] or verbs
        for place in set(verbs) - set(likely):
            self.pieces[place].kind, self.pieces[place].mark, self.pieces[place].senses = "mark", "play", ()
        if not likely:
            return []
        # "Damage prevention": what is done stands behind what it is done to.
        first = next((place for place in likely if self.pieces[place].words[-1].endswith("ion")), likely[0])
        for piece in self.pieces[:first] if first != likely[0] else ():
            piece.is_object = piece.kind == "phrase" and bool(piece.of("target"))
        # "Take control": what is done stands last of verbs side by side.
        while first + 1 in likely and self._does_alone(self.pieces[first + 1]):
            self.pieces[first].kind, self.pieces[first].mark, self.pieces[first].senses = "mark", "do", ()
            first += 1
        found = [first]
        while (last := found[-1] + 2) in likely and self.pieces[last - 1].mark == "or":
            found.append(last)
        return found

    @staticmethod
    def _does_alone(piece: Piece) -> bool:
        """Say if a word is a verb and no thing: "control", not "wounds" or "exposed"."""
        return not piece.of("type", "value", "flag", "target") and not piece.words[-1].endswith("ed")

    def _is_verb(self, place: int) -> bool:
        """Say if a word with a verb's meaning is meant as one: behind "that", before what it is done to, or
        "heals".
        """
        piece = self.pieces[place]
        behind = self.pieces[place + 1 :]
        if piece.kind == "mark" and piece.mark in WORDS["give"]:
            return (
                bool(behind)
                and behind[0].kind not in ("order", "size")
                and not any(self._is_verb(before) for before in range(place))
            )
        if not piece.of("verb") or piece.of("type") or piece.is_object:
            return False
        if piece.is_thing and any(before.of("verb") for before in self.pieces[:place]):
            return False
        if piece.is_noun and not piece.is_related and piece.of("value", "flag", "set"):
            return False
        is_first = all(before.kind == "condition" and not before.words for before in self.pieces[:place])
        is_asked = piece.is_related or (is_first and bool(behind))
        if piece.of("value", "flag", "set", "part"):
            return is_asked
        return True

    def _verb(self, piece: Piece, place: int) -> Tree | None:
        """What is done; giving some of a number is also what says so in a fact."""
        trees = piece.of("verb")
        words = self.vocabulary.game.effect_words
        if words and len(piece.words) == 1 and piece.words[0] in WORDS["give"]:
            trees += [Term("does", "=", verb) for verb in GIVING if verb in words.verbs]
        done = any_of(dict.fromkeys(trees))
        gives = not words or any(isinstance(leaf, Term) and leaf.value in GIVING for leaf in leaves(done))
        bonuses = [
            Term("has", ":", field.word)
            for other in self.pieces[place + 1 :]
            if gives and (field := self._bonus(other.said or other.words))
        ]
        if bonuses and done:
            self.done.append(done)
            given = [self._object(other, []) for other in self.pieces[place + 1 :] if other.is_object]
            for other in self.pieces[place + 1 :]:
                if other.is_object:
                    other.kind, other.mark, other.senses, other.said = "mark", "given", (), ()
            done = any_of([*bonuses, all_of([done, *given])])
        if done:
            self.done.append(done)
        return done

    def _bonus(self, said: tuple[str, ...]) -> Field | None:
        """The number that says how much a card gives of another."""
        of = self.vocabulary.field(said)
        return self.vocabulary.field((of.word if of else " ".join(said), BONUS))

    # -- what a verb is done to -----------------------------------------------------------

    def _is_condition(self, piece: Piece) -> bool:
        """Say if a piece holds of the card itself though it stands behind a verb; a flag is none that effects
        call so.
        """
        if piece.kind not in ("phrase", "word", "fact", "count", "mark", "size"):
            return True
        kinds = (kind for kind in _SOUGHT if kind not in ("flag", "name") or not piece.of("target"))
        return bool(piece.of(*kinds)) and not piece.of("verb", "type")

    def _object(self, piece: Piece, first: list[Tree]) -> Tree | None:
        """Return what something is done to, as texts mention it; None for what the verb says anyway."""
        if piece.kind == "mark":
            return None
        if piece.kind in ("count", "size"):
            least = sum(int(number) + (op == ">") for op, number in piece.bounds[:1])
            more = range(least, least + MAX_MORE if piece.bounds[0][0] in (">", ">=") else least + 1)
            numbers = [str(number) for number in more]
            verbs = [leaf.value for tree in self.done for leaf in leaves(tree) if isinstance(leaf, Term)]
            return any_of(Term("text", ":", f"{verb} {number}") for verb in verbs for number in numbers)
        if self.done and set(piece.words) <= set(WORDS["player"]):
            return None
        mentioned = _mentioned(piece, self.vocabulary)
        if not self.done and piece.is_object and (of_type := piece.of("type")):
            # "When an agent is wounded" is said of the agent itself, too.
            mentioned = any_of([mentioned, *of_type])
        targets = [leaf for tree in piece.of("target") for leaf in leaves(tree) if isinstance(leaf, Term)]
        exactly = any_of(replace(leaf, op="=") for leaf in targets)
        # "Enemy action" is an action, too.
        last = any_of(replace(leaf, value=leaf.value.split()[-1]) for leaf in targets)
        first += [tree for tree in (exactly, any_of(targets), mentioned, last) if tree]
        if mentioned and self.done and self.vocabulary.implied(self.done[0], piece.words):
            return None
        return mentioned

    # -- conditions -------------------------------------------------------------------------

    def _condition(self, piece: Piece, praised: Piece | None) -> Tree | None:
        """What a piece that stands for itself asks of cards."""
        match piece.kind:
            case "condition" if piece.said and piece.tree and not self._fits(piece.tree):
                sized = self._sized(piece.said, piece.bounds) if piece.bounds else None
                return sized or self._known(piece, praised)
            case "condition" | "word":
                return piece.tree
            case "size":
                return self._sized(piece.said, piece.bounds)
            case "order":
                return self._sorted(piece.said, piece.most, piece.mark)
            case "fact":
                return self._known(piece, praised)
            case "phrase":
                return self._phrase(piece, praised)
        return None

    def _has(self, key: str) -> bool:
        """Say if the type that is asked for has a fact."""
        fact = self.vocabulary.game.facts_by_key.get(key)
        return not self.head or fact is None or any(map(fact.applies_to, self.head))

    def _field(self, said: tuple[str, ...]) -> Field | None:
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
        for fact in self.vocabulary.game.facts:
            if fact.kind in ("word", "words") and fact.types and set(self.head) & set(fact.types):
                known = self.vocabulary.fields.get(fact.key)
                value = self.vocabulary.value
                if known and (term := value(known, said) or value(known, self._title(said))):
                    begin = fact.key.partition("_")[0]
                    numbers = [
                        self.vocabulary.fields.get(one.key)
                        for one in self.vocabulary.game.facts
                        if one.kind == "number" and one.key.partition("_")[0] == begin and self._has(one.key)
                    ]
                    is_said = self.vocabulary.value(known, said) is not None
                    found.append(((not numbers, not is_said), (term, next(iter(numbers), None))))
        return min(found, key=lambda one: one[0])[1] if found else (None, None)

    def _title(self, said: tuple[str, ...]) -> tuple[str, ...]:
        """The whole name of the number that some words mean: "criminal" is "criminal investigation"."""
        found = self.vocabulary.field(said)
        return tuple(found.word.split("_")) if found else said

    def _sized(self, said: tuple[str, ...], bounds: Bounds) -> Tree | None:
        of = self._field(said)
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
        of = self.vocabulary.fields.get(" ".join(said)) if mark == "sort" else self._field(said)
        if of is None:
            return self._listed(said)[0]
        praised = [piece.most for piece in self.pieces if piece.kind == "praise"] if mark == "sort" else []
        self.order.append(SortKey(of.word, praised[0] if praised else most))
        return None if mark == "sort" else Term("has", ":", of.word)

    def _known(self, piece: Piece, praised: Piece | None) -> Tree | None:
        """``with medical``, ``without cover``, ``good at computer``."""
        of = self._field(piece.said)
        if of is None:
            term, _ = self._listed(piece.said)
            named = self.vocabulary.field(piece.said)
            return term or (Term("has", ":", named.word) if named and piece.kind == "fact" else _words(piece))
        if praised and not piece.is_negated:
            self.order.append(SortKey(of.word, praised.most))
            return Term("has", ":", of.word)
        if piece.is_negated:
            return Term(of.word, ">=", "1") if self.is_wide else Term("has", ":", of.word)
        if piece.is_related:
            self.order.append(SortKey(of.word, True))
        return Term(of.word, ">=", "1") if piece.is_having or piece.is_related else Term("has", ":", of.word)

    def _phrase(self, piece: Piece, praised: Piece | None) -> Tree | None:
        of, named = self._field(piece.words), self.vocabulary.field(piece.words)
        is_asked = piece.is_having or piece.is_negated or piece.is_related or praised
        if is_asked and named and named.kind == "number" and (of or self._listed(piece.words)[0]):
            return self._known(replace(piece, said=piece.words), praised)
        trees = [sense.tree for sense in self._used(piece)]
        if trees:
            return any_of(dict.fromkeys(part for tree in trees for part in _alternatives(tree)))
        if of:
            return self._known(replace(piece, said=piece.words), praised)
        return _mentioned(piece, self.vocabulary)

    def _used(self, piece: Piece) -> list[Sense]:
        """The senses of a phrase that count here: of values those that the type has that is asked for."""
        for kinds in _ORDER_OF_SENSES:
            if kinds == ("target",):
                break
            used = [sense for sense in piece.senses if sense.kind in kinds and self._fits(sense.tree)]
            if kinds == ("type",) and self.head:
                continue
            if used:
                is_alone = sum(bool(one.words) for one in self.pieces) == 1
                if not piece.is_noun:
                    used = self._declared_first(used)
                if (piece.is_noun or is_alone) and "value" in kinds:
                    used += [sense for sense in piece.senses if sense.kind == "verb"]
                return used
        return []

    def _declared_first(self, used: list[Sense]) -> list[Sense]:
        """Without a type that is asked for "wheelmen" are wheelmen, not what is restricted to them: what cards
        are is declared first. A rarity is another thing.
        """
        values = [sense for sense in used if sense.kind == "value" and not _is_rarity(sense)]
        return used if self.head or self.is_wide else [sense for sense in used if sense not in values[1:]]

    def _fits(self, tree: Tree) -> bool:
        keys = {leaf.key for leaf in leaves(tree) if isinstance(leaf, Term)}
        return all(self._has(key) for key in keys)

    @staticmethod
    def _types_of(piece: Piece) -> tuple[str, ...]:
        return tuple(str(leaf.value) for tree in piece.of("type") for leaf in leaves(tree))


def _is_rarity(sense: Sense) -> bool:
    return isinstance(sense.tree, Term) and sense.tree.key == "rarity"


def _alternatives(tree: Tree) -> Sequence[Tree]:
    return tree.parts if isinstance(tree, Or) else (tree,)


def _words(piece: Piece) -> Tree | None:
    return all_of(Word(word, in_quotes=True) for word in piece.words)


def _mentioned(piece: Piece, vocabulary: Vocabulary) -> Tree | None:
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


def _worded(piece: Piece) -> Tree | None:
    """Return a piece as words that some text, name or fact of a card has."""
    if not piece.words or piece.kind in ("condition", "size"):
        return piece.tree
    if set(piece.words) <= set(WORDS["playing"]):
        return None
    words = piece.mended or " ".join(piece.words)
    called = [
        leaf.value for tree in piece.of("verb", "target") for leaf in leaves(tree) if isinstance(leaf, Term)
    ]
    shortest = min(forms(words), key=len)
    return any_of(Word(one, in_quotes=True) for one in dict.fromkeys((shortest, *map(fold, called))))
