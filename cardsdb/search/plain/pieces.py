"""Hold some words of a question as a piece: what they are, how much of them is understood, and what the small
words around them say.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from cardsdb.search.plain.vocabulary import Sense, SenseKind
from cardsdb.search.query.english import FILLERS, WORDS, Bounds
from cardsdb.search.query.tree import Term, Tree, leaves

# What a piece is. "size" is a field with bounds, "fact" a field alone, "order" a field to sort by, "praise"
# an order without one, "count" a number that nothing else takes; "mark" says something of the pieces around
# it.
PieceKind = Literal[
    "condition", "phrase", "size", "fact", "order", "praise", "count", "word", "unknown", "mark"
]
# How much a word of a phrase is understood by what it means, and a word of another kind of piece.
BY_SENSE: dict[SenseKind, float] = {
    "game": 1, "set": 1, "type": 1, "value": 1, "flag": 1, "verb": 0.95, "moment": 0.9, "target": 0.85,
    "part": 0.7, "name": 0.5,
}  # fmt: skip
BY_KIND: dict[PieceKind, float] = {
    "condition": 1, "size": 1, "order": 0.95, "fact": 0.8, "praise": 0.6, "word": 0.55,
    "count": 0, "unknown": 0, "mark": 0,
}  # fmt: skip
# A mended word says less than one as typed; a longer phrase more than its words alone, a name of several
# words more than one of one word, and a field of several as much as a phrase.
MENDED, LONGER, LONG_NAME, LONG_FACT, WORD_FACT = 0.1, 0.02, 1, 1, 0.56
# Classes of words that say something of what follows.
MARKS = ("having", "relative", "purpose", "article", "concerning")


@dataclass(slots=True)
class Piece:
    """Some words beside each other, and what they are.

    ``said`` are the words of the field of a size, an order or a fact, none of a size without one; ``most``:
    an order shows the highest first. ``is_object``: something is done to it.
    """

    kind: PieceKind
    words: tuple[str, ...] = ()
    senses: tuple[Sense, ...] = ()
    tree: Tree | None = None
    said: tuple[str, ...] = ()
    bounds: Bounds = ()
    most: bool = True
    mended: str = ""
    mark: str = ""
    # What marks before it say of it, by the class of their words.
    marks: frozenset[str] = frozenset()
    is_beside: bool = False
    is_noun: bool = False
    is_object: bool = False

    @property
    def count(self) -> int:
        """Return how many words of it say something."""
        if self.kind == "mark" or not self.words:
            return 0
        return max(1, sum(word not in FILLERS for word in self.words))

    @property
    def value(self) -> float:
        """Return how much of it is understood."""
        share, is_long = BY_KIND.get(self.kind, 0.0), len(self.words) > 1
        if self.kind == "phrase":
            share = max(BY_SENSE[sense.kind] for sense in self.senses)
            if is_long and self.of("name", "verb"):
                share = max(share, LONG_NAME)
            if not is_long and self.words[0] in WORDS["playing"]:
                share = 0.02
        if self.kind == "fact" and is_long:
            share = LONG_FACT
        elif self.kind == "fact" and self.mark == "word":
            share = WORD_FACT
        return share * self.count + LONGER * (len(self.words) - 1) * (share > 0) - MENDED * bool(self.mended)

    def silence(self) -> None:
        """Let it say nothing more."""
        self.kind, self.mark, self.senses, self.said = "mark", "silent", (), ()

    def of(self, *kinds: SenseKind) -> list[Tree]:
        return [sense.tree for sense in self.senses if sense.kind in kinds]

    def after(self, *what: str) -> bool:
        """Say if a mark of one of these classes stands before it."""
        return not self.marks.isdisjoint(what)

    def terms(self, *kinds: SenseKind) -> list[Term]:
        """Return the terms in what it means."""
        return [leaf for tree in self.of(*kinds) for leaf in leaves(tree) if isinstance(leaf, Term)]


def marked_pieces(pieces: Sequence[Piece]) -> list[Piece]:
    """The pieces with what the marks before and behind them say; of the marks only "or" stays."""
    marked: list[Piece] = []
    marks, is_against = set[str](), False
    for at, piece in enumerate(pieces):
        word = piece.mark if piece.kind == "mark" else ""
        if not word or word in ("or", ","):
            piece.is_object = is_against and not word
            piece.is_beside = bool(marked) and pieces[at - 1] is marked[-1]
            if not word:
                piece.marks = frozenset(marks)
            if "and" in marks and marked and piece.of("type") and marked[-1].of("type"):
                marked.append(Piece("mark", ("and",), mark="or"))
            marks = set()
            marked.append(piece)
            continue
        if word in WORDS["negation"]:
            marks.add("negation")
            continue
        is_noun = word in WORDS["noun"]
        marks.update(what for what in MARKS if word in WORDS[what])
        if is_noun:
            marks.discard("article")
        if is_noun and marked:
            marked[-1].is_noun = True
        elif is_noun:
            marks.add("relative")
        if word == "and":
            # "Who can fight and drive", "with medical and computer".
            marks |= {"and", *(marked[-1].marks & {"relative", "having"} if marked else ())}
        is_against = is_against or word in WORDS["trigger"] or word in WORDS["against"]
        if word in WORDS["give"]:
            marked.append(piece)
    return marked
