"""Protection of a server process against overload, as WSGI layers around Django.

When there is more to do than the process can do, some requests are refused at once instead of letting all
wait longer and longer: first those of the sender that uses most (429), then any (503). ``BoundedRequests``
does that, and tells its limits; ``BoundedBodies`` refuses bodies that arrive too slowly, incompletely, or too
many at a time. Static files are served before either, so they are never refused. A sender is an address as
``ratelimits.sender_of`` counts them.

The last section puts these layers together (``whole_site``) and warms a process up (``answer_first``);
``cardsdb/wsgi.py`` calls both. ``box/intake.py`` uses ``elsewhere``. Tests:
``tests/cardsdb/site/test_overload.py``, of bodies ``test_bodies.py`` beside it.
"""

import contextlib
import io
import math
import sys
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager
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

# Threads of a process (--blocking-threads in the Makefile). Five sixths work; the rest is for refusing.
THREADS = 24
# Seconds of being full until the process refuses.
PATIENCE = 1.0
# Seconds of not being full until it stops.
CALM = 5.0
# Seconds of processor time that one allowed read (CUTOUT_READS_PER_MINUTE) adds to a sender's budget.
READ = 0.025
# Seconds of processor time that a sender may have used while the process is busy.
AT_ONCE = 2.0
# Seconds of processor time that a work costs at most, and that any page is expected to cost.
WORKED = 0.1
# Requests under way from which the process counts as busy: 6.
BUSY_FROM = THREADS // 4
# Requests of one sender at a time: 16.
OF_ONE = THREADS * 2 // 3
# Pages of one sender that a busy process makes at a time.
AT_WORK = 3
# Seconds that the next page waits for its turn.
TURN = 2.0
PICTURES = (".svg", ".webp", ".png", ".jpg")
# Senders whose use is remembered; the least recent is forgotten.
MAX_SENDERS = 20_000
# The address of a living process, which is never refused.
ALIVE = "/healthz"
# Addresses for monitoring, which a full process answers too.
WATCHED = (ALIVE, "/readyz", "/metrics")
BUSY = Refused(
    Fault(
        "busy",
        "The site is too busy at the moment. Nothing was stored; try again in a few seconds.",
    ),
    status=503,
    wait=5,
)
TOO_MUCH = "This address has asked for very much in a short time. Wait a few seconds, then ask again."

Clock = Callable[[], float]


