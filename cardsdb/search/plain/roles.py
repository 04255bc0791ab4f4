"""The verbs of a question, their objects, and the asked card types ("heads"): which pieces these are, and
what verbs and objects mean as conditions on what cards do.

In "gear that returns agents" the head is "gear", the verb "returns", and "agents" its object: cards that do
"return" and mention agents in their texts. ``reading`` first calls ``roles_of``; then it makes a ``Verbs``
for each row of pieces, and calls ``verb`` and ``object`` in the order of the words, because an object is read
with the verbs before it.

Tests: ``tests/cardsdb/search/plain/test_reading.py``, and the tables of ``tests/cardsdb/search/test_ask.py``.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from cardsdb.search.plain.facts import BONUS, mentioned
from cardsdb.search.plain.forms import forms, phrase_of
from cardsdb.search.plain.pieces import Piece
from cardsdb.search.plain.vocabulary import SenseKind, Vocabulary
from cardsdb.search.query.english import WORDS
from cardsdb.search.query.standard import Field
from cardsdb.search.query.tree import Term, Tree, all_of, any_of, leaves

# Senses of a phrase that are a condition on the card itself even behind a verb. A flag or name is none if it
# is a target of effects, too.
_OF_CARD: tuple[SenseKind, ...] = ("game", "set")
_OF_CARD_BUT_TARGETS: tuple[SenseKind, ...] = ("flag", "name")
# Verbs of effects that words such as "gives" and "boosts" stand for.
GIVING = ("give", "gain")
# "More than one card" is looked for in texts by this many successive numbers: 2, 3 and 4 cards.
MAX_MORE = 3

# A change to try: these parts of a reading are replaced by one tree, or left out if it is None.
Change = tuple[tuple[Tree, ...], Tree | None]


@dataclass(frozen=True)
class Roles:
    """The pieces of a row, with ``is_object`` set; and the places of its verbs and heads among them.

    ``heads`` begin with the last asked type of the row, and go on with those before it: (2, 0) for the pieces
    "agents", "or", "leaders".
    """

    pieces: Sequence[Piece]
    verbs: Sequence[int]
    heads: Sequence[int]


def roles_of(cut: Sequence[Piece], with_verb: bool) -> Roles:
    """Return the roles of copies of the pieces. Without ``with_verb`` the verbs are dropped."""
    pieces = [replace(piece) for piece in cut]
    for piece, following in pairwise(pieces):
        # "That give the most points" is about a number of the card, not about what it does.
        if piece.words and set(piece.words) <= set(WORDS["give"]) and following.kind in ("order", "size"):
            piece.silence()
    _share_negations(pieces)
    verbs = _verbs(pieces)
    if verbs and not with_verb:
        pieces = [piece for place, piece in enumerate(pieces) if place not in verbs]
        verbs = []
    if verbs:
        _mark_objects(pieces[verbs[-1] + 1 :])
    return Roles(pieces, verbs, _heads(pieces, verbs))


def _share_negations(pieces: Sequence[Piece]) -> None:
    """Let a "not" before a list hold for all of it, up to the piece behind its last "or": "not soldier, medic
    or snoop" is none of them. A "non" is meant for its own word only: "non-unique or krypt".
    """
    for place, first in enumerate(pieces):
        if not first.after("negation") or first.after("non"):
            continue
        following = list(zip(pieces[place + 1 :: 2], pieces[place + 2 :: 2], strict=False))
        for count, (joint, piece) in enumerate(following, start=1):
            # Words before two types hold for both: "that are not agents and leaders".
            is_listed = piece.marks <= {"article"} or joint.words == ("and",)
            # "Not krypt, level 1 or level 2": a size behind a comma is of the list only if all are sizes.
            is_next = joint.mark == "," and piece.kind == "size" != first.kind
            if joint.mark not in ("or", ",") or not is_listed or is_next:
                break
            for comma, other in following[:count] if joint.mark == "or" else ():
                comma.mark = "or"
                comma.marks = other.marks = other.marks | {"negation"}


def is_condition(piece: Piece) -> bool:
    """True if a piece behind a verb is a condition on the card itself, and not the verb's object."""
    if piece.kind not in ("phrase", "word", "fact", "count", "mark", "size"):
        return True
    kinds = _OF_CARD if piece.of("target") else _OF_CARD + _OF_CARD_BUT_TARGETS
    return bool(piece.of(*kinds)) and not piece.of("verb", "type")


