"""Reporting and moderation: visitors with an account report decks, formats, sets, comments and reviews; staff
hide them, show them again, or leave them as they are.

The audit log is the queue, so there is no table of reports. The newest entry about a thing tells its state:

    REPORTED                    it waits for staff, first in the queue
    HIDDEN, KEPT_PRIVATE        staff hide it; it stays at the end of the queue, to be shown again
    SHOWN, LET_SHARE, LEFT      it is done, and not in the queue

Comments and reviews are hidden; decks, formats and sets are kept private. The author and the reporters read
the decision in the history of their accounts. Tests: ``tests/decks/public/test_moderation.py``.
"""

from collections.abc import Callable, Sequence
from functools import partial
from operator import attrgetter
from typing import Any, NamedTuple

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db import transaction
from django.db.models import Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse

from cardsdb.box.sets import keep_set_private
from cardsdb.identity.staff import moderates, with_passkey_if_staff
from cardsdb.identity.viewer import Viewer, viewer_of
from cardsdb.models import AuditEntry, OwnSet
from cardsdb.models.audit import Event
from cardsdb.site.audit import note, tell_reporters
from cardsdb.site.ratelimits import counted_as_work
from cardsdb.site.shortcuts import or_404, page_or_404, private_form, private_page
from decks.leagues.league_formats import keep_league_private
from decks.models import Comment, Deck, LeagueFormat, Review
from decks.saving.history import keep_deck_private

PER_PAGE = 50
# Newest entries of the log that the queue reads, and hidden things of each kind.
MAX_READ = 2_000
# Characters of a reason. The log's column has no more.
MAX_BECAUSE = 100
# The condition that staff keep a thing private.
_KEPT = ~Q(private_because="")
# Kind of thing -> the condition that staff hide it. Kinds that are missing here are kept private (_KEPT).
HIDDEN = {"comment": Q(state=Comment.State.HIDDEN), "review": Q(hidden=True)}
# A thing stays in the queue while its newest entry is one of these.
OPEN = (Event.REPORTED, Event.HIDDEN, Event.KEPT_PRIVATE)
# Posted decision (``do``) -> the end of the notice "The deck is ...".
DONE = {
    "report": "reported. The history of your account will say what staff decide",
    "hide": "hidden",
    "show": "shown again",
    "leave": "left as it is",
}


class Case(NamedTuple):
    """A thing as the page shows it. ``name`` and ``address``: see ``_place``; ``history``: its entries of the
    log, the newest first.
    """

    is_hidden: bool
    thing: str
    row: Any
    name: str
    address: str
    history: Sequence[AuditEntry] = ()


@transaction.atomic
def _keep_words(model: Any, shown: Any, hidden: Any, pk: int, because: str) -> None:
    """Hide a comment or a review for this reason; with an empty reason, show it again. Raise Http404 if it is
    gone.
    """
    row = get_object_or_404(model.objects.moderated(), pk=pk)
    model.objects.stored(row).update(**(hidden if because else shown))
    event, thing = Event.HIDDEN if because else Event.SHOWN, model._meta.verbose_name
    note(event, row.author_id, thing=thing, number=pk, name=_place(row)[0], detail=because)
    tell_reporters(event, thing, pk)


State = Comment.State
# Kind of thing -> (its model, the function that hides the thing with this primary key for this reason, or
# with an empty reason shows it again). A new kind also needs a case in ``_place``, and one in ``HIDDEN``
# unless its model has ``private_because``.
KINDS: dict[str, tuple[Any, Callable[[int, str], None]]] = {
    "deck": (Deck, keep_deck_private),
    "format": (LeagueFormat, keep_league_private),
    "set": (OwnSet, keep_set_private),
    "comment": (Comment, partial(_keep_words, Comment, {"state": State.SHOWN}, {"state": State.HIDDEN})),
    "review": (Review, partial(_keep_words, Review, {"hidden": False}, {"hidden": True})),
}
PAGES = {Deck: "deck", LeagueFormat: "league", OwnSet: "own_set"}


