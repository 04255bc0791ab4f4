"""Let another request act in the middle of the one under test, at its worst moment."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from django.db import connection


@contextmanager
def overtaken(act: Callable[[], object], before: str = "SAVEPOINT") -> Iterator[None]:
    """Call ``act`` once before the first statement that begins with ``before``; by default before anything is
    saved. AssertionError if there is no such statement.
    """
    left = [act]

    def execute(run: Any, sql: str, *rest: Any) -> Any:
        if left and sql.startswith(before):
            left.pop()()
        return run(sql, *rest)

    with connection.execute_wrapper(execute):
        yield
    assert not left, f"no statement began with {before}"
