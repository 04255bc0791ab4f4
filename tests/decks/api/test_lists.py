"""Lists over the API: needs and proposals that complete them, with clear refusals; and the formats of
leagues, with who may read them.
"""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from cardsdb.catalogue.loader import load
from cardsdb.games import games
from decks.models import LeagueFormat
from tests.support.accounts import member
from tests.support.data_games import data_games

__all__ = ["data_games"]

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]


TEAM = {"game": "xfiles", "format": "advanced", "text": "Agents:\n1 Agent Fox Mulder\n1 Agent Dana Scully"}

LEADER = {"game": "spycraft", "text": "Leaders:\n1 Li Cong\n\nAgents:\n2 Kai"}


# -- completing a list


def complete(client: Client, **body: Any) -> Any:
    return client.post("/api/v1/decks/complete/", json.dumps(body), content_type="application/json")


def cards(proposal: dict[str, Any]) -> dict[str, int]:
    """Code -> copies of the cards that a proposal adds."""
    return {card["card"].partition("/")[2]: card["count"] for card in proposal["added"]}


def test_a_team_gets_three_legal_proposals(client):
    answer = complete(client, **TEAM).json()
    assert [proposal["verdict"] for proposal in answer["proposals"]] == ["legal"] * 3
    for proposal in answer["proposals"]:
        body = {"game": "xfiles", "format": "advanced", "text": proposal["text"]}
        judged = client.post(
            "/api/v1/decks/validate/", json.dumps(body), content_type="application/json"
        ).json()
        assert (judged["verdict"], judged["violations"], judged["unread"]) == ("legal", [], [])


def test_a_card_to_remove_names_the_rule_that_forbids_it(client):
    answer = complete(client, **TEAM | {"text": "1 Terminal Damage"}).json()
    assert [proposal["removed"] for proposal in answer["proposals"]] == [
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


def test_a_list_is_completed_like_a_starter_without_excluded_cards(client):
    first = complete(client, **TEAM, like="deck-skinner").json()["proposals"]
    assert [proposal["starter"] for proposal in first] == ["deck-skinner"]
    never = list(cards(first[0]))[3:9]
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
    assert (
        {key for key, count in owned.items() if count} == owned.keys() & {card.key for card in gear} != set()
    )


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
def test_a_list_that_cannot_be_completed_is_refused_with_code_and_field(client, body, code, where):
    answer = complete(client, **body)
    fault = answer.json()[0]
    assert (answer.status_code, fault["code"], fault["where"]) == (400, code, where)
    assert fault["message"]
    assert code != "no_such_starter" or "banshee-net" in fault["suggestions"]


# -- formats of leagues


RULES = [{"rule": "banned", "cards": ["Kai"], "code": "SECRET", "says": "Kai stays at home."}]


def league(
    name: str, visibility: str = "public", game: str = "spycraft", base: str = "agency", **owner: Any
) -> LeagueFormat:
    declared = {"game": game, "name": name, "by": "A club", "based_on": base} | (
        {"rules": RULES} if game == "spycraft" else {}
    )
    row = LeagueFormat(game=game, visibility=visibility, **(owner or {"browser": "somebody"})).declare(
        declared
    )
    row.save()
    return row


def listed(client: Client, query: str = "") -> list[str]:
    return [row["name"] for row in client.get(f"/api/v1/formats/{query}").json()["results"]]


@pytest.fixture
def owner():
    return User.objects.create_user("owner")


@pytest.fixture
def logged_in(owner):
    client = Client()
    client.force_login(owner)
    return client


@pytest.mark.both_databases
def test_the_list_has_public_formats_and_the_viewers_own(owner, logged_in, client):
    for visibility in ("private", "unlisted", "public"):
        league(f"Mine, {visibility}", visibility, owner=owner)
        league(f"A browser's, {visibility}", visibility)
    assert listed(client) == ["A browser's, public", "Mine, public"]
    assert listed(logged_in) == ["A browser's, public", "Mine, public", "Mine, unlisted", "Mine, private"]


@pytest.mark.parametrize(("visibility", "status"), [("private", 404), ("unlisted", 200), ("public", 200)])
def test_a_format_is_found_only_by_those_who_may_see_it(owner, logged_in, client, visibility, status):
    address = f"/api/v1/formats/{league('Ours', visibility, owner=owner).link}/"
    other = member("stranger")
    answers = {
        who: visitor.get(address)
        for who, visitor in {"owner": logged_in, "other": other, "nobody": client}.items()
    }
    assert {who: answer.status_code for who, answer in answers.items()} == {
        "owner": 200,
        "other": status,
        "nobody": status,
    }
    assert all("Ours" not in answer.text for answer in answers.values() if answer.status_code == 404)


def test_a_browsers_private_format_is_not_in_the_api(client):
    client.post("/formats/", {"name": "Ours", "base": "spycraft/agency"})
    row = LeagueFormat.objects.get()
    assert client.get(f"/formats/{row.link}/").status_code == 200
    assert (client.get(f"/api/v1/formats/{row.link}/").status_code, listed(client)) == (404, [])


def test_a_format_shows_its_rules_or_none_if_it_can_no_longer_be_read(client):
    row = league("Ours")
    address = f"/api/v1/formats/{row.link}/"
    shown = client.get(address).json()
    assert (shown["based_on"], shown["by"], shown["declared"]) == ("agency", "A club", row.declared)
    assert shown["house"] == f"league={row.link}"
    assert shown["rules"][-1] == {"code": "SECRET", "says": "Kai stays at home.", "own": True}
    assert client.get(shown["url"]).status_code == client.get(shown["address"]).status_code == 200
    row.declared["based_on"] = "gone"
    row.save()
    assert client.get(address).json()["rules"] is None


def test_the_list_of_formats_can_be_filtered_by_game(client):
    league("Ours")
    league("Theirs", game="xfiles", base="basic")
    assert listed(client, "?game=xfiles") == ["Theirs"]
    assert client.get("/api/v1/formats/?game=chess").json()[0]["code"] == "unknown_game"
    assert client.get("/api/v1/formats/?order=name").status_code == 400


def test_the_index_names_each_games_kind_facts_and_formats(client, data_games):
    load(data_games["french-pack"])
    league("Ours")
    index = {game["slug"]: game for game in client.get("/api/v1/").json()["games"]}
    assert list(index) == list(games())
    assert (index["spycraft"]["kind"], index["french-pack"]["kind"]) == ("code", "data")
    pack = client.get(index["french-pack"]["address"]).json()
    assert (pack["kind"], [fact["key"] for fact in pack["facts"]][:3]) == ("data", ["suit", "rank", "pips"])
    formats = [format["slug"] for format in pack["formats"]]
    assert formats == index["french-pack"]["formats"] == ["whole", "piquet", "pinochle"]
    at = index["spycraft"]["league_formats"]
    assert at == client.get("/api/v1/games/spycraft/").json()["league_formats"]
    assert [row["name"] for row in client.get(at).json()["results"]] == ["Ours"]


@pytest.mark.parametrize(("address", "queries"), [("/api/v1/formats/", 3), ("/formats/", 5)])
def test_a_list_of_formats_does_not_read_their_files(client, address, queries, django_assert_max_num_queries):
    for number in range(12):
        league(f"League {number}")
    client.get(address)
    with django_assert_max_num_queries(queries) as asked:
        shown = client.get(address).text
    assert "League 11" in shown and "A club" in shown
    assert not [query["sql"] for query in asked.captured_queries if '"declared"' in query["sql"]]
