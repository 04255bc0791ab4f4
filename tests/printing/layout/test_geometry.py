"""The places of cards and their backs, for all papers, card sizes, gaps, margins, bleeds, turns and folds."""

from dataclasses import replace
from itertools import combinations, product

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

A4 = PAPERS["a4"]
duplex = layouts.filter(lambda layout: not layout.fold)
flips = st.sampled_from(["long", "short"])


# -- slots --------------------------------------------------------------------------------


@for_all(layouts)
def test_slots_are_centred_in_the_printable_area_and_never_overlap(layout):
    cells, whole = layout.cells(), layout.whole
    above, right, below, left = layout.margins
    printable = layout.sheet.grown(-left, -above, -right, -below)
    assert all(cell.inside(printable) for cell in cells)
    assert not any(cell.overlaps(other) for cell, other in combinations(cells, 2))
    assert {(cell.width, cell.height) for cell in cells} == {layout.cell}
    assert abs(whole.x - (layout.paper.width - whole.right)) <= 1
    assert abs(whole.y - (layout.paper.height - whole.bottom)) <= 1


@for_all(layouts)
def test_bleed_surrounds_each_card_or_the_block_and_reaches_no_other_card(layout):
    cells, bled, block = layout.cells(), bled_cells(layout), layout.whole
    for index, (cell, area) in enumerate(zip(cells, bled, strict=True)):
        assert cell.inside(area) and area.inside(layout.sheet)
        assert not any(area.overlaps(other) for other in cells[:index] + cells[index + 1 :])
        # (bleed on a side of the card, True if that side is at the outside of the block)
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


def test_perforated_stock_sets_the_grid_and_its_top_left_corner():
    """Ten business cards of 3.5 x 2 in on US Letter, like common perforated sheets, but not in the middle."""
    layout = lay_out(PAPERS["letter"], BUSINESS, grid=(2, 5), at=(16_000, 15_000), turn="turned")
    assert (layout.columns, layout.rows, layout.landscape) == (2, 5, False)
    assert layout.block == Area(16_000, 15_000, 2 * 88_900, 5 * 50_800)


def test_a_grid_may_hold_fewer_cards_than_fit_but_not_more():
    assert lay_out(A4, POKER, grid=(2, 2)).per_sheet == 4
    with pytest.raises(DoesNotFit, match=r"4 × 4 cards of 63\.5 × 88\.9 mm do not fit on A4"):
        lay_out(A4, POKER, grid=(4, 4))


# Margins of 20 mm at the foot and 3 mm elsewhere.
FOOT = (3_000, 3_000, 20_000, 3_000)


def test_a_block_is_centred_unless_a_wide_margin_is_in_its_way():
    narrow, wide = (lay_out(A4, POKER, margin=margin) for margin in ((3_000, 3_000, 12_500, 3_000), FOOT))
    assert narrow.block.y == 15_150
    assert wide.block.bottom == 297_000 - 20_000 and wide.block.x == 9_750


@pytest.mark.parametrize("margins", [FOOT, FOOT[2:] + FOOT[:2]])
def test_duplex_and_landscape_paper_has_equal_opposite_margins(margins):
    """A printer may turn a landscape sheet either way, so either short edge may be on its left."""
    layout = lay_out(A4, STANDARD, margin=margins, even=True)
    assert layout.block.y >= 20_000 and layout.block.bottom <= 277_000
    across = lay_out(A4, STANDARD, margin=margins, orientation="landscape", grid=(4, 2))
    assert across.block.x >= 20_000 and across.block.right <= 277_000


@for_all(duplex, st.integers(0, 60), flips, st.integers(0, 30_000), st.integers(0, 30_000))
def test_cards_in_a_corner_have_their_backs_behind_them(layout, place, flip, left, top):
    moved = replace(layout, left=left, top=top)
    front, back = moved.slot(place), moved.turned_over(flip).slot(moved.back_of(place, flip))
    across = (moved.paper.width - front.right, front.y)
    down = (front.x, moved.paper.height - front.bottom)
    assert (back.x, back.y) == (across if moved.axis(flip) == "vertical" else down)
    assert moved.turned_over(flip).turned_over(flip) == moved


def most_cards(paper: Size, trim: tuple[int, int], given) -> int:
    """Return the largest number of cards that any layout holds, found by adding one card at a time."""
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
def test_lay_out_holds_as_many_cards_as_any_layout(paper, trim, given):
    layout = attempt(paper, trim, **given)
    assert (layout.per_sheet if layout else 0) == most_cards(paper, trim, given)


@for_all(papers, trims)
def test_upright_cards_on_portrait_paper_win_if_nothing_holds_more(paper, trim):
    layout = attempt(paper, trim)
    assume(layout)
    upright = attempt(paper, trim, orientation="portrait", turn="upright")
    if upright and upright.per_sheet == layout.per_sheet:
        assert not layout.turned and layout.paper.width <= layout.paper.height


# -- backs --------------------------------------------------------------------------------


@for_all(duplex, st.integers(0, 60), flips)
def test_the_slot_of_a_back_is_behind_its_front(layout, place, flip):
    """A margin of an odd number of micrometres may put them 1 micrometre apart."""
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
def test_folding_the_sheet_lays_each_back_on_its_front(layout, place):
    front = layout.slot(place)
    back = layout.folded(front)
    assert layout.folded(back) == front
    # At least 4 mm (``MIN_GUTTER``) lie between the two.
    if layout.fold == "vertical":
        assert back.x - front.right >= 4_000 and front.y == back.y
    else:
        assert back.y - front.bottom >= 4_000 and front.x == back.x


@pytest.mark.parametrize(
    ("orientation", "margins"),
    [("portrait", (3_000, 4_000, 12_500, 5_000)), ("landscape", (5_000, 12_500, 5_000, 12_500))],
)
def test_a_layout_knows_the_margin_at_each_edge_of_its_paper(orientation, margins):
    given = (3_000, 4_000, 12_500, 5_000)
    assert lay_out(A4, POKER, margin=given, orientation=orientation).margins == margins
