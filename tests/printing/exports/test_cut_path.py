"""Cut paths, read back from the files: they are the slots of the printed sheets."""

import re
from collections.abc import Iterator
from dataclasses import replace
from math import atan, hypot, isclose, sin, tan
from xml.etree.ElementTree import Element

import pytest
from defusedxml.ElementTree import fromstring
from hypothesis import given
from hypothesis import strategies as st

from cardsdb.games import games
from printing.exports.cut_path import QUARTER, CutSheet, cut_dxf, cut_sheet, cut_svg
from printing.exports.export import read_export_options
from printing.exports.kinds import EXPORT_KINDS
from printing.job.job import Job
from printing.layout.geometry import Area, Layout
from printing.layout.imposition import layout_for
from printing.options.values import BadOption, read_options
from printing.render.files import sides_of
from tests.support.exports import bytes_of, in_two_sizes
from tests.support.layouts import layouts

SVG = "{http://www.w3.org/2000/svg}"
GAME = games()["spycraft"]


def layout_of(**chosen: str) -> Layout:
    return layout_for(read_options(chosen), (63_500, 88_900))


def shapes(dxf: str) -> Iterator[tuple[str, list[tuple[float, float, float]]]]:
    """Yield (layer, (x, y, bulge) of each corner) for every closed line of a DXF."""
    lines = dxf.split("\r\n")[:-1]
    pairs = [(int(code), value) for code, value in zip(lines[::2], lines[1::2], strict=True)]
    assert pairs[-1] == (0, "EOF")
    kinds = ("POLYLINE", "VERTEX", "SEQEND")
    starts = [index for index, (code, value) in enumerate(pairs) if code == 0 and value in kinds]
    layer, corners = "", []
    for start, end in zip(starts, [*starts[1:], len(pairs)], strict=True):
        values = dict(pairs[start + 1 : end])
        if pairs[start][1] == "POLYLINE":
            layer, corners = values[8], []
            assert values[70] == "1", "the line is closed"
        elif pairs[start][1] == "VERTEX":
            assert values[8] == layer
            corners.append((float(values[10]), float(values[20]), float(values[42])))
        else:
            yield layer, corners


def cuts_in(dxf: str) -> list[list[tuple[float, float, float]]]:
    return [corners for layer, corners in shapes(dxf) if layer == "CUT"]


def box(corners: list[tuple[float, float, float]], height: int) -> Area:
    xs, ys = ([round(value * 1000) for value in axis] for axis in list(zip(*corners, strict=True))[:2])
    return Area(min(xs), height - max(ys), max(xs) - min(xs), max(ys) - min(ys))


def layer_of(svg: str, name: str) -> list[Element]:
    return [shape for group in fromstring(svg).iter(f"{SVG}g") if group.get("id") == name for shape in group]


def svg_box(path: Element) -> Area:
    numbers = [round(float(number) * 1000) for number in re.findall(r"-?[0-9.]+", path.get("d", ""))]
    xs, ys = numbers[::2], numbers[1::2]
    return Area(min(xs), min(ys), max(xs) - min(xs), max(ys) - min(ys))


@given(layouts, st.sampled_from([0, 1_000, 3_175]), st.sampled_from([0, 3, 4]))
def test_the_cut_layer_is_exactly_the_slots(layout, corner, marks):
    slots = [layout.slot(place) for place in range(layout.per_sheet)]
    cut = CutSheet(layout, slots, corner, marks)
    assert [box(corners, layout.paper.height) for corners in cuts_in(cut_dxf(cut))] == slots
    assert [svg_box(path) for path in layer_of(cut_svg(cut), "cut")] == slots


def test_corners_are_quarter_circles_of_the_given_radius():
    layout = layout_of()
    (corners,) = cuts_in(cut_dxf(CutSheet(layout, [layout.slot(0)], 3_000)))
    # The lines with a bulge, each as its begin and its end.
    arcs = [pair for pair in zip(corners, [*corners[1:], corners[0]], strict=True) if pair[0][2]]
    assert [begin[2] for begin, _ in arcs] == [pytest.approx(QUARTER)] * 4
    for (x1, y1, bulge), (x2, y2, _) in arcs:
        # A bulge is the tangent of a quarter of the arc's angle.
        angle = 4 * atan(bulge)
        assert isclose(hypot(x2 - x1, y2 - y1) / (2 * sin(angle / 2)), 3.0, abs_tol=1e-6)
    assert isclose(QUARTER, tan(atan(1) / 2), abs_tol=1e-12)


