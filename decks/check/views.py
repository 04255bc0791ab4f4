"""The views of the check: a pasted list is judged, repaired, completed and saved; and a stored deck is
repaired or completed.

Pasted lists travel in forms; only ``check_save`` stores one. ``pasted.py`` reads and judges them for all of
these views. Views named ``check...`` have a pasted list, views named ``deck...`` a stored deck.
Templates: ``templates/decks/check``. Tests: ``tests/decks/check/test_views.py``; completing in
``test_completion.py`` beside it.
"""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import cache_control
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST

from cardsdb.catalogue.current import games
from cardsdb.faults import Fault, Refused
from cardsdb.games.kit import some
from cardsdb.identity.viewer import may_see_own, reader_of, viewer_of
from cardsdb.site.errors import bad_character, with_headers
from cardsdb.site.middleware import invalid_field, sent_from_here
from cardsdb.site.ratelimits import counted_as_work, seconds_to_wait, too_many
from cardsdb.site.sharing import mark_kept, private
from cardsdb.site.shortcuts import form_page, private_action, private_page
from decks.check.completion import completion_context
from decks.check.pasted import (
    HouseCheckForm,
    PastedList,
    read_pasted,
    repairing,
    repairs_context,
)
from decks.core.judging import Judged
from decks.models import Visibility
from decks.saving.save import save_edit, save_new
from decks.statistics.views import shown_tables
from decks.web.deck_context import deck_page, leagues_seen, own_deck, own_seen, to_new_deck
from decks.web.forms import MAX_NOTES, name_of_new

# Characters of a list. Judging a longer one while it is typed counts as work against the rate limit.
LARGE = 20_000
# Value of the button ``then`` -> name of the page to which saving a list leads.
THEN = {"deck": "deck", "share": "deck_share", "edit": "deck_edit"}


# Views with ``csrf_exempt`` take the form of the home page. Shared caches store that page, so it holds no
# CSRF token. These views store nothing, so another site gains nothing by posting to them.
@csrf_exempt
@form_page
@private
@cache_control(private=True, no_cache=True)
@counted_as_work("POST")
def check(request: HttpRequest) -> HttpResponse:
    """Paste a list, get the verdict. The query string may set game, format and house rules; the list is in no
    address.
    """
    if request.method != "POST":
        initial = {field: request.GET.get(field, "") for field in ("game", "format", "house")}
        page = _page(request, PastedList(HouseCheckForm(initial=initial)))
        return mark_kept(request, page, "viewer" if may_see_own(reader_of(request)) else "public")
    if found := invalid_field(request.POST):
        return bad_character(request, *found)
    return _page(request, _pasted(request))


def _pasted(request: HttpRequest) -> PastedList:
    """The list that was sent, read and judged for this visitor."""
    return read_pasted(request.POST, leagues_seen(request), own_seen(request))


@csrf_exempt
@private_action
def check_verdict(request: HttpRequest) -> HttpResponse:
    """The verdict alone, for a script that asks while a list is being typed; or with ``guess`` in the POST
    only the game that the list seems to be for.

    These requests are frequent and small, so only large lists count as work.
    """
    if found := invalid_field(request.POST):
        return bad_character(request, *found)
    if len(request.POST.get("text", "")) > LARGE and (wait := seconds_to_wait(request, work=True)):
        return too_many(request, wait)
    part = "guess" if "guess" in request.POST else "verdict"
    return render(request, f"decks/check/{part}.html", {"live": True, **_pasted(request).context()})


