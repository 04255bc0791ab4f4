"""The sets of one's own, and those that others made public: their list, their pages, their cards as a
table.
"""

from __future__ import annotations

from django.contrib import messages
from django.db.models import Count, QuerySet
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.http import content_disposition_header
from django.views.decorators.http import require_http_methods, require_safe

from cardsdb.box.sets import LENGTHS, cards_as_table, change_set, delete_set, make_set
from cardsdb.catalogue.current import games
from cardsdb.faults import Fault, Refused
from cardsdb.games.kit.model.text import slugify
from cardsdb.identity.viewer import Viewer, owner_of, viewer_of
from cardsdb.models import OwnSet, Visibility
from cardsdb.site.ratelimits import counted_as_work
from cardsdb.site.sharing import private
from cardsdb.site.shortcuts import game_or_404, page_or_404
from cardsdb.web.lists.shown_facts import short_facts

PER_PAGE = 100


@require_http_methods(["GET", "HEAD", "POST"])
@private
@counted_as_work("POST")
def own_sets(request: HttpRequest) -> HttpResponse:
    """The visitor's sets, a form for one more, and the public ones of others."""
    viewer = viewer_of(request)
    faults: tuple[Fault, ...] = ()
    if request.method == "POST":
        game = games().get(request.POST.get("game", ""))
        try:
            if game is None:
                raise Refused(Fault("unknown_game", "Choose the game of the set.", "game"))
            return redirect("own_set", make_set(owner_of(request), game, request.POST).link)
        except Refused as refused:
            faults = refused.faults
    of_viewer, public = (_counted(rows) for rows in (OwnSet.objects.of(viewer), OwnSet.objects.public()))
    others = page_or_404(request, public.exclude(pk__in=OwnSet.objects.of(viewer)), PER_PAGE)
    context = {
        "mine": [(one, games()[one.game]) for one in of_viewer],
        "others": [(one, games()[one.game]) for one in others],
        "page": others,
        "address": "",
        "games": games().values(),
        "elsewhere": OwnSet.objects.of(Viewer(browser=viewer.browser)).count() if viewer.user_id else 0,
        "here": "cards",
        **_form(request, faults),
    }
    return render(request, "cardsdb/own_sets.html", context, status=400 if faults else 200)


def _counted(sets: QuerySet[OwnSet]) -> QuerySet[OwnSet]:
    """The sets of games that there are, in order, each with its ``size``."""
    return sets.filter(game__in=tuple(games())).annotate(size=Count("cards")).order_by("game", "name", "pk")


@require_safe
@private
def own_set(request: HttpRequest, link: str) -> HttpResponse:
    """One set, for whoever may see it."""
    viewer = viewer_of(request)
    found = get_object_or_404(OwnSet.objects.visible_to(viewer), link=link)
    game = game_or_404(found.game)
    page = page_or_404(request, found.cards.select_related("in_set").order_by("type", "name", "pk"), PER_PAGE)
    rows = [
        (card := row.as_card(), game.type_named(card.type).name, short_facts(game, card, (), 5), row.number)
        for row in page
    ]
    context = {
        "game": game,
        "set": found,
        "rows": rows,
        "total": page.paginator.count,
        "page": page,
        "address": "",
        "is_mine": OwnSet.objects.of(viewer).filter(pk=found.pk).exists(),
        "printed": ",".join(card.key for card, *_ in rows),
        "here": "cards",
    }
    return render(request, "cardsdb/own_set.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@private
@counted_as_work("POST")
def own_set_change(request: HttpRequest, link: str) -> HttpResponse:
    """What a set is called, who may see it, under which licence; or delete it."""
    found = _own_or_404(viewer_of(request), link)
    faults: tuple[Fault, ...] = ()
    if request.method == "POST" and request.POST.get("do") == "delete":
        delete_set(found)
        messages.success(
            request, f"The set “{found.name}” is deleted. Decks that hold its cards keep them, written in."
        )
        return redirect("own_sets")
    if request.method == "POST":
        try:
            change_set(found, request.POST)
            messages.success(request, "Saved.")
            return redirect("own_set", found.link)
        except Refused as refused:
            faults = refused.faults
    context = {
        "set": found,
        "game": games().get(found.game),
        "here": "cards",
        **_form(request, faults, found),
    }
    return render(request, "cardsdb/own_set_change.html", context, status=400 if faults else 200)


@require_safe
@private
def own_set_export(request: HttpRequest, link: str) -> StreamingHttpResponse:
    """The cards of a set as a table."""
    found = get_object_or_404(OwnSet.objects.visible_to(viewer_of(request)), link=link)
    name = content_disposition_header(True, f"{found.game}-{slugify(found.name) or 'set'}.csv")
    lines = cards_as_table(found, game_or_404(found.game))
    return StreamingHttpResponse(
        ("\ufeff", *lines),
        content_type="text/csv; charset=utf-8",
        headers={"Content-Disposition": name or ""},
    )


def _form(request: HttpRequest, faults: tuple[Fault, ...], found: OwnSet | None = None) -> dict[str, object]:
    """The fields of a set, as typed or as stored."""
    stored = {column: getattr(found, column) for column in (*LENGTHS, "visibility")} if found else {}
    posted = request.POST if request.method == "POST" else {}
    values = {
        column: str(posted.get(column, stored.get(column, "")))[:2_000] for column in (*LENGTHS, "visibility")
    }
    wrong = {fault.where: fault.message for fault in reversed(faults)}
    fields = [
        (column, _TITLES[column], _HELP[column], values[column], LENGTHS[column], wrong.get(column, ""))
        for column in LENGTHS
    ]
    chosen = values["visibility"] or Visibility.PRIVATE
    visibilities = [
        (value, label, value == chosen) for value, label in OwnSet._meta.get_field("visibility").choices
    ]
    return {
        "fields": fields,
        "visibilities": visibilities,
        "faults": faults,
        "chosen_game": posted.get("game", request.GET.get("game", "")),
    }


_TITLES = {"name": "Name", "licence": "Licence", "credit": "Credit", "note": "Note"}
_HELP = {
    "name": "What the set is called.",
    "licence": "Under which others may use the cards, such as CC BY 4.0; empty if you say nothing.",
    "credit": "Who made the cards, as it should be named.",
    "note": "What a reader should know of the set.",
}


def _own_or_404(viewer: Viewer, link: str) -> OwnSet:
    return get_object_or_404(OwnSet.objects.of(viewer).select_related("box"), link=link)
