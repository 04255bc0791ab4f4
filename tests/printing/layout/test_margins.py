"""What is drawn around the cards: marks as the options ask for, words where there is room, and the game's
credit.
"""

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
from printing.layout.margin_words import SMALLEST
from printing.layout.margins import Margins
from printing.layout.qr_code import MIN_MODULE, white_of
from printing.options.values import USUAL, read_options
from tests.support.layouts import NOTES, bled_cells, for_all, furnished


def job_of(slug: str = "spycraft", **options: str) -> Job:
    game = games()[slug]
    return Job(game, ((game.cards[0], 3),), "Night Watch", read_options(options))


def strokes(side: Literal["front", "back"] = "front", **options: str) -> tuple[Stroke, ...]:
    under, over = job_of(**options).margins.furniture(side)
    return (*under, *over)


def texts(found: tuple[Stroke, ...]) -> list[TextRun]:
    return [stroke for stroke in found if isinstance(stroke, TextRun)]


def words(**options: str) -> str:
    return " ".join(run.text for run in texts(strokes(**options)))


def number_of(**options: str) -> list[TextRun]:
    return texts(job_of(**options).margins.sheet_number(2, 6))


def squashed(*parts: str) -> str:
    """Return the words without spaces, so that it does not matter where lines are broken."""
    return "".join("".join(parts).split())


# -- marks ----------------------------------------------------------------------------


@pytest.mark.parametrize("number", [3, 4])
def test_registration_marks_are_black_areas_on_fronts_only(number):
    """The machine cuts with the fronts up."""
    kind = f"registration{number}"
    front, back = (
        [mark for mark in strokes(side, marks=kind) if isinstance(mark, Rect)] for side in ("front", "back")
    )
    areas = marks.registration_marks(job_of(marks=kind).layout, number)
    assert [Area(*mark[:4]) for mark in front] == list(areas) and back == []
    assert {mark.colour for mark in front} == {"#000000"}


def lines_with(**options: str) -> int:
    return sum(isinstance(stroke, Line) for stroke in strokes(**options))


def test_marks_add_lines():
    assert lines_with(marks="none") < min(lines_with(marks="corners"), lines_with(marks="edges"))


def test_lines_at_each_cut_are_dashed_to_save_ink():
    assert lines_with(marks="edges", style="saver") > lines_with(marks="edges")


@pytest.mark.parametrize(("where", "outlined"), [("above", True), ("below", False)])
def test_round_cards_are_outlined_if_marks_lie_above_them(where, outlined):
    assert any(isinstance(stroke, Path) for stroke in strokes(corner="3", marks_where=where)) is outlined


def test_slots_of_an_outline_are_numbered_as_options_count_them():
    numbers = [word for word in words(style="outline").split() if word.isdigit() and int(word) < 10]
    assert numbers[-9:] == [str(number) for number in range(1, 10)]


# -- words ----------------------------------------------------------------------------


@pytest.mark.parametrize(("options", "shown"), [({}, True), ({"header": "no"}, False)])
def test_sheets_have_a_header_unless_the_option_turns_it_off(options, shown):
    for text in ("Night Watch", "Spycraft · 63 × 88 mm · A4", "Print at 100 %"):
        assert (text in words(**options)) is shown, text
    assert (" ".join(run.text for run in number_of(**options)) == "Sheet 2 of 6") is shown


@pytest.mark.parametrize(("paper", "turned"), [("75x110", False), ("72x93", True)])
def test_a_margin_with_one_area_has_title_and_number_in_it(paper, turned):
    (run,) = number_of(paper=paper, margin="0")
    assert run.text.startswith("Night Watch · ") and "Sheet 2 of 6" in run.text and run.turned is turned


def test_a_margin_with_one_area_keeps_the_credit():
    assert words(paper="72x93", margin="0") in forms_of("spycraft")


