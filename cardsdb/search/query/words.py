"""Explain a query in an English clause, so that people see how it was understood.

Pages, the API and the command line show ``in_words`` beside the results. Negations follow the rules of
``matching``: "not known to be" where a card without the fact matches too. A new kind of nodes (``tree.py``)
needs a case in ``_clause``. Tests: the rows of ``tests/cardsdb/search/query/clauses.csv``, by
``test_check.py``.
"""

from collections.abc import Iterable
from itertools import chain

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
# Fields whose titles are no nouns -> the noun for what they ask about.
_NOUNS = {"does": "verbs", "target": "targets", "when": "moments"}


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
            title = _title_of(key, fields)
            matches = f"{_are(title)} not known to match" if negated else _verb(title, "match")
            return f"{title} {matches} {slashed(pattern)}"
        case Versus(left, op, right):
            known = f"{no}known to be " if negated else ""
            title = _title_of(left, fields)
            return f"{title} {_are(title)} {known}{_COMPARED[op]} {_title_of(right, fields)}"
        case AtLeast(like=like):
            return f"it is {no}much like “{like}”"
        case Not(part) if isinstance(part, And | Or):
            return f"not ({_clause(part, fields)})"
        case Not(part):
            return _clause(part, fields, negated=True)
        case And(parts):
            return joined_clauses((_in_brackets(part, Or, fields) for part in parts), "and")
        case Or(parts):
            return joined_clauses(_alternatives(parts, fields), "or")


def _in_brackets(part: Tree, kind: type[And | Or], fields: Fields) -> str:
    """Return the clause of a part, in brackets if it is of this kind."""
    clause = _clause(part, fields)
    return f"({clause})" if isinstance(part, kind) else clause


def _alternatives(parts: tuple[Tree, ...], fields: Fields) -> list[str]:
    """Return a clause for each alternative. If they differ only in their values, all but the first are just
    values: ``["faction is Bloodvine", "The Krypt"]``.
    """
    first_clause, *other_clauses = [_in_brackets(part, And, fields) for part in parts]
    beginning = _beginning(first_clause, parts[0], fields)
    are_terms = all(isinstance(part, Term) for part in parts)
    if beginning and are_terms and all(clause.startswith(beginning) for clause in other_clauses):
        other_clauses = [clause.removeprefix(beginning) for clause in other_clauses]
    return [first_clause, *other_clauses]


