"""The API: one shape of answer, one shape of error, bounds before parsing."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver

from cardsdb.api.serializers import answers
from tests import ROOT
from tests.support.print_jobs import BIG

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]


def post(client: Client, path: str, body: Any, **headers: str) -> Any:
    data = body if isinstance(body, str | bytes) else json.dumps(body)
    return client.post(f"/api/v1/{path}", data, content_type="application/json", headers=headers)


def is_error_list(answer: Any) -> bool:
    found = answer.json()
    return (
        isinstance(found, list)
        and bool(found)
        and all(
            {"code", "message", "where"} <= set(fault) <= {"code", "message", "where", "suggestions"}
            for fault in found
        )
    )


@pytest.mark.both_databases
def test_a_verdict_has_the_agreed_shape(client: Client) -> None:
    verdict = post(client, "decks/validate/", {"game": "spycraft", "text": "4 Kai\n1 Nobody"}).json()
    assert verdict["verdict"] == "illegal"
    violation = next(v for v in verdict["violations"] if v["code"] == "AG-4")
    assert {"code", "severity", "cards", "found", "wanted", "message", "citation", "repairs"} <= set(
        violation
    )
    assert (violation["cards"], violation["found"], violation["wanted"]) == (["Kai"], 4, 3)
    assert {"document", "section", "lines", "certainty", "says"} <= set(violation["citation"])
    assert violation["citation"]["lines"] == "430"
    assert violation["repairs"][0]["remove"] == [{"name": "Kai", "section": "deck", "count": 1}]
    (unread,) = verdict["unread"]
    assert {"line", "text", "message", "suggestions"} <= set(unread)
    assert unread["line"] == 2


def test_a_card_says_who_states_each_fact(client: Client) -> None:
    card = client.get("/api/v1/cards/spycraft/li/").json()
    assert set(card["facts"]) <= set(card["sources"])
    values = {source["value"] for source in card["sources"]["craft"]}
    assert values == {None, "0"}
    assert {source["certainty"] for source in card["sources"]["craft"]} >= {"conflicting"}


def test_agent_decker_carries_its_credit(client: Client) -> None:
    game = client.get("/api/v1/games/agentdecker/").json()
    card = client.get(
        f"/api/v1/cards/{client.get('/api/v1/cards/?game=agentdecker').json()['results'][0]['key']}/"
    ).json()
    for found in (game, card):
        assert "Manuel Correia" in found["credit"]["text"]
        assert "by-nc/4.0" in found["credit"]["licence_url"]


def test_a_query_with_a_problem_is_refused_with_its_columns(client: Client) -> None:
    answer = client.get("/api/v1/cards/", {"q": "expanse:3"})
    assert answer.status_code == 400
    assert is_error_list(answer)
    assert answer.json()[0]["where"].startswith("columns 0-")


def test_a_deck_is_made_read_replaced_and_deleted_with_its_key(client: Client, agency_text: str) -> None:
    made = post(client, "decks/", {"game": "spycraft", "name": "Dragons", "text": agency_text})
    assert made.status_code == 201
    deck, key = made.json()["id"], made.json()["edit_key"]
    body = {"game": "spycraft", "name": "Tigers", "text": "2 Kai", "visibility": "unlisted"}
    changed = client.put(
        f"/api/v1/decks/{deck}/",
        json.dumps(body),
        content_type="application/json",
        headers={"X-Deck-Key": key},
    )
    assert (changed.json()["name"], changed.json()["report"]["verdict"]) == ("Tigers", "incomplete")
    assert client.get(f"/api/v1/decks/{deck}/").status_code == 200
    assert client.delete(f"/api/v1/decks/{deck}/").status_code == 404
    assert client.delete(f"/api/v1/decks/{deck}/", headers={"X-Deck-Key": key}).status_code == 204


def test_sheets_are_a_pdf(client: Client) -> None:
    answer = post(client, "sheets/", {"game": "spycraft", "text": "2 Kai", "paper": "letter"})
    assert (answer.status_code, answer["Content-Type"]) == (200, "application/pdf")
    assert answer.content.startswith(b"%PDF")
    for tag in (answer["ETag"], f"W/{answer['ETag']}"):
        again = post(
            client,
            "sheets/",
            {"game": "spycraft", "text": "2 Kai", "paper": "letter"},
            **{"If-None-Match": tag},
        )
        assert again.status_code == 304


@pytest.mark.parametrize(
    ("path", "body", "where"),
    [
        ("decks/validate/", {"game": "chess", "text": "1 Kai"}, "game"),
        ("decks/convert/", {"text": "1 Kai", "to": "json"}, "game"),
        ("decks/validate/", {"game": "spycraft", "format": "blitz", "text": "1 Kai"}, "format"),
        ("decks/validate/", {"game": "spycraft", "text": ["1 Kai"]}, "text"),
        ("decks/validate/", {"game": "spycraft", "text": "1 Kai", "more": 1}, "more"),
        ("decks/validate/", [], ""),
        ("decks/validate/", "null", ""),
        ("decks/", {"game": "spycraft", "name": "x", "text": "1 Kia"}, "line 1"),
        ("decks/", {"game": "spycraft", "name": " ", "text": "1 Kai"}, "name"),
        ("decks/convert/", {"game": "spycraft", "text": "1 Kai", "to": "doc"}, "to"),
        ("sheets/", {"game": "spycraft", "text": "1 Kai", "paper": "a0"}, "paper"),
        ("sheets/", {}, "deck"),
    ],
)
def test_a_bad_body_names_the_field(client: Client, path: str, body: Any, where: str) -> None:
    answer = post(client, path, body)
    assert answer.status_code == 400
    assert is_error_list(answer)
    assert answer.json()[0]["where"] == where


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
def test_a_body_that_is_no_good_json_is_refused(client: Client, body: bytes) -> None:
    answer = post(client, "decks/validate/", body)
    assert answer.status_code == 400
    assert is_error_list(answer)


def test_a_body_beyond_a_megabyte_is_too_large(client: Client) -> None:
    answer = post(client, "decks/validate/", {"game": "spycraft", "text": "x" * 1_100_000})
    assert answer.status_code == 413
    assert is_error_list(answer)


@pytest.mark.parametrize(
    "path", ["nothing/", "cards/spycraft/nobody/", "cards/chess/king/", "games/chess/", "decks/nothing/"]
)
def test_what_is_not_there_is_an_error_list_too(client: Client, path: str) -> None:
    answer = client.get(f"/api/v1/{path}")
    assert answer.status_code == 404
    assert is_error_list(answer)


def test_other_methods_and_media_types_are_error_lists(client: Client) -> None:
    for answer, status in (
        (client.delete("/api/v1/cards/"), 405),
        (
            client.post("/api/v1/decks/validate/", "a=1", content_type="application/x-www-form-urlencoded"),
            415,
        ),
        (client.get("/api/v1/cards/", headers={"Accept": "text/turtle"}), 406),
    ):
        assert answer.status_code == status
        assert is_error_list(answer)


def test_whoever_asks_for_bytes_of_whatever_kind_is_given_the_pdf_as_such(client: Client) -> None:
    sent = {"game": "spycraft", "text": "2 Kai"}
    answer = post(client, "sheets/", sent, Accept="application/octet-stream")
    assert (answer.status_code, answer["Content-Type"]) == (200, "application/octet-stream")
    assert answer.content.startswith(b"%PDF")


@pytest.mark.parametrize("kind", ["application/pdf", "application/octet-stream"])
def test_a_print_job_is_json_even_for_who_wants_a_file(client: Client, kind: str) -> None:
    answer = post(client, "sheets/", dict(BIG), Accept=kind)
    assert (answer.status_code, answer["Content-Type"]) == (202, "application/json")


def test_an_option_of_another_file_is_refused_as_well_where_it_has_no_such_value(client: Client) -> None:
    answer = post(client, "sheets/", {"game": "spycraft", "text": "2 Kai", "dpi": "1"})
    assert answer.status_code == 400 and [fault["where"] for fault in answer.json()] == ["dpi"]


def test_an_error_is_json_even_for_who_wants_a_pdf(client: Client) -> None:
    answer = post(client, "sheets/", {"game": "chess", "text": "1 King"}, Accept="application/pdf")
    assert (answer.status_code, answer["Content-Type"]) == (400, "application/json")
    assert is_error_list(answer)


@pytest.mark.parametrize("size", ["101", "100000", "9" * 30, "9" * 9_000])
def test_a_list_is_never_longer_than_a_hundred(client: Client, size: str) -> None:
    answer = client.get("/api/v1/cards/", {"page_size": size})
    assert answer.status_code == 200
    assert len(answer.json()["results"]) <= 100
    assert answer.json()["count"] > 1_000


@pytest.mark.parametrize("size", ["-1", "0", "x", "²"])
@pytest.mark.parametrize("path", ["cards/", "sets/", "decks/"])
def test_a_size_that_is_none_is_refused_with_the_bound(client: Client, path: str, size: str) -> None:
    answer = client.get(f"/api/v1/{path}", {"page_size": size})
    assert answer.status_code == 400
    (fault,) = answer.json()
    assert fault == {
        "code": "bad_page_size",
        "message": "page_size is a whole number from 1 to 100.",
        "where": "page_size",
    }


def test_an_empty_size_is_as_none_given(client: Client) -> None:
    assert len(client.get("/api/v1/cards/?page_size=").json()["results"]) == 50


@pytest.mark.parametrize(
    "path", ["sets/?page=", "rules/?page=&page_size=&game=&fields=", "search/explain/?q=", "decks/?q=&order="]
)
def test_any_empty_parameter_counts_as_left_out(client: Client, path: str) -> None:
    empty, absent = (client.get(f"/api/v1/{each}").json() for each in (path, path.partition("?")[0]))
    assert {**empty, "next": None} == {**absent, "next": None}


@pytest.mark.parametrize("page", ["0", "x", "9" * 5_000, "99999"])
@pytest.mark.parametrize("path", ["/api/v1/sets/", "/decks/"])
def test_a_page_that_is_no_page_is_a_404(client: Client, path: str, page: str) -> None:
    assert client.get(path, {"page": page}).status_code == 404


def test_the_schema_is_valid_openapi_and_names_every_address(client: Client) -> None:
    schema = client.get("/api/v1/schema/").json()
    assert schema["openapi"].startswith("3.")
    from drf_spectacular.validation import validate_schema

    validate_schema(schema)
    described = {path.replace("{", "<").replace("}", ">") for path in schema["paths"]}
    real = {f"/{path}" for path in addresses() if path.startswith("api/v1/")} - {
        "/api/v1/schema/",
        "/api/v1/openapi.json",
        "/api/v1/docs/",
    }
    assert described == real


def test_making_the_schema_warns_of_nothing() -> None:
    from drf_spectacular.drainage import GENERATOR_STATS
    from drf_spectacular.generators import SchemaGenerator

    SchemaGenerator(api_version="1").get_schema(request=None, public=True)
    assert not GENERATOR_STATS


def test_every_operation_names_the_statuses_of_its_errors(client: Client) -> None:
    for path, methods in client.get("/api/v1/schema/").json()["paths"].items():
        for method, operation in methods.items():
            wanted = {"400", "404", "405", "406", "429", "503"} | (
                {"413", "415"} if "requestBody" in operation else set()
            )
            assert wanted <= set(operation["responses"]), f"{method} {path}"


def test_the_index_lists_every_address_of_the_schema(client: Client) -> None:
    found = client.get("/api/v1/").json()
    assert {entry["address"] for entry in found["addresses"]} == set(
        client.get("/api/v1/schema/").json()["paths"]
    )
    assert all(entry["methods"] and entry["about"] for entry in found["addresses"])


def test_the_rules_of_all_games_are_listed_with_their_place(client: Client) -> None:
    from cardsdb.games import games

    found = client.get("/api/v1/rules/?page_size=100").json()
    assert found["count"] == sum(len(game.citations) for game in games().values())
    assert set(found["results"][0]) == {
        "game",
        "code",
        "says",
        "document",
        "section",
        "lines",
        "pages",
        "url",
        "certainty",
        "about",
        "checked_in",
    }
    assert {rule["game"] for rule in client.get("/api/v1/rules/?game=xfiles").json()["results"]} == {"xfiles"}


def test_the_glossary_is_listed_with_its_sources(client: Client) -> None:
    found = client.get("/api/v1/glossary/?game=spycraft").json()
    assert found["count"] and all(
        term.keys() == answers.Term().fields.keys() and term["source"]["document"]
        for term in found["results"]
    )


@pytest.mark.parametrize("slug", ["spycraft", "agentdecker"])
def test_the_play_guide_is_told_with_the_place_of_every_statement(client: Client, slug: str) -> None:
    from cardsdb.games import games

    told, guide = client.get(f"/api/v1/games/{slug}/play/").json(), games()[slug].play_guide
    assert guide and guide.reach and told["reach"]["says"] == guide.reach.says
    statements = [
        *told["imprint"],
        *told["parts"],
        *(step for part in told["parts"] for step in part["steps"]),
    ]
    assert {one["says"] for one in statements} >= {says for _, says, _ in guide.cited}
    sources = [source for one in statements for source in one["sources"]]
    assert len(sources) == sum(len(cited) for _, _, cited in guide.cited)
    assert all(
        source["document"] and (source["section"] or source["lines"]) and source["url"] for source in sources
    )
    assert client.get("/api/v1/games/nothing/play/").status_code == 404


def test_the_page_of_documentation_names_every_status(client: Client) -> None:
    page = (ROOT / "docs" / "api.md").read_text(encoding="utf-8")
    shown = re.findall(r'<dt class="code">(\d{3})</dt>', client.get("/api/v1/docs/").content.decode())
    assert set(re.findall(r"^\| (\d{3}) \|", page, re.MULTILINE)) == set(shown) - {"304"}


def test_the_example_of_the_documentation_is_answered(client: Client) -> None:

    page = (ROOT / "docs" / "api.md").read_text(encoding="utf-8")
    examples = re.findall(r"^    (/api/v1/\S+)$", page, re.MULTILINE)
    assert examples and {client.get(example).status_code for example in examples} == {200}


def addresses() -> set[str]:
    """Every address of the site, converters left out."""

    def walk(patterns: list[Any], before: str) -> Any:
        for pattern in patterns:
            here = before + str(pattern.pattern)
            if isinstance(pattern, URLResolver):
                yield from walk(pattern.url_patterns, here)
            elif isinstance(pattern, URLPattern):
                yield re.sub(r"<\w+:(\w+)>", r"<\1>", here)

    return set(walk(get_resolver().url_patterns, ""))
