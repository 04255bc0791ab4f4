"""SQLite with a queue: of the threads of a process one writes or asks to, the others wait for their turn; of the processes one asks.

SQLite has one writer at a time. Who finds it busy asks again after ever longer sleeps, so that of many who wait the unlucky one waits
hundreds of times as long as the rest. Here a thread wakes the next when its transaction ends. Of the processes that share the database
one asks SQLite at a time: while it sleeps nobody can begin before it, so that two processes take turns.
Named in settings as Django names a database backend: by the package.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

from django.core.files import locks
from django.db.backends.sqlite3 import base
from django.db.utils import OperationalError

READING = "DEFERRED"
_turn = threading.Lock()
# Between one look and the next whether the other processes have asked, in seconds.
_LOOK_AGAIN = 0.001


class DatabaseWrapper(base.DatabaseWrapper):
    """A connection whose transactions wait for those of others in a queue.

    OperationalError for one that waits longer than ``timeout`` in the queue, or then for SQLite.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._has_turn = False
        self._patience = float(self.settings_dict["OPTIONS"].get("timeout", 5))

    def get_new_connection(self, conn_params: dict[str, Any]) -> Any:
        """A database that is made here is for the site's user alone; SQLite gives the files beside it the same mode."""
        if not self.is_in_memory_db():
            # Never one that exists: to close a file takes its locks from the whole process.
            with suppress(OSError):
                os.close(os.open(self.settings_dict["NAME"], os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
        return super().get_new_connection(conn_params)

    @contextmanager
    def short_wait(self, seconds: float) -> Iterator[None]:
        """Within it transactions, and statements without one, wait for other writers no longer than this."""
        usual = self._patience
        self._wait_at_most(seconds)
        try:
            yield
        finally:
            self._wait_at_most(usual)

    @contextmanager
    def reading(self) -> Iterator[None]:
        """Within it transactions only read: they see one state of the database, wait for no writer and let others write."""
        self.ensure_connection()
        usual, self.transaction_mode = self.transaction_mode, READING
        try:
            yield
        finally:
            self.transaction_mode = usual

    def _wait_at_most(self, seconds: float) -> None:
        self._patience = seconds
        with self.cursor() as cursor:
            cursor.execute(f"PRAGMA busy_timeout = {int(seconds * 1_000)}")  # nosemgrep: raw-query (a number)

    def _start_transaction_under_autocommit(self) -> None:
        until = time.monotonic() + self._patience
        self._take_turn()
        try:
            with self._alone_asking(until):
                super()._start_transaction_under_autocommit()
        except BaseException:
            self._end_turn()
            raise

    def _commit(self) -> None:
        super()._commit()
        self._end_turn()

    def _rollback(self) -> None:
        try:
            super()._rollback()
        finally:
            self._end_turn()

    def _close(self) -> None:
        try:
            super()._close()
        finally:
            self._end_turn()

    def _take_turn(self) -> None:
        # Connections to a database in memory share its tables, and their threads are tests' own.
        if self._has_turn or self.is_in_memory_db() or self.transaction_mode == READING:
            return
        if not _turn.acquire(timeout=self._patience):
            raise OperationalError("database is locked")
        self._has_turn = True

    @contextmanager
    def _alone_asking(self, until: float) -> Iterator[None]:
        """Within it no other process asks SQLite for its turn. The lock of one that dies ends with it."""
        if not self._has_turn:
            yield
            return
        path = f"{self.settings_dict['NAME']}.queue"
        try:
            # Whoever made the file, everybody may wait in it: that takes no right to write.
            file = os.open(path, os.O_RDONLY | os.O_CREAT, 0o644)
        except OSError as error:
            raise OperationalError(f"{path}: {error.strerror}") from error
        try:
            while not locks.lock(file, locks.LOCK_EX | locks.LOCK_NB):
                if time.monotonic() > until:
                    raise OperationalError("database is locked")
                time.sleep(_LOOK_AGAIN)
            try:
                yield
            finally:
                # Closing alone would leave it to a process that was forked meanwhile.
                locks.unlock(file)
        finally:
            os.close(file)

    def _end_turn(self) -> None:
        if self._has_turn:
            self._has_turn = False
            _turn.release()
