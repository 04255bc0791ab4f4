"""Printers that somebody measured: whose they are, what they fill into a print, and readings from their
sheets.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from django.db import transaction

from cardsdb.faults import Fault, Refused
from cardsdb.identity.viewer import Viewer
from cardsdb.models import owned_by
from cardsdb.models.owned import OwnedQuerySet
from printing.layout.calibration import (
    NOT_MOVED,
    OutOfReach,
    Readings,
    back_options,
    lying,
    measured,
    stacked,
)
from printing.models import PrinterCalibration
from printing.options.duplex import DuplexMode, Shift
from printing.options.sizes import Size, read_paper

MAX_PRINTERS = 30


def calibrations_of(viewer: Viewer) -> OwnedQuerySet[PrinterCalibration]:
    """The printers this visitor has measured."""
    return PrinterCalibration.objects.of(viewer)


def shift_of(row: PrinterCalibration) -> Shift:
    """How its backs are moved."""
    return Shift(row.x, row.y, row.turn)


def mode_of(row: PrinterCalibration) -> DuplexMode:
    """How its sheet was turned and lay."""
    return DuplexMode("short" if row.edge == "short" else "long", row.landscape)


def paper_of(row: PrinterCalibration) -> Size:
    """Its paper as it lay."""
    return lying(read_paper(row.paper), row.landscape)


def options_of(row: PrinterCalibration) -> dict[str, str]:
    """The options that it fills in: its paper, how backs are moved, and from what kind of sheet that was
    read.
    """
    return {"paper": row.paper, **back_options(shift_of(row), mode_of(row))}


def words_of_printer(printers: Iterable[PrinterCalibration], number: str) -> dict[str, str]:
    """The options of the printer with this number; without a number backs are not moved. Raises Refused for
    an unknown number.
    """
    if not number:
        return dict(NOT_MOVED)
    row = next((row for row in printers if str(row.pk) == number), None)
    if row is None:
        raise Refused(Fault("unknown_printer", "This printer is no longer kept: choose another.", "printer"))
    return {**NOT_MOVED, **options_of(row)}


def printer_with(printers: Iterable[PrinterCalibration], words: Mapping[str, str]) -> str:
    """The number of the printer that fills in just what these options say; empty for none."""
    now = {name: words.get(name) or default for name, default in {"paper": "", **NOT_MOVED}.items()}
    return next((str(row.pk) for row in printers if {**NOT_MOVED, **options_of(row)} == now), "")


@transaction.atomic
def save_reading(
    viewer: Viewer,
    row: PrinterCalibration | None,
    name: str,
    paper: Size,
    mode: DuplexMode,
    readings: Readings,
) -> PrinterCalibration:
    """Save what was read from a sheet: as a new printer, or added to what ``row`` has, whose own paper and
    way count then.

    Raises Refused.
    """
    before = Shift()
    if row:
        row = calibrations_of(viewer).select_for_update().get(pk=row.pk)
        paper, mode, before = read_paper(row.paper), mode_of(row), shift_of(row)
    try:
        total = stacked(before, measured(readings, lying(paper, mode.landscape)))
    except OutOfReach as error:
        raise Refused(Fault("out_of_reach", f"{str(error).capitalize()}.", "top")) from None
    if row is None:
        if calibrations_of(viewer).count() >= MAX_PRINTERS:
            raise Refused(
                Fault(
                    "too_many",
                    f"You have {MAX_PRINTERS} printers, which is the most. Delete one first.",
                    "name",
                )
            )
        row = PrinterCalibration(
            **owned_by(viewer), name=name, paper=paper.slug, edge=mode.edge, landscape=mode.landscape
        )
    row.x, row.y, row.turn = total
    row.save()
    return row


@transaction.atomic
def claim_printers(viewer: Viewer) -> int:
    """Make what this browser measured without an account the account's, as far as it has room for more; how
    many printers.
    """
    theirs = PrinterCalibration.objects.of_browser(viewer)
    room = max(0, MAX_PRINTERS - calibrations_of(viewer).count())
    first = list(theirs.order_by("made", "pk").values_list("pk", flat=True)[:room])
    return theirs.filter(pk__in=first).update(owner=viewer.user_id, browser=None)
