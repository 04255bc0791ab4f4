"""API views of the catalogue: pages of cards, chosen parts, rules, glossary, play guides, and the schema.
Parameters, entity tags and limits of all views: ``test_catalogue_view.py``.
"""

import re
from typing import Any

import pytest
from django.test import Client
from drf_spectacular.drainage import GENERATOR_STATS
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.validation import validate_schema

from cardsdb.api.serializers import answers
from cardsdb.catalogue.loader import load
from cardsdb.games import games
from cardsdb.models import Card
from tests.support.data_games import night_train, site_data
from tests.support.visitors import addresses

__all__ = ["night_train", "site_data"]

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]


def cards(client: Client, **params: object) -> Any:
    """Return the answer of the list of cards to these parameters."""
    answer = client.get("/api/v1/cards/", params)
    assert answer.status_code == 200, answer.content
    return answer.json()


def refused(client: Client, **params: object) -> dict[str, Any]:
    """Return the one fault for which the list of cards refuses these parameters."""
    answer = client.get("/api/v1/cards/", params)
    assert answer.status_code == 400, answer.content
    (fault,) = answer.json()
    return dict(fault)


def walk(client: Client, address: str, way: str = "next") -> list[list[str]]:
    """Return the keys of the cards on each page, from an address on, following ``next`` or ``previous``."""
    pages, link = [], address
    while link:
        found = client.get(link).json()
        pages.append([card["key"] for card in found["results"]])
        link = found[way]
    return pages


# -- pages -------------------------------------------------------------------------


@pytest.mark.both_databases
def test_following_next_gives_every_card_once_and_in_order(client):
    pages = walk(client, "/api/v1/cards/?game=xfiles&page_size=100")
    listed = Card.objects.current().in_game("xfiles").by_name().values_list("code", flat=True)
    assert [key for page in pages for key in page] == [f"xfiles/{code}" for code in listed]


def test_following_pages_keep_the_query_and_the_chosen_parts(client):
    found = cards(client, q="type:agent", game="spycraft", page_size=3, fields="name")
    onward = client.get(found["next"]).json()
    assert onward["count"] == found["count"]
    assert [list(card) for card in onward["results"]] == [["name"]] * 3
    one = cards(client, q="!kai")
    assert (one["previous"], one["next"]) == (None, None)


@pytest.mark.parametrize("order", ["", "order:-prints"])
def test_previous_leads_over_all_cards_and_an_empty_page_beyond_an_end_leads_back(client, order):
    asked: dict[str, object] = {"game": "spynet", "page_size": 10, "q": order}
    pages = walk(client, f"/api/v1/cards/?game=spynet&page_size=10&q={order}")
    keys = [key for page in pages for key in page]
    beyond = cards(client, **asked, after=keys[-1])
    assert (beyond["results"], beyond["next"]) == ([], None)
    back = walk(client, beyond["previous"], "previous")
    assert back[0] == keys[-10:] and sorted(key for page in back for key in page) == sorted(keys)
    ahead = cards(client, **asked, before=keys[0])
    assert (ahead["results"], ahead["previous"]) == ([], None)
    assert walk(client, ahead["next"]) == pages
    nothing = cards(client, q="craft>900", before="end")
    assert (nothing["results"], nothing["next"], nothing["previous"]) == ([], None, None)


@pytest.mark.parametrize("name", ["after", "before"])
@pytest.mark.parametrize("key", ["garbage", "spycraft/nobody", "\x00", "x" * 9_000])
def test_a_cursor_that_no_answer_contained_is_refused(client, name, key):
    assert refused(client, **{name: key})["where"] == name


def test_a_cursor_outside_sorted_results_is_refused(client):
    for name in ("after", "before"):
        assert refused(client, q="game:xfiles order:-cost", **{name: "spycraft/kai"})["code"] == "lost_cursor"


def test_two_places_at_once_are_refused(client):
    assert refused(client, after="spycraft/kai", before="spycraft/li")["code"] == "two_cursors"


@pytest.mark.parametrize(
    ("name", "value", "meant"),
    [("limit", "100000", ["page_size"]), ("cursor", "garbage", ["after"]), ("pagesize", "3", ["page_size"])],
)
def test_an_unknown_parameter_is_refused_with_a_suggestion(client, name, value, meant):
    fault = refused(client, **{name: value})
    assert (fault["code"], fault["where"], fault["suggestions"]) == ("unknown_parameter", name, meant)
    assert "q, game, fields" in fault["message"]
    assert "next" in refused(client, page=2)["message"]


