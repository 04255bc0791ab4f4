"""Numbers on a card: above their names, in rows, and the words or blanks that replace them."""

from dataclasses import replace

import pytest

from cardsdb.games.kit import Fact
from cardsdb.games.kit.print.face import Box, Face, Notes, Number, NumberRow
from tests.support.drawings import boxes_of_symbols, parcel, rules, runs, words_of

NUMBER = Number(Box(4_000, 4_000, 12_000, 10_500), "weight")


def test_an_unknown_number_is_a_ruled_blank_above_its_name(sixth_game):
    blank = parcel(sixth_game, Face((replace(NUMBER, label="Stones"),)))
    assert words_of(blank) == "Stones" and len(rules(blank)) == 1


def test_a_row_shows_only_the_numbers_that_are_known(sixth_game):
    row = NumberRow(
        Box(4_000, 20_000, 50_000, 12_000),
        (("weight", "M2 2 L22 22", "Stones"), ("city", "", "City")),
        signed=True,
    )
    drawing = parcel(sixth_game, Face((row,)), facts={"weight": 7})
    assert words_of(drawing) == "+7 Stones"
    assert len(boxes_of_symbols(drawing)) == 1


def test_a_row_that_a_card_does_not_have_leaves_no_gap(sixth_game):
    row = NumberRow(Box(4_000, 20_000, 50_000, 12_000), (("weight", "", "Stones"),))
    face = Face((row, Notes(Box(4_000, 33_000, 50_000, 40_000))))
    without_row, with_row = (
        runs(parcel(sixth_game, face, facts=facts, text="It waits."))[-1].y for facts in ({}, {"weight": 7})
    )
    assert with_row - without_row == pytest.approx(13_000 * 88_900 / 88_000, abs=2)


def test_the_numbers_of_a_row_have_one_size(sixth_game):
    keys = ("one", "another", "third", "fourth", "fifth")
    game = replace(sixth_game, facts=tuple(Fact(key, "number", "A number.") for key in keys))
    row = NumberRow(
        Box(4_000, 20_000, 48_000, 11_500),
        tuple((key, "M2 2 L22 22", key.capitalize()) for key in keys),
        240,
        signed=True,
    )
    drawing = parcel(game, Face((row,)), facts=dict.fromkeys(keys, 5) | {"one": 0, "third": 12})
    values = [run for run in runs(drawing) if run.text.lstrip("+").isdigit()]
    assert [run.text for run in values] == ["0", "+5", "+12", "+5", "+5"]
    assert len({run.size for run in values}) == 1 and len({run.y for run in values}) == 1


def test_names_that_would_be_too_small_are_left_to_the_symbols(sixth_game):
    facts = tuple((key, "M2 2 L22 22", "A name of some length") for key in ("weight",) * 5)
    row = NumberRow(Box(4_000, 20_000, 30_000, 6_000), facts)
    drawing = parcel(sixth_game, Face((row,)), facts={"weight": 5})
    assert words_of(drawing) == "5 5 5 5 5"


@pytest.mark.parametrize(
    ("facts", "words", "symbols"),
    [
        ({"city": "N/A"}, "N/A Stones", 1),
        ({"city": "N/A", "weight": 2}, "2 Stones", 1),
        ({"city": "Special"}, "Special Stones", 0),
    ],
)
def test_a_word_may_replace_an_unknown_number(sixth_game, facts, words, symbols):
    number = Number(
        Box(4_000, 20_000, 13_500, 12_000), "weight", "Stones", symbol="M2 2 L22 22", instead="city"
    )
    drawing = parcel(sixth_game, Face((number,)), facts=facts)
    assert (words_of(drawing), len(boxes_of_symbols(drawing))) == (words, symbols)
