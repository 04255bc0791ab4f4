"""Check a pasted list: its verdict, as a page or while it is typed, its repairs and its numbers. Nothing is
saved until it is asked for.

No account is needed, and no trace is left.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import cache_control
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods, require_POST

from cardsdb.catalogue.current import games
from cardsdb.faults import Fault, Refused
from cardsdb.games.kit.model.text import some
from cardsdb.identity.owning import may_see_own, reader_of
from cardsdb.identity.viewer import viewer_of
from cardsdb.site.errors import bad_character, with_headers
from cardsdb.site.middleware import invalid_field, sent_from_here
from cardsdb.site.ratelimits import counted_as_work, seconds_to_wait, too_many
from cardsdb.site.sharing import mark_kept, private
from decks.check.pasted import HouseCheckForm, PastedList, read_pasted, with_repair
from decks.core.charts import shown
from decks.core.judging import Judged
from decks.models import Visibility
from decks.repairs.views import part_or_page, repairs_context
from decks.saving.room import begin_deck
from decks.saving.save import save_whole
from decks.statistics.views import sources, tables_of_own
from decks.web.deck_context import leagues_seen, own_seen, to_new_deck
from decks.web.forms import MAX_NOTES, name_of_new

# Characters of a list that is judged while it is typed, from where on that is work.
LARGE = 20_000
# What a list that is saved is wanted for -> the page that it leads to.
THEN = {"deck": "deck", "share": "deck_share", "edit": "deck_edit"}


# These views take the form of the home page, which caches store for everybody and which so holds no token.
# They change nothing that is stored, so that another site gains nothing by sending them a list.
@csrf_exempt
@require_http_methods(["GET", "HEAD", "POST"])
@private
@cache_control(private=True, no_cache=True)
@counted_as_work("POST")
def check(request: HttpRequest) -> HttpResponse:
    """Paste a list, get the verdict. ``?game=&format=&house=`` say by which rules; the list itself is in no
    address.
    """
    if request.method != "POST":
        initial = {field: request.GET.get(field, "") for field in ("game", "format", "house")}
        page = _page(request, PastedList(HouseCheckForm(initial=initial)))
        return mark_kept(request, page, "viewer" if may_see_own(reader_of(request)) else "public")
    if found := invalid_field(request.POST):
        return bad_character(request, *found)
    return _page(request, read_pasted(request.POST, leagues_seen(request), own_seen(request)))


@csrf_exempt
@require_POST
@private
def check_verdict(request: HttpRequest) -> HttpResponse:
    """The verdict alone, while a list is being typed. Small and frequent, so it is but a read; a large list
    is work all the same.

    ``short``: as the home page shows it. ``guess``: what the list is read as and why, without a verdict, for
    a new deck.
    """
    if found := invalid_field(request.POST):
        return bad_character(request, *found)
    if len(request.POST.get("text", "")) > LARGE and (wait := seconds_to_wait(request, work=True)):
        return too_many(request, wait)
    part = next((part for part in ("short", "guess") if part in request.POST), "verdict")
    return render(
        request,
        f"decks/check_{part}.html",
        {"live": True, **read_pasted(request.POST, leagues_seen(request), own_seen(request)).context()},
    )


def _of_a_list(
    view: Callable[[HttpRequest, PastedList, Judged], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """A view of a pasted list: it gets the list judged. A list that cannot be judged leads back to its
    form.
    """

    @csrf_exempt
    @require_POST
    @private
    @counted_as_work()
    @wraps(view)
    def judged_first(request: HttpRequest) -> HttpResponse:
        if found := invalid_field(request.POST):
            return bad_character(request, *found)
        pasted = read_pasted(request.POST, leagues_seen(request), own_seen(request))
        return _page(request, pasted) if pasted.judged is None else view(request, pasted, pasted.judged)

    return judged_first


@_of_a_list
def check_repairs(request: HttpRequest, pasted: PastedList, judged: Judged) -> HttpResponse:
    """What would make the pasted list legal."""
    context = {"form": pasted.form, "games": games().values(), "here": "check", **repairs_context(judged)}
    return render(request, part_or_page(request), context)


@_of_a_list
def check_numbers(request: HttpRequest, pasted: PastedList, judged: Judged) -> HttpResponse:
    """The statistics of the pasted list. Odds and sample hands are asked by address, and so of a deck that
    has one.
    """
    declared = enumerate(judged.game.measure(judged.deck), start=1)
    tables = [
        (shown(table, f"table-{n}", lambda row: ""), *sources(judged.game, table)) for n, table in declared
    ]
    tables += tables_of_own(request, judged.game, judged.deck)
    context = {"form": pasted.form, "game": judged.game, "judged": judged, "tables": tables, "here": "check"}
    return render(request, "decks/check_statistics.html", context)


@_of_a_list
def check_repair(request: HttpRequest, pasted: PastedList, judged: Judged) -> HttpResponse:
    """The pasted list with the changes of a repair, in the field where it was pasted, and its new verdict."""
    try:
        return _page(request, with_repair(pasted, judged, request.POST.getlist("change")))
    except Refused as refused:
        return _page(request, pasted.refusing(refused))


@sent_from_here
@require_POST
@private
@counted_as_work()
def check_save(request: HttpRequest) -> HttpResponse:
    """Keep the list as a deck, legal or not, and go to its page, its addresses or the editor as ``then``
    says.

    What is to be shared is unlisted, so that its address can be given; all else is private. ``unread=notes``
    puts lines that were not read into the deck's notes.
    """
    pasted = read_pasted(request.POST, leagues_seen(request), own_seen(request))
    judged = pasted.judged
    if judged is None:
        return _page(request, pasted)
    then = request.POST.get("then", "deck")
    try:
        notes = _notes(judged, "notes" in request.POST.getlist("unread"))
        reading, game = judged.reading, judged.game
        deck, key = begin_deck(request, viewer_of(request), game=game.slug)
        house = pasted.form.cleaned_data["house"]
        tags = reading.tags if reading else ()
        content = judged.content(
            name=name_of_new(game, "", judged.deck.name), house=house, notes=notes, tags=tags
        )
        save_whole(deck, content, visibility=Visibility.UNLISTED if then == "share" else Visibility.PRIVATE)
    except Refused as refused:
        return with_headers(_page(request, pasted.refusing(refused)), refused)
    return to_new_deck(request, deck, key, THEN.get(then, "deck"))


def _notes(judged: Judged, with_unread: bool) -> str:
    """The notes of the list, and its unread lines if they may stand there. Raises Refused if they may not,
    and for a list without cards.
    """
    if not judged.deck.entries and not judged.deck.details:
        raise Refused(Fault("empty", "The list has no cards.", "text"))
    if judged.unread and not with_unread:
        lines = some(len(judged.unread), "line")
        raise Refused(
            Fault(
                "unread",
                f"{lines} could not be read, so nothing was saved: put them right, or keep them in the"
                " notes.",
                "text",
            )
        )
    notes = judged.reading.notes if judged.reading else ""
    kept = "\n".join([*filter(None, [notes]), *(f"Not read: {unread.text}" for unread in judged.unread)])
    if len(kept) > MAX_NOTES:
        raise Refused(
            Fault(
                "notes_too_long",
                f"These lines are more than the {MAX_NOTES:,} characters that notes may have.",
                "text",
            )
        )
    return kept


def _page(request: HttpRequest, pasted: PastedList) -> HttpResponse:
    return render(request, "decks/check.html", {"here": "check", **pasted.context()}, status=pasted.status)