# -- misspellings --------------------------------------------------------------------


def test_a_misspelt_value_is_reported_beside_the_results_of_the_correction(client):
    found = cards(client, q="faction:krpyt", game="spycraft")
    assert found["count"] > 0 and found["understood"]["query"] == "faction:krypt"
    (problem,) = found["problems"]
    assert (problem["code"], problem["where"]) == ("unknown-value", "columns 8-13")
    assert '"The Krypt"' in problem["suggestions"]


def test_similar_names_are_suggested_for_a_misspelt_one(client):
    (problem,) = cards(client, q='!"Adam Razzir"')["problems"]
    assert any("Adam Razir" in one for one in problem["suggestions"])


def test_a_query_that_no_card_fits_is_no_problem_and_an_unknown_field_is_refused(client):
    found = cards(client, q="craft>900")
    assert (found["count"], found["problems"]) == (0, [])
    assert refused(client, q="expanse:3")["where"].startswith("columns 0-")


# -- parts -------------------------------------------------------------------------

STANDARD = ["key", "game", "code", "name", "type", "facts", "prints"]


@pytest.mark.parametrize(
    ("asked", "given"),
    [
        ({}, STANDARD),
        ({"include": "prints,sources"}, [*STANDARD, "sources"]),
        # In the usual order whatever the order of the request.
        ({"fields": "facts,key,name"}, ["key", "name", "facts"]),
    ],
)
def test_a_list_has_standard_parts_plus_included_ones_or_only_the_chosen_fields(client, asked, given):
    (card,) = cards(client, q="!kai", game="spycraft", **asked)["results"]
    assert list(card) == given
    if "sources" in card:
        assert card["sources"]["craft"]


def test_only_what_was_asked_for_is_given(client):
    asked = "name,facts.craft,prints.set,prints.number"
    (card,) = cards(client, q="!kai", game="spycraft", fields=asked)["results"]
    assert list(card) == ["name", "facts", "prints"]
    assert list(card["facts"]) == ["craft"]
    assert card["prints"] and all(list(one) == ["set", "number"] for one in card["prints"])
    single = client.get("/api/v1/cards/spycraft/kai/?fields=name,sources.craft").json()
    assert list(single) == ["name", "sources"]


def test_a_fact_that_no_source_states_is_absent_even_if_it_is_asked_for(client):
    missions = cards(client, q="type:mission", game="spycraft", fields="facts.craft")["results"]
    assert missions and all(card == {"facts": {}} for card in missions)


def test_facts_are_in_the_order_that_the_game_declares(client):
    declared = [fact.key for fact in games()["spycraft"].facts]
    for card in cards(client, game="spycraft", page_size=100)["results"]:
        assert list(card["facts"]) == [key for key in declared if key in card["facts"]]


@pytest.mark.parametrize("name", ["fields", "include"])
@pytest.mark.parametrize(
    ("value", "code"),
    [
        ("nmae", "unknown_field"),
        ("facts.", "unknown_field"),
        ("facts.nothing", "unknown_field"),
        ("__class__", "unknown_field"),
        ("x" * 500, "unknown_field"),
        ("name," * 61, "too_many"),
        ("n" * 1_001, "too_long"),
    ],
)
def test_an_unknown_part_and_too_many_or_too_long_ones_are_refused(client, name, value, code):
    fault = refused(client, **{name: value})
    assert (fault["code"], fault["where"]) == (code, name)
    if code == "unknown_field":
        assert value[:40] in fault["message"]


def test_the_refusal_of_an_unknown_part_suggests_the_full_name():
    fault = refused(Client(), fields="craft")
    assert "facts.craft" in fault["message"] and fault["suggestions"][0] == "facts.craft"


# -- one card ----------------------------------------------------------------------


def test_a_card_has_the_sources_of_each_fact(client):
    card = client.get("/api/v1/cards/spycraft/li/").json()
    assert set(card["facts"]) <= set(card["sources"])
    assert {source["value"] for source in card["sources"]["craft"]} == {None, "0"}
    assert "conflicting" in {source["certainty"] for source in card["sources"]["craft"]}


def test_agent_decker_carries_its_credit(client):
    key = cards(client, game="agentdecker")["results"][0]["key"]
    terms = client.get("/api/v1/glossary/?game=agentdecker").json()["results"]
    assert terms and all(term["source"]["lines"] for term in terms)
    things = [client.get(f"/api/v1/{address}/").json() for address in ("games/agentdecker", f"cards/{key}")]
    for credit in (thing["credit"] for thing in (*things, *terms)):
        assert "Manuel Correia" in credit["text"] and "by-nc/4.0" in credit["licence_url"]


