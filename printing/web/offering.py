"""What the form offers from what its visitor has: the printers they measured, the versions, sections and cards of their decks."""

from __future__ import annotations

from collections.abc import Mapping

from django.utils.formats import date_format
from django.utils.timezone import localtime

from cardsdb.site.faults import Refused
from decks.models import DeckRevision
from printing.layout.calibration import NOT_MOVED
from printing.options.table import Choice
from printing.request.card_fields import CopyRow, Sections, copy_rows, out_of_date, sections_of
from printing.request.print_request import PrintRequest
from printing.request.printers import options_of

# So many of the last versions are offered beside those with a name.
LAST, MAX_VERSIONS, MAX_VERSIONS_READ = 8, 60, 500


def printer_of(print_request: PrintRequest, words: Mapping[str, str]) -> str:
    """The number of the printer whose settings these are, empty for none."""
    now = {name: words.get(name) or default for name, default in {"paper": "", **NOT_MOVED}.items()}
    for row in print_request.printers:
        if {**NOT_MOVED, **options_of(row)} == now:
            return str(row.pk)
    return ""


def versions_offered(print_request: PrintRequest) -> dict[str, tuple[Choice, ...]]:
    """Earlier versions to choose from, where one stored deck is printed by its author: those with a name, and the last ones."""
    try:
        lists = print_request.parse_lists().lists
    except Refused:
        return {}
    row = lists[0].row if len(lists) == 1 else None
    if row is None or not row.is_editable_by(print_request.viewer):
        return {}
    kept = (
        DeckRevision.objects.of(row.pk)
        .filter(number__lt=row.revision)
        .order_by("-number")
        .values_list("number", "name", "made")[:MAX_VERSIONS_READ]
    )
    found: dict[str, str] = {"": "All of it, whenever it came in"}
    for place, (number, name, made) in enumerate(kept):
        day = date_format(localtime(made), "j F Y")
        if name and name not in found:
            found[name] = f"“{name}”, {day}"
        elif place < LAST:
            found[str(number)] = f"Version {number}, {day}" if number else f"As first stored, {day}"
        if len(found) > MAX_VERSIONS:
            break
    if len(found) == 1:
        return {}
    return {"since": tuple(Choice(value, words) for value, words in found.items())}


def sections_offered(print_request: PrintRequest, words: Mapping[str, str]) -> Sections:
    """The boxes for the sections of the lists, and which of them are ticked."""
    try:
        return sections_of(words.get("only", ""), print_request.parse_lists().lists)
    except Refused:
        return Sections()


def extras_without_use(print_request: PrintRequest) -> tuple[str, ...]:
    """What can be printed besides the cards and these lists have none of, as ``extras=tokens``."""
    try:
        lists = print_request.parse_lists().lists
    except Refused:
        return ()
    found = [one.game.print_extras for one in lists]
    useless = [] if any(extras.markers or extras.cards for extras in found) else ["tokens"]
    useless += [] if any(extras.scores for extras in found) else ["scores"]
    useless += ["labels", "register"] if all(one.loose for one in lists) else []
    return tuple(f"extras={one}" for one in useless)


def table_offered(print_request: PrintRequest, *, as_chosen: bool) -> tuple[tuple[CopyRow, ...], bool]:
    """(a row for each card, whether the table that the browser has must give way to them).

    ``as_chosen``: with the copies that are printed; else nobody can tell, and the table stays as it came back.
    """
    try:
        rows = copy_rows(print_request.parse_lists().lists, print_request.selections() if as_chosen else None, print_request.table_sent)
    except Refused:
        return (), False
    return rows, bool(as_chosen and print_request.table_sent) and out_of_date(rows, print_request.table_sent)
