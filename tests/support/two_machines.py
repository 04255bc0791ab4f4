"""Two machines of one site, simulated by two child processes. They share a database, an object store and a
Redis, and nothing else.

Tests take ``visitor``, whose requests go to the two machines in turn.
"""

from __future__ import annotations

import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from itertools import cycle
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client, override_settings

from cardsdb.environment import file_stores
from cardsdb.tasks.worker import work_off
from tests.support import object_store
from tests.support.processes import Child, Site, copied_site
from tests.support.redis_server import Server as Redis

# Sent to a machine instead of a request: its worker does all waiting tasks.
WORK = "work"


@dataclass(frozen=True, slots=True)
class Answer:
    status: int
    headers: Mapping[str, str]
    content: bytes

    @property
    def text(self) -> str:
        return self.content.decode()


class TwoMachines:
    """A visitor whose requests go to each machine in turn, with the visitor's cookies."""

    def __init__(self, machines: list[Child]) -> None:
        self._next = cycle(machines)
        self._cookies: dict[str, str] = {}

    def get(self, path: str, **headers: str) -> Answer:
        return self._ask("get", path, {}, headers)

    def post(self, path: str, data: Mapping[str, Any] = {}, **headers: str) -> Answer:
        """Send a form. A value that is (name, bytes) is sent as a file."""
        return self._ask("post", path, data, headers)

    def send(self, method: str, path: str, data: Mapping[str, Any], **headers: str) -> Answer:
        """Send JSON."""
        return self._ask(method, path, data, headers | {"content_type": "application/json"})

    def work(self) -> int:
        """Let the next machine's worker do all waiting tasks; return their number."""
        return int(self._said(WORK))

    def stranger(self) -> TwoMachines:
        """Return another visitor, whose requests continue the same turn."""
        other = TwoMachines([])
        other._next = self._next
        return other

    def _ask(self, method: str, path: str, data: Mapping[str, Any], headers: Mapping[str, str]) -> Answer:
        status, answered, content, self._cookies = self._said(
            (method, path, dict(data), dict(headers), self._cookies)
        )
        return Answer(status, answered, content)

    def _said(self, word: object) -> Any:
        """Send a word to the next machine; return its answer."""
        machine = next(self._next)
        machine.say(word)
        return machine.hear()


@contextmanager
def two_machines(folder: Path, bucket: str) -> Iterator[TwoMachines]:
    """Start both machines on a copy of the test database; yield a visitor."""
    redis = Redis(folder)
    shared = {
        "CACHES": {"default": {"BACKEND": "cardsdb.site.shared_cache.SharedCache", "LOCATION": redis.url}},
        "STORAGES": file_stores(object_store.address_of(bucket)),
    }
    with ExitStack() as stack:
        stack.callback(redis.stop)
        site = stack.enter_context(copied_site(folder))
        machines = []
        for name in ("one", "two"):
            (folder / name).mkdir()
            machine = Child(Site(folder / name, site.database), _serve, shared)
            stack.callback(machine.kill)
            machines.append(machine)
        yield TwoMachines(machines)


def _serve(pipe: Connection, shared: dict[str, Any]) -> None:
    """The loop of a machine: take a request or WORK from the pipe, answer it."""
    with override_settings(CACHES=shared["CACHES"], STORAGES=settings.STORAGES | shared["STORAGES"]):
        while True:
            word = pipe.recv()
            pipe.send(work_off() if word == WORK else _answer(*word))


def _answer(
    method: str, path: str, data: dict[str, Any], headers: dict[str, str], cookies: dict[str, str]
) -> tuple[Any, ...]:
    """Return (status, headers, content, cookies) of this request."""
    client = Client()
    client.cookies.load(cookies)
    form = {
        name: SimpleUploadedFile(*value) if isinstance(value, tuple) else value
        for name, value in data.items()
    }
    kind = {"content_type": headers.pop("content_type")} if "content_type" in headers else {}
    answer = getattr(client, method)(path, form, headers=headers, **kind)
    content = b"".join(answer.streaming_content) if answer.streaming else answer.content
    return (
        answer.status_code,
        dict(answer.headers),
        content,
        {name: morsel.value for name, morsel in client.cookies.items() if morsel.value},
    )


@pytest.fixture(scope="module")
def machines(django_db_setup, django_db_blocker, tmp_path_factory):
    """Both machines, started once per module."""
    folder = tmp_path_factory.mktemp("machines")
    bucket = folder.name
    made = urllib.request.Request(f"http://{object_store.server()}/{bucket}", method="PUT")
    urllib.request.urlopen(made).close()
    with django_db_blocker.unblock(), two_machines(folder, bucket) as both:
        yield both


@pytest.fixture
def visitor(machines):
    """A new visitor."""
    return machines.stranger()
