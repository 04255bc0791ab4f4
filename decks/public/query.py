"""A query about decks: the card search's language over another table of words.

Each part that is understood becomes a ``Clause``: its condition on decks, and its words. Any other part is
dropped and reported with its columns, as on the card list; strict callers refuse a query that has ``faults``.
"""

from __future__ import annotations

from dataclasses import dataclass

from cardsdb.games.kit.model.text import fold
from cardsdb.search.query.check import Checked, Checker, alike
from cardsdb.search.query.grammar import parse
from cardsdb.search.query.tree import (
    And,
    Exact,
    Not,
    Or,
    Problem,
    Regex,
    SortKey,
    Term,
    Tree,
    Word,
    leaves,
    none_of,
)
from cardsdb.search.query.words import joined_clauses
from decks.public.clauses import Asker, Clause, clause_for, name_clause
from decks.public.fields import DECK_FIELDS, NESTING, SORTABLE, DeckField


@dataclass(frozen=True, slots=True)
class DeckQuery:
    """A query as understood. ``tree`` has clauses for leaves; None, which every deck meets, asks for nothing.

    ``words``: the folded words that names are compared with. ``looks_into_decks``: it is expensive, and
    counted as work.
    """

    text: str
    tree: Tree | None = None
    problems: tuple[Problem, ...] = ()
    order: tuple[SortKey, ...] = ()
    words: str = ""
    asks_verdict: bool = False
    looks_into_decks: bool = False

    @property
    def faults(self) -> tuple[Problem, ...]:
        """The problems for which a strict caller refuses the query."""
        return tuple(problem for problem in self.problems if not problem.advice)

    @property
    def is_lost(self) -> bool:
        """Whether nothing of it was understood, so that it finds no deck."""
        return self.tree is None and bool(self.faults)


def parse_deck_query(text: str, asker: Asker) -> DeckQuery:
    """The query as this viewer asks it. Costs a database query for each card that it names."""
    query = DeckChecker(asker).check(parse(text, NESTING))
    asks_verdict = any(leaf.is_verdict for leaf in leaves(query.tree))
    # Only what names shall contain, not what they shall not.
    words = fold(" ".join(leaf.word for leaf in leaves(query.tree, excluded=False) if leaf.word))
    return DeckQuery(
        text, query.tree, query.problems, query.order, words, asks_verdict, asker.looks_into_decks
    )


class DeckChecker(Checker[DeckField]):
    """Makes clauses of the parts of a query about decks."""

    def __init__(self, asker: Asker) -> None:
        super().__init__(DECK_FIELDS)
        self._asker = asker

    def words(self, leaf: Word | Exact) -> Tree:
        """The clause of a name, or of a part of one."""
        return name_clause(leaf.value, isinstance(leaf, Exact), leaf.span)

    def term(self, term: Term, field: DeckField) -> Checked:
        """The clause of a term, and what is wrong with it."""
        clause, problems = clause_for(term, field, self.typed(term.value_span), self._asker)
        return none_of(clause, term.span.start) if clause and field.word == "not" else clause, problems

    def regex(self, regex: Regex) -> Checked:
        """The problem that names of decks are not matched."""
        message = (
            "Decks are not searched by regular expressions; the cards in them are, as in deck:[name:/^the/]."
        )
        return None, (Problem("wrong-operator", message, *regex.span, ("",)),)

    def unknown_field(self, leaf: Term) -> Problem:
        """The problem of a word that is no field of decks; a field of cards is suggested in brackets."""
        if of_cards := self._asker.cards.get(leaf.key):
            message = (
                f"“{of_cards.title}” is said of cards, not of decks. What a deck holds is asked in brackets."
            )
            return Problem("unknown-field", message, *leaf.span, (f"deck:[{self.typed(leaf.span)}]",))
        message = f"No field of decks is called “{leaf.key}”."
        return Problem("unknown-field", message, *leaf.key_span, alike(leaf.key, DECK_FIELDS.spellings))

    def sorted_by(self, word: str) -> str:
        """The word of what decks are sorted by, empty where they cannot be."""
        field = DECK_FIELDS.get(word)
        meant = field.word if field else word
        return meant if meant in SORTABLE else ""

    def not_sortable(self, order: SortKey) -> Problem:
        """The problem of an order that decks do not have."""
        message = f"Decks are not sorted by “{order.key}”. They are by {', '.join(SORTABLE)}."
        return Problem("not-sortable", message, *order.span, alike(order.key, SORTABLE))


# -- in words ----------------------------------------------------------------------------


def in_words(tree: Tree | None, has_own: bool) -> str:
    """The query in words: ``Public Spycraft decks that are legal in Agency Deck and use Kai``. ``has_own``:
    with the viewer's own decks.
    """
    parts = list(tree.parts) if isinstance(tree, And) else [tree] if tree else []
    # The game that all decks must be for stands before “decks”.
    games = [part for part in parts if isinstance(part, Clause) and part.game]
    rest = [part for part in parts if part not in games] if len(games) == 1 else parts
    of = f"{games[0].game} " if len(games) == 1 else ""
    subject = f"Public {of}decks{', and yours,' if has_own else ''}"
    if not rest:
        return subject.rstrip(",")
    clauses = [_in_words(part) for part in rest]
    if len(clauses) == 1:
        clauses = [clauses[0][1:-1] if clauses[0].startswith("(") else clauses[0]]
    return f"{subject} that {joined_clauses(clauses, 'and')}"


def _in_words(tree: Tree, negated: bool = False) -> str:
    match tree:
        case Not(part):
            return _in_words(part, not negated)
        case And(parts) | Or(parts):
            # Not all: one or another not. Not any: each of them not.
            word = "and" if isinstance(tree, And) != negated else "or"
            return f"({joined_clauses([_in_words(part, negated) for part in parts], word)})"
        case Clause():
            return tree.opposite if negated else tree.phrase
    raise ValueError(f"no query of decks has {tree!r}")
