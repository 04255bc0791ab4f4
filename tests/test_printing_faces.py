"""What stands on a drawn card, as strokes and as SVG."""

from __future__ import annotations

import re
from dataclasses import replace
from xml.etree import ElementTree

import pytest

from cardsdb.games import games
from cardsdb.games.kit import Card, Claim, Credit, Fact, Print
from cardsdb.games.kit.face import Box, Face, Fill, Lines, Marks, Notes, Number, Row, Symbol, Text, dossier
from printing import colours, fonts
from printing.compose import compose, has_notes
from printing.easel import Easel
from printing.facts import draw_number
from printing.outputs.safe_zone import nearest_words
from printing.strokes import Drawing, Line, Path, Rect, TextRun
from printing.svg import card_svg
from printing.symbols import read_path

POKER = (63_500, 88_900)
HARD_NAMES = (
    'RS-9, "The Koffin"',
    "Død Kalm",
    "2nd Lt. Chavez",
    "Not THIS Federal Building, You Don't",
    "Tesos Dos Bichos Excavation, Ecquadorian Highlands, South America",
    "Agent " + "Extraordinarily " * 10 + "Named",
    "Donaudampfschiffahrtselektrizitaetenhauptbetriebswerkbauunterbeamtengesellschaft",
)


def runs(drawing: Drawing) -> list[TextRun]:
    return [stroke for stroke in drawing.strokes if isinstance(stroke, TextRun)]


def rules(drawing: Drawing) -> list[Line]:
    return [stroke for stroke in drawing.strokes if isinstance(stroke, Line)]


def words(drawing: Drawing) -> str:
    return " ".join(run.text for run in runs(drawing))


def squashed(text: str) -> str:
    return "".join(text.split())


def extent(run: TextRun) -> tuple[int, int, int, int]:
    """Left, top, right, bottom of the letters; only those that hang below the line reach below it."""
    cut = fonts.CUTS[run.font]
    up, down = run.size * cut.cap // 1000, run.size * cut.drop // 1000 if re.search(r"[gjpqyQ,;()]", run.text) else 0
    if run.turned:
        return run.x - up, run.y - run.width, run.x + down, run.y
    return run.x, run.y - up, run.x + run.width, run.y + down


def meet(one: tuple[int, int, int, int], other: tuple[int, int, int, int]) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def bare_cards(game) -> list[Card]:
    """A card of every type of which nothing is known but a long name, one written in, and one of no known type."""
    name = "Somebody or Something of Which Nobody Knows Any More than This"
    bare = [Card(game.slug, "bare", name, card_type) for card_type in game.types_by_slug]
    return [*bare, Card(game.slug, "new", name, game.types[0].slug, written=True), Card(game.slug, "unknown", name, "")]


def boxes_of_symbols(drawing: Drawing) -> list[tuple[int, int, int, int]]:
    found = []
    for stroke in drawing.strokes:
        if isinstance(stroke, Path):
            xs, ys = ([n for _, numbers in stroke.steps for n in numbers[axis::2]] for axis in (0, 1))
            found.append((min(xs), min(ys), max(xs), max(ys)))
    return found


def parcel(game, face: Face, **given) -> Drawing:
    card = Card(**{"game": "deaddrop", "code": "p", "name": "Parcel", "type": "parcel", "facts": {}, **given})
    return compose(card, replace(game, faces={"parcel": face}))


# -- facts --------------------------------------------------------------------------


def test_a_number_stands_large_over_its_name(sixth_game):
    drawing = parcel(sixth_game, Face((Number(Box(4_000, 4_000, 12_000, 10_500), "weight"),)), facts={"weight": 7})
    value, label = runs(drawing)
    assert (value.text, label.text) == ("7", "Weight")
    assert value.size > 2 * label.size
    assert value.y < label.y
    assert not rules(drawing)


def test_an_unknown_number_is_a_ruled_blank(sixth_game):
    drawing = parcel(sixth_game, Face((Number(Box(4_000, 4_000, 12_000, 10_500), "weight", "Stones"),)))
    assert words(drawing) == "Stones"
    assert len(rules(drawing)) == 1


def test_a_fact_that_does_not_apply_is_nothing(sixth_game):
    courier = Card("deaddrop", "c", "Zorka", "courier")
    face = Face((Number(Box(4_000, 4_000, 12_000, 10_500), "weight"), Lines(Box(4_000, 20_000, 50_000, 8_000), ("weight",), ("weight",))))
    drawing = compose(courier, replace(sixth_game, faces={"courier": face}))
    assert drawing.strokes == ()


