"""The editor's page (``deck_edit``): the catalogue's search on one side, the deck and its verdict on the
other. Every change is one small POST, which ``changes.py`` reads and ``decks.saving`` stores at once.

Without script, every button belongs to a form and redirects back to the same place. The script (htmx) asks
for one part of the page by the header ``HX-Target``: the deck with its verdict (``deck``), the search results
(``found``) or the enlarged card (``peek``). Tests: ``tests/decks/editor/test_views.py``; with the script,
``test_browser.py`` beside it.
"""

from dataclasses import replace
from typing import Any
from urllib.parse import quote, urlencode

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.functional import SimpleLazyObject

from cardsdb.box.pictures import pictures_on_pages
from cardsdb.box.texts import texts_of, with_text
from cardsdb.faults import Refused
from cardsdb.games.kit import Game, as_words
from cardsdb.games.kit.listtext.reading import example_line
from cardsdb.identity.viewer import Viewer, viewer_of
from cardsdb.search.own_cards import own_of_game
from cardsdb.site.sharing import kept_offline, private
from cardsdb.site.shortcuts import form_page, game_or_404
from decks.core.content import DeckContent
from decks.core.diff import difference
from decks.core.edits import entry_of
from decks.core.judging import Judged, judge_content
from decks.editor.card_pane import card_pane
from decks.editor.changes import EditRequest, parse_edit
from decks.editor.deck_pane import Feedback, deck_pane, line_id
from decks.editor.new import let_in
from decks.editor.rows import COOKIES, Arrangement
from decks.editor.typed_line import LineNotRead, is_line
from decks.models import Deck, editable_deck
from decks.saving.room import note_opened
from decks.saving.save import save_edit
from decks.saving.views import STEPS, step_words
from decks.web.deck_context import in_parts, new_edit_link, wants_part, without_new_key
from decks.web.forms import request_id, seen_revision

# The query parameters that lead back to the same place of the editor.
PLACE = ("q", "page", "into", "fit", "role")
NO_FEEDBACK = Feedback()
# The htmx event that tells the script that the box holds a search query: it searches, and redraws no deck.
SEARCH_INSTEAD = "search-instead"
# The end of an address that puts the focus into the search box, so that the author can go on typing.
BOX = "#find-q"
# Seconds that a browser remembers its arrangement of lines.
YEAR = 60 * 60 * 24 * 365
# Characters of an edit key.
MAX_KEY = 64
# Characters of a query parameter that leads back to the same place.
MAX_PARAMETER = 1024
# Characters of the key of an opened line ("deck kai").
MAX_LINE_KEY = 300
# Characters of a typed line that stands in its field again.
MAX_TYPED = 400


@form_page
@private
@kept_offline
def deck_edit(request: HttpRequest, link: str) -> HttpResponse:
    """Show the editor, or make the change that a POST asks for. ``?key=`` is an edit link of the older form:
    it gives this browser access and redirects to the address without the key.
    """
    if key := request.GET.get("key", "")[:MAX_KEY]:
        return let_in(request, link, key)
    if request.method == "POST":
        return _changed(request, link)
    deck = editable_deck(link, viewer_of(request))
    note_opened(deck)
    return _shown(request, deck)


# -- changing ---------------------------------------------------------------------


