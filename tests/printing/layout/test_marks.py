"""Cut marks stand in line with every cut and cross no card, in all layouts; registration marks fit a cutter's
templates.
"""

from collections.abc import Iterable

import pytest

from printing.layout.geometry import Area, Segment, lay_out
from printing.layout.imposition import layout_for
from printing.layout.marks import (
    area_of,
    card_corners,
    crop_marks,
    cut_lines,
    fold_line,
    registration_arm,
    registration_marks,
)
from printing.options.sizes import PAPERS, TRIMS
from printing.options.values import read_options
from tests.support.layouts import for_all, layouts


def upright_at(lines: Iterable[Segment]) -> set[int]:
    return {line.x1 for line in lines if line.x1 == line.x2}


def level_at(lines: Iterable[Segment]) -> set[int]:
    return {line.y1 for line in lines if line.y1 == line.y2}


@for_all(layouts)
def test_marks_stand_in_line_with_every_cut_and_cross_no_card(layout):
    marks, cells = crop_marks(layout), layout.cells()
    xs, ys = set(layout.columns_at()), set(layout.rows_at())
    for mark in marks:
        assert area_of(mark).inside(layout.sheet.grown(0, 0, 1, 1))
        assert not any(area_of(mark).overlaps(cell) for cell in cells)
    assert upright_at(marks) <= xs and level_at(marks) <= ys
    # Every cut has a mark if the margin has more than 2 mm for it.
    if layout.whole.y > layout.bleed + 2_000:
        assert upright_at(marks) == xs
    if layout.whole.x > layout.bleed + 2_000:
        assert level_at(marks) == ys


@for_all(layouts)
def test_marks_on_cards_lie_along_their_edges(layout):
    # These are 1.5 mm long.
    for mark in card_corners(layout):
        assert mark.x1 == mark.x2 in layout.columns_at() or mark.y1 == mark.y2 in layout.rows_at()
        assert abs(mark.x1 - mark.x2) + abs(mark.y1 - mark.y2) == 1_500


@for_all(layouts)
def test_every_cut_has_a_line_from_edge_to_edge_of_the_paper(layout):
    lines = cut_lines(layout)
    assert upright_at(lines) == set(layout.columns_at())
    assert level_at(lines) == set(layout.rows_at())
    assert {abs(line.y1 - line.y2) for line in lines if line.x1 == line.x2} == {layout.paper.height}


@for_all(layouts)
def test_the_fold_is_marked_in_the_middle_of_the_paper(layout):
    dashes, cells = fold_line(layout), layout.cells()
    assert bool(dashes) == bool(layout.fold)
    if not layout.bleed:
        assert not any(area_of(dash).overlaps(cell) for dash in dashes for cell in cells)
    if layout.fold == "vertical":
        assert upright_at(dashes) == {layout.paper.width // 2}


# -- registration marks for cutting machines ------------------------------------------------

# Templates of silhouette-card-maker (assets/layouts.json @06166419): paper, card, (columns, rows), length of
# the arms in mm.
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
    # The templates are rounded to pixels, 300 to the inch.
    assert registration_arm(layout) / 1000 == pytest.approx(arm, abs=0.085)


def test_three_marks_are_a_square_and_two_corners_in_millimetres():
    chosen = {"paper": "a4", "gap": "1.25", "marks": "registration3", "orientation": "landscape"}
    square, *arms = registration_marks(layout_for(read_options(chosen), TRIMS["poker"].lengths), 3)
    # The square measures 6 mm with its border; the middles of all lines lie 10 mm from the edges.
    assert set(arms) == {
        Area(9_500, 199_500, 8_875, 1_000),
        Area(9_500, 191_625, 1_000, 8_875),
        Area(278_625, 9_500, 8_875, 1_000),
        Area(286_500, 9_500, 1_000, 8_875),
    }
    assert square == Area(9_500, 9_500, 6_000, 6_000)


def test_without_room_for_their_arms_there_are_no_registration_marks():
    assert registration_marks(lay_out(PAPERS["a4"], (66_000, 94_000), margin=0), 4) == ()
