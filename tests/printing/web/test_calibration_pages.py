"""The pages on which a printer is calibrated, and the printers people keep."""

from __future__ import annotations

import pypdfium2
import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from cardsdb.identity.viewer import Viewer
from printing.models import PrinterCalibration
from printing.options.values import read_options
from printing.request.settings import options_of, printer_with
from printing.web.calibration_views import MAX_PRINTERS, claim_printers, upright_margins

READ = {"name": "Hall", "paper": "a4", "way": "long", "top": "0.4", "foot": "0,2 mm", "middle": "−1"}
ATTIC = {"name": "Attic", "x": "-0.7", "y": "0", "turn": "−0.25", "way": "short-landscape"}


@pytest.fixture
def browser(client: Client, db: None) -> Client:
    return client


def test_what_was_read_is_kept_for_the_browser_that_read_it(browser: Client) -> None:
    answer = browser.post(reverse("calibration"), READ)
    row = PrinterCalibration.objects.get()
    assert answer.headers["Location"] == reverse("calibration_printer", args=[row.pk])
    assert (row.name, row.paper, row.edge, row.landscape) == ("Hall", "a4", "long", False)
    assert (row.x, row.y, row.turn) == (300, -1_000, 5)
    assert "Hall" in browser.get(reverse("calibration")).content.decode()


def test_a_second_reading_stacks_on_the_first(browser: Client) -> None:
    browser.post(reverse("calibration"), READ)
    row = PrinterCalibration.objects.get()
    browser.post(
        reverse("calibration_printer", args=[row.pk]),
        {"what": "reading", "top": "0.2", "foot": "0.2", "middle": "0"},
    )
    row.refresh_from_db()
    assert (row.x, row.y, row.turn) == (500, -1_000, 5)


def test_numbers_can_be_typed_in_by_hand(browser: Client) -> None:
    browser.post(reverse("calibration"), READ)
    row = PrinterCalibration.objects.get()
    browser.post(reverse("calibration_printer", args=[row.pk]), ATTIC)
    row.refresh_from_db()
    assert (row.name, row.x, row.y, row.turn, row.edge, row.landscape) == (
        "Attic",
        -700,
        0,
        -25,
        "short",
        True,
    )
    page = browser.get(reverse("calibration_printer", args=[row.pk])).content.decode()
    assert 'value="-0.25"' in page and "0.7 mm left, turned 0.25° anticlockwise" in page


@pytest.mark.parametrize("turn", ["12", "-3.1", "a quarter", "", "0.255"])
def test_a_turn_is_asked_for_in_degrees(browser: Client, turn: str) -> None:
    browser.post(reverse("calibration"), READ)
    row = PrinterCalibration.objects.get()
    answer = browser.post(reverse("calibration_printer", args=[row.pk]), ATTIC | {"turn": turn})
    assert answer.status_code == 400
    assert ("degrees" if turn else "0 if they are not") in answer.content.decode()
    row.refresh_from_db()
    assert (row.name, row.turn) == ("Hall", 5)


def test_how_the_sheet_was_turned_and_lay_is_kept_and_printed_so_again(browser: Client) -> None:
    browser.post(reverse("calibration"), READ | {"way": "short-landscape"})
    row = PrinterCalibration.objects.get()
    assert (row.edge, row.landscape) == ("short", True)
    # The strips of a landscape sheet lie nearer to each other, so the same readings are a larger turn.
    assert row.turn == 7
    answer = browser.get(reverse("calibration_sheet"), {"printer": row.pk})
    assert [tuple(map(round, page.get_size())) for page in pypdfium2.PdfDocument(answer.content)] == [
        (842, 595)
    ] * 2
    assert b"DuplexFlipShortEdge" in answer.content
    assert "back_read=short-landscape" in browser.get(reverse("calibration")).content.decode()


def test_the_page_offers_the_sheet_that_a_print_asks_for(browser: Client) -> None:
    page = browser.get(reverse("calibration"), {"paper": "legal", "way": "short-landscape"}).content.decode()
    assert (
        page.count('<option value="legal" selected>')
        == page.count('<option value="short-landscape" selected>')
        == 2
    )
    page = browser.get(reverse("calibration"), {"paper": "papyrus", "way": "sideways"}).content.decode()
    assert page.count('<option value="a4" selected>') == page.count('<option value="long" selected>') == 2
    page = browser.get(reverse("calibration"), {"paper": "200x250"}).content.decode()
    assert page.count('<option value="200x250" selected>') == 2


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"top": "a lot"}, "a length in millimetres"),
        ({"middle": "11"}, "a length in millimetres"),
        ({"foot": ""}, "Enter what you read"),
        ({"name": ""}, "Name the printer"),
        ({"name": "\N{SLEUTH OR SPY}"}, "cannot print"),
        ({"paper": "papyrus"}, "is not"),
        ({"way": ""}, "side B says it"),
        ({"way": "sideways"}, "sideways"),
        ({"top": "10", "foot": "-10"}, "at 100 per cent"),
    ],
)
def test_what_cannot_be_is_said_and_nothing_is_kept_or_lost(
    browser: Client, change: dict[str, str], message: str
) -> None:
    answer = browser.post(reverse("calibration"), READ | change)
    page = answer.content.decode()
    assert answer.status_code == 400
    assert message in page
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
    PrinterCalibration.objects.bulk_create(
        PrinterCalibration(browser=mine.browser, name="x", paper="a4") for _ in range(MAX_PRINTERS - 1)
    )
    assert "which is the most" in browser.post(reverse("calibration"), READ).content.decode()
    assert PrinterCalibration.objects.count() == MAX_PRINTERS


