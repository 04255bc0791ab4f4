"""The calibration sheet, what its readings mean, and the printers people keep."""

from __future__ import annotations

from collections.abc import Callable

import pypdfium2
import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from printing.calibration import (
    FROM_EDGE,
    INNER,
    MOST_LINES,
    MOST_SHIFT,
    OUTER,
    STEP,
    OutOfReach,
    Readings,
    back_options,
    calibration_sheet,
    measured,
    stacked,
)
from printing.calibrations import MOST_PRINTERS
from printing.imposition import Shift
from printing.models import PrinterCalibration
from printing.options import read_options
from printing.papers import PAPERS, Size, read_paper
from printing.pdf import About, make_pdf
from printing.strokes import Line, TextRun

A4, DPI = PAPERS["a4"], 300
BETWEEN = (INNER + OUTER) // 2

# -- a printer and a pair of eyes, in pixels -----------------------------------------------


def pixels(micrometres: float) -> int:
    return round(micrometres * DPI / 25_400)


def printed(paper: Size, shift: Shift, edge: str = "long") -> tuple[Image.Image, Image.Image]:
    """Both sides as they leave a perfect printer."""
    sides = calibration_sheet(paper, shift, edge)
    document = pypdfium2.PdfDocument(make_pdf(paper.lengths, sides, About("Sheet", "Test")))
    front, back = (page.render(scale=DPI / 72, grayscale=True).to_pil() for page in document)
    return front, back


def displaced(back: Image.Image, right: int, down: int, clockwise: float = 0.0) -> Image.Image:
    """What a printer makes of a back that puts it so far off."""
    turned = back.rotate(-clockwise, Image.Resampling.BICUBIC, fillcolor=255)
    out = Image.new("L", back.size, 255)
    out.paste(turned, (pixels(right), pixels(down)))
    return out


def middles(darkness: Callable[[int], int], length: int) -> list[float]:
    """Where lines cross a scan line: the middle of every dark stretch."""
    found, start = [], None
    for place in range(length + 1):
        dark = place < length and darkness(place) < 128
        if dark and start is None:
            start = place
        elif not dark and start is not None:
            found.append((start + place - 1) / 2)
            start = None
    return found


def read(front: list[float], back: list[float]) -> int:
    """The number of the line that runs on most nearly straight, in micrometres."""
    assert len(front) == len(back) == 2 * MOST_LINES + 1
    nearest = min(range(len(front)), key=lambda index: abs(front[index] - back[index]))
    return (nearest - MOST_LINES) * STEP


def read_all(front: Image.Image, back: Image.Image, paper: Size, edge: str = "long") -> Readings:
    """The three readings of somebody who holds the sheet against light, side B towards them."""
    flip = Image.Transpose.FLIP_LEFT_RIGHT if edge == "long" else Image.Transpose.FLIP_TOP_BOTTOM
    through = front.transpose(flip)
    reach = pixels(MOST_LINES * 5_000 + 2_500)

    def across(image: Image.Image, y: int) -> list[float]:
        found = middles(lambda x: image.getpixel((x, pixels(y))), image.width)
        return [x for x in found if abs(x - image.width / 2) < reach]

    def down(image: Image.Image, x: int) -> list[float]:
        found = middles(lambda y: image.getpixel((pixels(x), y)), image.height)
        return [y for y in found if abs(y - image.height / 2) < reach]

    top, foot = (read(across(through, y - BETWEEN), across(back, y)) for y in (FROM_EDGE, paper.height - FROM_EDGE))
    middle = paper.width // 2
    return Readings(top, foot, read(down(through, middle - BETWEEN), down(back, middle + 1_500)))


@pytest.mark.parametrize("edge", ["long", "short"])
@pytest.mark.parametrize(("right", "down"), [(0, 0), (600, -400), (-1_800, 2_000)])
def test_a_back_that_is_off_by_so_much_reads_what_puts_it_right(edge: str, right: int, down: int) -> None:
    front, back = printed(A4, Shift(), edge)
    readings = read_all(front, displaced(back, right, down), A4, edge)
    assert readings == Readings(-right, -right, -down)


