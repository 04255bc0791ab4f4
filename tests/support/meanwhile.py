"""Database events in the middle of a request: another writer acts before a query, or queries fail."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from django.db import connection


@contextmanager
def before_first(beginning: str, act: Callable[[], object]) -> Iterator[None]:
    """Call ``act`` once, just before the first query that begins with this text. AssertionError if no query
    does.
    """
    left = [act]

    def run(execute: Callable[..., Any], sql: str, *rest: Any) -> Any:
        if left and sql.startswith(beginning):
            left.pop()()
        return execute(sql, *rest)

    with connection.execute_wrapper(run):
        yield
    assert not left, f"no query began with {beginning}"


@contextmanager
def failing(error: BaseException, beginning: str = "") -> Iterator[list[str]]:
    """Let every query that begins with this text raise ``error``, as when the database is down. Yield the
    list of the queries that failed.
    """
    failed: list[str] = []

    def run(execute: Callable[..., Any], sql: str, *rest: Any) -> Any:
        if not sql.startswith(beginning):
            return execute(sql, *rest)
        failed.append(sql)
        raise error

    with connection.execute_wrapper(run):
        yield failed
