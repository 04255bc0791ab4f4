"""An object store that is away, slow, broken, or refuses: whoever asks is told so at once, and no file is
taken for lost.
"""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import closing
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest
from django.core.files.base import ContentFile
from django.core.files.storage import storages

from cardsdb.storage import object_store
from cardsdb.storage.contract import Store, StoreAway
from tests.support.object_store import address_of, use_stores


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(object_store, "CONNECT", 0.1)
    monkeypatch.setattr(object_store, "ANSWER", 0.1)
    monkeypatch.setattr(object_store, "TOGETHER", 0.1)
    monkeypatch.setattr(object_store, "TRIES", 1)


@pytest.fixture
def at(settings: Any, quick: None) -> Callable[[int], Any]:
    """The store of a server at this port."""

    def store(port: int) -> Any:
        use_stores(settings, address_of("bucket", f"127.0.0.1:{port}"))
        return storages["jobs"]

    return store


# One server for each module, so that one connection does.
@pytest.fixture(scope="module")
def nobody() -> Iterator[int]:
    """A port at which nobody listens."""
    with closing(socket.socket()) as taken:
        taken.bind(("127.0.0.1", 0))
        yield taken.getsockname()[1]


@pytest.fixture
def silent() -> Iterator[int]:
    """A port of a server that says nothing."""
    with closing(socket.socket()) as server:
        server.bind(("127.0.0.1", 0))
        server.listen()
        yield server.getsockname()[1]


@pytest.fixture(scope="module")
def refusing(answers: Callable[[int, str], int]) -> int:
    return answers(403, "AccessDenied")


@pytest.fixture(scope="module")
def answers() -> Iterator[Callable[[int, str], int]]:
    """The port of a server that answers everything with this status and code."""
    servers: list[ThreadingHTTPServer] = []

    def start(status: int, code: str) -> int:
        class Answer(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self) -> None:
                self.rfile.read(int(self.headers.get("Content-Length") or 0))
                body = (
                    b""
                    if self.command == "HEAD"
                    else f"<Error><Code>{code}</Code><Message>no</Message></Error>".encode()
                )
                self.send_response(status)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            do_HEAD = do_PUT = do_DELETE = do_POST = do_GET

            def log_message(self, *_: Any) -> None: ...

        server = ThreadingHTTPServer(("127.0.0.1", 0), Answer)
        servers.append(server)
        threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
        return int(server.server_address[1])

    yield start
    for server in servers:
        server.shutdown()
        server.server_close()


def writes(store: Store) -> None:
    with store.writing("a") as file:
        file.write(b"a")


ASKINGS: dict[str, Callable[[Any], object]] = {
    "exists": lambda store: store.exists("a"),
    "sizes": lambda store: store.sizes(["a"]),
    "read": lambda store: store.read("a"),
    "open": lambda store: store.open("a"),
    "stream": lambda store: store.stream("a"),
    "save": lambda store: store.save("a", ContentFile(b"a")),
    "writing": writes,
    "delete": lambda store: store.delete("a"),
    "kept": lambda store: list(store.files()),
    "halves": lambda store: list(store.unfinished()),
}


@pytest.mark.parametrize("asking", ASKINGS)
def test_a_store_that_is_away_is_said_with_503_and_never_as_a_lost_file(
    asking: str, at: Any, nobody: int
) -> None:
    with pytest.raises(StoreAway) as caught:
        ASKINGS[asking](at(nobody))
    assert (caught.value.status, caught.value.headers) == (503, {"Retry-After": "30"}) and not isinstance(
        caught.value, OSError
    )


@pytest.mark.parametrize("asking", ASKINGS)
def test_a_store_that_refuses_us_is_not_said_to_have_nothing(asking: str, at: Any, refusing: int) -> None:
    store = at(refusing)
    with pytest.raises(StoreAway):
        ASKINGS[asking](store)


def test_a_bucket_that_is_not_there_is_no_lost_file(at: Any, answers: Any) -> None:
    with pytest.raises(StoreAway):
        at(answers(404, "NoSuchBucket")).read("a")


def test_a_store_that_does_not_answer_is_away(at: Any, silent: int) -> None:
    with pytest.raises(StoreAway):
        at(silent).read("a")


def test_a_store_that_is_broken_is_away(at: Any, answers: Any) -> None:
    with pytest.raises(StoreAway):
        at(answers(500, "InternalError")).read("a")


def test_a_job_that_is_lost_while_it_is_stored_leaves_nothing(bucket: str) -> None:
    class Lost(Exception): ...

    def lost() -> None:
        raise Lost

    store: Any = storages["jobs"]
    with pytest.raises(Lost), store.writing("a", lost) as file:
        file.write(b"all of it")
    assert list(store.files()) == []
