"""The editor: the catalogue's search beside the deck. Every change is one small POST and is saved at once.

Without script every button is a form's, and leads back to the place it was pressed at. A script asks
for the deck's side alone (``HX-Target: deck``) or for the cards found (``found``).
"""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.cache import patch_vary_headers
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from cardsdb.games.kit import Game
from cardsdb.games.kit.listtext.sections import example_line
from cardsdb.games.kit.model.text import whole_number
from cardsdb.site.faults import Refused
from cardsdb.site.shortcuts import game_or_404
from decks.core.content import DeckContent
from decks.core.diff import Difference, difference
from decks.core.edits import entry_of
from decks.core.judging import Judged, format_with, judge
from decks.editor.card_results import find
from decks.editor.changes import EditRequest, LineNotRead, parse_edit
from decks.editor.found_rows import rows_of
from decks.editor.likely import likely_for
from decks.editor.pane import choices_of_place, line_id, pane_context
from decks.history.timeline import steps_of
from decks.history.undo import redo, undo
from decks.history.views import step_words
from decks.identity.viewer import Viewer, browser_of, hashed, viewer_of
from decks.models import Deck
from decks.saving.save import Saved, save_edit
from decks.web.edit_key import grant_browser_access, new_edit_link, without_new_key
from decks.web.forms import seen_revision

# What an address of the editor holds besides the deck.
PLACE = ("q", "page", "into")
STEPS = {"undo": undo, "redo": redo}


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def deck_edit(request: HttpRequest, link: str) -> HttpResponse:
    """Edit a deck. ``?key=`` is the edit link: it is remembered and taken out of the address."""
    if key := request.GET.get("key", "")[:64]:
        return _with_key(request, link, key)
    if request.method == "POST":
        return _changed(request, link)
    deck = get_object_or_404(Deck.objects.editable_by(viewer_of(request)).with_cards(), link=link)
    return _shown(request, deck, deck.content(), game_or_404(deck.game))


def _with_key(request: HttpRequest, link: str, key: str) -> HttpResponse:
    holder = Deck.objects.editable_by(Viewer(key_hash=hashed(key)))
    get_object_or_404(holder, link=link)
    browser = browser_of(request)
    with transaction.atomic():
        grant_browser_access(browser, get_object_or_404(holder.select_for_update(), link=link))
    return redirect("deck_edit", link=link)


# -- changing ---------------------------------------------------------------------


def _changed(request: HttpRequest, link: str) -> HttpResponse:
    """Make one change, or say why not; then the same place again."""
    viewer, kind = viewer_of(request), request.POST.get("edit", "")
    deck = get_object_or_404(Deck.objects.editable_by(viewer), link=link)
    game, asked = game_or_404(deck.game), None
    try:
        if kind in STEPS:
            saved = STEPS[kind](link, viewer, seen_revision(request))
        else:
            asked = parse_edit(request.POST.dict(), game)
            saved = save_edit(link, viewer, asked.edit, kind=asked.kind, seen=seen_revision(request))
    except Refused as refused:
        return _refused(request, link, refused, viewer)
    said = _said(kind, saved)
    if _wants(request, "deck"):
        elsewhere = _elsewhere(saved.elsewhere) if saved.elsewhere else ""
        return _pane(request, saved.deck, saved.after, game, {"said": said, "elsewhere": elsewhere}, saved.judged)
    if saved.elsewhere:
        messages.warning(request, _elsewhere(saved.elsewhere))
    if kind in ("undo", "redo", "add", "lines") and said:
        messages.success(request, said)
    return redirect(_place(request) + _anchor(asked, saved.after, kind, request))


def _said(kind: str, saved: Saved) -> str:
    """What was done, for whoever cannot see it: ``-1 Kai.``"""
    if kind in STEPS:
        return step_words({"undo": "Undone", "redo": "Redone"}[kind], saved)
    words = difference(saved.before, saved.after).words()
    return f"{words}." if words else "Nothing was changed."


def _elsewhere(elsewhere: Difference) -> str:
    return f"Meanwhile changed elsewhere: {elsewhere.words()}. Both are in the deck now. Undo goes back change by change, theirs too."


