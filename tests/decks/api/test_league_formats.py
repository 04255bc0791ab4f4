"""Formats of leagues over the API, and who may read them."""

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from decks.models import LeagueFormat
from tests.support.accounts import member

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]

RULES = [{"rule": "banned", "cards": ["Kai"], "code": "SECRET", "says": "Kai stays at home."}]


def league(
    name: str, visibility: str = "public", game: str = "spycraft", base: str = "agency", **owner: Any
) -> LeagueFormat:
    """A stored format, by default of a browser."""
    row = LeagueFormat(game=game, visibility=visibility, **(owner or {"browser": "x"}))
    # The banned card is one of Spycraft's.
    rules = RULES if game == "spycraft" else []
    row.declare({"game": game, "name": name, "by": "A club", "based_on": base, "rules": rules}).save()
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
    assert logged_in.get(address).status_code == 200
    for stranger in (member("stranger"), client):
        answer = stranger.get(address)
        assert answer.status_code == status
        assert ("Ours" in answer.text) == (status == 200)


def test_a_browsers_private_format_is_not_in_the_api(client):
    client.post("/formats/", {"name": "Ours", "base": "spycraft/agency"})
    row = LeagueFormat.objects.get()
    assert client.get(f"/formats/{row.link}/").status_code == 200
    assert (client.get(f"/api/v1/formats/{row.link}/").status_code, listed(client)) == (404, [])


def test_a_format_shows_its_rules(client):
    row = league("Ours")
    shown = client.get(f"/api/v1/formats/{row.link}/").json()
    assert (shown["based_on"], shown["by"], shown["declared"]) == ("agency", "A club", row.declared)
    assert shown["house"] == f"league={row.link}"
    assert shown["rules"][-1] == {"code": "SECRET", "says": "Kai stays at home.", "own": True}
    assert client.get(shown["url"]).status_code == client.get(shown["address"]).status_code == 200


def test_a_format_that_can_no_longer_be_read_shows_no_rules(client):
    row = league("Ours")
    row.declared["based_on"] = "gone"
    row.save()
    assert client.get(f"/api/v1/formats/{row.link}/").json()["rules"] is None


def test_the_list_of_formats_can_be_filtered_by_game(client):
    league("Ours")
    league("Theirs", game="xfiles", base="basic")
    assert listed(client, "?game=xfiles") == ["Theirs"]


@pytest.mark.parametrize(("address", "queries"), [("/api/v1/formats/", 3), ("/formats/", 5)])
def test_a_list_of_formats_does_not_read_their_files(client, address, queries, django_assert_max_num_queries):
    for number in range(12):
        league(f"League {number}")
    client.get(address)
    with django_assert_max_num_queries(queries) as asked:
        shown = client.get(address).text
    assert "League 11" in shown
    assert "A club" in shown
    assert not [query["sql"] for query in asked.captured_queries if '"declared"' in query["sql"]]
