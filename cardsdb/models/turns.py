"""Turns: one process at a time on one database (``alone``), and short waits for SQLite's lock
(``short_wait``). Both need plain SQL; ``answer_of``, which sends it, also serves other modules for what
Django cannot express.

``alone`` is called by the command ``migrate``, ``short_wait`` by ``decks/saving`` and
``cardsdb/site/middleware.py``, ``answer_of`` by ``cardsdb/catalogue/loader.py``, ``cardsdb/operate``,
``cardsdb/box/picture_store.py`` and ``decks/saving/room.py``. Tests: ``tests/cardsdb/models/test_turns.py``.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from django.core.files import locks
from django.db import connection

# The key of our advisory lock in PostgreSQL ("CUTOUT" in ASCII). Django itself uses no advisory locks.
_MIGRATING = 0x43_55_54_4F_55_54


@contextmanager
def alone() -> Iterator[None]:
    """Wait until no other process is inside this block for the same database, and keep others out.

    The lock of a process that dies is freed: PostgreSQL ties it to the connection, the operating system to
    the file.
    """
    if connection.vendor == "postgresql":
        yield from _holding_advisory_lock()
    elif connection.is_in_memory_db():  # type: ignore[attr-defined]
        # No other process can open it.
        yield
    else:
        # A lock file beside the database, taken before that is opened: of two processes that create it at
        # once, one could find it locked.
        with Path(f"{connection.settings_dict['NAME']}.lock").open("w") as file:
            locks.lock(file, locks.LOCK_EX)
            yield


def _holding_advisory_lock() -> Iterator[None]:
    """Take PostgreSQL's lock, yield once, and free the lock when the block of ``alone`` has ended."""
    answer_of("SELECT pg_advisory_lock(%s)", _MIGRATING)
    try:
        yield
    finally:
        # If the connection is broken, its lock is gone already.
        if connection.is_usable():
            answer_of("SELECT pg_advisory_unlock(%s)", _MIGRATING)


@contextmanager
def short_wait() -> Iterator[None]:
    """Wait at most 0.1 seconds for SQLite's write lock inside this block, instead of the usual 10 seconds. On
    PostgreSQL it changes nothing.
    """
    if connection.vendor != "sqlite":
        yield
        return
    # Seconds in Django's settings; the PRAGMA takes milliseconds.
    usual = connection.settings_dict["OPTIONS"]["timeout"]
    answer_of("PRAGMA busy_timeout = 100")
    try:
        yield
    finally:
        answer_of(f"PRAGMA busy_timeout = {int(usual * 1_000)}")


def answer_of(statement: str, *values: object) -> Any:
    """Run a SQL statement and return its first row; None if it returns none.

    ``answer_of("SELECT %s + 1", 2)`` gives ``(3,)``, a statement such as ANALYZE gives None.
    """
    with connection.cursor() as cursor:
        cursor.execute(statement, values or None)
        return cursor.fetchone() if cursor.description else None
