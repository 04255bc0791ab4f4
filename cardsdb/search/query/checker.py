"""The part of checking that all kinds of searches share: ``CardChecker`` (``check.py``) checks queries of
cards, and ``decks/public/query.py`` has the checker of decks.

The result is a query of which every part can be answered: faulty parts are dropped and reported, field
spellings normalised. The nodes and ``Problem`` are defined in ``tree.py``. Tests:
``tests/cardsdb/search/query/test_check.py``, and for decks ``tests/decks/public/test_query.py``.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import replace

from cardsdb.games.kit import fold
from cardsdb.games.kit.model.likeness import alike as texts_alike
from cardsdb.search.query.english import Bounds, amount_at, parts_of_size
from cardsdb.search.query.fields import Table
from cardsdb.search.query.grammar import parse
from cardsdb.search.query.scanner import MINUSES
from cardsdb.search.query.standard import Field
from cardsdb.search.query.tree import (
    And,
    Exact,
    Problem,
    Problems,
    Query,
    Regex,
    SortKey,
    Span,
    Term,
    Tree,
    Word,
    all_of,
    limited,
    map_leaves,
    normal,
)

# Minimum likeness of a suggestion, in per cent.
LIKENESS = 60
# Suggestions of one problem.
MAX_SUGGESTIONS = 3


class NotUnderstood(Exception):
    """A part of a query cannot be answered. ``problems`` says why."""

    def __init__(self, *problems: Problem) -> None:
        super().__init__(problems)
        self.problems = problems


def fault(code: str, message: str, span: Span, *suggestions: str) -> NotUnderstood:
    """Return an exception with one problem, for the caller to raise."""
    return NotUnderstood(Problem(code, message, *span, suggestions))


def nothing_to_find(leaf: Word | Exact | Term) -> NotUnderstood:
    """Return the fault of a word or value that is empty after folding, such as a lone accent."""
    return fault("bad-value", "This has no letters or digits to look for.", leaf.span, "")


class Checker:
    """Checks one query against a table of fields.

    Subclasses define what is particular to cards or decks: ``words``, ``term``, ``regex``, ``unknown_field``,
    ``sorted_by``, ``advise_on``. These raise ``NotUnderstood`` for a part that cannot be answered, and call
    ``advise`` for one that can.
    """

    def __init__(self, fields: Table) -> None:
        self.fields = fields
        self.problems = Problems()
        self._text = ""

    def typed(self, span: Span) -> str:
        """Return the exact typed text of a span."""
        return self._text[span.start : span.end]

    def check(self, text: str) -> Query:
        """Parse and check a text. Return the query as understood, with every problem."""
        self._text = text
        query = parse(text, self.fields.nesting, self.fields.by_spelling)
        self.problems += query.problems
        tree = map_leaves(query.tree, self._understood)
        self.advise_on(tree)
        order: dict[str, SortKey] = {}
        for key in query.order:
            try:
                word = self.sorted_by(key)
            except NotUnderstood as wrong:
                self.problems += wrong.problems
            else:
                order.setdefault(word, replace(key, key=word))
        return Query(tree, limited(self.problems), tuple(order.values()), text)

    def advise(self, code: str, message: str, span: Span, *suggestions: str) -> None:
        """Add advice: a problem with a part that is valid but probably not meant."""
        self.problems.add(code, message, span, *suggestions, advice=True)

    def _understood(self, leaf: Tree) -> Tree | None:
        """Return the checked form of a leaf; None if it cannot be answered, which is reported."""
        try:
            return self._leaf(leaf)
        except NotUnderstood as wrong:
            self.problems += wrong.problems
            return None

    def _leaf(self, leaf: Tree) -> Tree | None:
        """Return the checked form of a leaf, or None. Raises NotUnderstood."""
        match leaf:
            case Term():
                field = self.fields.get(leaf.key)
                if field is None:
                    raise self.unknown_field(leaf)
                if leaf.op in field.operators:
                    return self._term(replace(leaf, key=field.word), field)
                message = f"“{field.word}” takes {' '.join(field.operators)}, not {leaf.op}."
                between = Span(leaf.key_span.end, leaf.value_span.start)
                raise fault("wrong-operator", message, between, *field.operators[:2])
            case Regex():
                return self.regex(leaf)
            case Word(value) | Exact(value):
                if not fold(value):
                    raise nothing_to_find(leaf)
                # Words match anywhere in a word, so a trailing star adds nothing. In quotes it is literal.
                plain = value.rstrip("*") if self.typed(leaf.span) == value else ""
                return self.words(replace(leaf, value=plain or value))
        return leaf

    def _term(self, term: Term, field: Field) -> Tree | None:
        """Check a term whose field takes its operator. ``craft:4+`` and ``craft:3-5`` become comparisons.
        Advice tells how these were read, and how a term with a space after its colon was.
        """
        is_number = not term.in_quotes and all(place.kind == "number" for place in field.places)
        sizes = _sizes_of(term) if is_number else ()
        meant = all_of(replace(term, op=op, value=number) for op, number in sizes) or term
        if sizes or (term.op == ":" and self._text[term.value_span.start - 1].isspace()):
            read = normal(meant)
            code = "read-as-comparison" if sizes else "space-after-colon"
            message = (
                f"“{self.typed(term.span)}” is read as {read}. To look for it as words, put it in quotes."
            )
            # A minus applies only to the condition directly behind it: ``-craft:3-5`` is read as
            # ``-(craft>=3 craft<=5)``.
            is_excluded = self._text[: term.span.start].endswith(tuple(MINUSES))
            instead = f"({read})" if is_excluded and isinstance(meant, And) else read
            self.advise(code, message, term.span, instead)
        return map_leaves(meant, lambda part: self.term(part, field))

    def words(self, leaf: Word | Exact) -> Tree:
        """Return the checked form of a word, phrase or whole name."""
        return leaf

    def term(self, term: Term, field: Field) -> Tree | None:
        """Return the checked form of a term. ``field`` is its field, which takes its operator."""
        raise NotImplementedError

    def regex(self, regex: Regex) -> Tree:
        """Return the checked form of a regular expression."""
        raise NotImplementedError

    def unknown_field(self, leaf: Term) -> NotUnderstood:
        """Return the fault of a term whose key is no field."""
        raise NotImplementedError

    def sorted_by(self, order: SortKey) -> str:
        """Return the word of the field to sort by."""
        raise NotImplementedError

    def advise_on(self, tree: Tree | None) -> None:
        """Add advice on the checked tree as a whole."""


def _sizes_of(term: Term) -> Bounds:
    """Return the bounds that a value such as ``4+``, ``3-5`` or ``4,`` states; none for any other value:
    ``craft:3-5`` -> ((">=", "3"), ("<=", "5")), and ``craft>4,`` -> ((">", "4"),).
    """
    value = term.value
    # A comma or semicolon behind a number belongs to the sentence.
    if value[-1] in ",;" and value.isascii() and value[:-1].isdecimal():
        return ((term.op, value[:-1]),)
    parts = parts_of_size(value) if term.op in (":", "=") else ()
    sizes, taken = amount_at(parts, 0) if len(parts) > 1 else ((), 0)
    return sizes if taken == len(parts) else ()


def alike(typed: str, known: Mapping[str, str] | Iterable[str]) -> tuple[str, ...]:
    """Return the known values that are most like the typed one, or have a word like it, best first.

    ``known`` maps folded values to values as shown; the shown ones are returned.
    """
    shown = known if isinstance(known, Mapping) else {value: value for value in known}
    # Folded value, or word of one -> the values as shown: "the krypt", "the" and "krypt" -> {"The Krypt"}.
    by_part: dict[str, set[str]] = defaultdict(set)
    for value, as_shown in shown.items():
        for part in (value, *value.split()):
            by_part[part].add(as_shown)
    near = texts_alike(fold(typed), by_part, likeness=LIKENESS)
    return tuple(dict.fromkeys(value for part in near for value in sorted(by_part[part])))[:MAX_SUGGESTIONS]
