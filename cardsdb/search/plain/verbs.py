"""Read the verbs of a question, and the objects that they act on, as conditions on what cards do.

"Heals agents" means cards that do "heal" and mention agents in their texts. ``reading`` makes a ``Verbs`` for
each row of pieces, and calls ``verb`` and ``object`` in the order of the words, because an object is read
with the verbs before it.

Tests: ``tests/cardsdb/search/plain/test_reading.py``, and the tables of ``tests/cardsdb/search/test_ask.py``.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from cardsdb.search.plain.facts import BONUS, mentioned
from cardsdb.search.plain.forms import forms, phrase_of
from cardsdb.search.plain.pieces import Piece
from cardsdb.search.plain.vocabulary import Vocabulary
from cardsdb.search.query.english import WORDS
from cardsdb.search.query.standard import Field
from cardsdb.search.query.tree import Term, Tree, all_of, any_of, leaves

# Verbs of effects that words such as "gives" and "boosts" stand for.
GIVING = ("give", "gain")
# "More than one card" is looked for in texts by this many successive numbers: 2, 3 and 4 cards.
MAX_MORE = 3

# A change to try: these parts of a reading are replaced by one tree, or left out if it is None.
Change = tuple[tuple[Tree, ...], Tree | None]


class Verbs:
    """The conditions of the verbs and objects that were read so far.

    ``objects``: the conditions of objects. ``first``: conditions for the cards that come first among those
    found. ``narrower``: changes of the reading that may be meant as well.
    """

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._vocabulary = vocabulary
        self._done: list[Tree] = []
        self.objects: list[Tree] = []
        self.first: list[Tree] = []
        self.narrower: list[Change] = []

    def verb(self, piece: Piece, behind: Sequence[Piece]) -> Tree | None:
        """Return the condition of a verb. "Gives combat" also finds cards with a "combat bonus"; then the
        pieces behind it are read here, and silenced.
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
        targets = piece.terms("target")
        exactly = any_of(replace(target, op="=") for target in targets)
        # An "enemy action" is an action too.
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
        least = int(number) + (op == ">")
        most = least + (MAX_MORE - 1 if op in (">", ">=") else 0)
        for done in self._done:
            for leaf in leaves(done):
                for count in range(least, most + 1) if isinstance(leaf, Term) else ():
                    yield Term("text", ":", f"{leaf.value} {count}")
