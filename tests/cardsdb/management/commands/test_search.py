"""``manage.py search`` prints what the API answers, and with ``--explain`` how a query is understood."""

import json
import subprocess

import pytest

from tests.support.commands import run
from tests.support.server import manage

pytestmark = pytest.mark.django_db


def test_search_prints_what_the_api_answers(client):
    found = json.loads(run("search", "type:leader craft>=5", "--game", "spycraft", "--json").out)
    asked = {"q": "type:leader craft>=5", "game": "spycraft", "page_size": 100}
    answered = client.get("/api/v1/cards/", asked).json()
    assert (found["count"], found["results"]) == (answered["count"], answered["results"])


def test_explain_says_how_plain_words_are_read():
    explained = json.loads(run("search", "krypt agents with craft 4", "--explain").out)
    assert explained["understood"]["query"] == 'game:spycraft faction="The Krypt" type=agent craft=4'


def test_search_tells_what_was_left_out():
    assert "Steam Spy has none." in run("search", "traps in spycraft and steam spy").out.splitlines()


def test_explain_says_how_a_query_is_understood_and_a_query_that_is_not_exits_with_2():
    explained = json.loads(run("search", "craft>=", "--explain").out)
    assert {"normal", "words", "tree", "problems"} <= set(explained)
    assert run("search", "expanse:3").status == 2


def test_a_command_without_a_database_says_what_to_do(tmp_path):
    with pytest.raises(subprocess.CalledProcessError) as failed:
        manage(tmp_path, "search", "kai")
    assert failed.value.stderr.startswith(b"The database is not set up yet: run manage.py prepare.")
