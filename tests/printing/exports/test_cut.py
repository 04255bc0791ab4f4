"""Registration marks and cut paths: the same geometry as the sheets, read back from the files."""

from __future__ import annotations

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
from printing.faces.strokes import Rect
from printing.job.job import Job
from printing.layout import marks
from printing.layout.geometry import Area, DoesNotFit, Layout
from printing.layout.imposition import layout_for
from printing.layout.margins import Margins
from printing.options.sizes import PAPERS, TRIMS
from printing.options.values import BadOption, Options, read_options
from printing.render.files import sides_of
from printing.request.settings import PRESETS, applied
from tests.support.exports import bytes_of

SVG = "{http://www.w3.org/2000/svg}"

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
words = st.fixed_dictionaries(
    {
        "paper": st.sampled_from(sorted(PAPERS)),
        "trim": st.sampled_from(sorted(TRIMS)),
        "gap": st.sampled_from(["0", "1.25", "4"]),
        "orientation": st.sampled_from(["auto", "portrait", "landscape"]),
        "turn": st.sampled_from(["auto", "upright", "turned"]),
        "bleed": st.sampled_from(["auto", "0", "3"]),
        "marks": st.sampled_from(["registration3", "registration4"]),
    }
)


def laid_out(chosen: dict[str, str]) -> tuple[Layout, Options] | None:
    options = read_options(chosen)
    try:
        return layout_for(options, options.trim.lengths if options.trim else (0, 0)), options
    except DoesNotFit:
        return None


def shapes(dxf: str) -> Iterator[tuple[str, list[tuple[float, float, float]]]]:
    """(layer, (x, y, bulge) of each corner) of every closed line of a DXF, by its pairs of code and value."""
    lines = dxf.split("\r\n")[:-1]
    pairs = [(int(code), value) for code, value in zip(lines[::2], lines[1::2], strict=True)]
    assert pairs[-1] == (0, "EOF")
    starts = [
        place
        for place, (code, value) in enumerate(pairs)
        if code == 0 and value in ("POLYLINE", "VERTEX", "SEQEND")
    ]
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


def box(corners: list[tuple[float, float, float]], height: int) -> Area:
    xs, ys = ([round(value * 1000) for value in axis] for axis in list(zip(*corners, strict=True))[:2])
    return Area(min(xs), height - max(ys), max(xs) - min(xs), max(ys) - min(ys))


def layer_of(svg: str, name: str) -> list[Element]:
    return [shape for group in fromstring(svg).iter(f"{SVG}g") if group.get("id") == name for shape in group]


def svg_box(path: Element) -> Area:
    numbers = [round(float(number) * 1000) for number in re.findall(r"-?[0-9.]+", path.get("d", ""))]
    xs, ys = numbers[::2], numbers[1::2]
    return Area(min(xs), min(ys), max(xs) - min(xs), max(ys) - min(ys))


# -- cut paths ----------------------------------------------------------------------------


@given(words, st.sampled_from([0, 1_000, 3_175]), st.sampled_from([0, 3, 4]))
def test_paths_are_the_slots_and_nothing_else(chosen: dict[str, str], corner: int, marks: int) -> None:
    laid = laid_out(chosen)
    if laid is None:
        return
    layout, _ = laid
    slots = [layout.slot(place) for place in range(layout.per_sheet)]
    cut = [
        corners
        for layer, corners in shapes(cut_dxf(CutSheet(layout, slots, corner, marks)))
        if layer == "CUT"
    ]
    assert [box(corners, layout.paper.height) for corners in cut] == slots
    assert [
        svg_box(path) for path in layer_of(cut_svg(CutSheet(layout, slots, corner, marks)), "cut")
    ] == slots


def test_corners_are_quarter_circles_of_the_radius_asked_for() -> None:
    layout = layout_for(read_options({}), (63_500, 88_900))
    ((_, corners),) = [
        one for one in shapes(cut_dxf(CutSheet(layout, [layout.slot(0)], 3_000))) if one[0] == "CUT"
    ]
    arcs = [(a, b) for a, b in zip(corners, [*corners[1:], corners[0]], strict=True) if a[2]]
    assert [arc[0][2] for arc in arcs] == [pytest.approx(QUARTER)] * 4
    for (x1, y1, bulge), (x2, y2, _) in arcs:
        # A bulge is the tangent of a quarter of the arc's angle.
        angle = 4 * atan(bulge)
        assert isclose(hypot(x2 - x1, y2 - y1) / (2 * sin(angle / 2)), 3.0, abs_tol=1e-6)
    assert isclose(QUARTER, tan(atan(1) / 2), abs_tol=1e-12)


