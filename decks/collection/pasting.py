"""A list, a table or another program's file taken into a collection. What cannot be read stays in the form."""

from typing import Any, NamedTuple

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from cardsdb.catalogue.current import games
from cardsdb.faults import Fault, Refused
from cardsdb.games.kit import Entry, listed, some
from cardsdb.games.kit.listtext.reading import Unread
from cardsdb.site.shortcuts import private_form
from decks.collection.holding import MAX_FAULTS, Change, change, changes_of, likely_game, own_collection
from decks.core.judging import game_of
from decks.formats import Unreadable, format_of
from decks.formats.files import text_or_refuse
from decks.formats.tables import MAX_BYTES, read_owned
from decks.importing.file_import import foreign_list
from decks.web.forms import corrected
from decks.web.pasted_cards import read_cards

# Columns of a table, and things that were set aside, that a message names: it travels in a cookie.
MAX_TOLD = 6


class Taken(NamedTuple):
    """The result of taking something in: how many numbers changed, sentences to be told, the text that is left with
    its faults, and its lines with what may be meant.
    """

    made: int
    told: list[str]
    text: str = ""
    faults: tuple[Fault, ...] = ()
    unread: tuple[Unread, ...] = ()


@private_form
def collection_import(request: HttpRequest) -> HttpResponse:
    """Take in a list or a table from a file or pasted, adding to the collection or replacing it. What cannot be read
    stays in the form.
    """
    game = games().get(request.POST.get("game", ""))
    posted = corrected(request.POST, game)
    context: dict[str, Any] = {
        "games": games().values(),
        "typed": posted.get("text", ""),
        "game_asked": posted.get("game", ""),
        "mode": posted.get("mode", "add"),
    }
    status = 200
    if request.method == "POST":
        try:
            file, data, name = request.FILES.get("file"), context["typed"].encode("utf-8", "replace"), ""
            if file:
                data, name = file.read(MAX_BYTES + 1), file.name or ""
            if not data.strip():
                raise Refused(Fault("required", "Choose a file, or paste a list or a table.", "file"))
            # The text stays in the form whatever is wrong with it, since browsers do not keep a chosen file.
            is_table = _is_table(data, name)
            foreign = None if is_table else foreign_list(data, name, context["game_asked"])
            context["typed"] = foreign.text if foreign else text_or_refuse(data, MAX_BYTES)
            if foreign:
                context["game_asked"] = foreign.game.slug
                messages.info(request, foreign.words)
            taken = (_take_table if is_table else _take_list)(request, context)
            if taken.told:
                messages.info(request, " ".join(taken.told))
            if taken.made or not taken.text:
                messages.success(request, f"Imported: {some(taken.made, 'number')} changed.")
            if not taken.text:
                return redirect("collection")
            context |= {"typed": taken.text, "mode": "add", "unread": taken.unread}
            context |= {"faults": taken.faults[:MAX_FAULTS], "left": True}
        except Refused as error:
            context["faults"], status = error.faults, error.status
            if gameless := next((fault for fault in error.faults if fault.where == "game"), None):
                context["gameless"] = gameless
    return render(request, "decks/collection/import.html", context, status=status)


def _is_table(data: bytes, name: str) -> bool:
    try:
        return format_of(data, name) == "csv"
    except Unreadable:
        return False


def _take_table(request: HttpRequest, context: dict[str, Any]) -> Taken:
    """Take the rows of a table in; it may name a game in each. Raises Refused."""
    table = read_owned(context["typed"])
    try:
        changes, faults, no_prints = changes_of(table, games().get(context["game_asked"]))
    except Refused as refused:
        if any(fault.where == "game" for fault in refused.faults):
            likely = likely_game(table)
            context |= {"likely": likely, "game_asked": likely.slug if likely else ""}
        raise
    refused_rows, made = _noted(request, changes, context["mode"])
    faults += [
        Fault(fault.code, f"Line {one.line}: {fault.message}", f"line {one.line}")
        for one, fault in refused_rows
    ]
    told = [*table.left_out[:MAX_TOLD]]
    if more := table.left_out[MAX_TOLD:]:
        told.append(f"And {some(len(more), 'column')} more.")
    if no_prints:
        told.append(f"Copies without a print that is not known: {listed(tuple(no_prints), MAX_TOLD)}.")
    bad = {int(fault.where.split()[1]) for fault in faults}
    return Taken(made, told, table.table.only(bad) if bad else "", tuple(faults))


def _take_list(request: HttpRequest, context: dict[str, Any]) -> Taken:
    """Take the cards of a list in, which are of one game. Raises Refused."""
    game, _ = game_of(context["typed"], context["game_asked"], games())
    context["game_asked"] = game.slug
    read = read_cards(game, context["typed"])
    changes = [_change_of(entry, line) for entry, line in read.cards]
    refused, made = _noted(request, changes, context["mode"]) if changes else ([], 0)
    text, unread = read.without({one.line: fault.message for one, fault in refused}).left()
    told = [f"{notice.message} ({notice.place})" for notice in read.notices]
    return Taken(
        made, [*told[:MAX_TOLD], *(["And more of that kind."] if told[MAX_TOLD:] else [])], text, (), unread
    )


def _change_of(entry: Entry, line: int) -> Change:
    label = entry.marks.prints.label
    meant = entry.card.print_called(label) if label else None
    return Change(
        entry.card.key, entry.count, None, meant.set if meant else "", meant.number if meant else "", line
    )


def _noted(request: HttpRequest, changes: list[Change], mode: str) -> tuple[list[tuple[Change, Fault]], int]:
    """Note these copies, those that can be; return those that cannot, and how many numbers changed."""
    refused: list[tuple[Change, Fault]] = []
    made = change(own_collection(request), changes, nothing_else=mode == "replace", refused=refused)
    return refused, made
