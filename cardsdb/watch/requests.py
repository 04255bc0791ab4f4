"""Watch each request, in three sections:

* The current request: its id, its account, its refusal; what is done once a request (``once_a_request``).
* The middleware ``WatchedRequests``, the first in ``cardsdb/settings.py``. It makes a request the current
  one, counts it in the metrics, and writes its line of the log. Slow queries are logged too.
* The settings of logging (``log_settings``, called there too). Lines are sentences for people, or JSON for
  programs; visitors' input can never start a new line.

Tests: ``tests/cardsdb/watch/test_requests.py``.
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

# The header with the id of a request, from a proxy to us and from us to the client.
HEADER = "X-Request-ID"
# The key in ``request.META`` of the request's id.
_ID = "cutout.request_id"
# The key in ``request.META`` of the code of the fault for which it was refused.
_REFUSED = "cutout.refused"
# Ids that the proxy may choose, such as nginx' $request_id (32 hexadecimal digits). They appear in lines of
# the log.
_WELL_FORMED = re.compile(r"[0-9A-Za-z_-]{8,64}")
# Characters of a slow query that are logged.
MAX_SQL = 2_000
# Statuses whose refusals are counted: forbidden, too slow, too large, too many, busy, out of room. Others are
# people's mistakes.
COUNTED = frozenset((403, 408, 413, 429, 503, 507))

# -- the current request -------------------------------------------------------------------

# The request that this thread answers.
_current: ContextVar[HttpRequest | None] = ContextVar("request", default=None)


def current_request() -> HttpRequest | None:
    """The request being answered in this thread; None outside of requests."""
    return _current.get()


def request_id(request: HttpRequest) -> str:
    """The id of a request. One that did not pass the middleware gets its id now."""
    name: str = request.META.setdefault(_ID, secrets.token_hex(6))
    return name


def current_id() -> str:
    """The id of the current request; "" outside of requests."""
    request = _current.get()
    return request_id(request) if request is not None else ""


def once_a_request(name: str, ask: Callable[[], T]) -> T:
    """Return ``ask()``, called at most once in each request and remembered under ``name``, which only one
    caller may use; outside of requests, called each time.
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
    """Return the account that sent a request; None without one, or if the answer did not use the session: the
    log must not cost a query for it.
    """
    session = getattr(request, "session", None)
    if session is None or not session.accessed:
        return None
    account = session.get(SESSION_KEY)
    return int(account) if account else None


def note_refusal(request: Any, code: str) -> None:
    """Note the code of the first fault for which a request is refused, for its log line."""
    request.META[_REFUSED] = code


def view_of(request: HttpRequest) -> str:
    """Return the name of a request's URL pattern; "" if none matched. Never log addresses: links of decks are
    secret.
    """
    match = request.resolver_match
    return match.view_name if match else ""


# -- the middleware ------------------------------------------------------------------------


class Queries:
    """Counts a request's queries, and logs slow ones: those that take more than ``patience`` seconds, if that
    is not 0. Django calls it in place of each query (``connection.execute_wrapper``).
    """

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
                self._log(sql, took)

    def _log(self, sql: str, seconds: float) -> None:
        """Log a slow query, without the values that were sent with it."""
        extra = {"ms": round(seconds * 1_000), "view": view_of(self.request), "sql": sql[:MAX_SQL]}
        slow.warning("a query took %(ms)d ms at %(view)s: %(sql)s", extra, extra=extra)