def test_a_sheet_printed_with_what_was_measured_reads_nought() -> None:
    right, down = 1_200, -800
    front, back = printed(A4, Shift())
    first = stacked(Shift(), measured(read_all(front, displaced(back, right, down), A4), A4))
    front, back = printed(A4, first)
    assert read_all(front, displaced(back, right, down), A4) == Readings(0, 0, 0)


def test_a_back_that_is_turned_is_turned_back() -> None:
    front, back = printed(A4, Shift())
    slanted = 0.4
    first = measured(read_all(front, displaced(back, 0, 0, slanted), A4), A4)
    assert first.turn / 100 == pytest.approx(-slanted, abs=0.06)
    front, back = printed(A4, first)
    again = read_all(front, displaced(back, 0, 0, slanted), A4)
    assert max(map(abs, again)) <= STEP


# -- the arithmetic ------------------------------------------------------------------------

SHIFTS = st.builds(Shift, *[st.integers(-4_000, 4_000)] * 2, st.integers(-100, 100))


@given(st.integers(-4_000, 4_000), st.integers(-4_000, 4_000))
def test_strips_that_agree_ask_for_no_turn(across: int, down: int) -> None:
    assert measured(Readings(across, across, down), A4) == Shift(across, down, 0)


@given(st.integers(1, 3_000))
def test_strips_that_differ_turn_towards_the_one_that_must_go_right_at_the_top(apart: int) -> None:
    shift = measured(Readings(apart, -apart, 0), A4)
    assert shift.x == 0
    assert shift.turn >= 0
    assert measured(Readings(-apart, apart, 0), A4).turn == -shift.turn


@given(SHIFTS, SHIFTS)
def test_a_second_reading_is_added_to_the_first(one: Shift, other: Shift) -> None:
    assert stacked(one, other) == Shift(one.x + other.x, one.y + other.y, one.turn + other.turn)
    assert stacked(one, Shift()) == one


def test_what_no_print_can_move_is_refused() -> None:
    with pytest.raises(OutOfReach, match="100 per cent"):
        stacked(Shift(6_000, 0, 0), Shift(MOST_SHIFT, 0, 0))


@given(SHIFTS)
def test_a_printer_fills_the_options_of_a_print(shift: Shift) -> None:
    options = read_options(back_options(shift))
    assert (options.back_x, options.back_y, options.back_turn) == shift


@pytest.mark.parametrize("paper", ["a4", "letter", "a3", "legal", "tabloid", "148x210", "105x148", "100x150"])
def test_nothing_on_the_sheet_lies_beyond_the_paper(paper: str) -> None:
    size = read_paper(paper)
    for side in calibration_sheet(size, Shift(), "long", "The printer on the second floor"):
        for stroke in side.over:
            if isinstance(stroke, Line):
                assert min(stroke.x1, stroke.x2) > 0 and max(stroke.x1, stroke.x2) < size.width
                assert min(stroke.y1, stroke.y2) > 0 and max(stroke.y1, stroke.y2) < size.height
            elif isinstance(stroke, TextRun):
                assert stroke.x > 0 and stroke.x + stroke.width < size.width and 0 < stroke.y < size.height


# -- the pages -----------------------------------------------------------------------------

READ = {"name": "Hall", "paper": "a4", "top": "0.4", "foot": "0,2 mm", "middle": "−1"}


@pytest.fixture
def browser(client: Client, db: None) -> Client:
    return client


def test_what_was_read_is_kept_for_the_browser_that_read_it(browser: Client) -> None:
    answer = browser.post(reverse("calibration"), READ)
    row = PrinterCalibration.objects.get()
    assert answer.headers["Location"] == reverse("calibration_printer", args=[row.pk])
    assert (row.name, row.paper, row.x, row.y, row.turn) == ("Hall", "a4", 300, -1_000, 5)
    assert "Hall" in browser.get(reverse("calibration")).content.decode()


def test_a_second_reading_stacks_on_the_first(browser: Client) -> None:
    browser.post(reverse("calibration"), READ)
    row = PrinterCalibration.objects.get()
    browser.post(reverse("calibration_printer", args=[row.pk]), {"what": "reading", "top": "0.2", "foot": "0.2", "middle": "0"})
    row.refresh_from_db()
    assert (row.x, row.y, row.turn) == (500, -1_000, 5)


