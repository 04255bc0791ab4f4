"""Limits of requests per minute and sender: many reads, fewer works (requests that take much computing).

Pages and the API share the same two budgets. The middleware ``CountedRequests`` counts as reads the forms
sent to pages and the pages of decks and collections; the decorator ``counted_as_work`` counts works; the API
has a throttle (``cardsdb.api.framework.PerAddress``). The catalogue's pages are limited by their cost instead
(``cardsdb.site.overload``).

Counts are kept in Django's cache, by whole minutes. Without ``CACHE_URL`` each server process has its own
cache, so that a site with two processes allows up to twice as much.
Tests: ``tests/cardsdb/site/test_ratelimits.py``; ``Places`` in ``test_overload.py`` beside it.
"""

import math
import re
import threading
import time
from collections import Counter, defaultdict, deque
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import wraps
from ipaddress import IPv4Address, IPv6Address, ip_address
from typing import Any

from django.conf import settings
from django.core.cache import cache
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.utils.deprecation import MiddlewareMixin

from cardsdb.faults import Fault, Refused
from cardsdb.games.kit import some
from cardsdb.site.errors import refusal
from cardsdb.site.sharing import P, View

# Seconds.
WINDOW = 60
DAY = 24 * 60 * 60
# The key of ``request.META`` that marks a request as counted as a work; ``cardsdb.site.overload`` reads it.
WORK = "cutout.work"
# Requests per minute that the API's documentation names; the settings CUTOUT_READS_PER_MINUTE and
# CUTOUT_WORKS_PER_MINUTE have the same defaults.
READS = 600
WORKS = 60
# Previews allowed for each work. They have a budget of their own, because they are cheaper than files and
# people try many.
LOOKS_A_WORK = 2
# An address with a port, as some proxies write it: ``198.51.100.7:5678`` or ``[2001:db8::7]:443``.
_WITH_PORT = re.compile(r"\[([^\]]*)\](?::[0-9]{1,5})?|([0-9.]{7,15}):[0-9]{1,5}")


def sender(request: Any) -> str:
    """Return the sender of a request, under which its requests are counted (see ``sender_of``)."""
    return sender_of(request.META)


def sender_of(headers: Mapping[str, Any]) -> str:
    """Return the IPv4 address of a sender, or their IPv6 network of 64 bits, which is what one customer has:
    "198.51.100.7", "2001:db8:1:2::"; "unknown" without an address. ``headers`` are those of WSGI's environ.

    Only the last entry of ``X-Forwarded-For`` is used, and only behind our own proxy, which wrote it.
    Everything else in that header can be forged. If the entry is not an address, that of the connection is
    used.
    """
    candidates = [headers.get("REMOTE_ADDR", "")]
    if settings.CUTOUT_BEHIND_PROXY:
        candidates.insert(0, headers.get("HTTP_X_FORWARDED_FOR", "").rpartition(",")[2])
    address = next(filter(None, map(_address, candidates)), None)
    if isinstance(address, IPv6Address):
        # The lower 64 bits are those that a customer chooses, so they are set to zero. An IPv4 address may be
        # written as IPv6: "::ffff:198.51.100.7".
        return str(address.ipv4_mapped or IPv6Address(int(address) >> 64 << 64))
    return str(address or "unknown")


def _address(text: str) -> IPv4Address | IPv6Address | None:
    """Return the IP address in a text, with or without a port; None if it is none."""
    text = text.strip()
    if match := _WITH_PORT.fullmatch(text):
        text = match[1] or match[2] or ""
    try:
        return ip_address(text)
    except ValueError:
        return None


def seconds_to_wait(request: Any, work: bool) -> int:
    """Count a request. Return 0 if it is within the limit, else the seconds until the next minute begins."""
    if work:
        request.META[WORK] = True
    name = "CUTOUT_WORKS_PER_MINUTE" if work else "CUTOUT_READS_PER_MINUTE"
    return _counted(f"requests:{name}", sender(request), getattr(settings, name), WINDOW)


def seconds_to_look(request: Any) -> int:
    """Count a request for a preview, in the budget of previews. Return as ``seconds_to_wait`` does."""
    request.META[WORK] = True
    limit = LOOKS_A_WORK * settings.CUTOUT_WORKS_PER_MINUTE
    return _counted("requests:looks", sender(request), limit, WINDOW)


def beyond_today(what: str, address: str, most: int) -> int:
    """Count one more thing that a sender stores today. Return 0 if there are at most ``most``, else the
    seconds until the next day begins in UTC.
    """
    return _counted(f"today:{what}", address, most, DAY)


