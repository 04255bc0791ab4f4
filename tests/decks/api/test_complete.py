"""A list finished over the API: what it needs, proposals with reasons, and clear answers where there are
none.
"""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from cardsdb.games import games

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]

TEAM = {"game": "xfiles", "format": "advanced", "text": "Agents:\n1 Agent Fox Mulder\n1 Agent Dana Scully"}
LEADER = {"game": "spycraft", "text": "Leaders:\n1 Li Cong\n\nAgents:\n2 Kai"}


def complete(client: Client, **body: Any) -> Any:
    return client.post("/api/v1/decks/complete/", json.dumps(body), content_type="application/json")


def cards(proposal: dict[str, Any]) -> dict[str, int]:
    return {card["card"].partition("/")[2]: card["count"] for card in proposal["added"]}


def test_a_team_gets_three_proposals_each_a_legal_list_of_its_own(client: Client) -> None:
    answer = complete(client, **TEAM).json()
    assert [one["verdict"] for one in answer["proposals"]] == ["legal"] * 3
    for one in answer["proposals"]:
        body = {"game": "xfiles", "format": "advanced", "text": one["text"]}
        judged = client.post(
            "/api/v1/decks/validate/", json.dumps(body), content_type="application/json"
        ).json()
        assert (judged["verdict"], judged["violations"], judged["unread"]) == ("legal", [], [])


def test_what_the_list_needs_says_where_each_number_comes_from(client: Client) -> None:
    answer = complete(client, **TEAM).json()
    site = next(need for need in answer["needs"] if need["slug"] == "site")
    assert (site["have"], site["want"], site["add"], site["standing"], site["cites"]) == (
        0,
        15,
        15,
        "source",
        ["D13"],
    )
    assert answer["findings"][0].startswith("No Site in your team's reach asks about")


def test_every_card_has_its_role_and_its_reason(client: Client) -> None:
    answer = complete(client, **LEADER).json()
    roles = {need["slug"] for need in answer["needs"]}
    added = [card for one in answer["proposals"] for card in one["added"]]
    assert {card["role"] for card in added} <= roles
    assert all(card["reason"] for card in added)


def test_what_a_rule_forbids_is_named_with_the_rule(client: Client) -> None:
    answer = complete(client, **TEAM | {"text": "1 Terminal Damage"}).json()
    assert [one["removed"] for one in answer["proposals"]] == [
        [
            {
                "card": "xfiles/terminal-damage",
                "name": "Terminal Damage",
                "count": 1,
                "section": "bureau",
                "to": "",
                "code": "D12",
            }
        ]
    ] * 3


def test_a_list_is_finished_like_the_starter_that_is_named_and_without_the_cards_that_are(
    client: Client,
) -> None:
    first = complete(client, **TEAM, like="deck-skinner").json()["proposals"]
    assert [one["starter"] for one in first] == ["deck-skinner"]
    never = list(cards(first[0]))[3:9]
    (second,) = complete(client, **TEAM, like="deck-skinner", never=never).json()["proposals"]
    assert not set(never) & cards(second).keys()


def test_cards_of_the_collection_are_marked_and_preferred_on_request(client: Client) -> None:
    client.force_login(User.objects.create_user("scully"))
    plain = cards(complete(client, **LEADER).json()["proposals"][0])
    gear = [card for card in games()["spycraft"].cards if card.type == "gear" and card.code not in plain][:60]
    client.post(
        "/collection/", {f"{said}:{card.key}": n for card in gear for n, said in enumerate(("seen", "count"))}
    )
    preferring = complete(client, **LEADER, owned=True).json()["proposals"][0]
    owned = {card["card"]: card["owned"] for card in preferring["added"] if card["role"] == "gear"}
    assert (
        {key for key, count in owned.items() if count} == owned.keys() & {card.key for card in gear} != set()
    )


@pytest.mark.parametrize(
    ("body", "code", "where"),
    [
        (LEADER | {"like": "deck-skinner"}, "no_such_starter", "like"),
        (LEADER | {"never": ["kai", "no-such-card"]}, "no_such_card", "never"),
        (TEAM | {"format": "basic"}, "no_roles", "format"),
        ({"game": "spynet", "text": "1 Spy"}, "no_roles", "format"),
        (LEADER | {"text": "1 Li Cong\n1 Nobody At All"}, "unknown_card", "line 2"),
        (
            TEAM | {"text": "\n".join(f"1 {card.name}" for card in games()["xfiles"].cards[:220])},
            "too_large",
            "text",
        ),
        (LEADER | {"nevr": []}, "unknown_field", "nevr"),
        (LEADER | {"never": "kai"}, "not_a_list", "never"),
        (LEADER | {"house": "nonsense"}, "bad_house_rule", "house"),
    ],
)
def test_what_cannot_be_answered_says_why_and_where(
    client: Client, body: dict[str, Any], code: str, where: str
) -> None:
    answer = complete(client, **body)
    assert answer.status_code == 400
    fault = answer.json()[0]
    assert fault["where"] == where
    assert fault["message"]
    assert fault["code"] == code


def test_a_starter_that_is_not_there_is_answered_with_those_that_are(client: Client) -> None:
    fault = complete(client, **LEADER, like="banshee").json()[0]
    assert "banshee-net" in fault["suggestions"]


def test_nothing_is_saved(client: Client, django_assert_max_num_queries: Any) -> None:
    with django_assert_max_num_queries(12):
        complete(client, **LEADER)
    assert client.get("/api/v1/decks/").json()["results"] == []
