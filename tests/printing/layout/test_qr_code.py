"""The QR code in the margin of a sheet: its modules, and its place."""

from itertools import product

import pytest
import segno

from cardsdb.games import games
from printing.job.job import Job
from printing.layout.bands import Bands
from printing.layout.geometry import Area
from printing.layout.qr_code import (
    MIN_MODULE,
    MIN_WORDS,
    QUIET,
    code_of,
    code_strokes,
    place_of,
    square,
    white_of,
)
from tests.support.layouts import CODE, margins_of
from tests.support.rendering import page
from tests.support.sheets import make_sheets


def test_the_rectangles_are_the_modules_of_the_code():
    assert CODE
    strokes = code_strokes(CODE, Area(1_000, 2_000, CODE.side * 400, CODE.side * 400))
    dark = set()
    for rect in strokes:
        for x in range((rect.x - 1_000) // 400, (rect.x - 1_000 + rect.width) // 400):
            for y in range((rect.y - 2_000) // 400, (rect.y - 2_000 + rect.height) // 400):
                assert (x, y) not in dark  # no module is drawn twice
                dark.add((x, y))
    wanted = segno.make_qr(CODE.address, error="l").matrix
    assert dark == {(x, y) for y, row in enumerate(wanted) for x, module in enumerate(row) if module}


def test_the_printed_page_shows_the_code():
    """Read off the rendered page at the middle of each module, as a phone would."""
    game = games()["spycraft"]
    job = Job(game, ((game.cards[0], 1),), codes=(CODE,) if CODE else ())
    assert job.margins.code
    code, area = job.margins.code
    shown, module = page(make_sheets(job).data, 300).convert("L"), area.width // code.side
    for row, column in product(range(-QUIET + 1, code.side + QUIET - 1), repeat=2):
        x, y = (start + place * module + module // 2 for start, place in ((area.x, column), (area.y, row)))
        is_dark = {row, column} <= {*range(code.side)} and code.rows[row][column] == "1"
        assert (shown.getpixel((x * 300 // 25_400, y * 300 // 25_400)) < 128) == is_dark, (row, column)


@pytest.mark.parametrize(
    ("paper", "trim"), [("a4", "poker"), ("a4", "standard"), ("a3", "poker"), ("legal", "standard")]
)
def test_usual_sheets_have_room_for_a_code(paper, trim):
    assert margins_of(paper=paper, trim=trim).code


def test_a_code_leaves_enough_room_for_words_beside_it():
    assert CODE
    layout = margins_of(paper="a4").layout
    free = place_of(layout, (CODE,), (), Bands())
    assert free
    white = white_of(*free)
    enough, too_little = (
        Bands(above=(Area(white.x - room, white.y, room + white.width, white.height),))
        for room in (MIN_WORDS, MIN_WORDS - 1)
    )
    assert place_of(layout, (CODE,), (), enough) == free
    assert place_of(layout, (CODE,), (), too_little) not in (free, None)


def test_an_address_too_long_for_any_code_has_none():
    assert code_of("x" * 4_000) is None


def test_a_code_whose_modules_would_be_too_small_is_left_out():
    assert CODE
    least = (CODE.side + 2 * QUIET) * MIN_MODULE
    assert square(CODE, 0, 0, least - 1) is None
    placed = square(CODE, 0, 0, least)
    assert placed and placed.width == CODE.side * MIN_MODULE
