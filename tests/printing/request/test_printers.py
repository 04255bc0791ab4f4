"""The printers that somebody has measured: what they fill in, what is read from a sheet, and whose they
become.
"""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.core.exceptions import ValidationError

from cardsdb.faults import Refused
from cardsdb.identity.viewer import Viewer
from cardsdb.models import owned_by
from printing.layout.calibration import NOT_MOVED, Readings
from printing.models import PrinterCalibration
from printing.options.duplex import DuplexMode, Shift
from printing.request.settings import options_of, printer_with, words_of_printer
from printing.web import calibration_views
from printing.web.calibration_views import claim_printers, save_reading

pytestmark = pytest.mark.django_db
BROWSER = Viewer(browser="b" * 64)
LONG = DuplexMode("long", False)
READ = Readings(400, 200, -1_000)


def saved(
    viewer: Viewer = BROWSER, row: PrinterCalibration | None = None, mode: DuplexMode = LONG
) -> PrinterCalibration:
    return save_reading(viewer, row or printer(viewer, mode), READ)


def printer(viewer: Viewer = BROWSER, mode: DuplexMode = LONG) -> PrinterCalibration:
    edge, landscape = mode
    return PrinterCalibration(**owned_by(viewer), name="Hall", paper="a4", edge=edge, landscape=landscape)


def refused(viewer: Viewer = BROWSER, readings: Readings = READ) -> str:
    with pytest.raises(ValidationError) as caught:
        save_reading(viewer, printer(viewer), readings)
    ((field, _),) = caught.value.message_dict.items()
    return field


def test_what_is_read_from_a_sheet_is_how_backs_are_moved_from_then_on() -> None:
    row = saved()
    assert (row.shift, row.mode, row.paper) == (Shift(300, -1_000, 5), LONG, "a4")
    assert options_of(row) == {
        "paper": "a4",
        "back_x": "0.3",
        "back_y": "-1",
        "back_turn": "0.05",
        "back_read": LONG.slug,
    }
    assert [one.pk for one in PrinterCalibration.objects.of(BROWSER)] == [
        row.pk
    ] and not PrinterCalibration.objects.of(Viewer(browser="c"))


def test_a_second_reading_is_added_to_the_first_whose_paper_and_way_stay() -> None:
    again = save_reading(BROWSER, saved(), Readings(200, 200, 0))
    assert (again.x, again.y, again.turn) == (500, -1_000, 5)
    assert (again.name, again.paper, again.mode) == ("Hall", "a4", LONG)


def test_a_reading_that_no_printer_can_have_is_refused() -> None:
    assert refused(readings=Readings(900_000, 0, 0)) == "top" and not PrinterCalibration.objects.exists()


def test_nobody_keeps_more_printers_than_there_is_room_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(calibration_views, "MAX_PRINTERS", 1)
    saved()
    assert refused() == "name" and saved(Viewer(browser="c" * 64))


def test_a_printer_fills_in_its_options_and_none_moves_nothing() -> None:
    row = saved()
    assert words_of_printer([row], str(row.pk)) == {**NOT_MOVED, **options_of(row)}
    assert words_of_printer([row], "") == NOT_MOVED
    with pytest.raises(Refused):
        words_of_printer([row], "0")


def test_the_printer_is_known_by_the_options_that_it_fills_in() -> None:
    row = saved()
    assert printer_with([row], words_of_printer([row], str(row.pk))) == str(row.pk)
    assert (
        printer_with([row], {"paper": "a4"}) == printer_with([row], {**options_of(row), "back_x": "9"}) == ""
    )


def test_what_a_browser_measured_becomes_the_accounts_as_far_as_it_has_room(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(calibration_views, "MAX_PRINTERS", 2)
    user = User.objects.create_user("ann")
    account = Viewer(user.pk, browser=BROWSER.browser)
    saved(Viewer(user.pk))
    first = saved()
    saved()
    assert claim_printers(account) == 1
    assert [one.pk for one in PrinterCalibration.objects.of(Viewer(user.pk))][1:] == [first.pk] and len(
        PrinterCalibration.objects.of(BROWSER)
    ) == 1
