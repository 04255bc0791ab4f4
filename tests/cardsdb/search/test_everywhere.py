"""A question has the same answer on the page, on the command line and in the API."""

import json

import pytest

from tests.support.commands import run

pytestmark = [pytest.mark.django_db, pytest.mark.engine("sqlite")]

QUESTIONS = (
    "level 1 leaders",
    "cheapest krypt agents with craft 3 or more",
    "NOT t:agent krypt",
    "agent fox muldar",
    "craft>=5 faction:krypt",
)


@pytest.mark.parametrize("question", QUESTIONS)
def test_pages_api_and_command_find_the_same_cards_and_tell_the_same_reading(client, question):
    page = client.get("/cards/", {"q": question}, follow=True).context["page"]
    api = client.get("/api/v1/cards/", {"q": question, "page_size": 100}).json()
    command = json.loads(run("search", question, "--json").out)
    assert page.total == api["count"] == command["count"] > 0
    keys = [card["key"] for card in command["results"]]
    assert [card.key for card in page.results.cards] == keys
    assert [card["key"] for card in api["results"]] == keys[:100]
    assert page.answer.as_json() == api["understood"] == command["understood"]


def test_the_api_searches_words_as_typed_on_request(client):
    answer = client.get("/api/v1/cards/", {"q": "level 1 leaders", "as_typed": "1"}).json()
    assert answer["understood"] is None and answer["count"] == 0


def test_a_condition_that_no_card_meets_with_the_rest_is_left_out_and_named(client):
    understood = client.get("/api/v1/cards/", {"q": "solo ops in extinction agenda"}).json()["understood"]
    assert understood["left_out"] and understood["query"] == "game:spycraft is:solo_op"
