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

from collections.abc import Callable, Iterable

from django.db.models import Q

from cardsdb.games.kit.model.text import fold
from cardsdb.search import conditions
from cardsdb.search.query.fields import COMPARISONS, NO, YES, Field, Fields, Place
from cardsdb.search.query.tree import (
    AtLeast,
    Exact,
    Regex,
    Term,
    Tree,
    Versus,
    Word,
    combined,
)
from cardsdb.search.query.values import folded, number


def to_q(tree: Tree | None, fields: Fields, negated: bool = False) -> Q:
    """The condition on ``Card`` rows that a checked tree, or its opposite, stands for.

    A regular expression may be tried on rows here and now; everything else is left to the one statement.
    """
    return Q() if tree is None else combined(tree, lambda leaf, negated: _leaf_q(leaf, fields, negated), negated)


def _leaf_q(leaf: Tree, fields: Fields, negated: bool) -> Q:
    match leaf:
        case AtLeast(count, parts):
            found = conditions.at_least(count, [to_q(part, fields) for part in parts])
        case Word(value):
            found = Q(search_text__contains=fold(value))
        case Exact(value):
            found = Q(name_folded=fold(value))
        case Versus(left, op, right):
            found = conditions.versus(_field(left, fields).places, op, _field(right, fields).places)
        case Regex(key, pattern):
            places = _field(key, fields).places
            found = conditions.any_of(conditions.within(place, conditions.matching(place, pattern, fields)) for place in places)
        case Term(key, op, value):
            field = _field(key, fields)
            if op in COMPARISONS:
                return conditions.compared(fields.places(field, op, value), op, value, negated)
            found = _found(field, op, value, fields)
    return ~found if negated else found


def _field(key: str, fields: Fields) -> Field:
    field = fields.get(key)
    if field is None:
        raise ValueError(f"the tree was not checked: no field is called {key!r}")
    return field


def _found(field: Field, op: str, value: str, fields: Fields) -> Q:
    """The cards whose field has the value, or is known not to have it. Rests on columns that are never NULL."""
    if field.kind in ("is", "has"):
        asked = fields.question_places(field.kind, value)
        return _in_places(asked, lambda place: conditions.valued(place, YES[0]) if field.kind == "is" else conditions.known(place))
    if op == "!=":
        return _in_places(field.places, conditions.known) & ~_found(field, "=", value, fields)
    return _in_places(fields.places(field, op, value), lambda place: _equal(place, op, value, fields))


def _in_places(places: Iterable[Place], condition: Callable[[Place], Q]) -> Q:
    return conditions.any_of(conditions.within(place, condition(place)) for place in places)


def _equal(place: Place, op: str, value: str, fields: Fields) -> Q:
    match place.kind:
        case "name":
            return Q(name_folded__contains=fold(value)) if op == ":" else Q(name_folded=fold(value))
        case "number":
            return conditions.valued(place, str(number(value)))
        case "flag":
            return conditions.valued(place, YES[0] if fold(value) in YES else NO[0])
        case "text":
            return conditions.containing(place, folded(value))
        case "word" | "words" if op == ":":
            return conditions.having(place, value, fields)
        case _:
            return conditions.valued(place, folded(value))
