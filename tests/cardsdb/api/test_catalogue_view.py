"""``CatalogueView``: entity tags per edition, known parameters, reading from other sites, limits per
address. Pages of database rows (``PrivateView``): ``tests/decks/api/test_pages.py``.
"""

from datetime import UTC, datetime

import pytest
from django.test import RequestFactory
from django.urls import resolve

from cardsdb.api.catalogue_view import CatalogueView
from cardsdb.api.views import schema
from cardsdb.models import Edition
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


@pytest.fixture(scope="module", autouse=True)
def edition(module_db):
    """An edition whose date is known, for all tests here."""
    Edition.objects.create(made=MADE, changes=[])


@pytest.fixture(autouse=True)
def nothing_counted(nothing_counted):
    """Let every test here use the fixture of this name: none is refused for the requests of another."""


# -- once per edition --------------------------------------------------------------


@pytest.mark.parametrize("path", READS)
def test_an_answer_is_not_sent_again_in_the_same_edition(client, path):
    first = client.get(f"/api/v1/{path}")
    assert first.status_code == 200
    assert first["Cache-Control"] == "public, max-age=0, must-revalidate"
    assert first["Last-Modified"] == "Mon, 04 May 2026 03:02:01 GMT"
    again = client.get(f"/api/v1/{path}", headers={**ORIGIN, "If-None-Match": first["ETag"]})
    assert (again.status_code, again.content, again["ETag"]) == (304, b"", first["ETag"])
    assert again["Access-Control-Allow-Origin"] == "*"


def test_a_conditional_request_only_queries_the_edition_and_is_not_counted(
    client, settings, noon, django_assert_num_queries
):
    settings.CUTOUT_READS_PER_MINUTE = 1
    tag = client.get("/api/v1/cards/?q=craft>3")["ETag"]
    for _ in range(3):
        with django_assert_num_queries(1):
            answer = client.get("/api/v1/cards/?q=craft>3", headers={"If-None-Match": tag})
        assert answer.status_code == 304


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


@pytest.mark.parametrize(
    ("path", "headers", "status"),
    [
        ("sets/", {"If-Modified-Since": "Mon, 04 May 2026 03:02:01 GMT"}, 200),
        ("sets/", {"If-Unmodified-Since": "Mon, 04 May 2026 03:02:01 GMT"}, 200),
        ("cards/spycraft/nobody/", {"If-None-Match": "*"}, 404),
    ],
)
def test_a_date_and_a_condition_that_matches_anything_are_ignored(client, path, headers, status):
    """Two editions may be of the same second, and a release may answer otherwise."""
    answer = client.get(f"/api/v1/{path}", headers=headers)
    assert answer.status_code == status and answer.content


# -- parameters --------------------------------------------------------------------


@pytest.mark.parametrize("path", [*READS, "openapi.json", "bulk/"])
def test_a_read_refuses_a_parameter_it_does_not_know(client, path):
    answer = client.get(f"/api/v1/{path}{'&' if '?' in path else '?'}nonsense=1")
    assert answer.status_code == 400
    (fault,) = answer.json()
    assert (fault["code"], fault["where"]) == ("unknown_parameter", "nonsense")


def test_the_schema_names_exactly_the_parameters_that_views_take():
    described, taken = dict[str, set[str]](), dict[str, set[str]]()
    for path, methods in schema()["paths"].items():
        view = resolve(path.replace("{number}", "1").replace("{", "").replace("}", "")).func.view_class
        if issubclass(view, CatalogueView):
            parameters = methods["get"].get("parameters", ())
            described[path] = {one["name"] for one in parameters if one["in"] == "query"}
            taken[path] = set(view.get.takes)
    assert len(described) > 8 and described == taken


# -- other sites -------------------------------------------------------------------


@pytest.mark.parametrize("path", [*READS, "cards/spycraft/nobody/", "cards/?q=expanse:3"])
def test_any_site_may_read_the_catalogue(client, path):
    answer = client.get(f"/api/v1/{path}", headers=ORIGIN)
    assert answer["Access-Control-Allow-Origin"] == "*"
    assert not answer.has_header("Access-Control-Allow-Credentials")
    if answer.status_code >= 400:
        assert not answer.has_header("ETag") and "no-store" in answer["Cache-Control"]
    else:
        assert answer.has_header("ETag") and "no-store" not in answer["Cache-Control"]


def test_a_preflight_request_is_answered_with_what_is_allowed(client):
    asked = {"Access-Control-Request-Method": "GET", "Access-Control-Request-Headers": "if-none-match"}
    answer = client.options("/api/v1/cards/", headers=ORIGIN | asked)
    assert (answer.status_code, answer["Access-Control-Allow-Origin"]) == (204, "*")
    assert answer["Access-Control-Allow-Methods"] == "GET, HEAD, OPTIONS"
    assert "If-None-Match" in answer["Access-Control-Allow-Headers"]


@pytest.mark.parametrize("path", ["decks/", "decks/nothing/", "decks/validate/", "sheets/"])
def test_no_other_site_reads_decks(client, path):
    for ask in (client.get, client.options):
        assert not ask(f"/api/v1/{path}", headers=ORIGIN).has_header("Access-Control-Allow-Origin")


# -- limits ------------------------------------------------------------------------


def test_beyond_the_limit_an_address_waits_for_the_next_minute(client, settings, noon):
    settings.CUTOUT_READS_PER_MINUTE = 3
    assert [client.get("/api/v1/sets/").status_code for _ in range(4)] == [200, 200, 200, 429]
    answer = client.get("/api/v1/sets/")
    assert answer["Retry-After"] == "30"
    assert set(answer.json()[0]) == {"code", "message", "where"}
    noon["now"] += 30
    assert client.get("/api/v1/sets/").status_code == 200


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
