"""A server process that is asked for more than it can do refuses some at once, instead of letting all wait
ever longer: first the sender that asks for most of it, and only then the next to come.

**By sender** (429). Of a sender, an address as ``ratelimits.sender_of`` counts them, ``OF_ONE`` requests are
under way at once, so that no process is full by one alone; and what is made for them is measured in seconds
of the processor. These drain away at ``READ`` seconds for each read a minute that the site allows, a quarter
of a second each second unless it is told otherwise. A sender who has used more than a minute of that, 15
seconds, waits until some is gone; while ``BUSY_FROM`` requests or more are under way, ``AT_ONCE`` seconds are
the most. Works (``ratelimits.counted_as_work``) are bounded by their number, and count no more than a large
page here; a page that is being made counts as one.

While so many are under way, of one sender or of several, ``AT_WORK`` pages of a sender are worked at, and the
next wait for their turn, in their order, ``TURN`` seconds at most. Threads share one processor: so a sender
has three of them, not sixteen, and the page of another has a quarter of it, not a seventeenth. Pictures wait
for no turn.

A visitor never meets that. A page shows up to 60 cards, which a proxy asks for at once, 60 * 2 ms = 0.12 s:
pictures may have all threads, until ``AT_ONCE`` seconds are used. A sender who reads 60 pages a minute of 20
ms takes 0.02 s a second. A class of 30 behind one address that opens a page at the same moment has 15 under
way in each of two processes, and with 60 cards each takes 15 * (0.02 + 60 * 0.002) = 2.1 s, of which half a
second drains meanwhile; after that, with a page every five seconds each, 0.12 s a second.

**By process** (503). The server hands requests to a number of threads (``--blocking-threads`` in the
Makefile) and lets hundreds more wait unseen. A burst may wait so. But once five sixths of the threads have
been at requests for ``PATIENCE`` seconds without a break, the process is overloaded: what comes while so many
are under way is refused, which takes next to no time, so that the queue empties and those who are let in are
answered soon. That lasts until it was not so full for ``CALM`` seconds; then a burst may wait again.

Static files are handed out before this. A thread that waits for something else than the processor, a body or
its turn to decode a picture (not for that of its sender), is none that is under way; but neither is it there
for others, so that fewer may be under way meanwhile.

**Bodies** that come too slowly, too many of them at once, and those that end too soon are refused. A thread
that waits for a body does nothing else. So a body that stays slower than ``MIN_BYTES_PER_SECOND`` after
``GRACE_SECONDS`` is given up (408). No more than ``MAX_READERS`` threads of a process wait for bodies at once
(503), so that pages always have threads left, and half as many for those of one sender, so that others save
meanwhile. A sender of nothing at all after the headers holds one of those places until the connection ends; a
public site has a proxy in front that takes bodies whole (docs/deploy.md). A connection that breaks off, or a
proxy that gives a sender up, leaves half a body, which the server gives as if it were whole: a body shorter
than its headers say is refused (400), so that no half of a list is stored as the list.

A process answers some pages to itself before it takes its first visitor: all addresses with their views, the
cards in memory and templates are made or read for the first answer that needs them.
"""

import contextlib
import io
import math
import sys
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from time import monotonic, thread_time
from typing import Any
from wsgiref.types import StartResponse, WSGIApplication
from wsgiref.util import setup_testing_defaults

from django.conf import settings
from django.db import connections

from cardsdb.faults import Fault, Refused
from cardsdb.games.kit import whole_number
from cardsdb.site.errors import refuse
from cardsdb.site.ratelimits import WORK, Places, sender_of
from cardsdb.site.sharing import with_policy
from cardsdb.site.static_files import with_static_files
from cardsdb.watch import metrics
from cardsdb.watch.requests import cut_short

