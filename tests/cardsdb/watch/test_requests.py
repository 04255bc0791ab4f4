"""Request ids, log lines and slow queries. A log line says what was asked, by whom and with which result; it
gives no secret away, and input never begins a line.
"""

import json
import logging
import logging.config
import sys
from io import StringIO
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connection

from cardsdb.watch import requests
from cardsdb.watch.requests import log_settings
from tests.support.made_decks import named_deck
from tests.support.meanwhile import failing
from tests.support.pages import page_of

pytestmark = pytest.mark.django_db


def formatter(kind: str) -> logging.Formatter:
    made = logging.config.DictConfigurator(log_settings(kind))
    return made.configure_formatter(made.config["formatters"]["line"])


@pytest.fixture
def written():
    """The log in JSON, as a site writes it."""
    made = logging.config.DictConfigurator(log_settings("json"))
    handler = logging.StreamHandler(stream := StringIO())
    handler.setFormatter(formatter("json"))
    handler.addFilter(made.configure_filter(made.config["filters"]["request"]))
    root, before = logging.getLogger(), requests.log.level
    root.addHandler(handler)
    requests.log.setLevel(logging.INFO)
    yield stream
    requests.log.setLevel(before)
    root.removeHandler(handler)


def lines(written: StringIO) -> list[dict[str, Any]]:
    return [json.loads(line) for line in written.getvalue().splitlines()]


def test_a_request_has_one_line_with_view_user_status_and_cost(client, written):
    user = User.objects.create_user("ada")
    client.force_login(user)
    answer = client.get("/account/")
    (line,) = lines(written)
    assert line["time"].endswith("+00:00") and line["ms"] > 0 and line["queries"] > 3
    assert (
        line.items()
        >= {
            "level": "INFO",
            "logger": "cutout.requests",
            "method": "GET",
            "view": "account",
            "status": 200,
            "user": user.pk,
            "bytes": len(answer.content),
            "request": answer["X-Request-ID"],
        }.items()
    )


def test_neither_the_link_of_a_deck_nor_a_query_nor_a_key_is_logged(client, written):
    deck = named_deck(client, "A", "2 Kai")
    client.get(
        f"/decks/{deck.link}/edit/?key=sesame&q=private",
        headers={"X-Deck-Key": "sesame", "Authorization": "sesame"},
    )
    client.get("/search/nothing-of-the-kind/?q=private")
    assert {line["view"] for line in lines(written)} >= {"deck_edit", ""}
    for secret in (deck.link, "sesame", "private", "of-the-kind"):
        assert secret not in written.getvalue()


@pytest.mark.parametrize(
    ("behind", "sent", "is_taken"),
    [
        (True, "0af7651916cd43dd", True),
        (True, "a b\nc d e f", False),
        (True, "short", False),
        (False, "0af7651916cd43dd", False),
    ],
)
def test_the_id_of_our_own_proxy_is_taken_if_it_is_one(client, settings, behind, sent, is_taken):
    settings.CUTOUT_BEHIND_PROXY = behind
    answer = client.get("/nothing/", HTTP_X_REQUEST_ID=sent)
    assert (answer["X-Request-ID"] == sent) is is_taken


def test_a_cached_page_has_no_request_id(client):
    assert "X-Request-ID" not in client.get("/cards/spycraft/kai/")


def test_errors_of_the_api_have_the_id_and_keep_their_shape(client, written):
    answer = client.get("/api/v1/decks/nothing/")
    assert set(answer.json()[0]) == {"code", "message", "where"}
    (line,) = lines(written)
    assert (line["request"], line["status"], line["refused"]) == (answer["X-Request-ID"], 404, "not_found")


def test_an_error_page_shows_the_id_under_which_the_traceback_is_logged(client, written):
    client.raise_request_exception = False
    with failing(RuntimeError("forged\nERROR line")):
        answer = client.get("/decks/")
    name = answer["X-Request-ID"]
    assert f"logged as {name}" in page_of(answer, status=500).text
    found = lines(written)
    assert {line["request"] for line in found} == {name}
    tracebacks = [line["logger"] for line in found if "RuntimeError: forged" in line.get("traceback", "")]
    assert tracebacks == ["django.request"]


def test_a_deliberate_refusal_is_not_logged_as_an_error(client, written, settings):
    settings.CUTOUT_DATABASE_MEGABYTES = 0
    body = {"game": "spycraft", "name": "Traps", "text": "2 Kai"}
    assert client.post("/api/v1/decks/", body, "application/json").status_code == 507
    assert [line["logger"] for line in lines(written)] == ["cutout.requests"]


def test_a_slow_query_is_logged_without_its_values_and_none_without_a_limit(rf, written):
    request = rf.get("/")
    request.resolver_match = None
    queries = requests.Queries(request, 0)
    with connection.execute_wrapper(queries):
        User.objects.exists()
    assert (queries.number, queries.slow, written.getvalue()) == (1, 0, "")
    with connection.execute_wrapper(requests.Queries(request, 1e-9)):
        assert not User.objects.filter(username="sesame").exists()
    (line,) = lines(written)
    assert line["logger"] == "cutout.slow" and "auth_user" in line["sql"]
    assert "sesame" not in written.getvalue()


# -- lines of the log ------------------------------------------------------------------

FORGED = "x\n2026-11-23 12:00:00 ERROR root forged\r\x1b[2J\u2028y"


def record(message: str, *, failed: bool = False) -> logging.LogRecord:
    try:
        raise ValueError(FORGED)
    except ValueError:
        about = sys.exc_info() if failed else None
        return logging.LogRecord("cutout", logging.ERROR, __file__, 1, "error at %s", (message,), about)


@pytest.mark.parametrize("kind", ["plain", "json"])
def test_input_cannot_end_a_line_of_the_log(kind):
    line = formatter(kind).format(record(FORGED))
    assert len(line.splitlines()) == 1 and "\x1b" not in line


def test_no_line_of_a_traceback_looks_like_a_new_record():
    failure = record("x", failed=True)
    failure.request = "0af7651916cd"
    first, *rest = formatter("plain").format(failure).split("\n")
    assert first.endswith("error at x [0af7651916cd]") and "\x1b" not in "".join(rest)
    assert len(rest) > 3 and all(line.startswith("  ") for line in rest)
    (line,) = formatter("json").format(failure).splitlines()
    assert json.loads(line)["traceback"].startswith("Traceback")
