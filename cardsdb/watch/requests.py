"""Each request that Django answers has an id, is counted, and has a line of the log where that is JSON; so
has a query that is slow. While it is answered, it is the thread's current one. The lines of the log are
sentences for people, or JSON for programs, one line a record whatever was sent.
"""

import logging
import re
import secrets
import time
from collections.abc import Callable, Iterable, Iterator
from contextvars import ContextVar
from typing import Any, TypeVar

from django.conf import settings
from django.contrib.auth import SESSION_KEY
from django.db import connection
from django.http import HttpRequest, HttpResponse

from cardsdb.watch import metrics

T = TypeVar("T")
log = logging.getLogger("cutout.requests")
slow = logging.getLogger("cutout.slow")

# The header in which a proxy names a request, and an answer says its name.
HEADER = "X-Request-ID"
# Under these names a request carries its id, and says for what it was refused.
_ID, _REFUSED = "cutout.request_id", "cutout.refused"
_WELL_FORMED = re.compile(r"[0-9A-Za-z_-]{8,64}")
# Characters of a slow query that are logged.
MAX_SQL = 2_000
# Refusals that are counted by their code: a sender may not, sent too much, or has to wait. Others are slips.
COUNTED = frozenset((403, 408, 413, 429, 503, 507))

_current: ContextVar[HttpRequest | None] = ContextVar("request", default=None)


def current_request() -> HttpRequest | None:
    """Return the request that is being answered here; None outside of requests."""
    return _current.get()


def request_id(request: HttpRequest) -> str:
    """Return the id of this request; one that passed no middleware gets one now."""
    name: str = request.META.setdefault(_ID, secrets.token_hex(6))
    return name


def current_id() -> str:
    """Return the id of the current request, empty outside of requests."""
    request = _current.get()
    return request_id(request) if request is not None else ""


def once_a_request(name: str, ask: Callable[[], T]) -> T:
    """Return the answer to ``ask``, which a request asks for the first time only; outside of requests, each
    time.
    """
    request = _current.get()
    if request is None:
        return ask()
    key = f"cutout.once.{name}"
    if key not in request.META:
        request.META[key] = ask()
    answer: T = request.META[key]
    return answer


def account_in(request: HttpRequest) -> int | None:
    """Return the account that sent the request, where its answer depended on that: none is looked up for the
    log.
    """
    session = getattr(request, "session", None)
    account = session.get(SESSION_KEY) if session is not None and session.accessed else None
    return int(account) if account else None


def refused_for(request: Any, code: str) -> None:
    """Note for the request's line why it is refused: the code of its first fault."""
    request.META[_REFUSED] = code


def view_of(request: HttpRequest) -> str:
    """Return the name of the request's address, never the address itself: links of decks are secrets of those
    who have them. Empty for none.
    """
    match = request.resolver_match
    return match.view_name if match else ""


class Queries:
    """Counts the queries of a request, and logs those that are slow: their SQL without its values."""

    def __init__(self, request: HttpRequest, patience: float) -> None:
        self.request, self.patience = request, patience
        self.number = self.slow = 0

    def __call__(self, execute: Callable[..., Any], sql: str, params: Any, many: bool, context: Any) -> Any:
        self.number += 1
        began = time.perf_counter()
        try:
            return execute(sql, params, many, context)
        finally:
            took = time.perf_counter() - began
            if self.patience and took > self.patience:
                self.slow += 1
                extra = {"sql": sql[:MAX_SQL], "ms": round(took * 1_000), "view": view_of(self.request)}
                slow.warning(
                    "a query took %d ms at %s: %s", extra["ms"], extra["view"], extra["sql"], extra=extra
                )


