"""The rows of a table as lines of JSON, the same from every database, and back again."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from decimal import Decimal
from typing import Any
from uuid import UUID

from django.apps.registry import Apps
from django.db import connection
from django.db.models import JSONField, Model, Value

# The apps of the queue of tasks, which holds nothing that is not put into it again (cardsdb/tasks/queue.py).
# Which of them there are is up to TASKS_URL.
QUEUE_APPS = {"django_tasks_database", "django_rq"}
# Letters that wait would be sent again.
LEFT_OUT = {"cardsdb_letter"}
# Rows may be long: a print job's list has up to 760 kB.
AT_ONCE = 100
MAX_BATCH_BYTES = 4_000_000
Row = tuple[Any, ...]


def models_of(apps: Apps) -> list[type[Model]]:
    """The tables whose rows are kept."""
    every = [model._meta for model in apps.get_models(include_auto_created=True)]
    kept = (meta for meta in every if meta.app_label not in QUEUE_APPS and meta.db_table not in LEFT_OUT)
    return [meta.model for meta in kept if meta.managed and not meta.proxy]


def kept_migrations(migrations: Iterable[Sequence[str]]) -> list[tuple[str, str]]:
    """Those that a backup depends on."""
    return [(app, name) for app, name in migrations if app not in QUEUE_APPS]


def columns_of(model: type[Model]) -> list[str]:
    return [field.attname for field in model._meta.concrete_fields]


def rows_of(model: type[Model], columns: Sequence[str]) -> Iterator[Row]:
    """Each row, its values in the order of these columns; the rows in any order."""
    rows: Iterator[Row] = model._base_manager.order_by().values_list(*columns).iterator(chunk_size=AT_ONCE)
    return rows


def line_of(row: Row) -> bytes:
    return json.dumps(row, default=_text).encode() + b"\n"


def _text(value: object) -> str:
    if isinstance(value, date):  # And so are times of a day.
        return value.isoformat()
    if isinstance(value, UUID | Decimal):
        return str(value)
    raise TypeError(f"{type(value).__name__} cannot be stored in a backup")


def add_lines(model: type[Model], columns: Sequence[str], lines: Iterable[bytes]) -> None:
    """Add the rows, whose values are in the order of these columns, exactly as they are: no time is set anew,
    and no signal is sent.
    """
    named = {field.attname: field for field in model._meta.concrete_fields}
    fields = [named[column] for column in columns]
    batch: list[Model] = []
    size = 0
    for line in lines:
        values = json.loads(line)
        if len(values) != len(fields):
            raise ValueError(f"a row of {model._meta.db_table} has {len(values)} values, not {len(fields)}")
        batch.append(
            model(
                **{field.attname: _value(field, value) for field, value in zip(fields, values, strict=True)}
            )
        )
        size += len(line)
        if len(batch) == AT_ONCE or size > MAX_BATCH_BYTES:
            _insert(model, batch)
            batch, size = [], 0
    _insert(model, batch)


def _value(field: Any, value: object) -> object:
    if value is None and isinstance(field, JSONField) and not field.null:
        return Value(None, JSONField())  # JSON's null, where no other can stand.
    return field.to_python(value)


def _insert(model: type[Model], batch: Sequence[Model]) -> None:
    fields = model._meta.concrete_fields
    step = max(connection.ops.bulk_batch_size(fields, batch), 1)
    for start in range(0, len(batch), step):
        model._base_manager.all()._insert(
            batch[start : start + step], fields=fields, using=connection.alias, raw=True
        )


class RowTally:
    """How many rows there are, and a digest of them. In it the order of rows makes no difference, nor that of
    the keys in JSON, which PostgreSQL does not keep.
    """

    def __init__(self) -> None:
        self.rows = self._sum = 0

    def add(self, row: Row) -> None:
        self.rows += 1
        digest = hashlib.sha256(json.dumps(row, default=_text, sort_keys=True).encode()).digest()
        self._sum = (self._sum + int.from_bytes(digest)) % 2**256

    @property
    def digest(self) -> str:
        return f"{self._sum:064x}"
