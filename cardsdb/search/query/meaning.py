"""What the pieces of a query in plain words mean together.

Behind a verb of the effects, nouns are what it is done to: they are looked for in the text of cards.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from cardsdb.games.kit import fold
from cardsdb.search.query.fields import Fields
from cardsdb.search.query.phrases import Phrases, Sense, SenseKind, forms
from cardsdb.search.query.player_words import Piece, Pieces, PlayerWords
from cardsdb.search.query.tree import (
    NOWHERE,
    Or,
    Query,
    SortKey,
    Term,
    Tree,
    Word,
    all_of,
    any_of,
    leaves,
    none_of,
    parts_of,
)

# Conditions also behind a verb; and the senses of a phrase that is neither a verb nor the kind of card asked
# for, those that count first.
_SOUGHT: tuple[SenseKind, ...] = ("game", "set", "flag")
_SENSES: tuple[tuple[SenseKind, ...], ...] = (
    ("value", "flag", "set", "game", "moment"),
    ("type",),
    ("verb",),
    ("target",),
)
# What a fact is called that says how much a card gives of something: "cover bonus".
GIVE, BONUS = "give", "bonus"


@dataclass(frozen=True, slots=True)
class Reading:
    """What words mean together. ``is_plain``: cards have them all as typed; ``is_whole``: each was
    understood.

    ``optional`` are parts that may be one word too many: what a verb is done to. ``preferred`` is what it is
    done to anyway: cards that mention it come first.
    """

    parts: tuple[Tree, ...] = ()
    order: tuple[SortKey, ...] = ()
    optional: tuple[Tree, ...] = ()
    preferred: tuple[Tree, ...] = ()
    is_plain: bool = True
    is_whole: bool = True
    phrases: int = 0

    @property
    def tree(self) -> Tree | None:
        return all_of(self.parts)

    def without(self, part: Tree) -> Reading:
        """The same with one optional part less."""
        return replace(self, parts=tuple(one for one in self.parts if one is not part))


def read_player_words(query: Query, phrases: Phrases, fields: Fields, with_verb: bool = True) -> Reading:
    """Return what the plain words of a query mean. Without any phrase it is as it was; ``with_verb``: as a
    question of what cards do. ``fields``: those that the query was checked against.
    """
    # What nobody typed narrows all that was.
    given = [part for part in parts_of(query.tree) if part.span == NOWHERE]
    asked = frozenset(leaves(query.tree))
    alternatives = PlayerWords(query.text, phrases, fields).alternatives(given)
    readings = [_Meaning(pieces, phrases, asked, with_verb).reading() for pieces in alternatives]
    if len(readings) == 1:
        return readings[0]
    either = any_of(all_of(part for part in reading.parts if part not in given) for reading in readings)
    return Reading(
        (*given, either) if either else (),
        is_plain=all(reading.is_plain for reading in readings),
        is_whole=all(reading.is_whole for reading in readings),
        phrases=min(reading.phrases for reading in readings),
    )


class _Meaning:
    """What some pieces mean; without the verb, as of "sites that use craft", where no card does that.

    ``asked`` are the conditions that the query has as it was typed.
    """

    def __init__(self, row: Pieces, phrases: Phrases, asked: frozenset[Tree], with_verb: bool) -> None:
        self._phrases, self._row, self._asked = phrases, row, asked
        verb = next(
            (place for place in range(len(row.pieces)) if _is_verb(place, row.pieces)), len(row.pieces)
        )
        self._pieces = [piece for place, piece in enumerate(row.pieces) if with_verb or place != verb]
        for piece in self._pieces[verb + 1 :] if with_verb else ():
            piece.is_object = True
        # Of two kinds of card the last is the kind that is asked for: "mission actions".
        heads = [piece for piece in self._pieces if piece.of("type") and not piece.is_object]
        self._has_head = bool(heads)
        for piece in heads[-1:]:
            piece.only = "type"
        if len(self._pieces) > 1 and len(phrases.fields.games) > 1 and self._pieces[0].of("game"):
            self._pieces[0].only = "game"
        if with_verb and verb < len(self._pieces):
            self._pieces[verb].only = "verb"

    def reading(self) -> Reading:
        """Return what they mean together."""
        parts: list[Tree] = []
        optional: list[Tree] = []
        preferred: list[Tree | None] = []
        given: list[Tree] = []
        done: Tree | None = None
        bonus: Tree | None = None
        has_object = any(piece.is_object for piece in self._pieces)
        for piece in self._pieces:
            is_object = piece.is_object and piece.condition is None
            if is_object and done and not _sought(piece) and self._phrases.implied(done, piece.words):
                preferred.append(_mentioned(piece))
                continue
            tree = self._tree(piece)
            if piece.only == "verb":
                done = tree
            if tree is None:
                continue
            # "Gives cover": also what has a bonus in cover.
            if is_object and done and (bonus := bonus or self._bonus(done, piece)):
                given.append(tree)
                continue
            parts.append(none_of(tree) if piece.is_negated else tree)
            is_unknown = has_object and not piece.senses and piece.condition is None
            if is_unknown or (is_object and not _sought(piece)):
                optional.append(parts[-1])
        if bonus and done:
            parts[parts.index(done)] = any_of((bonus, all_of((done, *given)))) or bonus
        understood = [
            piece.condition is not None or (bool(piece.senses) and not _is_unsaid(piece))
            for piece in self._pieces
        ]
        is_sorted = bool(self._row.order) or self._row.is_reduced
        return Reading(
            tuple(parts),
            tuple(self._row.order),
            tuple(optional),
            tuple(tree for tree in preferred if tree),
            not is_sorted and all(map(self._is_plain, self._pieces)),
            all(understood),
            sum(bool(piece.words) and known for piece, known in zip(self._pieces, understood, strict=True)),
        )

    def _tree(self, piece: Piece) -> Tree | None:
        if piece.condition is not None:
            return piece.condition
        if not piece.senses:
            return Word(piece.words[0])
        if piece.is_object:
            return _mentioned(piece)
        if _is_unsaid(piece):
            return all_of(map(Word, piece.words))
        trees = [sense.tree for sense in self._used(piece)]
        return any_of(
            dict.fromkeys(
                part for tree in trees for part in (tree.parts if isinstance(tree, Or) else (tree,))
            )
        )

    def _bonus(self, done: Tree, piece: Piece) -> Tree | None:
        """The fact that says how much of it a card gives, if that is what is done."""
        gives = any(isinstance(leaf, Term) and leaf.value == GIVE for leaf in leaves(done))
        field = self._phrases.field((*piece.words, BONUS)) if gives and piece.words else None
        return Term("has", ":", field.word) if field and field.kind == "number" else None

    def _is_plain(self, piece: Piece) -> bool:
        """Return whether cards have the piece as it is typed."""
        if piece.condition is not None:
            return not piece.is_negated and (
                not piece.words or self._asked.issuperset(leaves(piece.condition))
            )
        if not piece.senses or _is_unsaid(piece):
            return not piece.is_negated
        is_special = piece.is_negated or piece.is_noun or piece.is_object
        return not is_special and all(sense.is_plain for sense in self._used(piece))

    def _used(self, piece: Piece) -> list[Sense]:
        """The senses of a phrase that count here."""
        if piece.only:
            return [sense for sense in piece.senses if sense.kind == piece.only]
        used = next(
            used for kinds in _SENSES if (used := [sense for sense in piece.senses if sense.kind in kinds])
        )
        if piece.is_noun:
            return [*used, *(sense for sense in piece.senses if sense.kind == "verb" and sense not in used)]
        if not self._has_head and piece is self._pieces[-1] and not any(sense.is_plain for sense in used):
            # "Wheelmen" are wheelmen, not what is restricted to them: what cards are is declared first.
            first = next((sense for sense in used if sense.kind == "value" and not _is_rarity(sense)), None)
            used = [sense for sense in used if sense.kind != "value" or sense is first or _is_rarity(sense)]
        return used


def _is_verb(place: int, pieces: Sequence[Piece]) -> bool:
    """Return whether a word with a verb's meaning is meant as one: behind "that", first with something to do
    it to, or "heals".
    """
    piece = pieces[place]
    if (
        not piece.of("verb")
        or piece.of("type")
        or piece.is_object
        or (piece.is_noun and not piece.is_related)
    ):
        return False
    behind = pieces[place + 1 :]
    is_asked = piece.is_marked and (bool(behind) or place > 0 or piece.is_related)
    if piece.of("value", "flag", "set"):
        return is_asked
    is_inflected = any(isinstance(tree, Term) and tree.value != piece.words[-1] for tree in piece.of("verb"))
    return is_asked or is_inflected or bool(behind and behind[0].of("target"))


def _is_unsaid(piece: Piece) -> bool:
    """Return whether it is a thing to which nothing is done: then its words are looked for, "discard
    pile".
    """
    if piece.is_object or any(sense.kind != "target" for sense in piece.senses):
        return False
    return any(
        isinstance(tree, Term) and fold(tree.value) in forms(" ".join(piece.words))
        for tree in piece.of("target")
    )


def _is_rarity(sense: Sense) -> bool:
    return isinstance(sense.tree, Term) and sense.tree.key == "rarity"


def _sought(piece: Piece) -> list[Tree]:
    """The conditions among what a verb is done to; a flag is none that effects call so: cards against "solo
    ops" mention them.
    """
    return piece.of(*(kind for kind in _SOUGHT if kind != "flag" or not piece.of("target")))


def _mentioned(piece: Piece) -> Tree | None:
    """Return what a verb is done to: in the text, in any form; or by what effects call it. A set is a
    condition anywhere.
    """
    if sought := _sought(piece):
        return any_of(sought)
    targets = piece.of("target")
    if any(
        isinstance(moment, Term) and Term("target", ":", moment.value) in targets
        for moment in piece.of("moment")
    ):
        return any_of(targets)
    verbs = [
        tree.value for tree in piece.of("verb") if isinstance(tree, Term) and piece.words[-1].endswith("ed")
    ]
    called = [*forms(" ".join(piece.words)), *verbs]
    shortest = [form for form in called if not any(other != form and other in form for other in called)]
    mentioned: list[Tree] = [Term("text", ":", form) for form in shortest]
    for tree in (*targets, *piece.of("verb")):
        if not (isinstance(tree, Term) and fold(tree.value) in called):
            named = [leaf.value for leaf in leaves(tree) if isinstance(leaf, Term) and leaf.key == "target"]
            mentioned += [tree, *(Term("text", ":", name) for name in named)]
    return any_of(dict.fromkeys(mentioned))
