"""The request that this thread answers just now: its id, and what is noted of it for its line of the log."""

from __future__ import annotations

import re
import secrets
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextvars import ContextVar
from typing import Any, TypeVar

from django.contrib.auth import SESSION_KEY
from django.http import HttpRequest

T = TypeVar("T")

# The header in which a proxy names a request, and an answer says its name.
HEADER = "X-Request-ID"
# Under this name a request carries its id.
_ID = "cutout.request_id"
_WELL_FORMED = re.compile(r"[0-9A-Za-z_-]{8,64}")

_current: ContextVar[HttpRequest | None] = ContextVar("request", default=None)


def new_id(environ: Mapping[str, Any], behind_proxy: bool) -> str:
    """The id that our own proxy gave the request, if it looks like one, so that both logs name it alike; else
    twelve random digits.
    """
    sent = environ.get("HTTP_X_REQUEST_ID", "") if behind_proxy else ""
    return sent if sent and _WELL_FORMED.fullmatch(sent) else secrets.token_hex(6)


def request_id(request: HttpRequest) -> str:
    """The id of this request; one that passed no middleware gets one now."""
    found: str | None = request.META.get(_ID)
    if found is None:
        found = request.META[_ID] = secrets.token_hex(6)
    return found


def give_id(request: HttpRequest, name: str) -> None:
    request.META[_ID] = name


def current_request() -> HttpRequest | None:
    """The request that is being answered here; None outside of requests."""
    return _current.get()


def once_a_request(name: str, ask: Callable[[], T]) -> T:
    """The answer to ``ask``, which a request asks for the first time only; outside of requests, each time."""
    request = _current.get()
    if request is None:
        return ask()
    key = f"cutout.once.{name}"
    if key not in request.META:
        request.META[key] = ask()
    answer: T = request.META[key]
    return answer


def account_in(request: HttpRequest) -> int | None:
    """The account that sent the request, where its answer depended on that: nobody is looked up for the
    log.
    """
    session = getattr(request, "session", None)
    account = session.get(SESSION_KEY) if session is not None and session.accessed else None
    return int(account) if account else None


begin, end = _current.set, _current.reset


def while_sent(request: HttpRequest, parts: Iterable[bytes]) -> Iterator[bytes]:
    """The parts of an answer, each of them made while the request is the current one."""
    left = iter(parts)
    while True:
        token = begin(request)
        try:
            part = next(left, None)
        finally:
            end(token)
        if part is None:
            return
        yield part


def current_id() -> str:
    """The id of that request, empty outside of requests."""
    request = _current.get()
    return request_id(request) if request is not None else ""
