"""Stored decks over HTTP: find, create, replace, change, delete, undo, fork; and their revisions.

A program edits a deck with its edit key in the header ``X-Deck-Key``, or as the account that owns it.
Docstrings of views and serializers are published in the API's documentation (OpenAPI), so they speak to its
users. Shapes of answers (``answers.StoredDeck``) are declared in ``answers.toml``. What a request stores is
decided in ``storing.py``. Tests: ``test_decks.py``, ``test_storing.py`` and
``test_pages.py`` in ``tests/decks/api``; undo, redo and revisions in ``tests/decks/saving/test_views.py``.
"""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from django.db import transaction
from django.shortcuts import get_object_or_404
from rest_framework import serializers
from rest_framework.exceptions import Throttled
from rest_framework.request import Request
from rest_framework.response import Response

from cardsdb.api.catalogue_view import PrivateView, found_in, game_parameter, told_problems
from cardsdb.api.serializers import (
    CURSORS,
    GAME,
    HEADER,
    BodySerializer,
    Method,
    OneOf,
    asked,
    cleaned,
    operation,
)
from cardsdb.catalogue.as_json import picked
from cardsdb.catalogue.current import games
from cardsdb.faults import Fault, Refused
from cardsdb.games.kit import MAX_HOUSE_RULES, Game
from cardsdb.games.kit.listtext.deck import MAX_BYTES
from cardsdb.games.kit.listtext.line import MAX_COUNT
from cardsdb.games.kit.model.marks import MAX_TAG, MAX_TAGS
from cardsdb.identity.viewer import Viewer, api_viewer_of
from cardsdb.models.audit import Event
from cardsdb.site.audit import note
from cardsdb.site.ratelimits import seconds_to_wait
from decks.api.lists import KEY, ListSerializer, answers
from decks.api.storing import (
    IDEMPOTENCY_KEY,
    change_of,
    deck_answer,
    game_installed,
    head,
    made,
    made_answer,
    refuse_stale,
    store,
)
from decks.core.diff import difference
from decks.core.edits import EditRefused, tags_of
from decks.core.judging import game_or_refuse
from decks.models import Deck, DeckRevision, editable_deck
from decks.models.deck import WHO_SEES
from decks.public.fields import ORDERS
from decks.public.listing import deck_rows, listing
from decks.saving.history import fork, redo, states, undo
from decks.saving.room import begin_deck
from decks.saving.save import Saved, save_edit
from decks.saving.turn import saving
from decks.web.forms import MAX_NAME, MAX_NOTES, clean_name

IF_MATCH = asked("If-Match", "The ETag of the deck as it was read.", place=HEADER)
# Statuses of refusals to store a deck: changed elsewhere or too many decks (409), no room on the site (507).
NOT_STORED = (409, 507)
# The status if If-Match names another state than the stored one.
STALE = 412


def changing(name: str, *, body: Any) -> Callable[[Method], Method]:
    """Return the decorator that describes a method that changes a deck in the schema."""
    also = (*NOT_STORED, STALE)
    return operation(name, KEY, IF_MATCH, gives=answers.StoredDeck, also=also, body=body)


QUERY = [
    asked("q", "A query over decks; one that is wrong anywhere is refused."),
    asked("order", "How to sort, where the query has no order of its own.", enum=list(ORDERS)),
]


class DeckSerializer(ListSerializer):
    """A deck to store. Fields left out of a stored deck stay as they are; in a new deck they are empty, and
    the deck is private.
    """

    # Fields of an answer that may be sent back but are ignored: the cards are taken from ``text`` alone.
    answered = frozenset(
        {"id", "url", "revision", "changed", "details", "lines", "report", "edit_key", "words"}
    )

    name = serializers.CharField(max_length=MAX_NAME)
    notes = serializers.CharField(max_length=MAX_NOTES, required=False, allow_blank=True)
    visibility = OneOf(choices=WHO_SEES, required=False)
    house = serializers.CharField(max_length=MAX_HOUSE_RULES, required=False, allow_blank=True)
    tags = serializers.ListField(
        child=serializers.CharField(max_length=MAX_TAG), required=False, max_length=MAX_TAGS
    )

    def validate_name(self, name: str) -> str:
        return clean_name(name)

    def validate_tags(self, tags: list[str]) -> tuple[str, ...]:
        if any("," in tag for tag in tags):
            raise serializers.ValidationError("A tag cannot contain a comma.", code="bad_tags")
        try:
            return tags_of(",".join(tags))
        except EditRefused as error:
            raise serializers.ValidationError(error.message, code=error.code) from None


