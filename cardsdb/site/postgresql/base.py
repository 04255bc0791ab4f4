"""PostgreSQL that a server process does not wait for in vain.

A server that hangs, or a network that swallows what is sent, says nothing and closes nothing, so that neither
``statement_timeout``, which is the server's own, nor TCP ends a thread's waiting. Here the thread gives up by
itself: a statement of which nothing was heard for ``seconds`` is an OperationalError, which pages answer with
503, and its connection is closed. So that threads are left for what needs no database, ``LONG`` at most wait
for longer than ``SOON``, and ``CONNECTING`` for a connection. Once one gave up, and until the database is
heard again, no other thread waits longer than that or connects for so long, lest a request waits for
several in turn.

That holds where OPTIONS have ``seconds``, in server processes (cardsdb/wsgi.py): loads and migrations wait
for as long as it takes.
"""

import threading
import time
from collections.abc import Generator
from typing import Any

import psycopg
from django.db.backends.postgresql import base
from django.db.utils import OperationalError
from psycopg.waiting import READY_R

SOON, LONG, CONNECTING = 1.0, 12, 6
SILENT = "the database does not answer"
_long, _connecting = threading.BoundedSemaphore(LONG), threading.BoundedSemaphore(CONNECTING)


class Silent(psycopg.OperationalError):
    """Nothing was heard of a statement for too long."""


class Patient(psycopg.Connection[Any]):
    """A connection whose statements are given up after ``seconds`` of silence. ``given_up``: when that was so
    with the last one of the process; 0 once it was answered again.
    """

    seconds = 0.0
    given_up = 0.0

    def wait(self, gen: Generator[Any, Any, Any], *arguments: Any, **options: Any) -> Any:
        try:
            return super().wait(self._heard(gen), *arguments, **options)
        except Silent:
            Patient.given_up = time.monotonic()
            self.close()
            raise

    def _heard(self, steps: Generator[Any, Any, Any]) -> Generator[Any, Any, Any]:
        """Yields the same steps. psycopg tells them several times a second that nothing is there to be
        read.
        """
        ready, heard, has_place = None, time.monotonic(), False
        try:
            while True:
                try:
                    wanted = steps.send(ready)
                except StopIteration as last:
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
    """Django's, with such connections where OPTIONS say for how many ``seconds`` they wait."""

    seconds = 0.0

    def get_connection_params(self) -> dict[str, Any]:
        params: dict[str, Any] = super().get_connection_params()
        self.seconds = params.pop("seconds", 0.0)
        return params

    def get_new_connection(self, conn_params: dict[str, Any]) -> Any:
        if not self.seconds:
            return super().get_new_connection(conn_params)
        if time.monotonic() < Patient.given_up + SOON or not _connecting.acquire(
            timeout=0 if Patient.given_up else SOON
        ):
            raise OperationalError(SILENT)
        try:
            self.isolation_level = psycopg.IsolationLevel.READ_COMMITTED
            made = Patient.connect(**conn_params)
        except psycopg.errors.ConnectionTimeout:
            Patient.given_up = time.monotonic()
            raise
        finally:
            _connecting.release()
        made.seconds, Patient.given_up = self.seconds, 0.0
        return made

    def init_connection_state(self) -> None:
        super().init_connection_state()
        if self.seconds:
            # What was given up is not to be worked on for ever. Not as an option of the connection, which not
            # every pool passes on.
            self.connection.execute(f"SET statement_timeout = {int(self.seconds * 2_000)}")
