"""What pages are measured against, served by the same process as the site.

``/bench/hello`` is a bare WSGI function that says hello; ``/bench/same/...`` one that sends the very
bytes and headers which the site answered at that address the first time; ``/bench/empty`` is an empty
Django view.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import Any

from django.conf import settings

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "cardsdb.settings")
settings.ROOT_URLCONF = "tests.bench.bare_urls"

from cardsdb.wsgi import application as site  # noqa: E402  (it sets Django up, with these addresses)
from tests.bench.bare_paths import HELLO, SAME  # noqa: E402

HEADERS = [("Content-Type", "text/plain"), ("Content-Length", "6")]
answered: dict[tuple[str, str], tuple[list[tuple[str, str]], list[bytes]]] = {}


def application(environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
    path = environ["PATH_INFO"]
    if path == HELLO:
        start_response("200 OK", HEADERS)
        return [b"hello\n"]
    if path.startswith(SAME):
        key = (path, environ["QUERY_STRING"])
        if key not in answered:
            answered[key] = _answer_of({**environ, "PATH_INFO": path.removeprefix(SAME)})
        headers, body = answered[key]
        start_response("200 OK", headers)
        return body
    return site(environ, start_response)


def _answer_of(environ: dict[str, Any]) -> tuple[list[tuple[str, str]], list[bytes]]:
    started: list[Any] = []
    body = b"".join(site(environ, lambda status, headers, exc_info=None: started.append(headers)))
    return started[0], [body]
