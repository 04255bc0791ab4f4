"""What stands around the cards: marks in the ways that options have, words where there is room for them, and
whose the game is: in one piece where there is room, and never torn in the middle of a sentence.
"""

from __future__ import annotations

import re
from dataclasses import replace
from functools import partial
from typing import Literal

import pytest
from hypothesis import strategies as st

from cardsdb.games import games
from printing.faces import wording
from printing.faces.strokes import Line, Path, Rect, Stroke, TextRun
from printing.job.job import Job
from printing.layout.geometry import Area, DoesNotFit
from printing.layout.imposition import layout_for
from printing.layout.margins import SMALLEST, Margins, set_credit
from printing.layout.marks import area_of, crop_marks, cut_lines, fold_line, registration_marks
from printing.options.sizes import PAPERS, TRIMS
from printing.options.values import USUAL, Options, read_options
from tests.support.layouts import for_all

SPYCRAFT = wording.sheet_credit(games()["spycraft"])
OPTIONS = st.builds(
    partial(replace, USUAL),
    paper=st.sampled_from(list(PAPERS.values())),
    trim=st.sampled_from([TRIMS[slug] for slug in ("poker", "standard", "mini", "tarot", "micro")]),
    gap=st.sampled_from([0, 2_000]),
    bleed=st.sampled_from([0, 2_000]),
    marks=st.sampled_from(["corners", "edges", "none", "registration3"]),
    backs=st.sampled_from(["none", "gutterfold"]),
)


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


@pytest.mark.parametrize(("marks", "areas"), [("registration3", 5), ("registration4", 8)])
def test_marks_that_a_machine_finds_are_black_areas_on_fronts_alone(marks: str, areas: int) -> None:
    """A square and two Ls of two arms each, or four Ls. The machine cuts with the fronts up."""
    black = [one for one in strokes(marks=marks) if isinstance(one, Rect)]
    layout = job_of(marks=marks).layout
    assert [Area(*one[:4]) for one in black] == list(registration_marks(layout, int(marks[-1])))
    assert len(black) == areas and {one.colour for one in black} == {"#000000"}
    assert not any(isinstance(one, Rect) for one in strokes("back", marks=marks))


def test_without_marks_there_are_fewer_lines_and_lines_at_each_cut_are_dashed_where_ink_is_saved() -> None:
    none, corners, edges, dashed = (
        sum(isinstance(one, Line) for one in strokes(**options))
        for options in ({"marks": "none"}, {}, {"marks": "edges"}, {"marks": "edges", "style": "saver"})
    )
    assert none < min(corners, edges) and dashed > edges


def test_cards_with_round_corners_are_marked_along_their_whole_edge_where_marks_lie_above() -> None:
    assert any(isinstance(one, Path) for one in strokes(corner="3", marks_where="above"))
    assert not any(isinstance(one, Path) for one in strokes(corner="3", marks_where="below"))


def test_slots_of_an_outline_are_numbered_as_options_count_them() -> None:
    said = [one for one in words(style="outline").split() if one.isdigit() and int(one) < 10]
    assert said[-9:] == [str(number) for number in range(1, 10)]


# -- words ----------------------------------------------------------------------------


@pytest.mark.parametrize(("options", "whole"), [({}, True), ({"header": "no"}, False)])
def test_sheets_say_what_they_are_unless_nobody_wants_it(options: dict[str, str], whole: bool) -> None:
    for said in ("Night Watch", "Spycraft · 63 × 88 mm · A4", "Print at 100 %"):
        assert (said in words(**options)) is whole, said
    assert (" ".join(one.text for one in number_of(**options)) == "Sheet 2 of 6") is whole


@pytest.mark.parametrize(("paper", "turned"), [("75x110", False), ("72x93", True)])
def test_where_the_margin_has_one_area_it_has_the_number_behind_the_title_up_the_side_if_that_alone_has_room(
    paper: str, turned: bool
) -> None:
    (run,) = number_of(paper=paper, margin="0")
    assert run.text.startswith("Night Watch · ") and "Sheet 2 of 6" in run.text and run.turned is turned
    assert not {"Night Watch", "Print at"} & {words(paper="72x93", margin="0")}


