"""Combine the pieces of a question into a ``Reading``: conditions, sort keys, and a score.

``candidates`` calls ``read`` for each game and each variant; ``ask`` then takes the readings with the best
scores that find cards. Three rules shape a reading of "gear that returns agents":

- The last card type that is no object is the asked type: ``type=gear`` (see ``roles``).
- A verb of the game's effects becomes a condition on what cards do: ``does=return`` (see ``roles``).
- What stands behind the verb is its object, and is looked for in texts: ``text:agent or target:agent``.

Sizes, facts and values are read for the asked type (see ``facts``). Tests:
``tests/cardsdb/search/plain/test_reading.py``, and the tables of ``tests/cardsdb/search/test_ask.py``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from cardsdb.search.plain.facts import Facts, worded
from cardsdb.search.plain.pieces import Piece
from cardsdb.search.plain.roles import Change, Verbs, is_condition, roles_of
from cardsdb.search.plain.vocabulary import Vocabulary
from cardsdb.search.query.english import WORDS
from cardsdb.search.query.tree import Not, SortKey, Term, Tree, all_of, any_of, leaves, none_of

# These are in the unit of ``Piece.value``: 1 is a word that is understood.
# Deducted if praise ("best") has no number to sort by.
UNMEASURED = 0.35
# Added for a number that counts objects ("draw 2"), and for a word of playing that is the verb ("use"): by
# themselves they have hardly any value.
COUNTED = 0.9
# Deducted for each condition that is left out.
LEFT_OUT = 0.4
# Kinds of pieces that are not understood if they have no condition.
NEEDED = ("unknown", "count", "size", "fact", "order")


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
        """Yield a copy for each change. Parts that are left out lower its score: without its object, "gear
        that returns agents" is ``type=gear does=return``, and scores 0.85 instead of 0.98.
        """
        for gone, instead in changes:
            parts: list[Tree] = []
            for part in self.parts:
                if part not in gone:
                    parts.append(part)
                elif part == gone[-1] and instead:
                    # The replacement stands where the last replaced part stood.
                    parts.append(instead)
            left = () if instead else gone
            deduction = LEFT_OUT * len(left) / max(1, self.count)
            yield replace(self, parts=tuple(parts), left=left, score=self.score - deduction)

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
    # The rows of pieces between the words "or".
    rows = [list(row) for is_or, row in groupby(pieces, lambda piece: piece.mark == "or") if not is_or]
    if len(rows) < 2 or not all(map(_is_whole, rows)):
        return _Row(pieces, vocabulary, with_verb, is_wide).reading()
    readings = [_Row(row, vocabulary, with_verb, is_wide).reading() for row in rows]
    either = any_of(reading.tree for reading in readings)
    count = sum(reading.count for reading in readings)
    score = sum(reading.score * reading.count for reading in readings) / max(1, count)
    unknown = tuple(word for reading in readings for word in reading.unknown)
    return Reading(
        parts=(either,) if either else (),
        order=readings[0].order,
        score=score,
        unknown=unknown,
        count=count,
    )


def _is_whole(row: Sequence[Piece]) -> bool:
    """True if an alternative can be read by itself: it has a card type and something else."""
    pieces = [piece for piece in row if piece.words and piece.kind != "mark"]
    return len(pieces) > 1 and any(piece.of("type") for piece in pieces) and not pieces[0].of("verb")


class _Row:
    """Reads one row of pieces: finds their roles, and then the condition of each piece in turn."""

    def __init__(self, cut: Sequence[Piece], vocabulary: Vocabulary, with_verb: bool, is_wide: bool) -> None:
        self._cut = cut
        self._roles = roles_of(cut, with_verb)
        pieces = self._roles.pieces
        self._facts = Facts(
            vocabulary,
            types=tuple(leaf.value for place in self._roles.heads for leaf in pieces[place].terms("type")),
            is_wide=is_wide,
            is_lone=len([piece for piece in pieces if piece.words]) == 1,
            praise=next((piece.most for piece in pieces if piece.kind == "praise"), None),
        )
        self._verbs = Verbs(vocabulary)
        self._facts.share_size(pieces)
        self._parts: list[Tree] = []
        # True if the last part was a "non".
        self._is_behind_non = False
        # Conditions that may be wrong: they can be left out.
        self._uncertain: list[Tree] = []
        # Pieces without a condition that should have one.
        self._unknown: list[Piece] = []
        # Added to the value of the pieces (COUNTED).
        self._adjustment = 0.0
        self._read_pieces()

    def reading(self) -> Reading:
        """Return what the pieces mean together."""
        roles, facts, verbs = self._roles, self._facts, self._verbs
        value = sum(piece.value for piece in roles.pieces if piece not in self._unknown) + self._adjustment
        if facts.praise is not None and not facts.order:
            value -= UNMEASURED
        count = sum(piece.count for piece in roles.pieces)
        is_playing = any(roles.pieces[place].words[0] in WORDS["playing"] for place in roles.verbs)
        return Reading(
            parts=tuple(dict.fromkeys((*self._parts, *facts.listed))),
            order=tuple(dict.fromkeys(facts.order)),
            first=(*verbs.first, *facts.first),
            score=value / count if count else 1.0,
            unknown=tuple(word for piece in self._unknown for word in piece.words),
            count=count,
            narrower=tuple(verbs.narrower),
            wider=tuple(self._wider()),
            is_playing=is_playing,
            also=tuple(self._also()) if roles.verbs and count > 1 else (),
        )

    def _read_pieces(self) -> None:
        """Collect the conditions of the pieces, and those pieces that have none."""
        # "Or", "and" or "," between a condition and the one before it; empty for none.
        joint = ""
        for place, piece in enumerate(self._roles.pieces):
            # A condition in the search language, which has no words, has no alternative.
            has_words = bool(self._roles.pieces[place - 1].words)
            if piece.mark in ("or", ","):
                joint = piece.mark if has_words and not piece.after("negation") else ""
            elif tree := self._meaning(place):
                self._add(piece, tree, joint or ("and" if has_words and piece.after("and") else ""))
                joint = ""
            elif piece.kind in NEEDED and not piece.is_object and piece.mark != "sort":
                self._unknown.append(piece)

    def _meaning(self, place: int) -> Tree | None:
        """Return the condition of the piece at a place; None if it has none."""
        pieces, heads = self._roles.pieces, self._roles.heads
        piece = pieces[place]
        if place in self._roles.verbs:
            if piece.words[0] in WORDS["playing"]:
                self._adjustment += COUNTED
            return self._verbs.verb(piece, pieces[place + 1 :])
        of_type = any_of(piece.of("type"))
        if place in heads:
            return of_type
        if piece.is_object and not is_condition(piece):
            # The first piece stands beside none, so the piece that it gets here does not count.
            return self._verbs.object(piece, pieces[place - 1])
        # A type behind the asked one, as "action" in "agents with an action", is no condition by itself.
        if heads and place > heads[0] and of_type and not self._facts.used(piece):
            return None
        return self._facts.condition(piece)

    def _add(self, piece: Piece, tree: Tree, joint: str) -> None:
        """Add the condition of a piece; behind an "or", as an alternative to the one before it. An "and" or a
        comma means the same between values of a fact that a card has once: "krypt and banshee agents".
        """
        if piece.kind == "count":
            self._adjustment += COUNTED
        is_or, is_negated = joint == "or", piece.after("negation")
        is_as_said = (is_or and is_negated) or self._is_behind_non
        if joint and self._parts and not is_as_said and self._exclude(self._parts[-1], tree):
            # "Not krypt and banshee" is neither of them; but "or not" and "non" are meant as they are said.
            is_negated |= isinstance(self._parts[-1], Not)
            is_or = not is_negated
        self._is_behind_non = piece.after("non")
        if is_negated:
            tree = none_of(tree)
        # A size of a value that only the asked types have: "level 4 medical" of sites.
        is_listed_size = piece.kind == "size" and not self._facts.number(piece.field_words)
        if piece.kind == "word" or piece.mended or is_listed_size:
            self._uncertain.append(tree)
        if is_or and self._parts:
            tree = any_of(dict.fromkeys((self._parts.pop(), tree))) or tree
        self._parts.append(tree)

    def _exclude(self, *trees: Tree) -> bool:
        """True if conditions ask for values of one fact, of which a card has only one."""
        keys = {getattr(leaf, "key", "") for tree in trees for leaf in leaves(tree)}
        fact = self._facts.vocabulary.game.facts_by_key.get(keys.pop())
        return not keys and fact is not None and fact.kind == "word"

    def _wider(self) -> Iterator[Change]:
        """Yield changes that leave out objects of the verb, uncertain conditions, or both."""
        objects, uncertain = tuple(self._verbs.objects), tuple(self._uncertain)
        if len(objects) > 1:
            yield from (((part,), None) for part in objects)
        if objects:
            yield objects, None
        if uncertain:
            yield uncertain, None
            yield (*uncertain, *objects), None

    def _also(self) -> Iterator[Tree]:
        """Yield the question as words that must occur on cards, with and without the asked type: ``"gear"
        "return" "agent"``, then ``"return" "agent"``.
        """
        trees = {place: worded(piece) for place, piece in enumerate(self._cut) if piece.senses or piece.tree}
        for left_out in ((), self._roles.heads):
            if whole := all_of(tree for place, tree in trees.items() if place not in left_out):
                yield whole
