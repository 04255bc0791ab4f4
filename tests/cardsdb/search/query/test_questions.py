"""Questions as people ask them who never read how to ask: what joins their parts, and what is written down
again.
"""

from __future__ import annotations

import random

import pytest

from cardsdb.games import games
from cardsdb.search.query.check import check
from cardsdb.search.query.english import WORDS as ENGLISH
from cardsdb.search.query.grammar import parse
from cardsdb.search.query.tree import (
    Or,
    Problem,
    Query,
    Term,
    Word,
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
    ("text", "written"),
    [
        ("Krypt agents with craft 4 or more", "Krypt agents craft>=4"),
        ("krypt agents that have craft 4+", "krypt agents craft>=4"),
        ("krypt agents whose craft is at least 4", "krypt agents craft>=4"),
        ("krypt agents which have a craft of 4 or more", "krypt agents craft>=4"),
        ("krypt agents having 4+ craft", "krypt agents craft>=4"),
        ("krypt agents with craft>=4", "krypt agents craft>=4"),
        ("agents with 4 craft", "agents craft=4"),
        ("leaders of level 2", "leaders level=2"),
        ("show me all krypt agents with craft more than 3", "krypt agents craft>3"),
        ("which agents have craft 4 and above", "agents craft>=4"),
        ("gear that costs less than 3", "gear cost<3"),
        ("gear costing 3 or less", "gear cost<=3"),
        ("missions worth at least 4 victory points", "missions victory_points>=4"),
        ("missions worth 5 points or more", "missions points>=5"),
        ("agents with 5 craft or less", "agents craft<=5"),
        ("craft 4+", "craft>=4"),
        ("4+ craft", "craft>=4"),
        ("craft:4+", "craft>=4"),
        ("craft: 4+", "craft>=4"),
        ("craft 3-5", "craft>=3 craft<=5"),
        ("craft between 3 and 5", "craft>=3 craft<=5"),
        ("craft from 3 to 5 kai", "craft>=3 craft<=5 kai"),
        ("craft 4 or higher", "craft>=4"),
        ("craft fewer than 4", "craft<4"),
        ("craft exactly 4", "craft=4"),
        ("agents craft=3 or 4", "agents (craft=3 or craft=4)"),
        ("craft>4, combat>3", "craft>4 combat>3"),
        ("faction is krypt", "faction:krypt"),
        ("agents whose faction is the krypt", "agents faction:krypt"),
        ("agents whose faction is not krypt", "agents -faction:krypt"),
        ("type: agent", "type:agent"),
        ('faction: "the krypt" agents', 'faction:"the krypt" agents'),
        ("spycraft cards", "spycraft"),
        ("spycraft cards with craft 4+", "spycraft craft>=4"),
        ("agents with craft 4+ and with combat 3+", "agents craft>=4 combat>=3"),
        ("agents with craft 4+ or leaders with level 2+", "agents craft>=4 or leaders level>=2"),
        ("type: not agent", "-type:agent"),
        ("krypt type: not an agent", "krypt -type:agent"),
        ('faction: not "the krypt" agents', '-faction:"the krypt" agents'),
        ("craft: not 4", "-craft:4"),
        ("-type: agent", "-type:agent"),
        ("krypt –type: agent", "krypt -type:agent"),
        ("-type: not agent", "type:agent"),
        ("-craft: 4+", "-craft>=4"),
    ],
)
def test_what_is_certain_is_read_and_told(text: str, written: str) -> None:
    query = checked(text)
    assert normal(query) == written
    assert query.tree == checked(written).tree
    assert not query.faults
    assert query.problems or text == written


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


def test_a_title_with_a_colon_is_no_field() -> None:
    query = checked("Operation: Paperclip")
    assert query.tree == Word("Paperclip")
    assert [problem.code for problem in query.faults] == ["empty-value"]


@pytest.mark.parametrize("text", ["Operation: not Paperclip", "Operation: not a Paperclip"])
def test_nor_is_one_with_a_not_in_it(text: str) -> None:
    query = checked(text)
    assert query.tree == parse(text).tree
    assert [problem.code for problem in query.faults] == ["empty-value"]


def test_digits_of_other_scripts_are_no_number_also_before_a_comma() -> None:
    assert [problem.code for problem in checked("craft:٣,").problems] == ["bad-value"]


