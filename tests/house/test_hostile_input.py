"""No request, however malformed, is answered with status 500 or a traceback.

Input that reaches the database, or that one engine might refuse, is tried on both engines; the rest on SQLite
only. All bad values for one address share one test, because a test costs more than a request.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from typing import Any

import pytest
from django.db import OperationalError, connection, transaction
from django.test import Client

from tests.support.meanwhile import failing
from tests.support.pages import page, post_bytes

pytestmark = pytest.mark.django_db


def on_sqlite(*values: str) -> list[Any]:
    """Return these values as pytest parameters that run on SQLite only."""
    return [pytest.param(value, marks=pytest.mark.engine("sqlite")) for value in values]


# Values that are tried in place of ``{}`` in each address, and in each field of a form.
BAD = ["\x00", "a\x00b", "\ud800", "9" * 5_000, "-1", "1e400", "%", "\\", "é" * 2_000, "￾"]
BAD_ON_SQLITE = ["\u202e", "NaN", "'\"", "_", "{{7*7}}", "<script>", "../../etc/passwd"]
PATHS = [
    "/cards/spycraft/{}/",
    "/sets/spycraft/{}/",
    "/games/{}/",
    "/decks/{}/",
    "/decks/{}/edit/",
    "/decks/{}/delete/",
    "/api/v1/decks/{}/",
]
PATHS += [
    "/decks/{}/files/",
    "/decks/{}/files/{}/",
    "/cards/spycraft/{}/decks/",
    "/cards/spycraft/{}/correct/",
]
PATHS += ["/cards/spycraft/{}/face.png", "/sets/spycraft/{}/correct/", "/api/v1/cards/spycraft/{}/"]
PATHS += on_sqlite("/games/{}/glossary/", "/games/{}/set-up/", "/bulk/{}", "/api/v1/games/{}/", "/{}")
# Card searches are answered from memory, so SQLite is enough.
QUERIES = on_sqlite(
    "/cards/?type={}",
    "/cards/?set={}",
    "/cards/?q={}",
    "/cards/?game={}",
    "/cards/?game=spycraft&type={}",
    "/cards/?game=spycraft&set={}",
    "/cards/?q=game:xfiles&after={}",
    "/cards/?q=kai&before={}&view={}",
    "/cards/?game=spycraft&type=agent&faction={}",
    "/cards/?game=spycraft&type=agent&craft_from={}",
    "/cards/random/?q={}",
    "/search/suggest/?q={}&at={}",
    "/games/spycraft/set-up/?players={}",
    "/games/spycraft/glossary/?q={}",
    "/api/v1/cards/?game={}&page={}&page_size={}",
    "/api/v1/search/explain/?q={}",
)
QUERIES += ["/compare/?card={}&add={}", "/cards/spycraft/li/?q={}", "/decks/?game={}", "/decks/?page={}"]
QUERIES += ["/decks/?q={}", "/decks/new/?game={}&starter={}", "/check/?game={}", "/print/?deck={}"]
QUERIES += [
    "/print/?card=spycraft/kai&paper=a4&copies_of={}",
    "/print/sheets.pdf?deck={}&paper={}",
    "/decks/x/edit/?key={}",
    "/api/v1/cards/?q={}",
    "/api/v1/sets/?game={}",
]
QUERIES += ["/api/v1/decks/?game={}"]


def quoted(text: str) -> str:
    """Return the text percent-encoded, lone surrogates included."""
    from urllib.parse import quote

    return quote(text.encode("utf-8", "surrogatepass"), safe="")


def bad_words() -> list[str]:
    """Return the bad values for the current database engine."""
    return BAD + (BAD_ON_SQLITE if connection.vendor == "sqlite" else [])


def server_errors(tried: Iterable[Any], ask: Callable[[Client, Any], Any]) -> list[str]:
    """Send each request as a new visitor and undo it; return those answered with status 500 or higher."""
    client, wrong = Client(raise_request_exception=False), []
    for tried_input in tried:
        client.cookies.clear()
        before = transaction.savepoint()
        if ask(client, tried_input).status_code >= 500:
            wrong.append(repr(tried_input)[:150])
        transaction.savepoint_rollback(before)
    return wrong


@pytest.mark.parametrize("address", PATHS + QUERIES)
def test_an_address_is_never_a_server_error(address):
    assert (
        server_errors(bad_words(), lambda client, bad: client.get(address.replace("{}", quoted(bad)))) == []
    )


@pytest.mark.parametrize("raw", ["%ff", "%c3%28", "%ed%a0%80", "%00%ff"])
@pytest.mark.parametrize("address", ["/cards/?q={}", "/decks/{}/", "/api/v1/cards/?q={}", "/{}"])
def test_bytes_that_are_not_text_are_never_a_server_error(client, address, raw):
    assert client.get(address.replace("{}", raw)).status_code < 500


# Fields of forms and API bodies.
OF_A_LIST = ("game", "format", "text", "name")
OF_A_DECK = (*OF_A_LIST, "notes", "visibility")
OF_A_PRINT = (*OF_A_LIST, "deck", "paper", "trim", "gap", "marks")
ON_SQLITE = pytest.mark.engine("sqlite")
FORMS = [
    ("/decks/new/", (*OF_A_DECK, "revision")),
    pytest.param("/check/", OF_A_LIST, marks=ON_SQLITE),
    pytest.param("/print/", OF_A_PRINT, marks=ON_SQLITE),
    pytest.param("/print/sheets.pdf", OF_A_PRINT, marks=ON_SQLITE),
]


@pytest.mark.parametrize(("address", "fields"), FORMS)
def test_a_form_is_never_a_server_error(address, fields):
    data = {"game": "spycraft", "text": "1 Kai", "name": "Deck"}
    bad = [data | {field: word} for field in fields for word in bad_words()]
    assert server_errors(bad, lambda client, sent: post_bytes(client, address, sent)) == []


# Bad values and names of the buttons on the page that checks a list.
PRESSED = ["\ud800", "9" * 5_000, "<script>", "1:| unknown", "1,1,²", "spycraft/nothing", "-1 deck kai"]
BUTTONS = ("read_as", "correct", "accept", "change", "then", "unread", "house")


@pytest.mark.engine("sqlite")
@pytest.mark.parametrize("address", ["/check/", "/check/verdict/", "/check/repair/", "/check/save/"])
def test_a_button_of_the_check_is_never_a_server_error(address):
    bad = [{"text": "4 Kai\n1 Shiatzu", field: word} for field in BUTTONS for word in PRESSED]
    assert server_errors(bad, lambda client, sent: post_bytes(client, address, sent)) == []


BODIES = [
    ("decks/", OF_A_DECK),
    pytest.param("decks/validate/", OF_A_LIST, marks=ON_SQLITE),
    pytest.param("decks/convert/", (*OF_A_LIST, "to"), marks=ON_SQLITE),
    pytest.param("sheets/", OF_A_PRINT, marks=ON_SQLITE),
]
VALUES = [None, True, 0, -1, 1.5, [], {}, ["x"], {"x": 1}, "", "\u202e", "x" * 200_000]


@pytest.mark.parametrize(("address", "fields"), BODIES)
def test_a_body_of_wrong_types_is_never_a_server_error(address, fields):
    def ask(client: Client, body: dict[str, Any]) -> Any:
        answer = client.post(f"/api/v1/{address}", body, content_type="application/json")
        if 400 <= answer.status_code < 500:
            assert all(set(fault) == {"code", "message", "where"} for fault in answer.json()), repr(body)[:99]
        return answer

    body = {"game": "spycraft", "text": "1 Kai", "name": "Deck", "to": "text"}
    assert server_errors([body | {field: value} for field in fields for value in VALUES], ask) == []


@pytest.mark.parametrize("header", ["\x7f", "é", "x" * 5_000, "' or 1=1"])
def test_an_invalid_edit_key_opens_nothing(client, header):
    assert client.get("/api/v1/decks/", headers={"X-Deck-Key": header}).json()["count"] == 0


def test_unusual_names_survive_page_api_text_and_sheet(client):
    """Long and unusual names pass unharmed through page, API, text and sheet."""
    from cardsdb.games import games

    awkward = {
        "spycraft": ['RS-9, "The Koffin"', "2nd Lt. Chavez", "H&K MP5N", "3-D Modeling"],
        "xfiles": ["Død Kalm", "2Shy"],
    }  # Død Kalm is an X-File, which a deck shows only to its owner
    for slug, names in awkward.items():
        text = "\n".join(f"2 {name}" for name in names)
        body = {"game": slug, "name": "Awkward", "text": text, "visibility": "unlisted"}
        made = client.post("/api/v1/decks/", json.dumps(body), content_type="application/json").json()
        assert {line["name"] for line in made["lines"]} == set(names)
        assert all(f"2 {name}\n" in made["text"] for name in names)
        context = client.get(f"/decks/{made['id']}/").context
        assert {entry.card.name for entry in context["judged"].deck} == set(names) - {"Død Kalm"}
        for name in names:
            card = next(card for card in games()[slug].cards if card.name == name)
            assert page(client, f"/cards/{slug}/{card.code}/").one("h1").text == name
        assert client.get(f"/print/sheets.pdf?deck={made['id']}").status_code == 200


def test_the_longest_string_of_a_body_takes_little_memory():
    """The scan for nesting depth once took 110 bytes of memory for each byte of a string."""
    import tracemalloc

    from cardsdb.api.framework import read_body

    tracemalloc.start()
    try:
        read_body(b'"' + b"x" * 1_000_000 + b'"')
        assert tracemalloc.get_traced_memory()[1] < 8_000_000
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize(
    ("body", "deep"),
    [
        ("[" * 20 + "]" * 20, False),
        ("[" * 21 + "]" * 21, True),
        ('{"a":' * 21 + "1" + "}" * 21, True),
        (json.dumps("[" * 50), False),
        (json.dumps('\\"' + "[" * 50), False),
        (json.dumps("\\") + "[" * 50, True),
        ('"' + "[" * 50, False),
        ("[]" * 50, False),
    ],
)
def test_brackets_in_strings_do_not_count_as_nesting(body, deep):
    from cardsdb.api.framework import read_body
    from cardsdb.faults import Refused

    try:
        read_body(body.encode())
        message = ""
    except Refused as refused:
        message = refused.faults[0].message
    assert ("deeper than 20 levels" in message) is deep


@pytest.mark.parametrize("path", ["/sets/spycraft/ON/", "/decks/", "/api/v1/decks/"])
def test_a_failing_database_is_503_with_retry_after(path):
    with failing(OperationalError("connection refused")):
        answer = Client(raise_request_exception=False).get(path)
    assert answer.status_code == 503
    assert int(answer["Retry-After"]) > 0
    assert "connection refused" not in answer.text
