"""Where marks, words and rules lie: in line with the cuts, clear of cards and each other, over all
layouts.
"""

from itertools import product

import hypothesis
import pytest
from hypothesis import strategies as st

from printing.layout.geometry import Area, Layout, lay_out
from printing.layout.imposition import layout_for
from printing.layout.marks import (
    area_of,
    card_corners,
    crop_marks,
    cut_lines,
    fold_line,
    furnish,
    registration_arm,
    registration_margins,
    registration_marks,
    scale_bars,
)
from printing.options.sizes import PAPERS, TRIMS
from printing.options.values import BadOption, read_options
from tests.support.layouts import POKER, for_all, layouts


@for_all(layouts)
def test_marks_stand_in_line_with_every_cut_and_cross_no_card(layout):
    marks, cells = crop_marks(layout), layout.cells()
    xs, ys = set(layout.columns_at()), set(layout.rows_at())
    for mark in marks:
        assert area_of(mark).inside(layout.sheet.grown(0, 0, 1, 1))
        assert not any(area_of(mark).overlaps(cell) for cell in cells)
    upright = {mark.x1 for mark in marks if mark.x1 == mark.x2}
    level = {mark.y1 for mark in marks if mark.y1 == mark.y2}
    assert upright <= xs and level <= ys
    for found, wanted, room in ((upright, xs, layout.whole.y), (level, ys, layout.whole.x)):
        assert found == wanted or room <= layout.bleed + 2_000
    # Those on cards lie on their edges, lines run from edge to edge.
    for mark in card_corners(layout):
        assert mark.x1 == mark.x2 in xs or mark.y1 == mark.y2 in ys
        assert abs(mark.x1 - mark.x2) + abs(mark.y1 - mark.y2) == 1_500
    lines = cut_lines(layout)
    assert {line.x1 for line in lines if line.x1 == line.x2} == xs
    assert {line.y1 for line in lines if line.y1 == line.y2} == ys
    assert {abs(line.y1 - line.y2) for line in lines if line.x1 == line.x2} == {layout.paper.height}
    # The fold is marked in the middle.
    dashes = fold_line(layout)
    assert bool(dashes) == bool(layout.fold)
    assert layout.bleed or not any(area_of(dash).overlaps(cell) for dash in dashes for cell in cells)
    if layout.fold == "vertical":
        assert {dash.x1 for dash in dashes} == {layout.paper.width // 2}


# Eight rows of small cards: their marks stand closer than a rule is long, and the margins end soon after
# them.
CROWDED = Layout(PAPERS["a4"], (31_750, 44_450), 4, 8, gap_x=4_000, gap_y=4_000, turned=True, bleed=2_000)


@for_all(layouts, st.booleans())
@hypothesis.example(CROWDED, False)
def test_words_and_rules_keep_clear_of_cards_each_other_and_of_marks_where_they_find_room(layout, across):
    bands, bars = furnish(layout, across)
    bleed = 0 if layout.outer_bleed_only else layout.bleed
    cells = [cell.grown(*[bleed] * 4) for cell in layout.cells()]
    words, rules = [*bands.above, *bands.below], [bar.area for bar in bars]
    for number, place in enumerate((*words, *rules)):
        assert place.inside(layout.sheet) and not any(place.overlaps(other) for other in cells)
        if number >= len(words):
            assert not any(place.overlaps(other) for other in (*words, *rules[number - len(words) + 1 :]))
    bands, bars = furnish(layout)
    words = [*bands.above, *bands.below]
    outer = (mark for mark in crop_marks(layout) if not area_of(mark).inside(layout.whole))
    marks = [area_of(mark) for mark in (*outer, *fold_line(layout))]
    assert not any(place.overlaps(mark) for place in words for mark in marks)
    if any(bar.area.overlaps(mark) for bar in bars for mark in marks):
        # A sheet that cannot be measured is worth less than one whose marks cross the rule.
        assert not list(scale_bars(layout, [layout.whole.grown(*[layout.bleed] * 4), *marks, *words]))


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


@pytest.mark.parametrize("paper", list(PAPERS))
@pytest.mark.parametrize(("turn", "bleed"), [("upright", 0), ("turned", 0), ("auto", 1_000)])
@pytest.mark.parametrize("fold", ["", "auto"])
def test_every_usual_sheet_has_room_for_words_and_both_rules(paper, turn, fold, bleed):
    for trim, across in product(("poker", "standard", "bridge", "tarot", "european"), (False, True)):
        layout = lay_out(PAPERS[paper], TRIMS[trim].lengths, turn=turn, fold=fold, bleed=bleed)
        bands, bars = furnish(layout, across)
        assert (sorted(bar.label for bar in bars), bool(bands.above)) == (["2 in", "50 mm"], True)
        sizes = [max(area_of(mark)[2:]) for mark in crop_marks(layout)]
        assert fold or turn != "upright" or trim == "tarot" or min(sizes) >= 2_500


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
def test_a_margin_of_six_millimetres_beyond_the_bleed_has_a_rule(paper, gap):
    bleed = min(gap // 2, 3_000)
    for trim, across in product(TRIMS.values(), (False, True)):
        layout = lay_out(paper, trim.lengths, gap=(gap, gap), bleed=bleed)
        if max(layout.whole.x, layout.whole.y) >= 6_000 + bleed:
            assert "50 mm" in {bar.label for bar in furnish(layout, across)[1]}


# -- cards that were put at an edge: both bands stand on one side, where the strip at the foot would be ------


@pytest.mark.parametrize("paper", ["a4", "letter", "a3", "tabloid"])
@pytest.mark.parametrize("at", [(None, 0), (None, 5_000), (None, 7_000), (0, None), (5_000, 5_000)])
@pytest.mark.parametrize("bleed", [0, 2_000])
def test_bands_of_cards_at_an_edge_have_room_for_words_and_keep_clear_of_each_other(paper, at, bleed):
    layout = lay_out(PAPERS[paper], (63_000, 88_000), at=at, bleed=bleed, outer_bleed_only=True)
    bands, _ = furnish(layout)
    areas = [*bands.above, *bands.below, *filter(None, [bands.foot])]
    assert all(min(area.width, area.height) >= 1_800 for area in areas)
    assert not any(one.overlaps(other) for place, one in enumerate(areas) for other in areas[:place])


# -- registration marks for cutting machines ------------------------------------------------

# What silhouette-card-maker's templates say (assets/layouts.json @06166419): columns x rows, length of the
# arms in mm.
TEMPLATES = [
    ("a4", "poker", (4, 2), 8.38),
    ("a4", "standard", (4, 2), 9.4),
    ("a4", "japanese", (3, 3), 6.94),
    ("a4", "tarot", (2, 2), 23.28),
    ("letter", "poker", (4, 2), 7.2),
    ("letter", "standard", (4, 2), 8.04),
    ("letter", "bridge", (4, 2), 12.28),
    ("letter", "tarot", (2, 2), 26.16),
    ("a3", "bridge", (6, 3), 24.13),
]


@pytest.mark.parametrize(("paper", "trim", "grid", "arm"), TEMPLATES)
def test_sheets_fit_the_templates_of_silhouette_card_maker(paper, trim, grid, arm):
    landscape = "landscape" if grid[0] != grid[1] or paper == "a3" else "portrait"
    chosen = {"paper": paper, "trim": trim, "gap": "1.25", "marks": "registration3", "orientation": landscape}
    layout = layout_for(read_options(chosen), TRIMS[trim].lengths)
    assert (layout.columns, layout.rows) == grid
    # Their arms are rounded to pixels of 300 an inch.
    assert registration_arm(layout) / 1000 == pytest.approx(arm, abs=0.085)


def test_three_marks_are_a_square_and_two_corners_in_millimetres():
    chosen = {"paper": "a4", "gap": "1.25", "marks": "registration3", "orientation": "landscape"}
    square, *arms = registration_marks(layout_for(read_options(chosen), TRIMS["poker"].lengths), 3)
    # Six millimetres with its border; the middles of all lines lie ten from the edges.
    assert set(arms) == {
        Area(9_500, 199_500, 8_875, 1_000),
        Area(9_500, 191_625, 1_000, 8_875),
        Area(278_625, 9_500, 8_875, 1_000),
        Area(286_500, 9_500, 1_000, 8_875),
    }
    assert square == Area(9_500, 9_500, 6_000, 6_000)


def test_margins_for_a_machines_marks_grow_until_their_arms_have_room():
    tried = list(registration_margins(5_000, 0))
    assert tried == sorted(tried) and tried[0] == 10_800 and tried[-1] == 16_250
    assert list(registration_margins(30_000, 0)) == [30_000]


@pytest.mark.parametrize("place", [{"left": "5"}, {"top": "5"}])
def test_cards_where_no_machine_cuts_are_refused_and_without_room_for_arms_there_are_no_marks(place):
    with pytest.raises(BadOption, match="leave no room"):
        layout_for(read_options({"marks": "registration3", **place}), POKER)
    assert registration_marks(lay_out(PAPERS["a4"], (66_000, 94_000), margin=0), 4) == ()
