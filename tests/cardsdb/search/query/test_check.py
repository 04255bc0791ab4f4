"""Checking a query: faults, advice, suggestions, and short forms.

A row of ``faults.csv`` is a text with one problem: its code and columns, its first suggestion ("none" if
there is none; empty if the part is best left out), and the normal form of the query without the faulty part.
A row of ``normal_forms.csv`` is a text, its normal form, and the code of the advice on it: characters that
are read as others, short forms, stars, spaces behind colons, and words that look like amounts.
"""

from __future__ import annotations

from dataclasses import replace

import pytest

from cardsdb.games import games
from cardsdb.games.kit import Fact, Game
from cardsdb.search.query.check import MAX_NAMED, check, explain
from cardsdb.search.query.tree import Problem, normal
from tests.cardsdb.tables import pairs, table
from tests.support.search_fields import fields_among, fields_of
from tests.support.search_queries import ALL, SPYCRAFT, checked, cured, problem

# -- checking ----------------------------------------------------------------------------


def problems(text: str, among: tuple[Game, ...] = SPYCRAFT) -> tuple[Problem, ...]:
    return check(text, fields_of(among)).problems


FAULTS = table("search/query/faults.csv")
# Faults from which a click on the suggestion leads to another problem.
NOT_CURED = ("Operation: Paperclip", "type: or kai", "faction>3", "craft>/4/", "a:smith")
CURED = [row["text"] for row in FAULTS if row["suggestion"] != "none" and row["text"] not in NOT_CURED]


# Only of these codes is the part kept, and the problem advice.
ADVICE = ("unknown-name", "unknown-value", "space-after-colon")


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
