"""``CatalogueView``: entity tags per edition, known parameters, reading from other sites, limits per
address.
"""

from datetime import UTC, datetime
from typing import Any

import pytest
from django.core.cache import cache
from django.test import RequestFactory

from cardsdb import settings
from cardsdb.api.catalogue_view import CatalogueView
from cardsdb.api.views import schema
from cardsdb.models import Edition
from cardsdb.site import ratelimits
from cardsdb.site.ratelimits import sender

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]
MADE = datetime(2026, 5, 4, 3, 2, 1, tzinfo=UTC)
READS = [
    "",
    "glossary/",
    "cards/",
    "cards/spycraft/kai/",
    "games/",
    "games/xfiles/",
    "games/xfiles/play/",
    "sets/",
    "rules/",
    "search/explain/?q=craft>3",
    "schema/",
]
ORIGIN = {"Origin": "https://elsewhere.example"}


@pytest.fixture(autouse=True)
def edition():
    cache.clear()
    return Edition.objects.create(made=MADE, changes=[])


# -- once per edition --------------------------------------------------------------


@pytest.mark.parametrize("path", READS)
def test_an_answer_is_not_sent_again_in_the_same_edition(client, path):
    first = client.get(f"/api/v1/{path}")
    assert first.status_code == 200
    assert first["Cache-Control"] == "public, max-age=0, must-revalidate"
    assert first["Last-Modified"] == "Mon, 04 May 2026 03:02:01 GMT"
    again = client.get(f"/api/v1/{path}", headers={"If-None-Match": first["ETag"]})
    assert (again.status_code, again.content, again["ETag"]) == (304, b"", first["ETag"])


def test_a_conditional_request_only_queries_the_edition(client, django_assert_num_queries):
    tag = client.get("/api/v1/cards/?q=craft>3")["ETag"]
    with django_assert_num_queries(1):
        client.get("/api/v1/cards/?q=craft>3", headers={"If-None-Match": tag})


def test_an_entity_tag_weakened_by_compression_still_matches(client):
    tag = client.get("/api/v1/cards/", headers={"Accept-Encoding": "gzip"})["ETag"]
    assert tag.startswith("W/")
    assert client.get("/api/v1/cards/", headers={"If-None-Match": tag}).status_code == 304


def test_entity_tags_differ_by_edition_and_address(client, request):
    tag = client.get("/api/v1/sets/")["ETag"]
    others = {client.get(f"/api/v1/{path}")["ETag"] for path in ("cards/", "cards/?q=kai", "rules/")}
    assert len({tag, *others}) == 4
    Edition.objects.create(changes=[])
    answer = client.get("/api/v1/sets/", headers={"If-None-Match": tag})
    assert answer.status_code == 200 and answer["ETag"] != tag
    # Without a loaded catalogue there is no tag.
    request.getfixturevalue("empty_catalogue")
    assert not client.get("/api/v1/sets/").has_header("ETag")


def test_a_date_alone_is_ignored_as_a_condition(client):
    """Two editions may be of the same second, and a release may answer otherwise."""
    for header in ("If-Modified-Since", "If-Unmodified-Since"):
        answer = client.get("/api/v1/sets/", headers={header: "Mon, 04 May 2026 03:02:01 GMT"})
        assert answer.status_code == 200 and answer.content


@pytest.mark.parametrize(
    "header", [{"If-None-Match": "*"}, {"If-Modified-Since": "Fri, 01 Jan 2027 00:00:00 GMT"}]
)
def test_a_condition_that_matches_anything_does_not_turn_404_into_304(client, header):
    assert client.get("/api/v1/cards/spycraft/nobody/", headers=header).status_code == 404


def test_errors_are_not_cached(client):
    answer = client.get("/api/v1/cards/?q=expanse:3")
    assert (
        answer.status_code == 400 and not answer.has_header("ETag") and "no-store" in answer["Cache-Control"]
    )


def test_a_read_is_the_same_for_an_account_and_a_stranger(client, django_user_model):
    stranger = client.get("/api/v1/cards/")
    client.force_login(django_user_model.objects.create_user("somebody"))
    assert client.get("/api/v1/cards/", headers={"If-None-Match": stranger["ETag"]}).status_code == 304
    assert "Cookie" not in stranger.get("Vary", "")


# -- parameters --------------------------------------------------------------------


@pytest.mark.parametrize("path", [*READS, "openapi.json", "bulk/"])
def test_a_read_refuses_a_parameter_it_does_not_know(client, path):
    answer = client.get(f"/api/v1/{path}{'&' if '?' in path else '?'}nonsense=1")
    assert answer.status_code == 400
    (fault,) = answer.json()
    assert (fault["code"], fault["where"]) == ("unknown_parameter", "nonsense")


def described_reads() -> list[Any]:
    """Return (path, its query parameters in the schema, those that its view takes) of every read."""
    from django.urls import resolve

    found = []
    for path, methods in schema()["paths"].items():
        names = {one["name"] for one in methods.get("get", {}).get("parameters", ()) if one["in"] == "query"}
        view = resolve(path.replace("{number}", "1").replace("{", "").replace("}", "")).func
        if issubclass(view.view_class, CatalogueView):
            found.append((path, names, view.view_class.get.takes))
    return found


