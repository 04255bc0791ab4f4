"""What all operations of the API share: the shape of errors, bounds of bodies, page numbers, media types."""

import json
from typing import Any

import pytest
from django.test import Client

from tests.support.print_jobs import BIG

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]
KAI = {"game": "spycraft", "text": "2 Kai"}


def post(client: Client, path: str, body: Any, **headers: str) -> Any:
    data = body if isinstance(body, str | bytes) else json.dumps(body)
    return client.post(f"/api/v1/{path}", data, content_type="application/json", headers=headers)


def errors(answer: Any, status: int) -> list[dict[str, Any]]:
    """Return the faults of an answer, after checking its status and their shape."""
    assert (answer.status_code, answer["Content-Type"]) == (status, "application/json")
    found = answer.json()
    assert found
    for fault in found:
        assert set(fault) - {"suggestions"} == {"code", "message", "where"}
    return found


@pytest.mark.both_databases
def test_a_verdict_names_violations_with_citations_and_repairs(client):
    verdict = post(client, "decks/validate/", {"game": "spycraft", "text": "4 Kai\n1 Nobody"}).json()
    (violation,) = (one for one in verdict["violations"] if one["code"] == "AG-4")
    assert (violation["cards"], violation["found"], violation["wanted"]) == (["Kai"], 4, 3)
    assert violation["citation"]["lines"] == "430"
    assert violation["repairs"][0]["remove"] == [{"name": "Kai", "section": "deck", "count": 1}]
    assert verdict["verdict"] == "illegal" and [unread["line"] for unread in verdict["unread"]] == [2]


# -- what is refused -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("path", "body", "where"),
    [
        ("decks/validate/", {"game": "chess", "text": "1 Kai"}, "game"),
        ("decks/validate/", {**KAI, "format": "blitz"}, "format"),
        ("decks/validate/", {"game": "spycraft", "text": ["1 Kai"]}, "text"),
        ("decks/validate/", {**KAI, "more": 1}, "more"),
        ("decks/validate/", [], ""),
        ("decks/validate/", "null", ""),
        ("decks/", {"game": "spycraft", "name": "x", "text": "1 Kia"}, "line 1"),
        ("decks/", {**KAI, "name": " "}, "name"),
        ("sheets/", {**KAI, "paper": "a0"}, "paper"),
        # Sheets have the option, but not this value.
        ("sheets/", {**KAI, "dpi": "1"}, "dpi"),
        ("sheets/", {}, "deck"),
    ],
)
def test_a_bad_body_names_the_field(client, path, body, where):
    assert errors(post(client, path, body), 400)[0]["where"] == where


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"[" * 100_000,
        b'{"a":' * 10_000,
        b'{"game": "spycraft", "game": "xfiles"}',
        b'{"game": NaN}',
        b'{"game": 1e999}',
        b'{"game": ' + b"9" * 5_000 + b"}",
        b'{"game": "\\ud800"}',
        b'{"game": "a\\u0000"}',
        b"\xff\xfe{\x00}\x00",
        b'{"game": "\xff"}',
        '{"game": "spycraft", "text": "1 Kai"'.encode("utf-16"),
    ],
    ids=lambda body: repr(body[:20]),
)
def test_a_body_that_is_not_strict_json_is_refused(client, body):
    assert errors(post(client, "decks/validate/", body), 400)


@pytest.mark.parametrize(
    ("method", "path", "more", "status"),
    [
        ("GET", "nothing/", {}, 404),
        ("GET", "cards/spycraft/nobody/", {}, 404),
        ("DELETE", "cards/", {}, 405),
        ("GET", "cards/", {"headers": {"Accept": "text/turtle"}}, 406),
        ("POST", "decks/validate/", {"data": "a=1", "content_type": "text/plain"}, 415),
        (
            "POST",
            "decks/validate/",
            {"data": f'"{"x" * 1_100_000}"', "content_type": "application/json"},
            413,
        ),
        ("GET", "cards/?q=expanse:3", {}, 400),
    ],
)
def test_every_error_has_the_same_shape(client, method, path, more, status):
    assert errors(client.generic(method, f"/api/v1/{path}", **more), status)


# -- types ---------------------------------------------------------------------------------

PDF, BYTES, JSON = "application/pdf", "application/octet-stream", "application/json"


@pytest.mark.parametrize(
    ("body", "accept", "status", "kind"),
    [
        # Asking for bytes of any kind gives the same file under that type.
        (KAI, BYTES, 200, BYTES),
        (BIG, PDF, 202, JSON),
        ({**KAI, "game": "chess"}, PDF, 400, JSON),
    ],
)
def test_sheets_are_a_file_but_jobs_and_errors_are_json_whatever_is_accepted(
    client, body, accept, status, kind
):
    answer = post(client, "sheets/", dict(body), Accept=accept)
    assert (answer.status_code, answer["Content-Type"]) == (status, kind)
    assert answer.content.startswith(b"%PDF") is (kind != JSON)


# -- pages ---------------------------------------------------------------------------------


@pytest.mark.parametrize(("size", "length"), [("", 50), ("101", 100), ("9" * 30, 100), ("9" * 9_000, 100)])
def test_a_page_has_at_most_a_hundred_rows(client, size, length):
    found = client.get("/api/v1/cards/", {"page_size": size}).json()
    assert len(found["results"]) == length and found["count"] > 1_000


@pytest.mark.parametrize(
    ("path", "size"), [("cards/", "-1"), ("sets/", "0"), ("decks/", "x"), ("cards/", "²")]
)
def test_an_invalid_page_size_is_refused_with_the_valid_range(client, path, size):
    (fault,) = errors(client.get(f"/api/v1/{path}", {"page_size": size}), 400)
    message = "page_size is a whole number from 1 to 100."
    assert fault == {"code": "bad_page_size", "message": message, "where": "page_size"}


@pytest.mark.parametrize(
    "path", ["rules/?page=&page_size=&game=&fields=", "search/explain/?q=", "decks/?q=&order="]
)
def test_an_empty_parameter_means_the_same_as_an_absent_one(client, path):
    empty, absent = (client.get(f"/api/v1/{each}").json() for each in (path, path.partition("?")[0]))
    assert {**empty, "next": None} == {**absent, "next": None}


@pytest.mark.parametrize("page", ["0", "x", "9" * 5_000, "99999"])
@pytest.mark.parametrize("path", ["/api/v1/sets/", "/decks/"])
def test_an_invalid_page_number_gives_404(client, path, page):
    assert client.get(path, {"page": page}).status_code == 404
