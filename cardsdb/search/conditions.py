"""The pieces that conditions on ``Card`` rows are made of, with one meaning on SQLite and on PostgreSQL.

Each is true or false and never NULL, so that its opposite is what it does not find.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from functools import reduce
from operator import add, and_, or_
from typing import Any

from django.db.models import BigIntegerField, BooleanField, Case, Exists, F, Func, IntegerField, OuterRef, Q, TextField, Value, When
from django.db.models.lookups import GreaterThanOrEqual

from cardsdb.search.query.fields import COMPARISONS, Fields, Place
from cardsdb.search.query.limits import MAX_VALUES
from cardsdb.search.query.values import compiled, folded, number

OPERATORS = {"=": "=", ":": "=", "!=": "<>", "<": "<", "<=": "<=", ">": ">", ">=": ">="}
ROWS_AT_ONCE = 5_000


def any_of(conditions: Iterable[Q]) -> Q:
    """Any of the conditions; of none, nothing."""
    return reduce(or_, conditions, Q(pk__in=()))


def within(place: Place, found: Q) -> Q:
    """What is found in the games that the place is for."""
    return Q(game__in=place.games) & found if place.games else found


def known(place: Place) -> Q:
    """Someone states the fact. A name is always known."""
    return ~Q(pk__in=()) if place.kind == "name" else Q(terms__contains=f"|{place.key}=")


def valued(place: Place, value: str) -> Q:
    return Q(terms__contains=f"|{place.key}={value}|")


def containing(place: Place, part: str) -> Q:
    """A value with this part in it. The plain condition first: it spares most rows the pattern, which is plain text too."""
    return Q(terms__contains=part) & Q(terms__regex=rf"\|{re.escape(place.key)}=[^|]*{re.escape(part)}")


def having(place: Place, part: str, fields: Fields) -> Q:
    """A word with this part in it: one of the known values, or whatever contains it where they are too many."""
    meant = fields.meant(place, ":", part)
    if not fields.is_counted(place) or len(meant) > MAX_VALUES:
        return containing(place, folded(part))
    return any_of(valued(place, value) for value in meant)


def compared(places: Iterable[Place], op: str, value: str, negated: bool) -> Q:
    """The cards whose number is known to compare so, or all the others.

    The opposite is spelled out: NOT over a comparison is NULL, not true, where the fact is absent.
    """
    lookup, opposite = COMPARISONS[op]
    if not negated:
        return any_of(within(place, _is(place, lookup, value)) for place in places)
    # Whether there is such a print is never NULL.
    others = (~_is(p, lookup, value) if p.key == "number" else ~within(p, known(p)) | _is(p, opposite, value) for p in places)
    return reduce(and_, others)


def _is(place: Place, lookup: str, value: str) -> Q:
    if place.key != "number":
        return Q((f"{_column(place)}__{lookup}", number(value)))
    from cardsdb.models import Print

    prints = Print.objects.filter(card=OuterRef("pk")).alias(as_number=InDigits(F("number")), as_code=InDigits(F("code")))
    return Q(Exists(prints.filter(Q((f"as_number__{lookup}", number(value))) | Q((f"as_code__{lookup}", number(value))))))


def _column(place: Place) -> str:
    return "print_count" if place.key == "prints" else f"facts__{place.key}"


def versus(left: Iterable[Place], op: str, right: Sequence[Place]) -> Q:
    """The cards on which one number compares so with another."""
    pairs = ((one, other) for one in left for other in right if one.kind == other.kind == "number")
    return any_of(within(one, within(other, Q(NumbersCompare(one.key, op, other.key)))) for one, other in pairs)


def how_many(parts: Iterable[Q]) -> Any:
    """Of one condition or more, how many hold. What is NULL does not."""
    return reduce(add, (Case(When(part, then=Value(1)), default=Value(0), output_field=IntegerField()) for part in parts))


def at_least(count: int, parts: Iterable[Q]) -> Q:
    """So many of the conditions hold."""
    return Q(GreaterThanOrEqual(how_many(parts), Value(count)))


# -- regular expressions --------------------------------------------------------


def matching(place: Place, pattern: str, fields: Fields) -> Q:
    """The cards with a value that the expression is found in.

    The database never sees the expression. It is tried on the known values; where nobody counted
    these, or too many fit, on the rows themselves.
    """
    found = compiled(pattern).search
    if place.kind != "name" and fields.is_counted(place):
        values = [value for value in fields.known(place) if found(value)]
        if len(values) <= MAX_VALUES:
            return any_of(valued(place, value) for value in values)
    return Q(IsAmong(_rows_with(place, found)))


def _rows_with(place: Place, found: Any) -> list[int]:
    """The primary keys of the rows with a value in which something is found."""
    from cardsdb.models import Card

    if place.kind == "name":
        names = Card.objects.order_by().values_list("pk", "name_folded").iterator(ROWS_AT_ONCE)
        return [pk for pk, name in names if found(name)]
    value = re.compile(rf"\|{re.escape(place.key)}=([^|]*)")
    rows = Card.objects.order_by().filter(known(place)).values_list("pk", "terms").iterator(ROWS_AT_ONCE)
    return [pk for pk, terms in rows if any(found(one) for one in value.findall(terms))]


# -- what Django has no word for --------------------------------------------------


class IsAmong(Func):
    """Whether a row is one of many, whose primary keys travel as one parameter: no limit on their number is met."""

    output_field = BooleanField()

    def __init__(self, keys: Iterable[int]) -> None:
        super().__init__(F("pk"))
        self.keys = tuple(keys)

    def as_sql(self, compiler: Any, connection: Any, **_: Any) -> tuple[str, list[Any]]:
        column, params = compiler.compile(self.source_expressions[0])
        if connection.vendor == "postgresql":
            return f"({column} = ANY(%s::bigint[]))", [*params, list(self.keys)]
        return f"({column} IN (SELECT value FROM json_each(%s)))", [*params, json.dumps(self.keys)]  # noqa: S608  (a column, not input)


class NumbersCompare(Func):
    """Whether two number facts of a card compare so. Where either is unknown they do not."""

    output_field = BooleanField()

    def __init__(self, left: str, op: str, right: str) -> None:
        super().__init__(StoredNumber(left), StoredNumber(right))
        self.op = OPERATORS[op]

    def as_sql(self, compiler: Any, connection: Any, **_: Any) -> tuple[str, list[Any]]:
        (left, left_params), (right, right_params) = (compiler.compile(side) for side in self.source_expressions)
        no = "FALSE" if connection.vendor == "postgresql" else "0"
        return f"COALESCE({left} {self.op} {right}, {no})", [*left_params, *right_params]


class StoredNumber(Func):
    """A card's number fact, or how many prints it has; NULL where it is unknown or, in some other game, no number."""

    output_field = BigIntegerField()

    def __init__(self, key: str) -> None:
        super().__init__(F("print_count" if key == "prints" else "facts"))
        self.key = key

    def as_sql(self, compiler: Any, connection: Any, **_: Any) -> tuple[str, list[Any]]:
        column, params = compiler.compile(self.source_expressions[0])
        if self.key == "prints":
            return column, [*params]
        if connection.vendor == "postgresql":
            fact = f"({column} -> %s::text)"
            text = f"({column} ->> %s::text)"
            return f"(CASE WHEN jsonb_typeof{fact} = 'number' THEN {text}::bigint END)", [*params, self.key, *params, self.key]
        path = f"$.{json.dumps(self.key)}"
        sql = f"(CASE WHEN json_type({column}, %s) = 'integer' THEN json_extract({column}, %s) END)"
        return sql, [*params, path, *params, path]


