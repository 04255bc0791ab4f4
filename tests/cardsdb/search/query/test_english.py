"""Queries that are nearly in the search language: amounts in words, stars, spaces behind colons.

They are read as the one thing that they can mean, or stay plain words. Most have a row in
``normal_forms.csv``, which ``test_check.py`` runs; amounts in words are rows of
``tests/cardsdb/search/understood.csv``.
"""

from __future__ import annotations

import random

import pytest

from cardsdb.games import games
from cardsdb.search.query.check import check
from cardsdb.search.query.english import SIZE_WORDS
from cardsdb.search.query.english import WORDS as ENGLISH
from cardsdb.search.query.tree import Or, Query, Term, all_of, normal
from tests.support.search_fields import fields_of

ALL = tuple(games().values())


def checked(text: str) -> Query:
    return check(text, fields_of(ALL))


@pytest.mark.parametrize("text", ["(craft #)", "(craft between # and 5)"])
def test_a_number_sign_without_a_number_is_no_amount(text):
    assert fields_of(ALL).with_sizes(text) == text


JOINING = (
    *sorted(SIZE_WORDS),
    *(word for role in ("link", "article", "noun", "opener") for word in ENGLISH[role]),
)
OTHERS = "craft faction kai 4 4+ 3-5 or and ( ) craft>=4 craft=2 t:agent not".split()
PHRASES = (
    "craft 4;at least 4;craft over 4;with craft 4;faction is krypt;4 or more;craft 4 or more;4 craft;"
    "between 3 and 5;3 to 5;craft of 4;craft=2 or 4;cards with"
).split(";")


@pytest.mark.seeds(2)
def test_the_normal_form_of_any_words_is_read_as_the_same_query(seed):
    rng = random.Random(seed)
    for _ in range(500):
        pieces = [
            rng.choice(rng.choice((JOINING, OTHERS, PHRASES, PHRASES))) for _ in range(rng.randint(1, 6))
        ]
        words = " ".join(pieces).split()
        text = " ".join(f'"{word}"' if rng.random() < 0.1 and word.isalnum() else word for word in words)
        query = checked(text)
        again = checked(normal(query))
        assert again.tree == query.tree, (text, normal(query))
        # A further condition beside it does not change how it is read.
        if query.tree is not None:
            first = f"({normal(query)})" if isinstance(query.tree, Or) else normal(query)
            assert checked(f"{first} combat>=9").tree == all_of([query.tree, Term("combat", ">=", "9")]), (
                text,
                first,
            )
