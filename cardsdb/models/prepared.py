"""Queries that pages ask at every request, written once: Django takes ten times as long to write one as the database to answer it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from operator import itemgetter
from typing import Any, Generic, TypeAlias, TypeVar

from django.core.exceptions import EmptyResultSet
from django.db import DEFAULT_DB_ALIAS, connections
from django.db.models import Model, QuerySet
from django.db.models.query import ModelIterable, get_related_populators

M = TypeVar("M", bound=Model)
Value: TypeAlias = int | str | None
# What stands for a value while the query is written, so that its place is found: nothing else in a query is like it.
_STANDS_FOR = {int: lambda place: 1_900_000_000 + place, str: lambda place: f"\ue000{place}"}


class Prepared(Generic[M]):
    """A query whose values alone differ from one request to the next.

    ``asked``: the queryset for values given by name, which are numbers and words as the database holds them. What is None, empty,
    true or false may make it another query, which is written once for each of these. Nothing is kept but the query's words.
    """

    def __init__(self, asked: Callable[..., QuerySet[M, Any]]) -> None:
        self._asked = asked
        self._written: dict[tuple[object, ...], _Written | None] = {}

    def objects(self, **values: Value) -> list[M]:
        """The objects that the query finds, with what ``select_related`` and ``annotate`` add; ``prefetch_related`` adds nothing."""
        written = self._of(values)
        return [] if written is None else list(written.objects(values))

    def first(self, **values: Value) -> M | None:
        """The first of these; the query should find one at most."""
        return next(iter(self.objects(**values)), None)

    def rows(self, **values: Value) -> list[tuple[Any, ...]]:
        """The rows of a query of ``values_list``."""
        written = self._of(values)
        return [] if written is None else [tuple(row) for row in written.rows(values)]

    def _of(self, values: dict[str, Value]) -> _Written | None:
        """The written query; None where nothing can be found."""
        key = (connections[DEFAULT_DB_ALIAS].vendor, *[(name, type(value) if _varies(value) else value) for name, value in values.items()])
        try:
            return self._written[key]
        except KeyError:
            varying = [name for name, value in values.items() if _varies(value)]
            stand = values | {name: _STANDS_FOR[type(values[name])](place) for place, name in enumerate(varying)}
            try:
                made = _Written(self._asked(**stand), {stand[name]: name for name in varying})
            except EmptyResultSet:
                made = None
            self._written[key] = made
            return made


def _varies(value: Value) -> bool:
    """Whether another value of its kind makes no other query."""
    return bool(value) and value is not True


class _Written:
    """A query as the database reads it, and how its rows become values. ``names``: what stands for a value -> the value's name."""

    def __init__(self, queryset: QuerySet[Any, Any], names: dict[Any, str]) -> None:
        compiler = queryset.query.get_compiler(DEFAULT_DB_ALIAS)
        self.sql, parameters = compiler.as_sql()
        self.parameters = [(parameter, names.get(parameter)) for parameter in parameters]
        if missing := set(names.values()) - {name for _, name in self.parameters}:
            raise ValueError(f"The query asks nothing about {', '.join(sorted(missing))}.")
        self.converters = list(compiler.get_converters([column for column, *_ in compiler.select]).items())
        if not issubclass(queryset._iterable_class, ModelIterable):
            return
        kinds = compiler.klass_info
        start, end = kinds["select_fields"][0], kinds["select_fields"][-1] + 1
        self.model, self.of_model = kinds["model"], slice(start, end)
        self.fields = [column.target.attname for column, *_ in compiler.select[self.of_model]]
        self.related = get_related_populators(kinds, compiler.select, DEFAULT_DB_ALIAS)
        self.annotations = [(name, itemgetter(place)) for name, place in (compiler.annotation_col_map or {}).items()]

    def rows(self, values: dict[str, Any]) -> Iterator[Any]:
        connection = connections[DEFAULT_DB_ALIAS]
        with connection.cursor() as cursor:
            cursor.execute(self.sql, tuple(parameter if name is None else values[name] for parameter, name in self.parameters))
            rows = cursor.fetchall()
        for row in map(list, rows):
            for place, (converters, column) in self.converters:
                value = row[place]
                for converter in converters:
                    value = converter(value, column, connection)
                row[place] = value
            yield row

    def objects(self, values: dict[str, Any]) -> Iterator[Any]:
        for row in self.rows(values):
            found = self.model.from_db(DEFAULT_DB_ALIAS, self.fields, row[self.of_model])
            for related in self.related:
                related.populate(row, found)
            for name, of_row in self.annotations:
                setattr(found, name, of_row(row))
            yield found
