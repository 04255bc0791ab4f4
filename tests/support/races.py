"""A race in a test: another request acts at the worst moment of ours."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager

from tests.support.meanwhile import before_first


def overtaken(act: Callable[[], object], before: str = "SAVEPOINT") -> AbstractContextManager[None]:
    """Call ``act`` just before the first SQL statement that begins with ``before``, by default before
    anything is saved. AssertionError if no statement does.
    """
    return before_first(before, act)
