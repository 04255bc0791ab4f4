"""The code in the margin of a sheet that leads back to the list: its modules, and its place."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import pypdfium2
import pytest
import segno
from hypothesis import given, settings
from hypothesis import strategies as st

from cardsdb.games import games
from printing.job.job import Job
from printing.layout import marks
from printing.layout.geometry import Area, DoesNotFit
from printing.layout.imposition import layout_for
from printing.layout.margins import Margins, Notes
from printing.layout.qr_code import (
    MIN_EDGE,
    MIN_MODULE,
    QUIET,
    code_of,
    code_strokes,
    square,
    white_of,
)
from printing.options.sizes import PAPERS, TRIMS
from printing.options.values import USUAL, BadOption, Options, read_options
from tests.support.sheets import make_sheets

PAGE = "https://cutout.example/decks/gLAnIOVT4KE00NbFCRzZHQ/"
CODE = code_of(PAGE)
OPTIONS = st.builds(
    partial(replace, USUAL),
    paper=st.sampled_from(list(PAPERS.values())),
    trim=st.sampled_from([TRIMS[slug] for slug in ("poker", "standard", "mini", "tarot", "micro", "jumbo")]),
    gap=st.sampled_from([0, 2_000, 5_000]),
    margin=st.sampled_from([(3_000,) * 4, (5_000,) * 4, (3_000, 3_000, 12_500, 3_000)]),
    left=st.sampled_from([None, 8_000]),
    top=st.sampled_from([None, 12_000]),
    marks=st.sampled_from(["corners", "edges", "none", "registration3"]),
    orientation=st.sampled_from(["auto", "portrait", "landscape"]),
    backs=st.sampled_from(["none", "long", "gutterfold"]),
)


def test_the_rectangles_are_the_modules_of_the_code() -> None:
    assert CODE
    strokes = code_strokes(CODE, Area(1_000, 2_000, CODE.side * 400, CODE.side * 400))
    dark = set()
    for one in strokes:
        for x in range((one.x - 1_000) // 400, (one.x - 1_000 + one.width) // 400):
            for y in range((one.y - 2_000) // 400, (one.y - 2_000 + one.height) // 400):
                assert (x, y) not in dark  # no module is drawn twice
                dark.add((x, y))
    wanted = segno.make_qr(PAGE, error="l").matrix
    assert dark == {(x, y) for y, row in enumerate(wanted) for x, module in enumerate(row) if module}


def test_the_printed_page_shows_the_code() -> None:
    """Read off the rendered page at the middle of each module, as a phone would."""
    game = games()["spycraft"]
    assert CODE
    job = Job(game, ((game.cards[0], 1),), codes=(CODE,))
    assert job.margins.code
    code, area = job.margins.code
    scale = 300 / 25_400
    page = pypdfium2.PdfDocument(make_sheets(job).data)[0].render(scale=300 / 72).to_pil().convert("L")
    module = area.width // code.side
    for row in range(-QUIET + 1, code.side + QUIET - 1):
        for column in range(-QUIET + 1, code.side + QUIET - 1):
            x, y = area.x + column * module + module // 2, area.y + row * module + module // 2
            inside = 0 <= row < code.side and 0 <= column < code.side
            dark = inside and code.rows[row][column] == "1"
            assert (page.getpixel((int(x * scale), int(y * scale))) < 128) == dark, (row, column)


@settings(deadline=None)
@given(OPTIONS)
def test_a_code_touches_no_card_no_mark_no_rule_and_no_word(options: Options) -> None:
    assert CODE and options.trim
    try:
        layout = layout_for(options, options.trim.lengths)
    except (BadOption, DoesNotFit):
        return
    around = Margins(layout, options, Notes("", "", "", (CODE,)))
    place = around.code
    if place is None:
        return
    code, area = place
    white, bands_bars = white_of(code, area), around.furnished
    assert area.width // code.side >= MIN_MODULE and area.width == area.height
    assert area.inside(layout.sheet.grown(*[-MIN_EDGE] * 4))
    for place in range(layout.per_sheet):
        assert not white.overlaps(layout.bled(place))
        assert not (layout.fold and white.overlaps(layout.folded(layout.bled(place))))
    bands, bars = bands_bars
    lines = [*marks.crop_marks(layout)] if options.marks != "none" else []
    lines += marks.cut_lines(layout) if options.marks == "edges" else ()
    for other in (
        *map(marks.area_of, lines),
        *(bar.area for bar in bars),
        *bands.above,
        *bands.below,
        *filter(None, [bands.foot]),
    ):
        assert not white.overlaps(other)


@pytest.mark.parametrize(
    ("paper", "trim"), [("a4", "poker"), ("a4", "standard"), ("a3", "poker"), ("legal", "standard")]
)
def test_usual_sheets_have_room_for_a_code(paper: str, trim: str) -> None:
    options = read_options({"paper": paper, "trim": trim})
    assert CODE and options.trim
    assert Margins(layout_for(options, options.trim.lengths), options, Notes("", "", "", (CODE,))).code


def test_no_code_holds_what_is_longer_than_any() -> None:
    assert code_of("x" * 4_000) is None


def test_a_code_too_large_for_its_square_is_left_out() -> None:
    assert CODE
    least = (CODE.side + 2 * QUIET) * MIN_MODULE
    assert square(CODE, 0, 0, least - 1) is None
    placed = square(CODE, 0, 0, least)
    assert placed and placed.width == CODE.side * MIN_MODULE