def _changed(request: HttpRequest, link: str) -> HttpResponse:
    """Make one change, or say why it was not made, and show the same place again. ``kind`` is the field
    "edit", as the head of ``changes.py`` lists them, or a step in the history: "undo", "redo".
    """
    viewer, posted = viewer_of(request), request.POST.dict()
    kind, seen = posted.get("edit", ""), seen_revision(request)
    # None for a step in the history.
    edit: EditRequest | None = None
    deck = editable_deck(link, viewer)
    game = game_or_404(deck.game)
    if kind == "enter":
        if not is_line(game, posted.get("q", "")):
            return _to_search(request, posted)
        kind = posted["edit"] = "add"
    try:
        if kind in STEPS:
            step, _ = STEPS[kind]
            saved = step(link, viewer, seen, request_id(request))
        else:
            edit = parse_edit(posted, game, own_of_game(viewer, game), deck.leagues)
            saved = save_edit(
                link, viewer, edit.edit, kind=edit.kind, seen=seen, request_id=request_id(request)
            )
    except Refused as refused:
        return _refused(request, link, refused, viewer)
    note = edit.note if edit else ""
    if kind in STEPS:
        _, verb = STEPS[kind]
        # "Undone: -1 Kai."
        done = step_words(verb, saved)
    else:
        # The change in words, for screen readers too: "-1 Kai."
        words = difference(saved.before, saved.after).words() or "Nothing was changed"
        done = f"{words}. {note}".strip()
    elsewhere = ""
    if saved.elsewhere:
        elsewhere = (
            f"Meanwhile changed elsewhere: {saved.elsewhere.words()}. Both are in the deck now."
            " Undo goes back change by change, theirs too."
        )
    if wants_part(request, "deck"):
        judged = saved.judged or judge_content(game, saved.after, saved.deck.leagues)
        feedback = Feedback(done, elsewhere, note)
        side = _deck_side(request, saved.deck, saved.after, judged, feedback)
        return render(request, "decks/editor/changed.html", side)
    if elsewhere:
        messages.warning(request, elsewhere)
    # After other changes the browser comes back to the line itself, which tells enough.
    if kind in ("undo", "redo", "add", "lines") and done:
        messages.success(request, done)
    return redirect(_place(request) + _anchor(edit, saved.after, kind))


def _to_search(request: HttpRequest, posted: dict[str, str]) -> HttpResponse:
    """Redirect to a search for the words in the box. The script, which searches by itself, gets an event
    instead.
    """
    if wants_part(request, "deck"):
        return HttpResponse(status=204, headers={"HX-Trigger": SEARCH_INSTEAD})
    asked = {name: posted[name][:MAX_PARAMETER] for name in ("q", "into", "fit") if posted.get(name)}
    return redirect(f"{request.path}?{urlencode(asked)}{BOX}")


def _refused(request: HttpRequest, link: str, refused: Refused, viewer: Viewer) -> HttpResponse:
    """Show the same page with the reasons why nothing was changed. What was typed stands in its
    field again.
    """
    deck = editable_deck(link, viewer)
    feedback = Feedback(problems=tuple(fault.message for fault in refused.faults))
    if isinstance(refused, LineNotRead):
        feedback = replace(feedback, lines=refused.lines, name=refused.name, unknown=refused.unknown)
    if not wants_part(request, "deck"):
        typed = request.POST.get("line") or request.POST.get("q", "")
        feedback = replace(feedback, typed=typed[:MAX_TYPED], typed_lines=request.POST.get("lines", ""))
    return _shown(request, deck, feedback, refused.status)


def _place(request: HttpRequest) -> str:
    """The address of the page on which the change was made, without the line that was opened there:
    "/decks/abc/edit/?q=kai&page=2".
    """
    parameters = {name: request.GET[name][:MAX_PARAMETER] for name in PLACE if request.GET.get(name)}
    return request.path + (f"?{urlencode(parameters)}" if parameters else "")


def _way_back(place: str) -> str:
    """Return the address of a place, quoted and ready for one more query parameter. A card's page gets it in
    its own address, to lead back here.
    """
    return quote(f"{place}{'&' if '?' in place else '?'}", safe="")


def _anchor(edit: EditRequest | None, after: DeckContent, kind: str) -> str:
    """The end of the address that the browser is redirected to, so that the author stays where they were: the
    row whose button was pressed ("#line-deck-kai"; "#card-kai" among the search results), the box, or the
    deck if there is no such row any more.
    """
    if kind in ("add", "lines"):
        return BOX
    if edit is None or kind in ("format", "details"):
        return "#deck"
    if kind.endswith(" found"):
        return f"#card-{edit.code}"
    return f"#{line_id(edit.section, edit.code)}" if entry_of(after, edit.section, edit.code) else "#deck"


# -- showing ----------------------------------------------------------------------


