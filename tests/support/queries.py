"""The SQL statements that something sends, for tests of their number, order and kind."""

from __future__ import annotations

from collections.abc import Callable

from django.db import connection
from django.test.utils import CaptureQueriesContext


def queries_of(ask: Callable[[], object]) -> list[str]:
    """Return the statements that this call sends, in order."""
    with CaptureQueriesContext(connection) as asked:
        ask()
    return [query["sql"] for query in asked]
