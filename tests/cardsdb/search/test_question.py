"""Questions as players put them, of what cards do: ``questions.csv`` has each with cards that answer it and
that it must find.
"""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from cardsdb.models import Card
from cardsdb.search.ask import answer_of
from cardsdb.search.results import parse_query

pytestmark = [pytest.mark.django_db, pytest.mark.engine("sqlite")]


TABLE = Path(__file__).with_name("questions.csv").read_text("utf-8").splitlines()
QUESTIONS = {row["question"]: set(row["finds"].split("; ")) for row in csv.DictReader(TABLE)}


def found(question: str) -> set[str]:
    results = answer_of(parse_query(question)).results
    return set(Card.objects.filter(pk__in=results.pks).values_list("name", flat=True))


@pytest.mark.parametrize("question", QUESTIONS)
def test_a_question_finds_the_cards_that_answer_it(question: str) -> None:
    assert QUESTIONS[question] - found(question) == set()


@pytest.mark.parametrize(
    "name", ["failure is not an option", "who goes there", "how the ghosts stole christmas"]
)
def test_a_card_that_is_called_like_a_question_is_meant(name: str) -> None:
    """As typed, or not at all: its small words are part of the name."""
    answer = answer_of(parse_query(name))
    assert answer.results.total < 3


@pytest.mark.parametrize("question", ["who let the dogs out", "what about a duel", "xyzzy plugh"])
def test_a_question_of_which_no_card_has_half_the_words_finds_nothing(question: str) -> None:
    assert found(question) == set()


def test_what_is_read_is_said_in_the_search_language_and_reads_again_as_the_same_cards() -> None:
    answer = answer_of(parse_query("what moves an agent to headquarters"))
    assert answer.meant.startswith("game:spycraft does=move (text:headquarter")
    assert set(answer_of(parse_query(answer.meant)).results.pks) == set(answer.results.pks)


def test_a_slip_in_a_question_is_mended() -> None:
    assert "Abduction" in found("cards that abdcut an agent")


def test_a_size_in_quotes_is_looked_up_as_it_is_written() -> None:
    query = parse_query('text:"with combat 4 or more of it" (type:agent)')
    assert query.fields.with_sizes(query.query.text) == query.query.text
