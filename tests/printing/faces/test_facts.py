"""Facts as words on a card: lines, marks, and blanks for unknown values."""

from dataclasses import replace

from cardsdb.games.kit import Card, Fact
from cardsdb.games.kit.print.face import Box, Face, FactSymbols, Lines, Notes, Number
from printing.faces import colours, fonts
from printing.faces.compose import compose
from printing.faces.strokes import Rect
from tests.support.drawings import boxes_of_symbols, extent, parcel, rules, runs, squashed, words_of


def test_a_fact_that_does_not_apply_is_not_drawn(sixth_game):
    courier = Card("deaddrop", "c", "Zorka", "courier")
    face = Face(
        (
            Number(Box(4_000, 4_000, 12_000, 10_500), "weight"),
            Lines(Box(4_000, 20_000, 50_000, 8_000), ("weight",), ("weight",)),
        )
    )
    drawing = compose(courier, replace(sixth_game, faces={"courier": face}))
    assert drawing.strokes == ()


def test_lines_leave_out_unknown_facts_unless_they_have_blanks(sixth_game):
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


def test_many_lines_take_two_columns_before_they_become_small(sixth_game):
    keys = tuple(f"fact{number}" for number in range(12))
    game = replace(sixth_game, facts=tuple(Fact(key, "number", "A number.") for key in keys))
    drawing = parcel(
        game, Face((Lines(Box(4_000, 20_000, 55_000, 20_000), keys),)), facts=dict.fromkeys(keys, 3)
    )
    assert len({run.x for run in runs(drawing) if run.text.startswith("Fact")}) == 2
    assert min(run.size for run in runs(drawing)) >= fonts.micrometres(57)


def marks_of(sixth_game, values, symbols=(), colours={}):
    game = replace(sixth_game, colours=colours, facts=(Fact("city", "words", "Where."),))
    face = Face((FactSymbols(Box(4_000, 20_000, 55_000, 6_000), "city", symbols),))
    return parcel(game, face, facts={"city": values} if values else {})


def test_a_mark_has_a_letter_in_its_colour_and_its_word(sixth_game):
    drawing = marks_of(sixth_game, ("Trieste", "Bern"), (), {"Trieste": "#ffe680", "Bern": "#8b1a1a"})
    assert words_of(drawing) == "T Trieste B Bern"
    tiles = [stroke.colour for stroke in drawing.strokes if isinstance(stroke, Rect)]
    assert tiles == ["#ffe680", "#8b1a1a"]
    letters = {run.text: run.colour for run in runs(drawing)}
    assert (letters["T"], letters["B"]) == (colours.INK, colours.PAPER)


def test_a_symbol_replaces_the_letter_if_its_name_is_in_the_value(sixth_game):
    drawing = marks_of(sixth_game, ("Old Trieste", "Bern"), (("Trieste", "M2 2 L22 22"),))
    assert words_of(drawing) == "Old Trieste B Bern" and len(boxes_of_symbols(drawing)) == 1


def test_an_unknown_mark_is_a_ruled_blank_with_its_name(sixth_game):
    drawing = marks_of(sixth_game, ())
    assert words_of(drawing) == "City" and len(rules(drawing)) == 1


def test_too_many_marks_for_their_words_keep_every_mark(sixth_game):
    drawing = marks_of(sixth_game, tuple(f"{letter} city of some length" for letter in "ABCDEFGHIJKL"))
    assert words_of(drawing) == "A B C D E F G H I J K L"
    assert max(extent(run)[2] for run in runs(drawing)) <= 60_000


def test_spare_facts_are_left_out_before_the_type_shrinks(sixth_game):
    keys = ("weight", "city")
    facts = {"weight": 7, "city": "Llanfairpwllgwyngyll and Trieste and Bern"}
    lines = Lines(Box(4_000, 20_000, 30_000, 4_500), keys)
    both, spared = (
        parcel(sixth_game, Face((replace(lines, spare=spare),)), facts=facts) for spare in ((), ("city",))
    )
    assert words_of(spared) == "Weight 7"
    assert "City" in words_of(both)
    assert runs(spared)[0].size > runs(both)[0].size
    roomy = replace(lines, box=Box(4_000, 20_000, 30_000, 20_000), spare=("city",))
    assert "City" in words_of(parcel(sixth_game, Face((roomy,)), facts=facts))


def test_ruled_lines_reach_the_end_of_the_box(sixth_game):
    lines = Lines(Box(4_000, 20_000, 30_000, 22_000), ("weight",), ruled=True)
    empty, filled = (parcel(sixth_game, Face((lines,)), facts=facts) for facts in ({}, {"weight": 7}))
    assert len(rules(empty)) > len(rules(filled)) > 1
    assert min(rule.y1 for rule in rules(filled)) > runs(filled)[0].y
    assert max(rule.y1 for rule in rules(filled)) == 42_000 * 88_900 // 88_000
