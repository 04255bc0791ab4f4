"""Checking a query: faults, advice, suggestions, and short forms.

A row of ``faults.csv`` is a text with one fault: its code and columns, its first suggestion ("none" if there
is none; empty if the part is best left out), and the normal form of what is left of the query.
"""

from __future__ import annotations

from dataclasses import replace

import pytest

from cardsdb.games import games
from cardsdb.games.kit import Fact, Game
from cardsdb.search.query.check import MAX_NAMED, check, explain
from cardsdb.search.query.tree import Problem, normal
from tests.cardsdb.search.tables import table
from tests.support.search_fields import fields_among, fields_of
from tests.support.search_queries import ALL, SPYCRAFT, checked, cured, problem

# -- checking ----------------------------------------------------------------------------


def problems(text: str, among: tuple[Game, ...] = SPYCRAFT) -> tuple[Problem, ...]:
    return check(text, fields_of(among)).problems


@pytest.mark.parametrize("row", table("query/faults.csv"), ids=lambda row: row["text"])
def test_a_faulty_part_is_dropped_and_reported_with_its_columns_and_a_suggestion(row):
    query = checked(row["text"])
    (fault,) = query.faults
    assert (fault.code, fault.start, fault.end) == (row["code"], int(row["start"]), int(row["end"]))
    assert next(iter(fault.suggestions), "none") == row["suggestion"]
    assert normal(query) == row["left"]


@pytest.mark.parametrize(
    ("text", "suggestion"),
    [
        ("t:agnet", "Agent"),
        ("set:nightfal1", '"Operation: Nightfall"'),
    ],
)
def test_a_value_that_no_card_has_stays_valid_and_has_a_suggestion(text, suggestion):
    query = check(text, fields_of(SPYCRAFT))
    (problem,) = query.problems
    assert (problem.code, problem.advice, problem.suggestions[0]) == ("unknown-value", True, suggestion)
    assert query.tree is not None
    assert query.faults == ()
    assert problems(text[: problem.start] + suggestion + text[problem.end :]) == ()


def test_known_values_words_and_short_forms_have_no_problem():
    assert (
        problems(
            't:agent faction:krypt s:on lvl>2 "victory"  victory-points>=5 has:"victory points" is:unique'
            " solo:yes"
        )
        == ()
    )


def test_the_normal_form_has_full_field_names():
    assert (
        normal(check("T:agent LVL>2 vp:5", fields_of(SPYCRAFT)).tree) == "type:agent level>2 victory_points:5"
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


@pytest.mark.parametrize(
    ("text", "code", "cure"),
    [
        ('!"Glokc 17"', "unknown-name", '!"Glock 17"'),
        ("is:disputd", "bad-value", "is:disputed"),
        ("pirnts>1", "unknown-field", "prints>1"),
    ],
)
def test_the_suggestion_for_a_misspelling_makes_the_query_valid(text, code, cure):
    assert problem(text).code == code
    assert cured(text) == cure
    assert checked(cure).problems == ()


@pytest.mark.parametrize(
    ("text", "cure"),
    [
        ("cmc>=3", "cost>=3"),
        ("o:draw", "text:draw"),
        ("a:smith", "artist:smith"),
        ("order:-cmc", "order:-cost"),
    ],
)
def test_a_field_name_of_other_searches_is_answered_with_ours(text, cure):
    assert problem(text, ALL).code == "unknown-field"
    assert cured(text, ALL) == cure
    assert not check(cure, fields_of(ALL)).faults


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


@pytest.mark.parametrize(
    ("text", "cure"),
    [
        ("is:leader", "type:leader"),
        ("not:leader", "-type:leader"),
        ("certainty:disputed", "is:disputed"),
    ],
)
def test_a_type_asked_as_a_flag_is_answered_with_the_right_condition(text, cure):
    assert cured(text) == cure
    assert check(cure, fields_of(SPYCRAFT)).problems == ()


@pytest.mark.parametrize(("text", "some"), [("is:promo", "unique"), ("has:ruling", "rarity")])
def test_an_unknown_flag_or_fact_is_answered_with_a_list_of_known_ones(text, some):
    message = problem(text, ALL).message
    assert some in message
    assert message.count(",") < MAX_NAMED and " more." in message


def test_the_exact_name_of_a_card_has_no_advice():
    assert checked('!"glock 17" -!KAI name="Glock 17"').problems == ()
