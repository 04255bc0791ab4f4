"""Where cards and their backs lie, over all papers, card sizes, gaps, margins, bleeds, turns and folds."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import pytest
from hypothesis import assume
from hypothesis import strategies as st

from printing.layout.geometry import Area, DoesNotFit, lay_out
from printing.options.sizes import PAPERS, Size
from tests.support.layouts import (
    POKER,
    STANDARD,
    arguments,
    attempt,
    bled_cells,
    for_all,
    layouts,
    papers,
    trims,
)

duplex = layouts.filter(lambda layout: not layout.fold)
flips = st.sampled_from(["long", "short"])


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
def test_slots_lie_in_the_printable_area_in_the_middle_of_the_paper_and_never_overlap(layout):
    cells, whole = layout.cells(), layout.whole
    above, right, below, left = layout.margins
    printable = layout.sheet.grown(-left, -above, -right, -below)
    assert all(cell.inside(printable) for cell in cells)
    assert not any(one.overlaps(other) for index, one in enumerate(cells) for other in cells[index + 1 :])
    assert {(cell.width, cell.height) for cell in cells} == {layout.cell}
    assert abs(whole.x - (layout.paper.width - whole.right)) <= 1
    assert abs(whole.y - (layout.paper.height - whole.bottom)) <= 1


@for_all(layouts)
def test_bleed_is_whole_round_each_card_or_on_the_outside_alone_and_reaches_no_other_card(layout):
    cells, bled, block = layout.cells(), bled_cells(layout), layout.whole
    for index, (cell, area) in enumerate(zip(cells, bled, strict=True)):
        assert cell.inside(area) and area.inside(layout.sheet)
        assert not any(area.overlaps(other) for other in cells[:index] + cells[index + 1 :])
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


# -- blocks that are placed ---------------------------------------------------------------

BUSINESS = (50_800, 88_900)


def test_perforated_stock_gives_columns_rows_and_where_cards_begin():
    """Ten business cards of 3.5 x 2 in on US Letter, as perforated sheets have them."""
    layout = lay_out(PAPERS["letter"], BUSINESS, grid=(2, 5), at=(19_050, 12_700), turn="turned")
    assert (layout.columns, layout.rows, layout.landscape) == (2, 5, False)
    assert layout.block == Area(19_050, 12_700, 2 * 88_900, 5 * 50_800)


def test_a_grid_takes_fewer_cards_than_fit_and_no_more():
    assert lay_out(PAPERS["a4"], POKER, grid=(2, 2)).per_sheet == 4
    with pytest.raises(DoesNotFit, match=r"4 × 4 cards of 63\.5 × 88\.9 mm do not fit on A4"):
        lay_out(PAPERS["a4"], POKER, grid=(4, 4))


FOOT = (3_000, 3_000, 20_000, 3_000)


def test_a_block_keeps_clear_of_a_wide_margin_and_else_stands_in_the_middle():
    narrow, wide = (
        lay_out(PAPERS["a4"], POKER, margin=margin) for margin in ((3_000, 3_000, 12_500, 3_000), FOOT)
    )
    assert narrow.block.y == 15_150
    assert wide.block.bottom == 297_000 - 20_000 and wide.block.x == 9_750


@pytest.mark.parametrize("margins", [FOOT, FOOT[2:] + FOOT[:2]])
def test_opposite_margins_are_alike_of_paper_that_is_printed_on_both_sides_or_lies_across(margins):
    """A landscape sheet may have either short edge on its left."""
    layout = lay_out(PAPERS["a4"], STANDARD, margin=margins, even=True)
    assert layout.block.y >= 20_000 and layout.block.bottom <= 277_000
    across = lay_out(PAPERS["a4"], STANDARD, margin=margins, orientation="landscape", grid=(4, 2))
    assert across.block.x >= 20_000 and across.block.right <= 277_000


@for_all(duplex, st.integers(0, 60), flips, st.integers(0, 30_000), st.integers(0, 30_000))
def test_behind_cards_in_a_corner_lie_their_backs(layout, place, flip, left, top):
    moved = replace(layout, left=left, top=top)
    front, back = moved.slot(place), moved.turned_over(flip).slot(moved.back_of(place, flip))
    across = (moved.paper.width - front.right, front.y)
    down = (front.x, moved.paper.height - front.bottom)
    assert (back.x, back.y) == (across if moved.axis(flip) == "vertical" else down)
    assert moved.turned_over(flip).turned_over(flip) == moved


def most(paper: Size, trim: tuple[int, int], given) -> int:
    """The largest number of cards of any way to lay them, by trying one card more until it no longer fits."""
    gap = given["gap"]
    if given["bleed"] and not given["outer_bleed_only"]:
        gap = tuple(max(length, 2 * given["bleed"]) for length in gap)
    short, long = sorted(paper.lengths)
    ways = {
        "portrait": [(short, long)],
        "landscape": [(long, short)],
        "auto": [(short, long), (long, short)],
    }[given["orientation"]]
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


@for_all(papers, trims, arguments)
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


def test_a_card_that_fits_exactly_fits_and_a_larger_one_is_refused_by_name():
    assert lay_out(PAPERS["a4"], (200_000, 287_000)).per_sheet == 1
    assert lay_out(PAPERS["a4"], (100_000, 143_500)).per_sheet == 4
    assert lay_out(PAPERS["a4"], (100_001, 143_500)).per_sheet == 2
    with pytest.raises(DoesNotFit, match="210 × 297 mm does not fit on A4 with a margin of 5 mm"):
        lay_out(PAPERS["a4"], (210_000, 297_000))


# -- backs --------------------------------------------------------------------------------


@for_all(duplex, st.integers(0, 60), flips)
def test_a_back_lies_right_behind_its_front_and_the_back_of_the_back_is_the_front(layout, place, flip):
    """Turned over, the front and its back are one place; an odd micrometre of margin may part them."""
    behind = layout.back_of(place, flip)
    assert behind // layout.per_sheet == place // layout.per_sheet
    assert layout.back_of(behind, flip) == place
    front, back = layout.slot(place), layout.slot(behind)
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


@pytest.mark.parametrize(
    ("orientation", "margins"),
    [("portrait", (3_000, 4_000, 12_500, 5_000)), ("landscape", (5_000, 12_500, 5_000, 12_500))],
)
def test_a_layout_knows_the_margin_at_each_edge_of_its_paper(orientation, margins):
    given = (3_000, 4_000, 12_500, 5_000)
    assert lay_out(PAPERS["a4"], POKER, margin=given, orientation=orientation).margins == margins
