"""Read a query about decks: the grammar of the card search over another table of words.

Each part that makes sense becomes a ``Meant``: its condition on decks, and its words. A part that makes none is
dropped and reported with its columns, as on the card list; strict callers refuse a query that has ``faults``.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from cardsdb.games.kit.model.text import fold
from cardsdb.search.query.fields import Fields
from cardsdb.search.query.grammar import parse
from cardsdb.search.query.plainly import read_plainly
from cardsdb.search.query.suggest import alike
from cardsdb.search.query.tree import Exact, Problem, Query, Regex, SortKey, Span, Term, Tree, Word, leaves, limited, map_leaves, none_of
from decks.public.asking import Asking
from decks.public.fields import DECK_FIELDS, NESTING, SORTABLE, DeckField
from decks.public.meaning import meaning, named


@dataclass(frozen=True, slots=True)
class DeckQuery:
    """A query as understood. ``tree`` has ``Meant`` for leaves; None asks nothing, which every deck meets.

    ``words`` are the plain words that names are compared with, folded. ``looks_into_decks``: it is dear, and counted as work.
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
        """Nothing of it was understood: then no deck is what was asked for."""
        return self.tree is None and bool(self.faults)


def read(text: str, asking: Asking) -> DeckQuery:
    """The query as this visitor asks it. Costs a query for each card that it names."""
    query = parse(text, NESTING)
    plain, plainly = read_plainly(query, DECK_FIELDS)
    reader = _Reader(query, asking)
    tree = map_leaves(plain, reader.meant)
    order = tuple(reader.orders())
    problems = limited((*plainly, *reader.problems))
    asks_verdict = any(leaf.is_verdict for leaf in leaves(tree))
    # What is looked for in names; not what is excluded.
    words = fold(" ".join(leaf.word for leaf in leaves(tree, excluded=False) if leaf.word))
    return DeckQuery(text, tree, problems, order, words, asks_verdict, asking.looks_into_decks)


class _Reader:
    def __init__(self, query: Query, asking: Asking) -> None:
        self._query = query
        self._asking = asking
        self.problems: list[Problem] = []

    def meant(self, leaf: Tree) -> Tree | None:
        match leaf:
            case Word(value) | Exact(value):
                if fold(value):
                    return named(value, isinstance(leaf, Exact), leaf.span)
                self._problem("bad-value", "Nothing is left of this that could be looked for.", leaf.span, "")
            case Term():
                return self._term(leaf)
            case Regex():
                message = "Decks are not searched by regular expressions; the cards in them are, as in deck:[name:/^the/]."
                self._problem("wrong-operator", message, leaf.span, "")
            case _:  # Only the check of card queries makes other leaves.
                raise ValueError(f"no query of decks has {leaf!r}")
        return None

    def _term(self, term: Term) -> Tree | None:
        field = DECK_FIELDS.get(term.key)
        if field is None:
            self.problems.append(self._unknown_field(term))
            return None
        if term.op not in field.operators:
            between = Span(term.key_span.end, term.value_span.start)
            message = f"“{field.word}” takes {' '.join(field.operators)}, not {term.op}."
            self._problem("wrong-operator", message, between, *field.operators[:2])
            return None
        typed = self._query.text[term.value_span.start : term.value_span.end]
        found = meaning(replace(term, key=field.word), field, typed, self._asking)
        self.problems += found.problems
        return none_of(found.meant, term.span.start) if found.meant and field.word == "not" else found.meant

    def _unknown_field(self, term: Term) -> Problem:
        """A word of the card search is told where it belongs."""
        cards: Fields = self._asking.cards
        typed = self._query.text[term.span.start : term.span.end]
        if of_cards := cards.get(term.key):
            message = f"“{of_cards.title}” is said of cards, not of decks. What a deck holds is asked in brackets."
            return Problem("unknown-field", message, *term.span, (f"deck:[{typed}]",))
        message = f"No field of decks is called “{term.key}”."
        return Problem("unknown-field", message, *term.key_span, alike(term.key, DECK_FIELDS.spellings))

    def orders(self) -> Iterator[SortKey]:
        for one in self._query.order:
            field: DeckField | None = DECK_FIELDS.get(one.key)
            key = field.word if field else one.key
            if key in SORTABLE:
                yield replace(one, key=key)
                continue
            message = f"Decks are not sorted by “{one.key}”. They are by {', '.join(SORTABLE)}."
            self._problem("not-sortable", message, one.span, *alike(one.key, {word: word for word in SORTABLE}))

    def _problem(self, code: str, message: str, span: Span, *suggestions: str) -> None:
        self.problems.append(Problem(code, message, *span, suggestions))
