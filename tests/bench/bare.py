"""What kept pages are measured against, served by the same process as the site: ``/bench/hello``, a bare WSGI
function that says hello.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import Any

from django.conf import settings

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "cardsdb.settings")
settings.ROOT_URLCONF = "tests.bench.bare_urls"

from cardsdb.wsgi import application as site  # noqa: E402  (it sets Django up, with these addresses)
from tests.bench.bare_paths import HELLO  # noqa: E402

HEADERS = [("Content-Type", "text/plain"), ("Content-Length", "6")]


def application(environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
    path = environ["PATH_INFO"]
    if path == HELLO:
        start_response("200 OK", HEADERS)
        return [b"hello\n"]
    return site(environ, start_response)
