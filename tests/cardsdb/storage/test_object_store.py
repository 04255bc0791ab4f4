"""An object store that is away, slow or broken: callers get StoreAway at once, and no file counts as lost."""

import socket
from collections.abc import Iterator
from contextlib import closing
from io import BytesIO
from typing import Any

import pytest
from botocore.awsrequest import AWSResponse
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


class Body(BytesIO):
    """The body of an answer, as botocore reads it."""

    def stream(self) -> Iterator[bytes]:
        yield self.read()


@pytest.fixture
def answering(at):
    """A function that returns a store whose server answers everything with this status and code."""

    def store(status: int, code: str) -> Any:
        error = f"<Error><Code>{code}</Code><Message>no</Message></Error>".encode()

        def answer(request: Any, **_: Any) -> AWSResponse:
            return AWSResponse(request.url, status, {}, Body(b"" if request.method == "HEAD" else error))

        # Stores share connections, but none has this port.
        made = at(status)
        made.client.meta.events.register("before-send.s3", answer)
        return made

    return store


def writes(store: Store) -> None:
    with store.writing("a") as file:
        file.write(b"a")


# Every method that asks the store -> a call of it.
CALLS = {
    "exists": lambda store: store.exists("a"),
    "sizes": lambda store: store.sizes(["a"]),
    "read": lambda store: store.read("a"),
    "open": lambda store: store.open("a"),
    "stream": lambda store: store.stream("a"),
    "save": lambda store: store.save("a", ContentFile(b"a")),
    "writing": writes,
    "delete": lambda store: store.delete("a"),
    "files": lambda store: list(store.files()),
    "unfinished": lambda store: list(store.unfinished()),
}


@pytest.mark.parametrize("method", CALLS)
@pytest.mark.parametrize("why", ["nobody", "denied"])
def test_a_store_that_is_away_raises_503_and_never_a_missing_file(method, why, at, nobody, answering):
    store = at(nobody) if why == "nobody" else answering(403, "AccessDenied")
    with pytest.raises(StoreAway) as caught:
        CALLS[method](store)
    assert (caught.value.status, caught.value.headers) == (503, {"Retry-After": "30"})
    assert not isinstance(caught.value, OSError)


@pytest.mark.parametrize(("status", "code"), [(404, "NoSuchBucket"), (500, "InternalError"), (0, "")])
def test_a_missing_bucket_a_broken_store_and_a_silent_one_count_as_away(at, answering, silent, status, code):
    store = answering(status, code) if status else at(silent)
    with pytest.raises(StoreAway):
        store.read("a")


def test_an_exception_while_a_file_is_stored_leaves_no_file(bucket):
    class Lost(Exception): ...

    def lost() -> None:
        raise Lost

    store: Any = storages["jobs"]
    with pytest.raises(Lost), store.writing("a", lost) as file:
        file.write(b"all of it")
    assert list(store.files()) == []
