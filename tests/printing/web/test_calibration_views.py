"""The pages for calibrating printers. The arithmetic of readings is tested in
tests/printing/layout/test_calibration.py.
"""

import pypdfium2
import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from cardsdb.identity.viewer import Viewer
from printing.models import PrinterCalibration
from printing.options.values import read_options
from printing.request.settings import options_of, printer_with
from printing.web.account_data import take_printers
from printing.web.calibration_views import MAX_PRINTERS, upright_margins
from tests.support.guests import guest
from tests.support.pages import Page, page, page_of

pytestmark = pytest.mark.django_db

# The readings of a sheet of a new printer: where the lines of its three strips meet, in mm. They are typed in
# the ways that people write numbers.
READ = {"name": "Hall", "paper": "a4", "way": "long", "top": "0.4", "foot": "0,2 mm", "middle": "−1"}
# The same numbers of another printer, typed in directly.
BY_HAND = {"name": "Attic", "x": "-0.7", "y": "0", "turn": "−0.25", "way": "short-landscape"}
BY_HAND |= {"scale_x": "100.4", "front_turn": "0.25", "margin": "5 mm"}
# Lengths measured with a ruler, and unprintable margins.
RULED = {"high": "217,8", "wide": "138.9", "upper": "16.4", "lower": "16.4", "top_edge": "15.8"}
EDGES = {"above": "3", "right": "4", "below": "12", "left": "4"}
PRINTERS, SHEET = reverse("calibration"), reverse("calibration_sheet")


def measured(client: Client, **more: str) -> PrinterCalibration:
    """Send the readings of a sheet, and return the new printer."""
    answer = client.post(PRINTERS, READ | more)
    row = PrinterCalibration.objects.latest("pk")
    assert (answer.status_code, answer["Location"]) == (302, address_of(row))
    return row


def address_of(row: PrinterCalibration) -> str:
    return reverse("calibration_printer", args=[row.pk])


def refused(client: Client, address: str, **sent: str) -> Page:
    """The page that answers to a form with faults."""
    return page_of(client.post(address, sent), status=400)


# -- readings, and numbers typed by hand ---------------------------------------------------


def test_readings_make_a_printer_and_further_readings_are_added_to_it(client):
    row = measured(client)
    assert (row.name, row.paper, row.edge, row.landscape) == ("Hall", "a4", "long", False)
    assert (row.x, row.y, row.turn) == (300, -1_000, 5) and "Hall" in page(client, PRINTERS).text
    client.post(address_of(row), {"what": "reading", "top": "0.2", "foot": "0.2", "middle": "0"})
    row.refresh_from_db()
    assert (row.x, row.y, row.turn) == (500, -1_000, 5)


def test_numbers_can_be_typed_in_by_hand(client):
    row = measured(client)
    assert client.post(address_of(row), BY_HAND).status_code == 302
    row.refresh_from_db()
    assert (row.name, row.edge, row.landscape) == ("Attic", "short", True)
    assert (row.x, row.y, row.turn, row.front_turn, row.margin) == (-700, 0, -25, 25, "5")
    # Widths of upright paper are heights of a landscape sheet.
    assert (row.wider, row.higher, options_of(row)["scale_x"]) == (0, 40, "100.4")
    shown = page(client, address_of(row))
    assert shown.field("turn").value == "-0.25" and "0.7 mm left, turned 0.25° anticlockwise" in shown.text


def test_a_printer_s_page_has_each_field_once_so_that_no_measurement_is_lost(client):
    row = measured(client)
    again = next(form for form in page(client, address_of(row)).all("form") if form.has("input", name="high"))
    assert all(len(again.all("input", name=name)) == 1 for name in ("top", *RULED, *EDGES))


def test_the_print_page_names_the_paper_of_a_printer(client):
    row = measured(client, paper="letter")
    choice = page(client, "/print/?starter=spycraft/nine-tiger", follow=True).one("select", name="printer")
    assert choice.one("option", value=str(row.pk)).text == "Hall, US Letter"


@pytest.mark.parametrize("address", [PRINTERS, reverse("pictures"), reverse("card_texts")])
def test_pages_about_printing_are_marked_as_print_in_the_navigation(client, address):
    marked = {link.text for link in page(client, address).all("a", aria_current="page")}
    assert marked == {"Print"}


@pytest.mark.parametrize(
    ("change", "messages"),
    [
        ({"margin": "5 5", "turn": "3.1"}, ("one length or four", "degrees")),
        ({"margin": "", "turn": ""}, ("0 if they are not",)),
    ],
)
def test_wrong_numbers_typed_by_hand_are_refused_and_change_nothing(client, change, messages):
    row = measured(client)
    shown = refused(client, address_of(row), **BY_HAND | change)
    assert all(message in shown.text for message in messages)
    row.refresh_from_db()
    assert row.name == "Hall"


