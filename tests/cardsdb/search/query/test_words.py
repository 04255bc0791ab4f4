"""The English clause that explains a query: ``clauses.csv`` has queries with their clauses."""

import pytest

from cardsdb.search.query.check import check
from cardsdb.search.query.words import in_words
from tests.cardsdb.tables import pairs
from tests.support.search_fields import fields_of
from tests.support.search_queries import SPYCRAFT


@pytest.mark.parametrize(("text", "words"), pairs("search/query/clauses.csv"))
def test_a_query_is_explained_in_a_clause(text, words):
    assert in_words(check(text, fields_of(SPYCRAFT)), fields_of(SPYCRAFT)) == words
