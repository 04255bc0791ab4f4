"""Facts on a drawn card: numbers, lines, tables, marks, notes, and what is unknown."""

from __future__ import annotations

from dataclasses import replace

import pytest

from cardsdb.games.kit import Card, Fact
from cardsdb.games.kit.print.face import Box, Face, FactSymbols, Lines, Notes, Number, NumberRow, Text
from printing.faces import colours, fonts
from printing.faces.compose import compose
from printing.faces.strokes import Rect
from tests.support.drawings import boxes_of_symbols, extent, parcel, rules, runs, squashed, words_of


def test_a_number_stands_large_over_its_name(sixth_game):
    drawing = parcel(
        sixth_game, Face((Number(Box(4_000, 4_000, 12_000, 10_500), "weight"),)), facts={"weight": 7}
    )
    value, label = runs(drawing)
    assert (value.text, label.text) == ("7", "Weight")
    assert value.size > 2 * label.size
    assert value.y < label.y
    assert not rules(drawing)


def test_an_unknown_number_is_a_ruled_blank(sixth_game):
    drawing = parcel(sixth_game, Face((Number(Box(4_000, 4_000, 12_000, 10_500), "weight", "Stones"),)))
    assert words_of(drawing) == "Stones"
    assert len(rules(drawing)) == 1


def test_a_fact_that_does_not_apply_is_nothing(sixth_game):
    courier = Card("deaddrop", "c", "Zorka", "courier")
    face = Face(
        (
            Number(Box(4_000, 4_000, 12_000, 10_500), "weight"),
            Lines(Box(4_000, 20_000, 50_000, 8_000), ("weight",), ("weight",)),
        )
    )
    drawing = compose(courier, replace(sixth_game, faces={"courier": face}))
    assert drawing.strokes == ()


def test_lines_leave_out_what_is_unknown_unless_it_is_to_be_filled_in(sixth_game):
    box = Box(4_000, 20_000, 50_000, 12_000)
    shown = parcel(sixth_game, Face((Lines(box, ("weight", "city")),)), facts={"weight": 7})
    assert words_of(shown) == "Weight 7"
    ruled = parcel(sixth_game, Face((Lines(box, ("weight", "city"), ("city",)),)), facts={"weight": 7})
    assert words_of(ruled) == "Weight 7 City"
    assert len(rules(ruled)) == 1


def test_a_long_value_runs_on_and_pushes_the_notes_down(sixth_game):
    face = Face(
        (Lines(Box(4_000, 20_000, 50_000, 4_200), ("city",)), Notes(Box(4_000, 25_000, 50_000, 50_000)))
    )
    city = "Llanfairpwllgwyngyll, " * 12
    drawing = parcel(sixth_game, face, facts={"city": city}, text="It waits.")
    value = [run for run in runs(drawing) if "Llan" in run.text]
    assert len(value) > 3
    assert squashed(city) == squashed("".join(run.text for run in value))
    assert next(run.y for run in runs(drawing) if run.text == "It waits.") > max(run.y for run in value)


def test_many_lines_stand_in_two_columns_before_they_become_small(sixth_game):
    keys = tuple(f"fact{number}" for number in range(12))
    game = replace(sixth_game, facts=tuple(Fact(key, "number", "A number.") for key in keys))
    drawing = parcel(
        game, Face((Lines(Box(4_000, 20_000, 55_000, 20_000), keys),)), facts=dict.fromkeys(keys, 3)
    )
    assert len({run.x for run in runs(drawing) if run.text.startswith("Fact")}) == 2
    assert min(run.size for run in runs(drawing)) >= fonts.micrometres(57)


def test_marks_carry_letter_and_colour_and_word(sixth_game):
    game = replace(
        sixth_game,
        colours={"Trieste": "#ffe680", "Bern": "#8b1a1a"},
        facts=(Fact("city", "words", "Where."),),
    )
    drawing = parcel(
        game,
        Face((FactSymbols(Box(4_000, 20_000, 55_000, 6_000), "city"),)),
        facts={"city": ("Trieste", "Bern")},
    )
    assert words_of(drawing) == "T Trieste B Bern"
    light, dark = [stroke.colour for stroke in drawing.strokes if isinstance(stroke, Rect)]
    assert (light, dark) == ("#ffe680", "#8b1a1a")
    letters = {run.text: run.colour for run in runs(drawing)}
    assert letters["T"] == colours.INK
    assert letters["B"] == colours.PAPER


def test_an_unknown_mark_is_a_ruled_blank_with_its_name(sixth_game):
    drawing = parcel(sixth_game, Face((FactSymbols(Box(4_000, 20_000, 50_000, 6_000), "city"),)))
    assert words_of(drawing) == "City"
    assert len(rules(drawing)) == 1


def test_more_marks_than_the_box_is_wide_lose_their_words_but_not_one_mark(sixth_game):
    values = tuple(f"{letter} city of some length" for letter in "ABCDEFGHIJKL")
    game = replace(sixth_game, facts=(Fact("city", "words", "Where."),))
    drawing = parcel(
        game, Face((FactSymbols(Box(4_000, 20_000, 55_000, 6_000), "city"),)), facts={"city": values}
    )
    assert words_of(drawing) == "A B C D E F G H I J K L"
    assert max(extent(run)[2] for run in runs(drawing)) <= 60_000


