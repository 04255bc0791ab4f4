"""Those who save decks take turns on SQLite.

It has one writer, and lets whoever finds it busy sleep ever longer, the unlucky for seconds. SQLite itself
keeps writers apart; a turn makes their waits alike. PostgreSQL locks the rows of a deck and needs none.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress

from django.core.files import locks
from django.db import connection, transaction

# In seconds: how long one waits for a turn at most, and from one look to the next whether it is free.
PATIENCE, LOOK_AGAIN = 2.0, 0.005


@contextmanager
def saving() -> Iterator[None]:
    """A transaction that saves a deck, in its turn; within another transaction it is a part of that one."""
    with ExitStack() as stack:
        # Who writes already must not wait for those who wait for them.
        if connection.vendor == "sqlite" and not connection.in_atomic_block:
            if not connection.is_in_memory_db():  # type: ignore[attr-defined]
                stack.enter_context(one_at_a_time(f"{connection.settings_dict['NAME']}.saving"))
        stack.enter_context(transaction.atomic())
        yield


@contextmanager
def one_at_a_time(path: str) -> Iterator[None]:
    """Hold the lock of this file, which ends with the process. Who cannot have it in time goes on without."""
    until = time.monotonic() + PATIENCE
    with ExitStack() as stack:
        with suppress(OSError):
            # Whoever made the file, everybody may wait for it: that takes no right to write.
            file = os.open(path, os.O_RDONLY | os.O_CREAT, 0o644)
            stack.callback(os.close, file)
            while not locks.lock(file, locks.LOCK_EX | locks.LOCK_NB):
                if time.monotonic() > until:
                    break
                time.sleep(LOOK_AGAIN)
            else:
                # Closing alone would leave it to a process that was forked meanwhile.
                stack.callback(locks.unlock, file)
        yield
