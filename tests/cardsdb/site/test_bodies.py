"""Bodies that come too slowly, too many at once, and those that end too soon are refused; all others arrive
byte for byte.
"""

from __future__ import annotations

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
    """A body as a server gives it: whoever asks waits until all that was asked for has come, at so many bytes
    a second.
    """

    def __init__(self, body: bytes, rate: float) -> None:
        self.body, self.rate, self.now, self.asked = body, rate, 0.0, 0

    def clock(self) -> float:
        return self.now

    def read(self, size: int) -> bytes:
        data, self.body = self.body[:size], self.body[size:]
        self.asked += 1
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
    bounded = BoundedBodies(application, readers=1, now=sender.clock)
    started: list[Any] = []
    environ = {"PATH_INFO": path, "CONTENT_LENGTH": str(len(sender.body) + missing), "wsgi.input": sender}
    answer = b"".join(bounded(environ, lambda *arguments: started.extend(arguments)))
    return started[0], dict(started[1]), answer


@given(st.binary(max_size=300_000), st.sampled_from([1e4, 1e6, 1e9]))
def test_a_body_that_comes_quickly_enough_arrives_byte_for_byte(body, rate):
    sender = Sender(body, rate)
    status, _, answer = send(sender)
    assert (status, answer) == ("200 OK", body)
    assert rate < 1e9 or sender.asked < 40, "a quick one is asked for in few steps"


def test_a_sender_of_one_byte_a_second_is_given_up_after_the_grace():
    sender = Sender(bytes(100_000), 1)
    status, headers, answer = send(sender)
    assert status == "408 Request Timeout" and headers["Connection"] == "close" and b"too slowly" in answer
    assert GRACE_SECONDS < sender.now < GRACE_SECONDS + 3


def test_a_slow_line_that_keeps_the_least_rate_is_heard_out():
    status, _, _ = send(Sender(bytes(500_000), MIN_BYTES_PER_SECOND * 1.1))
    assert status == "200 OK"


@pytest.mark.parametrize("missing", [1, 90_000])
def test_a_body_that_ends_too_soon_is_refused(missing):
    """Its connection broke off, or a proxy gave its sender up; half a list is not the list."""
    status, _, answer = send(Sender(bytes(100_000), 1e6), missing=missing)
    assert status == "400 Bad Request" and b"did not arrive" in answer


def test_the_api_says_so_in_its_one_shape_of_error():
    _, headers, answer = send(Sender(bytes(100_000), 1), "/api/v1/decks/")
    assert headers["Content-Type"] == "application/json"
    assert [fault["code"] for fault in json.loads(answer)] == ["too_slow"]


def test_more_readers_than_there_are_places_are_refused_and_told_when_to_come_back():
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


def test_whoever_sends_slowly_leaves_places_for_the_bodies_of_others():
    told: list[str] = []

    class Nested(Sender):
        """While it is read, others of the same address send theirs, and in the innermost of them one of
        another.
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
        bounded(environ, lambda status, headers: told.append(status))

    bounded = BoundedBodies(application, readers=8)
    post(Nested(3), "203.0.113.9")
    assert told == ["200 OK"] * 5, "four of one address, and one of another"
    told.clear()
    post(Nested(4), "203.0.113.9")
    assert told == ["503 Service Unavailable", *["200 OK"] * 4]
    assert bounded.places.taken == {}


@pytest.mark.parametrize("path", ["/decks/new/", "/api/v1/decks/"])
def test_the_site_itself_ends_such_a_request_without_an_error_in_its_log(path, caplog, db):
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
