"""The same question gives the same cards on the page, on the command line and in the API, and each says as
what it was understood.
"""

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
def test_a_question_is_answered_alike_wherever_it_is_asked(client, question):
    page = client.get("/cards/", {"q": question}, follow=True).context["page"]
    api = client.get("/api/v1/cards/", {"q": question, "page_size": 100}).json()
    command = json.loads(run("search", question, "--json").out)
    assert page.total == api["count"] == command["count"] > 0
    keys = [card["key"] for card in command["results"]]
    assert [card.key for card in page.results.cards] == keys
    assert [card["key"] for card in api["results"]] == keys[:100]
    assert page.answer.as_json() == api["understood"] == command["understood"]


def test_the_api_looks_for_words_as_they_are_where_it_is_asked_to(client):
    answer = client.get("/api/v1/cards/", {"q": "level 1 leaders", "as_typed": "1"}).json()
    assert answer["understood"] is None and answer["count"] == 0


def test_what_no_card_has_besides_the_rest_is_left_out_and_told(client):
    understood = client.get("/api/v1/cards/", {"q": "solo ops in extinction agenda"}).json()["understood"]
    assert understood["left_out"] and understood["query"] == "game:spycraft is:solo_op"
