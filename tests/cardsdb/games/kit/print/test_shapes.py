"""Shapes in a window: nothing reaches out of it, lines can be counted, sign paths are read."""

from __future__ import annotations

from math import pi

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardsdb.games.kit.print.shapes import Shape, Window, arc, codes, cut, partition, regular, rule

FAR = st.floats(-200_000, 200_000, allow_nan=False)
POLYGONS = st.lists(st.tuples(FAR, FAR), min_size=3, max_size=12)


def corners(shapes: list[Shape]) -> list[tuple[int, int]]:
    return [
        (numbers[place], numbers[place + 1])
        for shape in shapes
        for _, numbers in shape.steps
        for place in range(0, len(numbers), 2)
    ]


@given(POLYGONS)
def test_an_area_is_cut_at_the_windows_edges(points):
    window = Window(40_000, 25_000)
    window.part(5_000, 2_000, 20_000, 10_000).area(points, "deep")
    assert all(5_000 <= x <= 25_000 and 2_000 <= y <= 12_000 for x, y in corners(window.shapes))


def test_what_lies_inside_stays_as_it_is_and_what_lies_outside_is_gone():
    triangle = [(1_000.0, 1_000.0), (9_000.0, 1_000.0), (5_000.0, 8_000.0)]
    assert cut(triangle, 10_000, 10_000) == triangle
    assert cut([(x + 20_000, y) for x, y in triangle], 10_000, 10_000) == []
    assert cut([(-5_000, -5_000), (20_000, -5_000), (20_000, 20_000), (-5_000, 20_000)], 10_000, 10_000) != []


@pytest.mark.parametrize("ruling", ["arcs", "rays", "lanes"])
@pytest.mark.parametrize("count", [0, 1, 4, 9])
def test_a_field_has_as_many_lines_as_points(ruling, count):
    window = Window(30_000, 30_000)
    rule(window, ruling, count, "ink")
    assert len(window.shapes) == count


@pytest.mark.parametrize("count", [1, 3, 7])
def test_a_grid_has_as_many_columns_as_points(count):
    window = Window(42_000, 30_000)
    rule(window, "grid", count, "ink")
    assert len({x for x, _ in corners(window.shapes)}) == count


def test_light_lines_take_less_ink():
    def inked(light: bool) -> float:
        window = Window(30_000, 30_000, light=light)
        rule(window, "lanes", 5, "ink")
        return sum(_size(shape) for shape in window.shapes)

    assert inked(True) < inked(False) / 2


def _size(shape: Shape) -> float:
    points = corners([shape])
    return (
        abs(sum(x * v - u * y for (x, y), (u, v) in zip(points, [*points[1:], points[0]], strict=True))) / 2
    )


@pytest.mark.parametrize(
    "kind", ["straight", "indented", "embattled", "wavy", "scalloped", "dovetailed", "raked"]
)
def test_a_line_of_partition_goes_from_end_to_end_within_its_depth(kind):
    points = partition(kind, 63_000, 1_800, 5_250)
    assert points[0] == (0, 0) and points[-1] == (63_000, 0)
    assert all(0 <= y <= 1_800 for _, y in points)


def test_a_name_is_punched_as_the_telegraph_writes_it():
    assert codes("Kai") == [15, 3, 6]
    assert codes("Zoë") == codes("zoe")
    assert codes("—") != []


@given(POLYGONS, st.floats(100, 3_000))
def test_the_pen_of_an_outline_stays_in_the_window(points, pen):
    window = Window(40_000, 25_000)
    window.part(5_000, 2_000, 20_000, 10_000).outline(points, pen, "deep")
    half = pen / 2 - 1
    assert all(
        5_000 + half <= x <= 25_000 - half and 2_000 + half <= y <= 12_000 - half
        for x, y in corners(window.shapes)
    )


def test_a_regular_polygon_stands_on_its_circle():
    assert all(abs((x * x + y * y) ** 0.5 - 5) < 1e-9 for x, y in regular(0, 0, 5, 7))
    assert arc(0, 0, 1_000, 0, pi / 2)[0] == (1_000, 0)