class BoundedRequests:
    """A WSGI application that refuses requests beyond the limits of the sender and of the process.

    **Limits of a sender** (429). At most ``OF_ONE`` requests at a time, so that one sender cannot fill the
    process. The processor time of its requests is added up, and drains at ``READ`` seconds for each allowed
    read: 600 * 0.025 s a minute, or 0.25 s per second, by default. A sender who has used a minute of that
    (15 s) is refused until some has drained; while ``BUSY_FROM`` requests or more are under way, ``AT_ONCE``
    seconds are the limit. In that state also only ``AT_WORK`` pages of a sender are made at a time, and the
    next ones wait in turn up to ``TURN`` seconds: threads share one processor, so the page of another sender
    then gets a quarter of it instead of a seventeenth. Pictures do not wait for a turn. Works
    (``ratelimits.counted_as_work``) have a limit of their own, so here they cost at most ``WORKED``.

    An ordinary visitor never meets these limits. A page shows up to 60 cards, whose pictures take 60 * 2 ms =
    0.12 s. A class of 30 behind one address that opens a page at the same moment has 15 requests in each of
    two processes, which take 15 * (0.02 + 60 * 0.002) = 2.1 s, of which half a second drains meanwhile. If
    you change a number, make this sum again; the tests play it through.

    **Limits of the process** (503). The server has ``THREADS`` threads and lets hundreds of requests wait
    unseen, which is fine for a burst. But once five sixths of the threads have been busy for ``PATIENCE``
    seconds without a break, requests that arrive in this state are refused, which costs next to nothing. So
    the queue empties, and those who are let in are answered soon. This lasts until the process was not so
    full for ``CALM`` seconds.

    ``now``: clock in seconds; ``worked``: processor time of this thread in seconds. A thread that waits for
    something else than the processor is not counted as busy (see ``elsewhere``).
    """

    def __init__(
        self,
        application: WSGIApplication,
        at_work: int = AT_WORK,
        turn: float = TURN,
        now: Clock = monotonic,
        worked: Clock = thread_time,
    ) -> None:
        self.application, self.turn = application, turn
        self.now, self.worked = now, worked
        # Held by every method that changes one of the following.
        self.lock = threading.Lock()
        # Requests that are worked on, and those that wait elsewhere.
        self.under_way = self.waiting = 0
        # Time since when the process is full without a break; infinite while it is not.
        self.full_since = math.inf
        # Time until which it refuses without PATIENCE when it is full.
        self.strict_until = 0.0
        # Sender -> (seconds of processor time used, time of that state), the least recent first.
        self.used = OrderedDict[str, tuple[float, float]]()
        # Requests of each sender, and pages of each that are being made. ``Places`` has its own lock.
        self.places, self.turns = Places(math.inf, OF_ONE), Places(math.inf, at_work)
        # Seconds of processor time that drain per second.
        self.rate = max(1, settings.CUTOUT_READS_PER_MINUTE) * READ / 60

    def __call__(self, environ: dict[str, Any], start_response: StartResponse) -> Iterable[bytes]:
        path, sender = environ.get("PATH_INFO", ""), sender_of(environ)
        # Checked before anything is counted, so that a refusal costs as little as possible.
        if path != ALIVE and (refused := self._refusal(path, sender)):
            return _refuse(refused, path, start_response)
        with self._counted(environ, path, sender), self._turn_of(path, sender) as has_turn:
            if not has_turn:
                return _refuse(_too_much(1), path, start_response)
            return self.application(environ, start_response)

    @contextmanager
    def _counted(self, environ: dict[str, Any], path: str, sender: str) -> Iterator[None]:
        """Inside the ``with`` block, count a request as under way; charge its sender for it."""
        # While a page is being made, its sender is charged for a large one; afterwards for its real cost.
        expected_cost = 0.0 if path.endswith(PICTURES) else WORKED
        self._charge(sender, expected_cost)
        # ``elsewhere`` finds this object and the sender by ``_under_way``.
        token, began = _under_way.set((self, sender)), self.worked()
        self.count(1)
        try:
            # ``_refusal`` found a place free. If another thread took it meanwhile, one more does no harm.
            with self.places.one(sender, anyway=True):
                yield
        finally:
            cost = self.worked() - began
            # Django counted it as a work meanwhile.
            if WORK in environ:
                cost = min(cost, WORKED)
            self._charge(sender, cost - expected_cost)
            self.count(-1)
            _under_way.reset(token)

    def _turn_of(self, path: str, sender: str) -> AbstractContextManager[bool]:
        """Return a context manager that waits for the sender's turn, and whose value is False if it does not
        come. Pictures need no turn, nor do pages while the process is not busy; they are counted all the
        same.
        """
        if path.endswith(PICTURES) or path in WATCHED or self.under_way <= BUSY_FROM:
            return self.turns.one(sender, anyway=True)
        return self.turns.one(sender, seconds=self.turn)

    @property
    def is_full(self) -> bool:
        """True if five sixths of the threads that do not wait elsewhere are busy."""
        return self.under_way >= max(1, (THREADS - self.waiting) * 5 // 6)

    def _refusal(self, path: str, sender: str) -> Refused | None:
        """Return the refusal of a request by this sender; None if it is let in. The limits of the sender come
        before those of the process, as in the docstring of this class.
        """
        used, limit = self._used(sender), 60 * self.rate
        if self.under_way >= BUSY_FROM:
            limit = min(limit, AT_ONCE)
        if used >= limit:
            # Rounded up to whole seconds, so that the sender is let in when it comes back.
            seconds = 1 + int((used - limit) / self.rate)
            return _too_much(min(60, seconds))
        if not (path.endswith(PICTURES) or self.places.has_one(sender)):
            return _too_much(1)
        if path not in WATCHED and self._is_overloaded():
            return BUSY
        return None

    def _is_overloaded(self) -> bool:
        """True if the process is full for PATIENCE seconds, or again within CALM seconds of such a time."""
        with self.lock:
            now = self.now()
            patience = 0.0 if now < self.strict_until else PATIENCE
            if not self.is_full or now < self.full_since + patience:
                return False
            # Every refusal prolongs the strict time.
            self.strict_until = now + CALM
            return True

    def _used(self, sender: str) -> float:
        """Return the processor time that a sender has used and that has not drained yet: after 2.1 s used and
        4 s since, 2.1 - 4 * 0.25 = 1.1 s.
        """
        used, then = self.used.get(sender, (0.0, 0.0))
        return max(0.0, used - (self.now() - then) * self.rate)

    def _charge(self, sender: str, seconds: float) -> None:
        """Add processor time to what a sender has used; a negative number takes some back."""
        with self.lock:
            self.used[sender] = self._used(sender) + seconds, self.now()
            self.used.move_to_end(sender)
            if len(self.used) > MAX_SENDERS:
                self.used.popitem(last=False)

    def count(self, under_way: int, waiting: int = 0) -> None:
        """Change the numbers of requests that are under way and that wait elsewhere by these amounts."""
        with self.lock:
            self.under_way += under_way
            self.waiting += waiting
            if not self.is_full:
                self.full_since = math.inf
            elif self.full_since == math.inf:
                self.full_since = self.now()


def _refuse(refused: Refused, path: str, start_response: StartResponse) -> Iterable[bytes]:
    metrics.refused("overloaded" if refused is BUSY else refused.faults[0].code, refused.status)
    return refuse(refused, path, start_response)


def _too_much(wait: int) -> Refused:
    return Refused(Fault("throttled", TOO_MUCH), status=429, wait=wait)


# The bounds and the sender of the request that this thread answers.
_under_way: ContextVar[tuple[BoundedRequests, str] | None] = ContextVar("under_way", default=None)


@contextmanager
def elsewhere() -> Iterator[None]:
    """Inside the ``with`` block, do not count this thread as busy, nor its page as one that is being made: it
    waits for a body, or for its turn to decode a picture. Outside of requests it does nothing.
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

# Seconds of waiting after which a body must have arrived at this speed on average.
GRACE_SECONDS = 20.0
MIN_BYTES_PER_SECOND = 4096
# Threads of a process that may wait for bodies.
MAX_READERS = 16
# Bytes that are read in one step, at most. The server blocks until it has all bytes of a step, so a slow body
# is read byte by byte: after each step the clock is checked.
_MAX_STEP = 256 * 1024
# Factor by which steps grow while the body is quick.
_GROWTH = 8
# Seconds that a step of a quick body takes at most.
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
    """A WSGI application whose request bodies are read with limits, because a thread that waits for a body
    does nothing else.

    A body that stays slower than MIN_BYTES_PER_SECOND after GRACE_SECONDS is refused (408). At most
    MAX_READERS threads wait for bodies, half as many for one sender (503). A body shorter than its headers
    say is refused (400): after a broken connection the server passes it on as if it were whole, and half of a
    list must not be stored. A sender that sends nothing after its headers holds one place until the
    connection ends; public sites have a proxy that takes bodies whole (docs/deploy.md).
    """

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
        # The start of the answer is held back until it is known that the body was complete.
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
        # Drop the application's answer to an incomplete body, which does not say what was wrong.
        if close := getattr(answer, "close", None):
            close()
        cut_short(body.refused.faults[0].code, body.refused.status)
        return refuse(body.refused, environ.get("PATH_INFO", ""), start_response)


class _Body(io.RawIOBase):
    """A body, read in steps that grow while it arrives quickly: of 1, 8, 64, 512, ... bytes, and of 1 again
    after a slow step. ``refused`` is set if it is given up. ``length``: bytes that the headers promise, 0 if
    they do not say.
    """

    def __init__(self, source: Any, places: Places, sender: str, length: int, now: Clock) -> None:
        self.source, self.places, self.sender, self.length, self.now = source, places, sender, length, now
        # Bytes of the next step; bytes that came so far; seconds of waiting for them.
        self.step, self.received, self.waited = 1, 0, 0.0
        self.refused: Refused | None = None

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        """Read the next step into a buffer. Return the number of bytes. Raises OSError to give up."""
        if self.waited > GRACE_SECONDS and self.received < self.waited * MIN_BYTES_PER_SECOND:
            raise self._given_up(TOO_SLOW)
        before = self.now()
        with self.places.one(self.sender) as is_free, elsewhere():
            if not is_free:
                raise self._given_up(TOO_MANY)
            data = self.source.read(min(len(buffer), self.step))
        took = self.now() - before
        self.waited += took
        self.step = 1 if took > _SLOW else min(self.step * _GROWTH, _MAX_STEP)
        self.received += len(data)
        if not data and self.received < self.length:
            raise self._given_up(CUT)
        buffer[: len(data)] = data
        return len(data)

    def _given_up(self, refused: Refused) -> OSError:
        self.refused = refused
        return OSError(refused.faults[0].message)


# -- all layers, and the first pages -------------------------------------------------------


def whole_site(django: WSGIApplication) -> WSGIApplication:
    """Return the WSGI application of a server process. A request passes the layers from left to right, so
    that static files are served even under overload.
    """
    return with_policy(with_static_files(BoundedRequests(BoundedBodies(django))))


def answer_first(application: WSGIApplication, paths: list[str]) -> None:
    """Warm up a new process: request these pages, following redirects, before the first visitor does. Routes,
    templates and the cards in memory are loaded by that. Errors are ignored.
    """
    scheme = "https" if settings.SECURE_SSL_REDIRECT else "http"
    hosts = [host.lstrip(".") for host in settings.ALLOWED_HOSTS if host != "*"]
    headers = {
        "HTTP_HOST": next(iter(hosts), "localhost"),
        "HTTP_X_FORWARDED_PROTO": scheme,
        "REMOTE_ADDR": "127.0.0.1",
        "wsgi.url_scheme": scheme,
    }
    to_request = list(paths)

    def started(status: str, headers: list[tuple[str, str]], error: Any = None) -> Any:
        # A redirect within the site is requested too.
        to_request.extend(value for name, value in headers if name == "Location" and value.startswith("/"))

    while to_request:
        path, _, query = to_request.pop(0).partition("?")
        environ: dict[str, Any] = {"PATH_INFO": path, "QUERY_STRING": query, **headers}
        setup_testing_defaults(environ)
        with contextlib.suppress(Exception):
            answer: Any = application(environ, started)
            answer.close()
    connections.close_all()
