"""A query of plain words as players mean it: "level 1 leaders", "killer cards", "agents that heal".

Words that a game declares become conditions, a field beside a number compares, "highest combat" sorts; what
is left stays a word. Behind a verb of the effects, nouns are what it is done to: they are looked for in the
text of cards. Words in quotes are just words.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from cardsdb.games.kit.model.text import fold
from cardsdb.search.query.phrases import Phrases, Sense, SenseKind, forms
from cardsdb.search.query.pieces import Piece, Pieces, items_of, left_out, of_this_game
from cardsdb.search.query.tree import Or, Query, SortKey, Term, Tree, Word, all_of, any_of, leaves, none_of

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


def read_player_words(query: Query, phrases: Phrases, with_verb: bool = True) -> Reading:
    """Return what the plain words of a query mean. Without any phrase it is as it was; ``with_verb``: as a
    question of what cards do.
    """
    tree = query.tree
    if isinstance(tree, Or):
        readings = _shared(
            [_Meaning(Pieces(items_of(part, query), phrases), with_verb) for part in tree.parts]
        )
    else:
        items = [of_this_game(item, query, phrases) for item in items_of(tree, query)]
        readings = [_Meaning(Pieces(items, phrases), with_verb).reading()]
    if len(readings) > 1:
        either = any_of(reading.tree for reading in readings)
        return Reading(
            parts=(either,) if either else (),
            is_plain=all(reading.is_plain for reading in readings),
            is_whole=all(reading.is_whole for reading in readings),
            phrases=min(reading.phrases for reading in readings),
        )
    # Sizes that were read already are words of the player's, too: "gear under 4 cost".
    sizes = sum(problem.code == "read-as-comparison" for problem in query.problems)
    return replace(
        readings[0],
        is_plain=readings[0].is_plain and not left_out(query),
        phrases=readings[0].phrases + sizes,
    )


def _shared(meanings: Sequence[_Meaning]) -> list[Reading]:
    """Alternatives as they are; one reading where they are values of one fact, as in "krypt or bloodvine
    leaders": leaders of either.
    """
    values = [meanings[0].values(-1), *(meaning.values(0) for meaning in meanings[1:])]
    is_one = all(len(meaning.pieces) == 1 for meaning in meanings[1:-1])
    keys = set.intersection(*({term.key for term in of_part} for of_part in values)) if is_one else set()
    if not keys or len(meanings[0].pieces) + len(meanings[-1].pieces) == 2:
        return [meaning.reading() for meaning in meanings]
    either = any_of(dict.fromkeys(term for of_part in values for term in of_part if term.key in keys))
    before, behind = meanings[0].reading(but=-1), meanings[-1].reading(but=0)
    parts = tuple(tree for tree in (*before.parts, either, *behind.parts) if tree)
    return [
        Reading(
            parts,
            (*before.order, *behind.order),
            is_plain=False,
            is_whole=before.is_whole and behind.is_whole,
            phrases=2,
        )
    ]


class _Meaning:
    """What some pieces mean; without the verb, as of "sites that use craft", where no card does that."""

    def __init__(self, pieces: Pieces, with_verb: bool) -> None:
        self._phrases, self._order, self._is_reduced = pieces.phrases, pieces.order, pieces.is_reduced
        verb = next(
            (place for place in range(len(pieces.pieces)) if _is_verb(place, pieces)), len(pieces.pieces)
        )
        self.pieces = [piece for place, piece in enumerate(pieces.pieces) if with_verb or place != verb]
        self._verb = verb if with_verb else len(self.pieces)
        objects = {id(pieces.pieces[place]) for place in pieces.objects}
        self._objects = {
            place for place, piece in enumerate(self.pieces) if place > self._verb or id(piece) in objects
        }
        # Of two kinds of card the last is the kind that is asked for: "mission actions".
        of_types = (
            place
            for place, piece in enumerate(self.pieces)
            if piece.of("type") and place not in self._objects
        )
        self._head = max(of_types, default=-1)

    def values(self, place: int) -> list[Term]:
        """The values that the piece at this place may be."""
        return [
            tree for piece in self.pieces[place:][:1] for tree in piece.of("value") if isinstance(tree, Term)
        ]

    def reading(self, but: int | None = None) -> Reading:
        """Return what they mean together, without the piece at one place."""
        if but is not None:
            parts = [
                tree
                for place, piece in enumerate(self.pieces)
                if piece is not self.pieces[but] and (tree := self._tree(place, piece))
            ]
            return Reading(
                tuple(parts),
                tuple(self._order),
                is_whole=all(piece.senses or piece.condition is not None for piece in self.pieces),
            )
        parts = []
        optional: list[Tree] = []
        preferred: list[Tree | None] = []
        done: Tree | None = None
        bonus: Tree | None = None
        given: list[Tree] = []
        for place, piece in enumerate(self.pieces):
            is_object = (
                place in self._objects and bool(piece.senses or piece.words) and piece.condition is None
            )
            if is_object and done and not _sought(piece) and self._phrases.implied(done, piece.words):
                preferred.append(_mentioned(piece))
                continue
            tree = self._tree(place, piece)
            if place == self._verb:
                done = tree
            if tree is None:
                continue
            # "Gives cover": also what has a bonus in cover.
            if is_object and done and (bonus := bonus or self._bonus(done, piece)):
                given.append(tree)
                continue
            parts.append(none_of(tree) if piece.is_negated else tree)
            if (is_object and not _sought(piece)) or (
                self._objects and piece.words and not piece.senses and piece.condition is None
            ):
                optional.append(parts[-1])
        if bonus and done:
            parts[parts.index(done)] = any_of((bonus, all_of((done, *given)))) or bonus
        understood = [
            piece.condition is not None or (bool(piece.senses) and not self._is_unsaid(place, piece))
            for place, piece in enumerate(self.pieces)
        ]
        return Reading(
            tuple(parts),
            tuple(self._order),
            tuple(optional),
            tuple(tree for tree in preferred if tree),
            not (self._order or self._is_reduced)
            and all(self._is_plain(place, piece) for place, piece in enumerate(self.pieces)),
            all(understood),
            sum(
                bool(piece.words) and is_understood
                for piece, is_understood in zip(self.pieces, understood, strict=True)
            ),
        )

    def _tree(self, place: int, piece: Piece) -> Tree | None:
        if piece.condition is not None:
            return piece.condition
        if not piece.senses:
            return Word(piece.words[0])
        if place in self._objects:
            return _mentioned(piece)
        if self._is_unsaid(place, piece):
            return all_of(map(Word, piece.words))
        trees = [sense.tree for sense in self._used(place, piece)]
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

    def _is_unsaid(self, place: int, piece: Piece) -> bool:
        """Return whether it is a thing to which nothing is done: then its words are looked for, "discard
        pile".
        """
        if place in self._objects or any(sense.kind != "target" for sense in piece.senses):
            return False
        return any(
            isinstance(tree, Term) and fold(tree.value) in forms(" ".join(piece.words))
            for tree in piece.of("target")
        )

    def _is_plain(self, place: int, piece: Piece) -> bool:
        """Return whether cards have the piece as it is typed."""
        if piece.condition is not None or not piece.senses or self._is_unsaid(place, piece):
            return not (piece.condition is not None and piece.words) and not piece.is_negated
        is_special = piece.is_negated or piece.is_noun or place in self._objects
        return not is_special and all(sense.is_plain for sense in self._used(place, piece))

    def _used(self, place: int, piece: Piece) -> list[Sense]:
        """The senses of a phrase that count here."""
        only: SenseKind | None = "verb" if place == self._verb else None
        if (
            only is None
            and place == 0
            and len(self.pieces) > 1
            and len(self._phrases.fields.games) > 1
            and piece.of("game")
        ):
            only = "game"
        only = only or ("type" if place == self._head else None)
        if only:
            return [sense for sense in piece.senses if sense.kind == only]
        used = next(
            used for kinds in _SENSES if (used := [sense for sense in piece.senses if sense.kind in kinds])
        )
        if piece.is_noun:
            return [*used, *(sense for sense in piece.senses if sense.kind == "verb" and sense not in used)]
        if self._head < 0 and place == len(self.pieces) - 1 and not any(sense.is_plain for sense in used):
            # "Wheelmen" are wheelmen, not what is restricted to them: what cards are is declared first.
            first = next((sense for sense in used if sense.kind == "value" and not _is_rarity(sense)), None)
            used = [sense for sense in used if sense.kind != "value" or sense is first or _is_rarity(sense)]
        return used


def _is_verb(place: int, pieces: Pieces) -> bool:
    """Return whether a word with a verb's meaning is meant as one: behind "that", first with something to do
    it to, or "heals".
    """
    piece = pieces.pieces[place]
    if (
        not piece.of("verb")
        or piece.of("type")
        or place in pieces.objects
        or (piece.is_noun and not piece.is_related)
    ):
        return False
    behind = pieces.pieces[place + 1 :]
    is_asked = piece.is_marked and (bool(behind) or place > 0 or piece.is_related)
    if piece.of("value", "flag", "set"):
        return is_asked
    is_inflected = any(isinstance(tree, Term) and tree.value != piece.words[-1] for tree in piece.of("verb"))
    return is_asked or is_inflected or bool(behind and behind[0].of("target"))


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