def test_notes_are_the_text_and_then_where_one_asks_for_them_rules_down_to_the_foot(sixth_game):
    face = Face((Notes(Box(4_000, 20_000, 55_000, 60_000)),))
    game = replace(sixth_game, faces={"parcel": face})
    card = Card("deaddrop", "p", "Parcel", "parcel", text="Counts double.")
    assert not rules(compose(card, game))
    empty, filled = parcel(sixth_game, face), compose(card, game, ruled=True)
    assert len(rules(empty)) > len(rules(filled)) > 5
    assert words_of(filled) == "Counts double."
    assert all(rule.y1 > runs(filled)[0].y for rule in rules(filled))
    assert max(rule.y1 for rule in rules(filled)) == 80_000 * 88_900 // 88_000


def test_a_long_text_is_set_smaller_and_whole(sixth_game):
    text = "It says a great deal about what happens, and to whom, and when. " * 70
    drawing = parcel(sixth_game, Face((Notes(Box(4_000, 20_000, 55_000, 60_000)),)), text=text)
    assert squashed(words_of(drawing)) == squashed(text)
    assert max(extent(run)[3] for run in runs(drawing)) <= 88_900
    assert not rules(drawing)


def test_large_print_is_larger_where_there_is_room(sixth_game):
    face = Face(
        (Text(Box(4_000, 4_000, 55_000, 12_000), "name", 120), Notes(Box(4_000, 20_000, 55_000, 50_000)))
    )
    game = replace(sixth_game, faces={"parcel": face})
    card = Card("deaddrop", "p", "Parcel", "parcel", text="It waits.")
    usual, large = (runs(compose(card, game, large=is_large)) for is_large in (False, True))
    assert [round(big.size / run.size, 2) for run, big in zip(usual, large, strict=True)] == [1.25, 1.25]


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
    row, notes = (
        NumberRow(Box(4_000, 20_000, 50_000, 12_000), (("weight", "", "Stones"),)),
        Notes(Box(4_000, 33_000, 50_000, 40_000)),
    )
    first = [
        parcel(sixth_game, Face((row, notes)), facts=facts, text="It waits.") for facts in ({}, {"weight": 7})
    ]
    with_it, without = (
        next(run.y for run in runs(drawing) if run.text == "It waits.") for drawing in reversed(first)
    )
    assert with_it - without == pytest.approx(13_000 * 88_900 / 88_000, abs=2)


def test_a_word_stands_in_a_numbers_place(sixth_game):
    number = Number(Box(4_000, 20_000, 14_000, 12_000), "weight", "Stones", instead="city")
    assert words_of(parcel(sixth_game, Face((number,)), facts={"city": "N/A"})) == "N/A Stones"
    assert words_of(parcel(sixth_game, Face((number,)), facts={"city": "N/A", "weight": 2})) == "2 Stones"


def test_a_marks_symbol_is_found_by_the_word_in_its_value(sixth_game):
    game = replace(sixth_game, facts=(Fact("city", "words", "Where."),))
    marks = FactSymbols(Box(4_000, 20_000, 50_000, 6_000), "city", (("Trieste", "M2 2 L22 22"),))
    drawing = parcel(game, Face((marks,)), facts={"city": ("Old Trieste", "Bern")})
    assert words_of(drawing) == "Old Trieste B Bern"
    assert len(boxes_of_symbols(drawing)) == 1


# -- when room is short ---------------------------------------------------------------


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


def test_a_word_too_long_for_its_drawing_stands_alone(sixth_game):
    number = Number(
        Box(4_000, 20_000, 13_500, 12_000), "weight", "Stones", symbol="M2 2 L22 22", instead="city"
    )
    beside, alone = (parcel(sixth_game, Face((number,)), facts={"city": city}) for city in ("N/A", "Special"))
    assert (words_of(beside), words_of(alone)) == ("N/A Stones", "Special Stones")
    assert (len(boxes_of_symbols(beside)), len(boxes_of_symbols(alone))) == (1, 0)


def test_facts_that_can_be_spared_give_way_before_the_type_shrinks(sixth_game):
    keys = ("weight", "city")
    facts = {"weight": 7, "city": "Llanfairpwllgwyngyll and Trieste and Bern"}
    lines = Lines(Box(4_000, 20_000, 30_000, 4_500), keys)
    small, full = (
        parcel(sixth_game, Face((replace(lines, spare=spare),)), facts=facts) for spare in ((), ("city",))
    )
    assert words_of(full) == "Weight 7"
    assert "City" in words_of(small)
    assert runs(full)[0].size > runs(small)[0].size
    roomy = replace(lines, box=Box(4_000, 20_000, 30_000, 20_000), spare=("city",))
    assert "City" in words_of(parcel(sixth_game, Face((roomy,)), facts=facts))


def test_lines_that_can_be_added_to_are_ruled_down_to_the_boxs_end(sixth_game):
    lines = Lines(Box(4_000, 20_000, 30_000, 22_000), ("weight",), ruled=True)
    empty, one = (parcel(sixth_game, Face((lines,)), facts=facts) for facts in ({}, {"weight": 7}))
    assert len(rules(empty)) > len(rules(one)) > 1
    assert min(rule.y1 for rule in rules(one)) > runs(one)[0].y
    assert max(rule.y1 for rule in rules(one)) == 42_000 * 88_900 // 88_000