def test_lines_leave_out_what_is_unknown_unless_it_is_to_be_filled_in(sixth_game):
    box = Box(4_000, 20_000, 50_000, 12_000)
    shown = parcel(sixth_game, Face((Lines(box, ("weight", "city")),)), facts={"weight": 7})
    assert words(shown) == "Weight 7"
    ruled = parcel(sixth_game, Face((Lines(box, ("weight", "city"), ("city",)),)), facts={"weight": 7})
    assert words(ruled) == "Weight 7 City"
    assert len(rules(ruled)) == 1


def test_a_long_value_runs_on_and_pushes_the_notes_down(sixth_game):
    face = Face((Lines(Box(4_000, 20_000, 50_000, 4_200), ("city",)), Notes(Box(4_000, 25_000, 50_000, 50_000))))
    city = "Llanfairpwllgwyngyll, " * 12
    drawing = parcel(sixth_game, face, facts={"city": city}, text="It waits.")
    value = [run for run in runs(drawing) if "Llan" in run.text]
    assert len(value) > 3
    assert squashed(city) == squashed("".join(run.text for run in value))
    assert next(run.y for run in runs(drawing) if run.text == "It waits.") > max(run.y for run in value)


def test_many_lines_stand_in_two_columns_before_they_become_small(sixth_game):
    keys = tuple(f"fact{number}" for number in range(12))
    game = replace(sixth_game, facts=tuple(Fact(key, "number", "A number.") for key in keys))
    drawing = parcel(game, Face((Lines(Box(4_000, 20_000, 55_000, 20_000), keys),)), facts=dict.fromkeys(keys, 3))
    assert len({run.x for run in runs(drawing) if run.text.startswith("Fact")}) == 2
    assert min(run.size for run in runs(drawing)) >= fonts.micrometres(57)


def test_marks_carry_letter_and_colour_and_word(sixth_game):
    game = replace(sixth_game, colours={"Trieste": "#ffe680", "Bern": "#8b1a1a"}, facts=(Fact("city", "words", "Where."),))
    drawing = parcel(game, Face((Marks(Box(4_000, 20_000, 55_000, 6_000), "city"),)), facts={"city": ("Trieste", "Bern")})
    assert words(drawing) == "T Trieste B Bern"
    light, dark = [stroke.colour for stroke in drawing.strokes if isinstance(stroke, Rect)]
    assert (light, dark) == ("#ffe680", "#8b1a1a")
    letters = {run.text: run.colour for run in runs(drawing)}
    assert letters["T"] == colours.INK
    assert letters["B"] == colours.PAPER


def test_an_unknown_mark_is_a_ruled_blank_with_its_name(sixth_game):
    drawing = parcel(sixth_game, Face((Marks(Box(4_000, 20_000, 50_000, 6_000), "city"),)))
    assert words(drawing) == "City"
    assert len(rules(drawing)) == 1


def test_more_marks_than_the_box_is_wide_lose_their_words_but_not_one_mark(sixth_game):
    values = tuple(f"{letter} city of some length" for letter in "ABCDEFGHIJKL")
    game = replace(sixth_game, facts=(Fact("city", "words", "Where."),))
    drawing = parcel(game, Face((Marks(Box(4_000, 20_000, 55_000, 6_000), "city"),)), facts={"city": values})
    assert words(drawing) == "A B C D E F G H I J K L"
    assert max(extent(run)[2] for run in runs(drawing)) <= 60_000


def test_notes_are_the_text_and_then_rules_down_to_the_foot(sixth_game):
    face = Face((Notes(Box(4_000, 20_000, 55_000, 60_000)),))
    empty, said = parcel(sixth_game, face), parcel(sixth_game, face, text="Counts double.")
    assert len(rules(empty)) > len(rules(said)) > 5
    assert words(said) == "Counts double."
    assert all(rule.y1 > runs(said)[0].y for rule in rules(said))
    assert max(rule.y1 for rule in rules(said)) == 80_000 * 88_900 // 88_000


def test_a_long_text_is_set_smaller_and_whole(sixth_game):
    text = "It says a great deal about what happens, and to whom, and when. " * 70
    drawing = parcel(sixth_game, Face((Notes(Box(4_000, 20_000, 55_000, 60_000)),)), text=text)
    assert squashed(words(drawing)) == squashed(text)
    assert max(extent(run)[3] for run in runs(drawing)) <= 88_900
    assert not rules(drawing)