def _mark_objects(behind: Sequence[Piece]) -> None:
    """Mark the objects among the pieces behind the last verb."""
    for piece in behind:
        if piece.kind == "condition" and piece.bounds and piece.field_words:
            # "Get 5 RP" is what a card does, not what it costs: the text "5 rp".
            (_, number), *_ = piece.bounds
            piece.tree = Term("text", ":", f"{number} {' '.join(piece.field_words)}")
        is_thing = piece.kind in ("phrase", "word", "fact", "count")
        piece.is_object |= is_thing or (piece.kind == "size" and not piece.field_words)


# -- verbs ---------------------------------------------------------------------------


def _verbs(pieces: Sequence[Piece]) -> list[int]:
    """Return the places of the first verb and of those that "or" or "and" join to it. Other words that could
    be verbs beside it are silenced.
    """
    verbs = [place for place in range(len(pieces)) if _is_verb(pieces, place)]
    # Words of playing, such as "use", mean nothing beside another verb; alone they are one.
    likely = [at for at in verbs if not set(pieces[at].words) & set(WORDS["playing"])] or verbs
    for place in set(verbs) - set(likely):
        pieces[place].silence()
    if not likely:
        return []
    first = likely[0]
    # The last of adjacent verbs counts, as in "take control".
    while first + 1 in likely and _does_alone(pieces[first + 1]):
        pieces[first].silence()
        first += 1
    joined = [first]
    # An "or" stands between two joined verbs, so the next one is two places on.
    while joined[-1] + 2 in likely and pieces[joined[-1] + 1].mark == "or":
        joined.append(joined[-1] + 2)
    return joined


def _does_alone(piece: Piece) -> bool:
    """True if a verb cannot be a thing or a state too: "control", but not "wounds" or "exposed"."""
    return not piece.of("type", "value", "flag", "target") and not piece.words[-1].endswith("ed")


def _is_verb(pieces: Sequence[Piece], place: int) -> bool:
    """True for a verb: behind "that", before an object, or with no other meaning, like "heals"."""
    piece, before, behind = pieces[place], pieces[:place], pieces[place + 1 :]
    if piece.kind == "mark" and piece.mark in WORDS["give"]:
        # A word of giving is a verb if an object follows and no other verb stands before it.
        has_object = bool(behind) and behind[0].kind not in ("order", "size")
        return has_object and not any(_is_verb(pieces, earlier) for earlier in range(place))
    # In "heal the wounds" the second word is an object, although it could be a verb.
    is_behind_verb = piece.after("article") and any(other.of("verb") for other in before)
    if not piece.of("verb") or piece.of("type") or piece.is_object or is_behind_verb:
        return False
    is_first = all(other.kind == "condition" and not other.words for other in before)
    is_asked = piece.after("relative") or (is_first and bool(behind))
    # A word that is a value too, such as Spycraft's "bid", is a verb only where it is asked for like one.
    return is_asked or not piece.of("value", "flag", "set", "part")


# -- heads ---------------------------------------------------------------------------


def _heads(pieces: Sequence[Piece], verbs: Sequence[int]) -> list[int]:
    """Return the places of the asked types: the last type that is no object and that nothing is made for or
    has; then those before it that "and" or "or" joins to it. A type that is only a purpose is silenced.
    """
    types = [
        place
        for place, piece in enumerate(pieces)
        if piece.of("type") and not (piece.is_object or piece.after("concerning")) and place not in verbs
    ]
    has_purpose = bool(types) and pieces[types[0]].after("purpose")
    if has_purpose and any(piece.of("value") for piece in pieces[: types[0]]):
        # "Armor for agents": the first type is only what the value is for.
        pieces[types.pop(0)].silence()
    for count, (earlier, place) in enumerate(pairwise(types), start=1):
        # In "agents with an action" agents are asked for, and nothing behind the "with".
        if any(piece.after("having", "purpose") for piece in pieces[earlier + 1 : place + 1]):
            types = types[:count]
            break
    heads: list[int] = []
    for place in reversed(types):
        # An "or" stands between two joined types, so the earlier one is two places before.
        if heads and (place != heads[-1] - 2 or pieces[place + 1].mark != "or"):
            break
        heads.append(place)
    return heads


# -- what verbs and objects mean -----------------------------------------------------


