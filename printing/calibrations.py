"""Whose printers are whose: what was measured of them, kept for the account or the browser that measured it."""

from __future__ import annotations

from django.db import transaction

from cardsdb.errors import Fault, Refused
from decks.visitors import Visitor
from printing.calibration import OutOfReach, Readings, back_options, measured, stacked
from printing.imposition import Shift
from printing.models import PrinterCalibration
from printing.models.private import PrivateQuerySet, owned_by
from printing.papers import Size, read_paper

MOST_PRINTERS = 30


def calibrations_of(visitor: Visitor) -> PrivateQuerySet[PrinterCalibration]:
    """The printers this visitor has measured."""
    return PrinterCalibration.objects.of(visitor)


def shift_of(row: PrinterCalibration) -> Shift:
    """How its backs are moved."""
    return Shift(row.x, row.y, row.turn)


def options_of(row: PrinterCalibration) -> dict[str, str]:
    """What it fills into the options of a print: its paper and how backs are moved."""
    return {"paper": row.paper, **back_options(shift_of(row))}


@transaction.atomic
def take_reading(visitor: Visitor, row: PrinterCalibration | None, name: str, paper: Size, readings: Readings) -> PrinterCalibration:
    """Keep what was read from a sheet: a new printer, or, with ``row``, what is still to be added to it. Raises Refused."""
    before = Shift()
    if row:
        row = calibrations_of(visitor).select_for_update().get(pk=row.pk)
        paper, before = read_paper(row.paper), shift_of(row)
    try:
        total = stacked(before, measured(readings, paper))
    except OutOfReach as error:
        raise Refused(Fault("out_of_reach", f"{str(error).capitalize()}.", "top")) from None
    if row is None:
        if calibrations_of(visitor).count() >= MOST_PRINTERS:
            raise Refused(Fault("too_many", f"You have {MOST_PRINTERS} printers, which is the most. Delete one first.", "name"))
        row = PrinterCalibration(**owned_by(visitor), name=name, paper=paper.slug)
    row.x, row.y, row.turn = total
    row.save()
    return row


def take_along(visitor: Visitor) -> int:
    """Make what this browser measured without an account the account's; how many printers."""
    return of_browser(visitor).update(owner=visitor.user_id, browser=None)


def of_browser(visitor: Visitor) -> PrivateQuerySet[PrinterCalibration]:
    """What a logged-in visitor's browser measured before."""
    return PrinterCalibration.objects.of(Visitor(browser=visitor.browser if visitor.user_id else ""))
