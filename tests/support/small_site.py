"""A tiny WSGI site to test the server without Cutout: it answers with its process id and the length of the
body.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import Any

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "cardsdb.settings")
django.setup()

from cardsdb.site.overload import BoundedBodies  # noqa: E402


def _length(environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
    """Answer with the process id and the length of the body."""
    sent = (
        environ["wsgi.input"].read(int(environ["CONTENT_LENGTH"])) if environ.get("CONTENT_LENGTH") else b""
    )
    start_response("200 OK", [("Content-Type", "text/plain")])
    return [f"{os.getpid()} {len(sent)}".encode()]


application = BoundedBodies(_length)
