"""One address may send so many requests: many reads, fewer of what has to be worked out each time.

Pages and API draw on the same two budgets, so that neither gets round the other. ``CountedRequests`` counts a
read for each form sent to a page, and for each page of decks and collections, which is made anew for each
visitor; the catalogue's own pages are counted by what they cost (cardsdb/site/overload.py).
``counted_as_work`` and the API's throttles count works besides. Requests are counted per whole minute in
Django's cache. Without ``CACHE_URL`` the cache lives in each server process, so that a site with two of them
allows up to twice as much.

With it that is a cache that several machines share, Redis or Valkey. While it does not answer, or answers
with an error (it is full, or a replica that takes nothing), each process counts for itself: a visitor never
waits for it and never gets an error on its account.
"""

import logging
import math
import re
import threading
import time
from collections import Counter, defaultdict, deque
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import partialmethod, wraps
from ipaddress import IPv4Address, IPv6Address, ip_address
from time import monotonic
from typing import Any

from django.conf import settings
from django.core.cache import cache
from django.core.cache.backends.locmem import LocMemCache
from django.core.cache.backends.redis import RedisCache
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.utils.deprecation import MiddlewareMixin
from redis.exceptions import RedisError

from cardsdb.faults import Fault, Refused
from cardsdb.games.kit import some
from cardsdb.site.errors import refusal
from cardsdb.site.sharing import P, View
from cardsdb.watch import metrics

WINDOW, DAY = 60, 24 * 60 * 60
# Under this name a request says that it was counted as a work (cardsdb/site/overload.py).
WORK = "cutout.work"
# Requests a minute, where the settings CUTOUT_READS_PER_MINUTE and CUTOUT_WORKS_PER_MINUTE say nothing else.
READS, WORKS = 600, 60
# A preview costs less than the file, and people try many: so many times the works, counted apart from them.
LOOKS_A_WORK = 2
# Some proxies write the sender's port behind the address. Around an IPv6 address there are brackets then.
_WITH_PORT = re.compile(r"\[([^\]]*)\](?::[0-9]{1,5})?|([0-9.]{7,15}):[0-9]{1,5}")


def sender(request: Any) -> str:
    """The sender whose requests are counted together: ``sender_of`` the request's headers."""
    return sender_of(request.META)


def sender_of(headers: Mapping[str, Any]) -> str:
    """Return an IPv4 address, or the network of 64 bits that one IPv6 customer has; "unknown" where none
    is.

    Behind a proxy of our own the last entry of ``X-Forwarded-For`` is the one that proxy wrote; all
    before it, and the whole header without a proxy, is whatever the sender liked to write. An entry
    that is no address is passed over for the address of the connection.
    """
    candidates = [headers.get("REMOTE_ADDR", "")]
    if settings.CUTOUT_BEHIND_PROXY:
        candidates.insert(0, headers.get("HTTP_X_FORWARDED_FOR", "").rpartition(",")[2])
    address = next((one for one in map(_address, candidates) if one), None)
    if isinstance(address, IPv6Address):
        return str(address.ipv4_mapped or IPv6Address(int(address) >> 64 << 64))
    return str(address or "unknown")


def _address(text: str) -> IPv4Address | IPv6Address | None:
    text = text.strip()
    if match := _WITH_PORT.fullmatch(text):
        text = match[1] or match[2] or ""
    try:
        return ip_address(text)
    except ValueError:
        return None


def seconds_to_wait(request: Any, work: bool) -> int:
    """Count this request. 0 if its sender may go on, else the seconds until the next minute begins."""
    if work:
        request.META[WORK] = True
    name = "CUTOUT_WORKS_PER_MINUTE" if work else "CUTOUT_READS_PER_MINUTE"
    return _counted(f"requests:{name}", sender(request), getattr(settings, name), WINDOW)


def seconds_to_look(request: Any) -> int:
    """Count this request for a preview; as ``seconds_to_wait``. Previews use up no works."""
    request.META[WORK] = True
    most = LOOKS_A_WORK * settings.CUTOUT_WORKS_PER_MINUTE
    return _counted("requests:looks", sender(request), most, WINDOW)


def beyond_today(what: str, address: str, most: int) -> int:
    """Count one thing more that this address (of ``sender``) stores. 0 if it may, else the seconds until the
    next day begins, in UTC.
    """
    return _counted(f"today:{what}", address, most, DAY)


def _counted(what: str, address: str, most: int, window: int) -> int:
    number, into = divmod(time.time(), window)
    key, count = f"{what}:{int(number)}:{address}", 1
    # Single steps of the cache, so that requests at once are all counted. One that is full may drop the
    # count.
    cache.add(key, 0, timeout=2 * window)
    with suppress(ValueError):
        count = cache.incr(key)
    return 0 if count <= most else math.ceil(window - into)


