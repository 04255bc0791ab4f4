"""A query about decks: the card search's language over another table of words.

Each part that is understood becomes a ``Clause``: its condition on decks, and its words. Any other part is
dropped and reported with its columns, as on the card list; strict callers refuse a query that has ``faults``.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from cardsdb.games.kit.model.text import fold
from cardsdb.search.query.grammar import parse
from cardsdb.search.query.plain_english import read_plain_english
from cardsdb.search.query.suggest import alike, nothing_to_find, wrong_operator
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
    limited,
    map_leaves,
    none_of,
)
from cardsdb.search.query.words import joined_clauses
from decks.public.clauses import Asker, Clause, clause_for, name_clause
from decks.public.fields import DECK_FIELDS, NESTING, SORTABLE


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
    query = parse(text, NESTING)
    plain, advice = read_plain_english(query, DECK_FIELDS)
    problems = list(advice)

    def clause(leaf: Tree) -> Tree | None:
        result, wrong = _clause_of(leaf, query.text, asker)
        problems.extend(wrong)
        return result

    tree = map_leaves(plain, clause)
    order: list[SortKey] = []
    for key in query.order:
        field = DECK_FIELDS.get(key.key)
        word = field.word if field else key.key
        if word in SORTABLE:
            order.append(replace(key, key=word))
        else:
            message = f"Decks are not sorted by “{key.key}”. They are by {', '.join(SORTABLE)}."
            problems.append(
                Problem("not-sortable", message, *key.span, alike(key.key, {word: word for word in SORTABLE}))
            )
    asks_verdict = any(leaf.is_verdict for leaf in leaves(tree))
    # Only what names shall contain, not what they shall not.
    words = fold(" ".join(leaf.word for leaf in leaves(tree, excluded=False) if leaf.word))
    return DeckQuery(text, tree, limited(problems), tuple(order), words, asks_verdict, asker.looks_into_decks)


def _clause_of(leaf: Tree, text: str, asker: Asker) -> tuple[Tree | None, tuple[Problem, ...]]:
    match leaf:
        case Word(value) | Exact(value) if fold(value):
            return name_clause(value, isinstance(leaf, Exact), leaf.span), ()
        case Word() | Exact():
            return None, (nothing_to_find(leaf),)
        case Regex():
            message = (
                "Decks are not searched by regular expressions; the cards in them are, as in"
                " deck:[name:/^the/]."
            )
            return None, (Problem("wrong-operator", message, *leaf.span, ("",)),)
        case Term():
            return _clause_of_term(leaf, text, asker)
    # Only the check of card queries makes other leaves.
    raise ValueError(f"no query of decks has {leaf!r}")


def _clause_of_term(term: Term, text: str, asker: Asker) -> tuple[Tree | None, tuple[Problem, ...]]:
    field = DECK_FIELDS.get(term.key)
    if field is None:
        return None, (_unknown_field(term, text, asker),)
    if term.op not in field.operators:
        return None, (wrong_operator(term, field),)
    typed = text[term.value_span.start : term.value_span.end]
    clause, problems = clause_for(replace(term, key=field.word), field, typed, asker)
    return none_of(clause, term.span.start) if clause and field.word == "not" else clause, problems


def _unknown_field(term: Term, text: str, asker: Asker) -> Problem:
    """The problem of a word that is no field of decks; a field of cards is suggested in brackets."""
    if of_cards := asker.cards.get(term.key):
        message = (
            f"“{of_cards.title}” is said of cards, not of decks. What a deck holds is asked in brackets."
        )
        return Problem(
            "unknown-field", message, *term.span, (f"deck:[{text[term.span.start : term.span.end]}]",)
        )
    message = f"No field of decks is called “{term.key}”."
    return Problem("unknown-field", message, *term.key_span, alike(term.key, DECK_FIELDS.spellings))


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
