"""Addresses of card lists: views, opening a card by its name, a random card, searching within a game, and the
help page.
"""

from urllib.parse import urlsplit

import pytest
from django.test import Client

from cardsdb.search.query.tree import normal
from cardsdb.search.results import parse_query, results_of
from cardsdb.web.lists.views import _text_within, _text_without_game
from tests.cardsdb.tables import pairs
from tests.support.card_lists import listed, query_of
from tests.support.pages import Part, page

# SQLite suffices: lists are answered from memory, and tests/house/test_permissions.py requests each address
# on PostgreSQL as well.
pytestmark = [pytest.mark.django_db, pytest.mark.engine("sqlite")]


def led_to(client: Client, **params: str) -> tuple[str, str]:
    """Return (path, query) of the redirect from the list with these parameters."""
    address = client.get("/cards/", params)["Location"]
    return urlsplit(address).path, query_of(address)


@pytest.mark.parametrize(
    ("view", "rows", "chosen"),
    [
        ("line", "cards-table", "With the line"),
        ("numbers", "cards-table", "Numbers only"),
        ("checklist", "checklist", ""),
        # Names of views in old addresses.
        ("table", "cards-table", "Numbers only"),
        ("grid", "faces", "Faces"),
    ],
)
def test_every_view_shows_every_card_of_the_page(client, view, rows, chosen):
    shown = page(client, "/cards/", {"q": "game:spycraft type:leader", "view": view})
    assert [name.text for name in shown.one(class_=rows).all("a", class_="name")] == [
        card.name for card in shown.context["page"].cards
    ]
    current = shown.one("nav", aria_label="View").all("a", aria_current="true")
    assert [link.text for link in current] == [chosen] * bool(chosen)


# -- opening a card -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("params", "code", "query"),
    [
        ({"q": '!"Glock 17"'}, "glock-17", ""),
        ({"q": "glock  17", "open": "1"}, "glock-17", ""),
        # The link back to the list leads to other cards with the word.
        ({"q": "Li", "open": "1"}, "li", "game:spycraft Li"),
        ({"q": "Li", "open": "1", "within": "spycraft"}, "li", "game:spycraft Li"),
    ],
)
def test_a_search_box_opens_the_card_with_the_typed_name(client, params, code, query):
    path, others = led_to(client, **params)
    assert (path, others.endswith(query), bool(others)) == (f"/cards/spycraft/{code}/", True, bool(query))


@pytest.mark.parametrize(
    ("params", "query"),
    [
        ({"q": "Glock 17", "within": "xfiles", "open": "1"}, "game:xfiles Glock 17"),
        ({"q": "krypt", "within": "spycraft"}, "game:spycraft krypt"),
        ({"q": "krypt", "within": "nonsense"}, "krypt"),
    ],
)
def test_a_search_within_a_game_leads_to_the_list_of_the_game(client, params, query):
    assert led_to(client, **params) == ("/cards/", query)


@pytest.mark.parametrize(
    "params",
    [
        {"q": "Glock 17"},
        {"q": "glock", "open": "1"},
        {"q": "Glock 17 order:name", "open": "1"},
        # A corrected name opens no card by itself.
        {"q": '!"Glokc 17"', "open": "1"},
    ],
)
def test_a_link_to_a_list_or_an_incomplete_name_opens_no_card(client, params):
    assert client.get("/cards/", params).status_code == 200


def test_the_search_box_asks_to_open_cards_and_the_filter_form_does_not(client):
    assert page(client, "/cards/").one("form", class_="site-search").sent["open"] == "1"
    assert not page(client, "/cards/", {"q": "glock"}).one(class_="filters").one("form").sent.get("open")


def test_a_random_card_is_one_that_the_query_finds_and_is_never_cached(client):
    answer = client.get("/cards/random/", {"q": "game:deadgame or !Kai"})
    assert answer.status_code == 302
    assert answer["Location"].startswith("/cards/spycraft/kai/")
    assert "no-store" in answer["Cache-Control"] or "no-cache" in answer["Cache-Control"]
    assert client.get("/cards/random/", {"q": "craft>900"}).status_code == 404


# -- within a game -------------------------------------------------------------------------


def box(client: Client, address: str) -> Part:
    return page(client, address).one("form", class_="site-search")


@pytest.mark.parametrize(
    ("address", "typed"),
    [
        ("/cards/spycraft/beowulf/", ""),
        ("/cards/?q=game:spycraft+krypt", "krypt"),
        ("/cards/?q=game:spycraft+kai+or+krypt", "kai or krypt"),
        ("/sets/spycraft/ON/", ""),
    ],
)
def test_a_page_of_one_game_searches_in_that_game_and_says_so(client, address, typed):
    form = box(client, address)
    assert form.field("within")["type"] == "checkbox" and form.sent["within"] == "spycraft"
    assert form.field("within").parent.text == "in Spycraft"
    assert form.field("q").value == typed


@pytest.mark.parametrize(
    "query",
    [
        "game:spycraft kai or chen",
        "kai or chen game:spycraft",
        "GAME:spycraft kai or chen",
        "game=spycraft kai or chen",
    ],
)
def test_the_boxes_of_a_list_hold_the_words_that_a_typed_game_is_meant_for(client, query):
    shown = page(client, "/cards/", {"q": query})
    boxes = shown.one("form", class_="site-search"), shown.one(class_="filters").one("form")
    assert [form.field("q").value for form in boxes] == ["kai or chen"] * 2
    assert boxes[1].sent["with"] == "game=spycraft" and not shown.has(class_="rewrite")


@pytest.mark.parametrize("address", ["/games/", "/cards/?q=krypt", "/cards/?q=game:spycraft+or+game:xfiles"])
def test_other_pages_search_all_games(client, address):
    assert not box(client, address).has("input", name="within")


# A query with faults stays as typed.
@pytest.mark.parametrize(("query", "shown"), pairs("web/lists/without_game.csv"))
def test_the_game_is_left_out_of_the_text_in_the_search_box(query, shown):
    assert _text_without_game(parse_query(query)) == shown


# A game in the query counts more than the game of the page.
@pytest.mark.parametrize(("typed", "query"), pairs("web/lists/within.csv"))
def test_the_typed_query_is_limited_to_the_game(typed, query):
    assert _text_within(typed, "spycraft") == query


# -- the help page ---------------------------------------------------------------------------


def queries_on(part: Part) -> list[str]:
    return [query_of(href) for href in part.links if href.startswith("/cards/?q=")]


def test_the_examples_on_the_help_page_find_cards_and_are_read_as_it_says(client):
    help_page = page(client, "/search/")
    plain = help_page.one("section", id="plain")
    in_english = queries_on(plain)
    asked = [parse_query(query) for query in queries_on(help_page) if query not in in_english]
    assert len(asked) > 50
    assert [query.text for query in asked if query.query.problems or not results_of(query).total] == []
    meanings = [meant.text for meant in plain.all("dd", class_="code")]
    assert len(meanings) > 4
    for query, meant in zip(in_english, meanings, strict=True):
        shown = listed(client, q=query)
        assert normal(shown.query.query) == meant and shown.total and not shown.query.query.faults


def test_an_address_of_a_card_without_its_end_redirects_to_the_cards_of_its_game(client):
    assert client.get("/cards/spycraft/")["Location"] == "/cards/?q=game%3Aspycraft"
    assert client.get("/cards/nogame/").status_code == 404
