"""Shapes in a window: nothing reaches out of it, lines can be counted, names become codes."""

from math import pi

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardsdb.games.kit.print.shapes import Shape, Window, arc, codes, cut, partition, regular, rule

FAR = st.floats(-200_000, 200_000, allow_nan=False)
POLYGONS = st.lists(st.tuples(FAR, FAR), min_size=3, max_size=12)


def points_of(shapes: list[Shape]) -> list[tuple[int, int]]:
    """Return every point of these shapes; the numbers of a step are x and y in turns."""
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
    assert all(5_000 <= x <= 25_000 and 2_000 <= y <= 12_000 for x, y in points_of(window.shapes))


TRIANGLE = [(1_000.0, 1_000.0), (9_000.0, 1_000.0), (5_000.0, 8_000.0)]


AROUND = [(-5_000, -5_000), (20_000, -5_000), (20_000, 20_000), (-5_000, 20_000)]


@pytest.mark.parametrize(
    ("points", "inside"),
    [
        (TRIANGLE, TRIANGLE),
        ([(x + 20_000, y) for x, y in TRIANGLE], []),
        (AROUND, [(0, 0), (10_000, 0), (10_000, 10_000), (0, 10_000)]),
    ],
    ids=["inside", "outside", "around"],
)
def test_a_polygon_is_cut_to_the_rectangle(points, inside):
    assert sorted(cut(points, 10_000, 10_000)) == sorted(inside)


@pytest.mark.parametrize("ruling", ["arcs", "rays", "lanes", "grid"])
@pytest.mark.parametrize("count", [0, 1, 4, 9])
def test_a_ruling_has_as_many_lines_or_columns_as_asked_for(ruling, count):
    window = Window(42_000, 30_000)
    rule(window, ruling, count, "ink")
    columns = {x for x, _ in points_of(window.shapes)}
    assert len(columns if ruling == "grid" else window.shapes) == count


def test_light_rulings_take_less_than_half_the_ink():
    def inked(light: bool) -> float:
        window = Window(30_000, 30_000, light=light)
        rule(window, "lanes", 5, "ink")
        return sum(map(area_of, window.shapes))

    assert inked(True) < inked(False) / 2


def area_of(shape: Shape) -> float:
    """Return the area of a polygon by the shoelace formula."""
    points = points_of([shape])
    sides = zip(points, [*points[1:], points[0]], strict=True)
    return abs(sum(x1 * y2 - x2 * y1 for (x1, y1), (x2, y2) in sides)) / 2


@pytest.mark.parametrize(
    "kind", ["straight", "indented", "embattled", "wavy", "scalloped", "dovetailed", "raked"]
)
def test_a_line_of_partition_goes_from_end_to_end_within_its_depth(kind):
    points = partition(kind, 63_000, 1_800, 5_250)
    assert points[0] == (0, 0) and points[-1] == (63_000, 0)
    assert all(0 <= y <= 1_800 for _, y in points)


@pytest.mark.parametrize(("name", "numbers"), [("Kai", [15, 3, 6]), ("KÁI", [15, 3, 6]), ("—", [4])])
def test_a_name_has_the_telegraph_codes_of_its_letters_or_of_a_space(name, numbers):
    assert codes(name) == numbers


@given(POLYGONS, st.floats(100, 3_000))
def test_the_pen_of_an_outline_stays_in_the_window(points, pen):
    window = Window(40_000, 25_000)
    window.part(5_000, 2_000, 20_000, 10_000).outline(points, pen, "deep")
    half = pen / 2 - 1
    assert all(
        5_000 + half <= x <= 25_000 - half and 2_000 + half <= y <= 12_000 - half
        for x, y in points_of(window.shapes)
    )


def test_the_corners_of_a_regular_polygon_are_on_its_circle():
    assert all(abs((x * x + y * y) ** 0.5 - 5) < 1e-9 for x, y in regular(0, 0, 5, 7))


def test_an_arc_begins_at_its_first_angle():
    assert arc(0, 0, 1_000, 0, pi / 2)[0] == (1_000, 0)