# Of a process (--blocking-threads in the Makefile); the sixth that is left refuses.
THREADS = 24
PATIENCE, CALM = 1.0, 5.0
# Seconds of the processor: of a read; of a sender while so many are under way; of a work at most.
READ, AT_ONCE, WORKED = 0.025, 2.0, 0.1
BUSY_FROM, OF_ONE = THREADS // 4, THREADS * 2 // 3
# While so many are under way, so many of one sender are worked at; the next waits as many seconds at most.
AT_WORK, TURN = 3, 2.0
PICTURES = (".svg", ".webp", ".png", ".jpg")
# Senders that are remembered; those who asked last.
MAX_SENDERS = 20_000
# A program that watches the site is answered by a full process too; the first of these costs nothing.
ALIVE, WATCHED = "/healthz", ("/healthz", "/readyz", "/metrics")
BUSY = Refused(
    Fault(
        "busy",
        "The site has more to do than it can just now. Nothing was stored; try again in a few seconds.",
    ),
    status=503,
    wait=5,
)
TOO_MUCH = "This address has asked for very much in a short time. Wait a few seconds, then ask again."

GRACE_SECONDS = 20.0
MIN_BYTES_PER_SECOND = 4096
# Of the server's threads, how many may wait for bodies.
MAX_READERS = 16
# Bytes asked for at once at most. The server waits until it has all that is asked for, so a slow sender is
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


Clock = Callable[[], float]


