"""Own texts in searches: found by whom they belong to, as they are now, and asked for by one small query."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test.utils import CaptureQueriesContext

from cardsdb.box.texts import save_text
from cardsdb.catalogue.current import catalogue, working_with
from cardsdb.games import games
from cardsdb.identity.viewer import Viewer
from cardsdb.models import Card, Edition
from cardsdb.search.results import parse_query, pks_with_retired, results_of

SPYCRAFT = games()["spycraft"]


@pytest.fixture
def ada(db: None) -> Viewer:
    return Viewer(User.objects.create_user("ada").pk)


# -- what is found -----------------------------------------------------------------------


def test_what_was_changed_is_found_at_once(ada: Viewer) -> None:
    for words in ("Zeppelin.", "Dirigible.", "Balloon."):
        save_text(ada, SPYCRAFT, "kai", words)
        assert results_of(parse_query(f"text:{words[:-1]}", viewer=ada)).total == 1
    assert results_of(parse_query("text:zeppelin", viewer=ada)).total == 0


def test_texts_of_retired_cards_are_found_with_these(ada: Viewer) -> None:
    for code in ("kai", "glock-17"):
        save_text(ada, SPYCRAFT, code, "Zeppelin.")
    Card.objects.filter(game="spycraft", code="glock-17").update(retired=True)
    Edition.objects.create()
    query = parse_query("zeppelin", viewer=ada)
    assert (results_of(query).total, len(pks_with_retired(query))) == (1, 2)
    assert pks_with_retired(parse_query("zeppelin")) == []


# -- what it takes -----------------------------------------------------------------------


@pytest.mark.parametrize(
    "query", ["kai", "text:zeppelin", '"a zeppelin"', 'similar:!"Kai"', "which cards hide a zeppelin?"]
)
def test_a_search_with_own_texts_asks_the_database_for_no_more_than_one_without(
    ada: Viewer, query: str
) -> None:
    counts = []
    for words in ("", "Choose a zeppelin and hide it."):
        save_text(ada, SPYCRAFT, "kai", words)
        results_of(parse_query(query, viewer=ada)).slice(0, 10)
        with working_with(catalogue()), CaptureQueriesContext(connection) as asked:
            results_of(parse_query(query, viewer=ada)).slice(0, 10)
        counts.append(len(asked))
    # The boxes.
    assert counts == [1, 1]


# -- whose boxes -------------------------------------------------------------------------
