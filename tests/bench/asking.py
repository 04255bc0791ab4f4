"""The site in this process, asked through the whole of its WSGI application as a server asks it."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from http.cookies import SimpleCookie
from io import BytesIO
from typing import Any
from urllib.parse import urlencode

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "cardsdb.settings")
# One visitor asks more here in a minute than a visitor may.
os.environ |= {"CUTOUT_READS_PER_MINUTE": "1000000", "CUTOUT_WORKS_PER_MINUTE": "1000000"}

from django.conf import settings

settings.ROOT_URLCONF = "tests.bench.bare_urls"

from cardsdb.wsgi import application  # noqa: E402  (it sets Django up, with these addresses)
from tests.bench.bare_paths import EMPTY  # noqa: E402


@dataclass
class Visitor:
    """A browser that keeps its cookies. A cookie of nobody's makes every page anew."""

    cookies: dict[str, str] = field(default_factory=lambda: {"bench": "1"})
    headers: dict[str, str] = field(default_factory=dict)

    def ask(
        self, path: str, query: str = "", body: bytes = b"", method: str = "", kind: str = "", **headers: str
    ) -> bytes:
        """The answer's body. Fails unless the answer is one of success, or leads elsewhere after a form."""
        environ: dict[str, Any] = {
            "REQUEST_METHOD": method or ("POST" if body else "GET"),
            "PATH_INFO": path,
            "QUERY_STRING": query,
            "SERVER_NAME": "localhost",
            "SERVER_PORT": "80",
            "HTTP_HOST": "localhost",
            "HTTP_COOKIE": "; ".join(f"{name}={value}" for name, value in self.cookies.items()),
            "CONTENT_LENGTH": str(len(body)),
            "CONTENT_TYPE": kind or "application/x-www-form-urlencoded",
            "REMOTE_ADDR": "127.0.0.1",
            "wsgi.input": BytesIO(body),
            "wsgi.url_scheme": "http",
            "wsgi.errors": BytesIO(),
            **{
                f"HTTP_{name.upper().replace('-', '_')}": value
                for name, value in (self.headers | headers).items()
            },
        }
        answered: list[tuple[str, list[tuple[str, str]]]] = []
        parts = application(
            environ, lambda status, headers, exc_info=None: answered.append((status, headers))
        )
        answer = b"".join(parts)
        if hasattr(parts, "close"):
            parts.close()
        status, told = answered[0]
        assert status[:3] in ("200", "201", "204", "302"), (path, query, status, answer[:500])
        for name, value in told:
            if name.lower() == "set-cookie":
                self.cookies |= {key: morsel.value for key, morsel in SimpleCookie(value).items()}
            if name.lower() == "location":
                self.location = value
        return answer

    def post(self, path: str, values: dict[str, Any], **headers: str) -> bytes:
        """A form sent, with the token that the browser has."""
        token = self.cookies.get("csrftoken", "")
        return self.ask(
            path, body=urlencode(values | {"csrfmiddlewaretoken": token}, doseq=True).encode(), **headers
        )

    def log_in(self, user: Any) -> Visitor:
        from django.test import Client

        client = Client()
        client.force_login(user)
        self.cookies |= {name: morsel.value for name, morsel in client.cookies.items()}
        return self


def empty() -> None:
    """An empty view, asked for as pages are."""
    _NOBODY.ask(EMPTY)


_NOBODY = Visitor()