class Verbs:
    """The conditions of the verbs and objects that were read so far.

    ``objects``: the conditions of objects. ``first``: conditions for the cards that come first among those
    found. ``narrower``: changes of the reading that may be meant as well.
    """

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._vocabulary = vocabulary
        # The conditions of the verbs so far: what cards must have done.
        self._done: list[Tree] = []
        self.objects: list[Tree] = []
        self.first: list[Tree] = []
        self.narrower: list[Change] = []

    def verb(self, piece: Piece, behind: Sequence[Piece]) -> Tree | None:
        """Return the condition of a verb. "Gives combat" also finds cards with a "combat bonus"; then the
        pieces behind it are read here, and silenced:
        ``has:combat_bonus or (does=give or does=gain) (text:combat or target:combat)``.
        """
        trees, words = piece.of("verb"), self._vocabulary.game.effect_words
        if words and len(piece.words) == 1 and piece.words[0] in WORDS["give"]:
            trees += [Term("does", "=", verb) for verb in GIVING if verb in words.verbs]
        does = any_of(dict.fromkeys(trees))
        if does is None:
            return None
        self._done.append(does)
        gives = not words or any(isinstance(leaf, Term) and leaf.value in GIVING for leaf in leaves(does))
        bonuses = [bonus for other in behind if gives and (bonus := self._bonus(other))]
        if bonuses:
            objects = [other for other in behind if other.is_object]
            with_objects = all_of([does, *map(self._mentions, objects)])
            does = any_of([*(Term("has", ":", bonus.word) for bonus in bonuses), with_objects]) or does
            for other in objects:
                other.silence()
            self._done.append(does)
        return does

    def _bonus(self, piece: Piece) -> Field | None:
        """Return the field that says how much a card adds to the number that a piece names, or None."""
        words = piece.field_words or piece.words
        named = self._vocabulary.field(words)
        return self._vocabulary.field((named.word if named else " ".join(words), BONUS))

    def object(self, piece: Piece, before: Piece) -> Tree | None:
        """Return the condition that texts mention the object of a verb; None if the verb implies it.
        ``before`` is the piece before it.
        """
        tree = self._mentions(piece)
        if tree is None:
            return None
        is_named = before.after("article") or piece.words[-1].endswith("s")
        if piece.is_beside and self.objects and before.is_object and is_named:
            # Two objects side by side may be one phrase: "enemy agents".
            words = " ".join((*before.words, *piece.words))
            phrase = Term("text", ":", min(forms(words), key=len))
            self.narrower.append(((self.objects[-1], tree), phrase))
        self.objects.append(tree)
        return tree

    def _mentions(self, piece: Piece) -> Tree | None:
        """Return the condition that texts mention an object; None if the verb implies it."""
        if piece.kind == "mark":
            return None
        if piece.kind in ("count", "size"):
            return any_of(self._counted(piece))
        if self._done and set(piece.words) <= set(WORDS["player"]):
            return None
        tree = mentioned(piece)
        if not self._done and piece.is_object and (of_type := piece.of("type")):
            # "When an agent is wounded" may be about the agent that has this text.
            tree = any_of([tree, *of_type])
        # Cards come first whose target is exactly the object, then those whose target contains it, then those
        # that mention it, and last those with a target of its last word: an "enemy action" is an action too.
        targets = piece.terms("target")
        exactly = any_of(replace(target, op="=") for target in targets)
        last = any_of(replace(target, value=target.value.split()[-1]) for target in targets)
        self.first += filter(None, (exactly, any_of(targets), tree, last))
        called = [phrase_of(term.value).split()[-1] for term in piece.terms("target", "verb")]
        if self._done and self._vocabulary.implied(self._done[0], called or piece.words[-1:]):
            return None
        return tree

    def _counted(self, piece: Piece) -> Iterator[Tree]:
        """Yield the texts that say a number behind the verbs: for "draw 2 or more" these are "draw 2", "draw
        3" and "draw 4".
        """
        (op, number), *_ = piece.bounds
        # "More than 2" begins with 3.
        least = int(number) + (op == ">")
        most = least + (MAX_MORE - 1 if op in (">", ">=") else 0)
        for done in self._done:
            for leaf in leaves(done):
                for count in range(least, most + 1) if isinstance(leaf, Term) else ():
                    yield Term("text", ":", f"{leaf.value} {count}")
