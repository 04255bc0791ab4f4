"""The search in the head of a page about one game: it stays in that game, until its visitor takes the game
off.
"""

from __future__ import annotations

from urllib.parse import parse_qs, urlsplit

import pytest
from django.test import Client

from cardsdb.games import games
from tests.support.pages import Part, page

pytestmark = [pytest.mark.django_db, pytest.mark.engine("sqlite")]


def box(client: Client, address: str) -> Part:
    return page(client, address).one("form", class_="site-search")


def led_to(client: Client, **params: str) -> tuple[str, str]:
    """(path, query) that the search leads to."""
    address = urlsplit(client.get("/cards/", params)["Location"])
    return address.path, parse_qs(address.query).get("q", [""])[0]


@pytest.mark.parametrize(
    "address",
    ["/games/spycraft/", "/cards/spycraft/beowulf/", "/cards/?q=game:spycraft+krypt", "/sets/spycraft/ON/"],
)
def test_a_page_of_one_game_searches_in_that_game_and_says_so(client: Client, address: str) -> None:
    form = box(client, address)
    within = form.field("within")
    assert (within["type"], within["value"], within.get("checked") is not None) == (
        "checkbox",
        "spycraft",
        True,
    )
    assert within.parent.text == "in Spycraft"
    assert form.sent["within"] == "spycraft"


@pytest.mark.parametrize(
    "address", ["/cards/", "/games/", "/cards/?q=krypt", "/cards/?q=game:spycraft+or+game:xfiles", "/check/"]
)
def test_elsewhere_the_search_is_of_all_games(client: Client, address: str) -> None:
    assert not box(client, address).has("input", name="within")


@pytest.mark.parametrize(
    ("query", "shown"),
    [
        ("game:spycraft krypt", "krypt"),
        ("game=spycraft (kai or dana)", "(kai or dana)"),
        ("krypt game:spycraft craft>=4", "krypt craft>=4"),
        ("game:spycraft", ""),
        ("game:spycraft order:-craft", "order:-craft"),
        ("(game:spycraft) t:agent", "type:agent"),
        ("game:spycraft and t:agent", "type:agent"),
        ("game:spycraft name:/a  b/", "name:/a  b/"),
        ("krypt", "krypt"),
    ],
)
def test_the_game_stands_beside_the_box_and_not_in_it(client: Client, query: str, shown: str) -> None:
    assert box(client, f"/cards/?q={query}".replace(">", "%3E").replace(" ", "+")).field("q").value == shown


def test_a_query_with_faults_stays_in_the_box_as_it_was_typed(client: Client) -> None:
    assert (
        box(client, "/cards/?q=game:spycraft+craft%3E%3D+(kai").field("q").value
        == "game:spycraft craft>= (kai"
    )


@pytest.mark.parametrize(
    ("typed", "query"),
    [
        ("krypt", "game:spycraft krypt"),
        ("", "game:spycraft"),
        ("kai or dana", "game:spycraft (kai or dana)"),
        ("krypt agents with craft 4 or more", "game:spycraft krypt agents with craft 4 or more"),
        ("craft>4 order:-craft", "game:spycraft craft>4 order:-craft"),
        ("kai or dana order:-craft", "game:spycraft (kai or dana) order:-craft"),
        ('krypt "open', 'game:spycraft krypt "open'),
    ],
)
def test_what_is_typed_is_searched_for_in_the_game(client: Client, typed: str, query: str) -> None:
    assert led_to(client, q=typed, within="spycraft", open="1") == ("/cards/", query)


@pytest.mark.parametrize(
    "typed", ["game:xfiles mulder", "mulder (game:xfiles or game:spycraft)", "-game:spycraft kai"]
)
def test_a_game_that_is_typed_counts_more_than_the_one_of_the_page(client: Client, typed: str) -> None:
    assert led_to(client, q=typed, within="spycraft") == ("/cards/", typed)


@pytest.mark.parametrize("within", ["", "nonsense"])
def test_a_game_that_there_is_not_is_left_out(client: Client, within: str) -> None:
    assert led_to(client, q="krypt", within=within) == ("/cards/", "krypt")


def test_a_name_opens_the_card_of_the_game(client: Client) -> None:
    assert led_to(client, q="glock  17", within="spycraft", open="1")[0] == "/cards/spycraft/glock-17/"
    path, query = led_to(client, q="Li", within="spycraft", open="1")
    assert (path, query) == ("/cards/spycraft/li/", "game:spycraft Li")
    assert led_to(client, q="Glock 17", within="xfiles", open="1") == ("/cards/", "game:xfiles Glock 17")


def listed(client: Client, query: str) -> Part:
    return page(client, "/cards/", {"q": query}).one("section", id="results")


def test_results_of_one_game_say_so_and_lead_to_those_of_all(client: Client) -> None:
    list_of_one = listed(client, "game:spycraft agent")
    head = list_of_one.one(class_="results-head")
    assert "game is Spycraft" in list_of_one.one(class_="rewrite").text
    assert parse_qs(urlsplit(head.link("Search all games")).query)["q"] == ["type=agent"]
    assert not listed(client, "agent").has("a", text="Search all games")


def test_what_only_another_game_has_is_found_from_there(client: Client) -> None:
    nothing = listed(client, "game:spycraft mulder").one(class_="empty")
    found = client.get("/cards/", {"q": "mulder"}).context["page"].total
    assert f"Nothing in Spycraft, but {found} cards in all games" in nothing.text
    assert parse_qs(urlsplit(nothing.link(f"{found} cards in all games")).query)["q"] == ["mulder"]


def test_the_page_of_another_game_is_offered_in_any_game(client: Client) -> None:
    assert (
        page(client, "/cards/", {"q": "game:spycraft steam spy"}).one("p", class_="notice").link("its page")
        == "/games/steamspy/"
    )


def test_the_box_offers_names_of_the_game_alone(client: Client) -> None:
    def labels(**params: str) -> set[str]:
        return {
            one["label"]
            for one in client.get("/search/suggest/", params).json()["choices"]
            if one["kind"] == "card"
        }

    assert labels(q="a", within="spycraft") == {games()["spycraft"].name}
    assert labels(q="dana") == {games()["xfiles"].name}
    assert len(labels(q="a", within="nonsense")) > 1