class CopiesSerializer(BodySerializer):
    """Copies of a card, named by its key (``spycraft/kai``) or code. Without a section the card's usual one
    is taken.
    """

    card = serializers.CharField(max_length=200)
    count = serializers.IntegerField(min_value=0, max_value=MAX_COUNT, required=False, default=1)
    section = serializers.CharField(max_length=40, required=False)


class ChangeSerializer(serializers.Serializer[Any]):
    """Exactly one of these. ``lines``: lines of a list, which are applied all or not at all."""

    add = CopiesSerializer(required=False)
    take = CopiesSerializer(required=False)
    set = CopiesSerializer(required=False)
    lines = serializers.CharField(max_length=MAX_BYTES, trim_whitespace=False, required=False)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if len(attrs) != 1 or len(self.initial_data) != 1:
            sentence = (
                'A change is one of add, take, set and lines, as in {"add": {"card": "kai", "count": 1}}.'
            )
            raise serializers.ValidationError(sentence, code="not_one_change")
        return attrs


class DeckList(PrivateView):
    @operation("decks_list", *QUERY, GAME, KEY, *CURSORS, gives=answers.DeckPage)
    def get(self, request: Request) -> Response:
        """List the public decks and your own that a query finds; without a query all of them, newest
        first.
        """
        viewer, order = api_viewer_of(request), request.query_params.get("order", "")
        if order and order not in ORDERS:
            sentence = f"Decks are sorted by {', '.join(ORDERS)}, not by “{order[:40]}”."
            raise Refused(Fault("unknown_order", sentence, "order"))
        listed = listing(viewer, request.query_params.get("q", ""), game_parameter(request), order)
        # Refuses a query with faults, before its cost is counted.
        problems = told_problems(listed.query.problems)
        if listed.query.looks_into_decks and (wait := seconds_to_wait(request, work=True)):
            raise Throttled(wait)

        def as_json(page: Sequence[Deck]) -> list[dict[str, Any]]:
            return [
                {
                    **head(row.deck),
                    **picked(row.deck, "verdict", "house", "likes"),
                    "by": row.author or None,
                    "tags": row.deck.tags,
                    "forked": row.is_fork,
                    "sizes": dict(row.sizes),
                    "created": row.deck.created.isoformat(),
                }
                for row in deck_rows(page, viewer)
            ]

        answer = self.followed(request, listed.order, listed.beside, as_json)
        answer.data |= {"unjudged": listed.unjudged, "problems": problems}
        return answer

    @operation(
        "decks_create",
        IDEMPOTENCY_KEY,
        gives=answers.StoredDeck,
        body=DeckSerializer,
        status=201,
        # 422: the Idempotency-Key was sent with another request already (``storing.made``).
        also=(422, *NOT_STORED),
    )
    def post(self, request: Request) -> Response:
        """Store a new deck. Only this answer holds its edit key; the same request again under the same
        Idempotency-Key gets the same answer.
        """
        return made_answer(*made(request, cleaned(DeckSerializer, request)))


