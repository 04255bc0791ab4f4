"""Numbers on a drawn card: over their names, in rows, and what stands in their place."""

from dataclasses import replace

import pytest

from cardsdb.games.kit import Fact
from cardsdb.games.kit.print.face import Box, Face, Notes, Number, NumberRow
from tests.support.drawings import boxes_of_symbols, parcel, rules, runs, words_of


def test_a_number_stands_large_over_its_name_and_an_unknown_one_is_a_ruled_blank(sixth_game):
    number = Number(Box(4_000, 4_000, 12_000, 10_500), "weight")
    drawing = parcel(sixth_game, Face((number,)), facts={"weight": 7})
    value, label = runs(drawing)
    assert (value.text, label.text) == ("7", "Weight")
    assert value.size > 2 * label.size and value.y < label.y and not rules(drawing)
    blank = parcel(sixth_game, Face((replace(number, label="Stones"),)))
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


def test_what_a_card_does_not_have_leaves_no_gap(sixth_game):
    row = NumberRow(Box(4_000, 20_000, 50_000, 12_000), (("weight", "", "Stones"),))
    face = Face((row, Notes(Box(4_000, 33_000, 50_000, 40_000))))
    without, with_it = (
        runs(parcel(sixth_game, face, facts=facts, text="It waits."))[-1].y for facts in ({}, {"weight": 7})
    )
    assert with_it - without == pytest.approx(13_000 * 88_900 / 88_000, abs=2)


def test_the_numbers_of_a_row_are_of_one_size_however_many(sixth_game):
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


def test_names_under_a_row_that_would_be_too_small_are_left_to_the_drawings(sixth_game):
    facts = tuple((key, "M2 2 L22 22", "A name of some length") for key in ("weight",) * 5)
    row = NumberRow(Box(4_000, 20_000, 30_000, 6_000), facts)
    drawing = parcel(sixth_game, Face((row,)), facts={"weight": 5})
    assert words_of(drawing) == "5 5 5 5 5"


def test_a_word_stands_in_a_numbers_place_and_alone_if_it_is_too_long_for_its_drawing(sixth_game):
    number = Number(
        Box(4_000, 20_000, 13_500, 12_000), "weight", "Stones", symbol="M2 2 L22 22", instead="city"
    )
    for facts, words, symbols in (
        ({"city": "N/A"}, "N/A Stones", 1),
        ({"city": "N/A", "weight": 2}, "2 Stones", 1),
        ({"city": "Special"}, "Special Stones", 0),
    ):
        drawing = parcel(sixth_game, Face((number,)), facts=facts)
        assert (words_of(drawing), len(boxes_of_symbols(drawing))) == (words, symbols)
