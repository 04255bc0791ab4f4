"""What stands around the cards: marks in the ways that options have, words where there is room for them, and
whose the game is: in one piece where there is room, and never torn in the middle of a sentence.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Literal

import pytest

from cardsdb.games import games
from printing.faces import wording
from printing.faces.strokes import Line, Path, Rect, Stroke, TextRun
from printing.job.job import Job
from printing.layout import marks
from printing.layout.geometry import Area
from printing.layout.imposition import layout_for
from printing.layout.margins import SMALLEST, Margins, set_credit
from printing.layout.qr_code import MIN_MODULE, white_of
from printing.options.values import USUAL, read_options
from tests.support.layouts import NOTES, bled_cells, for_all, furnished

SPYCRAFT = wording.sheet_credit(games()["spycraft"])


def job_of(slug: str = "spycraft", **options: str) -> Job:
    game = games()[slug]
    return Job(game, ((game.cards[0], 3),), "Night Watch", read_options(options))


def strokes(side: Literal["front", "back"] = "front", **options: str) -> tuple[Stroke, ...]:
    under, over = job_of(**options).margins.furniture(side)
    return (*under, *over)


def texts(found: tuple[Stroke, ...]) -> list[TextRun]:
    return [one for one in found if isinstance(one, TextRun)]


def words(**options: str) -> str:
    return " ".join(one.text for one in texts(strokes(**options)))


def number_of(**options: str) -> list[TextRun]:
    return texts(job_of(**options).margins.sheet_number(2, 6))


def squashed(*said: str) -> str:
    return "".join("".join(said).split())


# -- marks ----------------------------------------------------------------------------


@pytest.mark.parametrize("number", [3, 4])
def test_marks_that_a_machine_finds_are_black_areas_on_fronts_alone(number):
    """The machine cuts with the fronts up."""
    kind = f"registration{number}"
    front, back = (
        [one for one in strokes(side, marks=kind) if isinstance(one, Rect)] for side in ("front", "back")
    )
    areas = marks.registration_marks(job_of(marks=kind).layout, number)
    assert [Area(*one[:4]) for one in front] == list(areas) and back == []
    assert {one.colour for one in front} == {"#000000"}


def test_without_marks_there_are_fewer_lines_and_lines_at_each_cut_are_dashed_where_ink_is_saved():
    none, corners, edges, dashed = (
        sum(isinstance(one, Line) for one in strokes(**options))
        for options in ({"marks": "none"}, {}, {"marks": "edges"}, {"marks": "edges", "style": "saver"})
    )
    assert none < min(corners, edges) and dashed > edges


def test_cards_with_round_corners_are_marked_along_their_whole_edge_where_marks_lie_above():
    assert any(isinstance(one, Path) for one in strokes(corner="3", marks_where="above"))
    assert not any(isinstance(one, Path) for one in strokes(corner="3", marks_where="below"))


def test_slots_of_an_outline_are_numbered_as_options_count_them():
    said = [one for one in words(style="outline").split() if one.isdigit() and int(one) < 10]
    assert said[-9:] == [str(number) for number in range(1, 10)]


# -- words ----------------------------------------------------------------------------


@pytest.mark.parametrize(("options", "whole"), [({}, True), ({"header": "no"}, False)])
def test_sheets_say_what_they_are_unless_nobody_wants_it(options, whole):
    for said in ("Night Watch", "Spycraft · 63 × 88 mm · A4", "Print at 100 %"):
        assert (said in words(**options)) is whole, said
    assert (" ".join(one.text for one in number_of(**options)) == "Sheet 2 of 6") is whole


@pytest.mark.parametrize(("paper", "turned"), [("75x110", False), ("72x93", True)])
def test_where_the_margin_has_one_area_it_has_the_number_behind_the_title_up_the_side_if_that_alone_has_room(
    paper, turned
):
    (run,) = number_of(paper=paper, margin="0")
    assert run.text.startswith("Night Watch · ") and "Sheet 2 of 6" in run.text and run.turned is turned
    assert not {"Night Watch", "Print at"} & {words(paper="72x93", margin="0")}


def test_where_the_margin_has_two_areas_the_title_and_what_it_is_about_share_the_first():
    (run,) = number_of(paper="72x181", margin="0")
    assert run.text == "Sheet 2 of 6"
    assert "Night Watch · Spycraft" in words(paper="72x181", margin="0")


# -- the credit on sheets -------------------------------------------------------------

# A game may state neither rights nor a licence.
CREDITED = [slug for slug, game in games().items() if wording.sheet_credit(game)]


def forms_of(slug: str) -> tuple[str, ...]:
    game = games()[slug]
    return wording.sheet_credit(game), *wording.shorter_credits(game)


def credit_on(slug: str, **options: str) -> list[TextRun]:
    """The credit's words as they stand on a sheet of the game."""
    over, forms = texts(job_of(slug, **options).margins.furniture("front").over), " ".join(forms_of(slug))
    return [one for one in over if one.text.strip() in forms and not re.fullmatch(r"50 mm|2 in", one.text)]


USUAL_SHEETS: list[dict[str, str]] = [
    {},
    {"bleed": "2"},
    {"gap": "4"},
    {"bleed": "2", "gap": "4", "backs": "long"},
    {"bleed": "3", "gap": "6"},
    {"marks": "edges"},
    {"marks": "registration3"},
    {"backs": "gutterfold"},
    {"orientation": "landscape"},
    {"gap": "4", "orientation": "landscape"},
    {"style": "saver"},
    {"sleeves": "yes"},
    {"trim": "mini"},
]


