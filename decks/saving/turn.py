"""The transaction in which a deck is saved, and the turns that savers take on SQLite.

SQLite has one writer and lets a waiting request sleep longer and longer, some for seconds; taking turns makes
waits short and fair. PostgreSQL locks rows and needs no turns. Everything that writes a deck's content runs
inside of ``saving``: ``save.py``, ``history.py`` and the API. Tests: ``tests/decks/saving/test_turn.py``.
"""

import os
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress

from django.core.files import locks
from django.db import connection, transaction

# Seconds: the longest wait for a turn. A save that waited so long goes on without one.
PATIENCE = 2.0
# Seconds between two attempts to get the turn.
LOOK_AGAIN = 0.005


@contextmanager
def saving() -> Iterator[None]:
    """Open a transaction that saves a deck, on SQLite after waiting for a turn. Inside another transaction it
    only adds a savepoint.
    """
    with ExitStack() as stack:
        # Inside a transaction this request may be the writer already, and others in turn wait for it: waiting
        # for a turn now would be a deadlock.
        if connection.vendor == "sqlite" and not connection.in_atomic_block:
            if not connection.is_in_memory_db():  # type: ignore[attr-defined]
                stack.enter_context(one_at_a_time(f"{connection.settings_dict['NAME']}.saving"))
        stack.enter_context(transaction.atomic())
        yield


@contextmanager
def one_at_a_time(path: str) -> Iterator[None]:
    """Hold the lock of this file. Without a file, or after PATIENCE seconds, go on without the lock. It ends
    with the process at the latest.
    """
    with ExitStack() as stack:
        with suppress(OSError):
            # Locking needs no right to write, so processes of other users can wait for the file too.
            file = os.open(path, os.O_RDONLY | os.O_CREAT, 0o644)
            stack.callback(os.close, file)
            if _locked(file):
                # Closing the file is not enough: a process that was forked meanwhile would keep the lock.
                stack.callback(locks.unlock, file)
        yield


def _locked(file: int) -> bool:
    """Wait for the lock of the file. Return False if it was not free within PATIENCE seconds."""
    until = time.monotonic() + PATIENCE
    while not locks.lock(file, locks.LOCK_EX | locks.LOCK_NB):
        if time.monotonic() > until:
            return False
        time.sleep(LOOK_AGAIN)
    return True