def test_an_account_claims_no_more_printers_than_it_may_have(browser: Client) -> None:
    browser.post(reverse("calibration"), READ)
    mine, user = PrinterCalibration.objects.get(), User.objects.create_user("full")
    PrinterCalibration.objects.bulk_create(
        PrinterCalibration(owner=user, name="x", paper="a4") for _ in range(MAX_PRINTERS - 1)
    )
    PrinterCalibration.objects.create(browser=mine.browser, name="Second", paper="a4")
    assert claim_printers(Viewer(user.pk, browser=mine.browser)) == 1
    assert PrinterCalibration.objects.filter(owner=user).count() == MAX_PRINTERS
    assert [row.name for row in PrinterCalibration.objects.filter(browser=mine.browser)] == ["Second"]


def test_logging_in_offers_to_take_the_printers_along(browser: Client) -> None:
    browser.post(reverse("calibration"), READ)
    user = User.objects.create_user("reader")
    browser.force_login(user)
    assert "1 printer" in browser.get(reverse("account")).content.decode()
    assert browser.post(reverse("account_take"), {"kind": "printers", "room": "1"}).status_code == 302
    assert PrinterCalibration.objects.get().owner == user


def test_the_sheet_is_a_pdf_of_two_pages_of_the_paper(browser: Client) -> None:
    answer = browser.get(reverse("calibration_sheet"), {"paper": "letter", "way": "short"})
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
        ) as queries:
            browser.get(reverse("calibration"))
        counts.append(len(queries))
        browser.post(reverse("calibration"), READ)
    assert counts[0] == counts[1]


RULED = {"high": "217,8", "wide": "138.9", "upper": "16.4", "lower": "16.4", "top_edge": "15.8"}
EDGES = {"above": "3", "right": "4", "below": "12", "left": "4"}


def test_what_a_ruler_measured_is_kept_and_fills_in_prints(browser: Client) -> None:
    browser.post(reverse("calibration"), READ | RULED | EDGES)
    row = PrinterCalibration.objects.get()
    assert (row.wider, row.higher, row.margin) == (79, 101, "3 4 12 4")
    # All is shorter, and yet line b stands no further from the edge: this printer prints too high, and a
    # little to the right.
    assert row.front_x < 0 < row.front_y and row.front_turn == 0
    page = browser.get(reverse("calibration_printer", args=[row.pk])).content.decode()
    assert "100.79 % wide" in page and "margins are 3 4 12 4 mm" in page
    settings = options_of(row)
    options = read_options(settings)
    assert (options.scale_x, options.margin) == (10_079, (3_000, 4_000, 12_000, 4_000))
    assert printer_with([row], settings) == str(row.pk)


def test_three_edges_of_four_are_asked_about(browser: Client) -> None:
    answer = browser.post(reverse("calibration"), READ | EDGES | {"left": ""})
    assert answer.status_code == 400 and "Read all four edges" in answer.content.decode()
    assert not PrinterCalibration.objects.exists()


def test_a_line_that_cannot_be_that_long_is_refused(browser: Client) -> None:
    answer = browser.post(reverse("calibration"), READ | {"high": "138"})
    assert answer.status_code == 400 and "check which line you measured" in answer.content.decode()


def test_margins_of_a_landscape_sheet_are_those_of_upright_paper_either_way_up() -> None:
    assert upright_margins([1, 2, 3, 4], landscape=True) == (4, 3, 4, 3)


def test_numbers_typed_by_hand_are_kept_of_the_paper_as_it_lay(browser: Client) -> None:
    browser.post(reverse("calibration"), READ | {"way": "long-landscape"})
    row = PrinterCalibration.objects.get()
    by_hand = {"name": "Hall", "way": "long-landscape", "x": "0", "y": "0", "turn": "0"}
    by_hand |= {"scale_x": "100.4", "front_turn": "0.25", "margin": "5 mm"}
    assert browser.post(reverse("calibration_printer", args=[row.pk]), by_hand).status_code == 302
    row.refresh_from_db()
    assert (row.wider, row.higher, row.front_turn, row.margin) == (0, 40, 25, "5")
    assert options_of(row)["scale_x"] == "100.4"
    wrong = browser.post(reverse("calibration_printer", args=[row.pk]), by_hand | {"margin": "5 5"})
    assert wrong.status_code == 400 and "one length or four" in wrong.content.decode()


@pytest.mark.parametrize("paper", ["70x100", "60x70"])
@pytest.mark.parametrize("way", ["long", "long-landscape"])
def test_a_printer_is_measured_on_paper_too_small_for_rulers(browser: Client, paper: str, way: str) -> None:
    assert browser.post(reverse("calibration"), {**READ, "paper": paper, "way": way}).status_code == 302


def test_margins_that_no_print_takes_are_asked_about(browser: Client) -> None:
    answer = browser.post(
        reverse("calibration"), READ | dict.fromkeys(("above", "right", "below", "left"), "31")
    )
    assert answer.status_code == 400 and "0 to 30 mm" in answer.content.decode()
    assert not PrinterCalibration.objects.exists()
