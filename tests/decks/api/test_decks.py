"""Decks over the API: fields left out stay as they are, the ETag includes the visibility, and a repeated
request makes one deck.
"""

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from decks.models import Deck, DeckRevision
from tests.support.made_decks import named_deck, starter

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]


@pytest.fixture
def deck(client):
    client.force_login(User.objects.create_user("anna"))
    return named_deck(client, "A", "4 Kai", tags=["blue"], house="AG-3.at_least=10", notes="Mine.")


def address_of(deck: Deck) -> str:
    return f"/api/v1/decks/{deck.link}/"


def put(client: Client, deck: Deck, tag: str = "", **more: Any) -> Any:
    body = {"game": "spycraft", "name": "A", "text": "4 Kai", **more}
    headers = {"If-Match": tag} if tag else {}
    return client.put(address_of(deck), body, content_type="application/json", headers=headers)


def stored(deck: Deck) -> tuple[str, str, list[str], str]:
    now = Deck.objects.get(pk=deck.pk)
    return now.visibility, now.house, now.tags, now.notes


def is_stale(answer: Any) -> bool:
    return bool(answer.status_code == 412 and answer.json()[0]["code"] == "stale")


def test_fields_left_out_stay_and_an_answer_can_be_sent_back(client, deck):
    before, whole = stored(deck), client.get(address_of(deck)).json()
    assert (whole["house"], whole["tags"]) == ("AG-3.at_least=10", ["blue"])
    assert put(client, deck, text="5 Kai").status_code == put(client, deck, **whole).status_code == 200
    assert stored(deck) == before == ("public", "AG-3.at_least=10", ["blue"], "Mine.")


def test_house_rules_and_tags_can_be_changed_and_cleared(client, deck):
    answer = put(client, deck, house=" AG-3.at_least=12 ", tags=["red", "late game"]).json()
    assert (answer["house"], answer["tags"]) == ("AG-3.at_least=12", ["red", "late game"])
    assert answer["report"]["house"] == "AG-3.at_least=12"
    assert put(client, deck, house="", tags=[], notes="").status_code == 200
    assert stored(deck) == ("public", "", [], "")


def post(client: Client, name: str = "", **more: Any) -> Any:
    """Ask for a new deck; ``name`` is the Idempotency-Key."""
    body = {"game": "spycraft", "name": "A", "text": "4 Kai", **more}
    headers = {"Idempotency-Key": name} if name else {}
    return client.post("/api/v1/decks/", body, content_type="application/json", headers=headers)


def test_a_new_deck_has_the_fields_of_its_body_and_is_private(client):
    made = post(client, format="agency", house="AG-3.at_least=4", tags=["red"]).json()
    assert (made["house"], made["tags"], made["visibility"]) == ("AG-3.at_least=4", ["red"], "private")


@pytest.mark.engine("sqlite")
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
        ("name", "\u3164"),
    ],
)
def test_what_they_cannot_be_is_refused_by_the_name_of_the_field(client, deck, field, value):
    before = stored(deck)
    answer = put(client, deck, **{field: value})
    assert answer.status_code == 400
    assert answer.json()[0]["where"].startswith(field)
    assert stored(deck) == before


def test_house_rules_go_as_far_as_another_format_knows_them(client, deck):
    assert put(client, deck, format="mission-base").status_code == 200
    assert stored(deck)[1] == ""


def test_the_etag_includes_the_visibility_and_guards_deletion(client, deck):
    seen = client.get(address_of(deck))["ETag"]
    assert seen == '"0-public"'
    answer = put(client, deck, seen, visibility="unlisted")
    assert answer["ETag"] == '"0-unlisted"', "no state of the list was made"
    assert is_stale(put(client, deck, seen, visibility="public"))
    assert stored(deck)[0] == "unlisted"
    assert is_stale(client.delete(address_of(deck), headers={"If-Match": seen}))
    now = client.get(address_of(deck))["ETag"]
    assert client.delete(address_of(deck), headers={"If-Match": now}).status_code == 204
    assert not Deck.objects.exists()


@pytest.mark.parametrize(
    ("address", "body", "where"),
    [
        ("decks/", {"game": "spycraft", "name": "A", "text": "4 Kai", "vizibility": "public"}, "vizibility"),
        ("decks/validate/", {"text": "4 Kai", "formt": "agency"}, "formt"),
        ("sheets/", {"game": "spycraft", "text": "4 Kai", "gutter": 3}, "gutter"),
    ],
)
def test_a_field_that_is_not_known_is_refused_by_its_name(client, address, body, where):
    answer = client.post(f"/api/v1/{address}", body, content_type="application/json")
    assert answer.status_code == 400
    assert [(fault["code"], fault["where"]) for fault in answer.json()] == [("unknown_field", where)]
    assert not Deck.objects.exists()


def test_a_strangers_copy_of_the_text_gets_the_authors_verdict(client):
    text = starter("xfiles", "deck-mulder")
    made = post(client, game="xfiles", format="advanced", text=text, visibility="public").json()
    shown = Client().get(f"/api/v1/decks/{made['id']}/").json()
    (secret,) = (line for line in made["lines"] if line["section"] == "xfile")
    assert secret["name"] not in shown["text"]
    assert "1 X-File | secret" in shown["text"]
    asked = {"game": "xfiles", "text": shown["text"]}
    pasted = Client().post("/api/v1/decks/validate/", asked, content_type="application/json").json()
    assert pasted["verdict"] == made["report"]["verdict"] == shown["report"]["verdict"] == "legal"
    assert "1 X-File | secret" in Client().get(made["url"]).text
    assert secret["name"] not in Client().get(made["url"]).text


# -- Idempotency-Key: a request that is sent twice

NAME = "0b51ab2e-4d3f-4c7f-9d3e-8f2f3c1f7a10"


def test_the_same_idempotency_key_makes_one_deck(client):
    first, second = post(client, NAME), post(client, NAME)
    assert (first.status_code, second.status_code) == (201, 201)
    assert first.json() == second.json()
    assert Deck.objects.count() == 1
    key = first.json()["edit_key"]
    assert client.delete(first["Location"], headers={"X-Deck-Key": key}).status_code == 204


def test_the_same_idempotency_key_with_another_body_is_refused(client):
    post(client, NAME)
    for _ in range(2):
        refused = post(client, NAME, text="5 Kai")
        assert (refused.status_code, refused.json()[0]["code"]) == (422, "idempotency_key_used")
        DeckRevision.objects.all().delete()
    assert Deck.objects.count() == 1


def test_the_same_idempotency_key_of_another_account_makes_another_deck(client):
    post(client, NAME)
    client.force_login(User.objects.create_user("bert"))
    assert post(client, NAME).status_code == 201
    assert Deck.objects.count() == 2


def test_whoever_guesses_the_name_from_another_address_is_handed_no_edit_key_of_the_deck(client):
    first, second = post(client, NAME), post(Client(REMOTE_ADDR="198.51.100.7"), NAME)
    assert (first.status_code, second.status_code) == (201, 201)
    assert (first["Location"], first.json()["edit_key"]) != (second["Location"], second.json()["edit_key"])
    assert (
        client.delete(first["Location"], headers={"X-Deck-Key": second.json()["edit_key"]}).status_code == 404
    )


@pytest.mark.parametrize("name", ["1", "my-first-deck-0001", "x" * 21, "x" * 101, "é" * 30])
def test_a_guessable_idempotency_key_is_refused(client, name):
    answer = post(client, name)
    assert (answer.status_code, answer.json()[0]["code"]) == (400, "bad_idempotency_key")
