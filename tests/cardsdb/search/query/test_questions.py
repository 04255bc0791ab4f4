"""Questions as people ask them who never read how to ask: what joins their parts, and what is written down
again.
"""

from __future__ import annotations

import random

import pytest

from cardsdb.games import games
from cardsdb.search.query.check import check
from cardsdb.search.query.english import SIZE_WORDS
from cardsdb.search.query.english import WORDS as ENGLISH
from cardsdb.search.query.grammar import parse
from cardsdb.search.query.tree import (
    Or,
    Problem,
    Query,
    Term,
    all_of,
    normal,
)
from tests.support.search_fields import fields_of

FIELDS = fields_of(tuple(games().values()))


def checked(text: str) -> Query:
    return check(text, FIELDS)


def advice(text: str, code: str) -> Problem:
    (found,) = (problem for problem in checked(text).problems if problem.code == code)
    assert found.advice
    return found


@pytest.mark.parametrize(
    "text",
    [
        "closing with style",
        "leave him with nothing",
        "mission of mercy",
        "failure is not an option",
        "house of cards",
        "agents of heaven",
        "all agents",
        "who is paradox",
        "glock 17",
        "man from 1947",
    ],
)
def test_names_stay_words(text: str) -> None:
    query = checked(text)
    assert query.tree == parse(text).tree
    assert "read-as-comparison" not in {problem.code for problem in query.problems}


@pytest.mark.parametrize("not_", ["", "not ", "not a "])
def test_a_title_with_a_colon_is_no_field(not_: str) -> None:
    text = f"Operation: {not_}Paperclip"
    query = checked(text)
    assert query.tree == parse(text).tree
    assert [problem.code for problem in query.faults] == ["empty-value"]


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("agency:krypt", "faction"),
        ('agency:"the krypt"', "faction"),
        ("factoin:krypt", "faction"),
        ("group:medical", "keywords"),
        ("powr>=3", "power"),
    ],
)
def test_an_unknown_field_is_answered_with_one_that_has_the_value(text: str, first: str) -> None:
    (found,) = checked(text).problems
    assert (found.code, found.advice) == ("unknown-field", False)
    assert found.suggestions[0] == first
    cured = f"{text[: found.start]}{first}{text[found.end :]}"
    assert checked(cured).problems == ()


WORDS = (
    *sorted(SIZE_WORDS),
    *ENGLISH["link"],
    *ENGLISH["article"],
    *ENGLISH["noun"],
    *ENGLISH["opener"],
)
OTHERS = (
    "craft",
    "faction",
    "kai",
    "4",
    "4+",
    "3-5",
    "or",
    "and",
    "(",
    ")",
    "craft>=4",
    "craft=2",
    "t:agent",
    "not",
)
PHRASES = (
    "craft 4",
    "at least 4",
    "craft over 4",
    "with craft 4",
    "faction is krypt",
    "4 or more",
    "craft 4 or more",
    "4 craft",
    "between 3 and 5",
    "3 to 5",
    "craft of 4",
    "craft=2 or 4",
    "cards with",
)


@pytest.mark.seeds(2)
def test_whatever_was_read_is_written_down_so_that_it_is_read_the_same_again(seed: int) -> None:
    rng = random.Random(seed)
    for _ in range(1_000):
        pieces = [rng.choice(rng.choice((WORDS, OTHERS, PHRASES, PHRASES))) for _ in range(rng.randint(1, 6))]
        words = " ".join(pieces).split()
        text = " ".join(f'"{word}"' if rng.random() < 0.1 and word.isalnum() else word for word in words)
        query = checked(text)
        again = checked(normal(query))
        assert again.tree == query.tree, (text, normal(query))
        # One more condition beside it changes nothing of what it says.
        if query.tree is not None:
            first = f"({normal(query)})" if isinstance(query.tree, Or) else normal(query)
            assert checked(f"{first} combat>=9").tree == all_of([query.tree, Term("combat", ">=", "9")]), (
                text,
                first,
            )
