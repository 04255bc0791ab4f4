"""A server process that is asked for more than it can do refuses some at once, instead of letting everybody wait ever longer.

The server hands requests to a number of threads (``--blocking-threads`` in the Makefile) and lets hundreds more wait unseen. A burst may
wait so. But once three quarters of the threads have been at requests for ``PATIENCE`` seconds without a break, the process is overloaded:
what comes while so many are under way is refused (503), which takes next to no time, so that the queue empties and those who are let in
are answered soon. That lasts until it was not so full for ``CALM`` seconds; then a burst may wait again.

Static files and pages that are kept are handed out before this. A thread that waits for something else than the processor, a body
(cardsdb/site/bodies.py) or its turn to decode a picture, is none that is under way; but neither is it there for others, so that fewer
may be under way meanwhile.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any
from wsgiref.types import StartResponse, WSGIApplication

from cardsdb.site.errors import refuse
from cardsdb.site.faults import Fault, Refused
from cardsdb.watch import counting

# Of a process (--blocking-threads in the Makefile); the quarter that is left refuses.
THREADS = 24
PATIENCE, CALM = 1.0, 5.0
# Whoever watches the site is answered.
ALWAYS = ("/healthz", "/readyz", "/metrics")
BUSY = Refused(
    Fault("busy", "The site has more to do than it can just now. Nothing was stored; try again in a few seconds."), status=503, wait=5
)


class BoundedRequests:
    """The WSGI application under that bound; ``clock`` gives seconds."""

    def __init__(self, application: WSGIApplication, clock: Callable[[], float] = time.monotonic) -> None:
        self.application, self.clock = application, clock
        self.lock = threading.Lock()
        self.under_way, self.waiting, self.full_since, self.strict_until = 0, 0, float("inf"), 0.0

    def __call__(self, environ: dict[str, Any], start_response: StartResponse) -> Iterable[bytes]:
        path = environ.get("PATH_INFO", "")
        if self._is_overloaded() and path not in ALWAYS:
            counting.refused("overloaded", BUSY.status)
            return refuse(BUSY, path, start_response)
        token = _bounds.set(self)
        self.count(1)
        try:
            return self.application(environ, start_response)
        finally:
            self.count(-1)
            _bounds.reset(token)

    @property
    def is_full(self) -> bool:
        return self.under_way >= max(1, (THREADS - self.waiting) * 3 // 4)

    def _is_overloaded(self) -> bool:
        with self.lock:
            now = self.clock()
            if not self.is_full or now < self.full_since + (0.0 if now < self.strict_until else PATIENCE):
                return False
            self.strict_until = now + CALM
            return True

    def count(self, under_way: int, waiting: int = 0) -> None:
        """So many more, or fewer, are under way and wait."""
        with self.lock:
            self.under_way += under_way
            self.waiting += waiting
            self.full_since = min(self.full_since, self.clock()) if self.is_full else float("inf")


# What bounds the request that this thread answers.
_bounds: ContextVar[BoundedRequests | None] = ContextVar("bounds", default=None)


@contextmanager
def elsewhere() -> Iterator[None]:
    """While the thread of a request waits for something else than the processor. Outside of requests it does nothing."""
    if (bounds := _bounds.get()) is None:
        yield
        return
    bounds.count(-1, 1)
    try:
        yield
    finally:
        bounds.count(1, -1)
