"""Questions in plain English: read where they can hardly mean anything else, with a word about it; else
advised about.
"""

from __future__ import annotations

import pytest

from cardsdb.games import games
from cardsdb.search.query.check import check, explain
from cardsdb.search.query.grammar import parse
from cardsdb.search.query.tree import And, Not, Or, Problem, Query, Tree, Word, normal
from tests.support.search_fields import fields_of
from tests.support.search_queries import found

ALL = tuple(games().values())


def checked(text: str) -> Query:
    return check(text, fields_of(ALL))


def advice(text: str) -> Problem:
    (found,) = checked(text).problems
    assert found.advice
    return found


# -- sizes ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("craft 4 or more", "craft>=4"),
        ("craft 4 or less", "craft<=4"),
        ("4 or more craft", "craft>=4"),
        ("4 or less craft", "craft<=4"),
        ("craft at least 4", "craft>=4"),
        ("craft at most 4", "craft<=4"),
        ("craft over 4", "craft>4"),
        ("craft under 4", "craft<4"),
        ("CRAFT 4 OR MORE", "craft>=4"),
        ("lvl  at  least  2", "level>=2"),
        ("victory points 5 or more", "victory_points>=5"),
        ("victory-points at least 5", "victory_points>=5"),
        ("prints over 1", "prints>1"),
        ("cost under 3", "cost<3"),
        ("krypt agents craft 4 or more", "krypt agents craft>=4"),
        ("craft 4 or more krypt", "craft>=4 krypt"),
        ("krypt 4 or more craft kai", "krypt craft>=4 kai"),
        ("craft 4 or more combat 3 or less", "craft>=4 combat<=3"),
        ("level 2 or more or craft 3 or less", "level>=2 or craft<=3"),
        ("kai or craft 4 or more", "kai or craft>=4"),
        ("t:agent -(craft 4 or more)", "type:agent -craft>=4"),
        ("t:agent (craft 4 or more or combat over 2)", "type:agent (craft>=4 or combat>2)"),
    ],
)
def test_a_size_in_words_is_read_as_a_comparison(text: str, written: str) -> None:
    query = checked(text)
    assert normal(query) == written
    assert query.tree == checked(written).tree
    assert {problem.code for problem in query.problems} == {"read-as-comparison"}
    assert not query.faults


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("3 to 5 craft 4 or more", 'craft>=3 craft<=5 4 or "more"'),
        ("4 or more craft 4 or less", 'craft>=4 4 or "less"'),
        ("craft over 4 or more craft 4", 'craft>4 or "more" craft 4'),
    ],
)
def test_or_more_stays_an_alternative_where_its_field_or_its_number_is_taken(text: str, written: str) -> None:
    query = checked(text)
    assert normal(query) == written
    assert not query.faults


def test_the_reader_is_told_what_was_read_and_where() -> None:
    found = advice("krypt craft 4 or more kai")
    assert (found.code, found.start, found.end) == ("read-as-comparison", 6, 21)
    assert "craft>=4" in found.message
    assert found.suggestions == ("craft>=4",)


@pytest.mark.django_db
def test_a_plain_question_finds_what_the_language_finds() -> None:
    def keys(text: str) -> set[str]:
        return {card.key for card in found(checked(text), fields_of(ALL))}

    assert keys("krypt agents craft 4 or more") == keys("krypt agents craft>=4") != set()


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
        ("faction 4 or more", Or((And((Word("faction"), WORDS[1])), WORDS[2]))),
        ("4 or more", Or(WORDS[1:])),
        ('craft "at" least 4', And((WORDS[0], Word("at"), Word("least"), WORDS[1]))),
        ('craft at "least" 4', And((WORDS[0], Word("at"), Word("least"), WORDS[1]))),
        ('craft "over" 4', And((WORDS[0], Word("over"), WORDS[1]))),
        ("over 4", And((Word("over"), WORDS[1]))),
    ],
)
def test_anything_else_stays_words_also_when_it_is_written_down(text: str, tree: Tree) -> None:
    query = checked(text)
    assert query.tree == tree
    assert checked(normal(query)).tree == tree


# -- advice -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "glock 17",
        '"craft" 4',
        "craft -4",
        "craft (4)",
        "4 craft",
        "faction 4",
        "place 3",
        "type:agent 4",
        "craft kai 4",
    ],
)
def test_other_numbers_are_not_advised_about(text: str) -> None:
    assert checked(text).problems == ()


@pytest.mark.parametrize(
    ("text", "cure"),
    [
        ("not kai", "-kai"),
        ("krypt NOT type:agent", "krypt -type:agent"),
        ('not "stolen van"', '-"stolen van"'),
        ("kai or not craft>=4", "kai or -craft>=4"),
    ],
)
def test_not_before_a_term_is_advised_to_be_a_minus(text: str, cure: str) -> None:
    found = advice(text)
    assert found.code == "word-not"
    assert text[: found.start] + found.suggestions[0] + text[found.end :] == cure
    assert checked(text).tree == parse(text).tree


@pytest.mark.parametrize("text", ['"not" kai', "kai not", "not -kai", "not (kai)", "do-not kai"])
def test_not_is_a_word_elsewhere(text: str) -> None:
    assert checked(text).problems == ()


@pytest.mark.parametrize(
    ("text", "written"), [("glock*", "glock"), ("t:gear -glock*", "type:gear -glock"), ("or*", '"or"')]
)
def test_a_star_behind_a_word_is_left_out_and_said_so(text: str, written: str) -> None:
    assert advice(text).code == "star"
    assert normal(checked(text)) == written
    assert checked(written).problems == ()


@pytest.mark.parametrize("text", ["*", '"glock*"', "a*b", "!glock*"])
def test_a_star_elsewhere_stays(text: str) -> None:
    query = checked(text)
    assert query.tree == parse(text).tree
    assert checked(normal(query)).tree == query.tree


def test_an_explanation_has_the_advice_and_the_columns_of_what_was_typed() -> None:
    explained = explain("“stolen van” craft 4 or more", fields_of(ALL))
    assert explained["normal"] == '"stolen van" craft>=4'
    assert [part["start"] for part in explained["tree"]["parts"]] == [0, 13]
    assert [(problem["start"], problem["end"]) for problem in explained["problems"]] == [(13, 28)]


# -- behind a minus ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "cured"),
    [
        ("-craft:3-5", "-(craft>=3 craft<=5)"),
        ("kai -craft:3-5 -t:mission", "kai -(craft>=3 craft<=5) -t:mission"),
        ("-craft:4+", "-craft>=4"),
        ("--craft:3-5", "--(craft>=3 craft<=5)"),
        ("-(craft:3-5 kai)", "-(craft>=3 craft<=5 kai)"),
        ("craft:3-5", "craft>=3 craft<=5"),
        ("-craft: 3-5", "-(craft>=3 craft<=5)"),
    ],
)
def test_what_is_suggested_behind_a_minus_is_excluded_whole(text: str, cured: str) -> None:
    found = advice(text)
    clicked = f"{text[: found.start]}{found.suggestions[0]}{text[found.end :]}"
    assert clicked == cured
    assert normal(checked(clicked)) == normal(checked(text)), "what is clicked means what was read"