# -- words and inks -------------------------------------------------------------------


def test_the_foot_names_print_and_source(sixth_game):
    assert "ONE 2 · Source: Dead Drop rule sheet" in words(compose(sixth_game.card("sealed-box"), sixth_game))


def test_a_print_shown_elsewhere_is_not_said_twice(sixth_game):
    face = Face((Text(Box(4_000, 70_000, 50_000, 4_000), "set"), Text(Box(4_000, 80_000, 50_000, 4_000), "credit")))
    claim = {"": (Claim("sheet"),)}
    assert words(parcel(sixth_game, face, prints=(Print("ONE", "2"),), sources=claim)) == "ONE 2 Source: Dead Drop rule sheet"


def test_a_credit_that_is_asked_for_stands_on_every_face(sixth_game):
    credit = Credit("Dead Drop by N. N.", "CC BY-NC 4.0", "https://example.org/by-nc", "https://example.org/dd", "Redrawn.")
    bare = Face((Text(Box(4_000, 4_000, 50_000, 8_000), "name"),))
    for face in (bare, replace(bare, landscape=True), dossier()):
        assert "Dead Drop by N. N., CC BY-NC 4.0" in words(parcel(replace(sixth_game, credit=credit), face))


def test_a_written_in_card_says_so(sixth_game):
    assert "Written in by the list’s author" in words(parcel(sixth_game, dossier(), written=True))


def test_words_that_could_not_be_read_on_their_ground_change_ink(sixth_game):
    game = replace(sixth_game, colours={"Trieste": "#fff2b0"})
    band = Box(0, 0, 63_000, 13_500)
    face = Face((Fill(band, "by:city"), Text(band, "name", colour="paper")))
    assert runs(parcel(game, face, facts={"city": "trieste"}))[0].colour == colours.INK
    assert runs(parcel(game, face, facts={"city": "nowhere"}))[0].colour == colours.PAPER


@pytest.mark.parametrize("role", ["ink", "soft", "line"])
def test_the_familys_inks_can_be_read_on_its_paper(role):
    assert colours.contrast(colours.ROLES[role], colours.PAPER) >= (3.0 if role == "line" else 4.5)


def test_fills_at_the_trim_run_on_into_the_bleed(sixth_game):
    face = Face((Fill(Box(0, 0, 63_000, 13_500), "hue"), Fill(Box(9_000, 20_000, 5_000, 5_000), "ink")))
    band, inner = compose(sixth_game.card("zorka"), replace(sixth_game, faces={"courier": face}), (63_000, 88_000), bleed=1_000).strokes
    assert band[:4] == (-1_000, -1_000, 65_000, 14_500)
    assert inner[:4] == (9_000, 20_000, 5_000, 5_000)


def test_a_landscape_face_lies_across_its_slot(sixth_game):
    drawing = parcel(sixth_game, dossier(landscape=True))
    assert (drawing.width, drawing.height, drawing.turned) == (88_900, 63_500, True)
    assert not parcel(sixth_game, dossier()).turned


def test_a_symbol_is_drawn_from_its_path(sixth_game):
    box = Box(0, 0, 24_000, 24_000)
    game = replace(sixth_game, faces={"courier": Face((Symbol(box, "M4 4 H20 V20 Z", "hue"), Symbol(box, "M4 4L20 4", stroke=False)))})
    outline, filled = compose(sixth_game.card("zorka"), game, (63_000, 88_000)).strokes
    assert isinstance(outline, Path) and isinstance(filled, Path)
    assert outline.steps == (("M", (4_000, 4_000)), ("L", (20_000, 4_000)), ("L", (20_000, 20_000)), ("Z", ()))
    assert (outline.pen, filled.pen) == (2_000, 0)


@pytest.mark.parametrize("path", ["M 1 2 a 3 3", "M 1 2 3", "L"])
def test_a_path_that_cannot_be_drawn_is_refused(path):
    with pytest.raises(ValueError, match="symbol's path"):
        read_path(path)


def test_a_letter_the_serif_lacks_comes_from_the_sans():
    assert fonts.split("serif-bold", "AŧB") == (("serif-bold", "A"), ("sans-bold", "ŧ"), ("serif-bold", "B"))
    assert fonts.missing("AŧB") == ()


