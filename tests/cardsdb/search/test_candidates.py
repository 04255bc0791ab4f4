"""The readings that each game offers for a query."""

import pytest

from cardsdb.search.candidates import Candidate, candidates
from cardsdb.search.plain.items import items_of
from cardsdb.search.query.tree import normal
from cardsdb.search.results import parse_query

pytestmark = [pytest.mark.django_db, pytest.mark.engine("sqlite")]


def offered(text: str) -> list[Candidate]:
    query = parse_query(f"game:spycraft {text}")
    return [*candidates(query, items_of(text, query.fields), is_lost=True)]


@pytest.mark.parametrize(
    ("text", "query"),
    [
        ("glock 17", '!"Glock 17"'),
        ("kai, glock 17", '!Kai or !"Glock 17"'),
        ("best kai card", "!Kai"),
    ],
)
def test_words_are_read_as_whole_names(text, query):
    assert query in [normal(candidate.reading.tree) for candidate in offered(text)]