def _beginning(clause: str, part: Tree, fields: Fields) -> str:
    """Return the clause of a term without its value: "faction is " for "faction is Bloodvine". Empty for
    anything but a term that has one value.
    """
    field = fields.get(part.key) if isinstance(part, Term) else None
    if field is None or not isinstance(part, Term) or part.op not in (":", "="):
        return ""
    value = _value(part, field)
    return clause.removesuffix(value) if value else ""


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
        does:h           verbs contain “h”                  verbs do not contain “h”
    """
    field = fields.get(term.key)
    if field is None:
        return f"{term.key} {term.op} {term.value}"
    title = _title_of(term.key, fields)
    # The field that ``is:`` and ``has:`` ask about.
    title_of_value = _title_of(term.value, fields)
    no, not_known_to_be = ("not ", "not known to be ") if negated else ("", "")
    if field.kind == "has" and folded(term.value) == "disputed":
        return f"sources {'do not disagree' if negated else 'disagree'} about it"
    if field.word == "disputed":
        return _disputed(term.op, f"its {title_of_value}", negated)
    if field.word == "text":
        return f"the effect {'does not mention' if negated else 'mentions'} “{term.value}”"
    if field.kind == "has":
        return f"{title_of_value} {_are(title_of_value)} {no}known"
    if field.kind == "is":
        return f"it is {not_known_to_be}{title_of_value}"
    kinds = {place.kind for place in field.places_asked(term.op, term.value)}
    if kinds == {"flag"}:
        is_yes = (folded(term.value) in YES) == (term.op != "!=")
        return f"it is {not_known_to_be}{title}" if is_yes else f"it is {no}known not to be {title}"
    if field.word == "entry" and folded(term.value) in ENTRY_KINDS:
        excludes_kind = negated if term.op != "!=" else not negated
        return f"it is {'not ' if excludes_kind else ''}a {folded(term.value)}"
    if term.op in COMPARISONS:
        return _is(title, f"{_COMPARED[term.op]} {number(term.value)}", field, negated)
    value = _value(term, field)
    if field.word == "in":
        return _in(term, value or f"“{term.value}”", "list" in kinds, negated)
    if value is None:
        do = "do" if _is_plural(title) else "does"
        contain = f"{do} not contain" if negated else _verb(title, "contain")
        return f"{title} {contain} “{term.value}”"
    if term.op == "!=" and field.is_single:
        return f"{title} {_are(title)} {'' if negated else 'not '}{value}"
    if term.op == "!=":
        return f"{title} {_are(title)} {'unknown or ' if negated else 'known and not '}{value}"
    # A value in quotes is no verb that the game knows.
    if field.word == "does" and not value.startswith("“"):
        return f"it is not known to {value}" if negated else f"it {spoken(value)}"
    if field.kind == "words":
        include = f"{_are(title)} not known to include" if negated else _verb(title, "include")
        return f"{title} {include} {value}"
    return _is(title, value, field, negated)


def _in(term: Term, value: str, is_list: bool, negated: bool) -> str:
    """Return the clause of ``in:`` with a list of the visitor, or with a set or rarity."""
    if is_list:
        return f"it is {'not ' if negated != (term.op == '!=') else ''}in the {value}"
    if term.op == "!=":
        return f"it is printed in {value} or nowhere" if negated else f"it is printed, but not in {value}"
    return f"it is {'not known to be ' if negated else ''}printed in {value}"


def _disputed(op: str, fact: str, negated: bool) -> str:
    """Return the clause of ``disputed:`` with a fact, such as "its craft"."""
    if op != "!=":
        return f"sources {'do not disagree' if negated else 'disagree'} about {fact}"
    if negated:
        return f"sources do not disagree, or they disagree about {fact}"
    return f"sources disagree, but not about {fact}"


def _is(title: str, value: str, field: Field, negated: bool) -> str:
    """Return ``craft is 4``. A negation says "not known to be", unless every card has a value of the
    field.
    """
    if not negated:
        return f"{title} {_are(title)} {value}"
    return f"{title} {_are(title)} not {'' if field.is_single else 'known to be '}{value}"


def _value(term: Term, field: Field) -> str | None:
    """Return the one value that the term means, as shown to people, or the typed value in quotes if it is not
    among the known ones. Return None if the term means every value that contains the typed one.

        faction:krypt  The Krypt        faction=krypt  “krypt”        traits:s  None
    """
    places = field.places_asked("=" if term.op == "!=" else term.op, term.value)
    kinds = {place.kind for place in places}
    if "number" in kinds:
        return str(number(term.value))
    known = field.values
    values = chain.from_iterable(place.values_meant(term.op, term.value) for place in places)
    shown = {known[value] for value in values}
    if len(shown) == 1:
        return shown.pop()
    finds_parts = term.op == ":" and bool(kinds - {"exact"})
    return None if finds_parts else f"“{term.value}”"


def _title_of(key: str, fields: Fields) -> str:
    """Return a field's title as it stands inside a sentence, or the key if no field has it."""
    field = fields.get(key)
    return _NOUNS.get(field.word, small(field.title)) if field else key


def _are(title: str) -> str:
    return "are" if _is_plural(title) else "is"


def _verb(title: str, verb: str) -> str:
    """Return a verb as it stands behind a title: "traits contain", "faction contains"."""
    return verb if _is_plural(title) else spoken(verb)


def _is_plural(title: str) -> bool:
    """True for "traits" and "victory points", not for "charisma bonus" and "number of prints"."""
    noun = title.partition(" of ")[0]
    return noun.endswith("s") and not noun.endswith(("ss", "us", "is"))
