"""Django's PostgreSQL backend with a client-side timeout, so that threads do not wait for a silent database.

A server that hangs, or a network that drops packets, closes nothing: neither ``statement_timeout``, which the
server enforces, nor TCP ends the waiting. Here the thread gives up by itself. A statement of which nothing is
heard for ``seconds`` raises OperationalError, which pages answer with 503, and its connection is closed.

To keep threads free for pages that need no database, at most ``LONG`` threads wait longer than ``SOON``
seconds, and at most ``CONNECTING`` wait for a connection. After one gave up, and until the database is heard
again, all others give up after ``SOON``, so that a request does not wait for several timeouts in turn.

All this applies only if ``OPTIONS`` have ``seconds``, as in server processes (cardsdb/wsgi.py). Loads and
migrations wait as long as it takes. Tests: ``tests/cardsdb/site/postgresql/test_base.py``.
"""

import threading
import time
from collections.abc import Generator
from typing import Any

import psycopg
from django.db.backends.postgresql import base
from django.db.utils import OperationalError
from psycopg.waiting import READY_R

# Seconds that any thread waits.
SOON = 1.0
# Threads that may wait longer: half of those of a process.
LONG = 12
# Threads that may wait for a connection.
CONNECTING = 6
SILENT = "the database does not answer"
_long = threading.BoundedSemaphore(LONG)
_connecting = threading.BoundedSemaphore(CONNECTING)


class Silent(psycopg.OperationalError):
    """The database was silent for too long."""


class Patient(psycopg.Connection[Any]):
    """A connection whose statements raise ``Silent`` after ``seconds`` of silence."""

    seconds = 0.0
    # Shared by the process: monotonic time of the last giving up; 0 once the database was heard again.
    given_up = 0.0

    def wait(self, gen: Generator[Any, Any, Any], *arguments: Any, **options: Any) -> Any:
        """Run a statement and return its result. psycopg calls this for each one, with a generator of its
        steps, which yields whether it waits to read or to write and is sent what has become ready::

            it yields   WAIT_R, WAIT_W or both     ``wanted`` below
            is sent     READY_R, READY_W or 0      ``ready``; 0: nothing yet
            ... and so on
            it returns  the result of the statement
        """
        try:
            return super().wait(self._heard(gen), *arguments, **options)
        except Silent:
            Patient.given_up = time.monotonic()
            self.close()
            raise

    def _heard(self, steps: Generator[Any, Any, Any]) -> Generator[Any, Any, Any]:
        """Pass on the steps of a statement (see ``wait``), and raise ``Silent`` after too long a silence.
        psycopg sends a falsy value several times a second while there is nothing to read or write.
        """
        # What the last wait found ready, and the time when anything last was.
        ready, heard = None, time.monotonic()
        # True while this thread holds one of the LONG places for a long wait.
        has_place = False
        try:
            while True:
                try:
                    wanted = steps.send(ready)
                except StopIteration as last:
                    # The statement is done, and this is its result.
                    return last.value
                if ready := (yield wanted):
                    heard = time.monotonic()
                    if ready & READY_R:
                        Patient.given_up = 0.0
                    continue
                silence = time.monotonic() - heard
                if silence > SOON and not has_place:
                    has_place = not self.given_up and _long.acquire(blocking=False)
                    if not has_place:
                        raise Silent(SILENT)
                if silence > self.seconds:
                    raise Silent(SILENT)
        finally:
            if has_place:
                _long.release()


class DatabaseWrapper(base.DatabaseWrapper):
    """Django's wrapper, which opens ``Patient`` connections if ``OPTIONS`` have ``seconds``."""

    seconds = 0.0

    def get_connection_params(self) -> dict[str, Any]:
        params: dict[str, Any] = super().get_connection_params()
        self.seconds = params.pop("seconds", 0.0)
        return params

    def get_new_connection(self, conn_params: dict[str, Any]) -> Any:
        if not self.seconds:
            return super().get_new_connection(conn_params)
        # Just given up: do not even try.
        if time.monotonic() < Patient.given_up + SOON:
            raise OperationalError(SILENT)
        if not _connecting.acquire(timeout=0 if Patient.given_up else SOON):
            raise OperationalError(SILENT)
        try:
            self.isolation_level = psycopg.IsolationLevel.READ_COMMITTED
            connection = Patient.connect(**conn_params)
        except psycopg.errors.ConnectionTimeout:
            Patient.given_up = time.monotonic()
            raise
        finally:
            _connecting.release()
        connection.seconds, Patient.given_up = self.seconds, 0.0
        return connection

    def init_connection_state(self) -> None:
        super().init_connection_state()
        if self.seconds:
            # The server must not work forever on statements that were given up. Set by a statement, because
            # not every connection pool passes on options of the connection. Milliseconds: twice our own time.
            self.connection.execute(f"SET statement_timeout = {int(self.seconds * 2_000)}")
