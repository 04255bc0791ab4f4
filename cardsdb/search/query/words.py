"""Explain a query in an English clause, so that people see how it was understood.

Pages, the API and the command line show ``in_words`` beside the results. Negations follow the rules of
``matching``: "not known to be" where a card without the fact matches too. A new kind of nodes (``tree.py``)
needs a case in ``_clause``. Tests: the rows of ``tests/cardsdb/search/query/clauses.csv``, by
``test_check.py``.
"""

from collections.abc import Iterable

from cardsdb.games.kit import ENTRY_KINDS, spoken
from cardsdb.search.query.fields import Fields
from cardsdb.search.query.standard import COMPARISONS, YES, Field, folded, number, small
from cardsdb.search.query.tree import (
    And,
    AtLeast,
    Exact,
    Not,
    Or,
    Query,
    Regex,
    SortKey,
    Term,
    Tree,
    Versus,
    Word,
    slashed,
)

# Operator -> its words between a field and a number.
_COMPARED = {
    "=": "the same as",
    "!=": "other than",
    "<": "less than",
    "<=": "at most",
    ">": "more than",
    ">=": "at least",
}


def in_words(query: Query | Tree | None, fields: Fields) -> str:
    """Return the query as a clause: ``type is Agent, faction is The Krypt, and craft is at least 4``."""
    if isinstance(query, Query):
        clause = in_words(query.tree, fields)
        order = ", then ".join(_sorted_by(key, fields) for key in query.order)
        return f"{clause}, sorted by {order}" if order else clause
    return _clause(query, fields) if query else "every card"


def _sorted_by(order: SortKey, fields: Fields) -> str:
    """Return ``craft, highest first``, or only ``craft`` for an ascending order."""
    field, title = fields.get(order.key), _title_of(order.key, fields)
    if not order.descending:
        return title
    return f"{title}, {'highest first' if field and field.kind == 'number' else 'from the end'}"


def _clause(tree: Tree, fields: Fields, negated: bool = False) -> str:
    """Return the clause of a tree, or of its negation."""
    no = "not " if negated else ""
    match tree:
        case Word(value):
            return f"it {'does not mention' if negated else 'mentions'} “{value}”"
        case Exact(value):
            return f"the name is {no}exactly “{value}”"
        case Term():
            return _term(tree, fields, negated)
        case Regex(key, pattern):
            matches = "is not known to match" if negated else "matches"
            return f"{_title_of(key, fields)} {matches} {slashed(pattern)}"
        case Versus(left, op, right):
            known = f"{no}known to be " if negated else ""
            return f"{_title_of(left, fields)} is {known}{_COMPARED[op]} {_title_of(right, fields)}"
        case AtLeast(like=like):
            return f"it is {no}much like “{like}”"
        case Not(part) if isinstance(part, And | Or):
            return f"not ({_clause(part, fields)})"
        case Not(part):
            return _clause(part, fields, negated=True)
        case And(parts):
            clauses = (f"({_clause(p, fields)})" if isinstance(p, Or) else _clause(p, fields) for p in parts)
            return joined_clauses(clauses, "and")
        case Or(parts):
            return joined_clauses(_alternatives(parts, fields), "or")


def _alternatives(parts: tuple[Tree, ...], fields: Fields) -> list[str]:
    """Return a clause for each alternative. If they differ only in their values, all but the first are just
    values: ``["faction is Bloodvine", "The Krypt"]``.
    """
    clauses = [
        f"({_clause(part, fields)})" if isinstance(part, And) else _clause(part, fields) for part in parts
    ]
    first = parts[0]
    field = fields.get(first.key) if isinstance(first, Term) and first.op in (":", "=") else None
    value = _value(first, field, fields) if field and isinstance(first, Term) else None
    if not value:
        return clauses
    # The beginning that all must have: "faction is ".
    beginning = clauses[0].removesuffix(value)
    is_same = all(isinstance(part, Term) for part in parts) and all(c.startswith(beginning) for c in clauses)
    if not beginning or not is_same:
        return clauses
    return [clauses[0], *(clause.removeprefix(beginning) for clause in clauses[1:])]


def joined_clauses(clauses: Iterable[str], word: str) -> str:
    """Join clauses: ``a``; ``a and b``; ``a, b, and c``."""
    *first, last = clauses
    if not first:
        return last
    comma = "," if len(first) > 1 else ""
    return f"{', '.join(first)}{comma} {word} {last}"


