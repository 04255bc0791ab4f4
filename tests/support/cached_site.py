"""The site behind its page cache, asked as a server would ask it, and how many of its answers Django made."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from cardsdb.site.page_cache import PageCache
from django.core.handlers.wsgi import WSGIHandler
from django.core.signals import request_finished, request_started
from django.db import close_old_connections
from django.test import Client, RequestFactory

CARD = "/cards/spycraft/kai/"


class Answer:
    def __init__(self, status: str, headers: list[tuple[str, str]], body: bytes) -> None:
        self.status, self.headers, self.body = int(status[:3]), dict(headers), body

    @property
    def everything(self) -> tuple[int, dict[str, str], bytes]:
        return self.status, self.headers, self.body


@contextmanager
def one_connection() -> Iterator[None]:
    """The connection of the test's transaction is not closed between requests, as Django's own test client
    sees to.
    """
    for signal in (request_started, request_finished):
        signal.disconnect(close_old_connections)
    yield
    for signal in (request_started, request_finished):
        signal.connect(close_old_connections)


class Server:
    """The site behind its page cache; ``made`` counts the answers that Django made."""

    def __init__(self, **options: Any) -> None:
        self.made = 0
        self._django: Any = WSGIHandler()
        self._cache = PageCache(self._counted, **options)

    def _counted(self, environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        self.made += 1
        return self._django(environ, start_response)

    def get(self, address: str = CARD, method: str = "GET", **environ: str) -> Answer:
        where, _, query = address.partition("?")
        asked = RequestFactory()._base_environ(
            PATH_INFO=where, QUERY_STRING=query, REQUEST_METHOD=method, HTTP_HOST="testserver"
        )
        asked.pop("HTTP_COOKIE")
        started: list[Any] = []
        with one_connection():
            body = b"".join(
                self._cache(
                    {**asked, **environ},
                    lambda status, headers, exc_info=None: started.extend((status, headers)),
                )
            )
        return Answer(*started, body)

    def kept(self, address: str = CARD, **environ: str) -> Answer | None:
        """The answer from memory; None where Django would have to make one."""
        django, self._django = self._django, _unasked
        try:
            return self.get(address, **environ)
        except _Unasked:
            return None
        finally:
            self._django = django


class _Unasked(Exception):
    """Django would have been asked."""


def _unasked(environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
    raise _Unasked


def cookies_of(client: Client) -> str:
    """The header with which this client's cookies are sent."""
    return "; ".join(f"{name}={morsel.value}" for name, morsel in client.cookies.items())


@pytest.fixture
def server() -> Server:
    return Server()