class WatchedRequests:
    """The outermost middleware, which sees each answer as it is sent."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response
        self.patience = settings.CUTOUT_SLOW_QUERY_MS / 1_000

    def __call__(self, request: HttpRequest) -> HttpResponse:
        began = time.perf_counter()
        # An id is taken from our own proxy only, so that its log and ours use the same one. Without it,
        # ``request_id`` makes one when it is first asked for.
        sent = request.headers.get(HEADER, "") if settings.CUTOUT_BEHIND_PROXY else ""
        if _WELL_FORMED.fullmatch(sent):
            request.META[_ID] = sent
        token = _current.set(request)
        queries = Queries(request, self.patience)
        try:
            with connection.execute_wrapper(queries):
                response = self.get_response(request)
            # A cached answer serves many requests, so it must not carry the id of one.
            if "public" not in response.headers.get("Cache-Control", ""):
                response.headers[HEADER] = request_id(request)
            if response.streaming:
                response.streaming_content = _while_sent(request, response.streaming_content)
            _count_and_log(request, response, time.perf_counter() - began, queries)
            return response
        finally:
            _current.reset(token)


def _while_sent(request: HttpRequest, parts: Iterable[bytes]) -> Iterator[bytes]:
    """Yield the parts of a streamed answer; the request is the current one while each part is made.

    The server asks for the parts after the middleware has ended. Between two parts its thread may answer
    other requests, so the current request is set for each part anew and never while this function yields.
    """
    iterator = iter(parts)
    while True:
        token = _current.set(request)
        try:
            part = next(iterator, None)
        finally:
            _current.reset(token)
        if part is None:
            return
        yield part


def _count_and_log(request: HttpRequest, response: HttpResponse, seconds: float, queries: Queries) -> None:
    """Count the request, and log it. In JSON its line is::

    {"level": "INFO", "logger": "cutout.requests", "message": "request", "method": "GET", "view": "card",
     "status": 200, "ms": 4.1, "user": null, "queries": 0, "bytes": 100, "request": "010eacedfd63",
     "time": "2026-11-30T17:52:58.778290+00:00"}
    """
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
    """Count and log a request that was refused while its body arrived, before Django saw it."""
    metrics.refused(code, status)
    log.info("request cut short", extra={"status": status, "refused": code})


# -- lines of the log --------------------------------------------------------------------

# Values of CUTOUT_LOG.
LOG_KINDS = ("plain", "json")
# Characters that end a line, or control a terminal.
_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029]")


def log_settings(kind: str) -> dict[str, Any]:
    """Return Django's LOGGING. "json" has a line for each request; "plain" only what operators need.

    A record of any logger goes up to the root, whose handler "console" writes it to standard error. Only
    "django.security" has a handler of its own, and so writes no traceback. Entries of "loggers" hold back
    what would otherwise come too often. ``"()"`` names what makes a formatter or filter.
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
    requests = {"level": "INFO" if kind == "json" else "WARNING"}
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
        "loggers": {
            "cutout.requests": requests,
            "cutout.audit": requests,
            # Answers of 4xx are warnings there, and mistakes of visitors, who could fill the log with them.
            "django.request": {"level": "ERROR", "filters": ["faults"]},
            # It logs the name of each passkey.
            "fido2": {"level": "WARNING"},
            # They log each task that begins or ends; a failed one is logged by ourselves.
            "django_tasks": {"level": "ERROR"},
            "django_tasks_db": {"level": "WARNING"},
            "django.security": {"handlers": ["refused"], "propagate": False},
            # A warning for each form without its token, and an error for each foreign Host, are mistakes of
            # visitors too.
            "django.security.csrf": {"level": "ERROR"},
            "django.security.DisallowedHost": {"level": "CRITICAL"},
        },
    }


def without_traceback(record: logging.LogRecord) -> bool:
    """A log filter that removes the traceback: a refused request needs one line, not the way Django came to
    refuse it.
    """
    record.exc_info = record.exc_text = None
    return True


def is_fault(record: logging.LogRecord) -> bool:
    """A log filter that lets only real failures pass. Django logs every answer of 500 and more as an error,
    but a record has an exception only if a view raised one: not if it answered 503 or 507 on purpose.
    """
    return bool(record.exc_info)


class WithRequest(logging.Filter):
    """A log filter that adds the id of the current request to each record, as ``record.request``. It lets
    every record pass.
    """

    def filter(self, record: logging.LogRecord) -> bool:
        if name := current_id():
            record.request = name
        elif hasattr(record, "request") and not isinstance(record.request, str):
            # Django's own records have the whole request object under this name, which is no id.
            del record.request
        return True


class PlainLine(logging.Formatter):
    """A formatter for people. A visitor's input cannot start a new line: line ends in messages are escaped,
    and lines of a traceback are indented. The id of the request stands at the end of the first line::

        2026-11-30 17:52:58,779 WARNING cutout.slow a query took 812 ms at deck: SELECT\\n1 [010eacedfd63]
    """

    def formatMessage(self, record: logging.LogRecord) -> str:
        line = _escaped(super().formatMessage(record))
        return f"{line} [{name}]" if (name := getattr(record, "request", "")) else line

    def formatException(self, ei: Any) -> str:
        return "\n".join(f"  {_escaped(line)}" for line in super().formatException(ei).splitlines())


def _escaped(text: str) -> str:
    """Return the text with its control characters written as escapes, a line feed as ``\\n``."""
    return _CONTROL.sub(lambda found: found[0].encode("unicode_escape").decode(), text)