def test_accents_are_joined_to_their_letters_and_what_no_font_has_is_named():
    assert fonts.plain("e\u0301  x\r\ny ") == "é x\ny"
    assert fonts.missing("Agent \N{SLEUTH OR SPY} スパ \u200b") == ("\N{SLEUTH OR SPY}", "ス", "パ", "\u200b")
    assert fonts.missing("Агент Ørsted ŁÓDŹ ﬁ “…” −5 ½ ×") == ()


# -- every face -----------------------------------------------------------------------


@pytest.mark.parametrize("name", HARD_NAMES)
@pytest.mark.parametrize(
    "face",
    [
        dossier(),
        dossier(corner="weight", column=("weight",), foot="weight", lines=("city",), blanks=("city",), marks="city"),
        dossier(corner="weight", column=("weight",) * 4, foot="weight", name_up_edge=True),
        dossier(corner="weight", landscape=True),
    ],
)
@pytest.mark.parametrize("trim", [POKER, (63_000, 88_000), (44_000, 68_000)])
def test_no_name_is_clipped_or_lost_on_any_face(sixth_game, name, face, trim):
    card = Card("deaddrop", "p", name, "parcel", {"weight": 12}, text="Counts double. " * 12, prints=(Print("ONE", "2"),))
    drawing = compose(card, replace(sixth_game, faces={"parcel": face}), trim)
    assert squashed(name) in squashed(words(drawing))
    for run in runs(drawing):
        left, top, right, bottom = extent(run)
        assert min(left, top) >= 0 and right <= drawing.width and bottom <= drawing.height


@pytest.mark.parametrize("style", [{}, {"plain": True}, {"large": True}], ids=["usual", "plain", "large"])
@pytest.mark.parametrize("slug", list(games()))
def test_on_every_card_of_the_catalogue_words_stay_inside_and_apart(slug, style):
    """Every letter 1 mm or more within the trim, and no two runs of words on top of each other."""
    game = games()[slug]
    for card in [*game.cards, *bare_cards(game)]:
        drawing = compose(card, game, game.trim, **style)
        boxes = [extent(run) for run in runs(drawing)]
        assert squashed(fonts.plain(card.name)) in squashed(words(drawing)), card.key
        if has_notes(game, card.type):
            assert squashed(fonts.plain(card.text)) in squashed(words(drawing)), card.key
        for index, (left, top, right, bottom) in enumerate(boxes):
            where = f"{card.key}: {runs(drawing)[index].text}"
            assert left >= 1_000 and top >= 1_000 and right <= drawing.width - 1_000 and bottom <= drawing.height - 1_000, where
            assert not any(meet(boxes[index], other) for other in boxes[index + 1 :]), where


@pytest.mark.parametrize("trim", [POKER, (63_000, 88_000)])
@pytest.mark.parametrize("slug", list(games()))
def test_on_every_card_of_the_catalogue_words_keep_an_eighth_of_an_inch_from_the_cut(slug, trim):
    """What print services call the safe zone."""
    game = games()[slug]
    for card in [*game.cards, *bare_cards(game)]:
        assert (nearest_words(compose(card, game, trim)) or 0) >= 3_175, card.key


@pytest.mark.parametrize("large", [False, True], ids=["usual", "large"])
@pytest.mark.parametrize("slug", list(games()))
def test_every_number_keeps_to_its_box_and_to_the_words_beside_it(slug, large):
    """A number of two or three digits too, and none reaches further to the right than the text does."""
    game = games()[slug]
    for card_type in {card.type for card in game.cards}:
        face, bare = game.face_named(card_type), Card(slug, "x", "X", card_type)
        ends = max([element.box.x + element.box.width for element in face.elements if isinstance(element, Lines | Notes)], default=0)
        width, height = (88_000, 63_000) if face.landscape else (63_000, 88_000)
        for element in (element for element in face.elements if isinstance(element, Number)):
            for value in (7, 10, 16, 100):
                easel = Easel(replace(bare, facts={element.fact: value}), game, face.landscape, (width, height), 0, large=large)
                draw_number(easel, element)
                box, found = element.box, [one for one in easel.strokes if isinstance(one, TextRun)]
                assert str(value) in {one.text for one in found}, (card_type, element.fact)
                for one in found:
                    rise = fonts.CUTS[one.font].cap * one.size // 1000
                    assert box.x <= one.x and one.x + one.width <= min(box.x + box.width, max(ends, width - 3_200)), (card_type, one)
                    assert box.y <= one.y - rise and one.y <= box.y + box.height, (card_type, one)


