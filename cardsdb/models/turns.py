"""Locks of all processes that share a database, on however many machines; a wait that is short; and SQL for
what Django has no call for.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from django.core.files import locks
from django.db import connection

# PostgreSQL's locks are numbers, one space for each database; Django takes none of them.
_MIGRATING = 0x43_55_54_4F_55_54


def answer_of(statement: str, *values: object) -> Any:
    """The first row that the database answers to a statement of SQL; None where it answers none."""
    with connection.cursor() as cursor:
        cursor.execute(statement, values or None)
        return cursor.fetchone() if cursor.description else None


@contextmanager
def alone() -> Iterator[None]:
    """Wait until no other process is within this for the same database, and keep others out.

    A process that holds the turn and dies gives it back: PostgreSQL's lock ends with its connection, that of
    SQLite's folder with its process.
    """
    if connection.vendor == "postgresql":
        yield from _by_connection()
    elif connection.is_in_memory_db():  # type: ignore[attr-defined]
        yield
    else:
        # Before the database is opened: of two that make a new file at once, one may find it locked.
        with Path(f"{connection.settings_dict['NAME']}.lock").open("w") as file:
            locks.lock(file, locks.LOCK_EX)
            yield


def _by_connection() -> Iterator[None]:
    answer_of("SELECT pg_advisory_lock(%s)", _MIGRATING)
    try:
        yield
    finally:
        # With a connection that broke the lock has ended already.
        if connection.is_usable():
            answer_of("SELECT pg_advisory_unlock(%s)", _MIGRATING)


@contextmanager
def short_wait() -> Iterator[None]:
    """Wait a tenth of a second for SQLite's one writer, instead of the ten seconds of a visitor's own
    saves.
    """
    if connection.vendor != "sqlite":
        yield
        return
    usual = connection.settings_dict["OPTIONS"]["timeout"]
    answer_of("PRAGMA busy_timeout = 100")
    try:
        yield
    finally:
        answer_of(f"PRAGMA busy_timeout = {int(usual * 1_000)}")
