"""The import page of a collection: a pasted list, a table, or a file of another program is added to the
visitor's collection or replaces it.

What can be read is stored at once. Lines that cannot be read stay in the form with the reasons, to be
corrected; the form is then set to add, so that correcting them does not replace what was stored.
Tests: ``tests/decks/collection/test_pasting.py``.
"""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from cardsdb.catalogue.current import games
from cardsdb.faults import Fault, Refused
from cardsdb.games.kit import Entry, listed, some
from cardsdb.site.shortcuts import private_form
from decks.collection.holding import (
    MAX_FAULTS,
    Change,
    change,
    changes_of,
    likely_game,
    line_of,
    own_collection,
)
from decks.core.judging import game_of
from decks.formats import Unreadable, format_of
from decks.formats.files import text_or_refuse
from decks.formats.tables import MAX_BYTES, read_owned
from decks.formats.writing import NO_PRINT
from decks.importing.file_import import foreign_list
from decks.web.forms import corrected, read_cards

# Notices that one message tells. Messages are stored in a cookie, which has little room.
MAX_TOLD = 6


@private_form
def collection_import(request: HttpRequest) -> HttpResponse:
    """The import page. POST imports a file (``file``) or a pasted text (``text``) for ``game``, by ``mode``
    "add" or "replace".
    """
    posted = corrected(request.POST, games().get(request.POST.get("game", "")))
    context: dict[str, Any] = {
        "games": games().values(),
        "typed": posted.get("text", ""),
        "game_asked": posted.get("game", ""),
        "mode": posted.get("mode", "add"),
    }
    status = 200
    if request.method == "POST":
        try:
            file = request.FILES.get("file")
            data = file.read(MAX_BYTES + 1) if file else context["typed"].encode("utf-8", "replace")
            if not data.strip():
                raise Refused(Fault("required", "Choose a file, or paste a list or a table.", "file"))
            imported = _import_table if _is_table(data, file) else _import_list
            changed, notices = imported(request, data, context)
            if more := notices[MAX_TOLD:]:
                notices[MAX_TOLD:] = [f"And {len(more)} more."]
            if notices:
                messages.info(request, " ".join(notices))
            # The lines that could not be read or stored.
            left = context["typed"]
            if changed or not left:
                messages.success(request, f"Imported: {some(changed, 'number')} changed.")
            if not left:
                return redirect("collection")
            context["mode"] = "add"
        except Refused as error:
            context["faults"], status = error.faults, error.status
            context["gameless"] = any(fault.where == "game" for fault in error.faults)
            if any(fault.code == "no_game" for fault in error.faults):
                likely = likely_game(read_owned(context["typed"]))
                context |= {"likely": likely, "game_asked": likely.slug if likely else ""}
    return render(request, "decks/collection/import.html", context, status=status)


def _is_table(data: bytes, file: Any) -> bool:
    """True if the data looks like a table. ``file``: the uploaded file, None for a pasted text."""
    try:
        return format_of(data, file.name if file else "") == "csv"
    except Unreadable:
        return False


# The two functions below store what they can and return (how many numbers changed, notices). They put the
# rest into ``context`` for the form: ``typed``, the lines that could not be read or stored, and the reasons.
# Before they store, ``typed`` gets the whole text of a file, because browsers forget a chosen file.


def _import_table(request: HttpRequest, data: bytes, context: dict[str, Any]) -> tuple[int, list[str]]:
    """Import the rows of a table. Each row may name its game."""
    context["typed"] = text_or_refuse(data, MAX_BYTES)
    table = read_owned(context["typed"])
    changes, faults, no_prints = changes_of(table, games().get(context["game_asked"]))
    refused, changed = _store(request, changes, context)
    faults += [
        Fault(fault.code, f"Line {row.line}: {fault.message}", f"line {row.line}") for row, fault in refused
    ]
    # These lines stay in the form.
    bad = set(map(line_of, faults))
    context |= {"typed": table.table.only(bad) if bad else "", "faults": faults[:MAX_FAULTS], "left": True}
    notices = [*table.left_out]
    if no_prints:
        unknown = listed(tuple(no_prints), MAX_TOLD)
        notices.append(f"Copies without a print that is not known: {unknown}.")
    return changed, notices


def _import_list(request: HttpRequest, data: bytes, context: dict[str, Any]) -> tuple[int, list[str]]:
    """Import the cards of a decklist, which are all of one game."""
    foreign = foreign_list(data, game=context["game_asked"])
    if foreign:
        context |= {"typed": foreign.text, "game_asked": foreign.game.slug}
    else:
        context["typed"] = text_or_refuse(data, MAX_BYTES)
    game, _ = game_of(context["typed"], context["game_asked"], games())
    context["game_asked"] = game.slug
    read = read_cards(game, context["typed"])
    changes = [_change_of(entry, line) for entry, line in read.cards]
    refused, changed = _store(request, changes, context) if changes else ([], 0)
    # Change -> (entry, line) that it came from.
    cards = dict(zip(changes, read.cards, strict=True))
    # The text of these lines and of those that were not read, and all of them with their reasons.
    left, unread = read.left(game, [(*cards[each], fault.message) for each, fault in refused])
    context |= {"typed": left, "unread": unread}
    notices = [f"{notice.message} ({notice.place})" for notice in read.notices]
    return changed, [foreign.words, *notices] if foreign else notices


def _store(
    request: HttpRequest, changes: list[Change], context: dict[str, Any]
) -> tuple[list[tuple[Change, Fault]], int]:
    """Store the changes that can be made. Return (each refused one with its fault, how many numbers
    changed).
    """
    refused: list[tuple[Change, Fault]] = []
    replacing = context["mode"] == "replace"
    return refused, change(own_collection(request), changes, nothing_else=replacing, refused=refused)


def _change_of(entry: Entry, line: int) -> Change:
    """The copies of one entry, to be added. An unknown print counts as none."""
    printed = entry.card.print_called(entry.marks.prints.label) or NO_PRINT
    return Change(entry.card.key, entry.count, None, printed.set, printed.number, line)
