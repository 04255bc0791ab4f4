"""The page of one deck: the list, its verdict, where it comes from, who likes it, what can be done with it."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from cardsdb.games.kit.listtext.deck import write_deck
from cardsdb.site.shortcuts import game_or_404
from decks.core.viewer import Viewer, viewer_of
from decks.formats import FORMATS
from decks.history.timeline import lineage
from decks.models import Deck
from decks.pages.deck_views import judged_context, new_edit_link, sections_hidden_from, without_new_key
from decks.public.liking import social_context
from decks.sharing.linked_data import for_machines


@require_safe
@never_cache
def deck_page(request: HttpRequest, link: str) -> HttpResponse:
    viewer = viewer_of(request)
    deck = get_object_or_404(Deck.objects.visible_to(viewer).select_related("owner").with_cards(), link=link)
    game = game_or_404(deck.game)
    editable = deck.is_editable_by(viewer)
    shown_to_all = deck.judged(game, keep_secrets=not deck.shows_secrets_to(Viewer()))
    judged = deck.judged(game) if editable else shown_to_all
    context: dict[str, Any] = {
        **judged_context(judged),
        **social_context(deck, request),
        "deck": deck,
        "editable": editable,
        "edit_link": new_edit_link(request, deck),
        "text": write_deck(game, judged.deck, judged.format),
        "files": FORMATS.values(),
        "lineage": lineage(deck, viewer),
        "hidden": [] if editable else sections_hidden_from(viewer, deck, game),
        "machines": for_machines(request, deck, shown_to_all),
        "here": "decks",
    }
    return without_new_key(request, deck, render(request, "decks/deck.html", context))