def test_where_the_margin_has_two_areas_the_title_and_what_it_is_about_share_the_first() -> None:
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


@pytest.mark.parametrize("slug", CREDITED)
@pytest.mark.parametrize("trim", ["poker", "mini"])
def test_on_a4_the_credit_runs_across_the_sheet_below_the_marks(slug: str, trim: str) -> None:
    runs, layout = credit_on(slug, trim=trim), job_of(slug, trim=trim).layout
    assert {one.x for one in runs} == {layout.whole.x} and len(runs) <= 2
    assert squashed(*(one.text for one in runs)) == squashed(forms_of(slug)[0])
    marks_end = max(max(mark.y1, mark.y2) for mark in crop_marks(layout))
    assert min(one.y - one.size * 66 // 100 for one in runs) > marks_end


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
def test_a_credit_is_readable_on_usual_sheets(slug: str, paper: str, options: dict[str, str]) -> None:
    runs = credit_on(slug, paper=paper, **options)
    assert min(one.size for one in runs) >= SMALLEST
    # Where a column ends no dot is needed between one part and the next.
    said = squashed(*(one.text for one in runs)).replace("·", "")
    assert said in [squashed(form).replace("·", "") for form in forms_of(slug)]


@for_all(OPTIONS)
def test_the_strip_across_touches_no_card_mark_rule_or_other_word(options: Options) -> None:
    assert options.trim
    try:
        layout = layout_for(options, options.trim.lengths)
    except DoesNotFit:
        return
    bands, bars = Margins(layout, options).furnished
    if bands.foot is None:
        return
    assert bands.foot.inside(layout.sheet.grown(*[-3_000] * 4))
    lines = [*crop_marks(layout), *fold_line(layout)]
    lines += cut_lines(layout) if options.marks == "edges" else ()
    cells = [cell.grown(*[layout.bleed] * 4) for cell in layout.cells()]
    for other in (*cells, *map(area_of, lines), *(bar.area for bar in bars), *bands.above, *bands.below):
        assert not bands.foot.overlaps(other)


def test_a_sheet_without_words_has_no_credit_that_is_too_small() -> None:
    assert Margins(layout_for(USUAL, (63_500, 88_900)), USUAL).credit_size == SMALLEST


# -- a credit in a place --------------------------------------------------------------

STRIP = Area(0, 0, 190_000, 5_000)
COLUMNS = tuple(Area(x, 0, 61_000, 4_000) for x in (0, 63_000))


def lines(credit: str, across: list[Area], columns: tuple[Area, ...] = COLUMNS) -> dict[tuple[int, int], str]:
    """The words by the column and the line in which they stand."""
    return {(one.x, one.y): one.text for one in texts(set_credit(credit, across, columns))}


def test_a_credit_stands_on_one_line_as_large_as_lets_it_or_takes_two_across_the_sheet() -> None:
    (one,) = texts(set_credit(SPYCRAFT, [STRIP], COLUMNS))
    assert one.text == SPYCRAFT and one.width <= STRIP.width
    longer = lines(forms_of("agentdecker")[0], [STRIP])
    assert len(longer) == 2 and {x for x, _ in longer} == {0}
    assert "https://creativecommons.org/licenses/by-nc/4.0/" in " ".join(longer.values())


def test_without_a_strip_sentences_stay_whole_in_columns_that_are_wide_enough() -> None:
    left = [text for (x, _), text in lines(SPYCRAFT, []).items() if x == 0]
    assert left[-1].endswith("Group, Inc.")
    code_left = (Area(0, 0, 61_000, 5_200), Area(63_000, 0, 1, 5_200), Area(126_000, 0, 61_000, 5_200))
    assert {x for x, _ in lines(SPYCRAFT, [], code_left)} == {0, 126_000}


@pytest.mark.parametrize("across", [[], [Area(0, 0, 190_000, 2_500)]])
def test_what_is_far_too_long_runs_on_and_loses_no_word(across: list[Area]) -> None:
    long = "Far more words than one line can hold. " * 60
    assert squashed(*lines(long, across).values()) == squashed(long)


def test_nothing_to_say_is_nothing() -> None:
    assert lines("", []) == lines("", [STRIP]) == lines(SPYCRAFT, [], ()) == {}
