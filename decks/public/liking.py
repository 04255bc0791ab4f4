"""Liking a deck, which counts, and keeping it among one's favourites, which nobody else sees."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.db import transaction
from django.db.models import F
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.views.decorators.http import require_POST

from cardsdb.site.ratelimits import counted_as_work
from decks.identity.viewer import viewer_of
from decks.models import Comment, Deck, Favourite, Like


def social_context(deck: Deck, request: HttpRequest) -> dict[str, Any]:
    """What ``decks/deck.html`` shows of likes and comments.

    Costs a query for the comments, and one each for likes and favourites of an account.
    """
    user = request.user.pk
    return {
        "deck": deck,
        "liked": bool(user) and Like.objects.filter(deck=deck, user=user).exists(),
        "kept": bool(user) and Favourite.objects.filter(deck=deck, user=user).exists(),
        "comment_count": Comment.objects.filter(deck=deck, state=Comment.State.SHOWN).count(),
    }


@require_POST
@counted_as_work()
def like(request: HttpRequest, link: str) -> HttpResponse:
    """Like a deck, or no longer. One's own is not liked: the number is what others say."""
    viewer = viewer_of(request)
    with transaction.atomic():
        # The deck's row is locked, so that of two clicks at once the second undoes the first.
        deck = get_object_or_404(Deck.objects.visible_to(viewer).select_for_update(), link=link)
        if not request.user.is_authenticated:
            return _to_log_in(deck)
        if Like.objects.filter(deck=deck, user=request.user).delete()[0]:
            Deck.objects.filter(pk=deck.pk, likes__gt=0).update(likes=F("likes") - 1)
        elif deck.is_editable_by(viewer):
            messages.info(request, "This deck is yours: likes are for the decks of others.")
        else:
            Like.objects.create(deck=deck, user=request.user)
            Deck.objects.filter(pk=deck.pk).update(likes=F("likes") + 1)
    return redirect("deck", link=link)


@require_POST
@counted_as_work()
def favourite(request: HttpRequest, link: str) -> HttpResponse:
    """Keep a deck at hand, or no longer."""
    with transaction.atomic():
        deck = get_object_or_404(Deck.objects.visible_to(viewer_of(request)).select_for_update(), link=link)
        if not request.user.is_authenticated:
            return _to_log_in(deck)
        if not Favourite.objects.filter(deck=deck, user=request.user).delete()[0]:
            Favourite.objects.create(deck=deck, user=request.user)
    return redirect("deck", link=link)


def _to_log_in(deck: Deck) -> HttpResponse:
    return redirect_to_login(reverse("deck", args=[deck.link]))
