"""Find the role of each piece of a question: its verbs, their objects, and the asked card types ("heads").

In "gear that heals agents" the head is "gear", the verb "heals", and "agents" its object. ``reading`` calls
``roles_of`` first, and then reads the pieces by their roles.

Tests: ``tests/cardsdb/search/plain/test_reading.py``.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from cardsdb.search.plain.pieces import Piece
from cardsdb.search.plain.vocabulary import SenseKind
from cardsdb.search.query.english import WORDS
from cardsdb.search.query.tree import Term

# Senses of a phrase that are a condition on the card itself even behind a verb. A flag or name is none if it
# is a target of effects, too.
_OF_CARD: tuple[SenseKind, ...] = ("game", "set")
_OF_CARD_BUT_TARGETS: tuple[SenseKind, ...] = ("flag", "name")


@dataclass(frozen=True)
class Roles:
    """The pieces of a row, with ``is_object`` set; and the places of its verbs and heads among them.

    ``heads`` begin with the last asked type of the row, and go on with those before it.
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
    verbs = _verbs(pieces)
    if verbs and not with_verb:
        pieces = [piece for place, piece in enumerate(pieces) if place not in verbs]
        verbs = []
    if verbs:
        _mark_objects(pieces[verbs[-1] + 1 :])
    return Roles(pieces, verbs, _heads(pieces, verbs))


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
            # "Get 5 RP" is what a card does, not what it costs.
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
    # Words of playing, such as "use", mean nothing beside another verb.
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
    return is_asked or not piece.of("value", "flag", "set", "part")


# -- heads ---------------------------------------------------------------------------


def _heads(pieces: Sequence[Piece], verbs: Sequence[int]) -> list[int]:
    """Return the places of the asked types: the last type that is no object and that nothing is made for or
    has; then those before it that "and" or "or" joins to it.
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
    for number, (earlier, place) in enumerate(pairwise(types), start=1):
        # In "agents with an action" agents are asked for.
        if any(piece.after("having", "purpose") for piece in pieces[earlier + 1 : place + 1]):
            types = types[:number]
            break
    heads: list[int] = []
    for place in reversed(types):
        # An "or" stands between two joined types, so the earlier one is two places before.
        if heads and (place != heads[-1] - 2 or pieces[place + 1].mark != "or"):
            break
        heads.append(place)
    return heads
