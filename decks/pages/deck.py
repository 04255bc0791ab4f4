"""The page of one deck: the list, its verdict, where it comes from, who likes it, what can be done with it."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from cardsdb.games.kit.listtext.deck import write_deck
from cardsdb.site.shortcuts import game_or_404
from decks.formats import FORMATS
from decks.history.timeline import lineage
from decks.identity.viewer import Viewer, hashed, new_key, viewer_of
from decks.models import BrowserAccess, Deck
from decks.public.liking import social_context
from decks.sharing.linked_data import for_machines
from decks.web.edit_key import new_edit_link, to_deck, without_new_key
from decks.web.judgement import judged_context, sections_hidden_from
from decks.worksheets.partners import partner_context


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
        **partner_context(deck, viewer, judged, editable),
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


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def deck_delete(request: HttpRequest, link: str) -> HttpResponse:
    """Ask, then delete for good."""
    own = Deck.objects.editable_by(viewer_of(request))
    if request.method != "POST":
        return render(request, "decks/deck_delete.html", {"deck": get_object_or_404(own, link=link), "here": "decks"})
    with transaction.atomic():
        deck = get_object_or_404(own.select_for_update(), link=link)
        deck.delete()
    messages.success(request, f"The deck “{deck.name}” is deleted.")
    return redirect("deck_list")


@require_POST
def deck_relink(request: HttpRequest, link: str) -> HttpResponse:
    """Give the deck a new address and a new edit key; what was shared of the old ones is dead from now on."""
    viewer, key = viewer_of(request), new_key()
    deck = get_object_or_404(Deck.objects.editable_by(viewer), link=link)
    deck.link, deck.edit_hash = new_key(), hashed(key)
    with transaction.atomic():
        # Where two do this at once, the second is too late.
        if not Deck.objects.filter(pk=deck.pk, link=link).update(link=deck.link, edit_hash=deck.edit_hash):
            raise Http404
        BrowserAccess.objects.filter(deck=deck).exclude(browser=viewer.browser).delete()
    return to_deck(deck, key)
