"""A card of one's own: made, copied from a card of the catalogue, changed, deleted."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST

from cardsdb.box.intake import CleanPicture
from cardsdb.box.pictures import pictures_on_pages
from cardsdb.box.placing import add_of_card, clean_of_card
from cardsdb.box.sets import add_card, delete_card, save_card, typed_of
from cardsdb.box.typed_card import TypedCard, own_types
from cardsdb.box.web.fields import CardForm, draft_of, form_of, typed_in
from cardsdb.faults import Refused
from cardsdb.games.kit import Game
from cardsdb.identity.viewer import Viewer, owner_of, viewer_of
from cardsdb.models import OwnCard, OwnSet
from cardsdb.site.ratelimits import counted_as_work
from cardsdb.site.sharing import private
from cardsdb.site.shortcuts import card_or_404, game_or_404

# A picture that was looked at, and what its owner calls the file.
SentPicture = tuple[CleanPicture, str]


@require_http_methods(["GET", "HEAD", "POST"])
@private
@counted_as_work("POST")
def new_card(request: HttpRequest, slug: str) -> HttpResponse:
    """A new card of a game. ``set``: the set that it goes into; ``like``: the code of a card of which it
    begins as a copy.
    """
    game = game_or_404(slug)
    if not own_types(game):
        raise Http404
    sets = list(OwnSet.objects.of(viewer_of(request)).filter(game=game.slug))
    chosen = next(
        (one for one in sets if one.link == request.POST.get("set", request.GET.get("set", ""))), None
    )
    if request.method != "POST":
        typed = _copied(request, game)
        return card_form_page(request, game, form_of(game, typed), chosen=chosen, sets=sets)
    typed = typed_in(request.POST, game)
    if request.POST.get("do") in ("type", "look"):
        return card_form_page(request, game, form_of(game, typed), chosen=chosen, sets=sets)
    try:
        picture = sent_picture(request)
        into = chosen or (sets[0] if sets and not request.POST.get("set") else None)
        row = add_card(owner_of(request), game, typed, into)
    except Refused as refused:
        return card_form_page(
            request,
            game,
            form_of(game, typed, refused.faults),
            chosen=chosen,
            sets=sets,
            status=refused.status,
        )
    messages.success(request, f"{row.name} is in your set “{row.in_set.name}”.")
    save_picture(request, game, row, picture)
    if request.POST.get("do") == "another":
        return redirect(f"{reverse('own_card_new', args=[game.slug])}?set={row.in_set.link}&type={row.type}")
    return redirect("card", game.slug, row.code)


def _copied(request: HttpRequest, game: Game) -> TypedCard:
    """The card that the form begins with: a copy of one of the catalogue or of somebody's set, or nothing but
    its type.
    """
    code, types = request.GET.get("like", "")[:200], own_types(game)
    if code and "\0" not in code:
        own = (
            OwnCard.objects.visible_to(viewer_of(request))
            .select_related("in_set")
            .filter(code=code, in_set__game=game.slug)
            .first()
        )
        typed = typed_of(game, own.as_card() if own else card_or_404(game, code).card)
        return typed if typed.type in types else TypedCard(typed.name, types[0], {})
    kind = request.GET.get("type", "")
    return TypedCard("", kind if kind in types else types[0], {})


@require_http_methods(["GET", "HEAD", "POST"])
@private
@counted_as_work("POST")
def change_card(request: HttpRequest, code: str) -> HttpResponse:
    row = _own_or_404(viewer_of(request), code)
    game = game_or_404(row.in_set.game)
    if request.method != "POST":
        typed = typed_of(game, row.as_card(), row.number)
        return card_form_page(request, game, form_of(game, typed), row=row)
    typed = typed_in(request.POST, game)
    if request.POST.get("do") in ("type", "look"):
        return card_form_page(request, game, form_of(game, typed), row=row)
    try:
        picture = sent_picture(request)
        save_card(row.in_set, game, typed, row)
    except Refused as refused:
        return card_form_page(
            request, game, form_of(game, typed, refused.faults), row=row, status=refused.status
        )
    messages.success(
        request,
        "Saved. Decks keep the card as it was when it was put into them; take it out and put it in anew to"
        " change it.",
    )
    save_picture(request, game, row, picture)
    return redirect("card", game.slug, row.code)


def sent_picture(request: HttpRequest) -> SentPicture | None:
    """The picture that was sent with the form, looked at and not stored. Raises Refused."""
    file = request.FILES.get("picture")
    return (clean_of_card(file), file.name or "") if file else None


def save_picture(request: HttpRequest, game: Game, row: OwnCard, picture: SentPicture | None) -> None:
    """Store the picture of a card that is saved; the card stays where there is no room for it, and its owner
    is told.
    """
    if picture is None:
        return
    try:
        add_of_card(owner_of(request), game, row.code, *picture)
    except Refused as refused:
        messages.warning(request, f"{row.name} is saved, its picture is not. {refused.faults[0].message}")


@require_POST
@private
def remove_card(request: HttpRequest, code: str) -> HttpResponse:
    row = _own_or_404(viewer_of(request), code)
    delete_card(row)
    messages.success(request, f"{row.name} is deleted. Decks that hold it keep it, written in.")
    return redirect("own_set", row.in_set.link)


@require_POST
@private
def draft_face(request: HttpRequest, slug: str) -> HttpResponse:
    """The face of what is being typed, as a piece of the page."""
    game = game_or_404(slug)
    if not own_types(game):
        raise Http404
    return render(
        request,
        "cardsdb/own_card_face.html",
        {"game": game, "drawn": draft_of(game, typed_in(request.POST, game))},
    )


def card_form_page(
    request: HttpRequest,
    game: Game,
    form: CardForm,
    *,
    row: OwnCard | None = None,
    chosen: OwnSet | None = None,
    sets: list[OwnSet] | None = None,
    status: int = 200,
    **more: Any,
) -> HttpResponse:
    context = {
        "game": game,
        "form": form,
        "drawn": draft_of(game, form.typed),
        "row": row,
        "chosen": chosen,
        "sets": sets or [],
        "picture": pictures_on_pages(viewer_of(request), game, [row.code]).get(row.code) if row else None,
        "here": "cards",
    }
    return render(request, "cardsdb/own_card_form.html", context | more, status=status)


def _own_or_404(viewer: Viewer, code: str) -> OwnCard:
    return get_object_or_404(OwnCard.objects.of(viewer).select_related("in_set__box"), code=code)
