"""Every answer has security headers: a content policy, and what a browser may do with it.

The first part asks every address; the second part tests answers that are made before or instead of Django:
static files, redirects, refusals, errors.
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from wsgiref.util import setup_testing_defaults

import pytest
from django.conf import settings as site_settings
from django.core.handlers.wsgi import WSGIHandler
from django.core.signals import request_finished, request_started
from django.db import close_old_connections, connection

from cardsdb.models import Card
from cardsdb.site import overload
from cardsdb.site.overload import whole_site
from cardsdb.site.sharing import EMBEDDED_POLICY, FILE_POLICY, POLICY
from tests.support.exports import blank_cards
from tests.support.permission_table import path_to
from tests.support.visitors import OWNER, World, addresses, answered

__all__ = ["blank_cards"]
pytestmark = [pytest.mark.django_db, pytest.mark.engine("sqlite"), pytest.mark.usefixtures("nothing_counted")]


@pytest.mark.parametrize("policy", [POLICY, FILE_POLICY, EMBEDDED_POLICY])
def test_policies_allow_only_named_sources_and_nothing_inline(policy):
    parts = policy.split("; ")
    assert parts[0] == "default-src 'none'" and "base-uri 'none'" in parts
    assert (
        "unsafe" not in policy and "*" not in policy.replace("frame-ancestors *", "") and "http" not in policy
    )


def test_a_picture_opened_as_a_page_runs_no_script(client):
    answer = client.get("/cards/spycraft/kai/face.svg")
    assert (answer["Content-Type"], answer["Content-Security-Policy"]) == ("image/svg+xml", FILE_POLICY)
    assert FILE_POLICY.endswith("; sandbox")


@pytest.mark.usefixtures("blank_cards")
def test_the_answer_of_every_address_has_its_policy():
    """Requested by the owner of a public deck, so that most addresses answer with content."""
    world = World()
    client, deck = world.clients[OWNER], world.decks["public"]
    code = Card.objects.in_game("spycraft").order_by("code").values_list("code", flat=True)[0]
    wrong = {}
    for address in addresses():
        answer = answered(client, "get", path_to(address, deck.link, code=code))
        is_picture = answer.get("Content-Type", "").startswith("image/")
        right = EMBEDDED_POLICY if address.name == "deck_embed" else FILE_POLICY if is_picture else POLICY
        headers = [answer.get(name) for name in ("Content-Security-Policy", "X-Content-Type-Options")]
        if headers != [right, "nosniff"]:
            wrong[address.name] = headers
    assert wrong == {}


# -- answers that are no page of an address ---------------------------------------------------


@contextmanager
def one_connection() -> Iterator[None]:
    """Keep the test's database connection open between requests, as Django's test client does: closing it
    would end the test's transaction.
    """
    for signal in (request_started, request_finished):
        signal.disconnect(close_old_connections)
    yield
    for signal in (request_started, request_finished):
        signal.connect(close_old_connections)


class Whole:
    """The whole site as a server process has it, with one static file; called as the server calls it."""

    def __init__(self, django: Any = None) -> None:
        self.site = whole_site(django or WSGIHandler())

    def policy(self, path: str, method: str = "GET", **environ: str) -> tuple[int, list[str]]:
        """Return the status and the content policies of the answer. One is right: a browser would apply all
        of several.
        """
        started: list[Any] = []
        request: dict[str, Any] = {
            "PATH_INFO": path,
            "REQUEST_METHOD": method,
            "HTTP_HOST": "testserver",
            **environ,
        }
        setup_testing_defaults(request)
        with one_connection():
            parts = self.site(request, lambda status, headers, error=None: started.extend((status, headers)))
            for part in parts:
                assert isinstance(part, bytes)
            getattr(parts, "close", lambda: None)()
        return int(started[0][:3]), [value for name, value in started[1] if name == "Content-Security-Policy"]


@pytest.fixture
def whole(tmp_path, settings):
    """The whole site, with one static file."""
    settings.STATIC_ROOT = tmp_path
    (tmp_path / "site.css").write_text("a { color: red; }")
    yield Whole()


@pytest.mark.parametrize(
    ("method", "headers", "status"),
    [
        ("GET", {}, 200),
        ("POST", {}, 405),
        ("GET", {"HTTP_RANGE": "bytes=0-3"}, 206),
        ("GET", {"HTTP_RANGE": "bytes=900-"}, 416),
    ],
)
def test_every_answer_about_a_static_file_has_the_file_policy(whole, method, headers, status):
    assert whole.policy("/static/site.css", method, **headers) == (status, [FILE_POLICY])


def test_a_304_answer_carries_no_policy_of_pages(whole, client):
    """A policy of pages in a 304 answer would replace the picture's own policy in the browser's cache."""
    assert whole.policy("/static/site.css", HTTP_IF_MODIFIED_SINCE="Fri, 31 Dec 2100 00:00:00 GMT") == (
        304,
        [],
    )
    face = "/cards/spycraft/kai/face.svg"
    assert whole.policy(face, HTTP_IF_NONE_MATCH=client.get(face)["ETag"])[0] == 304
    assert whole.policy(face, HTTP_IF_NONE_MATCH=client.get(face)["ETag"])[1] in ([], [FILE_POLICY])


@pytest.mark.parametrize(
    ("path", "method", "headers", "status"),
    [
        ("/nothing/", "GET", {}, 404),
        ("/api/v1/nothing/", "GET", {}, 404),
        ("/static/none.css", "GET", {}, 404),
        ("/cards/spycraft/kai", "GET", {}, 301),
        ("/decks/new/", "POST", {}, 403),
        ("/cards/", "TRACE", {}, 405),
        ("/", "GET", {"HTTP_HOST": "foreign.example"}, 400),
        ("/admin/", "GET", {}, 302),
        (
            "/decks/new/",
            "POST",
            {"CONTENT_LENGTH": "99999999", "CONTENT_TYPE": "multipart/form-data; boundary=x"},
            413,
        ),
    ],
)
def test_refusals_and_redirects_have_the_page_policy(whole, path, method, headers, status):
    assert whole.policy(path, method, **headers) == (status, [POLICY])


def test_a_rate_limited_answer_has_a_policy(whole, settings):
    settings.CUTOUT_READS_PER_MINUTE = 1
    assert [whole.policy("/decks/") for _ in range(3)][-1] == (429, [POLICY])


@pytest.mark.parametrize("path", ["/", "/api/v1/cards/"])
def test_a_server_error_has_a_policy(whole, path):
    def broken(*asked: Any) -> None:
        raise RuntimeError

    with connection.execute_wrapper(broken):
        assert whole.policy(path) == (500, [POLICY])


@pytest.mark.parametrize("path", ["/", "/nothing/", "/api/v1/cards/", "/admin/login/"])
def test_pages_forbid_unused_browser_features_and_framing(client, path):
    answer = client.get(path)
    powers = ("camera", "microphone", "geolocation", "payment", "usb")
    assert [power for power in powers if f"{power}=()" not in answer["Permissions-Policy"]] == []
    assert answer["X-Frame-Options"] == "DENY"


def test_the_redirect_to_https_has_a_policy(settings):
    settings.SECURE_SSL_REDIRECT = True
    assert Whole().policy("/") == (301, [POLICY])


@pytest.mark.parametrize("path", ["/", "/api/v1/cards/"])
def test_an_overloaded_process_answers_with_a_policy(whole, monkeypatch, path):
    monkeypatch.setattr(overload.BoundedRequests, "_is_overloaded", lambda self: True)
    assert whole.policy(path) == (503, [POLICY if path == "/" else FILE_POLICY])


def test_a_truncated_body_is_refused_with_a_policy(whole):
    cut_off: Any = io.BytesIO(b"name=")
    sent = {
        "CONTENT_LENGTH": "900",
        "CONTENT_TYPE": "application/x-www-form-urlencoded",
        "wsgi.input": cut_off,
    }
    assert whole.policy("/check/verdict/", "POST", **sent) == (400, [POLICY])


def test_answers_without_a_policy_get_the_file_policy(settings, tmp_path):
    settings.STATIC_ROOT = tmp_path

    def bare(environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        start_response("200 OK", [])
        return [b""]

    assert Whole(bare).policy("/") == (200, [FILE_POLICY])


def test_the_server_serves_the_whole_site():
    assert "application = whole_site(" in (Path(site_settings.BASE_DIR) / "cardsdb" / "wsgi.py").read_text(
        encoding="utf-8"
    )
