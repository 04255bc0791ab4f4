"""Locks of all processes that share a database, on however many machines; and a wait that is short."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from django.core.files import locks
from django.db import connection

# PostgreSQL's locks are numbers, one space for each database; Django takes none of them.
_MIGRATING = 0x43_55_54_4F_55_54


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
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_lock(%s)", [_MIGRATING])
    try:
        yield
    finally:
        # With a connection that broke the lock has ended already.
        if connection.is_usable():
            with connection.cursor() as cursor:
                cursor.execute("SELECT pg_advisory_unlock(%s)", [_MIGRATING])


@contextmanager
def short_wait() -> Iterator[None]:
    """Wait a tenth of a second for SQLite's one writer, instead of the ten seconds of a visitor's own
    saves.
    """
    if connection.vendor != "sqlite":
        yield
        return
    _wait_at_most(0.1)
    try:
        yield
    finally:
        _wait_at_most(connection.settings_dict["OPTIONS"]["timeout"])


def _wait_at_most(seconds: float) -> None:
    with connection.cursor() as cursor:
        cursor.execute(f"PRAGMA busy_timeout = {int(seconds * 1_000)}")  # nosemgrep: raw-query (a number)
