"""Where marks, words and rules lie: in line with the cuts, clear of cards and each other, over all
layouts.
"""

from __future__ import annotations

import hypothesis
import pytest
from hypothesis import strategies as st

from printing.layout.geometry import Layout, lay_out
from printing.layout.marks import (
    REGISTRATION_KINDS,
    area_of,
    card_corners,
    crop_marks,
    cut_lines,
    fold_line,
    furnish,
    scale_bars,
)
from printing.options.sizes import PAPERS, TRIMS, Size
from printing.request.lists import pasted_list
from tests.support.layouts import POKER, bled_cells, for_all, layouts
from tests.support.print_lists import job_for


@for_all(layouts)
def test_crop_marks_stand_in_line_with_every_cut_and_cross_no_card(layout):
    marks, cells = crop_marks(layout), layout.cells()
    for mark in marks:
        assert area_of(mark).inside(layout.sheet.grown(0, 0, 1, 1))
        assert not any(area_of(mark).overlaps(cell) for cell in cells)
    upright = {mark.x1 for mark in marks if mark.x1 == mark.x2}
    level = {mark.y1 for mark in marks if mark.y1 == mark.y2}
    assert upright <= set(layout.columns_at()) and level <= set(layout.rows_at())
    if layout.whole.y > layout.bleed + 2_000:
        assert upright == set(layout.columns_at())
    if layout.whole.x > layout.bleed + 2_000:
        assert level == set(layout.rows_at())


@for_all(layouts)
def test_marks_on_cards_lie_on_their_edges(layout):
    edges_x, edges_y = set(layout.columns_at()), set(layout.rows_at())
    for mark in card_corners(layout):
        assert mark.x1 == mark.x2 in edges_x or mark.y1 == mark.y2 in edges_y
        assert abs(mark.x1 - mark.x2) + abs(mark.y1 - mark.y2) == 1_500


@for_all(layouts)
def test_cut_lines_run_from_edge_to_edge_at_every_cut(layout):
    lines = cut_lines(layout)
    assert {line.x1 for line in lines if line.x1 == line.x2} == set(layout.columns_at())
    assert {line.y1 for line in lines if line.y1 == line.y2} == set(layout.rows_at())
    assert {abs(line.y1 - line.y2) for line in lines if line.x1 == line.x2} == {layout.paper.height}


