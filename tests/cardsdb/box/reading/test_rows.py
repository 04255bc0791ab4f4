"""Columns of packages: their guessed and chosen meanings, and limits on their number and length."""

import json

import pytest

from cardsdb.box.reading.container import BadPackage
from cardsdb.box.reading.rows import MAX_CELL, MAX_COLUMNS, NotUnderstood, changed, guessed, shown_meanings
from cardsdb.games import games
from tests.support.packages import octgn_set, package

SPYCRAFT = games()["spycraft"]


def test_columns_are_guessed_and_can_be_changed():
    table = package(b"Card,Game Text,ExpenseRating,Craft,Notes\nKai,a,1,2,b\n")
    columns = guessed(table, SPYCRAFT)
    assert columns.meanings == {
        "Card": "name",
        "Game Text": "text",
        "ExpenseRating": "",
        "Craft": "fact:craft",
        "Notes": "",
    }
    both = changed(columns, {"Notes": "text", "ExpenseRating": "fact:expense"}, SPYCRAFT)
    stated = both.read(next(table.rows()))
    assert (stated.text, stated.facts) == ("a\nb", {"craft": "2", "expense": "1"})
    assert changed(columns, {"Notes": "name"}, SPYCRAFT).meanings["Card"] == ""
    for wrong in ({"Nothing": "text"}, {"Notes": "fact:nothing"}, {"Notes": "words"}):
        with pytest.raises(BadPackage, match=r"no column|nothing that a column"):
            changed(columns, wrong, SPYCRAFT)


def test_a_column_may_mean_a_part_of_a_row_or_a_fact_of_the_game():
    meanings = dict(shown_meanings(SPYCRAFT))
    assert meanings[""] == "nothing" and {"id", "set", "number", "name", "text"} <= set(meanings)
    assert meanings["fact:craft"] == SPYCRAFT.facts_by_key["craft"].title


def test_a_cell_that_is_too_long_is_reported_and_its_row_passed_over():
    cards = [{"name": "Nobody", "text": "x" * (MAX_CELL + 1)}, {"name": "Somebody", "text": "x" * MAX_CELL}]
    problems: list[NotUnderstood] = []
    assert [row.number for row in package(json.dumps(cards).encode(), "a.json").rows(problems.append)] == [2]
    assert [(problem.row, problem.column) for problem in problems] == [(1, "text")]


NAMES = [f"column {number}" for number in range(MAX_COLUMNS)]


@pytest.mark.parametrize(
    ("data", "name"),
    [
        (json.dumps([{"name": "Nobody", column: "x"} for column in NAMES]).encode(), "a.json"),
        (octgn_set([(SPYCRAFT.cards[0], "Words.")], **dict.fromkeys(NAMES, "x")), "set.xml"),
        (
            "\n".join("\t".join([*row, *NAMES]) for row in (["Name", "Set", "ImageFile"], "abc")).encode(),
            "a.txt",
        ),
        (json.dumps([{"name": "Nobody", "x" * 301: "x"}]).encode(), "a.json"),
    ],
    ids=["json", "octgn", "lackey", "a long name"],
)
def test_columns_are_bounded_in_every_format(data, name):
    with pytest.raises(BadPackage, match="200 columns at most, with names of 300 letters"):
        list(package(data, name).rows())
