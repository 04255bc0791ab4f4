"""Where cards, marks, words and rules lie, over all papers, card sizes, gaps, margins, bleeds, turns and folds."""

from __future__ import annotations

from itertools import product

import hypothesis
import pytest
from hypothesis import assume, settings
from hypothesis import strategies as st

from printing.geometry import Area, DoesNotFit, Layout, lay_out, turned_over
from printing.marks import area_of, card_corners, crop_marks, cut_lines, fold_line, furnish, scale_bars
from printing.papers import PAPERS, TRIMS, NoSize, Size, millimetres, read_length, read_paper, read_trim

POKER, STANDARD = (63_500, 88_900), (63_000, 88_000)

papers = st.sampled_from(list(PAPERS.values())) | st.builds(
    lambda width, height: Size("own", "own", width, height), st.integers(80_000, 450_000), st.integers(80_000, 450_000)
)
trims = st.sampled_from([size.lengths for size in TRIMS.values()]) | st.tuples(st.integers(30_000, 120_000), st.integers(30_000, 160_000))
gaps = st.tuples(*[st.sampled_from([0, 1, 999, 2_000, 5_000, 10_000])] * 2)


def for_all(*strategies):
    """``given`` without a deadline: hundreds of cards on one sheet take a while on a busy machine."""
    return lambda test: settings(deadline=None)(hypothesis.given(*strategies)(test))


def attempt(paper: Size, trim: tuple[int, int], **given) -> Layout | None:
    try:
        return lay_out(paper, trim, **given)
    except DoesNotFit:
        return None


asked = st.fixed_dictionaries(
    {
        "gap": gaps,
        "margin": st.sampled_from([0, 3_000, 5_000, 6_350, 15_000]),
        "orientation": st.sampled_from(["auto", "portrait", "landscape"]),
        "turn": st.sampled_from(["auto", "upright", "turned"]),
        "bleed": st.sampled_from([0, 1, 2_000, 3_175]),
        "outer_bleed_only": st.booleans(),
        "fold": st.sampled_from(["", "", "auto", "vertical", "horizontal"]),
    }
)
layouts = st.builds(lambda paper, trim, given: attempt(paper, trim, **given), papers, trims, asked).filter(bool)
duplex = layouts.filter(lambda layout: not layout.fold)
flips = st.sampled_from(["long", "short"])


def printable(layout: Layout) -> Area:
    return layout.sheet.grown(*[-layout.margin] * 4)


def bled_cells(layout: Layout) -> list[Area]:
    """Every card's area of a side, with its bleed."""
    bled = [layout.bled(place) for place in range(layout.per_sheet)]
    return [*bled, *map(layout.folded, bled)] if layout.fold else bled


# -- slots --------------------------------------------------------------------------------


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


@for_all(layouts)
def test_slots_lie_in_the_printable_area_and_never_overlap(layout):
    cells = layout.cells()
    assert all(cell.inside(printable(layout)) for cell in cells)
    assert not any(one.overlaps(other) for index, one in enumerate(cells) for other in cells[index + 1 :])
    assert {(cell.width, cell.height) for cell in cells} == {layout.cell}


@for_all(layouts)
def test_no_bleed_reaches_another_card_or_leaves_the_paper(layout):
    cells, bled = layout.cells(), bled_cells(layout)
    for index, (cell, area) in enumerate(zip(cells, bled, strict=True)):
        assert cell.inside(area) and area.inside(layout.sheet)
        assert not any(area.overlaps(other) for other in cells[:index] + cells[index + 1 :])


@for_all(layouts)
def test_bleed_is_whole_round_each_card_or_on_the_outside_alone(layout):
    cells, bled, block = layout.cells(), bled_cells(layout), layout.whole
    for cell, area in zip(cells, bled, strict=True):
        sides = {
            (cell.x - area.x, cell.x == block.x),
            (area.right - cell.right, cell.right == block.right),
            (cell.y - area.y, cell.y == block.y),
            (area.bottom - cell.bottom, cell.bottom == block.bottom),
        }
        assert all(width <= layout.bleed for width, _ in sides)
        if layout.outer_bleed_only and not layout.fold:
            assert all(width == 0 for width, outside in sides if not outside)
        if not layout.outer_bleed_only and area.inside(layout.sheet.grown(-1, -1, -1, -1)):
            assert {width for width, _ in sides} == {layout.bleed}


@for_all(layouts)
def test_the_block_stands_in_the_middle(layout):
    whole = layout.whole
    assert abs(whole.x - (layout.paper.width - whole.right)) <= 1
    assert abs(whole.y - (layout.paper.height - whole.bottom)) <= 1


