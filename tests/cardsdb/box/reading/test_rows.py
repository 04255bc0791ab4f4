"""Columns of packages: their guessed and chosen meanings, and limits on their number and length.

``test_formats.py`` beside it tests the rows that each format yields.
"""

import json

import pytest

from cardsdb.box.reading.container import BadPackage
from cardsdb.box.reading.rows import (
    MAX_CELL,
    MAX_COLUMN_NAME,
    MAX_COLUMNS,
    NotUnderstood,
    changed,
    guessed,
    shown_meanings,
)
from cardsdb.games import games
from tests.support.packages import octgn_set, package

SPYCRAFT = games()["spycraft"]


TABLE = package(b"Card,Game Text,ExpenseRating,Craft,Notes\nKai,a,1,2,b\n")


def test_columns_are_guessed_by_their_names():
    assert guessed(TABLE, SPYCRAFT).meanings == {
        "Card": "name",
        "Game Text": "text",
        "ExpenseRating": "",
        "Craft": "fact:craft",
        "Notes": "",
    }


def test_several_columns_may_be_chosen_as_text_but_only_one_as_the_name():
    columns = guessed(TABLE, SPYCRAFT)
    chosen = changed(columns, {"Notes": "text", "ExpenseRating": "fact:expense"}, SPYCRAFT)
    stated = chosen.read(next(TABLE.rows()))
    assert (stated.text, stated.facts) == ("a\nb", {"craft": "2", "expense": "1"})
    assert changed(columns, {"Notes": "name"}, SPYCRAFT).meanings["Card"] == ""


@pytest.mark.parametrize(
    ("column", "meaning", "message"),
    [
        ("Nothing", "text", "no column"),
        ("Notes", "fact:nothing", "nothing that a column can mean"),
        ("Notes", "words", "nothing that a column can mean"),
    ],
)
def test_unknown_columns_and_meanings_are_refused(column, meaning, message):
    with pytest.raises(BadPackage, match=message):
        changed(guessed(TABLE, SPYCRAFT), {column: meaning}, SPYCRAFT)


def test_a_column_may_mean_a_part_of_a_row_or_a_fact_of_the_game():
    meanings = dict(shown_meanings(SPYCRAFT))
    assert meanings[""] == "nothing" and {"id", "set", "number", "name", "text"} <= set(meanings)
    assert meanings["fact:craft"] == SPYCRAFT.facts_by_key["craft"].title


def test_a_cell_that_is_too_long_is_reported_and_its_row_passed_over():
    cards = [{"name": "Nobody", "text": "x" * (MAX_CELL + 1)}, {"name": "Somebody", "text": "x" * MAX_CELL}]
    problems: list[NotUnderstood] = []
    rows = package(json.dumps(cards).encode(), "a.json").rows(problems.append)
    assert [row.number for row in rows] == [2]
    assert [(problem.row, problem.column) for problem in problems] == [(1, "text")]


# As many columns as a package may have. The files below add at least one, for the name of the card.
NAMES = [f"column {number}" for number in range(MAX_COLUMNS)]
LACKEY = (["Name", "Set", "ImageFile", *NAMES], ["Nobody", "ON", "nobody.jpg", *NAMES])


@pytest.mark.parametrize(
    ("data", "name"),
    [
        (json.dumps([{"name": "Nobody", column: "x"} for column in NAMES]).encode(), "a.json"),
        (octgn_set([(SPYCRAFT.cards[0], "Words.")], **dict.fromkeys(NAMES, "x")), "set.xml"),
        ("\n".join("\t".join(cells) for cells in LACKEY).encode(), "a.txt"),
        (json.dumps([{"name": "Nobody", "x" * (MAX_COLUMN_NAME + 1): "x"}]).encode(), "a.json"),
    ],
    ids=["json", "octgn", "lackey", "a long name"],
)
def test_columns_are_bounded_in_every_format(data, name):
    limits = f"{MAX_COLUMNS} columns at most, with names of {MAX_COLUMN_NAME} letters"
    with pytest.raises(BadPackage, match=limits):
        list(package(data, name).rows())
