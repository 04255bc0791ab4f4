"""What a query is told: what of it cannot be answered, what may have been meant, and what it says in plain
words.
"""

from __future__ import annotations

from dataclasses import replace

import pytest

from cardsdb.games import games
from cardsdb.games.kit import Fact, Game
from cardsdb.search.query.check import check, explain
from cardsdb.search.query.tree import Problem, normal
from tests.support.search_fields import fields_among, fields_of

ALL = tuple(games().values())
SPYCRAFT = (games()["spycraft"],)


# -- checking ----------------------------------------------------------------------------


def problems(text: str, among: tuple[Game, ...] = SPYCRAFT) -> tuple[Problem, ...]:
    return check(text, fields_of(among)).problems


@pytest.mark.parametrize(
    ("text", "code", "start", "end", "suggestion"),
    [
        ("kai crfat>=4", "unknown-field", 4, 9, "craft"),
        ("tpye:agent", "unknown-field", 0, 4, "type"),
        ("faction>3", "wrong-operator", 7, 8, ":"),
        ("type>=agent", "wrong-operator", 4, 6, ":"),
        ("text=draw", "wrong-operator", 4, 5, ":"),
        ("is>unique", "wrong-operator", 2, 3, ":"),
        ("number>ten", "bad-value", 7, 10, None),
        ("craft:four", "bad-value", 6, 10, None),
        ("craft>=1_0", "bad-value", 7, 10, None),
        ("craft>=²", "bad-value", 7, 8, None),
        ("craft>=٣", "bad-value", 7, 8, None),
        ("craft:٣,", "bad-value", 6, 8, None),
        ("craft>=1e9", "bad-value", 7, 10, None),
        ("craft>=0x10", "bad-value", 7, 11, None),
        ("craft>=+1", "bad-value", 7, 9, None),
        ("craft>=4.0", "bad-value", 7, 10, None),
        ("craft>=9223372036854775808", "bad-value", 7, 26, None),
        ("craft>=" + "9" * 900, "bad-value", 7, 907, None),
        ("craft>=NaN", "bad-value", 7, 10, None),
        ("unique:maybe", "bad-value", 7, 12, "yes"),
        ("is:unqiue", "bad-value", 3, 9, "unique"),
        ("has:factoin", "bad-value", 4, 11, "faction"),
        ("\u0301", "bad-value", 0, 1, ""),
    ],
)
def test_a_term_that_cannot_be_answered_is_dropped_and_reported(
    text: str, code: str, start: int, end: int, suggestion: str | None
) -> None:
    (problem,) = problems(text)
    assert (problem.code, problem.start, problem.end) == (code, start, end)
    assert not problem.advice
    assert (problem.suggestions[0] if problem.suggestions else None) == suggestion
    kept = check(f"{text} type:agent", fields_of(SPYCRAFT))
    assert normal(kept.tree) == ("kai type:agent" if text.startswith("kai") else "type:agent")


@pytest.mark.parametrize(
    ("text", "suggestion"),
    [
        ("t:agnet", "Agent"),
        ("faction:kript", '"The Krypt"'),
        ("traits=soldeir", "Soldier"),
        ("set:nightfal1", '"Operation: Nightfall"'),
    ],
)
def test_a_value_that_no_card_has_stays_valid_and_is_worth_a_suggestion(text: str, suggestion: str) -> None:
    query = check(text, fields_of(SPYCRAFT))
    (problem,) = query.problems
    assert (problem.code, problem.advice, problem.suggestions[0]) == ("unknown-value", True, suggestion)
    assert query.tree is not None
    assert query.faults == ()
    assert problems(text[: problem.start] + suggestion + text[problem.end :]) == ()


def test_known_values_words_and_short_forms_are_no_problem() -> None:
    assert (
        problems(
            't:agent faction:krypt s:on lvl>2 "victory"  victory-points>=5 has:"victory points" is:unique'
            " solo:yes"
        )
        == ()
    )


def test_a_short_form_is_written_out_in_the_normal_query() -> None:
    assert (
        normal(check("T:agent LVL>2 vp:5", fields_of(SPYCRAFT)).tree) == "type:agent level>2 victory_points:5"
    )


def test_a_word_of_several_games_looks_in_each_of_them() -> None:
    field = fields_of(ALL).get("cost")
    assert field is not None
    looked_in = {place.key: place.games for place in field.places}
    assert looked_in["expense"] == ("spycraft",)
    assert "xfiles" in looked_in["cost"]


def test_every_fact_of_every_game_is_a_search_word() -> None:
    fields = fields_of(ALL)
    for game in ALL:
        for fact in game.facts:
            for word in (fact.key, *fact.aliases):
                field = fields.get(word)
                assert field is not None, word
                assert fact.key in {place.key for place in field.places}, word


def test_a_short_form_gives_way_to_a_fact_and_a_whole_standard_word_does_not(sixth_game: Game) -> None:
    fields = fields_among(
        [
            replace(
                sixth_game,
                facts=(Fact("weight", "number", "Weight.", aliases=("t", "type")), *sixth_game.facts[1:]),
            )
        ]
    )
    assert [fields.get(word).word for word in ("t", "type", "weight")] == ["weight", "type", "weight"]  # type: ignore[union-attr]


# -- plain words ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "every card"),
        ("t:agent faction:krypt craft>=4", "type is Agent, faction is The Krypt, and craft is at least 4"),
        ("-t:agent or -craft>=4", "type is not Agent or craft is not known to be at least 4"),
        ("kai -!Kai", "it mentions “kai” and the name is not exactly “Kai”"),
        ("name:kai -name:x", "name contains “kai” and name does not contain “x”"),
        ("craft<3 craft!=2", "craft is less than 3 and craft is known and not 2"),
        ("-craft!=2", "craft is unknown or 2"),
        ("t!=agent", "type is not Agent"),
        ("is:unique -is:unique", "it is unique and it is not known to be unique"),
        ("has:rarity -has:vp", "rarity is known and victory points is not known"),
        (
            "traits:soldier -traits:soldier",
            "traits include Soldier and traits are not known to include Soldier",
        ),
        ("faction:e -faction:e", "faction contains “e” and faction does not contain “e”"),
        ("set:on", "set is Operation: Nightfall"),
        ("number>340 -number<=12", "number is more than 340 and number is not known to be at most 12"),
        ("text:draw -text:draw", "the effect mentions “draw” and the effect does not mention “draw”"),
        ("order:lvl", "every card, sorted by level"),
        ("unique:no", "unique is no"),
        ("a (b or c)", "it mentions “a” and (it mentions “b” or it mentions “c”)"),
        ("-(a b)", "not (it mentions “a” and it mentions “b”)"),
    ],
)
def test_a_query_is_said_in_plain_words(text: str, words: str) -> None:
    assert explain(text, fields_of(SPYCRAFT))["words"] == words


def test_explaining_gives_the_whole_understanding() -> None:
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
