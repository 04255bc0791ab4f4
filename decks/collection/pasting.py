"""A list, a table or a file of another program taken into a collection. Lines that cannot be read stay in the
form.
"""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from cardsdb.catalogue.current import games
from cardsdb.faults import Fault, Refused
from cardsdb.games.kit import Entry, listed, some
from cardsdb.site.shortcuts import private_form
from decks.collection.holding import MAX_FAULTS, Change, change, changes_of, likely_game, own_collection
from decks.core.judging import game_of
from decks.formats import Unreadable, format_of
from decks.formats.files import text_or_refuse
from decks.formats.tables import MAX_BYTES, read_owned
from decks.formats.writing import NO_PRINT
from decks.importing.file_import import foreign_list
from decks.web.forms import corrected, read_cards

# Things that were set aside that a message names: it travels in a cookie.
MAX_TOLD = 6


@private_form
def collection_import(request: HttpRequest) -> HttpResponse:
    """Take in a list or a table from a file or pasted, adding to the collection or replacing it. What cannot
    be read stays in the form.
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
            take = _take_table if _is_table(data, file) else _take_list
            made, told = take(request, data, context)
            if more := told[MAX_TOLD:]:
                told[MAX_TOLD:] = [f"And {len(more)} more."]
            if told:
                messages.info(request, " ".join(told))
            left = context["typed"]
            if made or not left:
                messages.success(request, f"Imported: {some(made, 'number')} changed.")
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
    try:
        return format_of(data, file.name if file else "") == "csv"
    except Unreadable:
        return False


# Each notes what it can, leaves the rest in the form and returns how many numbers changed and what is to be
# told. The text stays in the form whatever is wrong with it, since browsers do not keep a chosen file.


def _take_table(request: HttpRequest, data: bytes, context: dict[str, Any]) -> tuple[int, list[str]]:
    """Take in the rows of a table, each of which may name its game."""
    context["typed"] = text_or_refuse(data, MAX_BYTES)
    table = read_owned(context["typed"])
    changes, faults, no_prints = changes_of(table, games().get(context["game_asked"]))
    refused, made = _note(request, changes, context)
    faults += [
        Fault(fault.code, f"Line {one.line}: {fault.message}", f"line {one.line}") for one, fault in refused
    ]
    bad = {int(fault.where.split()[1]) for fault in faults}
    context |= {"typed": table.table.only(bad) if bad else "", "faults": faults[:MAX_FAULTS], "left": True}
    prints = [f"Copies without a print that is not known: {listed(tuple(no_prints), MAX_TOLD)}."]
    return made, [*table.left_out, *(prints if no_prints else ())]


def _take_list(request: HttpRequest, data: bytes, context: dict[str, Any]) -> tuple[int, list[str]]:
    """Take in the cards of a list, which are of one game."""
    foreign = foreign_list(data, game=context["game_asked"])
    context["typed"] = foreign.text if foreign else text_or_refuse(data, MAX_BYTES)
    game, _ = game_of(context["typed"], foreign.game.slug if foreign else context["game_asked"], games())
    context["game_asked"] = game.slug
    read = read_cards(game, context["typed"])
    changes = [_change_of(entry, line) for entry, line in read.cards]
    refused, made = _note(request, changes, context) if changes else ([], 0)
    cards = dict(zip(changes, read.cards, strict=True))
    left, unread = read.left(game, [(*cards[one], fault.message) for one, fault in refused])
    context |= {"typed": left, "unread": unread}
    told = [f"{notice.message} ({notice.place})" for notice in read.notices]
    return made, [foreign.words, *told] if foreign else told


def _note(
    request: HttpRequest, changes: list[Change], context: dict[str, Any]
) -> tuple[list[tuple[Change, Fault]], int]:
    refused: list[tuple[Change, Fault]] = []
    replacing = context["mode"] == "replace"
    return refused, change(own_collection(request), changes, nothing_else=replacing, refused=refused)


def _change_of(entry: Entry, line: int) -> Change:
    printed = entry.card.print_called(entry.marks.prints.label) or NO_PRINT
    return Change(entry.card.key, entry.count, None, printed.set, printed.number, line)