@pytest.mark.parametrize("slug", list(games()))
def test_on_every_card_of_the_catalogue_no_symbol_covers_a_word(slug):
    game = games()[slug]
    for card in [*game.cards, *bare_cards(game)]:
        drawing = compose(card, game, game.trim)
        for symbol in boxes_of_symbols(drawing):
            assert min(symbol[:2]) >= 0 and symbol[2] <= drawing.width and symbol[3] <= drawing.height, card.key
            assert not [run.text for run in runs(drawing) if meet(symbol, extent(run))], card.key


@pytest.mark.parametrize("slug", list(games()))
def test_what_is_read_in_play_is_six_and_a_half_points_or_more(slug):
    """All but the foot, which says where the card is from, and the names under numbers."""
    game = games()[slug]
    for card in game.cards:
        drawing = compose(card, game, game.trim)
        small = [run.text for run in runs(drawing) if run.size < fonts.micrometres(60) and run.y < drawing.height - 7_000]
        assert small == [], card.key


@pytest.mark.parametrize("slug", list(games()))
def test_a_number_is_the_largest_thing_on_its_card(slug):
    game = games()[slug]
    for card in game.cards:
        shown = [element.fact for element in game.face_named(card.type).elements if isinstance(element, Number)]
        values = {str(card.fact(key)) for key in shown if isinstance(card.fact(key), int) and not isinstance(card.fact(key), bool)}
        if values:
            largest = max(runs(compose(card, game, game.trim)), key=lambda run: run.size)
            assert largest.text in values, card.key


@pytest.mark.parametrize("slug", list(games()))
def test_a_plain_card_has_no_fills_and_the_same_words_in_inks_for_paper(slug):
    game = games()[slug]
    for card in [*game.cards[::7], *bare_cards(game)]:
        plain, usual = (compose(card, game, game.trim, plain=is_plain) for is_plain in (True, False))
        assert not any(isinstance(stroke, Rect) for stroke in plain.strokes)
        assert all(colours.contrast(run.colour, colours.PAPER) >= 4.5 for run in runs(plain)), card.key
        assert words(plain) == words(usual)


def test_large_print_is_larger_where_there_is_room(sixth_game):
    face = Face((Text(Box(4_000, 4_000, 55_000, 12_000), "name", 120), Notes(Box(4_000, 20_000, 55_000, 50_000))))
    game = replace(sixth_game, faces={"parcel": face})
    card = Card("deaddrop", "p", "Parcel", "parcel", text="It waits.")
    usual, large = (runs(compose(card, game, large=is_large)) for is_large in (False, True))
    assert [round(big.size / run.size, 2) for run, big in zip(usual, large, strict=True)] == [1.25, 1.25]


def test_a_row_shows_only_the_numbers_that_are_known(sixth_game):
    row = Row(Box(4_000, 20_000, 50_000, 12_000), (("weight", "M2 2 L22 22", "Stones"), ("city", "", "City")), signed=True)
    drawing = parcel(sixth_game, Face((row,)), facts={"weight": 7})
    assert words(drawing) == "+7 Stones"
    assert len(boxes_of_symbols(drawing)) == 1


def test_what_a_card_does_not_have_leaves_no_gap(sixth_game):
    row, notes = Row(Box(4_000, 20_000, 50_000, 12_000), (("weight", "", "Stones"),)), Notes(Box(4_000, 33_000, 50_000, 40_000))
    first = [parcel(sixth_game, Face((row, notes)), facts=facts, text="It waits.") for facts in ({}, {"weight": 7})]
    with_it, without = (next(run.y for run in runs(drawing) if run.text == "It waits.") for drawing in reversed(first))
    assert with_it - without == pytest.approx(13_000 * 88_900 / 88_000, abs=2)


def test_a_table_puts_its_values_under_each_other(sixth_game):
    keys = ("one", "another", "third")
    game = replace(sixth_game, facts=tuple(Fact(key, "number", "A number.") for key in keys))
    table = Lines(Box(4_000, 20_000, 40_000, 15_000), keys, keys, table=True)
    drawing = parcel(game, Face((table,)), facts={"one": 3, "another": 12})
    ends = {run.x + run.width for run in runs(drawing) if run.text in ("3", "12")}
    assert max(ends) - min(ends) <= 2
    assert words(drawing) == "One 3 Another 12 Third"


