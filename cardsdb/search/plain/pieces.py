"""A piece of a question: one or more adjacent words with one role, such as a size or a phrase of the game.

``patterns.Cutter`` makes pieces and takes the cut with the highest total ``value``; ``marked_pieces`` then
attaches small words ("with", "not", "that") to the pieces that follow; ``reading`` combines the pieces. To
add a kind of pieces: add it to ``PieceKind`` and ``BY_KIND``, and its condition to ``Facts.condition``.

The numbers here decide how words are cut and rank readings. They were tuned to the tables of
``tests/cardsdb/search/test_ask.py``, which fail if a change makes answers worse; what marks do is tested in
``tests/cardsdb/search/plain/test_pieces.py``. ``Sense`` is defined in ``vocabulary``, ``Bounds`` in
``query/english.py``, ``Tree`` in ``query/tree.py``.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from cardsdb.search.plain.vocabulary import Sense, SenseKind
from cardsdb.search.query.english import FILLERS, WORDS, Bounds
from cardsdb.search.query.tree import Term, Tree, leaves

# Kinds of pieces, with an example of each.
#   condition  a condition of the search language, or two words that make one: "faction krypt"
#   phrase     a phrase of the game's vocabulary: "leaders"
#   size       a number, with its field or without one: "level 1", "worth 4 or more"
#   fact       a field alone: "medical"
#   order      a field to sort by: "highest combat"
#   praise     an order without a field: "best"
#   count      a number that belongs to nothing else
#   word       a word of some card's text
#   unknown    a word that no card has
#   mark       a small word that qualifies the pieces around it: "not"
PieceKind = Literal[
    "condition", "phrase", "size", "fact", "order", "praise", "count", "word", "unknown", "mark"
]
# The share to which each word of a piece is understood: for phrases by sense, for others by kind.
BY_SENSE: dict[SenseKind, float] = {
    "game": 1, "set": 1, "type": 1, "value": 1, "flag": 1, "verb": 0.95, "moment": 0.9, "target": 0.85,
    "part": 0.7, "name": 0.5,
}  # fmt: skip
BY_KIND: dict[PieceKind, float] = {
    "condition": 1, "size": 1, "order": 0.95, "fact": 0.8, "praise": 0.6, "word": 0.55,
    "count": 0, "unknown": 0, "mark": 0,
}  # fmt: skip
# Shares in place of those above. A name or verb of several words is hardly ever meant otherwise:
LONG_NAME = 1
# A field of several words, such as "victory points".
LONG_FACT = 1
# A single field that is no number, little more than any word: "trait" may be part of a text.
WORD_FACT = 0.56
# A single word of playing, such as "use", which may mean nothing.
PLAYING = 0.02
# Added to the value of a piece for each word behind its first, so that of equal cuts that of longer pieces
# wins.
LONGER = 0.02
# Deducted from the value of a piece whose spelling was corrected.
MENDED = 0.1
# Roles of small words (``english.toml``) that qualify the piece behind them.
MARKS = ("having", "relative", "purpose", "article", "concerning")


@dataclass(slots=True, eq=False)
class Piece:
    """Some adjacent words of a question, and their role. Two pieces are never equal, even of the same words.

    ``patterns`` fills the fields down to ``mark``, ``marked_pieces`` the rest. ``roles`` and ``facts`` change
    copies of the pieces of a question, so that it can be read in another way again.
    """

    kind: PieceKind
    words: tuple[str, ...] = ()
    # The possible meanings of a phrase.
    senses: tuple[Sense, ...] = ()
    # The meaning of a condition or a word.
    tree: Tree | None = None
    # The words of the field of a size, an order or a fact; empty for a size without a field.
    field_words: tuple[str, ...] = ()
    # The bounds of a size or a count.
    bounds: Bounds = ()
    # True if an order or praise asks for the highest first.
    most: bool = True
    # The corrected spelling of a misspelt word.
    mended: str = ""
    # The small word of a mark; "sort" for a typed order, "word" for a fact that is no number.
    mark: str = ""
    # The roles of the small words before it.
    marks: frozenset[str] = frozenset()
    # True if it directly follows another piece.
    is_beside: bool = False
    # True if a noun such as "cards" follows it.
    is_noun: bool = False
    # True if it is the object of a verb, as "agents" in "heal agents".
    is_object: bool = False

    @property
    def count(self) -> int:
        """The number of its words that carry meaning."""
        if self.kind == "mark" or not self.words:
            return 0
        return max(1, sum(word not in FILLERS for word in self.words))

    @property
    def value(self) -> float:
        """The degree to which it is understood: about 1 for each word."""
        if not (share := self._share):
            return 0.0
        # A condition that was typed in the search language has no words.
        longer = LONGER * max(0, len(self.words) - 1)
        return share * self.count + longer - (MENDED if self.mended else 0)

    @property
    def _share(self) -> float:
        """The share to which each of its words is understood."""
        is_long = len(self.words) > 1
        if self.kind == "fact" and is_long:
            return LONG_FACT
        if self.kind == "fact" and self.mark == "word":
            return WORD_FACT
        if self.kind != "phrase":
            return BY_KIND[self.kind]
        if not is_long and self.words[0] in WORDS["playing"]:
            return PLAYING
        if is_long and self.of("name", "verb"):
            return LONG_NAME
        return max(BY_SENSE[sense.kind] for sense in self.senses)

    def silence(self) -> None:
        """Turn it into a mark without meaning."""
        self.kind, self.mark, self.senses, self.field_words = "mark", "silent", (), ()

    def of(self, *kinds: SenseKind) -> list[Tree]:
        """Return the trees of its senses of these kinds."""
        return [sense.tree for sense in self.senses if sense.kind in kinds]

    def after(self, *roles: str) -> bool:
        """True if a small word with one of these roles stands before it."""
        return not self.marks.isdisjoint(roles)

    def terms(self, *kinds: SenseKind) -> list[Term]:
        """Return the terms in its senses of these kinds."""
        return [leaf for tree in self.of(*kinds) for leaf in leaves(tree) if isinstance(leaf, Term)]


def marked_pieces(pieces: Sequence[Piece]) -> list[Piece]:
    """Attach small words to the pieces around them. Only "or", commas and verbs of giving stay as pieces.

    agents that heal          agents; heal (marks: relative)
    gear for agents           gear; agents (marks: purpose)
    not krypt agents          krypt (marks: negation); agents (is_beside)
    agents and leaders        agents; or; leaders (marks: and)
    wound cards               wound (is_noun)
    when agents are wounded   agents (is_object); wounded (is_object)
    """
    marked: list[Piece] = []
    # The roles of the small words since the last piece.
    roles = set[str]()
    # True behind a word such as "when" or "against", up to the end: what is named there is acted on.
    is_against = False
    for at, piece in enumerate(pieces):
        is_mark = piece.kind == "mark"
        if is_mark and piece.mark not in ("or", ","):
            # A small word: its roles wait for the piece behind it.
            _add_roles(piece.mark, roles, marked)
            is_against |= piece.mark in (*WORDS["trigger"], *WORDS["against"])
            if piece.mark in WORDS["give"]:
                marked.append(piece)
            continue
        if not is_mark:
            piece.marks, piece.is_object = frozenset(roles), is_against
            # Nothing was left out between it and the piece before it.
            piece.is_beside = bool(marked) and pieces[at - 1] is marked[-1]
            # "Agents and leaders" are cards of either type.
            if "and" in roles and marked and piece.of("type") and marked[-1].of("type"):
                marked.append(Piece("mark", ("and",), mark="or"))
        # The roles have found their piece; an "or" or a comma ends them too.
        roles.clear()
        if piece.mark == "or" and marked and marked[-1].mark == ",":
            # "Medic, or snoop" has one joint.
            marked.pop()
        marked.append(piece)
    return marked


def _add_roles(word: str, roles: set[str], marked: Sequence[Piece]) -> None:
    """Add the roles of a small word for the piece behind it. A noun such as "cards" also marks the piece
    before it, the last of ``marked``.
    """
    if word in WORDS["negation"]:
        # A "non" is told from a "not" by its own word.
        roles.update(("negation", word))
        return
    roles.update(role for role in MARKS if word in WORDS[role])
    if word in WORDS["noun"]:
        roles.discard("article")
        if marked:
            marked[-1].is_noun = True
        else:
            # "Cards heal" at the beginning is like "that heal".
            roles.add("relative")
    if word == "and":
        # The words before the first part apply to the second too: "with medical and computer".
        roles |= {"and", *(marked[-1].marks & {"relative", "having"} if marked else ())}
