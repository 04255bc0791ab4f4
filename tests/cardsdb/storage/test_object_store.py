"""An object store that is away, slow or broken: callers get StoreAway at once, and no file counts as lost."""

import socket
import threading
from collections.abc import Callable
from contextlib import closing
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest
from django.core.files.base import ContentFile
from django.core.files.storage import storages

from cardsdb.storage.contract import Store, StoreAway
from cardsdb.storage.object_store import Patience
from tests.support.object_store import address_of, use_stores


@pytest.fixture
def at(settings):
    """A function that returns the store of a server at a port, with a short patience."""

    def store(port: int) -> Any:
        use_stores(settings, address_of("bucket", f"127.0.0.1:{port}"), Patience(0.1, 0.1, 0.1, tries=1))
        return storages["jobs"]

    return store


# One server for the whole module, so that one connection suffices.
@pytest.fixture(scope="module")
def nobody():
    """A port without a server."""
    with closing(socket.socket()) as taken:
        taken.bind(("127.0.0.1", 0))
        yield taken.getsockname()[1]


@pytest.fixture
def silent():
    """The port of a server that accepts connections and never answers."""
    with closing(socket.socket()) as server:
        server.bind(("127.0.0.1", 0))
        server.listen()
        yield server.getsockname()[1]


@pytest.fixture(scope="module")
def answers():
    """A function that returns the port of a server which answers everything with this status and code."""
    servers: dict[tuple[int, str], ThreadingHTTPServer] = {}

    def start(status: int, code: str) -> int:
        class Answer(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self) -> None:
                self.rfile.read(int(self.headers.get("Content-Length") or 0))
                body = f"<Error><Code>{code}</Code><Message>no</Message></Error>".encode()
                body = b"" if self.command == "HEAD" else body
                self.send_response(status)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            do_HEAD = do_PUT = do_DELETE = do_POST = do_GET

            def log_message(self, *_: Any) -> None: ...

        if (status, code) not in servers:
            server = servers[status, code] = ThreadingHTTPServer(("127.0.0.1", 0), Answer)
            threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
        return int(servers[status, code].server_address[1])

    yield start
    for server in servers.values():
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
def test_a_store_that_is_away_raises_503_and_never_a_missing_file(asking, at, nobody, answers):
    for store in (at(nobody), at(answers(403, "AccessDenied"))):
        with pytest.raises(StoreAway) as caught:
            ASKINGS[asking](store)
        assert (caught.value.status, caught.value.headers) == (503, {"Retry-After": "30"})
        assert not isinstance(caught.value, OSError)


def test_a_missing_bucket_a_broken_store_and_a_silent_one_count_as_away(at, answers, silent):
    for port in (answers(404, "NoSuchBucket"), answers(500, "InternalError"), silent):
        with pytest.raises(StoreAway):
            at(port).read("a")


def test_an_exception_while_a_file_is_stored_leaves_no_file(bucket):
    class Lost(Exception): ...

    def lost() -> None:
        raise Lost

    store: Any = storages["jobs"]
    with pytest.raises(Lost), store.writing("a", lost) as file:
        file.write(b"all of it")
    assert list(store.files()) == []