def test_the_schema_names_exactly_the_parameters_that_views_take():
    described = described_reads()
    assert len(described) > 8
    assert [(path, names) for path, names, takes in described if names != set(takes)] == []


# -- other sites -------------------------------------------------------------------


@pytest.mark.parametrize("path", [*READS, "cards/spycraft/nobody/", "cards/?q=expanse:3"])
def test_any_site_may_read_the_catalogue(client, path):
    answer = client.get(f"/api/v1/{path}", headers=ORIGIN)
    assert answer["Access-Control-Allow-Origin"] == "*"
    assert not answer.has_header("Access-Control-Allow-Credentials")
    if tag := answer.get("ETag"):
        again = client.get(f"/api/v1/{path}", headers={**ORIGIN, "If-None-Match": tag})
        assert (again.status_code, again["Access-Control-Allow-Origin"]) == (304, "*")


def test_a_preflight_request_is_answered_with_what_is_allowed(client):
    asked = {
        **ORIGIN,
        "Access-Control-Request-Method": "GET",
        "Access-Control-Request-Headers": "if-none-match",
    }
    answer = client.options("/api/v1/cards/", headers=asked)
    assert (answer.status_code, answer["Access-Control-Allow-Origin"]) == (204, "*")
    assert answer["Access-Control-Allow-Methods"] == "GET, HEAD, OPTIONS"
    assert "If-None-Match" in answer["Access-Control-Allow-Headers"]


@pytest.mark.parametrize("path", ["decks/", "decks/nothing/", "decks/validate/", "sheets/"])
def test_no_other_site_reads_decks(client, path):
    for answer in (
        client.get(f"/api/v1/{path}", headers=ORIGIN),
        client.options(f"/api/v1/{path}", headers=ORIGIN),
    ):
        assert not answer.has_header("Access-Control-Allow-Origin")


def test_the_catalogue_cannot_be_written_over_http(client):
    assert {
        client.generic(method, "/api/v1/cards/").status_code for method in ("POST", "PUT", "PATCH", "DELETE")
    } == {405}


# -- limits ------------------------------------------------------------------------


def test_beyond_the_limit_an_address_waits_for_the_next_minute(client, settings, noon):
    settings.CUTOUT_READS_PER_MINUTE = 3
    assert [client.get("/api/v1/sets/").status_code for _ in range(4)] == [200, 200, 200, 429]
    answer = client.get("/api/v1/sets/")
    assert answer["Retry-After"] == "30"
    assert set(answer.json()[0]) == {"code", "message", "where"}
    noon["now"] += 30
    assert client.get("/api/v1/sets/").status_code == 200


def test_a_304_is_not_counted(client, settings, noon):
    settings.CUTOUT_READS_PER_MINUTE = 1
    tag = client.get("/api/v1/sets/")["ETag"]
    assert [client.get("/api/v1/sets/", headers={"If-None-Match": tag}).status_code for _ in range(3)] == [
        304
    ] * 3


def test_the_default_limits_are_those_of_the_documentation():
    delivered = settings.CUTOUT_READS_PER_MINUTE, settings.CUTOUT_WORKS_PER_MINUTE
    assert (ratelimits.READS, ratelimits.WORKS) == delivered == (600, 60)


@pytest.mark.parametrize(
    ("address", "counted"),
    [
        pytest.param("192.0.2.1", "192.0.2.1", id="whatever header anyone writes"),
        pytest.param("", "unknown", id="all without an address together"),
        pytest.param("2001:db8::1", "2001:db8::", id="the many of one customer"),
        pytest.param("2001:db8::ffff:9", "2001:db8::", id="another of the same customer"),
        pytest.param("::ffff:192.0.2.1", "192.0.2.1", id="IPv4 written as IPv6"),
    ],
)
def test_who_sends_is_known_by_the_address(address, counted):
    asked = RequestFactory().get("/", REMOTE_ADDR=address, HTTP_X_FORWARDED_FOR="198.51.100.7")
    assert sender(asked) == counted


@pytest.mark.parametrize(
    ("header", "counted"),
    [
        ("198.51.100.7", "198.51.100.7"),
        ("203.0.113.9, 198.51.100.7", "198.51.100.7"),
        ("198.51.100.7,", "192.0.2.1"),
        ("", "192.0.2.1"),
        ("x" * 9_000, "192.0.2.1"),
        ("203.0.113.9, unknown", "192.0.2.1"),
        ("198.51.100.7:5678", "198.51.100.7"),
        ("203.0.113.9:1, 198.51.100.7:65535", "198.51.100.7"),
        ("[2001:db8::7]:443", "2001:db8::"),
        ("[2001:db8::7]", "2001:db8::"),
        ("[::ffff:198.51.100.7]:443", "198.51.100.7"),
        ("198.51.100.7:port", "192.0.2.1"),
        ("[]:1", "192.0.2.1"),
    ],
)
def test_behind_a_proxy_the_last_entry_counts(settings, header, counted):
    settings.CUTOUT_BEHIND_PROXY = True
    assert sender(RequestFactory().get("/", REMOTE_ADDR="192.0.2.1", HTTP_X_FORWARDED_FOR=header)) == counted
