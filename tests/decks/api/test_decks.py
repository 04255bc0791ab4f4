"""A deck over the API: what is left out of a body stays as it is, and the tag of what was read covers who may see it."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from decks.models import Deck
from tests.support.public_decks import make_deck

pytestmark = pytest.mark.django_db


@pytest.fixture
def deck(client: Client) -> Deck:
    client.force_login(User.objects.create_user("anna"))
    return make_deck(client, "A", "4 Kai", tags=["blue"], house="AG-3.at_least=10", notes="Mine.")


def put(client: Client, deck: Deck, tag: str = "", **more: Any) -> Any:
    body = {"game": "spycraft", "name": "A", "text": "4 Kai", **more}
    headers = {"If-Match": tag} if tag else {}
    return client.put(f"/api/v1/decks/{deck.link}/", json.dumps(body), content_type="application/json", headers=headers)


def stored(deck: Deck) -> tuple[str, str, list[str], str]:
    now = Deck.objects.get(pk=deck.pk)
    return now.visibility, now.house, now.tags, now.notes


def test_what_a_body_leaves_out_stays_as_it_is(client: Client, deck: Deck) -> None:
    before = stored(deck)
    assert put(client, deck, text="5 Kai").status_code == 200
    assert stored(deck) == before == ("public", "AG-3.at_least=10", ["blue"], "Mine.")


def test_a_deck_says_its_house_rules_and_tags_and_takes_them_back(client: Client, deck: Deck) -> None:
    whole = client.get(f"/api/v1/decks/{deck.link}/").json()
    assert (whole["house"], whole["tags"]) == ("AG-3.at_least=10", ["blue"])
    answer = put(client, deck, house=" AG-3.at_least=12 ", tags=["red", "late game"]).json()
    assert (answer["house"], answer["tags"], answer["report"]["house"]) == ("AG-3.at_least=12", ["red", "late game"], "AG-3.at_least=12")
    assert put(client, deck, house="", tags=[], notes="").status_code == 200
    assert stored(deck) == ("public", "", [], "")


def test_a_new_deck_has_what_its_body_says_and_is_private_otherwise(client: Client) -> None:
    body = {"game": "spycraft", "name": "A", "text": "4 Kai", "format": "agency", "house": "AG-3.at_least=4", "tags": ["red"]}
    made = client.post("/api/v1/decks/", json.dumps(body), content_type="application/json").json()
    assert (made["house"], made["tags"], made["visibility"]) == ("AG-3.at_least=4", ["red"], "private")


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("house", "XX-9.at_least=1"),
        ("house", "x" * 500),
        ("tags", ["x" * 41]),
        ("tags", ["a,b"]),
        ("tags", ["\u202e"]),
        ("tags", ["t"] * 21),
        ("tags", "blue"),
        ("tags", [1, {}]),
    ],
)
def test_what_they_cannot_be_is_refused_by_the_name_of_the_field(client: Client, deck: Deck, field: str, value: Any) -> None:
    before = stored(deck)
    answer = put(client, deck, **{field: value})
    assert answer.status_code == 400 and answer.json()[0]["where"].startswith(field)
    assert stored(deck) == before


def test_house_rules_go_as_far_as_another_format_knows_them(client: Client, deck: Deck) -> None:
    assert put(client, deck, format="mission-base").status_code == 200
    assert stored(deck)[1] == ""


def test_the_tag_covers_who_may_see_the_deck(client: Client, deck: Deck) -> None:
    tag = client.get(f"/api/v1/decks/{deck.link}/")["ETag"]
    assert tag == '"0-public"'
    assert put(client, deck, tag, visibility="unlisted")["ETag"] == '"0-unlisted"', "no state of the list was made"
    refused = put(client, deck, tag, visibility="public")
    assert (refused.status_code, refused.json()[0]["code"]) == (412, "stale")
    assert stored(deck)[0] == "unlisted"