def _place(row: Any) -> tuple[str, str]:
    """Return (the name of a thing, or of the deck or card that it is about; its address). A comment:
    ("Tiger Claw", "/decks/<link>/comments/#comment-7").
    """
    if isinstance(row, Comment):
        return row.deck.name, f"{reverse('deck_comments', args=[row.deck.link])}#comment-{row.pk}"
    if isinstance(row, Review):
        page = reverse("card_reviews", args=[row.card.game, row.card.code])
        return row.card.name, f"{page}#review-{row.pk}"
    return row.name, reverse(PAGES[type(row)], args=[row.link])


@private_form
@login_required
@with_passkey_if_staff
def report(request: HttpRequest, thing: str, pk: int) -> HttpResponse:
    """The page on which a visitor reports one public thing with a reason, and staff decide about it. Raise
    Http404 if the thing is not public, or if the visitor may not do what is posted (``do``, a key of
    ``DONE``): all but staff can only report.
    """
    or_404(thing in KINDS)
    model, hide_or_show = KINDS[thing]
    by_staff = moderates(request, model)
    rows = model.objects.moderated() if by_staff else model.objects.public()
    row = get_object_or_404(rows.select_related(), pk=pk)
    about, address = _place(row)
    if request.method == "POST":
        because = " ".join(request.POST.get("because", "").split())[:MAX_BECAUSE]
        do = request.POST.get("do", "")
        back = "moderation" if by_staff else address
        or_404(do in DONE and (by_staff or do == "report"))
        if do == "hide" and not because:
            messages.error(request, "Nothing was done. Give a reason; the author will read it.")
            return redirect(back)
        if isinstance(row, Review):
            # Any decision takes the mark of a report away.
            Review.objects.stored(row).update(reported=do == "report")
        if do == "hide":
            hide_or_show(pk, because)
        elif do == "show":
            hide_or_show(pk, "")
        elif do == "leave":
            tell_reporters(Event.LEFT, thing, pk)
        elif not _waits_for(viewer_of(request), thing, pk):
            # A second report by the same account is thanked for, but not stored.
            me = request.user.pk
            note(Event.REPORTED, me, thing=thing, number=pk, name=about, detail=because)
        messages.success(request, f"The {thing} is {DONE[do]}.")
        return redirect(back)
    is_hidden = by_staff and rows.filter(HIDDEN.get(thing, _KEPT), pk=pk).exists()
    case = Case(is_hidden, thing, row, about, address)
    context = {"cases": [case], "longest": MAX_BECAUSE, "moderates": by_staff}
    return render(request, "decks/public/moderation.html", context)


def _waits_for(viewer: Viewer, thing: str, pk: int) -> bool:
    """True if the visitor's account has reported the thing and nothing was decided since."""
    newest = AuditEntry.objects.of(viewer).moderation().filter(thing=thing, number=pk).first()
    return newest is not None and newest.what == Event.REPORTED


@private_page
@login_required
@counted_as_work()
@with_passkey_if_staff
def moderation(request: HttpRequest) -> HttpResponse:
    """The queue: first what waits for staff, then what they hide. Raise Http404 for visitors who moderate
    nothing.
    """
    kinds = {thing: model for thing, (model, _) in KINDS.items() if moderates(request, model)}
    or_404(kinds)
    # (kind, primary key) of a thing -> its entries, the newest first.
    entries: dict[tuple[str, int], list[AuditEntry]] = {}
    for entry in AuditEntry.objects.moderation().select_related("account")[:MAX_READ]:
        entries.setdefault((entry.thing, entry.number or 0), []).append(entry)
    cases = list[Case]()
    for thing, model in kinds.items():
        # A hidden thing stays here even if its entries have left the log.
        wanted = Q(pk__in=[pk for kind, pk in entries if kind == thing]) | HIDDEN.get(thing, _KEPT)
        for row in model.objects.moderated().filter(wanted).select_related()[:MAX_READ]:
            history = entries.get((thing, row.pk), ())
            newest = history[0].what if history else None
            if newest is None or newest in OPEN:
                name, address = _place(row)
                cases.append(Case(newest != Event.REPORTED, thing, row, name, address, history))
    # False, which is for what waits, comes before True.
    page = page_or_404(request, sorted(cases, key=attrgetter("is_hidden")), PER_PAGE)
    context = {"page": page, "cases": list(page), "longest": MAX_BECAUSE, "moderates": True}
    return render(request, "decks/public/moderation.html", context)
