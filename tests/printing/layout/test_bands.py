"""Words and scale bars in the margins keep clear of cards, of marks and of each other, in all layouts."""

from itertools import combinations, product

import hypothesis
import pytest
from hypothesis import strategies as st

from printing.layout.bands import furnish, scale_bars
from printing.layout.geometry import Layout, lay_out
from printing.layout.marks import area_of, crop_marks, fold_line
from printing.options.sizes import PAPERS, TRIMS
from tests.support.layouts import for_all, layouts

# Eight rows of small cards: their marks stand closer together than a bar is long, and the margins are small.
CROWDED = Layout(PAPERS["a4"], (31_750, 44_450), 4, 8, gap_x=4_000, gap_y=4_000, turned=True, bleed=2_000)


@for_all(layouts, st.booleans())
@hypothesis.example(CROWDED, False)
def test_words_and_bars_overlap_neither_cards_nor_each_other(layout, lines_across):
    bands, bars = furnish(layout, lines_across)
    bleed = 0 if layout.outer_bleed_only else layout.bleed
    cells = [cell.grown(*[bleed] * 4) for cell in layout.cells()]
    words, measures = [*bands.above, *bands.below], [bar.area for bar in bars]
    for area in (*words, *measures):
        assert area.inside(layout.sheet) and not any(area.overlaps(cell) for cell in cells)
    assert not any(bar.overlaps(area) for bar in measures for area in words)
    assert not any(bar.overlaps(other) for bar, other in combinations(measures, 2))


@for_all(layouts)
@hypothesis.example(CROWDED)
def test_words_never_touch_marks_and_bars_only_if_they_have_no_other_place(layout):
    bands, bars = furnish(layout)
    words = [*bands.above, *bands.below]
    outer = (mark for mark in crop_marks(layout) if not area_of(mark).inside(layout.whole))
    marks = [area_of(mark) for mark in (*outer, *fold_line(layout))]
    assert not any(area.overlaps(mark) for area in words for mark in marks)
    if any(bar.area.overlaps(mark) for bar in bars for mark in marks):
        # Then no bar has room beside cards, marks and words.
        assert not list(scale_bars(layout, [layout.whole.grown(*[layout.bleed] * 4), *marks, *words]))


@for_all(layouts)
def test_bars_have_the_length_on_their_label(layout):
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
def test_every_usual_sheet_has_room_for_words_and_both_bars(paper, turn, fold, bleed):
    for trim, lines_across in product(("poker", "standard", "bridge", "tarot", "european"), (False, True)):
        layout = lay_out(PAPERS[paper], TRIMS[trim].lengths, turn=turn, fold=fold, bleed=bleed)
        bands, bars = furnish(layout, lines_across)
        assert sorted(bar.label for bar in bars) == ["2 in", "50 mm"]
        assert bands.above
        if turn == "upright" and trim != "tarot" and not fold:
            # These leave room for marks of nearly usual length; large, turned or folded cards do not always.
            assert min(max(area_of(mark)[2:]) for mark in crop_marks(layout)) >= 2_500


def test_words_run_up_the_sides_where_there_is_no_room_above():
    bands, bars = furnish(lay_out(PAPERS["letter"], (63_500, 91_000), margin=3_000))
    assert bands.sideways and bands.above and bands.below
    assert len(bars) == 2


@pytest.mark.parametrize("paper", PAPERS.values(), ids=lambda paper: paper.slug)
@pytest.mark.parametrize("gap", [0, 1_000, 2_000, 3_000, 6_000])
def test_a_margin_of_6_mm_beyond_the_bleed_has_a_bar(paper, gap):
    bleed = min(gap // 2, 3_000)
    for trim, across in product(TRIMS.values(), (False, True)):
        layout = lay_out(paper, trim.lengths, gap=(gap, gap), bleed=bleed)
        if max(layout.whole.x, layout.whole.y) >= 6_000 + bleed:
            assert "50 mm" in {bar.label for bar in furnish(layout, across)[1]}


@pytest.mark.parametrize("paper", ["a4", "letter", "a3", "tabloid"])
@pytest.mark.parametrize("at", [(None, 0), (None, 5_000), (None, 7_000), (0, None), (5_000, 5_000)])
@pytest.mark.parametrize("bleed", [0, 2_000])
def test_bands_of_cards_at_an_edge_have_room_and_do_not_overlap(paper, at, bleed):
    layout = lay_out(PAPERS[paper], (63_000, 88_000), at=at, bleed=bleed, outer_bleed_only=True)
    bands, _ = furnish(layout)
    areas = [*bands.above, *bands.below, *filter(None, [bands.foot])]
    assert all(min(area.width, area.height) >= 1_800 for area in areas)
    assert not any(area.overlaps(other) for area, other in combinations(areas, 2))