def _refused(request: HttpRequest, link: str, refused: Refused, viewer: Viewer) -> HttpResponse:
    """The same place with what is wrong; nothing was stored, and what was typed stands in its field."""
    deck = get_object_or_404(Deck.objects.editable_by(viewer).with_cards(), link=link)
    game = game_or_404(deck.game)
    problem: dict[str, Any] = {"problem": [fault.message for fault in refused.faults]}
    if isinstance(refused, LineNotRead):
        problem |= {"lines": refused.lines, "nobody": refused.name, "unknown": refused.unknown}
    if _wants(request, "deck"):
        return _pane(request, deck, deck.content(), game, problem)
    typed = {"typed": request.POST.get("line", "")[:400], "typed_lines": request.POST.get("lines", "")}
    return _shown(request, deck, deck.content(), game, problem | typed, refused.status)


def _place(request: HttpRequest) -> str:
    """The address that the change was made at, without what was opened there."""
    kept = {name: request.GET[name][:1024] for name in PLACE if request.GET.get(name)}
    return request.path + (f"?{urlencode(kept)}" if kept else "")


def _anchor(asked: EditRequest | None, after: DeckContent, kind: str, request: HttpRequest) -> str:
    """Where on the page the author was: the row that they pressed a button of."""
    if asked is None or kind in ("format", "details"):
        return "#deck"
    if kind.endswith(" found"):
        return f"#card-{asked.code}"
    return f"#{line_id(asked.section, asked.code)}" if entry_of(after, asked.section, asked.code) else "#deck"


# -- showing ----------------------------------------------------------------------


def _wants(request: HttpRequest, part: str) -> bool:
    """Whether htmx asks for this part of the page alone."""
    return bool(request.htmx) and not request.htmx.history_restore_request and request.htmx.target == part


def _shown(
    request: HttpRequest, deck: Deck, content: DeckContent, game: Game, problem: dict[str, Any] | None = None, status: int = 200
) -> HttpResponse:
    """The whole page, or the part of it that a script asks for."""
    if _wants(request, "deck"):
        return _varied(_pane(request, deck, content, game))
    place = _place(request)
    if _wants(request, "found"):
        return _varied(render(request, "decks/editor_cards.html", _found_context(request, deck, content, game)))
    context = {
        **pane_context(deck, content, game, request.GET.get("line", "")[:300]),
        **_found_context(request, deck, content, game),
        **(problem or {}),
        "steps": steps_of(deck, content, game),
        "place": place,
        "example": example_line(game, deck.format_used(game)),
        "edit_link": new_edit_link(request, deck),
        "here": "decks",
    }
    return _varied(without_new_key(request, deck, render(request, "decks/editor.html", context, status=status)))


def _varied(answer: HttpResponse) -> HttpResponse:
    patch_vary_headers(answer, ["HX-Request", "HX-Target", "HX-History-Restore-Request"])
    return answer


def _found_context(request: HttpRequest, deck: Deck, content: DeckContent, game: Game) -> dict[str, Any]:
    """The cards found, each with how many of it the deck has where it would be put."""
    format = format_with(game, content.format, content.house)
    held = [line.card_id for line in deck.lines.all() if line.card_id]
    types = {slug for section in game.sections if section.slug in format.sections for slug in section.types}
    types = {t.slug for t in game.types if t.in_decks and (t.slug in types or not types)}
    page = whole_number(request.GET.get("page", "")) or 1
    results = find(request.GET.get("q", ""), game, types, held, page, lambda: likely_for(judge(game, content.deck, format)))
    places = choices_of_place(game, format)
    into = next((section.slug for section in places if section.slug == request.GET.get("into")), "")
    return {
        "deck": deck,
        "game": game,
        "results": results,
        "rows": rows_of(results, content, game, format, into),
        "into": into,
        "into_choices": places,
        "rest": f"&into={into}" if into else "",
    }


def _pane(
    request: HttpRequest, deck: Deck, content: DeckContent, game: Game, more: dict[str, Any] | None = None, judged: Judged | None = None
) -> HttpResponse:
    """The deck's side alone, with what is to be said about it: ``said``, ``elsewhere``, ``problem``."""
    context = {
        **pane_context(deck, content, game, request.GET.get("line", "")[:300] if request.method != "POST" else "", judged),
        **(more or {}),
        "steps": steps_of(deck, content, game),
        "place": _place(request),
    }
    return render(request, "decks/editor_changed.html", context)