def effects(client: Client, key: str) -> list[dict[str, Any]]:
    """Return what the API says of each line of a card's effect."""
    return list(client.get(f"/api/v1/cards/{key}/").json()["effects"])


def test_each_line_of_an_effect_has_its_tags_and_its_source(client):
    (effect,) = effects(client, "spycraft/acrobatic-escape")
    assert effect["line"] == "React Combat 8 after agent declares Combat action: cancel that action"
    assert effect["tags"] == {"when": ["React"], "does": ["cancel"], "target": ["that action"]}
    assert effect["source"]["document"] == "Spycraft plug-in for OCTGN: card lists and decks"
    assert effect["source"]["certainty"] == effect["certainty"] == "outside"
    assert effects(client, "spynet/hitman") == []


def test_two_lines_of_an_effect_may_be_of_different_certainty(client):
    sure, unclear = effects(client, "steamspy/das-wort")
    assert (sure["certainty"], sure["source"]["lines"], sure["source"]["note"]) == ("stated", "16, 95", "")
    assert (unclear["certainty"], unclear["source"]["lines"]) == ("inferred", "16, 95")
    assert unclear["source"]["note"].startswith("Whether all three skills")


# -- rules, words, guides -----------------------------------------------------------


def test_the_rules_of_all_games_are_listed_with_their_place(client):
    found = client.get("/api/v1/rules/?page_size=100").json()
    assert found["count"] == sum(len(game.citations) for game in games().values())
    parts = "game code says document section lines pages url certainty about checked_in"
    assert set(found["results"][0]) == set(parts.split())
    assert {rule["game"] for rule in client.get("/api/v1/rules/?game=xfiles").json()["results"]} == {"xfiles"}
    terms = client.get("/api/v1/glossary/?game=spycraft").json()["results"]
    assert terms and {frozenset(term) for term in terms} == {frozenset(answers.Term().fields)}
    assert all(term["source"]["document"] for term in terms)


def test_the_index_names_each_games_kind_facts_and_formats(client, night_train):
    load(night_train)
    index = {game["slug"]: game for game in client.get("/api/v1/").json()["games"]}
    assert list(index) == list(games())
    for slug, kind in (("spycraft", "code"), ("night-train", "data")):
        game, known = client.get(index[slug]["address"]).json(), games()[slug]
        assert index[slug]["kind"] == game["kind"] == kind
        assert [fact["key"] for fact in game["facts"]] == [fact.key for fact in known.facts]
        formats = [format["slug"] for format in game["formats"]]
        assert index[slug]["formats"] == formats == [format.slug for format in known.formats]


def test_the_play_guide_has_the_source_of_every_statement(client):
    answer, guide = client.get("/api/v1/games/agentdecker/play/").json(), games()["agentdecker"].play_guide
    assert guide and guide.reach and answer["reach"]["says"] == guide.reach.says
    steps = [step for part in answer["parts"] for step in part["steps"]]
    statements = [*answer["imprint"], *answer["parts"], *steps]
    assert {statement["says"] for statement in statements} >= {says for _, says, _ in guide.cited}
    sources = [source for statement in statements for source in statement["sources"]]
    assert len(sources) == sum(len(cited) for _, _, cited in guide.cited)
    for source in sources:
        assert source["document"] and source["url"]
        assert source["section"] or source["lines"]


# -- the description -----------------------------------------------------------------


@pytest.fixture
def document(client):
    """Return the OpenAPI schema as the site sends it."""
    return client.get("/api/v1/schema/").json()


def test_the_schema_is_valid_openapi_and_made_without_warnings(client, document):
    assert document["openapi"].startswith("3.")
    validate_schema(document)
    assert client.get("/api/v1/openapi.json").json() == document
    SchemaGenerator(api_version="1").get_schema(request=None, public=True)
    assert not GENERATOR_STATS


def test_the_schema_and_the_index_name_every_address(client, document):
    routes = {"/" + re.sub(r"<\w+:(\w+)>", r"<\1>", address.route) for address in addresses()}
    described = {path.replace("{", "<").replace("}", ">") for path in document["paths"]}
    undescribed = {"/api/v1/schema/", "/api/v1/openapi.json", "/api/v1/docs/"}
    assert described == {route for route in routes if route.startswith("/api/v1/")} - undescribed
    index = client.get("/api/v1/").json()["addresses"]
    assert {entry["address"] for entry in index} == set(document["paths"])
    assert all(entry["methods"] and entry["about"] for entry in index)