def most(paper: Size, trim: tuple[int, int], given) -> int:
    """The largest number of cards of any way to lay them, by trying one card more until it no longer fits."""
    gap = given["gap"]
    if given["bleed"] and not given["outer_bleed_only"]:
        gap = tuple(max(length, 2 * given["bleed"]) for length in gap)
    short, long = sorted(paper.lengths)
    ways = {"portrait": [(short, long)], "landscape": [(long, short)], "auto": [(short, long), (long, short)]}[given["orientation"]]
    turns = {"upright": [trim], "turned": [trim[::-1]], "auto": [trim, trim[::-1]]}[given["turn"]]
    folds = {"": [""], "auto": ["vertical", "horizontal"]}.get(given["fold"], [given["fold"]])
    best = 0
    for way, card, fold in product(ways, turns, folds):
        count = 1
        for axis, name in enumerate(("vertical", "horizontal")):
            room = way[axis] - 2 * given["margin"]
            if fold == name:
                room = (way[axis] - max(4_000, 2 * given["bleed"])) // 2 - given["margin"]
            fits = 0
            while (fits + 1) * card[axis] + fits * gap[axis] <= room:
                fits += 1
            count *= fits
        best = max(best, count)
    return best


@for_all(papers, trims, asked)
def test_the_best_fit_is_the_best_of_all(paper, trim, given):
    layout = attempt(paper, trim, **given)
    assert (layout.per_sheet if layout else 0) == most(paper, trim, given)


@for_all(papers, trims)
def test_of_ways_that_hold_as_many_the_plainest_is_taken(paper, trim):
    layout = attempt(paper, trim)
    assume(layout)
    upright = attempt(paper, trim, orientation="portrait", turn="upright")
    if upright and upright.per_sheet == layout.per_sheet:
        assert not layout.turned and layout.paper.width <= layout.paper.height


@pytest.mark.parametrize(
    ("paper", "trim", "fold", "count", "lies"),
    [
        ("a4", "poker", "", 9, "portrait"),
        ("letter", "poker", "", 9, "portrait"),
        ("a3", "poker", "", 18, "portrait turned"),
        ("legal", "poker", "", 10, "portrait turned"),
        ("a4", "bridge", "", 10, "portrait turned"),
        ("a4", "mini", "", 18, "portrait turned"),
        ("a4", "tarot", "", 4, "portrait"),
        ("a4", "poker", "auto", 4, "portrait turned"),
    ],
)
def test_known_fits(paper, trim, fold, count, lies):
    layout = lay_out(PAPERS[paper], TRIMS[trim].lengths, fold=fold)
    found = ("landscape" if layout.landscape else "portrait") + (" turned" if layout.turned else "")
    assert (layout.per_sheet, found) == (count, lies)


# -- backs --------------------------------------------------------------------------------


@for_all(layouts, st.integers(0, 200), flips)
def test_the_back_of_the_back_is_the_front(layout, place, flip):
    back = layout.back_of(place, flip)
    assert back // layout.per_sheet == place // layout.per_sheet
    assert layout.back_of(back, flip) == place


@for_all(duplex, st.integers(0, 60), flips)
def test_a_back_lies_right_behind_its_front(layout, place, flip):
    """Turned over, the front and its back are one place; an odd micrometre of margin may part them."""
    front, back = layout.slot(place), layout.slot(layout.back_of(place, flip))
    long_edges_stand = layout.paper.height >= layout.paper.width
    if (flip == "long") == long_edges_stand:
        assert abs(layout.paper.width - front.right - back.x) <= 1 and back.y == front.y
    else:
        assert abs(layout.paper.height - front.bottom - back.y) <= 1 and back.x == front.x


@for_all(layouts.filter(lambda layout: layout.fold), st.integers(0, 60))
def test_beside_a_fold_fronts_and_backs_come_to_lie_on_each_other(layout, place):
    front = layout.slot(place)
    back = layout.folded(front)
    assert layout.folded(back) == front
    gap = back.x - front.right if layout.fold == "vertical" else back.y - front.bottom
    assert gap >= 4_000
    assert front.y == back.y if layout.fold == "vertical" else front.x == back.x


@for_all(st.sampled_from([0, 90, 180, 270]), st.sampled_from(["vertical", "horizontal"]))
def test_a_back_keeps_its_head_where_the_front_has_it(turn, axis):
    """The head's direction on paper, mirrored in the line about which the paper turns, is that of the back."""
    heads = {0: (0, -1), 90: (-1, 0), 180: (0, 1), 270: (1, 0)}
    across, down = heads[turn]
    mirrored = (-across, down) if axis == "vertical" else (across, -down)
    assert heads[turned_over(turn, axis)] == mirrored
    assert turned_over(turned_over(turn, axis), axis) == turn