def test_numbers_can_be_typed_in_by_hand(browser: Client) -> None:
    browser.post(reverse("calibration"), READ)
    row = PrinterCalibration.objects.get()
    browser.post(reverse("calibration_printer", args=[row.pk]), {"name": "Attic", "x": "-0.7", "y": "0", "turn": "-12"})
    row.refresh_from_db()
    assert (row.name, row.x, row.y, row.turn) == ("Attic", -700, 0, -12)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"top": "a lot"}, "a length in millimetres"),
        ({"middle": "11"}, "a length in millimetres"),
        ({"foot": ""}, "Enter what you read"),
        ({"name": ""}, "Name the printer"),
        ({"name": "\N{SLEUTH OR SPY}"}, "cannot print"),
        ({"paper": "papyrus"}, "is not"),
        ({"top": "10", "foot": "-10"}, "at 100 per cent"),
    ],
)
def test_what_cannot_be_is_said_and_nothing_is_kept_or_lost(browser: Client, change: dict[str, str], said: str) -> None:
    answer = browser.post(reverse("calibration"), READ | change)
    page = answer.content.decode()
    assert answer.status_code == 400
    assert said in page
    assert 'value="−1"' in page or "middle" in change
    assert not PrinterCalibration.objects.exists()


def test_a_printer_is_nobody_elses(browser: Client) -> None:
    browser.post(reverse("calibration"), READ)
    pk = PrinterCalibration.objects.get().pk
    stranger = Client()
    assert stranger.get(reverse("calibration_printer", args=[pk])).status_code == 404
    assert stranger.post(reverse("calibration_delete", args=[pk])).status_code == 404
    assert stranger.get(reverse("calibration_sheet"), {"printer": pk}).status_code == 404
    assert "Hall" not in stranger.get(reverse("calibration")).content.decode()
    browser.post(reverse("calibration_delete", args=[pk]))
    assert not PrinterCalibration.objects.exists()


def test_there_is_a_most_of_printers(browser: Client) -> None:
    browser.post(reverse("calibration"), READ)
    mine = PrinterCalibration.objects.get()
    PrinterCalibration.objects.bulk_create(PrinterCalibration(browser=mine.browser, name="x", paper="a4") for _ in range(MOST_PRINTERS - 1))
    assert "which is the most" in browser.post(reverse("calibration"), READ).content.decode()
    assert PrinterCalibration.objects.count() == MOST_PRINTERS


def test_logging_in_offers_to_take_the_printers_along(browser: Client) -> None:
    browser.post(reverse("calibration"), READ)
    user = User.objects.create_user("reader")
    session = dict(browser.session)
    browser.force_login(user)
    kept = browser.session
    kept.update({key: value for key, value in session.items() if key == "browser"})
    kept.save()
    assert "Take it along" in browser.get(reverse("calibration")).content.decode()
    browser.post(reverse("calibration_take"))
    assert PrinterCalibration.objects.get().owner == user


def test_the_sheet_is_a_pdf_of_two_pages_of_the_paper(browser: Client) -> None:
    answer = browser.get(reverse("calibration_sheet"), {"paper": "letter", "flip": "short"})
    document = pypdfium2.PdfDocument(answer.content)
    assert [tuple(map(round, page.get_size())) for page in document] == [(612, 792)] * 2
    assert b"DuplexFlipShortEdge" in answer.content
    assert browser.get(reverse("calibration_sheet"), {"paper": "9x9"}).status_code == 400
    assert browser.get(reverse("calibration_sheet"), {"printer": "9" * 30}).status_code == 404


def test_the_page_asks_the_database_as_little_for_many_printers_as_for_one(browser: Client) -> None:
    browser.post(reverse("calibration"), READ)
    counts = []
    for _ in range(2):
        with CaptureQueriesContext(
            connection,
        ) as asked:
            browser.get(reverse("calibration"))
        counts.append(len(asked))
        browser.post(reverse("calibration"), READ)
    assert counts[0] == counts[1]
