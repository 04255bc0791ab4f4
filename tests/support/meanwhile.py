"""Let something happen between two database queries of the code under test: another visitor acts, or queries
fail.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from django.db import connection


@contextmanager
def before_first(beginning: str, act: Callable[[], object]) -> Iterator[None]:
    """Call ``act`` once, just before the first query that begins with this text. AssertionError if
    none does.
    """
    left = [act]

    def asked(execute: Callable[..., Any], sql: str, *of: Any) -> Any:
        if left and sql.startswith(beginning):
            left.pop()()
        return execute(sql, *of)

    with connection.execute_wrapper(asked):
        yield
    assert not left, f"no query began with {beginning}"


@contextmanager
def failing(error: BaseException, beginning: str = "") -> Iterator[list[str]]:
    """Make every query that begins with this text fail, as if the database were down. Yields the list of
    those that failed.
    """
    failed: list[str] = []

    def asked(execute: Callable[..., Any], sql: str, *of: Any) -> Any:
        if not sql.startswith(beginning):
            return execute(sql, *of)
        failed.append(sql)
        raise error

    with connection.execute_wrapper(asked):
        yield failed
