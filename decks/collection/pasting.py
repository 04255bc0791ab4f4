"""The import page of a collection: a pasted list, a table, or a file of another program is added to the
visitor's collection or replaces it.

What can be read is stored at once. Lines that cannot be read stay in the form with the reasons, to be
corrected; the form is then set to add, so that correcting them does not replace what was stored.
Tests: lists in ``tests/decks/collection/test_pasting.py``, tables in ``test_holding.py`` beside it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from cardsdb.catalogue.current import games
from cardsdb.faults import Fault, Refused
from cardsdb.games.kit import Entry, Game, listed, some
from cardsdb.games.kit.listtext.reading import Unread
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


@dataclass
class _Form:
    """What the form shows: the text, the slug of the game, and ``mode`` "add" or "replace". ``_import`` puts
    the text of a file and the game that it is for here, because browsers forget a chosen file.
    """

    typed: str
    game_asked: str
    mode: str


class _Imported(NamedTuple):
    """How many numbers changed, and what is told besides. ``rest``: the text of the lines that could not be
    read or stored. ``faults`` say why for a table, ``unread`` for a list.
    """

    changed: int
    notices: list[str]
    rest: str
    faults: Sequence[Fault] = ()
    unread: Sequence[Unread] = ()


@private_form
def collection_import(request: HttpRequest) -> HttpResponse:
    """The import page. POST imports a file (``file``) or a pasted text (``text``) for ``game``, by ``mode``
    "add" or "replace".
    """
    posted = corrected(request.POST, games().get(request.POST.get("game", "")))
    form = _Form(posted.get("text", ""), posted.get("game", ""), posted.get("mode", "add"))
    context: dict[str, Any] = {}
    status = 200
    if request.method == "POST":
        try:
            imported = _import(request, form)
        except Refused as error:
            context, status = _refusal(error, form), error.status
        else:
            notices = imported.notices[:MAX_TOLD]
            if more := imported.notices[MAX_TOLD:]:
                notices.append(f"And {len(more)} more.")
            if notices:
                messages.info(request, " ".join(notices))
            if imported.changed or not imported.rest:
                messages.success(request, f"Imported: {some(imported.changed, 'number')} changed.")
            if not imported.rest:
                return redirect("collection")
            form.typed, form.mode = imported.rest, "add"
            context = {"faults": imported.faults, "unread": imported.unread, "is_partly_imported": True}
    context |= {"games": games().values(), **vars(form)}
    return render(request, "decks/collection/import.html", context, status=status)


def _refusal(error: Refused, form: _Form) -> dict[str, Any]:
    """Return the context that shows a refusal. If a table does not say its game, the likely one is chosen in
    the form.
    """
    context = {"faults": error.faults, "gameless": any(fault.where == "game" for fault in error.faults)}
    if any(fault.code == "no_game" for fault in error.faults):
        context["likely"] = likely = likely_game(read_owned(form.typed))
        form.game_asked = likely.slug if likely else ""
    return context


def _import(request: HttpRequest, form: _Form) -> _Imported:
    """Store what can be read of the file or the text. Raise Refused if that is nothing."""
    file = request.FILES.get("file")
    data = file.read(MAX_BYTES + 1) if file else form.typed.encode("utf-8", "replace")
    if not data.strip():
        raise Refused(Fault("required", "Choose a file, or paste a list or a table.", "file"))
    if _is_table(data, file):
        form.typed = text_or_refuse(data, MAX_BYTES)
        return _import_table(request, form)
    foreign = foreign_list(data, game=form.game_asked)
    if foreign:
        form.typed, form.game_asked = foreign.text, foreign.game.slug
    else:
        form.typed = text_or_refuse(data, MAX_BYTES)
    game, _ = game_of(form.typed, form.game_asked, games())
    form.game_asked = game.slug
    imported = _import_list(request, form, game)
    return imported._replace(notices=[foreign.words, *imported.notices]) if foreign else imported


def _is_table(data: bytes, file: Any) -> bool:
    """True if the data looks like a table. ``file``: the uploaded file, None for a pasted text."""
    try:
        return format_of(data, file.name if file else "") == "csv"
    except Unreadable:
        return False


def _import_table(request: HttpRequest, form: _Form) -> _Imported:
    """Import the rows of a table. Each row may name its game."""
    table = read_owned(form.typed)
    changes, faults, no_prints = changes_of(table, games().get(form.game_asked))
    refused: list[tuple[Change, Fault]] = []
    changed = change(own_collection(request), changes, nothing_else=form.mode == "replace", refused=refused)
    faults += [
        Fault(fault.code, f"Line {row.line}: {fault.message}", f"line {row.line}") for row, fault in refused
    ]
    bad_lines = set(map(line_of, faults))
    notices = [*table.left_out]
    if no_prints:
        unknown = listed(tuple(no_prints), MAX_TOLD)
        notices.append(f"Copies without a print that is not known: {unknown}.")
    rest = table.table.only(bad_lines) if bad_lines else ""
    return _Imported(changed, notices, rest, faults[:MAX_FAULTS])


def _import_list(request: HttpRequest, form: _Form, game: Game) -> _Imported:
    """Import the cards of a decklist, which are all of one game."""
    read = read_cards(game, form.typed)
    changes = [_change_of(entry, line) for entry, line in read.cards]
    # Change -> (entry, line) that it came from. Two equal ones come from equal entries of one line.
    cards = dict(zip(changes, read.cards, strict=True))
    refused: list[tuple[Change, Fault]] = []
    changed = 0
    if changes:
        changed = change(
            own_collection(request), changes, nothing_else=form.mode == "replace", refused=refused
        )
    rest, unread = read.to_correct(game, [(*cards[each], fault.message) for each, fault in refused])
    notices = [f"{notice.message} ({notice.place})" for notice in read.notices]
    return _Imported(changed, notices, rest, unread=unread)


def _change_of(entry: Entry, line: int) -> Change:
    """The copies of one entry, to be added. An unknown print counts as none."""
    printed = entry.card.print_called(entry.marks.prints.label) or NO_PRINT
    return Change(entry.card.key, entry.count, None, printed.set, printed.number, line)
