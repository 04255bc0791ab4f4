"""``BoundedBodies``: slow, incomplete and too many bodies are refused; all others arrive byte for byte."""

import json
import threading
from collections.abc import Iterable
from typing import Any
from wsgiref.util import setup_testing_defaults

import pytest
from django.core.handlers.wsgi import WSGIHandler
from hypothesis import given
from hypothesis import strategies as st

from cardsdb.site.overload import GRACE_SECONDS, MIN_BYTES_PER_SECOND, BoundedBodies


class Sender:
    """A body that arrives at ``rate`` bytes per second of a simulated clock. Like a server, ``read`` waits
    until all requested bytes have come.
    """

    def __init__(self, body: bytes, rate: float) -> None:
        self.body, self.rate, self.now, self.reads = body, rate, 0.0, 0

    def clock(self) -> float:
        return self.now

    def read(self, size: int) -> bytes:
        data, self.body = self.body[:size], self.body[size:]
        self.reads += 1
        self.now += len(data) / self.rate
        return data


def application(environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
    try:
        body = environ["wsgi.input"].read(int(environ["CONTENT_LENGTH"]))
    except OSError:
        start_response("403 Forbidden", [])
        return [b"made of half a body"]
    start_response("200 OK", [("Content-Length", str(len(body)))])
    return [body]


def send(sender: Sender, path: str = "/decks/", missing: int = 0) -> tuple[str, dict[str, str], bytes]:
    """Return status, headers, body. ``missing``: bytes that the body lacks of its declared length."""
    bounded = BoundedBodies(application, readers=1, now=sender.clock)
    started: list[Any] = []
    environ = {"PATH_INFO": path, "CONTENT_LENGTH": str(len(sender.body) + missing), "wsgi.input": sender}
    answer = b"".join(bounded(environ, lambda *arguments: started.extend(arguments)))
    return started[0], dict(started[1]), answer


@given(st.binary(max_size=300_000), st.sampled_from([1e4, 1e6, 1e9]))
def test_a_fast_enough_body_arrives_byte_for_byte(body, rate):
    sender = Sender(body, rate)
    status, _, answer = send(sender)
    assert (status, answer) == ("200 OK", body)
    assert rate < 1e9 or sender.reads < 40, "a fast body took many steps"


def test_a_body_of_one_byte_a_second_is_refused_after_the_grace_time():
    sender = Sender(bytes(100_000), 1)
    status, headers, answer = send(sender)
    assert status == "408 Request Timeout" and headers["Connection"] == "close" and b"too slowly" in answer
    assert GRACE_SECONDS < sender.now < GRACE_SECONDS + 3


def test_a_slow_body_above_the_minimum_rate_is_accepted():
    status, _, _ = send(Sender(bytes(500_000), MIN_BYTES_PER_SECOND * 1.1))
    assert status == "200 OK"


@pytest.mark.parametrize("missing", [1, 90_000])
def test_a_body_that_ends_too_soon_is_refused(missing):
    """A broken connection causes this. Half a list must not be stored as the list."""
    status, _, answer = send(Sender(bytes(100_000), 1e6), missing=missing)
    assert status == "400 Bad Request" and b"did not arrive" in answer


def test_the_api_refuses_a_slow_body_in_its_shape_of_errors():
    _, headers, answer = send(Sender(bytes(100_000), 1), "/api/v1/decks/")
    assert headers["Content-Type"] == "application/json"
    assert [fault["code"] for fault in json.loads(answer)] == ["too_slow"]


def test_a_body_beyond_the_number_of_readers_is_refused_with_retry_after():
    arrived, go_on = threading.Event(), threading.Event()

    class Waiting(Sender):
        def read(self, size: int) -> bytes:
            arrived.set()
            assert go_on.wait(10)
            return super().read(size)

    bounded = BoundedBodies(application, readers=1)
    answers: list[Any] = []

    def post(sender: Sender) -> None:
        environ = {"PATH_INFO": "/", "CONTENT_LENGTH": str(len(sender.body)), "wsgi.input": sender}
        bounded(environ, lambda status, headers: answers.append((status, dict(headers))))

    first = threading.Thread(target=post, args=[Waiting(b"deck", 1e9)])
    first.start()
    assert arrived.wait(10)
    post(Sender(b"deck", 1e9))
    go_on.set()
    first.join()
    assert [status for status, _ in answers] == ["503 Service Unavailable", "200 OK"]
    assert answers[0][1]["Retry-After"] == "5"


def test_bodies_of_one_sender_take_at_most_half_of_the_places():
    statuses: list[str] = []

    class Nested(Sender):
        """A body during whose first read another one of the same address is sent, and so on; in the
        innermost, one of another address.
        """

        def __init__(self, more: int) -> None:
            super().__init__(b"deck", 1e9)
            self.more = more

        def read(self, size: int) -> bytes:
            if self.more is not None:
                post(
                    Nested(self.more - 1) if self.more else Sender(b"deck", 1e9),
                    "203.0.113.9" if self.more else "203.0.113.8",
                )
                self.more = None
            return super().read(size)

    def post(sender: Sender, address: str) -> None:
        environ = {"PATH_INFO": "/", "CONTENT_LENGTH": "4", "wsgi.input": sender, "REMOTE_ADDR": address}
        bounded(environ, lambda status, headers: statuses.append(status))

    bounded = BoundedBodies(application, readers=8)
    post(Nested(3), "203.0.113.9")
    assert statuses == ["200 OK"] * 5, "four of one address and one of another were not all accepted"
    statuses.clear()
    post(Nested(4), "203.0.113.9")
    assert statuses == ["503 Service Unavailable", *["200 OK"] * 4]
    assert bounded.places.taken == {}


@pytest.mark.parametrize("path", ["/decks/new/", "/api/v1/decks/"])
def test_a_slow_body_to_the_real_site_logs_no_error(path, caplog, db):
    sender = Sender(b"x" * 100_000, 1)
    started: list[Any] = []
    kind = "application/json" if path.startswith("/api/") else "application/x-www-form-urlencoded"
    environ = {"PATH_INFO": path, "REQUEST_METHOD": "POST", "HTTP_HOST": "testserver"}
    environ |= {"CONTENT_TYPE": kind, "CONTENT_LENGTH": "100000", "wsgi.input": sender}
    setup_testing_defaults(environ)
    bounded = BoundedBodies(WSGIHandler(), now=sender.clock)
    b"".join(bounded(environ, lambda *arguments: started.extend(arguments)))
    assert started[0] == "408 Request Timeout"
    assert not [record for record in caplog.records if record.levelname == "ERROR"]
