"""The editor: the catalogue's search beside the deck. Every change is one small POST and is saved at once.

Without script every button belongs to a form and leads back to the same place. A script asks for the deck and
its verdict alone (``HX-Target: deck``), for the search results (``found``) or for the card at hand
(``peek``).
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any
from urllib.parse import quote, urlencode

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.cache import patch_vary_headers
from django.views.decorators.http import require_http_methods

from cardsdb.faults import Refused
from cardsdb.games.kit.listtext.sections import example_line
from cardsdb.identity.viewer import Viewer, viewer_of
from cardsdb.search.own_cards import own_of_game
from cardsdb.site.sharing import kept_offline, private
from cardsdb.site.shortcuts import game_or_404
from decks.core.content import DeckContent
from decks.core.diff import Difference, difference
from decks.core.edits import entry_of
from decks.core.judging import judge_content
from decks.editor.arrangement import COOKIES, Arrangement
from decks.editor.card_results import card_pane
from decks.editor.changes import EditRequest, parse_edit
from decks.editor.edit_link import let_in
from decks.editor.pane import DeckPane, Feedback
from decks.editor.parts import line_id
from decks.editor.peek import peek_of
from decks.editor.typed_line import LineNotRead, is_line
from decks.history.undo import redo, undo
from decks.history.views import step_words
from decks.models import Deck, editable_deck
from decks.saving.expiry import note_opened
from decks.saving.save import Saved, save_edit
from decks.web.deck_context import new_edit_link, without_new_key
from decks.web.forms import request_id, seen_revision

# The parameters of the editor's address.
PLACE = ("q", "page", "into", "fit")
STEPS = {"undo": undo, "redo": redo}
NO_FEEDBACK = Feedback()
# What the script is told where the box holds words to search by: it searches, and the deck stays as it is
# drawn.
SEARCH_INSTEAD = "search-instead"
# The end of an address that gives the box the focus: whoever wrote there writes on.
BOX = "#find-q"
YEAR = 60 * 60 * 24 * 365


@require_http_methods(["GET", "HEAD", "POST"])
@private
@kept_offline
def deck_edit(request: HttpRequest, link: str) -> HttpResponse:
    """Edit a deck. ``?key=`` is an edit link of before: the browser gets access, and the key leaves the
    address.
    """
    if key := request.GET.get("key", "")[:64]:
        return let_in(request, link, key)
    if request.method == "POST":
        return _changed(request, link)
    deck = editable_deck(link, viewer_of(request))
    note_opened(deck)
    return _shown(request, deck)


# -- changing ---------------------------------------------------------------------


def _changed(request: HttpRequest, link: str) -> HttpResponse:
    """Make one change, or say why it was not made, and show the same place again."""
    viewer, kind = viewer_of(request), request.POST.get("edit", "")
    deck = editable_deck(link, viewer)
    game, edit = game_or_404(deck.game), None
    posted = request.POST.dict()
    if kind == "enter":
        if not is_line(game, posted.get("q", "")):
            if _wants(request, "deck"):
                return HttpResponse(status=204, headers={"HX-Trigger": SEARCH_INSTEAD})
            return redirect(
                request.path
                + "?"
                + urlencode({name: posted[name][:1024] for name in ("q", "into", "fit") if posted.get(name)})
                + BOX
            )
        kind = posted["edit"] = "add"
    try:
        if kind in STEPS:
            saved = STEPS[kind](link, viewer, seen_revision(request), request_id(request))
        else:
            edit = parse_edit(posted, game, own_of_game(viewer, game), deck.leagues)
            saved = save_edit(
                link,
                viewer,
                edit.edit,
                kind=edit.kind,
                seen=seen_revision(request),
                request_id=request_id(request),
            )
    except Refused as refused:
        return _refused(request, link, refused, viewer)
    note = edit.note if edit else ""
    done = " ".join(filter(None, (_done(kind, saved), note)))
    elsewhere = _elsewhere(saved.elsewhere) if saved.elsewhere else ""
    if _wants(request, "deck"):
        judged = saved.judged or judge_content(game, saved.after, saved.deck.leagues)
        feedback = Feedback(done, elsewhere, note)
        pane = DeckPane(
            saved.deck,
            saved.after,
            judged,
            _place(request),
            feedback=feedback,
            arrangement=_arrangement(request),
        )
        return render(request, "decks/editor_changed.html", _pane_context(pane))
    if elsewhere:
        messages.warning(request, elsewhere)
    if kind in ("undo", "redo", "add", "lines") and done:
        messages.success(request, done)
    return redirect(_place(request) + _anchor(edit, saved.after, kind))


def _done(kind: str, saved: Saved) -> str:
    """What was done, in words, for readers of screens and messages: ``-1 Kai.``"""
    if kind in STEPS:
        return step_words({"undo": "Undone", "redo": "Redone"}[kind], saved)
    words = difference(saved.before, saved.after).words()
    return f"{words}." if words else "Nothing was changed."


def _elsewhere(elsewhere: Difference) -> str:
    return (
        f"Meanwhile changed elsewhere: {elsewhere.words()}. Both are in the deck now. Undo goes back change"
        " by change, theirs too."
    )


def _refused(request: HttpRequest, link: str, refused: Refused, viewer: Viewer) -> HttpResponse:
    """The same page with the faults. Nothing was stored, and what was typed stands in its field."""
    deck = editable_deck(link, viewer)
    feedback = Feedback(problems=tuple(fault.message for fault in refused.faults))
    if isinstance(refused, LineNotRead):
        feedback = replace(feedback, lines=refused.lines, name=refused.name, unknown=refused.unknown)
    if not _wants(request, "deck"):
        typed = request.POST.get("line") or request.POST.get("q", "")
        feedback = replace(feedback, typed=typed[:400], typed_lines=request.POST.get("lines", ""))
    return _shown(request, deck, feedback, refused.status)


def _place(request: HttpRequest) -> str:
    """The address of the page on which the change was made, without the line opened there."""
    parameters = {name: request.GET[name][:1024] for name in PLACE if request.GET.get(name)}
    return request.path + (f"?{urlencode(parameters)}" if parameters else "")


def _way_back(place: str) -> str:
    """The address of a place up to where one more parameter stands, as a card's page gets it in its own
    address.
    """
    return quote(f"{place}{'&' if '?' in place else '?'}", safe="")


def _anchor(edit: EditRequest | None, after: DeckContent, kind: str) -> str:
    """Where the author was, as the end of an address: the row whose button was pressed, the deck where there
    is no such row, the box.
    """
    if kind in ("add", "lines"):
        return BOX
    if edit is None or kind in ("format", "details"):
        return "#deck"
    if kind.endswith(" found"):
        return f"#card-{edit.code}"
    return f"#{line_id(edit.section, edit.code)}" if entry_of(after, edit.section, edit.code) else "#deck"


# -- showing ----------------------------------------------------------------------


def _wants(request: HttpRequest, part: str) -> bool:
    """Whether htmx asks for this part of the page alone."""
    return bool(request.htmx) and not request.htmx.history_restore_request and request.htmx.target == part


def _shown(
    request: HttpRequest, deck: Deck, feedback: Feedback = NO_FEEDBACK, status: int = 200
) -> HttpResponse:
    """The whole page, or the part of it that a script asks for."""
    game, content = game_or_404(deck.game), deck.content()
    if _wants(request, "peek"):
        peek = peek_of(game, content, request.GET.get("peek", ""), viewer_of(request))
        context = {"game": game, "peek": peek, "way_back": _way_back(_place(request))}
        return _varied(render(request, "decks/editor_peek.html", context))
    if _wants(request, "found"):
        cards = card_pane(
            request.GET,
            deck,
            content,
            game,
            lambda: judge_content(game, content, deck.leagues),
            viewer_of(request),
        )
        return _varied(
            render(
                request,
                "decks/editor_cards.html",
                {"deck": deck, "game": game, "cards": cards, "way_back": _way_back(_place(request))},
            )
        )
    judged = judge_content(game, content, deck.leagues)
    pane = DeckPane(
        deck,
        content,
        judged,
        _place(request),
        request.GET.get("line", "")[:300],
        feedback,
        _arrangement(request),
    )
    if _wants(request, "deck"):
        return _remembered(
            request, pane, _varied(render(request, "decks/editor_changed.html", _pane_context(pane)))
        )
    page = {
        **_pane_context(pane),
        "cards": card_pane(request.GET, deck, content, game, lambda: judged, viewer_of(request)),
        "example": example_line(game, judged.format),
        "peek": peek_of(
            game, content, request.GET.get("peek", "") or pane.opened.rpartition(" ")[2], viewer_of(request)
        ),
        "edit_link": new_edit_link(request, deck),
        "here": "decks",
    }
    answer = _varied(
        without_new_key(request, deck, render(request, "decks/editor.html", page, status=status))
    )
    return _remembered(request, pane, answer)


def _remembered(request: HttpRequest, pane: DeckPane, answer: HttpResponse) -> HttpResponse:
    """The answer with a cookie for each choice of how the lines are laid out that the address makes."""
    options = {"group": pane.groupings, "sort": pane.sortings, "view": pane.views}
    for name, cookie in COOKIES.items():
        if name in request.GET:
            picked = next(
                (option.slug for option in options[name] if option.picked), getattr(pane.arrangement, name)
            )
            answer.set_cookie(
                cookie,
                picked,
                max_age=YEAR,
                path=reverse("deck_list"),
                samesite="Lax",
                httponly=True,
                secure=request.is_secure(),
            )
    return answer


def _arrangement(request: HttpRequest) -> Arrangement:
    return Arrangement.of(request.GET, request.COOKIES)


def _varied(answer: HttpResponse) -> HttpResponse:
    patch_vary_headers(answer, ["HX-Request", "HX-Target", "HX-History-Restore-Request"])
    return answer


def _pane_context(pane: DeckPane) -> dict[str, Any]:
    """What the deck's side needs in a template: itself, and the names that every page of a deck has."""
    return {
        "pane": pane,
        "deck": pane.deck,
        "game": pane.judged.game,
        "judged": pane.judged,
        "editable": True,
        "way_back": _way_back(pane.place),
    }
