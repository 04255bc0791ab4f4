"""Hostile text in searches is answered quickly and without an error."""

import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cardsdb.games import games
from cardsdb.search.query.check import check, explain
from tests.support.pinned_queries import pinned_queries
from tests.support.search_fields import fields_of
from tests.support.search_queries import found

# Answered from memory. That every address answers on PostgreSQL too is shown by
# tests/house/test_permissions.py.
pytestmark = pytest.mark.engine("sqlite")

ALL = tuple(games().values())

# SQL, LIKE, regular expressions, full-text syntax, templates, JSON, numbers, Unicode, ORM lookups.
BAITS = Path(__file__).with_name("hostile.txt").read_text("utf-8").splitlines()
UNPRINTABLE = ["\u202etest\u202c", "\ufeff", "\x00", "\ud800", "a\u2028b", "a\\", "ﷺ" * 1000]


LONG = [
    "a " * 600,
    "traits:a " * 40,
    "-traits:e " * 40,
    "x:e " * 40,
    "a or " * 40,
    "%" * 1024,
    "\\" * 1024,
    "header:e or " * 40,
    "(" * 1024,
    "(-" * 500,
    "-" * 1000,
    '"' * 1000,
    "a:" * 500,
]


@pytest.mark.django_db
@pytest.mark.parametrize("text", BAITS + UNPRINTABLE + LONG, ids=lambda text: ascii(text[:24]))
def test_hostile_text_is_answered_in_less_than_three_seconds(text):
    fields = fields_of(ALL)
    started = time.process_time()
    for typed in (text, f'name:"{text}"', f"-({text})"):
        query = check(typed, fields)
        found(query, fields)
        explain(typed, fields_of(ALL))
    assert time.process_time() - started < 3


SIGNS = st.sampled_from(["(", ")", "-", "or", '"'])


@settings(max_examples=150, deadline=None)
@given(
    st.text(st.characters(codec=None))
    | st.lists(st.sampled_from([pinned.query for pinned in pinned_queries()]) | SIGNS).map(" ".join)
)
def test_any_text_is_explained_with_problems_inside_it(text):
    explained = explain(text, fields_of(ALL))
    for problem in explained["problems"]:
        assert 0 <= problem["start"] <= problem["end"] <= len(text)