def test_lengths_measured_with_a_ruler_correct_prints(client):
    row = measured(client, **RULED, **EDGES)
    assert (row.wider, row.higher, row.margin) == (79, 101, "3 4 12 4")
    # Everything is printed too short, but line b is no further from the edge: this printer prints too high,
    # and a little too far to the right.
    assert row.front_x < 0 < row.front_y and row.front_turn == 0
    shown = page(client, address_of(row)).text
    assert "100.79 % wide" in shown and "margins are 3 4 12 4 mm" in shown
    options = read_options(options_of(row))
    assert (options.scale_x, options.margin) == (10_079, (3_000, 4_000, 12_000, 4_000))
    assert printer_with([row], options_of(row)) == str(row.pk)


def test_margins_of_a_landscape_sheet_hold_for_upright_paper():
    assert upright_margins([1, 2, 3, 4], landscape=True) == (4, 3, 4, 3)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"top": "a lot"}, "a length in millimetres"),
        ({"foot": ""}, "Enter what you read"),
        ({"name": "\N{SLEUTH OR SPY}"}, "cannot print"),
        ({"paper": "papyrus"}, "is not"),
        ({"way": "sideways"}, "sideways"),
        ({"top": "10", "foot": "-10"}, "at 100 per cent"),
        (EDGES | {"left": ""}, "Read all four edges"),
        (dict.fromkeys(EDGES, "31"), "0 to 30 mm"),
        ({"high": "138"}, "check which line you measured"),
    ],
)
def test_wrong_readings_are_refused_and_stay_in_the_form(client, change, message):
    shown = refused(client, PRINTERS, **READ | change)
    assert message in shown.text and shown.field("middle").value == change.get("middle", "−1")
    assert not PrinterCalibration.objects.exists()


# -- the sheet -----------------------------------------------------------------------------


def sizes(data: bytes) -> set[tuple[int, ...]]:
    """The sizes of the two pages of a PDF, in points."""
    document = pypdfium2.PdfDocument(data)
    assert len(document) == 2
    return {tuple(map(round, page.get_size())) for page in document}


def test_a_printer_keeps_the_duplex_mode_of_its_sheet(client):
    row = measured(client, way="short-landscape")
    # The strips of a landscape sheet are nearer to each other, so the same readings mean a larger turn.
    assert (row.edge, row.landscape, row.turn) == ("short", True, 7)
    answer = client.get(SHEET, {"printer": row.pk})
    assert sizes(answer.content) == {(842, 595)} and b"DuplexFlipShortEdge" in answer.content
    assert any("back_read=short-landscape" in link for link in page(client, PRINTERS).links)


def test_the_sheet_is_a_pdf_of_two_pages_of_the_paper(client):
    answer = client.get(SHEET, {"paper": "letter", "way": "short"})
    assert sizes(answer.content) == {(612, 792)} and b"DuplexFlipShortEdge" in answer.content


def test_sheets_of_impossible_papers_and_unknown_printers_are_refused(client):
    assert client.get(SHEET, {"paper": "9x9"}).status_code == 400
    assert client.get(SHEET, {"printer": "9" * 30}).status_code == 404


@pytest.mark.parametrize(
    ("asked", "paper", "way"),
    [
        ({"paper": "legal", "way": "short-landscape"}, "legal", "short-landscape"),
        ({"paper": "papyrus", "way": "sideways"}, "a4", "long"),
        ({"paper": "200x250"}, "200x250", "long"),
    ],
)
def test_the_page_offers_the_sheet_that_a_print_asks_for(client, asked, paper, way):
    shown = page(client, PRINTERS, asked)
    for name, value in (("paper", paper), ("way", way)):
        # One field is for printing the sheet, the other for its readings.
        assert [field.value for field in shown.all("select", name=name)] == [value] * 2


@pytest.mark.parametrize("way", ["long", "long-landscape"])
def test_a_printer_can_be_calibrated_on_paper_too_small_for_rulers(client, way):
    measured(client, paper="60x70", way=way)


# -- owners --------------------------------------------------------------------------------


def test_a_printer_is_seen_and_deleted_by_its_owner_alone(client):
    row, stranger = measured(client), Client()
    delete = reverse("calibration_delete", args=[row.pk])
    assert stranger.get(address_of(row)).status_code == stranger.post(delete).status_code == 404
    assert stranger.get(SHEET, {"printer": row.pk}).status_code == 404
    assert "Hall" not in page(stranger, PRINTERS).text
    client.post(delete)
    assert not PrinterCalibration.objects.exists()


def test_an_account_takes_over_printers_up_to_its_limit(client):
    user, (first, second) = User.objects.create_user("ada"), [measured(client) for _ in range(2)]
    mine = [PrinterCalibration(owner=user, name="Hall", paper="a4") for _ in range(MAX_PRINTERS - 1)]
    PrinterCalibration.objects.bulk_create(mine)
    taken = take_printers(Viewer(user.pk, browser=guest(client).browser))
    assert (taken.moved, taken.stayed) == (1, 1)
    first.refresh_from_db()
    second.refresh_from_db()
    assert (first.owner, second.owner) == (user, None)
    client.force_login(user)
    assert "which is the most" in refused(client, PRINTERS, **READ).text