@pytest.mark.parametrize("slug", CREDITED)
@pytest.mark.parametrize("paper", ["a4", "letter"])
@pytest.mark.parametrize("options", USUAL_SHEETS, ids=lambda options: " ".join(options) or "usual")
def test_a_credit_is_readable_on_usual_sheets(slug, paper, options):
    runs = credit_on(slug, paper=paper, **options)
    assert min(one.size for one in runs) >= SMALLEST
    # Where a column ends no dot is needed between one part and the next.
    said = squashed(*(one.text for one in runs)).replace("·", "")
    assert said in [squashed(form).replace("·", "") for form in forms_of(slug)]
    if paper == "a4" and options.keys() <= {"trim"}:
        # It runs across the sheet below the marks.
        layout = job_of(slug, **options).layout
        marks_end = max(max(mark.y1, mark.y2) for mark in marks.crop_marks(layout))
        assert {one.x for one in runs} == {layout.whole.x} and len(runs) <= 2
        assert min(one.y - one.size * 66 // 100 for one in runs) > marks_end


@for_all(furnished)
def test_codes_numbers_marks_and_credits_touch_no_card_no_line_no_word_no_rule_and_each_other(around):
    layout, options, (bands, bars) = around.layout, around.options, around.furnished
    kind = marks.REGISTRATION_KINDS.get(options.marks, 0)
    machine = marks.registration_marks(layout, kind)
    code = [around.code[1]] if around.code else []
    numbers = [number.area for number in around.numbers]
    foot = [bands.foot] if bands.foot else []
    assert all(area.inside(layout.sheet.grown(*[-3_000] * 4)) for area in (*code, *numbers, *foot))
    edge = marks.INSET - marks.THICK // 2
    assert all(area.inside(layout.sheet.grown(*[-edge] * 4)) for area in machine)
    cards = bled_cells(layout)
    lines = [] if kind else [*marks.crop_marks(layout, around.tick), *marks.fold_line(layout)]
    lines += marks.cut_lines(layout) if options.marks == "edges" else ()
    # A band that a code or a mark has left no room is as good as none.
    words = [area for area in (*bands.above, *bands.below) if min(area.width, area.height) > 1]
    # Nor do words begin or end where no printer prints.
    ends = (0, -3_000) * 2 if bands.sideways else (-3_000, 0) * 2
    assert all(area.inside(layout.sheet.grown(*ends)) for area in words)
    others = [*cards, *map(marks.area_of, lines), *words, *(bar.area for bar in bars)]
    white = [white_of(*around.code)] if around.code else []
    own = [*white, *numbers, *foot]
    for place, area in enumerate(own):
        assert not any(area.overlaps(other) for other in (*others, *machine, *own[place + 1 :]))
    assert not any(mark.overlaps(other) for mark in machine for other in others)
    # As large, and as many, as they must be.
    assert all(area.width == area.height >= around.code[0].side * MIN_MODULE for area in code)
    assert len(numbers) in (0, len(around.cut_order))
    assert len(machine) == {0: 0, 3: 5, 4: 8}[kind]
    assert not kind or marks.registration_arm(layout) >= marks.MIN_ARM
    inner = layout.sheet.grown(*[-marks.INSET] * 4)
    assert not kind or all(layout.slot(place).inside(inner) for place in range(layout.per_sheet))
    # Numbers cost no rule and no words.
    plain, counted = (
        replace(around, options=replace(options, cut_order=asked), notes=NOTES).furnished
        for asked in (False, True)
    )
    assert [{bar.label for bar in bars} for _, bars in (plain, counted)] == [
        {bar.label for bar in plain[1]}
    ] * 2
    assert len(plain[0].above) == len(counted[0].above)


def test_a_sheet_without_words_has_no_credit_that_is_too_small():
    assert Margins(layout_for(USUAL, (63_500, 88_900)), USUAL).credit_size == SMALLEST


# -- a credit in a place --------------------------------------------------------------

STRIP = Area(0, 0, 190_000, 5_000)
COLUMNS = tuple(Area(x, 0, 61_000, 4_000) for x in (0, 63_000))


def lines(credit: str, across: list[Area], columns: tuple[Area, ...] = COLUMNS) -> dict[tuple[int, int], str]:
    """The words by the column and the line in which they stand."""
    return {(one.x, one.y): one.text for one in texts(set_credit(credit, across, columns))}


def test_a_credit_stands_on_one_line_as_large_as_lets_it_or_takes_two_across_the_sheet():
    (one,) = texts(set_credit(SPYCRAFT, [STRIP], COLUMNS))
    assert one.text == SPYCRAFT and one.width <= STRIP.width
    longer = lines(forms_of("agentdecker")[0], [STRIP])
    assert len(longer) == 2 and {x for x, _ in longer} == {0}
    assert "https://creativecommons.org/licenses/by-nc/4.0/" in " ".join(longer.values())


def test_without_a_strip_sentences_stay_whole_in_columns_that_are_wide_enough():
    left = [text for (x, _), text in lines(SPYCRAFT, []).items() if x == 0]
    assert left[-1].endswith("Group, Inc.")
    code_left = (Area(0, 0, 61_000, 5_200), Area(63_000, 0, 1, 5_200), Area(126_000, 0, 61_000, 5_200))
    assert {x for x, _ in lines(SPYCRAFT, [], code_left)} == {0, 126_000}


@pytest.mark.parametrize("across", [[], [Area(0, 0, 190_000, 2_500)]])
def test_what_is_far_too_long_runs_on_and_loses_no_word(across):
    long = "Far more words than one line can hold. " * 60
    assert squashed(*lines(long, across).values()) == squashed(long)


def test_nothing_to_say_is_nothing():
    assert lines("", []) == lines("", [STRIP]) == lines(SPYCRAFT, [], ()) == {}
