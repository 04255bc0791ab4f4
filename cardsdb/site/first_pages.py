"""A process answers some pages to itself before it takes its first visitor: all addresses with their views,
the cards in memory and templates are made or read for the first answer that needs them.
"""

from __future__ import annotations

import contextlib
from typing import Any
from wsgiref.types import WSGIApplication
from wsgiref.util import setup_testing_defaults

from django.conf import settings
from django.db import connections


def answer_first(application: WSGIApplication, paths: list[str]) -> None:
    """Ask for these pages, and where one leads on, for that. Nobody is given them; one that cannot be made is
    no reason not to start.
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
