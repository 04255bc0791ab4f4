"""Bodies of requests that come too slowly, too many of them at once, and those that end too soon are refused.

A thread that waits for a body does nothing else. So ``BoundedBodies`` stands around the WSGI application: a
body that stays slower than ``MIN_BYTES_PER_SECOND`` after ``GRACE_SECONDS`` is given up (408), and no more
than ``MAX_READERS`` threads of a process wait for bodies at once (503), so that pages always have threads
left, and half as many for those of one sender, so that others save meanwhile. Who sends nothing at all after
their headers holds one of those places until they go; a public site has a proxy in front that takes bodies
whole (docs/deploy.md).

A connection that breaks off, or a proxy that gives a sender up, leaves half a body, which the server gives as
if it were whole: less than its headers say is refused (400), so that no half of a list is stored as the list.
"""

from __future__ import annotations

import io
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any
from wsgiref.types import StartResponse, WSGIApplication

from cardsdb.faults import Fault, Refused
from cardsdb.site.errors import refuse
from cardsdb.site.overload import elsewhere
from cardsdb.site.ratelimits import sender_of
from cardsdb.watch.requests import cut_short

GRACE_SECONDS = 20.0
MIN_BYTES_PER_SECOND = 4096
# Of the server's threads (overload.THREADS), how many may wait for bodies.
MAX_READERS = 16
# Bytes asked for at once at most. The server waits until it has all that is asked for, so whoever is slow is
# asked for one byte at a time: each is an occasion to look at the clock.
_MAX_STEP = 256 * 1024
_SLOW = 0.05

TOO_SLOW = Refused(
    Fault("too_slow", "What was sent came too slowly, and was given up. Nothing was stored; send it again."),
    status=408,
)
CUT = Refused(
    Fault("cut", "The end of what was sent did not arrive. Nothing was stored; send it again."), status=400
)
TOO_MANY = Refused(
    Fault("busy", "Too many senders at once. Nothing was stored; try again in a few seconds."),
    status=503,
    wait=5,
)


class BoundedBodies:
    """The WSGI application whose bodies are read under those bounds; ``clock`` gives seconds."""

    def __init__(
        self,
        application: WSGIApplication,
        clock: Callable[[], float] = time.monotonic,
        readers: int = MAX_READERS,
    ) -> None:
        self.application = application
        self.clock = clock
        self.places = _Places(readers)

    def __call__(self, environ: dict[str, Any], start_response: StartResponse) -> Iterable[bytes]:
        if not environ.get("CONTENT_LENGTH") and "HTTP_TRANSFER_ENCODING" not in environ:
            return self.application(environ, start_response)
        length = environ.get("CONTENT_LENGTH", "")
        body = _Body(
            environ["wsgi.input"],
            self.places,
            sender_of(environ),
            self.clock,
            int(length) if length.isascii() and length.isdigit() else 0,
        )
        environ["wsgi.input"] = io.BufferedReader(body, 64 * 1024)
        started: list[Any] = []
        answer: Iterable[bytes] = ()
        try:
            answer = self.application(environ, lambda *arguments: started.extend(arguments))
        except OSError:
            if body.refused is None:
                raise
        if body.refused is None:
            start_response(*started)
            return answer
        # What the application made of half a body says nothing about why.
        getattr(answer, "close", tuple)()
        cut_short(body.refused.faults[0].code, body.refused.status)
        return refuse(body.refused, environ.get("PATH_INFO", ""), start_response)


class _Places:
    """So many readers of bodies, and half as many of one sender."""

    def __init__(self, most: int) -> None:
        self.most, self.lock, self.taken = most, threading.Lock(), Counter[str]()

    @contextmanager
    def one(self, sender: str) -> Iterator[bool]:
        """Gives True within where there is a place."""
        with self.lock:
            is_free = self.taken.total() < self.most and self.taken[sender] < max(1, self.most // 2)
            self.taken[sender] += is_free
        try:
            yield is_free
        finally:
            with self.lock:
                self.taken[sender] -= is_free
                # Zeros are dropped.
                self.taken = +self.taken


class _Body(io.RawIOBase):
    """The body as the server gives it, asked for in steps that grow while it comes quickly."""

    def __init__(
        self, source: Any, places: _Places, sender: str, clock: Callable[[], float], length: int
    ) -> None:
        self.source, self.places, self.sender, self.clock, self.length = source, places, sender, clock, length
        self.step, self.received, self.waited = 1, 0, 0.0
        self.refused: Refused | None = None

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        if self.waited > GRACE_SECONDS and self.received < self.waited * MIN_BYTES_PER_SECOND:
            raise self._given_up(TOO_SLOW)
        before = self.clock()
        with self.places.one(self.sender) as is_free, elsewhere():
            if not is_free:
                raise self._given_up(TOO_MANY)
            data = self.source.read(min(len(buffer), self.step))
        took = self.clock() - before
        self.waited += took
        self.step = 1 if took > _SLOW else min(self.step * 8, _MAX_STEP)
        self.received += len(data)
        if not data and self.received < self.length:
            raise self._given_up(CUT)
        buffer[: len(data)] = data
        return len(data)

    def _given_up(self, refused: Refused) -> OSError:
        self.refused = refused
        return OSError(refused.faults[0].message)