# -- marks, words, rules --------------------------------------------------------------------


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
    assert not any(area_of(dash).overlaps(cell) for dash in dashes for cell in bled_cells(layout) if not layout.bleed)
    if layout.fold == "vertical":
        assert {dash.x1 for dash in dashes} == {layout.paper.width // 2}


@pytest.mark.parametrize("paper", list(PAPERS))
def test_crop_marks_are_long_enough_to_see(paper):
    marks = crop_marks(lay_out(PAPERS[paper], POKER))
    assert min(max(area_of(mark).width, area_of(mark).height) for mark in marks) >= 2_500


# Eight rows of small cards: their marks stand closer than a rule is long, and the margins end soon after them.
CROWDED = Layout(PAPERS["a4"], (31_750, 44_450), 4, 8, gap_x=4_000, gap_y=4_000, turned=True, bleed=2_000)


@for_all(layouts, st.booleans())
@hypothesis.example(CROWDED, False)
def test_words_and_rules_keep_clear_of_cards_and_each_other(layout, lines_across):
    bands, bars = furnish(layout, lines_across)
    cells = [cell.grown(*[layout.bleed] * 4) for cell in layout.cells()] if not layout.outer_bleed_only else layout.cells()
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
        assert not list(scale_bars(layout, [layout.whole.grown(*[layout.bleed] * 4), *marks, *bands.above, *bands.below]))


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


# -- sizes --------------------------------------------------------------------------------


def test_a_card_larger_than_the_paper_is_refused_by_name():
    with pytest.raises(DoesNotFit, match="210 × 297 mm does not fit on A4 with a margin of 5 mm"):
        lay_out(PAPERS["a4"], (210_000, 297_000))


def test_a_card_that_fits_exactly_fits():
    assert lay_out(PAPERS["a4"], (200_000, 287_000)).per_sheet == 1
    assert lay_out(PAPERS["a4"], (100_000, 143_500)).per_sheet == 4
    assert lay_out(PAPERS["a4"], (100_001, 143_500)).per_sheet == 2


@pytest.mark.parametrize("size", TRIMS.values(), ids=lambda size: size.slug)
def test_every_card_size_says_where_its_number_was_read(size):
    assert size.source
    assert read_trim(f"{size.width / 1000}x{size.height / 1000}").lengths == size.lengths


@pytest.mark.parametrize(
    ("words", "lengths"),
    [("A4", (210_000, 297_000)), (" 210 x 297 mm", (210_000, 297_000)), ("8.5x11in", (215_900, 279_400)), ("320×450", (320_000, 450_000))],
)
def test_papers_are_read_as_people_write_them(words, lengths):
    assert read_paper(words).lengths == lengths


@pytest.mark.parametrize("words", ["", "a5", "x", "10x10", "210x297x3", "1e9x5", "nanxinf", "²x²", "210x"])
def test_what_is_no_paper_is_refused(words):
    with pytest.raises(NoSize, match="a4 or letter or a3"):
        read_paper(words)


def test_a_known_size_keeps_its_name_however_it_is_written():
    assert read_trim("2.5 x 3.5 in") == TRIMS["poker"]
    assert read_paper("210x297") == PAPERS["a4"]


@for_all(st.integers(-9_999_999, 9_999_999))
def test_lengths_are_read_back_exactly(micrometres):
    assert read_length(f"{micrometres / 1000:.3f} mm") == micrometres


def test_sizes_are_written_as_people_write_them():
    assert millimetres(POKER) == "63.5 × 88.9 mm"
    assert millimetres((63_000, 88_125)) == "63 × 88.125 mm"


@pytest.mark.parametrize("paper", PAPERS.values(), ids=lambda paper: paper.slug)
@pytest.mark.parametrize("gap", [0, 1_000, 2_000, 3_000, 6_000])
@pytest.mark.parametrize("lines_across", [False, True])
def test_a_margin_of_six_millimetres_beyond_the_bleed_has_a_rule(paper: Size, gap: int, lines_across: bool) -> None:
    bleed = min(gap // 2, 3_000)
    for trim in TRIMS.values():
        layout = lay_out(paper, trim.lengths, gap=(gap, gap), bleed=bleed)
        if max(layout.whole.x, layout.whole.y) >= 6_000 + bleed:
            assert "50 mm" in {bar.label for bar in furnish(layout, lines_across)[1]}
