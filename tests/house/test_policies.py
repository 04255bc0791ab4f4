"""Answers that are no page of an address have security headers too: static files, redirects, refusals and
errors, which are made before or instead of Django. ``test_permissions.py`` asks every address.
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from wsgiref.types import WSGIApplication
from wsgiref.util import setup_testing_defaults

import pytest
from django.conf import settings as site_settings
from django.core.handlers.wsgi import WSGIHandler
from django.core.signals import request_finished, request_started
from django.db import close_old_connections

from cardsdb.site import overload
from cardsdb.site.overload import whole_site
from cardsdb.site.sharing import EMBEDDED_POLICY, FILE_POLICY, POLICY
from tests.support.meanwhile import failing

pytestmark = [pytest.mark.django_db, pytest.mark.engine("sqlite"), pytest.mark.usefixtures("nothing_counted")]


@pytest.mark.parametrize("policy", [POLICY, FILE_POLICY, EMBEDDED_POLICY])
def test_policies_allow_only_named_sources_and_nothing_inline(policy):
    parts = policy.split("; ")
    assert parts[0] == "default-src 'none'" and "base-uri 'none'" in parts
    assert (
        "unsafe" not in policy and "*" not in policy.replace("frame-ancestors *", "") and "http" not in policy
    )
    assert policy != FILE_POLICY or parts[-1] == "sandbox", "a picture opened as a page runs no script"


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


def policy_of(site: WSGIApplication, path: str, method: str = "GET", **more: Any) -> tuple[int, list[str]]:
    """Ask the site as a server does. Return the status and the content policies of the answer; one is right,
    because a browser would apply all of several.
    """
    started: list[Any] = []
    request = {"PATH_INFO": path, "REQUEST_METHOD": method, "HTTP_HOST": "testserver", **more}
    setup_testing_defaults(request)
    with one_connection():
        parts = site(request, lambda status, headers, error=None: started.extend((status, headers)))
        assert all(isinstance(part, bytes) for part in parts)
        getattr(parts, "close", lambda: None)()
    return int(started[0][:3]), [value for name, value in started[1] if name == "Content-Security-Policy"]


@pytest.fixture
def whole(tmp_path, settings):
    """The whole site as a server process has it, with one static file."""
    settings.STATIC_ROOT = tmp_path
    (tmp_path / "site.css").write_text("a { color: red; }")
    return whole_site(WSGIHandler())


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
    assert policy_of(whole, "/static/site.css", method, **headers) == (status, [FILE_POLICY])


def test_a_304_answer_carries_no_policy_of_pages(whole, client):
    """A policy of pages in a 304 answer would replace the picture's own policy in the browser's cache."""
    assert policy_of(whole, "/static/site.css", HTTP_IF_MODIFIED_SINCE="Fri, 31 Dec 2100 00:00:00 GMT") == (
        304,
        [],
    )
    face = "/cards/spycraft/kai/face.svg"
    assert policy_of(whole, face, HTTP_IF_NONE_MATCH=client.get(face)["ETag"])[0] == 304
    assert policy_of(whole, face, HTTP_IF_NONE_MATCH=client.get(face)["ETag"])[1] in ([], [FILE_POLICY])


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
    assert policy_of(whole, path, method, **headers) == (status, [POLICY])


def test_a_rate_limited_answer_has_a_policy(whole, settings):
    settings.CUTOUT_READS_PER_MINUTE = 1
    assert [policy_of(whole, "/decks/") for _ in range(3)][-1] == (429, [POLICY])


@pytest.mark.parametrize("path", ["/", "/api/v1/cards/"])
def test_a_server_error_has_a_policy(whole, path):
    with failing(RuntimeError()):
        assert policy_of(whole, path) == (500, [POLICY])


@pytest.mark.parametrize("path", ["/", "/nothing/", "/api/v1/cards/", "/admin/login/"])
def test_pages_forbid_unused_browser_features_and_framing(client, path):
    answer = client.get(path)
    powers = ("camera", "microphone", "geolocation", "payment", "usb")
    assert [power for power in powers if f"{power}=()" not in answer["Permissions-Policy"]] == []
    assert answer["X-Frame-Options"] == "DENY"


def test_the_redirect_to_https_has_a_policy(settings):
    settings.SECURE_SSL_REDIRECT = True
    assert policy_of(whole_site(WSGIHandler()), "/") == (301, [POLICY])


@pytest.mark.parametrize("path", ["/", "/api/v1/cards/"])
def test_an_overloaded_process_answers_with_a_policy(whole, monkeypatch, path):
    monkeypatch.setattr(overload.BoundedRequests, "_is_overloaded", lambda self: True)
    assert policy_of(whole, path) == (503, [POLICY if path == "/" else FILE_POLICY])


def test_a_truncated_body_is_refused_with_a_policy(whole):
    cut_off: Any = io.BytesIO(b"name=")
    sent = {
        "CONTENT_LENGTH": "900",
        "CONTENT_TYPE": "application/x-www-form-urlencoded",
        "wsgi.input": cut_off,
    }
    assert policy_of(whole, "/check/verdict/", "POST", **sent) == (400, [POLICY])


def test_answers_without_a_policy_get_the_file_policy(settings, tmp_path):
    settings.STATIC_ROOT = tmp_path

    def bare(environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        start_response("200 OK", [])
        return [b""]

    assert policy_of(whole_site(bare), "/") == (200, [FILE_POLICY])


def test_the_server_serves_the_whole_site():
    assert "application = whole_site(" in (Path(site_settings.BASE_DIR) / "cardsdb" / "wsgi.py").read_text(
        encoding="utf-8"
    )