def test_a_dxf_declares_its_release_its_unit_and_its_layers():
    layout = layout_of(marks="registration3")
    dxf = cut_dxf(CutSheet(layout, [layout.slot(0)], 0, 3, "Nachtwächter: sheet 1"))
    assert dxf.isascii()
    assert "999\r\nNachtw?chter: sheet 1\r\n" in dxf
    assert "$ACADVER\r\n  1\r\nAC1009\r\n" in dxf and "$INSUNITS\r\n 70\r\n4\r\n" in dxf
    tables = dxf[: dxf.index("ENTITIES")]
    layers = ["CUT", "REGISTRATION", "PAPER"]
    assert re.findall(r"0\r\nLAYER\r\n  2\r\n(\w+)", tables) == layers
    assert {layer for layer, _ in shapes(dxf)} == {*layers}


def test_the_name_of_a_deck_adds_no_line_to_a_dxf():
    layout = layout_of()
    assert len(list(shapes(cut_dxf(CutSheet(layout, [layout.slot(0)], 0, 0, "A\r\n  0\r\nEOF\n"))))) == 2


def test_an_svg_is_as_large_as_the_paper_and_escapes_names():
    layout = layout_of(paper="letter")
    svg = cut_svg(CutSheet(layout, [layout.slot(0)], 0, title="<script>", about='"&"'))
    root = fromstring(svg)
    assert (root.get("width"), root.get("viewBox")) == ("215.900mm", "0 0 215.900 279.400")
    assert (root.findtext(f"{SVG}title"), root.findtext(f"{SVG}desc")) == ("<script>", '"&"')


@pytest.mark.parametrize(
    "chosen", [{}, {"start": "4"}, {"skip": "2,5"}, {"backs": "gutterfold"}, {"gap": "3", "paper": "letter"}]
)
def test_every_sheet_is_cut_where_its_cards_are_printed(chosen):
    job, _ = in_two_sizes(**chosen)
    fronts = [side for side in sides_of(job) if side.side == "front"]
    first = job.parts[0].own_sheets
    assert len(fronts) == job.sheets > first > 1
    for side in fronts:
        cut = cut_sheet(job, side.number)
        printed = [placed.area for placed in side.placed]
        assert list(cut.slots) == printed[: len(cut.slots)]
        assert len(printed) == len(cut.slots) * (2 if job.layout.fold else 1)
        # Sheets of the second size come after those of the first.
        size = job.parts[side.number > first].size
        assert {min(slot[2:]) for slot in cut.slots} == {size[0]}
        assert f"sheet {side.number} of {job.sheets}, " in cut.about
        assert ("fold the sheet before it is cut" in cut.about) is bool(job.layout.fold)
    with pytest.raises(BadOption, match=f"a sheet of this print, 1 to {job.sheets}"):
        cut_sheet(job, job.sheets + 1)


@pytest.mark.parametrize(
    ("chosen", "radius", "width"),
    # The straight part of an edge of 63 mm, between two corners of 3 mm (the usual ones), of 1 mm, of none.
    [({}, None, 57.0), ({"corner": "1"}, None, 61.0), ({"corner": "1"}, 0, 63.0)],
)
def test_corners_have_the_given_radius_or_the_printed_one_or_the_usual_one(chosen, radius, width):
    job = Job(GAME, ((GAME.cards[0], 1),), options=read_options(chosen))
    wanted = replace(read_export_options({}), radius=radius)
    (((x1, _, _), (x2, _, _), *_),) = cuts_in(bytes_of(EXPORT_KINDS["cut-dxf"](job, wanted)).decode())
    assert x2 - x1 == pytest.approx(width)