class DeckDetail(PrivateView):
    @operation("decks_read", KEY, gives=answers.StoredDeck)
    def get(self, request: Request, link: str) -> Response:
        """One deck with its verdict. Secret cards are shown only to those who may edit the deck. ``ETag``
        names its revision and visibility.
        """
        return deck_answer(link, api_viewer_of(request))

    @changing("decks_replace", body=DeckSerializer)
    def put(self, request: Request, link: str) -> Response:
        """Replace a deck; with ``If-Match`` only if it has not changed since."""
        viewer = api_viewer_of(request)
        deck, data = editable_deck(link, viewer), cleaned(DeckSerializer, request)
        if data["game"] != deck.game:
            sentence = f"A deck cannot change its game, {deck.game}. Make a new deck."
            raise Refused(Fault("other_game", sentence, "game"))
        # ``store`` locks the deck and checks If-Match.
        store(deck, data, viewer, request)
        return deck_answer(link, viewer)

    @changing("decks_change", body=ChangeSerializer)
    def patch(self, request: Request, link: str) -> Response:
        """Make one change to the deck as it is now; with ``If-Match`` only if it has not changed since.
        ``words`` says what was changed.
        """
        viewer = api_viewer_of(request)
        data = cleaned(ChangeSerializer, request)
        with saving():
            deck = editable_deck(link, viewer, locked=True)
            refuse_stale(deck, request)
            saved = save_edit(deck, viewer, change_of(data, game_or_refuse(deck.game, games())))
        return deck_answer(link, viewer, words=difference(saved.before, saved.after).words())

    @operation("decks_delete", KEY, IF_MATCH, gives=None, status=204, also=[STALE])
    def delete(self, request: Request, link: str) -> Response:
        """Delete a deck for good; with ``If-Match`` only if it has not changed since."""
        with transaction.atomic():
            deck = editable_deck(link, api_viewer_of(request), locked=True)
            refuse_stale(deck, request)
            note(Event.DELETED, deck.owner_id, thing="deck", number=deck.pk, name=deck.name)
            deck.delete()
        return Response(status=204)


# -- history ---------------------------------------------------------------------------


def _editable(request: Request, link: str) -> tuple[Deck, Game]:
    """Return (deck, game) for a deck that the viewer may edit. Raise Http404."""
    deck = editable_deck(link, api_viewer_of(request))
    return deck, game_installed(deck)


class RevisionList(PrivateView):
    @operation("deck_revisions", KEY, *CURSORS, gives=answers.RevisionPage)
    def get(self, request: Request, link: str) -> Response:
        """Every stored state of a deck of yours, newest first, with its change."""
        deck, game = _editable(request, link)
        rows = DeckRevision.objects.of(deck.pk).select_related("by")

        def as_json(page: Sequence[DeckRevision]) -> list[dict[str, Any]]:
            return [state.as_json() for state in states(game, page)]

        return self.followed(request, ["-number"], found_in(rows), as_json)


class RevisionDetail(PrivateView):
    @operation("deck_revision", KEY, gives=answers.FullRevision)
    def get(self, request: Request, link: str, number: int) -> Response:
        """One state of a deck of yours with its whole content."""
        deck, game = _editable(request, link)
        row = get_object_or_404(DeckRevision.objects.of(deck.pk).select_related("by"), number=number)
        (state,) = states(game, [row])
        return Response(state.as_json() | {"content": row.content})


def _stepped(request: Request, link: str, step: Callable[[str, Viewer], Saved]) -> Response:
    """Undo or redo a change, as ``step`` does.

    The deck is read unlocked: ``refuse_stale`` locks it if it has a state to compare, and ``step`` in any
    case, before it reads the revision that it goes back or forth from.
    """
    viewer = api_viewer_of(request)
    with saving():
        refuse_stale(editable_deck(link, viewer), request)
        saved = step(link, viewer)
    return deck_answer(link, viewer, words=difference(saved.before, saved.after).words())


class Undo(PrivateView):
    @changing("deck_undo", body=None)
    def post(self, request: Request, link: str) -> Response:
        """Undo the last change. 409 if there is none to undo, 412 if the deck is not at the revision in
        ``If-Match``.
        """
        return _stepped(request, link, undo)


class Redo(PrivateView):
    @changing("deck_redo", body=None)
    def post(self, request: Request, link: str) -> Response:
        """Redo the last undone change. 409 if there is none or the deck was changed since; 412 as with
        undo.
        """
        return _stepped(request, link, redo)


class Fork(PrivateView):
    @operation("deck_fork", KEY, gives=answers.StoredDeck, status=201, also=NOT_STORED, body=None)
    def post(self, request: Request, link: str) -> Response:
        """Make a private deck of yours that begins as a copy of this one. Only this answer holds its edit
        key.
        """
        # An edit key opens the source, but owns no copy: that belongs to the account, if there is one.
        begin = partial(begin_deck, request, Viewer(request.user.pk))
        return made_answer(*fork(link, api_viewer_of(request), begin))
