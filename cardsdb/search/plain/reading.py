"""Say what the pieces of a question mean together.

The last type of card is what is asked for; behind a verb of the effects stands what it is done to, which is
looked for in what cards do. A size, a fact or a value counts as the type of card that is asked for has it.
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

# Senses of a phrase that hold also behind a verb; and the verbs of giving.
_SOUGHT: tuple[SenseKind, ...] = ("game", "set", "flag", "name")
GIVING = ("give", "gain")
# "More than one card" is said of two cards, three or four.
MAX_MORE = 3
# What praise is worth less where no number measures it.
UNMEASURED = 0.35
# What a number behind a verb is worth.
COUNTED = 0.9
# How much less a reading is worth for each thing asked that is left out of it.
LEFT_OUT = 0.4


# Some parts of a reading, and what stands in their place; nothing if they are left out.
Change = tuple[tuple[Tree, ...], Tree | None]


@dataclass(frozen=True, slots=True)
class Reading:
    """Hold what the words mean: conditions, what to sort by, and how much of the words is understood, from 0
    to 1.

    ``first``: what comes first among the cards found. ``unknown``: the words that say nothing here;
    ``count``: of how many words that say something. ``narrower`` and ``wider`` are changes to try, the
    likeliest first; ``left``: what a change left out. ``also``: what the words mean as words that cards have.
    """

    parts: tuple[Tree, ...] = ()
    order: tuple[SortKey, ...] = ()
    first: tuple[Tree, ...] = ()
    score: float = 0.0
    unknown: tuple[str, ...] = ()
    count: int = 0
    left: tuple[Tree, ...] = ()
    narrower: tuple[Change, ...] = ()
    wider: tuple[Change, ...] = ()
    is_playing: bool = False
    also: tuple[Tree, ...] = ()

    @property
    def tree(self) -> Tree | None:
        return all_of(self.parts)

    def changed(self, changes: Iterable[Change]) -> Iterator[Reading]:
        """The same with each of some changes; what it leaves out costs some of its score."""
        for gone, instead in changes:
            stays = (instead if part == gone[-1] else part for part in self.parts if part not in gone[:-1])
            parts = tuple(part for part in stays if part is not None)
            left = () if instead else gone
            cost = LEFT_OUT * len(left) / max(1, self.count)
            yield replace(self, parts=parts, left=left, score=self.score - cost)

    def halved(self, is_lost: bool) -> Iterator[Reading]:
        """The same with any one piece less, the last first. Of one beside a type none is left if
        ``is_lost``.
        """
        asked = [part for part in self.parts if not (isinstance(part, Term) and part.key in ("game", "type"))]
        has_type = is_lost and any(isinstance(part, Term) and part.key == "type" for part in self.parts)
        yield from self.changed(
            ((part,), None) for part in (reversed(asked) if len(asked) > 1 or has_type else ())
        )


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
        return Reading((either,) if either else (), readings[0].order, (), score, unknown, count)
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
    with_verb: bool
    is_wide: bool
    # The pieces as they were cut; and what is done, and how much of it cards give.
    said: list[Piece] = field(default_factory=list)
    done: list[Tree] = field(default_factory=list)
    # What all pieces mean; among it what something is done to, and what is not sure.
    parts: list[Tree] = field(default_factory=list)
    objects: list[Tree] = field(default_factory=list)
    weak: list[Tree] = field(default_factory=list)
    first: list[Tree] = field(default_factory=list)
    unknown: list[str] = field(default_factory=list)
    narrower: list[Change] = field(default_factory=list)
    lost: float = 0.0

    def reading(self) -> Reading:
        """Return what the pieces mean together."""
        self.said = [replace(piece) for piece in self.pieces]
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
        """The places of what is done; what stands behind is what it is done to."""
        for piece, following in pairwise(self.pieces):
            # "That give the most points" is said of a number, not of what a card does.
            if piece.words and set(piece.words) <= set(WORDS["give"]) and following.kind in ("order", "size"):
                piece.silence()
        verbs = self._verbs()
        if not self.with_verb:
            self.pieces = [piece for place, piece in enumerate(self.pieces) if place not in verbs]
            verbs = []
        for piece in self.pieces[max(verbs, default=len(self.pieces)) + 1 :]:
            if piece.kind == "condition" and piece.bounds and piece.said:
                # "Get 5 RP" is what a card does, not what it costs.
                piece.tree = Term("text", ":", f"{piece.bounds[0][1]} {' '.join(piece.said)}")
            is_thing = piece.kind in ("phrase", "word", "fact", "count")
            piece.is_object |= is_thing or (piece.kind == "size" and not piece.said)
        return verbs

    def _meaning(self, place: int, verbs: Sequence[int], heads: Sequence[int], facts: Facts) -> Tree | None:
        """Return what the piece at a place asks of cards; None if that is nothing."""
        piece = self.pieces[place]
        if place in verbs:
            self.lost -= COUNTED * (piece.words[0] in WORDS["playing"])
            return self._verb(piece, place)
        of_type = any_of(piece.of("type"))
        if place in heads:
            return of_type
        if not piece.is_object or _is_condition(piece):
            is_other_type = heads and place > heads[0] and of_type and not facts.used(piece)
            return None if is_other_type else facts.condition(piece)
        if told := self._object(piece):
            before = self.pieces[place - 1]
            is_named = before.after("article") or piece.words[-1].endswith("s")
            if piece.is_beside and self.objects and before.is_object and is_named:
                words = " ".join((*before.words, *piece.words))
                phrase = Term("text", ":", min(forms(words), key=len))
                self.narrower.append(((self.objects[-1], told), phrase))
            self.objects.append(told)
        return told

    def _add(self, piece: Piece, tree: Tree, facts: Facts, is_or: bool) -> None:
        """Add what a piece means, as an alternative of what stands before it if ``is_or``."""
        self.lost -= COUNTED * (piece.kind == "count")
        if piece.after("negation"):
            tree = none_of(tree)
        if piece.kind == "word" or piece.mended or (piece.kind == "size" and not facts.number(piece.said)):
            self.weak.append(tree)
        if is_or and self.parts:
            tree = any_of(dict.fromkeys((self.parts.pop(), tree))) or tree
        self.parts.append(tree)

    def _miss(self, piece: Piece) -> None:
        """Add a piece that means nothing to what is not understood."""
        if piece.kind in ("unknown", "count", "size", "fact", "order") and piece.mark != "sort":
            self.unknown += piece.words
            self.lost += piece.value

    def _wider(self) -> Iterator[Change]:
        """Return how to ask for less that a verb is done to, and for less that is not sure."""
        objects, weak = tuple(self.objects), tuple(self.weak)
        yield from (((part,), None) for part in objects if len(objects) > 1)
        if objects:
            yield objects, None
        if weak:
            yield weak, None
            yield (*weak, *objects), None

    def _also(self, heads: Sequence[int]) -> Iterator[Tree]:
        """Return the words as cards may have them, with and without the type that is asked for."""
        trees = {place: worded(piece) for place, piece in enumerate(self.said) if piece.senses or piece.tree}
        for left_out in ((), heads):
            if tree := all_of(one for place, one in trees.items() if place not in left_out):
                yield tree

    def _share_size(self, facts: Facts) -> None:
        """Give a size to every number that is named behind it: "6+ in craft and charisma"."""
        sizes = [piece for piece in self.pieces if piece.kind == "size" and not piece.is_object]
        numbers = [
            piece
            for piece in self.pieces
            if piece.kind in ("fact", "phrase")
            and not (piece.is_object or piece.after("having") or piece.of("type", "verb"))
            and facts.number(piece.said or piece.words)
        ]
        # Behind "craft 6+ and charisma" nothing is said of charisma.
        if len(sizes) != 1 or sizes[0].said != sizes[0].words[len(sizes[0].words) - len(sizes[0].said) :]:
            return
        behind = self.pieces[self.pieces.index(sizes[0]) :]
        if len(numbers) + bool(sizes[0].said) > 1 and all(piece in behind for piece in numbers):
            for piece in numbers:
                piece.kind, piece.bounds, piece.said = "size", sizes[0].bounds, piece.said or piece.words
            if not sizes[0].said:
                sizes[0].silence()

    def _heads(self, verbs: Sequence[int]) -> list[int]:
        """The places of the types that are asked for: the last that something is not made for, or has; with
        those that "and" or "or" joins to it.
        """
        heads = [
            place
            for place, piece in enumerate(self.pieces)
            if piece.of("type") and not (piece.is_object or piece.after("concerning")) and place not in verbs
        ]
        if (
            heads
            and self.pieces[heads[0]].after("purpose")
            and any(one.of("value") for one in self.pieces[: heads[0]])
        ):
            self.pieces[heads.pop(0)].silence()
        for at, (before, place) in enumerate(pairwise(heads), start=1):
            # "Agents with an action": what something has is not what is asked for.
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
        """The places of what is done: the first verb, and those that "or" or "and" join to it."""
        verbs = [place for place in range(len(self.pieces)) if self._is_verb(place)]
        likely = [p for p in verbs if not set(self.pieces[p].words) & set(WORDS["playing"])] or verbs
        for place in set(verbs) - set(likely):
            self.pieces[place].silence()
        if not likely:
            return []
        first = likely[0]
        # "Take control": what is done stands last of verbs side by side.
        while first + 1 in likely and self._does_alone(self.pieces[first + 1]):
            self.pieces[first].silence()
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
        is_behind = piece.after("article") and any(before.of("verb") for before in self.pieces[:place])
        if not piece.of("verb") or piece.of("type") or piece.is_object or is_behind:
            return False
        is_first = all(before.kind == "condition" and not before.words for before in self.pieces[:place])
        is_asked = piece.after("relative") or (is_first and bool(behind))
        return is_asked or not piece.of("value", "flag", "set", "part")

    def _verb(self, piece: Piece, place: int) -> Tree | None:
        """Return what is done; giving some of a number is also what says so in a fact."""
        trees, behind = piece.of("verb"), self.pieces[place + 1 :]
        words = self.vocabulary.game.effect_words
        if words and len(piece.words) == 1 and piece.words[0] in WORDS["give"]:
            trees += [Term("does", "=", verb) for verb in GIVING if verb in words.verbs]
        done = any_of(dict.fromkeys(trees))
        gives = not words or any(isinstance(leaf, Term) and leaf.value in GIVING for leaf in leaves(done))
        bonuses = [
            Term("has", ":", field.word)
            for other in behind
            if gives and (field := self._bonus(other.said or other.words))
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

    def _bonus(self, said: tuple[str, ...]) -> Field | None:
        """The number that says how much a card gives of another."""
        of = self.vocabulary.field(said)
        return self.vocabulary.field((of.word if of else " ".join(said), BONUS))

    # -- what a verb is done to -----------------------------------------------------------

    def _object(self, piece: Piece) -> Tree | None:
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
        told = mentioned(piece)
        if not self.done and piece.is_object and (of_type := piece.of("type")):
            # "When an agent is wounded" is said of the agent itself, too.
            told = any_of([told, *of_type])
        targets = piece.terms("target")
        exactly = any_of(replace(leaf, op="=") for leaf in targets)
        # "Enemy action" is an action, too.
        last = any_of(replace(leaf, value=leaf.value.split()[-1]) for leaf in targets)
        self.first += [tree for tree in (exactly, any_of(targets), told, last) if tree]
        called = piece.terms("target", "verb")
        words = [phrase_of(leaf.value).split()[-1] for leaf in called] or piece.words[-1:]
        if told and self.done and self.vocabulary.implied(self.done[0], words):
            return None
        return told


def _is_condition(piece: Piece) -> bool:
    """Say if a piece holds of the card itself though it stands behind a verb; a flag is none that effects
    call so.
    """
    if piece.kind not in ("phrase", "word", "fact", "count", "mark", "size"):
        return True
    kinds = (kind for kind in _SOUGHT if kind not in ("flag", "name") or not piece.of("target"))
    return bool(piece.of(*kinds)) and not piece.of("verb", "type")