def test_in_a_margin_with_two_areas_title_and_settings_share_the_first():
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
    """Return the runs of a sheet that belong to the game's credit."""
    over, forms = texts(job_of(slug, **options).margins.furniture("front").over), " ".join(forms_of(slug))
    return [run for run in over if run.text.strip() in forms and not re.fullmatch(r"50 mm|2 in", run.text)]


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
    assert min(run.size for run in runs) >= SMALLEST
    # At the end of a column the dot between two parts is left out.
    credit = squashed(*(run.text for run in runs)).replace("·", "")
    assert credit in [squashed(form).replace("·", "") for form in forms_of(slug)]
    if paper == "a4" and options.keys() <= {"trim"}:
        # It runs across the sheet below the marks.
        layout = job_of(slug, **options).layout
        marks_end = max(max(mark.y1, mark.y2) for mark in marks.crop_marks(layout))
        assert {run.x for run in runs} == {layout.whole.x} and len(runs) <= 2
        assert min(run.y - run.size * 66 // 100 for run in runs) > marks_end


@for_all(furnished)
def test_nothing_in_the_margins_touches_anything_else(around):
    layout, options, (bands, bars) = around.layout, around.options, around.furnished
    kind = marks.REGISTRATION_KINDS.get(options.marks, 0)
    machine = marks.registration_marks(layout, kind)
    code = [around.code[1]] if around.code else []
    numbers = [number.area for number in around.numbers]
    foot = [bands.foot] if bands.foot else []
    # Everything is where printers print, registration marks are where the machine expects them.
    assert all(area.inside(layout.sheet.grown(*[-3_000] * 4)) for area in (*code, *numbers, *foot))
    edge = marks.INSET - marks.THICK // 2
    assert all(area.inside(layout.sheet.grown(*[-edge] * 4)) for area in machine)
    # Nothing overlaps anything else.
    cards = bled_cells(layout)
    lines = [] if kind else [*marks.crop_marks(layout, around.tick), *marks.fold_line(layout)]
    lines += marks.cut_lines(layout) if options.marks == "edges" else ()
    # A band that is 1 micrometre wide stands for one that a code or a mark has left no room.
    words = [area for area in (*bands.above, *bands.below) if min(area.width, area.height) > 1]
    # Words begin and end where every printer prints.
    ends = (0, -3_000) * 2 if bands.sideways else (-3_000, 0) * 2
    assert all(area.inside(layout.sheet.grown(*ends)) for area in words)
    others = [*cards, *map(marks.area_of, lines), *words, *(bar.area for bar in bars)]
    white = [white_of(*around.code)] if around.code else []
    own = [*white, *numbers, *foot]
    for place, area in enumerate(own):
        assert not any(area.overlaps(other) for other in (*others, *machine, *own[place + 1 :]))
    assert not any(mark.overlaps(other) for mark in machine for other in others)
    # Codes are large enough to read; numbers and marks are complete or absent.
    assert all(area.width == area.height >= around.code[0].side * MIN_MODULE for area in code)
    assert len(numbers) in (0, len(around.cut_order))
    assert len(machine) == {0: 0, 3: 5, 4: 8}[kind]
    if kind:
        # The machine cuts only inside of its marks.
        assert marks.registration_arm(layout) >= marks.MIN_ARM
        inner = layout.sheet.grown(*[-marks.INSET] * 4)
        assert all(layout.slot(place).inside(inner) for place in range(layout.per_sheet))


@for_all(furnished)
def test_numbers_of_cuts_cost_no_scale_bar_and_no_words(around):
    (plain_bands, plain_bars), (numbered_bands, numbered_bars) = (
        replace(around, options=replace(around.options, cut_order=cut_order), notes=NOTES).furnished
        for cut_order in (False, True)
    )
    assert {bar.label for bar in plain_bars} == {bar.label for bar in numbered_bars}
    assert len(plain_bands.above) == len(numbered_bands.above)


def test_a_sheet_without_words_has_no_credit_of_unreadable_size():
    # ``credit_size`` is SMALLEST, the smallest readable size, if there is no credit.
    assert Margins(layout_for(USUAL, (63_500, 88_900)), USUAL).credit_size == SMALLEST
