from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from printing.geometry import PAPERS, TRIMS, Area, DoesNotFit, Layout, Segment, lay_out, millimetres

POKER, STANDARD = (63_500, 88_900), (63_000, 88_000)

papers = st.sampled_from(list(PAPERS.values()))
trims = st.tuples(st.integers(30_000, 120_000), st.integers(30_000, 160_000))
gaps = st.sampled_from([0, 1, 999, 2_000, 5_000, 10_000])
layouts = st.builds(lay_out, papers, trims, gaps)


def area_of(segment: Segment) -> Area:
    x, y = min(segment.x1, segment.x2), min(segment.y1, segment.y2)
    return Area(x, y, abs(segment.x1 - segment.x2) or 1, abs(segment.y1 - segment.y2) or 1)


def with_bleed(layout: Layout, area: Area) -> Area:
    bleed = layout.bleed
    return Area(area.x - bleed, area.y - bleed, area.width + 2 * bleed, area.height + 2 * bleed)


def inside(area: Area, outer: Area) -> bool:
    return outer.x <= area.x and outer.y <= area.y and area.right <= outer.right and area.bottom <= outer.bottom


def sheet_of(layout: Layout) -> Area:
    return Area(0, 0, layout.paper.width, layout.paper.height)


@pytest.mark.parametrize(
    ("paper", "trim", "left", "top"),
    [
        ("a4", POKER, 9_750, 15_150),
        ("letter", POKER, 12_700, 6_350),
        ("a4", STANDARD, 10_500, 16_500),
        ("letter", STANDARD, 13_450, 7_700),
    ],
)
def test_nine_cards_stand_in_the_middle_of_the_sheet(paper, trim, left, top):
    layout = lay_out(PAPERS[paper], trim)
    assert (layout.columns, layout.rows) == (3, 3)
    assert layout.slot(0) == Area(left, top, *trim)
    assert layout.slot(8) == Area(left + 2 * trim[0], top + 2 * trim[1], *trim)


def test_every_named_trim_fits_nine_times_on_every_paper():
    assert {lay_out(paper, (trim.width, trim.height)).per_sheet for paper in PAPERS.values() for trim in TRIMS.values()} == {9}


@given(layouts)
def test_slots_lie_on_the_paper_and_never_overlap(layout):
    slots = [with_bleed(layout, layout.slot(index)) for index in range(layout.per_sheet)]
    assert all(inside(slot, sheet_of(layout)) for slot in slots)
    assert not any(one.overlaps(other) for index, one in enumerate(slots) for other in slots[index + 1 :])
    assert {(slot.width - 2 * layout.bleed, slot.height - 2 * layout.bleed) for slot in slots} == {layout.trim}


@given(layouts)
def test_no_further_column_or_row_would_keep_the_margin(layout):
    width, height = layout.trim
    assert layout.paper.width - layout.block.width - layout.gap - width < 10_000
    assert layout.paper.height - layout.block.height - layout.gap - height < 10_000


@given(layouts, st.integers(1, 500))
def test_sheets_hold_all_cards_and_none_is_empty(layout, cards):
    sheets = layout.sheets(cards)
    assert (sheets - 1) * layout.per_sheet < cards <= sheets * layout.per_sheet


@given(layouts, st.integers(0, 200), st.sampled_from(["long", "short"]))
def test_the_back_of_the_back_is_the_front(layout, index, flip):
    back = layout.back_of(index, flip)
    assert back // layout.per_sheet == index // layout.per_sheet
    assert layout.back_of(back, flip) == index


@given(layouts, st.integers(0, 60))
def test_a_back_lies_right_behind_its_front(layout, index):
    """Turned over, the front's middle and the back's are one place; an odd micrometre of margin may part them."""
    front = layout.slot(index)
    long, short = layout.slot(layout.back_of(index, "long")), layout.slot(layout.back_of(index, "short"))
    assert abs(layout.paper.width - front.right - long.x) <= 1
    assert long.y == front.y
    assert abs(layout.paper.height - front.bottom - short.y) <= 1
    assert short.x == front.x