def test_a_dxf_says_millimetres_release_12_and_its_layers() -> None:
    layout = layout_for(read_options({"marks": "registration3"}), (63_500, 88_900))
    dxf = cut_dxf(CutSheet(layout, [layout.slot(0)], 0, 3, "Nachtwächter: sheet 1"))
    assert dxf.isascii()
    assert "999\r\nNachtw?chter: sheet 1\r\n" in dxf
    assert "$ACADVER\r\n  1\r\nAC1009\r\n" in dxf and "$INSUNITS\r\n 70\r\n4\r\n" in dxf
    tables = dxf[: dxf.index("ENTITIES")]
    assert re.findall(r"0\r\nLAYER\r\n  2\r\n(\w+)", tables) == ["CUT", "REGISTRATION", "PAPER"]
    assert {layer for layer, _ in shapes(dxf)} == {"CUT", "REGISTRATION", "PAPER"}


def test_a_dxf_breaks_no_line_whatever_the_deck_is_called() -> None:
    layout = layout_for(read_options({}), (63_500, 88_900))
    assert len(list(shapes(cut_dxf(CutSheet(layout, [layout.slot(0)], 0, 0, "A\r\n  0\r\nEOF\n"))))) == 2


def test_an_svg_is_as_large_as_the_paper_and_escapes_names() -> None:
    layout = layout_for(read_options({"paper": "letter"}), (63_500, 88_900))
    svg = cut_svg(CutSheet(layout, [layout.slot(0)], 0, title="<script>", about='"&"'))
    root = fromstring(svg)
    assert (root.get("width"), root.get("viewBox")) == ("215.900mm", "0 0 215.900 279.400")
    assert root.findtext(f"{SVG}title") == "<script>"


@pytest.mark.parametrize(
    "chosen", [{}, {"start": "4"}, {"skip": "2,5"}, {"backs": "gutterfold"}, {"gap": "3", "paper": "letter"}]
)
def test_the_cut_of_a_sheet_is_where_its_cards_are_printed(chosen: dict[str, str]) -> None:
    game = games()["spycraft"]
    job = Job(game, tuple((card, 2) for card in game.cards[:10]), options=read_options(chosen))
    fronts = [side for side in sides_of(job) if side.side == "front"]
    assert len(fronts) == job.sheets > 1
    for side in fronts:
        slots = cut_sheet(job, side.number).slots
        printed = [placed.area for placed in side.placed]
        assert list(slots) == printed[: len(slots)]
        assert len(printed) == len(slots) * (2 if job.layout.fold else 1)


def test_a_sheet_that_there_is_not_cannot_be_cut() -> None:
    game = games()["spycraft"]
    with pytest.raises(BadOption, match="a sheet of this print, 1 to 1"):
        cut_sheet(Job(game, ((game.cards[0], 1),)), 2)


@pytest.mark.parametrize(
    ("chosen", "radius", "width"),
    [({}, None, 57.0), ({"corner": "1"}, None, 61.0), ({"corner": "1"}, 0, 63.0)],
)
def test_corners_are_as_printed_unless_told(chosen: dict[str, str], radius: int | None, width: float) -> None:
    game = games()["spycraft"]
    job = Job(game, ((game.cards[0], 1),), options=read_options(chosen))
    dxf = bytes_of(EXPORT_KINDS["cut-dxf"](job, replace(read_export_options({}), radius=radius))).decode()
    ((x1, _, _), (x2, _, _), *_) = next(corners for layer, corners in shapes(dxf) if layer == "CUT")
    assert x2 - x1 == pytest.approx(width)


# -- registration marks -------------------------------------------------------------------


@pytest.mark.parametrize(("paper", "trim", "grid", "arm"), TEMPLATES)
def test_sheets_fit_the_templates_of_silhouette_card_maker(
    paper: str, trim: str, grid: tuple[int, int], arm: float
) -> None:
    landscape = "landscape" if grid[0] != grid[1] or paper == "a3" else "portrait"
    chosen = {"paper": paper, "trim": trim, "gap": "1.25", "marks": "registration3", "orientation": landscape}
    layout = layout_for(read_options(chosen), TRIMS[trim].lengths)
    assert (layout.columns, layout.rows) == grid
    # Their arms are rounded to pixels of 300 an inch.
    assert marks.registration_arm(layout) / 1000 == pytest.approx(arm, abs=0.085)


# Its templates for cards of the games' own sizes: where the first card begins and how far the next ones are,
# in mm.
PITCHES = [
    ("spycraft", "a4", "a4_standard_v2", (20.743, 16.679), (64.262, 88.9)),
    ("spycraft", "letter", "letter_standard_v3", (11.938, 19.643), (64.234, 88.9)),
    ("spynet", "a4", "a4_poker_v1", (19.981, 15.663), (64.572, 90.001)),
    ("spynet", "letter", "letter_poker_v2", (11.176, 18.627), (64.572, 90.001)),
]


