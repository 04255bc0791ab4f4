"""Completing a list over the API: its needs and proposals, with clear refusals. Other tests of ``lists.py``
are in ``tests/decks/check`` and ``importing`` (judging and importing), ``test_league_formats.py``,
``tests/decks/statistics``, and ``tests/house/test_hostile_input.py`` (converting).
"""

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from cardsdb.games import games

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]


# A team of agents, and a leader with an agent: decks that lack most of their cards.
TEAM = {"game": "xfiles", "format": "advanced", "text": "Agents:\n1 Agent Fox Mulder\n1 Agent Dana Scully"}
LEADER = {"game": "spycraft", "text": "Leaders:\n1 Li Cong\n\nAgents:\n2 Kai"}


def complete(client: Client, **body: Any) -> Any:
    return client.post("/api/v1/decks/complete/", body, content_type="application/json")


def cards(proposal: dict[str, Any]) -> dict[str, int]:
    """Code -> copies of the cards that a proposal adds."""
    return {card["card"].partition("/")[2]: card["count"] for card in proposal["added"]}


def test_a_team_gets_three_legal_proposals(client):
    answer = complete(client, **TEAM).json()
    assert [proposal["verdict"] for proposal in answer["proposals"]] == ["legal"] * 3
    for proposal in answer["proposals"]:
        body = {"game": "xfiles", "format": "advanced", "text": proposal["text"]}
        judged = client.post("/api/v1/decks/validate/", body, content_type="application/json").json()
        assert (judged["verdict"], judged["violations"], judged["unread"]) == ("legal", [], [])


def test_a_list_is_completed_like_a_starter_without_excluded_cards(client):
    first = complete(client, **TEAM, like="deck-skinner").json()["proposals"]
    assert [proposal["starter"] for proposal in first] == ["deck-skinner"]
    never = list(cards(first[0]))[:6]
    (second,) = complete(client, **TEAM, like="deck-skinner", never=never).json()["proposals"]
    assert not set(never) & cards(second).keys()


def test_cards_of_the_collection_are_preferred_on_request(client):
    client.force_login(User.objects.create_user("scully"))
    plain = cards(complete(client, **LEADER).json()["proposals"][0])
    gear = [card for card in games()["spycraft"].cards if card.type == "gear" and card.code not in plain][:60]
    # For each card the form of the collection sends the number that was shown (0) and the new one (1).
    client.post("/collection/", {f"seen:{c.key}": 0 for c in gear} | {f"count:{c.key}": 1 for c in gear})
    preferring = complete(client, **LEADER, owned=True).json()["proposals"][0]
    owned = {card["card"]: card["owned"] for card in preferring["added"] if card["role"] == "gear"}
    preferred = owned.keys() & {card.key for card in gear}
    assert preferred
    assert {key for key, count in owned.items() if count} == preferred


def test_needs_name_their_source_and_added_cards_their_role_and_reason(client, django_assert_max_num_queries):
    with django_assert_max_num_queries(12):
        answer = complete(client, **TEAM).json()
    site = next(need for need in answer["needs"] if need["slug"] == "site")
    assert [site[key] for key in ("have", "want", "add")] == [0, 15, 15]
    assert (site["standing"], site["cites"]) == ("source", ["D13"])
    assert answer["findings"][0].startswith("Your team can reach no Site that asks about")
    added = [card for proposal in answer["proposals"] for card in proposal["added"]]
    assert {card["role"] for card in added} <= {need["slug"] for need in answer["needs"]}
    assert all(card["reason"] for card in added)
    assert client.get("/api/v1/decks/").json()["results"] == [], "nothing is saved"


@pytest.mark.parametrize(
    ("body", "code", "where"),
    [
        (LEADER | {"like": "deck-skinner"}, "no_such_starter", "like"),
        (LEADER | {"never": ["kai", "no-such-card"]}, "no_such_card", "never"),
        (TEAM | {"format": "basic"}, "no_roles", "format"),
        (LEADER | {"text": "1 Li Cong\n1 Nobody At All"}, "unknown_card", "line 2"),
        (
            TEAM | {"text": "\n".join(f"1 {card.name}" for card in games()["xfiles"].cards[:220])},
            "too_large",
            "text",
        ),
        (LEADER | {"never": "kai"}, "not_a_list", "never"),
        (LEADER | {"house": "nonsense"}, "bad_house_rule", "house"),
    ],
)
def test_a_list_that_cannot_be_completed_is_refused_with_code_and_field(client, body, code, where):
    answer = complete(client, **body)
    fault = answer.json()[0]
    assert (answer.status_code, fault["code"], fault["where"]) == (400, code, where)
    assert fault["message"]


def test_a_refused_starter_is_answered_with_those_of_the_game(client):
    (fault,) = complete(client, **LEADER, like="deck-skinner").json()
    assert "banshee-net" in fault["suggestions"]
