"""A deck's history over HTTP: its revisions, undo, redo, and decks that begin as another."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from django.shortcuts import get_object_or_404
from rest_framework.request import Request
from rest_framework.response import Response

from cardsdb.api.catalogue_view import PrivateView
from cardsdb.api.framework import Pages
from cardsdb.api.serializers import PAGE, ObjectPageSerializer, operation
from cardsdb.catalogue.current import game_named
from cardsdb.faults import Fault, Refused
from cardsdb.games.kit import Game
from cardsdb.identity.viewer import Viewer, api_viewer_of
from decks.api.decks import IF_MATCH, KEY, STALE, STORED, deck_answer, made_answer, refuse_stale
from decks.core.diff import difference
from decks.history.timeline import states
from decks.history.undo import fork, redo, undo
from decks.models import Deck, DeckRevision
from decks.saving.room import begin_deck
from decks.saving.save import Saved
from decks.saving.turn import saving


def _own(request: Request, link: str) -> tuple[Deck, Game]:
    deck = get_object_or_404(Deck.objects.editable_by(api_viewer_of(request)), link=link)
    game = game_named(deck.game)
    if game is None:
        raise Refused(Fault("unknown_game", "The deck's game is not installed here.", "game"), status=404)
    return deck, game


class RevisionList(PrivateView):
    @operation("deck_revisions", KEY, *PAGE, gives=ObjectPageSerializer)
    def get(self, request: Request, link: str) -> Response:
        """Every kept state of a deck of yours, newest first, with what it changed."""
        deck, game = _own(request, link)
        rows, pages = DeckRevision.objects.of(deck.pk).select_related("by").order_by("-number"), Pages()
        shown = states(game, pages.paginate_queryset(rows, request, view=self) or [])
        return pages.get_paginated_response([state.as_json() for state in shown])


class RevisionDetail(PrivateView):
    @operation("deck_revision", KEY)
    def get(self, request: Request, link: str, number: int) -> Response:
        """One state of a deck of yours with all that its author wrote."""
        deck, game = _own(request, link)
        row = get_object_or_404(DeckRevision.objects.of(deck.pk).select_related("by"), number=number)
        (state,) = states(game, [row])
        return Response(state.as_json() | {"content": row.content})


def _stepped(request: Request, link: str, step: Callable[[str, Viewer], Saved]) -> Response:
    viewer = api_viewer_of(request)
    with saving():
        if if_match := request.headers.get("If-Match", ""):
            refuse_stale(get_object_or_404(Deck.objects.editable_by(viewer), link=link), if_match)
        saved = step(link, viewer)
    return deck_answer(link, viewer, words=difference(saved.before, saved.after).words())


class Undo(PrivateView):
    @operation("deck_undo", KEY, IF_MATCH, also=(*STORED, STALE), body=None)
    def post(self, request: Request, link: str) -> Response:
        """Undo the last change that is not undone yet. 409 if there is none, 412 if the deck is not at the
        revision in ``If-Match``.
        """
        return _stepped(request, link, undo)


class Redo(PrivateView):
    @operation("deck_redo", KEY, IF_MATCH, also=(*STORED, STALE), body=None)
    def post(self, request: Request, link: str) -> Response:
        """Redo what was undone last. 409 if nothing was, or the deck was changed since; 412 as with undo."""
        return _stepped(request, link, redo)


class Fork(PrivateView):
    @operation("deck_fork", KEY, status=201, also=STORED, body=None)
    def post(self, request: Request, link: str) -> Response:
        """A private deck of yours that begins as this one. The answer holds its edit key, which is shown this
        once.
        """
        return made_answer(
            *fork(link, api_viewer_of(request), partial(begin_deck, request, Viewer(request.user.pk)))
        )
