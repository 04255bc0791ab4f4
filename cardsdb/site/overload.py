"""A server process that is asked for more than it can do refuses some at once, instead of letting everybody wait ever longer.

The server hands requests to a number of threads (``--blocking-threads`` in the Makefile) and lets hundreds more wait unseen. A burst may
wait so. But once ``MAX_UNDER_WAY`` requests have been under way for ``PATIENCE`` seconds without a break, the process is overloaded:
what comes while so many are under way is refused (503), which takes next to no time, so that the queue empties and those who are let in
are answered soon. That lasts until it was not so full for ``CALM`` seconds; then a burst may wait again.

Static files and pages that are kept are handed out before this. Threads that wait for a body (cardsdb/site/bodies.py) do not count.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from cardsdb.site.bodies import Application, StartResponse, refuse
from cardsdb.site.faults import Fault, Refused
from cardsdb.watch import counting

# Three quarters of the threads: the others refuse.
MAX_UNDER_WAY = 18
PATIENCE, CALM = 1.0, 5.0
# Whoever watches the site is answered.
ALWAYS = ("/healthz", "/readyz", "/metrics")
BUSY = Refused(
    Fault("busy", "The site has more to do than it can just now. Nothing was stored; try again in a few seconds."), status=503, wait=5
)


class BoundedRequests:
    """The WSGI application under that bound; ``clock`` gives seconds."""

    def __init__(self, application: Application, clock: Callable[[], float] = time.monotonic) -> None:
        self.application, self.clock = application, clock
        self.lock = threading.Lock()
        self.under_way, self.full_since, self.strict_until = 0, float("inf"), 0.0

    def __call__(self, environ: dict[str, Any], start_response: StartResponse) -> Iterable[bytes]:
        path = environ.get("PATH_INFO", "")
        if self._is_overloaded() and path not in ALWAYS:
            counting.refused("overloaded", BUSY.status)
            return refuse(BUSY, path, start_response)
        environ["cutout.elsewhere"] = self.elsewhere
        self._count(1)
        try:
            return self.application(environ, start_response)
        finally:
            self._count(-1)

    def _is_overloaded(self) -> bool:
        with self.lock:
            now = self.clock()
            if self.under_way < MAX_UNDER_WAY or now < self.full_since + (0.0 if now < self.strict_until else PATIENCE):
                return False
            self.strict_until = now + CALM
            return True

    def _count(self, change: int) -> None:
        with self.lock:
            self.under_way += change
            if self.under_way < MAX_UNDER_WAY:
                self.full_since = float("inf")
            else:
                self.full_since = min(self.full_since, self.clock())

    @contextmanager
    def elsewhere(self) -> Iterator[None]:
        """While a thread waits for something besides this machine."""
        self._count(-1)
        try:
            yield
        finally:
            self._count(1)
