"""Locks between all processes that share a database, on any number of machines; short waits for SQLite; and
plain SQL for what Django cannot express.

Called where machines meet: ``cardsdb/catalogue/loader.py``, ``cardsdb/operate``, ``cardsdb/box`` and
``decks/saving``, and by the command ``migrate``. Tests: ``tests/cardsdb/models/test_turns.py``.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from django.core.files import locks
from django.db import connection

# The key of our advisory lock in PostgreSQL ("CUTOUT" in ASCII). Django itself uses no advisory locks.
_MIGRATING = 0x43_55_54_4F_55_54


def answer_of(statement: str, *values: object) -> Any:
    """Run a SQL statement and return its first row; None if it returns none."""
    with connection.cursor() as cursor:
        cursor.execute(statement, values or None)
        return cursor.fetchone() if cursor.description else None


@contextmanager
def alone() -> Iterator[None]:
    """Wait until no other process is inside this block for the same database, and keep others out.

    The lock of a process that dies is freed: PostgreSQL ties it to the connection, the operating system to
    the file.
    """
    if connection.vendor == "postgresql":
        yield from _by_connection()
    elif connection.is_in_memory_db():  # type: ignore[attr-defined]
        yield
    else:
        # A lock file beside the database, taken before that is opened: of two processes that create it at
        # once, one could find it locked.
        with Path(f"{connection.settings_dict['NAME']}.lock").open("w") as file:
            locks.lock(file, locks.LOCK_EX)
            yield


def _by_connection() -> Iterator[None]:
    """Hold PostgreSQL's lock while the caller uses what this yields."""
    answer_of("SELECT pg_advisory_lock(%s)", _MIGRATING)
    try:
        yield
    finally:
        # If the connection is broken, its lock is gone already.
        if connection.is_usable():
            answer_of("SELECT pg_advisory_unlock(%s)", _MIGRATING)


@contextmanager
def short_wait() -> Iterator[None]:
    """Wait at most 0.1 seconds for SQLite's write lock inside this block, instead of the usual 10 seconds."""
    if connection.vendor != "sqlite":
        yield
        return
    # Seconds; SQLite takes milliseconds.
    usual = connection.settings_dict["OPTIONS"]["timeout"]
    answer_of("PRAGMA busy_timeout = 100")
    try:
        yield
    finally:
        answer_of(f"PRAGMA busy_timeout = {int(usual * 1_000)}")
