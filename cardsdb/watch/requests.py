"""Each request that Django answers has an id, is counted, and has a line of the log where that is JSON; so
has a query that is slow.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.db import connection
from django.http import HttpRequest, HttpResponse

from cardsdb.watch import counting
from cardsdb.watch.current import HEADER, account_in, begin, end, give_id, new_id, while_sent

log = logging.getLogger("cutout.requests")
slow = logging.getLogger("cutout.slow")

# Under this name a request says for what it was refused.
_REFUSED = "cutout.refused"
# Characters of a slow query that are logged.
MAX_SQL = 2_000
# Refusals that are counted by their code: somebody may not, sent too much, or has to wait. Others are slips.
COUNTED = frozenset((403, 408, 413, 429, 503, 507))


def refused_for(request: Any, code: str) -> None:
    """Note for the request's line why it is refused: the code of its first fault."""
    request.META[_REFUSED] = code


def view_of(request: HttpRequest) -> str:
    """The name of the request's address, never the address itself: links of decks are secrets of those who
    have them. Empty for none.
    """
    match = request.resolver_match
    return match.view_name if match else ""


class Queries:
    """Counts the queries of a request, and logs those that are slow: their SQL without its values."""

    __slots__ = ("number", "patience", "request", "slow")

    def __init__(self, request: HttpRequest, patience: float) -> None:
        self.request, self.patience = request, patience
        self.number = self.slow = 0

    def __call__(self, execute: Callable[..., Any], sql: str, params: Any, many: bool, context: Any) -> Any:
        self.number += 1
        if not self.patience:
            return execute(sql, params, many, context)
        began = time.perf_counter()
        try:
            return execute(sql, params, many, context)
        finally:
            took = time.perf_counter() - began
            if took > self.patience:
                self.slow += 1
                extra = {"sql": sql[:MAX_SQL], "ms": round(took * 1_000), "view": view_of(self.request)}
                slow.warning(
                    "a query took %d ms at %s: %s", extra["ms"], extra["view"], extra["sql"], extra=extra
                )


class WatchedRequests:
    """The outermost middleware, so that it sees every answer as it is sent."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response
        self.behind_proxy = settings.CUTOUT_BEHIND_PROXY
        self.patience = settings.CUTOUT_SLOW_QUERY_MS / 1_000

    def __call__(self, request: HttpRequest) -> HttpResponse:
        began = time.perf_counter()
        name = new_id(request.META, self.behind_proxy)
        give_id(request, name)
        token = begin(request)
        queries = Queries(request, self.patience)
        wrappers = connection.execute_wrappers
        wrappers.append(queries)
        try:
            response = self.get_response(request)
            # What caches store for everybody answers many requests, and has the id of none.
            if "public" not in response.headers.get("Cache-Control", ""):
                response.headers[HEADER] = name
            if response.streaming:
                response.streaming_content = while_sent(request, response.streaming_content)
            self._noted(request, response, time.perf_counter() - began, queries)
            return response
        finally:
            wrappers.remove(queries)
            end(token)

    def _noted(self, request: HttpRequest, response: HttpResponse, seconds: float, queries: Queries) -> None:
        status, view = response.status_code, view_of(request)
        refused = request.META.get(_REFUSED, "") if status >= 400 else ""
        counting.answered(counting.Answered(view, status, seconds, queries.number, queries.slow))
        if refused and status in COUNTED:
            counting.refused(refused, status)
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
            if refused:
                line["refused"] = refused
            log.info("request", extra=line)


def cut_short(code: str, status: int) -> None:
    """A request was refused while its body came, whatever Django made of it (``cardsdb.site.bodies``)."""
    counting.refused(code, status)
    log.info("request cut short", extra={"status": status, "refused": code})
