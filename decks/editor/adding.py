"""From a card's page into one of the visitor's decks. Card pages are the same for everybody; this page is the visitor's own."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from cardsdb.models import Card
from cardsdb.site.faults import Refused
from cardsdb.site.shortcuts import game_or_404
from decks.editor.changes import parse_edit
from decks.identity.viewer import viewer_of
from decks.models import Deck
from decks.public.listing import IN_LISTS
from decks.saving.save import save_edit

MAX_OFFERED = 24


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def add_card(request: HttpRequest, game_slug: str, code: str) -> HttpResponse:
    """The visitor's decks of the card's game, each with a button that puts a copy in; the newest first."""
    game = game_or_404(game_slug)
    card = get_object_or_404(Card.objects.in_game(game_slug).current(), code=code)
    viewer = viewer_of(request)
    own = Deck.objects.editable_by(viewer).filter(game=game.slug)
    faults = []
    if request.method == "POST":
        deck = get_object_or_404(own, link=request.POST.get("deck", "")[:32])
        section = game.section_for(card.type, game.formats_by_slug.get(deck.format))
        try:
            # The same words as the editor's own button, so that bounds and sentences are the same.
            asked = parse_edit({"edit": f"+1 {section} {card.code}"}, game)
            save_edit(deck.link, viewer, asked.edit)
            messages.success(request, f"One {card.name} more in “{deck.name}”.")
            return redirect("deck_edit", link=deck.link)
        except Refused as error:
            faults = error.faults
    decks = list(own.only(*IN_LISTS)[:MAX_OFFERED])
    context = {"game": game, "card": card, "decks": decks, "faults": faults, "here": "decks"}
    return render(request, "decks/add_card.html", context, status=400 if faults else 200)
