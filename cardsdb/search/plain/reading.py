"""Combine the pieces of a question into a ``Reading``: conditions, sort keys, and a score.

``ask`` calls ``read`` for each game and each variant, and takes the readings with the best scores that find
cards. Three rules shape a reading of "gear that heals agents":

- The last card type that is no object is the asked type: gear.
- A verb of the game's effects becomes a condition on what cards do: heals.
- What stands behind the verb is its object, and is looked for in the texts of cards: agents.

Sizes, facts and values are read for the asked type (see ``facts``). ``read`` changes its pieces: pass copies.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby, pairwise

from cardsdb.search.plain.facts import BONUS, Facts, mentioned, worded
from cardsdb.search.plain.pieces import Piece
from cardsdb.search.plain.vocabulary import SenseKind, Vocabulary, forms, phrase_of
from cardsdb.search.query.english import WORDS
from cardsdb.search.query.standard import Field
from cardsdb.search.query.tree import SortKey, Term, Tree, all_of, any_of, leaves, none_of

# Senses of a phrase that are a condition on the card itself even behind a verb.
_OF_CARD: tuple[SenseKind, ...] = ("game", "set", "flag", "name")
# Verbs of effects that words such as "gives" and "boosts" stand for.
GIVING = ("give", "gain")
# "More than one card" is looked for in texts by this many successive numbers: 2, 3 and 4 cards.
MAX_MORE = 3
# Deducted from the value of the words if praise ("best") has no number to sort by.
UNMEASURED = 0.35
# Added for a number behind a verb, and for a word of playing.
COUNTED = 0.9
# Deducted from the score for each condition that is left out, divided by the number of words.
LEFT_OUT = 0.4

# A change to try: these parts of a reading are replaced by one tree, or left out if it is None.
Change = tuple[tuple[Tree, ...], Tree | None]


@dataclass(frozen=True, slots=True)
class Reading:
    """One possible meaning of the words."""

    parts: tuple[Tree, ...] = ()  # Conditions, all of which must hold.
    order: tuple[SortKey, ...] = ()
    first: tuple[Tree, ...] = ()  # Conditions for the cards that come first among those found.
    score: float = 0.0  # The share of the words that is understood: from 0 to about 1.
    unknown: tuple[str, ...] = ()  # Words that were not understood.
    count: int = 0  # The number of words that carry meaning.
    left: tuple[Tree, ...] = ()  # Parts that a change left out.
    narrower: tuple[Change, ...] = ()  # Changes to try, the likeliest first.
    wider: tuple[Change, ...] = ()
    is_playing: bool = False  # True if the verb is one of playing ("use"), which may mean nothing.
    also: tuple[Tree, ...] = ()  # The question as words that must occur on cards.

    @property
    def tree(self) -> Tree | None:
        return all_of(self.parts)

    def changed(self, changes: Iterable[Change]) -> Iterator[Reading]:
        """Yield a copy for each change. Parts that are left out lower its score."""
        for gone, instead in changes:
            # The replacement stands where the last replaced part stood.
            kept = (instead if part == gone[-1] else part for part in self.parts if part not in gone[:-1])
            parts = tuple(part for part in kept if part is not None)
            left = () if instead else gone
            cost = LEFT_OUT * len(left) / max(1, self.count)
            yield replace(self, parts=parts, left=left, score=self.score - cost)

    def halved(self, is_lost: bool) -> Iterator[Reading]:
        """Yield copies that each leave out one part, the last part first; game and type stay. An only part is
        left out only if ``is_lost`` (the text as typed finds nothing) and a type remains.
        """
        asked = [part for part in self.parts if not (isinstance(part, Term) and part.key in ("game", "type"))]
        has_type = is_lost and any(isinstance(part, Term) and part.key == "type" for part in self.parts)
        if len(asked) > 1 or has_type:
            yield from self.changed(((part,), None) for part in reversed(asked))


def read(
    pieces: Sequence[Piece], vocabulary: Vocabulary, with_verb: bool = True, is_wide: bool = False
) -> Reading:
    """Return what some pieces mean together. Alternatives that each name a type are read one by one: "agents
    that heal or gear that wounds".

    ``with_verb``: read verbs as what cards do; otherwise they are dropped. ``is_wide``: see ``Facts``.
    """
    rows = [list(row) for is_or, row in groupby(pieces, lambda piece: piece.mark == "or") if not is_or]
    if len(rows) > 1 and all(_is_whole(row) for row in rows):
        readings = [_Row(row, vocabulary, with_verb, is_wide).reading() for row in rows]
        either = any_of(reading.tree for reading in readings)
        count = sum(reading.count for reading in readings)
        score = sum(reading.score * reading.count for reading in readings) / max(1, count)
        unknown = tuple(word for reading in readings for word in reading.unknown)
        return Reading((either,) if either else (), readings[0].order, (), score, unknown, count)
    return _Row(list(pieces), vocabulary, with_verb, is_wide).reading()


def _is_whole(row: Sequence[Piece]) -> bool:
    """True if an alternative can be read by itself: it has a card type and something else."""
    pieces = [piece for piece in row if piece.words and piece.kind != "mark"]
    return len(pieces) > 1 and any(piece.of("type") for piece in pieces) and not pieces[0].of("verb")


@dataclass
class _Row:
    """Reads one row of pieces, step by step. ``reading`` is the only method to call, and only once."""

    pieces: list[Piece]
    vocabulary: Vocabulary
    with_verb: bool
    is_wide: bool
    cut: list[Piece] = field(default_factory=list)  # Copies of the pieces as they were cut.
    done: list[Tree] = field(default_factory=list)  # Conditions of the verbs.
    parts: list[Tree] = field(default_factory=list)  # Conditions of all pieces,
    objects: list[Tree] = field(default_factory=list)  # and among them those of objects of verbs,
    uncertain: list[Tree] = field(default_factory=list)  # and those that may be wrong.
    first: list[Tree] = field(default_factory=list)  # This and the next two are as in ``Reading``.
    unknown: list[str] = field(default_factory=list)
    narrower: list[Change] = field(default_factory=list)
    lost: float = 0.0  # Deducted from the total value of the pieces.

    def reading(self) -> Reading:
        """Return what the pieces mean together."""
        self.cut = [replace(piece) for piece in self.pieces]
        # First the roles of pieces: verbs, objects, asked types ("heads"); then the condition of each piece.
        verbs = self._roles()
        heads = self._heads(verbs)
        types = (leaf.value for at in heads for leaf in self.pieces[at].terms("type"))
        praise = next((piece.most for piece in self.pieces if piece.kind == "praise"), None)
        is_lone = sum(bool(piece.words) for piece in self.pieces) == 1
        facts = Facts(self.vocabulary, tuple(types), self.is_wide, is_lone, praise)
        self._share_size(facts)
        is_or = False
        for place, piece in enumerate(self.pieces):
            if piece.mark in ("or", ","):
                is_or = piece.mark == "or"
            elif tree := self._meaning(place, verbs, heads, facts):
                # The piece before the "or" must have words for both to be alternatives.
                self._add(piece, tree, facts, is_or and bool(self.pieces[place - 2].words))
                is_or = False
            elif not piece.is_object:
                self._miss(piece)
        self.lost += UNMEASURED * (praise is not None and not facts.order)
        count = sum(piece.count for piece in self.pieces)
        value = sum(piece.value for piece in self.pieces) - self.lost
        return Reading(
            tuple(dict.fromkeys((*self.parts, *facts.listed))),
            tuple(dict.fromkeys(facts.order)),
            (*self.first, *facts.first),
            value / count if count else 1.0,
            tuple(self.unknown),
            count,
            narrower=tuple(self.narrower),
            wider=tuple(self._wider()),
            is_playing=any(self.pieces[place].words[0] in WORDS["playing"] for place in verbs),
            also=tuple(self._also(heads)) if verbs and count > 1 else (),
        )

    def _roles(self) -> list[int]:
        """Return the places of the verbs, and mark the pieces behind them as their objects."""
        for piece, following in pairwise(self.pieces):
            # "That give the most points" is about a number of the card, not about what it does.
            if piece.words and set(piece.words) <= set(WORDS["give"]) and following.kind in ("order", "size"):
                piece.silence()
        verbs = self._verbs()
        if not self.with_verb:
            self.pieces = [piece for place, piece in enumerate(self.pieces) if place not in verbs]
            verbs = []
        for piece in self.pieces[max(verbs, default=len(self.pieces)) + 1 :]:
            if piece.kind == "condition" and piece.bounds and piece.field_words:
                # "Get 5 RP" is what a card does, not what it costs.
                piece.tree = Term("text", ":", f"{piece.bounds[0][1]} {' '.join(piece.field_words)}")
            is_thing = piece.kind in ("phrase", "word", "fact", "count")
            piece.is_object |= is_thing or (piece.kind == "size" and not piece.field_words)
        return verbs

    def _meaning(self, place: int, verbs: Sequence[int], heads: Sequence[int], facts: Facts) -> Tree | None:
        """Return the condition of the piece at a place; None if it has none."""
        piece = self.pieces[place]
        if place in verbs:
            # A piece of playing has hardly any value of its own; as a verb it is understood.
            self.lost -= COUNTED * (piece.words[0] in WORDS["playing"])
            return self._verb(piece, place)
        of_type = any_of(piece.of("type"))
        if place in heads:
            return of_type
        if not piece.is_object or _is_condition(piece):
            # A type behind the asked one, as "action" in "agents with an action", is no condition by itself.
            is_other_type = heads and place > heads[0] and of_type and not facts.used(piece)
            return None if is_other_type else facts.condition(piece)
        if tree := self._object(piece):
            before = self.pieces[place - 1]
            is_named = before.after("article") or piece.words[-1].endswith("s")
            if piece.is_beside and self.objects and before.is_object and is_named:
                # Two objects side by side may be one phrase: "enemy agents".
                words = " ".join((*before.words, *piece.words))
                phrase = Term("text", ":", min(forms(words), key=len))
                self.narrower.append(((self.objects[-1], tree), phrase))
            self.objects.append(tree)
        return tree

    def _add(self, piece: Piece, tree: Tree, facts: Facts, is_or: bool) -> None:
        """Add the condition of a piece; if ``is_or``, as an alternative to the one before it."""
        # A count has no value of its own; with a condition it is understood.
        self.lost -= COUNTED * (piece.kind == "count")
        if piece.after("negation"):
            tree = none_of(tree)
        is_listed_size = piece.kind == "size" and not facts.number(piece.field_words)
        if piece.kind == "word" or piece.mended or is_listed_size:
            self.uncertain.append(tree)
        if is_or and self.parts:
            tree = any_of(dict.fromkeys((self.parts.pop(), tree))) or tree
        self.parts.append(tree)

    def _miss(self, piece: Piece) -> None:
        """Count a piece without a condition as not understood."""
        if piece.kind in ("unknown", "count", "size", "fact", "order") and piece.mark != "sort":
            self.unknown += piece.words
            self.lost += piece.value

    def _wider(self) -> Iterator[Change]:
        """Yield changes that leave out objects of the verb, uncertain conditions, or both."""
        objects, uncertain = tuple(self.objects), tuple(self.uncertain)
        yield from (((part,), None) for part in objects if len(objects) > 1)
        if objects:
            yield objects, None
        if uncertain:
            yield uncertain, None
            yield (*uncertain, *objects), None

    def _also(self, heads: Sequence[int]) -> Iterator[Tree]:
        """Yield the question as words that must occur on cards, with and without the asked type."""
        trees = {place: worded(piece) for place, piece in enumerate(self.cut) if piece.senses or piece.tree}
        for left_out in ((), heads):
            if whole := all_of(tree for place, tree in trees.items() if place not in left_out):
                yield whole

    def _share_size(self, facts: Facts) -> None:
        """Give the only size to every number field that is named behind it: "6+ in craft and charisma"."""
        sizes = [piece for piece in self.pieces if piece.kind == "size" and not piece.is_object]
        numbers = [
            piece
            for piece in self.pieces
            if piece.kind in ("fact", "phrase")
            and not (piece.is_object or piece.after("having") or piece.of("type", "verb"))
            and facts.number(piece.field_words or piece.words)
        ]
        if len(sizes) != 1:
            return
        (size,) = sizes
        # The size must stand before its field: in "craft 6+ and charisma" charisma has no size.
        if size.field_words != size.words[len(size.words) - len(size.field_words) :]:
            return
        behind = self.pieces[self.pieces.index(size) :]
        if len(numbers) + bool(size.field_words) > 1 and all(piece in behind for piece in numbers):
            for piece in numbers:
                piece.kind, piece.bounds = "size", size.bounds
                piece.field_words = piece.field_words or piece.words
            if not size.field_words:
                size.silence()

    def _heads(self, verbs: Sequence[int]) -> list[int]:
        """Return the places of the asked types: the last type that is no object and that nothing is made for
        or has, with those that "and" or "or" joins to it.
        """
        heads = [
            place
            for place, piece in enumerate(self.pieces)
            if piece.of("type") and not (piece.is_object or piece.after("concerning")) and place not in verbs
        ]
        has_purpose = bool(heads) and self.pieces[heads[0]].after("purpose")
        if has_purpose and any(piece.of("value") for piece in self.pieces[: heads[0]]):
            # "Armor for agents": the first type is only what the value is for.
            self.pieces[heads.pop(0)].silence()
        for at, (before, place) in enumerate(pairwise(heads), start=1):
            # In "agents with an action" agents are asked for.
            if any(piece.after("having", "purpose") for piece in self.pieces[before + 1 : place + 1]):
                heads = heads[:at]
                break
        asked = heads[-1:]
        for place in heads[-2::-1]:
            if place != asked[-1] - 2 or self.pieces[place + 1].mark != "or":
                break
            asked.append(place)
        return asked

    # -- verbs -------------------------------------------------------------------------

    def _verbs(self) -> list[int]:
        """Return the places of the first verb and of those that "or" or "and" join to it."""
        verbs = [place for place in range(len(self.pieces)) if self._is_verb(place)]
        # Words of playing, such as "use", mean nothing beside another verb.
        likely = [p for p in verbs if not set(self.pieces[p].words) & set(WORDS["playing"])] or verbs
        for place in set(verbs) - set(likely):
            self.pieces[place].silence()
        if not likely:
            return []
        first = likely[0]
        # The last of adjacent verbs counts, as in "take control".
        while first + 1 in likely and self._does_alone(self.pieces[first + 1]):
            self.pieces[first].silence()
            first += 1
        found = [first]
        while (last := found[-1] + 2) in likely and self.pieces[last - 1].mark == "or":
            found.append(last)
        return found

    @staticmethod
    def _does_alone(piece: Piece) -> bool:
        """True if a verb cannot be a thing or a state too: "control", but not "wounds" or "exposed"."""
        return not piece.of("type", "value", "flag", "target") and not piece.words[-1].endswith("ed")

    def _is_verb(self, place: int) -> bool:
        """True for a verb: behind "that", before an object, or with no other meaning, like "heals"."""
        piece = self.pieces[place]
        behind = self.pieces[place + 1 :]
        # A word of giving is a verb if an object follows and no other verb stands before it.
        if piece.kind == "mark" and piece.mark in WORDS["give"]:
            return (
                bool(behind)
                and behind[0].kind not in ("order", "size")
                and not any(self._is_verb(before) for before in range(place))
            )
        # In "heal the wounds" the second word is an object, although it could be a verb.
        is_behind = piece.after("article") and any(before.of("verb") for before in self.pieces[:place])
        if not piece.of("verb") or piece.of("type") or piece.is_object or is_behind:
            return False
        is_first = all(before.kind == "condition" and not before.words for before in self.pieces[:place])
        is_asked = piece.after("relative") or (is_first and bool(behind))
        return is_asked or not piece.of("value", "flag", "set", "part")

    def _verb(self, piece: Piece, place: int) -> Tree | None:
        """Return the condition of a verb. "Gives combat" also finds cards with a "combat bonus"."""
        trees, behind = piece.of("verb"), self.pieces[place + 1 :]
        words = self.vocabulary.game.effect_words
        if words and len(piece.words) == 1 and piece.words[0] in WORDS["give"]:
            trees += [Term("does", "=", verb) for verb in GIVING if verb in words.verbs]
        done = any_of(dict.fromkeys(trees))
        gives = not words or any(isinstance(leaf, Term) and leaf.value in GIVING for leaf in leaves(done))
        bonuses = [
            Term("has", ":", field.word)
            for other in behind
            if gives and (field := self._bonus(other.field_words or other.words))
        ]
        if bonuses and done:
            self.done.append(done)
            objects = [other for other in behind if other.is_object]
            done = any_of([*bonuses, all_of([done, *map(self._object, objects)])])
            for other in objects:
                other.silence()
        if done:
            self.done.append(done)
        return done

    def _bonus(self, words: tuple[str, ...]) -> Field | None:
        """Return the field that says how much a card adds to the number that the words name, or None."""
        named = self.vocabulary.field(words)
        return self.vocabulary.field((named.word if named else " ".join(words), BONUS))

    # -- objects of verbs ------------------------------------------------------------------

    def _object(self, piece: Piece) -> Tree | None:
        """Return the condition that texts mention the object of a verb; None if the verb implies it."""
        if piece.kind == "mark":
            return None
        if piece.kind in ("count", "size"):
            # "Draw 2 or more" is looked for as "draw 2", "draw 3" and "draw 4".
            op, number = piece.bounds[0]
            least = int(number) + (op == ">")
            numbers = range(least, least + (MAX_MORE if op in (">", ">=") else 1))
            verbs = [leaf.value for tree in self.done for leaf in leaves(tree) if isinstance(leaf, Term)]
            return any_of(Term("text", ":", f"{verb} {number}") for verb in verbs for number in numbers)
        if self.done and set(piece.words) <= set(WORDS["player"]):
            return None
        tree = mentioned(piece)
        if not self.done and piece.is_object and (of_type := piece.of("type")):
            # "When an agent is wounded" may be about the agent that has this text.
            tree = any_of([tree, *of_type])
        targets = piece.terms("target")
        exactly = any_of(replace(leaf, op="=") for leaf in targets)
        # An "enemy action" is an action too.
        last = any_of(replace(leaf, value=leaf.value.split()[-1]) for leaf in targets)
        self.first += [preferred for preferred in (exactly, any_of(targets), tree, last) if preferred]
        called = piece.terms("target", "verb")
        words = [phrase_of(leaf.value).split()[-1] for leaf in called] or piece.words[-1:]
        if tree and self.done and self.vocabulary.implied(self.done[0], words):
            return None
        return tree


def _is_condition(piece: Piece) -> bool:
    """True if a piece behind a verb is a condition on the card itself, and not the verb's object."""
    if piece.kind not in ("phrase", "word", "fact", "count", "mark", "size"):
        return True
    kinds = (kind for kind in _OF_CARD if kind not in ("flag", "name") or not piece.of("target"))
    return bool(piece.of(*kinds)) and not piece.of("verb", "type")