class BoundedRequests:
    """The WSGI application under those bounds. ``now`` and ``worked``: seconds of time, and of the processor
    in this thread.
    """

    def __init__(
        self,
        application: WSGIApplication,
        at_work: int = AT_WORK,
        turn: float = TURN,
        now: Clock = monotonic,
        worked: Clock = thread_time,
    ) -> None:
        self.application, self.lock, self.turn = application, threading.Lock(), turn
        self.now, self.worked = now, worked
        self.under_way, self.waiting, self.full_since, self.strict_until = 0, 0, float("inf"), 0.0
        # What a sender has used, and when that was so.
        self.used: dict[str, tuple[float, float]] = {}
        self.places, self.turns = Places(math.inf, OF_ONE), Places(math.inf, at_work)
        self.rate = max(1, settings.CUTOUT_READS_PER_MINUTE) * READ / 60

    def __call__(self, environ: dict[str, Any], start_response: StartResponse) -> Iterable[bytes]:
        path, sender = environ.get("PATH_INFO", ""), sender_of(environ)
        # A refusal takes no place: it costs as little as may be.
        if path != ALIVE and (refused := self._refused(path, sender)):
            return _refuse(refused, path, start_response)
        # Until it is known what a page takes, it counts as a large one.
        expected = 0.0 if path.endswith(PICTURES) else WORKED
        self._charge(sender, expected)
        token, began = _under_way.set((self, sender)), self.worked()
        self.count(1)
        try:
            anyway = self.under_way <= BUSY_FROM or path in WATCHED or not expected
            turn = self.turns.one(sender, anyway, 0.0 if anyway else self.turn)
            with self.places.one(sender, anyway=True), turn as has_turn:
                if not has_turn:
                    return _refuse(_too_much(1), path, start_response)
                return self.application(environ, start_response)
        finally:
            used = self.worked() - began
            self._charge(sender, (min(used, WORKED) if WORK in environ else used) - expected)
            self.count(-1)
            _under_way.reset(token)

    @property
    def is_full(self) -> bool:
        return self.under_way >= max(1, (THREADS - self.waiting) * 5 // 6)

    def _refused(self, path: str, sender: str) -> Refused | None:
        """Return why this sender is refused now; None if they are let in."""
        used, most = (
            self._used(sender),
            min(60 * self.rate, AT_ONCE if self.under_way >= BUSY_FROM else math.inf),
        )
        if used >= most:
            return _too_much(min(60, 1 + int((used - most) / self.rate)))
        if not path.endswith(PICTURES) and not self.places.has_one(sender):
            return _too_much(1)
        return BUSY if path not in WATCHED and self._is_overloaded() else None

    def _is_overloaded(self) -> bool:
        with self.lock:
            now = self.now()
            if not self.is_full or now < self.full_since + (0.0 if now < self.strict_until else PATIENCE):
                return False
            self.strict_until = now + CALM
            return True

    def _used(self, sender: str) -> float:
        used, then = self.used.get(sender, (0.0, 0.0))
        return max(0.0, used - (self.now() - then) * self.rate)

    def _charge(self, sender: str, seconds: float) -> None:
        with self.lock:
            used = self._used(sender) + seconds
            self.used.pop(sender, None)
            if len(self.used) >= MAX_SENDERS:
                del self.used[next(iter(self.used))]
            self.used[sender] = used, self.now()

    def count(self, under_way: int, waiting: int = 0) -> None:
        """Count so many more, or fewer, that are under way and that wait."""
        with self.lock:
            self.under_way += under_way
            self.waiting += waiting
            self.full_since = min(self.full_since, self.now()) if self.is_full else float("inf")


def _refuse(refused: Refused, path: str, start_response: StartResponse) -> Iterable[bytes]:
    metrics.refused("overloaded" if refused is BUSY else refused.faults[0].code, refused.status)
    return refuse(refused, path, start_response)


def _too_much(wait: int) -> Refused:
    return Refused(Fault("throttled", TOO_MUCH), status=429, wait=wait)


# What bounds the request that this thread answers, and its sender.
_under_way: ContextVar[tuple[BoundedRequests, str] | None] = ContextVar("under_way", default=None)


@contextmanager
def elsewhere() -> Iterator[None]:
    """Count the thread of a request as one that waits for something else than the processor. Outside of
    requests it does nothing.
    """
    if (under_way := _under_way.get()) is None:
        yield
        return
    bounds, sender = under_way
    bounds.count(-1, 1)
    bounds.turns.take(sender, -1)
    try:
        yield
    finally:
        bounds.turns.take(sender, 1)
        bounds.count(1, -1)


# -- bodies -------------------------------------------------------------------------------


class BoundedBodies:
    """The WSGI application whose bodies are read under those bounds."""

    def __init__(
        self, application: WSGIApplication, readers: int = MAX_READERS, now: Clock = monotonic
    ) -> None:
        self.application, self.now = application, now
        self.places = Places(readers, max(1, readers // 2))

    def __call__(self, environ: dict[str, Any], start_response: StartResponse) -> Iterable[bytes]:
        if not environ.get("CONTENT_LENGTH") and "HTTP_TRANSFER_ENCODING" not in environ:
            return self.application(environ, start_response)
        length = whole_number(environ.get("CONTENT_LENGTH", ""), sys.maxsize) or 0
        body = _Body(environ["wsgi.input"], self.places, sender_of(environ), length, self.now)
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


class _Body(io.RawIOBase):
    """The body as the server gives it, asked for in steps that grow while it comes quickly."""

    def __init__(self, source: Any, places: Places, sender: str, length: int, now: Clock) -> None:
        self.source, self.places, self.sender, self.length, self.now = source, places, sender, length, now
        self.step, self.received, self.waited = 1, 0, 0.0
        self.refused: Refused | None = None

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        if self.waited > GRACE_SECONDS and self.received < self.waited * MIN_BYTES_PER_SECOND:
            raise self._given_up(TOO_SLOW)
        before = self.now()
        with self.places.one(self.sender) as is_free, elsewhere():
            if not is_free:
                raise self._given_up(TOO_MANY)
            data = self.source.read(min(len(buffer), self.step))
        took = self.now() - before
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


def whole_site(django: WSGIApplication) -> WSGIApplication:
    """Return the site as a server process has it: Django, and around it what answers or refuses before Django
    is asked. A request comes from the left: static files are handed out however much there is to do.
    """
    return with_policy(with_static_files(BoundedRequests(BoundedBodies(django))))


def answer_first(application: WSGIApplication, paths: list[str]) -> None:
    """Ask for these pages, and where one leads on, for that. No visitor is given them; one that cannot be
    made is no reason not to start.
    """
    scheme = "https" if settings.SECURE_SSL_REDIRECT else "http"
    host = next((host.lstrip(".") for host in settings.ALLOWED_HOSTS if host != "*"), "localhost")
    asked = list(paths)

    def started(status: str, headers: list[tuple[str, str]], error: Any = None) -> Any:
        asked.extend(value for name, value in headers if name == "Location" and value.startswith("/"))

    for path in asked:
        environ: dict[str, Any] = {"PATH_INFO": path, "HTTP_HOST": host, "wsgi.url_scheme": scheme}
        environ |= {"HTTP_X_FORWARDED_PROTO": scheme, "REMOTE_ADDR": "127.0.0.1"}
        setup_testing_defaults(environ)
        with contextlib.suppress(Exception):
            answer: Any = application(environ, started)
            answer.close()
    connections.close_all()
