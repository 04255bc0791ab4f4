"""What others do between two queries of this one."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from django.db import connection


@contextmanager
def before_first(beginning: str, act: Callable[[], object]) -> Iterator[None]:
    """``act`` happens once, just before the first query that begins so. AssertionError if there is none."""
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
    """Every query that begins so fails, as when the database is down; gives those that did."""
    failed: list[str] = []

    def asked(execute: Callable[..., Any], sql: str, *of: Any) -> Any:
        if not sql.startswith(beginning):
            return execute(sql, *of)
        failed.append(sql)
        raise error

    with connection.execute_wrapper(asked):
        yield failed
