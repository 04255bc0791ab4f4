"""A process answers some pages to itself before it takes its first visitor.

All addresses with their views, the cards in memory and templates are made or read for the first answer that
needs them. A visitor would wait for that, and of many at once, for each of whom the same templates are
compiled, most are refused (cardsdb/site/overload.py).
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Sequence
from io import BytesIO
from urllib.parse import urlsplit
from wsgiref.types import WSGIApplication

from django.conf import settings
from django.db import connections

# A database that does not answer keeps no process from starting: /readyz says what is wrong.
MAX_SECONDS = 30.0


def answer_first(application: WSGIApplication, paths: Sequence[str], seconds: float = MAX_SECONDS) -> None:
    """Ask for these pages, one after another, and wait for them at most so long. Whatever is answered, or
    fails, is for nobody.
    """
    # A thread of its own, so that it can be left behind.
    asking = threading.Thread(target=_ask, args=(application, paths), daemon=True)
    asking.start()
    asking.join(seconds)


def _ask(application: WSGIApplication, paths: Sequence[str]) -> None:
    try:
        for path in paths:
            # Django answers what fails by itself; what it cannot answer is no reason not to start.
            with contextlib.suppress(Exception):
                if leads_to := _asked(application, path):
                    _asked(application, leads_to)
    finally:
        connections.close_all()


def _asked(application: WSGIApplication, path: str) -> str:
    """The path that the answer leads to, empty where it leads nowhere."""
    scheme = "https" if settings.SECURE_SSL_REDIRECT else "http"
    host = next((host.lstrip(".") for host in settings.ALLOWED_HOSTS if host != "*"), "localhost")
    environ = {
        "REQUEST_METHOD": "GET",
        "PATH_INFO": path,
        "QUERY_STRING": "",
        "SERVER_NAME": host,
        "SERVER_PORT": "80",
        "SERVER_PROTOCOL": "HTTP/1.1",
        "REMOTE_ADDR": "127.0.0.1",
        "HTTP_HOST": host,
        "HTTP_X_FORWARDED_PROTO": scheme,
        "wsgi.url_scheme": scheme,
        "wsgi.input": BytesIO(),
    }
    told: dict[str, str] = {}
    answer = application(environ, lambda status, headers, exc_info=None: told.update(headers))
    try:
        for _ in answer:
            pass
    finally:
        if hasattr(answer, "close"):
            answer.close()
    return urlsplit(told.get("Location", "")).path