def _list_view(
    view: Callable[[HttpRequest, PastedList, Judged], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """Decorate a view of a pasted list: it is called with the list and its verdict. If the list cannot be
    judged, the form is shown again instead.
    """

    @csrf_exempt
    @require_POST
    @private
    # So the browser's back button shows the page again without asking to send the form again.
    @cache_control(private=True, no_cache=True)
    @counted_as_work()
    @wraps(view)
    def judged_first(request: HttpRequest) -> HttpResponse:
        if found := invalid_field(request.POST):
            return bad_character(request, *found)
        pasted = _pasted(request)
        if pasted.judged is None:
            return _page(request, pasted)
        return view(request, pasted, pasted.judged)

    return judged_first


@_list_view
def check_repairs(request: HttpRequest, pasted: PastedList, judged: Judged) -> HttpResponse:
    """The repairs of the pasted list."""
    return _repairs(request, judged, form=pasted.form, games=games().values())


@_list_view
def check_complete(request: HttpRequest, pasted: PastedList, judged: Judged) -> HttpResponse:
    """The cards that complete the pasted list."""
    context = completion_context(judged, viewer_of(request), request.POST)
    here = "decks" if judged.deck.is_blank else "check"
    return render(request, "decks/check/complete.html", {"form": pasted.form, "here": here, **context})


@_list_view
def check_numbers(request: HttpRequest, pasted: PastedList, judged: Judged) -> HttpResponse:
    """The statistics of the pasted list. Odds and sample hands need an address, so only stored decks have
    them.
    """
    game, deck = judged.game, judged.deck
    tables = shown_tables(request, game, deck, game.measure(deck))
    context = {"form": pasted.form, "game": game, "judged": judged, "tables": tables}
    return render(request, "decks/check/statistics.html", context)


@_list_view
def check_repair(request: HttpRequest, pasted: PastedList, judged: Judged) -> HttpResponse:
    """The form with the list after a repair, and its new verdict."""
    try:
        return _page(request, pasted.repaired(judged, request.POST.getlist("change")))
    except Refused as refused:
        return _page(request, pasted.refusing(refused))


@sent_from_here
@private_action
@counted_as_work()
def check_save(request: HttpRequest) -> HttpResponse:
    """Store the list as a deck, legal or not, and go to the page that ``then`` names. With ``completes`` the
    ticked cards of a proposal are added first.

    With ``then=share`` the deck is unlisted, so that its address can be passed on; otherwise it is private.
    ``unread=notes`` puts unread lines into the deck's notes.
    """
    pasted = _pasted(request)
    try:
        if pasted.judged and "completes" in request.POST:
            pasted = pasted.repaired(pasted.judged, request.POST.getlist("change"))
        if (judged := pasted.judged) is None:
            return _page(request, pasted)
        then, game = request.POST.get("then", "deck"), judged.game
        notes = _notes(judged, "notes" in request.POST.getlist("unread"))
        content = judged.content(name=name_of_new(game, "", judged.deck.name), notes=notes)
        visibility = Visibility.UNLISTED if then == "share" else Visibility.PRIVATE
        saved = save_new(request, game, content, visibility)
    except Refused as refused:
        return with_headers(_page(request, pasted.refusing(refused)), refused)
    return to_new_deck(request, *saved, THEN.get(then, "deck"))


def _notes(judged: Judged, with_unread: bool) -> str:
    """Return the notes of the list, with its unread lines added. Raise Refused if there are unread lines and
    ``with_unread`` is False, if the notes become too long, or if the list has no cards.
    """
    lines = [judged.reading.notes] if judged.reading.notes else []
    lines += [f"Not read: {unread.text}" for unread in judged.unread]
    notes = "\n".join(lines)
    if judged.deck.is_blank:
        code, message = "empty", "The list has no cards."
    elif judged.unread and not with_unread:
        unread_lines = some(len(judged.unread), "line")
        code = "unread"
        message = (
            f"{unread_lines} could not be read, so nothing was saved. Correct them, or keep them in the"
            " notes."
        )
    elif len(notes) > MAX_NOTES:
        code = "notes_too_long"
        message = f"With these lines the notes would have more than {MAX_NOTES:,} characters. Shorten them."
    else:
        return notes
    raise Refused(Fault(code, message, "text"))


def _page(request: HttpRequest, pasted: PastedList) -> HttpResponse:
    """Render the page of the check: the form, and the verdict on its list if there is one."""
    return render(request, "decks/check/check.html", pasted.context(), status=pasted.status)


def _back(asked: QueryDict) -> str:
    """Return the name of the page to go back to after a repair: the editor if the form came from there, else
    the deck.
    """
    return "deck_edit" if asked.get("back") == "deck_edit" else "deck"


@private_page
@counted_as_work()
def deck_repairs(request: HttpRequest, link: str) -> HttpResponse:
    """The repairs of the deck. htmx asks for the list of repairs alone."""
    _, deck, game = own_deck(request, link)
    return _repairs(request, deck.judged(game), deck=deck, editable=True, back=_back(request.GET))


@form_page
@private
@counted_as_work()
def deck_complete(request: HttpRequest, link: str) -> HttpResponse:
    """The cards that would complete the deck. POST asks for other proposals; it stores nothing."""
    viewer, deck, game = own_deck(request, link)
    context = completion_context(deck.judged(game), viewer, request.POST)
    back = _back(request.POST or request.GET)
    return deck_page(request, "decks/check/complete.html", deck, game, back=back, **context)


@private_action
@counted_as_work("POST")
def deck_repair(request: HttpRequest, link: str) -> HttpResponse:
    """Make the changes of a repair, or with ``completes`` those of a proposal, if they still help. The
    history can undo them.
    """
    viewer, deck, game = own_deck(request, link)
    completes, changes = "completes" in request.POST, request.POST.getlist("change")
    edit = repairing(game, changes, deck.leagues, completes)
    try:
        saved = save_edit(link, viewer, edit, kind="completed" if completes else "repaired")
    except Refused as refused:
        for fault in refused.faults:
            messages.error(request, fault.message)
    else:
        done = "Repaired"
        if completes:
            # "12 cards more". A proposal may also take cards out.
            growth = saved.after.deck.size - saved.before.deck.size
            done = f"{some(abs(growth), 'card')} {'fewer' if growth < 0 else 'more'}"
        messages.success(request, f"Saved: {done}. The deck is now {saved.deck.verdict_words.lower()}.")
    if request.POST.get("back") == "deck_edit":
        # On a phone the editor shows one part at a time; this opens the verdict.
        return redirect(f"{reverse('deck_edit', args=[link])}#verdict")
    return redirect("deck", link=link)


def _repairs(request: HttpRequest, judged: Judged, **context: Any) -> HttpResponse:
    """Render the repairs of a judged deck or list: the whole page, or for htmx only its inner part."""
    name = "decks/check/repairs_inside.html" if request.htmx else "decks/check/repairs.html"
    return render(request, name, repairs_context(judged) | context)