@for_all(layouts)
def test_the_fold_is_marked_in_the_middle_and_crosses_no_card(layout):
    dashes = fold_line(layout)
    assert bool(dashes) == bool(layout.fold)
    assert not any(
        area_of(dash).overlaps(cell) for dash in dashes for cell in bled_cells(layout) if not layout.bleed
    )
    if layout.fold == "vertical":
        assert {dash.x1 for dash in dashes} == {layout.paper.width // 2}


@pytest.mark.parametrize("paper", list(PAPERS))
def test_crop_marks_are_long_enough_to_see(paper):
    marks = crop_marks(lay_out(PAPERS[paper], POKER))
    assert min(max(area_of(mark).width, area_of(mark).height) for mark in marks) >= 2_500


# Eight rows of small cards: their marks stand closer than a rule is long, and the margins end soon after
# them.
CROWDED = Layout(PAPERS["a4"], (31_750, 44_450), 4, 8, gap_x=4_000, gap_y=4_000, turned=True, bleed=2_000)


@for_all(layouts, st.booleans())
@hypothesis.example(CROWDED, False)
def test_words_and_rules_keep_clear_of_cards_and_each_other(layout, lines_across):
    bands, bars = furnish(layout, lines_across)
    cells = (
        [cell.grown(*[layout.bleed] * 4) for cell in layout.cells()]
        if not layout.outer_bleed_only
        else layout.cells()
    )
    words, rules = [*bands.above, *bands.below], [bar.area for bar in bars]
    for number, place in enumerate((*words, *rules)):
        assert place.inside(layout.sheet)
        assert not any(place.overlaps(other) for other in cells)
        if number >= len(words):
            assert not any(place.overlaps(other) for other in (*words, *rules[number - len(words) + 1 :]))


@for_all(layouts)
@hypothesis.example(CROWDED)
def test_words_keep_clear_of_marks_and_rules_too_where_they_find_room(layout):
    bands, bars = furnish(layout)
    outer = [mark for mark in crop_marks(layout) if not area_of(mark).inside(layout.whole)]
    marks = [area_of(mark) for mark in (*outer, *fold_line(layout))]
    assert not any(place.overlaps(mark) for place in (*bands.above, *bands.below) for mark in marks)
    if any(bar.area.overlaps(mark) for bar in bars for mark in marks):
        # A sheet that cannot be measured is worth less than one whose marks cross the rule.
        assert not list(
            scale_bars(layout, [layout.whole.grown(*[layout.bleed] * 4), *marks, *bands.above, *bands.below])
        )


@for_all(layouts)
def test_rules_are_as_long_as_they_say(layout):
    lengths = {"50 mm": 50_000, "2 in": 50_800}
    _, bars = furnish(layout)
    assert len({bar.label for bar in bars}) == len(bars)
    for bar in bars:
        line = bar.line
        assert (line.y2 - line.y1 if bar.turned else line.x2 - line.x1) == lengths[bar.label]
        ends = [tick.y1 if bar.turned else tick.x1 for tick in bar.ticks]
        assert ends == ([line.y1, line.y2] if bar.turned else [line.x1, line.x2])


USUAL = [
    (paper, trim, turn, fold, bleed)
    for paper in PAPERS
    for trim in ("poker", "standard", "bridge", "tarot", "european")
    for turn, bleed in (("upright", 0), ("turned", 0), ("auto", 1_000))
    for fold in ("", "auto")
]


@pytest.mark.parametrize(("paper", "trim", "turn", "fold", "bleed"), USUAL)
@pytest.mark.parametrize("lines_across", [False, True])
def test_every_usual_sheet_has_room_for_words_and_both_rules(paper, trim, turn, fold, bleed, lines_across):
    layout = lay_out(PAPERS[paper], TRIMS[trim].lengths, turn=turn, fold=fold, bleed=bleed)
    bands, bars = furnish(layout, lines_across)
    assert (sorted(bar.label for bar in bars), bool(bands.above)) == (["2 in", "50 mm"], True)


def test_words_stand_close_to_the_cards_where_margins_are_small():
    bands, _ = furnish(lay_out(PAPERS["letter"], POKER))
    assert (len(bands.above), len(bands.below)) == (3, 3)
    assert bands.above[0].bottom == 6_350 - 800


def test_words_run_up_the_sides_where_there_is_no_room_above():
    bands, bars = furnish(lay_out(PAPERS["letter"], (63_500, 91_000), margin=3_000))
    assert bands.sideways and bands.above and bands.below
    assert len(bars) == 2


@pytest.mark.parametrize("paper", PAPERS.values(), ids=lambda paper: paper.slug)
@pytest.mark.parametrize("gap", [0, 1_000, 2_000, 3_000, 6_000])
@pytest.mark.parametrize("lines_across", [False, True])
def test_a_margin_of_six_millimetres_beyond_the_bleed_has_a_rule(
    paper: Size, gap: int, lines_across: bool
) -> None:
    bleed = min(gap // 2, 3_000)
    for trim in TRIMS.values():
        layout = lay_out(paper, trim.lengths, gap=(gap, gap), bleed=bleed)
        if max(layout.whole.x, layout.whole.y) >= 6_000 + bleed:
            assert "50 mm" in {bar.label for bar in furnish(layout, lines_across)[1]}


# -- registration marks on a sheet to fold: half of them end on its back, where no cutter sees them ------


def remarks_on_marks(**options: str) -> list[str]:
    return [
        one
        for one in job_for(pasted_list("spycraft", "2 Kai"), options).remarks()
        if "registration marks" in one
    ]


@pytest.mark.parametrize("marks", sorted(REGISTRATION_KINDS))
def test_marks_that_end_behind_the_fold_are_remarks_on_marks(marks: str) -> None:
    (remark,) = remarks_on_marks(marks=marks, backs="gutterfold")
    assert remark.startswith("Once the sheet is folded") and "long or the short edge" in remark


@pytest.mark.parametrize("marks", sorted(REGISTRATION_KINDS))
@pytest.mark.parametrize("backs", ["none", "long", "short", "separate"])
def test_marks_of_a_sheet_that_stays_flat_get_no_remark(marks: str, backs: str) -> None:
    assert not remarks_on_marks(marks=marks, backs=backs)


def test_marks_for_people_can_be_folded() -> None:
    assert not remarks_on_marks(marks="corners", backs="gutterfold")


# -- cards that were put at an edge: both bands stand on one side, where the strip at the foot would be ------


@pytest.mark.parametrize("paper", ["a4", "letter", "a3", "tabloid"])
@pytest.mark.parametrize("at", [(None, 0), (None, 5_000), (None, 7_000), (0, None), (5_000, 5_000)])
@pytest.mark.parametrize("bleed", [0, 2_000])
def test_bands_of_cards_at_an_edge_have_room_for_words_and_keep_clear_of_each_other(
    paper: str, at: tuple[int | None, int | None], bleed: int
) -> None:
    layout = lay_out(PAPERS[paper], (63_000, 88_000), at=at, bleed=bleed, outer_bleed_only=True)
    bands, _ = furnish(layout)
    areas = [*bands.above, *bands.below, *filter(None, [bands.foot])]
    assert all(min(area.width, area.height) >= 1_800 for area in areas)
    assert not any(one.overlaps(other) for place, one in enumerate(areas) for other in areas[:place])
