"""Turn a tree into one database condition, after checking it against the fields.

Two rules of meaning. A fact that nobody states satisfies no comparison: ``craft<3`` and
``craft!=3`` find only cards whose craft is known. A minus means "not known to be so":
``-craft>=4`` finds every card but those known to have 4 or more. Negation is carried down
to the terms, where each kind of term knows its opposite, because SQL would drop the cards
that lack the fact.

A field with several values (traits, or the sets of several prints) matches if one of them
does; ``set:on rarity:rare`` may be met by two different prints.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import reduce
from operator import and_, or_
from typing import Any

from django.db.models import Q
from rapidfuzz import fuzz

from cardsdb.games.kit import Game
from cardsdb.games.kit.cards import fold
from cardsdb.search.fields import COMPARISONS, NO, YES, Field, Fields, Place, fields_of, folded, number, search_columns
from cardsdb.search.grammar import parse
from cardsdb.search.tree import (
    And,
    Exact,
    Not,
    Or,
    Problem,
    Query,
    Span,
    Term,
    Tree,
    Word,
    all_of,
    any_of,
    limited,
    none_of,
    normal,
    tree_json,
    written,
)
from cardsdb.search.words import in_words

__all__ = ["Field", "Fields", "check", "explain", "fields_of", "in_words", "search_columns", "to_q"]

MAX_SUGGESTIONS = 3
# How alike a suggestion must be, in hundredths.
LIKENESS = 60
# So many values as conditions of their own; a pattern is shorter beyond, and no limit of SQLite comes near.
MAX_VALUES = 20


def explain(text: str, games: Iterable[Game]) -> dict[str, Any]:
    """How a query is understood: as the API and the command line say it."""
    fields = fields_of(tuple(games))
    query = check(parse(text), fields)
    return {
        "normal": normal(query.tree),
        "words": in_words(query.tree, fields),
        "tree": tree_json(query.tree),
        "problems": [problem.as_json() for problem in query.problems],
    }


# -- checking -----------------------------------------------------------------------


def check(query: Query, fields: Fields) -> Query:
    """The query without the terms that these fields cannot answer, each reported."""
    problems = list(query.problems)

    def kept(tree: Tree | None) -> Tree | None:
        match tree:
            case None:
                return None
            case And(parts):
                return all_of(kept(part) for part in parts)
            case Or(parts):
                return any_of(kept(part) for part in parts)
            case Not(part):
                inner = kept(part)
                return none_of(inner, tree.span.start) if inner else None
            case Term():
                found = _term_problems(tree, fields)
            case Word(value) | Exact(value):
                found = () if fold(value) else (_nothing_to_find(tree),)
        problems.extend(found)
        if any(not problem.advice for problem in found):
            return None
        if isinstance(tree, Term) and (field := fields.get(tree.key)):
            return replace(tree, key=field.word)
        return tree

    return Query(kept(query.tree), limited(problems))


def _term_problems(term: Term, fields: Fields) -> tuple[Problem, ...]:
    field = fields.get(term.key)
    if field is None:
        return (_problem("unknown-field", f"No field is called “{term.key}”.", term.key_span, *_alike(term.key, fields.spellings)),)
    if term.op not in field.operators:
        between = Span(term.key_span.end, term.value_span.start)
        message = f"“{field.word}” takes {' '.join(field.operators)}, not {term.op}."
        return (_problem("wrong-operator", message, between, *field.operators[:2]),)
    if field.kind in ("is", "has"):
        return () if _asked(field, term.value, fields) else (_no_such_fact(term, field, fields),)
    places = fields.places(field, term.op, term.value)
    if not places:
        return (_bad_value(term, field),)
    known = fields.values(field)
    if not known or any(place.is_open or fields.meant(place, term.op, term.value) for place in places):
        return ()
    # A value that no card has is a good question with an empty answer, and most often a slip.
    suggestions = tuple(written(value) for value in _alike(term.value, known))
    return (_problem("unknown-value", f"{field.title}: no card has “{term.value}”.", term.value_span, *suggestions, advice=True),)


def _no_such_fact(term: Term, field: Field, fields: Fields) -> Problem:
    words = {word: word for word in fields.askable(field.kind)}
    what = "flag" if field.kind == "is" else "fact"
    return _problem("bad-value", f"No {what} is called “{term.value}”.", term.value_span, *_alike(term.value, words))


def _bad_value(term: Term, field: Field) -> Problem:
    kinds = {place.kind for place in field.places}
    if "number" in kinds:
        return _problem("bad-value", f"{field.title} is compared with a whole number, not with “{term.value}”.", term.value_span)
    if "flag" in kinds:
        return _problem("bad-value", f"{field.title} is yes or no, not “{term.value}”.", term.value_span, YES[0], NO[0])
    return _nothing_to_find(term)


def _nothing_to_find(leaf: Word | Exact | Term) -> Problem:
    return _problem("bad-value", "Nothing is left of this that could be looked for.", leaf.span, "")


def _problem(code: str, message: str, span: Span, *suggestions: str, advice: bool = False) -> Problem:
    return Problem(code, message, *span, suggestions, advice)


def _alike(typed: str, known: Mapping[str, str]) -> tuple[str, ...]:
    """What is shown for the known values most like the typed one, or like a word of theirs; best first."""
    wanted = fold(typed)
    scores: dict[str, float] = {}
    for value, shown in known.items():
        score = max(fuzz.ratio(wanted, part) for part in (value, *value.split()))
        if score >= LIKENESS:
            scores[shown] = max(score, scores.get(shown, 0))
    return tuple(sorted(scores, key=lambda shown: (-scores[shown], shown))[:MAX_SUGGESTIONS])


# -- compiling ----------------------------------------------------------------------


def to_q(tree: Tree | None, fields: Fields, negated: bool = False) -> Q:
    """The condition on ``Card`` rows that a checked tree, or its opposite, stands for."""
    match tree:
        case None:
            return Q()
        case Not(part):
            return to_q(part, fields, not negated)
        case And(parts) | Or(parts):
            join = and_ if isinstance(tree, And) != negated else or_
            return reduce(join, (to_q(part, fields, negated) for part in parts))
        case Word(value):
            found = Q(search_text__contains=fold(value))
        case Exact(value):
            found = Q(name_folded=fold(value))
        case Term(key, op, value):
            field = fields.get(key)
            if field is None:
                raise ValueError(f"the tree was not checked: no field is called {key!r}")
            if op in COMPARISONS:
                return _compared(fields.places(field, op, value), op, value, negated)
            found = _found(field, op, value, fields)
    return ~found if negated else found


def _found(field: Field, op: str, value: str, fields: Fields) -> Q:
    """The cards whose field has the value, or is known not to have it. Rests on columns that are never NULL."""
    if field.kind in ("is", "has"):
        places = _asked(field, value, fields)
        return _any(_within(place, _valued(place, YES[0]) if field.kind == "is" else _known(place)) for place in places)
    if op == "!=":
        return _any(_within(place, _known(place)) for place in field.places) & ~_found(field, "=", value, fields)
    return _any(_within(place, _equal(place, op, value, fields)) for place in fields.places(field, op, value))


def _asked(field: Field, word: str, fields: Fields) -> tuple[Place, ...]:
    """The places that ``is:word`` or ``has:word`` asks about."""
    return fields.flag(word) if field.kind == "is" else fields.knowable(word)


def _equal(place: Place, op: str, value: str, fields: Fields) -> Q:
    match place.kind:
        case "name":
            return Q(name_folded__contains=fold(value)) if op == ":" else Q(name_folded=fold(value))
        case "number":
            return _valued(place, str(number(value)))
        case "flag":
            return _valued(place, YES[0] if fold(value) in YES else NO[0])
        case "text":
            return _containing(place, folded(value))
        case "word" | "words" if op == ":":
            meant = fields.meant(place, op, value)
            return _containing(place, folded(value)) if len(meant) > MAX_VALUES else _any(_valued(place, one) for one in meant)
        case _:
            return _valued(place, folded(value))


def _compared(places: Iterable[Place], op: str, value: str, negated: bool) -> Q:
    """The cards whose number is known to compare so, or all the others.

    The opposite is spelled out: NOT over a comparison is NULL, not true, where the fact is absent.
    """
    lookup, opposite = COMPARISONS[op]
    if not negated:
        return _any(_within(place, Q((f"facts__{place.key}__{lookup}", number(value)))) for place in places)
    others = (~_within(place, _known(place)) | Q((f"facts__{place.key}__{opposite}", number(value))) for place in places)
    return reduce(and_, others)


def _known(place: Place) -> Q:
    """Someone states the fact. A name is always known."""
    return ~Q(pk__in=()) if place.kind == "name" else Q(terms__contains=f"|{place.key}=")


def _valued(place: Place, value: str) -> Q:
    return Q(terms__contains=f"|{place.key}={value}|")


def _containing(place: Place, part: str) -> Q:
    """A value with this part in it. The plain condition first: it spares most rows the pattern."""
    return Q(terms__contains=part) & Q(terms__regex=rf"\|{re.escape(place.key)}=[^|]*{re.escape(part)}")


def _within(place: Place, found: Q) -> Q:
    return Q(game__in=place.games) & found if place.games else found


def _any(conditions: Iterable[Q]) -> Q:
    """Any of the conditions; of none, nothing."""
    return reduce(or_, conditions, Q(pk__in=()))
