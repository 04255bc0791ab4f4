"""Queries that are nearly in the search language: amounts in words, stars, spaces behind colons.

They are read as the one thing that they can mean, or stay plain words. Amounts in words are rows of
``tests/cardsdb/search/understood.csv``.
"""

from __future__ import annotations

import random

import pytest

from cardsdb.games import games
from cardsdb.search.query.check import check, explain
from cardsdb.search.query.english import SIZE_WORDS
from cardsdb.search.query.english import WORDS as ENGLISH
from cardsdb.search.query.grammar import parse
from cardsdb.search.query.tree import And, Not, Or, Problem, Query, Term, Word, all_of, normal
from tests.support.search_fields import fields_of

ALL = tuple(games().values())


def checked(text: str) -> Query:
    return check(text, fields_of(ALL))


def advice(text: str) -> Problem:
    (found,) = checked(text).problems
    assert found.advice
    return found


# -- sizes ------------------------------------------------------------------------------


@pytest.mark.parametrize("text", ["(craft #)", "(craft between # and 5)"])
def test_a_number_sign_without_a_number_is_no_amount(text):
    assert fields_of(ALL).with_sizes(text) == text


WORDS = Word("craft"), Word("4"), Word("more")


@pytest.mark.parametrize(
    ("text", "tree"),
    [
        ('craft "4" or more', Or((And(WORDS[:2]), WORDS[2]))),
        ('craft 4 or "more"', Or((And(WORDS[:2]), WORDS[2]))),
        ('"craft" 4 or more', Or((And(WORDS[:2]), WORDS[2]))),
        ("craft 4 or (more)", Or((And(WORDS[:2]), WORDS[2]))),
        ("craft (4 or more)", And((WORDS[0], Or(WORDS[1:])))),
        ("craft -4 or more", Or((And((WORDS[0], Not(WORDS[1]))), WORDS[2]))),
        ("kai 4 or more", Or((And((Word("kai"), WORDS[1])), WORDS[2]))),
        ('craft at "least" 4', And((WORDS[0], Word("at"), Word("least"), WORDS[1]))),
    ],
)
def test_words_that_are_not_an_amount_stay_words_also_in_the_normal_form(text, tree):
    query = checked(text)
    assert query.tree == tree
    assert checked(normal(query)).tree == tree


# -- words -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "written"), [("glock*", "glock"), ("t:gear -glock*", "type:gear -glock"), ("or*", '"or"')]
)
def test_a_star_behind_a_word_is_ignored(text, written):
    assert normal(checked(text)) == written
    assert checked(text).problems == checked(written).problems == ()


def test_an_explanation_has_the_advice_and_the_columns_of_what_was_typed():
    explained = explain("“stolen van” craft: 4+", fields_of(ALL))
    assert explained["normal"] == '"stolen van" craft>=4'
    assert [part["start"] for part in explained["tree"]["parts"]] == [0, 13]
    assert [(problem["start"], problem["end"]) for problem in explained["problems"]] == [(13, 22)]


# -- a space behind the colon --------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("type: agent", "type:agent"),
        ("-type:  agent kai", "-type:agent kai"),
        ("craft: 4+", "craft>=4"),
        ("victory-points: 3", "victory_points:3"),
    ],
)
def test_a_space_behind_the_colon_of_a_field_is_accepted_with_advice(text, written):
    found = advice(text)
    assert f"{text[: found.start]}{found.suggestions[0]}{text[found.end :]}" == written
    assert normal(checked(text)) == normal(checked(written))


@pytest.mark.parametrize("text", ["type: or kai", "type: (agent)", "type:"])
def test_a_space_behind_a_colon_is_a_fault_unless_a_word_follows(text):
    assert [problem.code for problem in checked(text).faults] == ["empty-value"]


# -- behind a minus ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "cured"),
    [
        ("-craft:3-5", "-(craft>=3 craft<=5)"),
        ("-craft:4+", "-craft>=4"),
        ("-(craft:3-5 kai)", "-(craft>=3 craft<=5 kai)"),
        ("-craft: 3-5", "-(craft>=3 craft<=5)"),
    ],
)
def test_a_suggestion_behind_a_minus_has_brackets_if_needed(text, cured):
    found = advice(text)
    clicked = f"{text[: found.start]}{found.suggestions[0]}{text[found.end :]}"
    assert clicked == cured
    assert normal(checked(clicked)) == normal(checked(text)), "the suggestion changes the meaning"


# -- words that look like the search language ----------------------------------------------


@pytest.mark.parametrize(
    "text",
    (
        "closing with style;leave him with nothing;failure is not an option;who is paradox;man from 1947;"
        'glock 17;"craft" 4;craft -4;faction 4;craft kai 4;"not" kai;kai not;not (kai);*;"glock*";a*b;!glock*'
    ).split(";"),
)
def test_names_lone_numbers_nots_and_inner_stars_stay_words(text):
    query = checked(text)
    assert query.tree == parse(text).tree == checked(normal(query)).tree
    assert "read-as-comparison" not in {problem.code for problem in query.problems}


@pytest.mark.parametrize("not_", ["", "not ", "not a "])
def test_a_title_with_a_colon_is_not_read_as_a_field_with_a_value(not_):
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
def test_an_unknown_field_is_answered_with_a_field_that_has_the_value(text, first):
    (found,) = checked(text).problems
    assert (found.code, found.advice) == ("unknown-field", False)
    assert found.suggestions[0] == first
    cured = f"{text[: found.start]}{first}{text[found.end :]}"
    assert checked(cured).problems == ()


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