@pytest.mark.parametrize(
    ("text", "cured"),
    [
        ("faction is krypt or dragons", "(faction:krypt or faction:dragons)"),
        ("faction is not krypt or dragons", "-(faction:krypt or faction:dragons)"),
        (
            "agents whose faction is krypt or banshee or dragons",
            "agents (faction:krypt or faction:banshee or faction:dragons)",
        ),
        (
            'faction is krypt or "nine tiger" or type:gear',
            '(faction:krypt or faction:"nine tiger") or type:gear',
        ),
        ("type: agent or leader", "(type:agent or type:leader)"),
        ("craft>4 or (faction is krypt or dragons)", "craft>4 or ((faction:krypt or faction:dragons))"),
        ("faction is krypt or ((dragons))", "(faction:krypt or faction:dragons)"),
        ("craft=3 or (4)", "(craft=3 or craft=4)"),
    ],
)
def test_a_second_value_beside_an_or_is_one_of_the_same_field(text: str, cured: str) -> None:
    query = checked(text)
    assert query.tree == checked(cured).tree
    assert not query.faults
    told = [
        problem for problem in query.problems if problem.code in ("read-as-comparison", "space-after-colon")
    ]
    for one in reversed(told):
        text = f"{text[: one.start]}{one.suggestions[0]}{text[one.end :]}"
    assert checked(text).tree == query.tree


@pytest.mark.parametrize(
    "text",
    [
        "faction:krypt or dragons",
        "faction is krypt or type:gear",
        "kai or faction is krypt",
        "craft over 4 or kai",
    ],
)
def test_an_alternative_that_was_asked_for_as_it_stands_is_not(text: str) -> None:
    assert "lone-alternative" not in {problem.code for problem in checked(text).problems}


def test_what_was_left_out_can_be_had_as_words() -> None:
    found = advice("spycraft cards", "left-out")
    assert found.suggestions == ('"cards"',)
    assert checked('spycraft "cards"').tree == parse('spycraft "cards"').tree


@pytest.mark.parametrize(
    ("text", "code", "suggestion"),
    [
        ("agents without expense", "word-not", "-has:expense"),
        ("not unique", "word-not", "-is:unique"),
        ("agents not !Kai", "word-not", "-!Kai"),
        ("agents not /ka.i/", "word-not", "-/ka.i/"),
        ("agents highest craft", "words-of-order", "order:-craft"),
        ("agents lowest craft", "words-of-order", "order:craft"),
        ("agents sorted by craft", "words-of-order", "order:craft"),
        ("krypt | banshee", "word-joins", "or"),
        ("krypt && soldier", "word-joins", ""),
        ("agents with power of 2 or 3", "lone-alternative", None),
        ("agents or (more)", "lone-alternative", None),
    ],
)
def test_what_is_not_certain_is_advised_about(text: str, code: str, suggestion: str | None) -> None:
    found = advice(text, code)
    if suggestion is None:
        assert found.suggestions == ()
        return
    assert checked(text).tree == parse(text).tree
    assert suggestion in found.suggestions
    cured = f"{text[: found.start]}{suggestion}{text[found.end :]}"
    assert code not in {problem.code for problem in checked(cured).problems}


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
    *ENGLISH["before_number"],
    *ENGLISH["behind_number"],
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
    rng, read_something = random.Random(seed), 0
    for _ in range(1_000):
        pieces = [rng.choice(rng.choice((WORDS, OTHERS, PHRASES, PHRASES))) for _ in range(rng.randint(1, 6))]
        words = " ".join(pieces).split()
        text = " ".join(f'"{word}"' if rng.random() < 0.1 and word.isalnum() else word for word in words)
        query = checked(text)
        again = checked(normal(query))
        assert again.tree == query.tree, (text, normal(query))
        read_something += "read-as-comparison" in {problem.code for problem in query.problems}
        # One more condition beside it changes nothing of what it says.
        if query.tree is not None:
            first = f"({normal(query)})" if isinstance(query.tree, Or) else normal(query)
            assert checked(f"{first} combat>=9").tree == all_of([query.tree, Term("combat", ">=", "9")]), (
                text,
                first,
            )
    assert read_something > 100


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("agents and cards", "agents"),
        ("show me and agents with craft 4", "agents craft=4"),
        ("kai and cards or gear", "kai or gear"),
    ],
)
def test_a_word_that_is_left_out_leaves_no_and_or_or_behind(text: str, same: str) -> None:
    assert checked(text).tree == checked(same).tree
    assert not checked(text).faults
