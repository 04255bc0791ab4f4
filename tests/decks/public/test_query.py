"""The search language over decks: which query finds which decks, how a query is worded, and how faults in it
are reported.
"""

from urllib.parse import quote

import pytest
from django.test import Client

from cardsdb.identity.viewer import Viewer
from decks.public.fields import DECK_FIELDS, EXAMPLES
from decks.public.listing import listing
from tests.support.made_decks import named_deck
from tests.support.pages import page
from tests.support.public_decks import PUBLIC, SPYCRAFT, found, shelf

__all__ = ["shelf"]

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("query", "names"),
    [
        ("", PUBLIC),
        ('"nine tiger"', {"Nine Tiger"}),
        ('!"banshee net"', {"Banshee Nét"}),
        ("-tiger", PUBLIC - {"Nine Tiger"}),
        ("name!=truth", PUBLIC - {"Truth"}),
        ('g:"The X-Files CCG"', {"Truth"}),
        ("format:mission", {"Missions"}),
        ("legal:agency", {"Nine Tiger", "Banshee Nét"}),
        ("not:incomplete game:spycraft", SPYCRAFT - {"Two Kai"}),
        ("is:forked", {"Two Kai"}),
        ("is:house", {"Missions"}),
        ("by:ANNA", {"Nine Tiger"}),
        ('tag:"club night"', {"Nine Tiger"}),
        ("tag:club", set()),
        ("uses:spycraft/kai", {"Nine Tiger", "Two Kai"}),
        ("deck:[!kai]=0", PUBLIC - {"Nine Tiger", "Two Kai"}),
        ("deck:[!termite or !kai] >= 3 size<4", {"Two Kai"}),
        ('deck:[name:"kai" (t:agent or t:leader)]', {"Nine Tiger", "Two Kai"}),
        ("likes at least 3", {"Nine Tiger"}),
        ("changed:2025-03-31", {"Truth"}),
        ("changed>2025-03-31", SPYCRAFT),
        ("changed!=2025", SPYCRAFT),
        ("(tag:mirror or is:house) game:spycraft", {"Nine Tiger", "Missions"}),
    ],
)
def test_a_query_finds_these_public_decks(shelf, query, names):
    assert set(found(Client(), query)) == names


@pytest.mark.parametrize(
    ("query", "names"),
    [
        ("is:mine", {"Nine Tiger", "Tiger at Home"}),
        ("tiger not:mine", set()),
        ("is:favourite", {"Two Kai"}),
        ("is:liked", {"Truth"}),
        ("by:anna", {"Nine Tiger", "Tiger at Home"}),
        ("game:xfiles deck:[t:x-file]", set()),
    ],
)
def test_an_account_finds_its_own_decks_favourites_and_likes(shelf, query, names):
    assert set(found(shelf, query)) == names


def test_a_browser_without_an_account_finds_the_deck_it_made(client):
    named_deck(client, "Quiet", "2 Kai", visibility="private")
    assert found(client, "is:mine") == ["Quiet"]
    assert found(Client(), "quiet") == []


@pytest.mark.parametrize(
    ("asked", "first"),
    [
        ({}, "Tiger at Home"),
        ({"order": "liked"}, "Nine Tiger"),
        ({"order": "name"}, "Banshee Nét"),
        ({"q": "order:-likes"}, "Nine Tiger"),
        ({"q": "order:likes"}, "Tiger at Home"),
        ({"q": "order:changed"}, "Truth"),
        ({"q": "order:newest"}, "Tiger at Home"),
        ({"q": "order:name direction:desc", "order": "liked"}, "Two Kai"),
        ({"q": "tiger"}, "Tiger at Home"),
        ({"q": "ti", "order": "name"}, "Nine Tiger"),
    ],
)
def test_decks_come_in_the_order_asked_for(shelf, asked, first):
    rows = shelf.get("/decks/", asked).context["rows"]
    assert rows[0].deck.name == first


@pytest.fixture(scope="module")
def help_page(shelf):
    return page(shelf, "/decks/search-help/")