def _shown(
    request: HttpRequest, deck: Deck, feedback: Feedback = NO_FEEDBACK, status: int = 200
) -> HttpResponse:
    """Answer with the whole page, or with the part of it that the script asks for."""
    game, content, viewer = game_or_404(deck.game), deck.content(), viewer_of(request)
    context: dict[str, Any] = {"deck": deck, "game": game, "way_back": _way_back(_place(request))}
    opened, peeked = request.GET.get("line", "")[:MAX_LINE_KEY], request.GET.get("peek", "")
    # Judging is slow, and some parts of the page do not need it: it is done when first used.
    judged: Any = SimpleLazyObject(lambda: judge_content(game, content, deck.leagues))
    if wants_part(request, "peek"):
        context["peek"] = peek_of(game, content, peeked, viewer)
        return in_parts(render(request, "decks/editor/peek.html", context), "HX-Target")
    if wants_part(request, "found"):
        context["cards"] = card_pane(request.GET, deck, content, game, judged, viewer)
        return in_parts(render(request, "decks/editor/cards.html", context), "HX-Target")
    context = _deck_side(request, deck, content, judged, feedback, opened)
    if wants_part(request, "deck"):
        answer = render(request, "decks/editor/changed.html", context)
    else:
        context |= {
            "cards": card_pane(request.GET, deck, content, game, judged, viewer),
            "example": example_line(game, judged.format),
            "peek": peek_of(game, content, peeked or opened.rpartition(" ")[2], viewer),
            "edit_link": new_edit_link(request, deck),
            "here": "decks",
        }
        answer = render(request, "decks/editor/editor.html", context, status=status)
        answer = without_new_key(request, deck, answer)
    _remember_arrangement(request, answer, context["pane"])
    return in_parts(answer, "HX-Target")


def _remember_arrangement(request: HttpRequest, answer: HttpResponse, pane: dict[str, Any]) -> None:
    """Set a cookie for each choice of an arrangement that the address makes."""
    for name, options in pane["choices"].items():
        if name in request.GET:
            # A known order that is not offered for these cards is remembered too; see ``sortings``.
            picked = (option.slug for option in options if option.picked)
            answer.set_cookie(
                COOKIES[name],
                next(picked, getattr(pane["arrangement"], name)),
                max_age=YEAR,
                path=reverse("deck_list"),
                samesite="Lax",
                httponly=True,
                secure=request.is_secure(),
            )


def _deck_side(
    request: HttpRequest,
    deck: Deck,
    content: DeckContent,
    judged: Judged,
    feedback: Feedback,
    opened: str = "",
) -> dict[str, Any]:
    """The context of the deck's half of the editor: ``pane``, and the names that every page of a deck has."""
    place, arrangement = _place(request), Arrangement.of(request.GET, request.COOKIES)
    names = {"deck": deck, "game": judged.game, "judged": judged, "editable": True}
    pane = deck_pane(deck, content, judged, place, arrangement, feedback, opened, request.GET.get("role", ""))
    return names | {"pane": pane, "way_back": _way_back(place)}


def peek_of(game: Game, content: DeckContent, code: str, viewer: Viewer) -> dict[str, Any] | None:
    """Return the enlarged card of this code, from the deck or the game, as a dict; None if there is no such
    card. An empty code means the deck's first card.

    Text and picture are the viewer's own, if they have one. ``is_drawn``: the card has a page and a face, as
    cards known only to a list have not. ``facts``: (title, value in words). ``differences``: (title, values)
    of facts that documents state differently.
    """
    cards = [entry.card for entry in content.deck]
    card = next((card for card in cards if not code or card.code == code), None)
    if card is None and code:
        card = game.card(code) or own_of_game(viewer, game).cards.get(code)
    if card is None:
        return None
    codes = [card.code]
    drawn = with_text(card, texts_of(viewer, game, codes))
    own_picture = None
    # A card that is only written in a list has no picture, so none is looked up.
    if card.own or not card.written:
        own_picture = pictures_on_pages(viewer, game, codes).get(card.code)
    disputed = card.disagreements()
    facts, differences = [], []
    for fact in game.facts_of(card.type):
        value = card.facts.get(fact.key)
        if value not in (None, False) and not fact.is_aside:
            facts.append((fact.title, as_words(value)))
        others = [claim.value for claim in disputed.get(fact.key, ()) if claim.value]
        if others and value is not None:
            differences.append((fact.title, " or ".join(dict.fromkeys([as_words(value), *others]))))
    return {
        "card": drawn,
        "type": game.type_named(card.type).name,
        "differences": differences,
        "facts": facts,
        "is_mine": drawn is not card,
        "is_drawn": drawn.has_page,
        "picture": own_picture,
    }
