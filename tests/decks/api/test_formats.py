"""Leagues' formats over HTTP: who reads which, what is said of each, and games with their kind in the
index.
"""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from cardsdb.catalogue.loader import load
from cardsdb.games import games
from cardsdb.games.kit import Game
from decks.models import LeagueFormat
from tests.support.data_games import data_games

__all__ = ["data_games"]

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]
RULES = [{"rule": "banned", "cards": ["Kai"], "code": "SECRET", "says": "Kai stays at home."}]


def league(
    name: str, visibility: str = "public", game: str = "spycraft", base: str = "agency", **owner: Any
) -> LeagueFormat:
    said = {"game": game, "name": name, "by": "A club", "based_on": base} | (
        {"rules": RULES} if game == "spycraft" else {}
    )
    row = LeagueFormat(game=game, visibility=visibility, **(owner or {"browser": "somebody"})).declare(said)
    row.save()
    return row


def listed(client: Client, query: str = "") -> list[str]:
    return [row["name"] for row in client.get(f"/api/v1/formats/{query}").json()["results"]]


@pytest.fixture
def owner() -> User:
    return User.objects.create_user("owner")


@pytest.fixture
def logged_in(owner: User) -> Client:
    client = Client()
    client.force_login(owner)
    return client


@pytest.mark.both_databases
def test_the_list_has_public_formats_and_one_s_own(owner: User, logged_in: Client, client: Client) -> None:
    for visibility in ("private", "unlisted", "public"):
        league(f"Mine, {visibility}", visibility, owner=owner)
        league(f"A browser's, {visibility}", visibility)
    assert listed(client) == ["A browser's, public", "Mine, public"]
    assert listed(logged_in) == ["A browser's, public", "Mine, public", "Mine, unlisted", "Mine, private"]


@pytest.mark.parametrize(("visibility", "status"), [("private", 404), ("unlisted", 200), ("public", 200)])
def test_one_is_there_for_whoever_may_see_it(
    owner: User, logged_in: Client, client: Client, visibility: str, status: int
) -> None:
    address = f"/api/v1/formats/{league('Ours', visibility, owner=owner).link}/"
    other = Client()
    other.force_login(User.objects.create_user("stranger"))
    answers = {
        who: visitor.get(address)
        for who, visitor in {"owner": logged_in, "other": other, "nobody": client}.items()
    }
    assert {who: answer.status_code for who, answer in answers.items()} == {
        "owner": 200,
        "other": status,
        "nobody": status,
    }
    assert all(
        "Ours" not in answer.content.decode() for answer in answers.values() if answer.status_code == 404
    )


def test_a_browser_s_private_format_is_not_the_api_s_business(client: Client) -> None:
    client.post("/formats/", {"name": "Ours", "base": "spycraft/agency"})
    row = LeagueFormat.objects.get()
    assert client.get(f"/formats/{row.link}/").status_code == 200
    assert (client.get(f"/api/v1/formats/{row.link}/").status_code, listed(client)) == (404, [])


def test_one_says_its_rules_and_what_its_file_says(client: Client) -> None:
    row = league("Ours")
    said = client.get(f"/api/v1/formats/{row.link}/").json()
    assert (said["based_on"], said["by"], said["house"], said["declared"]) == (
        "agency",
        "A club",
        f"league={row.link}",
        row.declared,
    )
    assert said["rules"][-1] == {"code": "SECRET", "says": "Kai stays at home.", "own": True}
    assert client.get(said["url"]).status_code == client.get(said["address"]).status_code == 200


def test_one_that_can_be_read_no_longer_has_no_rules(client: Client) -> None:
    row = league("Ours")
    row.declared["based_on"] = "gone"
    row.save()
    assert client.get(f"/api/v1/formats/{row.link}/").json()["rules"] is None


def test_the_list_is_of_one_game_where_that_is_asked_for(client: Client) -> None:
    league("Ours")
    league("Theirs", game="xfiles", base="basic")
    assert listed(client, "?game=xfiles") == ["Theirs"]
    assert client.get("/api/v1/formats/?game=chess").json()[0]["code"] == "unknown_game"
    assert client.get("/api/v1/formats/?order=name").status_code == 400


def test_the_index_says_each_game_s_kind_and_where_its_facts_and_formats_are(
    client: Client, data_games: dict[str, Game]
) -> None:
    load(data_games["french-pack"])
    league("Ours")
    index = {game["slug"]: game for game in client.get("/api/v1/").json()["games"]}
    assert list(index) == list(games())
    assert (index["spycraft"]["kind"], index["french-pack"]["kind"]) == ("code", "data")
    pack = client.get(index["french-pack"]["address"]).json()
    assert (pack["kind"], [fact["key"] for fact in pack["facts"]][:3]) == ("data", ["suit", "rank", "pips"])
    assert (
        [format["slug"] for format in pack["formats"]]
        == index["french-pack"]["formats"]
        == ["whole", "piquet", "pinochle"]
    )
    at = index["spycraft"]["league_formats"]
    assert at == client.get("/api/v1/games/spycraft/").json()["league_formats"]
    assert [row["name"] for row in client.get(at).json()["results"]] == ["Ours"]


@pytest.mark.parametrize(("address", "queries"), [("/api/v1/formats/", 3), ("/formats/", 5)])
def test_a_list_of_formats_reads_none_of_their_files(
    client: Client, address: str, queries: int, django_assert_max_num_queries: Any
) -> None:
    for number in range(12):
        league(f"League {number}")
    client.get(address)
    with django_assert_max_num_queries(queries) as asked:
        shown = client.get(address).content.decode()
    assert "League 11" in shown and "A club" in shown
    assert not [query["sql"] for query in asked.captured_queries if '"declared"' in query["sql"]]