def test_on_a_card_with_a_text_a_table_says_in_one_line_what_is_nothing(sixth_game):
    keys = ("one", "another", "third", "fourth")
    game = replace(sixth_game, facts=tuple(Fact(key, "number", "A number.") for key in keys))
    face = Face((Lines(Box(4_000, 20_000, 40_000, 16_000), keys, keys, table=True), Notes(Box(4_000, 37_000, 40_000, 40_000))))
    facts = dict.fromkeys(keys, 0) | {"another": 12}
    said = parcel(game, face, facts=facts, text="It waits.")
    assert words(said) == "Another 12 Others 0 It waits."
    assert next(run.y for run in runs(said) if run.text == "It waits.") < 37_000
    assert words(parcel(game, face, facts=facts)) == "One 0 Another 12 Third 0 Fourth 0"


def test_a_word_stands_in_a_numbers_place(sixth_game):
    number = Number(Box(4_000, 20_000, 14_000, 12_000), "weight", "Stones", instead="city")
    assert words(parcel(sixth_game, Face((number,)), facts={"city": "N/A"})) == "N/A Stones"
    assert words(parcel(sixth_game, Face((number,)), facts={"city": "N/A", "weight": 2})) == "2 Stones"


def test_a_marks_symbol_is_found_by_the_word_in_its_value(sixth_game):
    game = replace(sixth_game, facts=(Fact("city", "words", "Where."),))
    marks = Marks(Box(4_000, 20_000, 50_000, 6_000), "city", (("Trieste", "M2 2 L22 22"),))
    drawing = parcel(game, Face((marks,)), facts={"city": ("Old Trieste", "Bern")})
    assert words(drawing) == "Old Trieste B Bern"
    assert len(boxes_of_symbols(drawing)) == 1


@pytest.mark.parametrize("slug", list(games()))
def test_names_in_the_catalogue_are_nine_points_or_more(slug):
    game = games()[slug]
    small = [card.name for card in game.cards for run in runs(compose(card, game, game.trim)) if "serif" in run.font and run.size < 3_150]
    assert small == []


# -- SVG --------------------------------------------------------------------------------

SVG = "{http://www.w3.org/2000/svg}"


def test_a_card_as_svg_has_its_true_size_and_a_name(sixth_game):
    svg = ElementTree.fromstring(card_svg(sixth_game.card("zorka"), sixth_game))
    assert (svg.get("width"), svg.get("height"), svg.get("viewBox"), svg.get("role")) == ("63.5mm", "88.9mm", "0 0 63500 88900", "img")
    assert svg.findtext(f"{SVG}title") == "Zorka, Courier, Dead Drop"


def test_svg_draws_the_strokes_of_the_sheet(sixth_game):
    card = sixth_game.card("sealed-box")
    drawing, svg = compose(card, sixth_game, sixth_game.trim), ElementTree.fromstring(card_svg(card, sixth_game))
    assert [(text.text, text.get("x"), text.get("y"), text.get("textLength")) for text in svg.iter(f"{SVG}text")] == [
        (run.text, str(run.x), str(run.y), str(run.width)) for run in runs(drawing)
    ]
    assert len(list(svg.iter(f"{SVG}rect"))) == sum(isinstance(stroke, Rect) for stroke in drawing.strokes)


def test_svg_keeps_hostile_words_inert_and_uses_no_inline_style(sixth_game):
    hostile = """</text><script>alert("1")</script><image href='x' onerror=alert(1)> & "quoted" 'too'"""
    card = Card("deaddrop", "p", hostile, "parcel", {"city": hostile}, text=hostile)
    face = dossier(lines=("city",), marks="city", name_up_edge=True)
    drawn = card_svg(card, replace(sixth_game, faces={"parcel": face}))
    svg = ElementTree.fromstring(drawn)
    assert {element.tag.removeprefix(SVG) for element in svg.iter()} <= {"svg", "title", "rect", "path", "text"}
    assert not any(name == "style" or name.startswith("on") for element in svg.iter() for name in element.attrib)
    assert squashed(hostile) in squashed("".join(text.text or "" for text in svg.iter(f"{SVG}text")))


def test_a_landscape_card_is_upright_on_the_page(sixth_game):
    game = replace(sixth_game, faces={"courier": dossier(landscape=True)})
    assert 'viewBox="0 0 88900 63500"' in card_svg(sixth_game.card("zorka"), game)
