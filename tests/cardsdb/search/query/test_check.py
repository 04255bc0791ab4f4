"""Checking a query: faults, advice, suggestions, short forms, amounts in words, and the clause of a query.

A row of ``faults.csv`` is a text with one problem: its code and columns, its first suggestion ("none" if
there is none; empty if the part is best left out), and the normal form of the query without the faulty part.
A row of ``normal_forms.csv`` is a text, its normal form, and the code of the advice on it: characters that
are read as others, short forms, stars, spaces behind colons, and words that look like amounts. (Amounts are
rows of ``tests/cardsdb/search/understood.csv``.) A row of ``clauses.csv`` is a query with its clause.
"""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from cardsdb.games import games
from cardsdb.games.kit import Fact, Game
from cardsdb.search.query.check import MAX_NAMED, check, explain
from cardsdb.search.query.english import SIZE_WORDS
from cardsdb.search.query.english import WORDS as ENGLISH
from cardsdb.search.query.tree import Or, Problem, Query, Term, all_of, normal
from cardsdb.search.query.words import in_words
from tests.cardsdb.tables import pairs, table
from tests.support.search_fields import fields_among, fields_of
from tests.support.search_queries import ALL, SPYCRAFT, checked, cured, problem

# -- checking ----------------------------------------------------------------------------


def problems(text: str, among: tuple[Game, ...] = SPYCRAFT) -> tuple[Problem, ...]:
    return check(text, fields_of(among)).problems


FAULTS = table("search/query/faults.csv")
# Parts with two mistakes: the suggestion mends the first, and the second is reported then. No faction is 3,
# craft is a number without text, and no artist of Spycraft is known.
NOT_CURED = ("faction>3", "craft>/4/", "a:smith")
CURED = [row["text"] for row in FAULTS if row["suggestion"] != "none" and row["text"] not in NOT_CURED]


# Only of these codes is the part kept, and the problem advice.
ADVICE = ("unknown-name", "unknown-value", "space-after-colon", "overruled")


@pytest.mark.parametrize("row", FAULTS, ids=lambda row: row["text"])
def test_a_problem_is_reported_with_its_columns_and_a_suggestion_as_a_fault_or_as_advice(row):
    query = checked(row["text"])
    (problem,) = query.problems
    assert (problem.code, problem.start, problem.end) == (row["code"], int(row["start"]), int(row["end"]))
    assert next(iter(problem.suggestions), "none") == row["suggestion"]
    assert problem.advice is (row["code"] in ADVICE)
    assert normal(query) == row["left"]


@pytest.mark.parametrize("text", CURED)
def test_the_first_suggestion_makes_the_query_valid(text):
    assert checked(cured(text)).problems == ()


@pytest.mark.parametrize(("text", "written", "advice"), pairs("search/query/normal_forms.csv"))
def test_a_text_is_read_as_its_normal_form_which_the_advice_on_it_suggests(text, written, advice):
    query = checked(text, ALL)
    assert (normal(query), [problem.code for problem in query.problems]) == (written, advice.split())
    assert not advice or (query.problems[0].advice and cured(text, ALL) == written)
    again = checked(written, ALL)
    assert (again.tree, again.order, again.problems) == (query.tree, query.order, ())


def test_known_values_words_and_short_forms_have_no_problem():
    assert (
        problems(
            't:agent faction:krypt s:on lvl>2 "victory"  victory-points>=5 has:"victory points" is:unique'
            " solo:yes"
        )
        == ()
    )


def test_every_fact_of_every_game_is_a_search_word():
    fields = fields_of(ALL)
    for game in ALL:
        for fact in game.facts:
            for word in (fact.key, *fact.aliases):
                field = fields.get(word)
                assert field is not None, word
                assert fact.key in {place.key for place in field.places}, word


def test_a_fact_can_take_over_a_short_form_but_not_a_standard_field(sixth_game):
    fields = fields_among(
        [
            replace(
                sixth_game,
                facts=(Fact("weight", "number", "Weight.", aliases=("t", "type")), *sixth_game.facts[1:]),
            )
        ]
    )
    assert [fields.get(word).word for word in ("t", "type", "weight")] == ["weight", "type", "weight"]


# -- plain words ---------------------------------------------------------------------------


def test_an_explanation_has_normal_form_words_tree_order_and_problems():
    assert explain("t:agnet craft>=x", fields_of(SPYCRAFT)) == {
        "normal": "type:agnet",
        "words": "type contains “agnet”",
        "tree": {"kind": "term", "key": "type", "op": ":", "value": "agnet", "start": 0, "end": 7},
        "order": [],
        "problems": [
            {
                "code": "unknown-value",
                "message": "Type: no card has “agnet”.",
                "start": 2,
                "end": 7,
                "suggestions": ["Agent"],
            },
            {
                "code": "bad-value",
                "message": "Craft is compared with a whole number or another number field, not with “x”.",
                "start": 15,
                "end": 16,
                "suggestions": [],
            },
        ],
    }


# -- suggestions -----------------------------------------------------------------------


def test_only_fields_of_the_searched_games_are_suggested_for_names_of_other_searches():
    assert problem("side:krypt", (games()["spynet"],)).suggestions == ()


@pytest.mark.parametrize(
    ("text", "says"),
    [("y:1999", "printed"), ("legal:x", "Decks")],
)
def test_a_field_of_other_searches_that_does_not_exist_here_is_explained(text, says):
    found = problem(text, ALL)
    assert says in found.message
    assert found.suggestions == ()


def test_f_means_faction_in_games_with_factions_and_format_in_others():
    assert check('f:"nine tiger"', fields_of(ALL)).tree == check('faction:"nine tiger"', fields_of(ALL)).tree
    assert "Decks" in problem("f:x", (games()["spynet"],)).message


@pytest.mark.parametrize(("text", "some"), [("is:promo", "unique"), ("has:ruling", "rarity")])
def test_an_unknown_flag_or_fact_is_answered_with_a_list_of_known_ones(text, some):
    message = problem(text, ALL).message
    assert some in message
    assert message.count(",") < MAX_NAMED and " more." in message


def test_the_exact_name_of_a_card_has_no_advice():
    assert checked('!"glock 17" -!KAI name="Glock 17"').problems == ()


# -- in words ----------------------------------------------------------------------------


@pytest.mark.parametrize(("text", "words"), pairs("search/query/clauses.csv"))
def test_a_query_is_explained_in_a_clause(text, words):
    assert in_words(check(text, fields_of(SPYCRAFT)), fields_of(SPYCRAFT)) == words


# -- any words ---------------------------------------------------------------------------


def read(text: str) -> Query:
    return checked(text, ALL)


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
        query = read(text)
        again = read(normal(query))
        assert again.tree == query.tree, (text, normal(query))
        # A further condition beside it does not change how it is read.
        if query.tree is not None:
            first = f"({normal(query)})" if isinstance(query.tree, Or) else normal(query)
            assert read(f"{first} combat>=9").tree == all_of([query.tree, Term("combat", ">=", "9")]), (
                text,
                first,
            )
