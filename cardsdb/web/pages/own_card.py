"""The page of a card of somebody's own."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

from cardsdb.box.pictures import pictures_on_pages
from cardsdb.games.kit.model.cards import OWN_CODE
from cardsdb.identity.owning import reader_of
from cardsdb.models import OwnBox, OwnCard, Visibility
from cardsdb.site.sharing import private
from cardsdb.site.shortcuts import game_or_404
from cardsdb.web.pages.card_page import effect_lines, fact_rows, grouped, neighbours, true_size, way_back

GONE = {
    "title": "This card is not here",
    "message": "Somebody made it. It is private, or it was deleted.",
    "advice": "Decks that hold it keep it, with its name.",
}


@require_safe
@private
@cache_control(private=True, no_store=True)
def own_card_page(request: HttpRequest, game_slug: str, code: str) -> HttpResponse:
    """The page of a card of one's own, for whoever may see its set."""
    game, code, reader = game_or_404(game_slug), f"{OWN_CODE}{code}", reader_of(request)
    row = (
        OwnCard.objects.visible_to(reader)
        .select_related("in_set__box")
        .filter(code=code, in_set__game=game.slug)
        .first()
    )
    if row is None:
        return render(request, "error.html", {**GONE}, status=404)
    card, is_mine = row.as_card(), OwnCard.objects.of(reader).filter(pk=row.pk).exists()
    context = {
        "game": game,
        "card": card,
        "row": row,
        "type": game.type_named(card.type),
        "groups": grouped([fact for fact in fact_rows(game, card) if fact.key not in ("name", "type")]),
        "effects": effect_lines(game, card),
        "is_mine": is_mine,
        "is_everyones": not is_mine
        and OwnBox.objects.visible_to(reader).filter(pk=row.in_set.box_id).exists(),
        "own_picture": pictures_on_pages(reader, game, [code]).get(code),
        # The link of an unlisted set is its owner's to give away; who has a card's address may not have it.
        "links_set": is_mine or row.in_set.visibility == Visibility.PUBLIC,
        "true_size": true_size(game),
        "around": neighbours(request.GET.get("q", ""), card.key, reader),
        "back": way_back(request.GET.get("back", "")),
        "here": "cards",
    }
    return render(request, "cardsdb/own_card.html", context)