@given(layouts)
def test_crop_marks_stand_in_line_with_every_cut_and_touch_no_card(layout):
    marks = layout.crop_marks()
    cards = [with_bleed(layout, layout.slot(index)) for index in range(layout.per_sheet)]
    for mark in marks:
        assert inside(area_of(mark), sheet_of(layout))
        assert not any(area_of(mark).overlaps(card) for card in cards)
    upright = {mark.x1 for mark in marks if mark.x1 == mark.x2}
    level = {mark.y1 for mark in marks if mark.y1 == mark.y2}
    assert upright in (set(), {x for index in range(layout.per_sheet) for x in (layout.slot(index).x, layout.slot(index).right)})
    assert level in (set(), {y for index in range(layout.per_sheet) for y in (layout.slot(index).y, layout.slot(index).bottom)})


@pytest.mark.parametrize("paper", list(PAPERS))
def test_crop_marks_are_long_enough_to_see(paper):
    marks = lay_out(PAPERS[paper], POKER).crop_marks()
    assert len(marks) == 16
    assert min(max(area_of(mark).width, area_of(mark).height) for mark in marks) >= 2_500


@given(layouts)
def test_words_and_bars_keep_clear_of_cards_and_marks(layout):
    above, below = layout.notes()
    bars = layout.scale_bars()
    cards = [with_bleed(layout, layout.slot(index)) for index in range(layout.per_sheet)]
    others = [area_of(mark) for mark in layout.crop_marks()] + cards
    places = [*above, *below, *(bar.words for bar in bars), *(area_of(line) for bar in bars for line in (bar.line, *bar.ticks))]
    for place in places:
        assert inside(place, sheet_of(layout))
        assert not any(place.overlaps(other) for other in others)
    assert not any(words.overlaps(area_of(bar.line)) for bar in bars for words in (bar.words,))


@given(layouts)
def test_scale_bars_measure_what_they_say(layout):
    lengths = {"50 mm": 50_000, "2 in": 50_800}
    for bar in layout.scale_bars():
        assert bar.line.y2 - bar.line.y1 == lengths[bar.label]
        assert [tick.y1 for tick in bar.ticks] == [bar.line.y1, bar.line.y2]


def test_letter_with_nine_poker_cards_still_has_room_for_words_and_bars():
    layout = lay_out(PAPERS["letter"], POKER)
    above, below = layout.notes()
    assert len(above) == len(below) == 3
    assert above[0].bottom == 6_350 - 800
    assert [bar.label for bar in layout.scale_bars()] == ["50 mm", "2 in"]


def test_words_are_left_out_where_the_margin_is_too_narrow():
    assert lay_out(PAPERS["letter"], (63_500, 89_800), 0).notes()[0]
    assert lay_out(PAPERS["letter"], POKER, 700).notes()[0]
    tight = Layout(PAPERS["letter"], (63_500, 92_000), 0, 3, 3)
    assert tight.notes() == ((), ())


def test_cards_apart_let_their_colours_run_half_way_to_the_next():
    assert lay_out(PAPERS["a4"], POKER, 0).bleed == 0
    assert lay_out(PAPERS["a4"], POKER, 2_000).bleed == 1_000
    assert lay_out(PAPERS["a4"], POKER, 10_000).bleed == 3_000


def test_a_card_larger_than_the_paper_is_refused_by_name():
    with pytest.raises(DoesNotFit, match="210 × 297 mm does not fit on A4"):
        lay_out(PAPERS["a4"], (210_000, 297_000))


def test_a_card_that_fits_exactly_fits():
    assert lay_out(PAPERS["a4"], (200_000, 287_000)).per_sheet == 1
    assert lay_out(PAPERS["a4"], (100_000, 143_500)).per_sheet == 4
    assert lay_out(PAPERS["a4"], (100_001, 143_500)).columns == 1


def test_sizes_are_written_as_people_write_them():
    assert millimetres(POKER) == "63.5 × 88.9 mm"
    assert millimetres((63_000, 88_125)) == "63 × 88.125 mm"