def _counted(what: str, address: str, limit: int, window: int) -> int:
    """Count one more in the current window of ``window`` seconds. Return 0 within the limit, else the seconds
    until the next window begins. ``address``: the sender, or another name for who is counted.
    """
    # "requests:CUTOUT_READS_PER_MINUTE:29934360:198.51.100.7" is the key of a sender's reads in the minute
    # 18:00 of 30 November 2026 in UTC, so many minutes after 1970 began.
    number, passed = divmod(time.time(), window)
    key, count = f"{what}:{int(number)}:{address}", 1
    # ``add`` and ``incr`` are atomic, so that simultaneous requests are all counted. A full cache may drop
    # the key in between; then ``incr`` raises ValueError.
    # It is kept for longer than its window, because clocks of machines differ.
    cache.add(key, 0, timeout=2 * window)
    with suppress(ValueError):
        count = cache.incr(key)
    return 0 if count <= limit else math.ceil(window - passed)


class Places:
    """A semaphore for threads of this process with a limit for all and one for each sender. Threads of one
    sender wait in the order in which they came. ``cardsdb/site/overload.py`` limits requests and bodies with
    it. Tests: ``tests/cardsdb/site/test_overload.py``.
    """

    def __init__(self, most: float, of_one: float) -> None:
        self.most, self.of_one = most, of_one
        # Held while something changes. Its lock may be taken twice by one thread, as ``one`` does by
        # ``take``.
        self.changed = threading.Condition()
        # Sender -> places that it holds, without zeros.
        self.taken = Counter[str]()
        # Sender -> markers of its waiting threads, in their order.
        self.lines = defaultdict[str, deque[object]](deque)

    def has_one(self, sender: str) -> bool:
        """True if there is a free place for this sender."""
        # A copy is summed, because other threads may change the counter meanwhile.
        return self.taken[sender] < self.of_one and sum([*self.taken.values()]) < self.most

    def take(self, sender: str, number: int) -> None:
        """Take ``number`` places for a sender, even beyond the limits; a negative number gives some back."""
        with self.changed:
            self.taken[sender] += number
            if not self.taken[sender]:
                del self.taken[sender]
            self.changed.notify_all()

    @contextmanager
    def one(self, sender: str, anyway: bool = False, seconds: float = 0.0) -> Iterator[bool]:
        """Hold a place inside the ``with`` block, after waiting up to ``seconds`` for a free one. The value
        of the block (``with places.one(sender) as has_place``) is True if a place was taken, which it always
        is with ``anyway``.
        """
        me = object()
        with self.changed:
            line = self.lines[sender]
            line.append(me)
            is_free = self.changed.wait_for(lambda: line[0] is me and self.has_one(sender), seconds)
            line.remove(me)
            if not line:
                del self.lines[sender]
            has_place = is_free or anyway
            number = 1 if has_place else 0
            # Also if none is taken: the next in the line must hear that this thread left it.
            self.take(sender, number)
        try:
            yield has_place
        finally:
            self.take(sender, -number)


def counted_as_work(*methods: str) -> Callable[[View[P]], View[P]]:
    """Return a decorator that counts requests to a view as works: those with the given methods, or all if
    none is given. Beyond the limit the answer is a page with 429 and ``Retry-After``.
    """

    def decorated(view: View[P]) -> View[P]:
        @wraps(view)
        def counted(request: HttpRequest, *args: P.args, **kwargs: P.kwargs) -> HttpResponseBase:
            wait = seconds_to_wait(request, work=True) if not methods or request.method in methods else 0
            return too_many(request, wait) if wait else view(request, *args, **kwargs)

        return counted

    return decorated


class CountedRequests(MiddlewareMixin):
    """Middleware that counts as a read each request to a page that writes, or that reads something other than
    the catalogue. The API counts its requests itself.
    """

    # Beginnings of module names of views whose pages are made anew for each visitor.
    made_anew = ("decks.", "printing.web.mine")

    def process_view(
        self, request: HttpRequest, view: Callable[..., Any], args: Any, kwargs: dict[str, Any]
    ) -> HttpResponse | None:
        # A view of Django REST framework, which has its own throttle.
        if hasattr(view, "cls"):
            return None
        reads = request.method in ("GET", "HEAD", "OPTIONS")
        if reads and not view.__module__.startswith(self.made_anew):
            return None
        wait = seconds_to_wait(request, work=False)
        return too_many(request, wait, work=False) if wait else None


def too_many(request: HttpRequest, seconds: int, work: bool = True) -> HttpResponse:
    """Return the answer to a sender who has to wait ``seconds``."""
    soon = some(seconds, "second")
    made = "lists, sheets, pictures and corrections" if work else "pages of decks, and changes to them,"
    fault = Fault("throttled", f"These are more {made} than one address may have made in a minute.")
    advice = f"Wait {soon}, then reload this page to ask once more. Everything else stays open to you."
    return refusal(request, Refused(fault, status=429, wait=seconds), "Too many requests", advice)