# -- faults ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("query", "code", "marked", "suggestion"),
    [
        ("craft>=4", "unknown-field", "craft>=4", "deck:[craft>=4]"),
        ("lokes>3", "unknown-field", "lokes", "likes"),
        ("likes>many", "bad-value", "many", None),
        ("game>spycraft", "wrong-operator", ">", ":"),
        ("is:legl", "bad-value", "legl", "legal"),
        ("changed>yesterday", "bad-value", "yesterday", None),
        ("tag:´", "bad-value", "tag:´", ""),
        ("/tiger/", "wrong-operator", "/tiger/", ""),
        ("deck:kai", "no-card-query", "deck:kai", "deck:[kai]"),
        ("tiger deck:[t:gear crft>=4]>=2", "unknown-field", "crft", "craft"),
        ("deck:[t:gear]>=many", "bad-value", "[t:gear]>=many", "[t:gear]>=1"),
        ("deck:[t:gear", "unclosed-bracket", "[t:gear", "[t:gear]"),
        ("order:price", "not-sortable", "price", None),
    ],
)
def test_a_fault_is_reported_with_its_place_and_a_suggestion(query, code, marked, suggestion):
    problem = listing(Viewer(), query).query.faults[0]
    assert (problem.code, query[problem.start : problem.end]) == (code, marked)
    assert suggestion is None or suggestion in problem.suggestions


def test_the_page_ignores_faulty_parts_and_the_api_refuses_them(shelf):
    assert found(shelf, "craft>=4") == [], "nothing of it was understood"
    assert found(shelf, "craft>=4 truth") == ["Truth"]
    assert len(found(Client(), "", order="price")) == 5, "an unknown order is ignored too"
    assert shelf.get("/api/v1/decks/", {"order": "price"}).status_code == 400
    named = shelf.get("/api/v1/decks/", {"q": "deck:[!kai] -is:mine", "order": "name"}).json()["results"]
    assert [(deck["name"], deck["likes"]) for deck in named] == [("Two Kai", 0)]
    answer = shelf.get("/api/v1/decks/", {"q": "truth lokes>3"})
    (fault,) = answer.json()
    assert (answer.status_code, fault["code"], fault["where"]) == (400, "unknown-field", "columns 6-11")


def test_an_unknown_card_is_reported(shelf):
    asked = page(shelf, "/decks/", {"q": "uses:Nobodyatall"})
    assert asked.context["listed"].query.faults[0].code == "unknown-card"
    assert "No card is called “Nobodyatall”." in asked.text


@pytest.mark.parametrize(
    "query",
    ["deck:[t:gear] " * 5, "uses:kai " * 7, "deck:[name:/a/ or name:/b/] deck:[name:/c/ or name:/d/]"],
)
def test_the_expensive_parts_of_a_query_are_limited(query):
    assert "too-many-parts" in {problem.code for problem in listing(Viewer(), query).query.faults}


@pytest.mark.parametrize(
    ("query", "words"),
    [
        (
            "game:spycraft legal:agency uses:kai",
            "Public Spycraft decks that are legal in Agency Deck and use Kai",
        ),
        ("deck:[t:gear]>=5", "Public decks that hold at least 5 cards of which type is Gear"),
        (
            "-(is:legal or likes>3)",
            "Public decks that are not known to be legal and do not have more than 3 likes",
        ),
        ("changed>=2026-01-02", "Public decks that were changed on or after 2 January 2026"),
        ("tag:mirror or by:anna", "Public decks that carry the tag “mirror” or are by anna"),
    ],
)
def test_a_query_is_worded_plainly_on_the_page(client, query, words):
    assert words in page(client, "/decks/", {"q": query}).text


@pytest.mark.parametrize("query", [*(field.example for field in DECK_FIELDS), *EXAMPLES])
def test_every_example_of_the_help_is_understood(help_page, query):
    assert listing(Viewer(), query).query.faults == ()
    assert f"/decks/?q={quote(query)}" in help_page.links
