"""What the form offers from what its visitor has: the printers they measured, the versions of their deck."""

from __future__ import annotations

from collections.abc import Mapping

from django.utils.formats import date_format
from django.utils.timezone import localtime

from cardsdb.errors import Refused
from decks.models import DeckRevision
from printing.calibrations import options_of
from printing.option_table import Choice
from printing.page.asking import Asking

# So many of the last versions are offered beside those with a name.
LAST, MOST_VERSIONS, MOST_LOOKED_AT = 8, 60, 500
_MOVED = ("back_x", "back_y", "back_turn")


def printer_of(asking: Asking, words: Mapping[str, str]) -> str:
    """The number of the printer whose settings these are, empty for none."""
    now = (words.get("paper", ""), *(words.get(name) or "0" for name in _MOVED))
    for row in asking.printers:
        filled = options_of(row)
        if (filled["paper"], *(filled.get(name, "0") for name in _MOVED)) == now:
            return str(row.pk)
    return ""


def versions_offered(asking: Asking) -> dict[str, tuple[Choice, ...]]:
    """Earlier versions to choose from, where one stored deck is printed by its author: those with a name, and the last ones."""
    try:
        lists = asking.asked.lists
    except Refused:
        return {}
    row = lists[0].row if len(lists) == 1 else None
    if row is None or not row.is_editable_by(asking.visitor):
        return {}
    kept = (
        DeckRevision.objects.of(row.pk)
        .filter(number__lt=row.revision)
        .order_by("-number")
        .values_list("number", "name", "made")[:MOST_LOOKED_AT]
    )
    found: dict[str, str] = {"": "All of it, whenever it came in"}
    for place, (number, name, made) in enumerate(kept):
        day = date_format(localtime(made), "j F Y")
        if name and name not in found:
            found[name] = f"“{name}”, {day}"
        elif place < LAST:
            found[str(number)] = f"Version {number}, {day}" if number else f"As first stored, {day}"
        if len(found) > MOST_VERSIONS:
            break
    return {"since": tuple(Choice(value, words) for value, words in found.items())}
