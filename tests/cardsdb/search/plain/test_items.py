"""The items of a query: plain words and typed conditions."""

import pytest

from cardsdb.search.plain.items import sides_of
from cardsdb.search.query.tree import normal
from tests.cardsdb.search.plain.steps import items


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("3-5 X-Files", "3 to 5 x files"),
        ("kai|chen", "kai or chen"),
        ("kai, chen", "kai , chen"),
        (">=4 craft", ">= 4 craft"),
        ("w/o cover", "without cover"),
        ("(agents that heal)", "agents that heal"),
        ("order:craft agents", "agents"),
    ],
)
def test_plain_words_are_folded_and_without_punctuation(text, words):
    assert items(text) == words.split()


@pytest.mark.parametrize(
    ("text", "condition"),
    [
        ("agents craft>=4", "craft>=4"),
        ("agents not craft>=4", "-craft>=4"),
        ("agents type: gear", "type:gear"),
        ("agents (craft>=4 or kai)", "craft>=4 or kai"),
        ("agents k*i", r"name:/\bk\w*i\b/"),
    ],
)
def test_a_condition_stays_whole(text, condition):
    word, tree = items(text)
    assert word == "agents"
    assert normal(tree) == condition


@pytest.mark.parametrize(
    ("text", "sides"),
    [
        ("krypt or kai", ["krypt", "kai"]),
        ("craft 4 or more", ["craft 4 or more"]),
        ("craft 4 or more or kai", ["craft 4 or more", "kai"]),
    ],
)
def test_the_or_of_an_amount_joins_nothing(text, sides):
    assert [" ".join(side) for side in sides_of(items(text))] == sides