@pytest.mark.parametrize(("slug", "paper", "name", "first", "pitch"), PITCHES)
def test_the_preset_for_cutters_lays_a_games_own_cards_as_a_template_of_silhouette_card_maker(
    slug: str, paper: str, name: str, first: tuple[float, float], pitch: tuple[float, float]
) -> None:
    game = games()[slug]
    options = applied(PRESETS["silhouette"], read_options({"paper": paper}), paper, game.trim)
    job = Job(game, ((game.cards[0], 8),), options=options)
    layout = job.layout
    assert options.trim is None and name in job.notes().about
    assert (layout.columns, layout.rows, layout.landscape, layout.turned) == (4, 2, True, False)
    slots = [layout.slot(place) for place in range(8)]
    assert slots[0][2:] == game.trim
    assert (slots[3].x - slots[0].x) / 3_000 == pytest.approx(pitch[0], abs=0.006)
    assert (slots[4].y - slots[0].y) / 1_000 == pytest.approx(pitch[1], abs=0.006)
    # Their paper and cards have whole pixels of 300 an inch: half of it lies beside ours on either side.
    assert (slots[0].x / 1000, slots[0].y / 1000) == pytest.approx(first, abs=0.15)
    assert len(marks.registration_marks(layout, 3)) == 5


def test_cards_of_another_size_name_no_template() -> None:
    game = games()["spycraft"]
    now = read_options({"trim": "70x110"})
    job = Job(game, ((game.cards[0], 1),), options=applied(PRESETS["silhouette"], now, "a4", game.trim))
    assert job.options.gaps == (1_250, 1_250) and "silhouette" not in job.notes().about


@pytest.mark.parametrize("moved", [{"block": "3x2"}, {"left": "30"}, {"turn": "turned"}, {"bleed": "3"}])
def test_sheets_whose_cards_stand_elsewhere_than_a_template_name_none(moved: dict[str, str]) -> None:
    game, told = games()["spycraft"], read_options(moved)
    options = applied(PRESETS["silhouette"], read_options({}), "a4", game.trim)
    options = replace(options, **{name: getattr(told, name) for name in moved})
    assert not Job(game, ((game.cards[0], 1),), options=options).cutter


@pytest.mark.parametrize("place", [{"left": "5"}, {"top": "5"}])
def test_cards_beside_the_marks_where_no_machine_cuts_are_refused(place: dict[str, str]) -> None:
    with pytest.raises(BadOption, match="leave no room"):
        layout_for(read_options({"marks": "registration3", **place}), (63_500, 88_900))


@given(words)
def test_marks_stand_in_their_corners_clear_of_cards_words_and_rules(chosen: dict[str, str]) -> None:
    laid = laid_out(chosen)
    if laid is None:
        return
    layout, options = laid
    areas = marks.registration_marks(layout, marks.REGISTRATION_KINDS[options.marks])
    assert len(areas) == (5 if options.marks == "registration3" else 8)
    assert marks.registration_arm(layout) >= marks.MIN_ARM
    paper, edge = layout.paper, marks.INSET - marks.THICK // 2
    inner = layout.sheet.grown(-edge, -edge, -edge, -edge)
    assert all(mark.inside(inner) for mark in areas)
    for place in range(layout.per_sheet):
        assert not any(mark.overlaps(layout.slot(place)) for mark in areas)
        assert layout.slot(place).inside(layout.sheet.grown(*[-marks.INSET] * 4))
        if layout.gap_x == layout.gap_y:
            assert not any(mark.overlaps(layout.bled(place)) for mark in areas)
    bands, bars = Margins(layout, options).furnished
    others = [*(area for area in (*bands.above, *bands.below) if area.width > 1), *(bar.area for bar in bars)]
    assert not any(mark.overlaps(other) for mark in areas for other in others)
    assert paper.width >= 2 * marks.INSET


def test_three_marks_are_a_square_and_two_corners_in_millimetres() -> None:
    chosen = {"paper": "a4", "gap": "1.25", "marks": "registration3", "orientation": "landscape"}
    layout = layout_for(read_options(chosen), TRIMS["poker"].lengths)
    square, *arms = marks.registration_marks(layout, 3)
    # Six millimetres with its border; the middles of all lines lie ten from the edges.
    assert set(arms) == {
        Area(9_500, 199_500, 8_875, 1_000),
        Area(9_500, 191_625, 1_000, 8_875),
        Area(278_625, 9_500, 8_875, 1_000),
        Area(286_500, 9_500, 1_000, 8_875),
    }
    assert square == Area(9_500, 9_500, 6_000, 6_000)


def test_marks_are_black_and_on_the_side_that_is_cut() -> None:
    options = read_options({"marks": "registration4", "backs": "long", "gap": "1.25"})
    layout = layout_for(options, (63_500, 88_900))
    front, back = (Margins(layout, options).furniture(side) for side in ("front", "back"))
    black = [stroke for stroke in front.under if isinstance(stroke, Rect)]
    assert [Area(*stroke[:4]) for stroke in black] == list(marks.registration_marks(layout, 4))
    assert {stroke.colour for stroke in black} == {"#000000"}
    assert back.under == ()