class InDigits(Func):
    """The number that a text in plain digits is (see ``fields.collector_number``); NULL for any other text."""

    output_field = BigIntegerField()

    def as_sql(self, compiler: Any, connection: Any, **_: Any) -> tuple[str, list[Any]]:
        column, params = compiler.compile(self.source_expressions[0])
        if connection.vendor == "postgresql":
            return f"(CASE WHEN {column} ~ '^[0-9]{{1,18}}$' THEN {column}::bigint END)", [*params, *params]
        is_digits = f"length({column}) BETWEEN 1 AND 18 AND {column} NOT GLOB '*[^0-9]*'"
        return f"(CASE WHEN {is_digits} THEN CAST({column} AS INTEGER) END)", [*params, *params, *params]


class StoredWord(Func):
    """A card's word or flag fact, folded, to be compared by code point; NULL where it is unknown."""

    output_field = TextField()

    def __init__(self, key: str) -> None:
        super().__init__(F("terms"))
        self.key = key

    def as_sql(self, compiler: Any, connection: Any, **_: Any) -> tuple[str, list[Any]]:
        column, params = compiler.compile(self.source_expressions[0])
        begin = f"|{self.key}="
        if connection.vendor == "postgresql":
            sql = f"""(NULLIF(split_part(split_part({column}, %s, 2), '|', 1), '') COLLATE "C")"""
            return sql, [*params, begin]
        after = f"substr({column}, instr({column}, %s) + {len(begin)})"
        sql = f"(CASE WHEN instr({column}, %s) > 0 THEN substr({after}, 1, instr({after}, '|') - 1) END)"
        return sql, [*params, begin, *(2 * [*params, *params, begin])]