def _term(term: Term, fields: Fields, negated: bool) -> str:
    """Return the clause of a term, or of its negation. The first case that fits words the term, so special
    cases stand before general ones. Examples, each with its negation (a minus before it):

        craft>=4         craft is at least 4                craft is not known to be at least 4
        type:agent       type is Agent                      type is not Agent
        type!=agent      type is not Agent                  type is Agent
        faction!=Krypt   faction is known and not “Krypt”   faction is unknown or “Krypt”
        traits:soldier   traits include Soldier             traits are not known to include Soldier
        is:unique        it is unique                       it is not known to be unique
        has:craft        craft is known                     craft is not known
        does:heal        it heals                           it is not known to heal
    """
    field = fields.get(term.key)
    if field is None:
        return f"{term.key} {term.op} {term.value}"
    # ``about``: of ``is:`` and ``has:``, the title of the field that they ask about.
    title, about = small(field.title), _title_of(term.value, fields)
    no, unknown = ("not ", "not known to be ") if negated else ("", "")
    if "disputed" in (field.word, folded(term.value) if field.kind == "has" else ""):
        return _disputed(term, field, fields, negated)
    if field.word == "text":
        return f"the effect {'does not mention' if negated else 'mentions'} “{term.value}”"
    if field.kind == "has":
        return f"{about} is {no}known"
    if field.kind == "is":
        return f"it is {unknown}{about}"
    if field.word == "entry" and folded(term.value) in ENTRY_KINDS:
        return f"it is {'not ' if negated != (term.op == '!=') else ''}a {folded(term.value)}"
    if term.op in COMPARISONS:
        return _is(title, f"{_COMPARED[term.op]} {number(term.value)}", field, negated)
    value = _value(term, field, fields)
    if value is None:
        return f"{title} {'does not contain' if negated else 'contains'} “{term.value}”"
    if term.op == "!=" and field.is_single:
        return f"{title} is {'' if negated else 'not '}{value}"
    if term.op == "!=":
        return f"{title} is {'unknown or ' if negated else 'known and not '}{value}"
    if field.word == "in":
        of_list = any(place.kind == "list" for place in field.asked(term.op, term.value))
        return f"it is {no}in the {value}" if of_list else f"it is {unknown}printed in {value}"
    if field.word == "does" and value[:1] != "“":
        return f"it is not known to {value}" if negated else f"it {spoken(value)}"
    if field.kind == "words":
        return f"{title} {'are not known to include' if negated else 'include'} {value}"
    return _is(title, value, field, negated)


def _disputed(term: Term, field: Field, fields: Fields, negated: bool) -> str:
    """Return the clause of ``has:disputed``, or of ``disputed:`` with a fact."""
    if field.kind == "has":
        return f"sources {'do not disagree' if negated else 'disagree'} about it"
    title = f"its {_title_of(term.value, fields)}"
    if term.op == "!=":
        return (
            f"sources do not disagree, or they disagree about {title}"
            if negated
            else f"sources disagree, but not about {title}"
        )
    return f"sources {'do not disagree' if negated else 'disagree'} about {title}"


def _is(title: str, value: str, field: Field, negated: bool) -> str:
    """Return ``craft is 4``. A negation says "not known to be", unless every card has a value of the
    field.
    """
    if not negated:
        return f"{title} is {value}"
    return f"{title} is not {'' if field.is_single else 'known to be '}{value}"


def _value(term: Term, field: Field, fields: Fields) -> str | None:
    """Return the one value that the term means, as shown to people: ``faction:krypt`` -> "The Krypt". Return
    the typed value in quotes if no such value is known, or None if the term means every value that contains
    it.
    """
    places = field.asked("=" if term.op == "!=" else term.op, term.value)
    for place in places:
        if place.kind == "number":
            return str(number(term.value))
        if place.kind == "flag":
            return "yes" if folded(term.value) in YES else "no"
    known = field.values
    shown = {known[value] for place in places for value in place.meant(term.op, term.value)}
    if len(shown) == 1:
        return shown.pop()
    whole = term.op != ":" or all(place.kind == "exact" for place in places)
    return f"“{term.value}”" if whole else None


def _title_of(key: str, fields: Fields) -> str:
    """Return a field's title as it stands inside a sentence, or the key if no field has it."""
    field = fields.get(key)
    return small(field.title) if field else key