class WatchedRequests:
    """The outermost middleware, so that it sees every answer as it is sent."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response
        self.patience = settings.CUTOUT_SLOW_QUERY_MS / 1_000

    def __call__(self, request: HttpRequest) -> HttpResponse:
        began = time.perf_counter()
        # That of our own proxy, if it looks like one, so that both logs name the request alike.
        sent = request.headers.get(HEADER, "") if settings.CUTOUT_BEHIND_PROXY else ""
        if _WELL_FORMED.fullmatch(sent):
            request.META[_ID] = sent
        token = _current.set(request)
        queries = Queries(request, self.patience)
        try:
            with connection.execute_wrapper(queries):
                response = self.get_response(request)
            # What caches store for all answers many requests, and has the id of none.
            if "public" not in response.headers.get("Cache-Control", ""):
                response.headers[HEADER] = request_id(request)
            if response.streaming:
                response.streaming_content = _while_sent(request, response.streaming_content)
            _noted(request, response, time.perf_counter() - began, queries)
            return response
        finally:
            _current.reset(token)


def _while_sent(request: HttpRequest, parts: Iterable[bytes]) -> Iterator[bytes]:
    """Yield the parts of an answer, each of them made while the request is the current one."""
    left = iter(parts)
    while True:
        token = _current.set(request)
        try:
            part = next(left, None)
        finally:
            _current.reset(token)
        if part is None:
            return
        yield part


def _noted(request: HttpRequest, response: HttpResponse, seconds: float, queries: Queries) -> None:
    status, view = response.status_code, view_of(request)
    refused = request.META.get(_REFUSED, "") if status >= 400 else ""
    metrics.answered(view, status, seconds, queries.number, queries.slow)
    if refused and status in COUNTED:
        metrics.refused(refused, status)
    if log.isEnabledFor(logging.INFO):
        line = {
            "method": request.method,
            "view": view,
            "status": status,
            "ms": round(seconds * 1_000, 1),
            "user": account_in(request),
            "queries": queries.number,
            "bytes": None if response.streaming else len(response.content),
        }
        log.info("request", extra=line | ({"refused": refused} if refused else {}))


def cut_short(code: str, status: int) -> None:
    """Count and log a request that was refused while its body came, whatever Django made of it."""
    metrics.refused(code, status)
    log.info("request cut short", extra={"status": status, "refused": code})


# -- lines of the log --------------------------------------------------------------------

KINDS = ("plain", "json")
# Characters that end a line, or tell a terminal something.
_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029]")


def log_settings(kind: str) -> dict[str, Any]:
    """Django's LOGGING for one of KINDS. With ``json`` each request has a line, with ``plain`` only what
    operators should look at.
    """
    json = {
        "()": "pythonjsonlogger.json.JsonFormatter",
        "fmt": ["levelname", "name", "message"],
        "rename_fields": {"levelname": "level", "name": "logger", "exc_info": "traceback"},
        "timestamp": "time",
    }
    plain = {
        "()": "cardsdb.watch.requests.PlainLine",
        "format": "{asctime} {levelname} {name} {message}",
        "style": "{",
    }
    handler = {"class": "logging.StreamHandler", "formatter": "line"}
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {"line": json if kind == "json" else plain},
        "filters": {
            "request": {"()": "cardsdb.watch.requests.WithRequest"},
            "no_traceback": {"()": "django.utils.log.CallbackFilter", "callback": without_traceback},
            "faults": {"()": "django.utils.log.CallbackFilter", "callback": is_fault},
        },
        "handlers": {
            "console": handler | {"filters": ["request"]},
            "refused": handler | {"filters": ["request", "no_traceback"]},
        },
        "root": {"handlers": ["console"], "level": "INFO"},
        # A visitor's mistakes (4xx) are no news for the operator, and any visitor could fill the log
        # with them:
        # Django writes an error for each foreign Host, and a warning for each form without its token.
        "loggers": {
            **{
                name: {"level": "INFO" if kind == "json" else "WARNING"}
                for name in ("cutout.requests", "cutout.audit")
            },
            "django.request": {"level": "ERROR", "filters": ["faults"]},
            # It writes down the name of each passkey.
            "fido2": {"level": "WARNING"},
            # They write a line for each task that begins or ends; one that fails says so itself.
            "django_tasks": {"level": "ERROR"},
            "django_tasks_db": {"level": "WARNING"},
            "django.security": {"handlers": ["refused"], "propagate": False},
            "django.security.csrf": {"level": "ERROR"},
            "django.security.DisallowedHost": {"level": "CRITICAL"},
        },
    }


def without_traceback(record: logging.LogRecord) -> bool:
    """Take the traceback from a record: what a visitor sent, and was refused, is a line; how Django came to
    notice it is none of the log's matter.
    """
    record.exc_info = record.exc_text = None
    return True


def is_fault(record: logging.LogRecord) -> bool:
    """Return whether something failed. What we answer with 501, 503 or 507 of our own accord did not."""
    return bool(record.exc_info)


class WithRequest(logging.Filter):
    """Gives each record the id of the request that is answered meanwhile, if there is one."""

    def filter(self, record: logging.LogRecord) -> bool:
        if name := current_id():
            record.request = name
        elif not isinstance(getattr(record, "request", ""), str):
            # Django's own records carry the request itself.
            del record.request
        return True


class PlainLine(logging.Formatter):
    """A record as a line to read. What a visitor sent cannot begin a line: a message has one, and those of a
    traceback are set in.
    """

    def formatMessage(self, record: logging.LogRecord) -> str:
        line = _escaped(super().formatMessage(record))
        return f"{line} [{name}]" if (name := getattr(record, "request", "")) else line

    def formatException(self, ei: Any) -> str:
        return "\n".join(f"  {_escaped(line)}" for line in super().formatException(ei).splitlines())


def _escaped(text: str) -> str:
    return _CONTROL.sub(lambda found: found[0].encode("unicode_escape").decode(), text)