class Places:
    """The places of this process: so many at a time, and so many for one sender."""

    def __init__(self, most: float, of_one: float) -> None:
        self.most, self.of_one, self.changed, self.taken = most, of_one, threading.Condition(), Counter[str]()
        # Those who wait, sender by sender, in their order.
        self.lines = defaultdict[str, deque[object]](deque)

    def has_one(self, sender: str) -> bool:
        """Return whether there is a place for this sender."""
        return self.taken[sender] < self.of_one and sum([*self.taken.values()]) < self.most

    def take(self, sender: str, number: int) -> None:
        """Take so many for this sender, whether they are free or not; fewer than none gives them back."""
        with self.changed:
            self.taken[sender] += number
            if not self.taken[sender]:
                del self.taken[sender]
            self.changed.notify_all()

    @contextmanager
    def one(self, sender: str, anyway: bool = False, seconds: float = 0.0) -> Iterator[bool]:
        """Take a place, if one is free within so many seconds, or ``anyway`` then; within, it says whether
        one was taken.
        """
        me = object()
        with self.changed:
            line = self.lines[sender]
            line.append(me)
            is_free = self.changed.wait_for(lambda: line[0] is me and self.has_one(sender), seconds) or anyway
            line.remove(me)
            if not line:
                del self.lines[sender]
            self.take(sender, is_free)
        try:
            yield is_free
        finally:
            self.take(sender, -is_free)


def counted_as_work(*methods: str) -> Callable[[View[P]], View[P]]:
    """Count a page that is worked out each time: requests with these methods, or all if none is named, count
    as works of their sender.

    Beyond them the answer is a readable page with 429 and ``Retry-After``.
    """

    def decorated(view: View[P]) -> View[P]:
        @wraps(view)
        def counted(request: HttpRequest, *args: P.args, **kwargs: P.kwargs) -> HttpResponseBase:
            wait = seconds_to_wait(request, work=True) if not methods or request.method in methods else 0
            return too_many(request, wait) if wait else view(request, *args, **kwargs)

        return counted

    return decorated


class CountedRequests(MiddlewareMixin):
    """Counts each request to the pages that writes, or reads what is not the catalogue's own. The API counts
    its requests itself.
    """

    # Apps and modules whose pages are made anew for each visitor.
    made_anew = ("decks.", "printing.web.mine")

    def process_view(
        self, request: HttpRequest, view: Callable[..., Any], args: Any, kwargs: dict[str, Any]
    ) -> HttpResponse | None:
        if hasattr(view, "cls"):  # Django REST framework's, with its throttles.
            return None
        reads = request.method in ("GET", "HEAD", "OPTIONS")
        if reads and not view.__module__.startswith(self.made_anew):
            return None
        wait = seconds_to_wait(request, work=False)
        return too_many(request, wait, work=False) if wait else None


def too_many(request: HttpRequest, seconds: int, work: bool = True) -> HttpResponse:
    """The answer to a sender who has to wait."""
    soon = some(seconds, "second")
    made = "lists, sheets, pictures and corrections" if work else "pages of decks, and changes to them,"
    fault = Fault("throttled", f"These are more {made} than one address may have made in a minute.")
    advice = f"Wait {soon}, then reload this page to ask once more. Everything else stays open to you."
    return refusal(request, Refused(fault, status=429, wait=seconds), "Too many requests", advice)


log = logging.getLogger(__name__)

# Seconds in which a server that failed is not asked again.
PAUSE = 5.0
OPERATIONS = "add get set touch delete incr has_key get_many set_many delete_many clear".split()


class SharedCache(RedisCache):
    """Django's Redis cache, with a cache of this process's own for as long as the server fails.

    Django makes one such object a thread; ``away_until`` is the process's, as what it counts meanwhile is.
    """

    away_until, why = 0.0, ""

    def __init__(self, server: str, params: dict[str, Any]) -> None:
        # The server's options are none of the other's.
        own = {name: value for name, value in params.items() if name != "OPTIONS"}
        self.own = LocMemCache("shared-cache-away", own)
        super().__init__(server, params)

    @property
    def away(self) -> str:
        """Tell why this process counts for itself just now: the kind of error. Empty if it does not."""
        return self.why if monotonic() < self.away_until else ""

    def _or_own(self, name: str, *arguments: Any, **options: Any) -> Any:
        if not self.away:
            try:
                return getattr(RedisCache, name)(self, *arguments, **options)
            except RedisError as error:
                SharedCache.away_until, SharedCache.why = monotonic() + PAUSE, type(error).__name__
                metrics.SHARED_CACHE_FAILURES.inc()
                log.warning("the shared cache fails, this process counts for itself: %s", error)
        return getattr(self.own, name)(*arguments, **options)


for _name in OPERATIONS:
    setattr(SharedCache, _name, partialmethod(SharedCache._or_own, _name))
