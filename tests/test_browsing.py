"""The card list: what a visitor's words find, in which order, and what is offered when nothing is found."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

pytestmark = pytest.mark.django_db


def names(client: Client, **params: str) -> list[str]:
    return [row["card"].name for row in client.get("/cards/", params).context["rows"]]


def test_the_question_of_the_krypt_agents_is_answered(client: Client) -> None:
    found = client.get("/cards/", {"q": "krypt agents craft>=4", "game": "spycraft"}).context["rows"]
    assert found
    assert all(row["card"].type == "agent" and row["card"].facts["craft"] >= 4 for row in found)
    assert all("craft" in row["facts"] for row in found)


def test_the_filter_form_asks_the_same_question(client: Client) -> None:
    params = {"game": "spycraft", "type": "agent", "faction": "The Krypt", "craft_from": "4"}
    assert sorted(names(client, **params)) == sorted(names(client, q='type:agent faction="The Krypt" craft>=4', game="spycraft"))


def test_an_unclosed_bracket_does_not_swallow_the_filters(client: Client) -> None:
    rows = client.get("/cards/", {"q": "type:agent or (type:gear", "game": "spycraft", "craft_from": "5"}).context["rows"]
    assert rows and all(row["card"].facts["craft"] >= 5 for row in rows)


def test_the_card_of_the_name_comes_first(client: Client) -> None:
    assert names(client, q="li", game="spycraft")[:2] == ["Li", "Li Cong"]


def test_a_misspelt_name_is_answered_with_likely_ones(client: Client) -> None:
    assert "Agent Fox Mulder" in client.get("/cards/", {"q": "agent fox muldar"}).content.decode()


def test_a_games_name_leads_to_the_game(client: Client) -> None:
    assert "/games/steamspy/" in client.get("/cards/", {"q": "steam spy"}).content.decode()


def test_of_a_query_of_which_nothing_is_understood_nothing_is_shown(client: Client) -> None:
    assert names(client, q="foo:bar") == []


@pytest.mark.parametrize("params", [{"game": "chess"}, {"game": "spycraft", "type": "king"}, {"game": "spycraft", "set": "ZZ"}])
def test_what_does_not_exist_is_a_404(client: Client, params: dict[str, str]) -> None:
    assert client.get("/cards/", params).status_code == 404


@pytest.mark.parametrize("value", ["", "x", "1_0", "²", "9" * 40, '"', "\x00", "-1", "4 or craft<1"])
def test_a_strange_number_in_the_form_is_no_fault_of_the_site(client: Client, value: str) -> None:
    assert client.get("/cards/", {"game": "spycraft", "type": "agent", "craft_from": value}).status_code == 200


def test_pages_need_few_queries(client: Client, django_assert_max_num_queries: Any) -> None:
    for address, most in (("/", 0), ("/cards/?q=kai", 3), ("/cards/spycraft/li/", 2), ("/games/xfiles/", 0), ("/sets/xfiles/PRE/", 3)):
        client.get(address)
        with django_assert_max_num_queries(most):
            client.get(address)
