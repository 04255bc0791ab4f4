"""The checklist of a game whose cards are lost: its places, filled in one after another, and lists of it to
print.
"""

from __future__ import annotations

from collections.abc import Mapping

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_safe

from cardsdb.box.checklists import blank_list, checklist_of, filled_by, known_list, next_open
from cardsdb.box.sets import add_card
from cardsdb.box.typed_card import TypedCard
from cardsdb.box.web.card_views import card_form_page, save_picture, sent_picture
from cardsdb.box.web.fields import CardForm, form_of, typed_in
from cardsdb.faults import Refused
from cardsdb.games.kit import Game
from cardsdb.games.kit.model.cards import ChecklistPlace
from cardsdb.identity.viewer import owner_of, viewer_of
from cardsdb.models import OwnCard
from cardsdb.site.ratelimits import counted_as_work
from cardsdb.site.sharing import private
from cardsdb.site.shortcuts import game_or_404


@require_safe
@private
def checklist(request: HttpRequest, slug: str) -> HttpResponse:
    """Every place, with what this visitor has filled in."""
    game = game_or_404(slug)
    if not game.checklist:
        raise Http404
    filled = filled_by(viewer_of(request), game)
    groups = checklist_of(game, filled)
    context = {
        "game": game,
        "groups": [(one, game.citations[one.group.cites]) for one in groups],
        "total": len(game.places),
        "done": sum(len(one.filled) for one in groups),
        "next": next_open(game, filled, ""),
        "known": known_list(game, groups),
        "blanks": blank_list(game, groups),
        "here": "games",
    }
    return render(request, "cardsdb/checklist.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@private
@counted_as_work("POST")
def fill_place(request: HttpRequest, slug: str, code: str) -> HttpResponse:
    """The form for one place. What is saved goes on to the next open one, without a mouse."""
    game = game_or_404(slug)
    place = game.places.get(code)
    if place is None:
        raise Http404
    filled = filled_by(viewer_of(request), game)
    if code in filled:
        return redirect("own_card_change", filled[code].code)
    typed = (
        typed_in(request.POST, game)
        if request.method == "POST"
        else TypedCard("", place.group.card_type, place.group.facts)
    )
    if request.method != "POST" or request.POST.get("do") in ("type", "look"):
        return _page(request, game, form_of(game, typed), place, filled)
    into = next(iter(filled.values())).in_set if filled else None
    try:
        picture = sent_picture(request)
        row = add_card(owner_of(request), game, typed, into, code, called=f"{game.name}: the lost cards")
    except Refused as refused:
        return _page(request, game, form_of(game, typed, refused.faults), place, filled, refused.status)
    messages.success(request, f"{place.label} is {row.name}.")
    save_picture(request, game, row, picture)
    following = next_open(game, (*filled, code), code) if request.POST.get("do") == "next" else None
    return (
        redirect("checklist_place", game.slug, following.code)
        if following
        else redirect("checklist", game.slug)
    )


def _page(
    request: HttpRequest,
    game: Game,
    form: CardForm,
    place: ChecklistPlace,
    filled: Mapping[str, OwnCard],
    status: int = 200,
) -> HttpResponse:
    following = next_open(game, filled, place.code)
    skip = (
        reverse("checklist_place", args=[game.slug, following.code])
        if following
        else reverse("checklist", args=[game.slug])
    )
    progress = f"{len(filled)} of {len(game.places)} filled in"
    return card_form_page(
        request, game, form, status=status, place={"label": place.label, "skip": skip, "progress": progress}
    )
