"""A race in a test: another request acts at the worst moment of ours."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from django.db import connection


@contextmanager
def overtaken(act: Callable[[], object], before: str = "SAVEPOINT") -> Iterator[None]:
    """Call ``act`` just before the first SQL statement that begins with ``before``, by default before
    anything is saved. AssertionError if no statement does.
    """
    left = [act]

    def execute(run: Any, sql: str, *rest: Any) -> Any:
        if left and sql.startswith(before):
            left.pop()()
        return run(sql, *rest)

    with connection.execute_wrapper(execute):
        yield
    assert not left, f"no statement began with {before}"
