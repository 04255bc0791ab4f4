"""One change of a deck over the API: copies of a card, or lines of a list, applied to the deck as it is
now.
"""

from typing import Any

import pytest
from django.test import Client

from decks.models import Deck, DeckRevision
from tests.support.made_decks import make_deck

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]


@pytest.fixture
def deck(client):
    """(address, edit key) of a deck with 2 Kai and 1 Termite."""
    body = {"game": "spycraft", "name": "Dragons", "text": "2 Kai\n1 Termite"}
    made = client.post("/api/v1/decks/", body, content_type="application/json").json()
    return f"/api/v1/decks/{made['id']}/", made["edit_key"]


def patch(client: Client, deck: tuple[str, str], body: Any, **headers: str) -> Any:
    headers = {"X-Deck-Key": deck[1], **headers}
    return client.patch(deck[0], body, content_type="application/json", headers=headers)


def copies(answer: Any) -> dict[str, int]:
    return {line["name"]: line["count"] for line in answer.json()["lines"]}


@pytest.mark.parametrize(
    ("body", "words", "kai"),
    [
        ({"add": {"card": "kai"}}, "+1 Kai", 3),
        ({"add": {"card": "spycraft/kai", "count": 2, "section": "deck"}}, "+2 Kai", 4),
        ({"take": {"card": "kai"}}, "-1 Kai", 1),
        ({"take": {"card": "kai", "count": 9}}, "-2 Kai", 0),
        ({"set": {"card": "kai", "count": 7}}, "+5 Kai", 7),
        ({"set": {"card": "kai", "count": 0}}, "-2 Kai", 0),
        ({"set": {"card": "kai", "count": 2}}, "", 2),
        ({"lines": "1 Kai\n1 Termite"}, "+1 Kai, +1 Termite", 3),
    ],
)
def test_a_change_is_made_and_answered_in_words(client, deck, body, words, kai):
    answer = patch(client, deck, body)
    assert answer.status_code == 200, answer.content
    assert answer.json()["words"] == words
    assert copies(answer).get("Kai", 0) == kai
    assert answer["ETag"] == f'"{1 if words else 0}-private"'
    assert DeckRevision.objects.count() == (2 if words else 1)


def test_with_if_match_only_the_deck_that_was_read_is_changed(client, deck):
    tag = client.get(deck[0], headers={"X-Deck-Key": deck[1]})["ETag"]
    add = {"add": {"card": "kai"}}
    assert patch(client, deck, add, **{"If-Match": tag}).status_code == 200
    refused = patch(client, deck, add, **{"If-Match": tag})
    assert (refused.status_code, refused.json()[0]["code"]) == (412, "stale")
    assert copies(patch(client, deck, add))["Kai"] == 4, "without it the deck as it is now"
    undone = client.post(f"{deck[0]}undo/", headers={"X-Deck-Key": deck[1]})
    assert copies(undone) == {"Kai": 3, "Termite": 1}


@pytest.mark.engine("sqlite")
@pytest.mark.parametrize(
    ("body", "code"),
    [
        ({}, "not_one_change"),
        ({"add": {"card": "kai"}, "take": {"card": "termite"}}, "not_one_change"),
        ({"ad": {"card": "kai"}}, "not_one_change"),
        ({"add": {"card": "kai", "cuont": 3}}, "unknown_field"),
        ({"add": {}}, "required"),
        ([], "invalid"),
        ({"add": {"card": "kai", "count": 0}}, "bad_count"),
        ({"add": {"card": "kai", "count": 98}}, "bad_count"),
        ({"set": {"card": "kai", "count": 100}}, "max_value"),
        ({"add": {"card": "nobody"}}, "unknown_card"),
        ({"add": {"card": "kai", "section": "nowhere"}}, "unknown_section"),
        ({"take": {"card": "kai", "section": "leaders"}}, "not_in_the_deck"),
        ({"lines": "1 Kai\n1 Nobody at all"}, "unknown_card"),
        ({"lines": "  "}, "empty"),
    ],
)
def test_what_is_no_change_is_refused_and_nothing_is_stored(client, deck, body, code):
    answer = patch(client, deck, body)
    assert (answer.status_code, answer.json()[0]["code"]) == (400, code)
    assert answer.json()[0]["message"].endswith((".", "?"))
    assert DeckRevision.objects.count() == 1


def test_a_deck_of_somebody_else_is_not_there_nor_that_of_the_browser_itself(client, deck):
    """Other sites could send a browser's cookie along."""
    of_browser = f"/api/v1/decks/{make_deck(client, '2 Kai').link}/"
    Deck.objects.update(visibility="public")
    whole = {"game": "spycraft", "name": "Mine", "text": "1 Kai"}
    for method, body in (("patch", {"add": {"card": "kai"}}), ("put", whole), ("delete", {})):
        for address in (deck[0], of_browser):
            send, headers = getattr(client, method), {"X-Deck-Key": "another key"}
            answer = send(address, body, content_type="application/json", headers=headers)
            assert answer.status_code == 404, (method, address)
    assert Deck.objects.count() == DeckRevision.objects.count() == 2
