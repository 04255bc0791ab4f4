"""Decks over HTTP: found by a query, kept, changed. A deck is edited with its key in ``X-Deck-Key``, or by
its owner's account.
"""

from __future__ import annotations

from typing import Any

from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.http import Http404
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils.http import parse_etags
from drf_spectacular.utils import OpenApiParameter
from rest_framework import serializers
from rest_framework.exceptions import Throttled
from rest_framework.request import Request
from rest_framework.response import Response

from cardsdb.api.catalogue_view import PrivateView, game_parameter, told_problems
from cardsdb.api.framework import Pages
from cardsdb.api.serializers import (
    GAME,
    PAGE,
    BodySerializer,
    ObjectPageSerializer,
    OneOf,
    ProblemSerializer,
    cleaned,
    operation,
    picked,
)
from cardsdb.catalogue.current import game_named, games
from cardsdb.faults import Fault, Refused
from cardsdb.games.kit import Card, Game
from cardsdb.games.kit.listtext.deck import MAX_BYTES, write_deck
from cardsdb.games.kit.listtext.line import MAX_COUNT
from cardsdb.games.kit.model.marks import MAX_TAG, MAX_TAGS
from cardsdb.games.kit.rules.house_rules import MAX_HOUSE_RULES, still_known, without_league
from cardsdb.identity.viewer import Viewer, api_viewer_of, hashed
from cardsdb.models.audit import Event
from cardsdb.search.own_cards import own_cards_of
from cardsdb.site.audit import note
from cardsdb.site.ratelimits import seconds_to_wait
from decks.api.asked_once import IDEMPOTENCY_KEY, AskedOnce, asked_once
from decks.api.lists import ListSerializer
from decks.core import edits
from decks.core.content import DeckContent
from decks.core.diff import difference, with_marks_of
from decks.core.edits import Edit, EditRefused, tags_of
from decks.core.judging import game_or_refuse, judge_text
from decks.core.used_format import format_or_refuse
from decks.editor.changes import card_of, format_of, known_section, parse_edit
from decks.models import Deck, editable_deck, visible_deck
from decks.models.deck import WHO_SEES
from decks.public.fields import ORDERS
from decks.public.listing import DeckRow, deck_rows, listing
from decks.saving.expiry import note_opened
from decks.saving.room import begin_deck
from decks.saving.save import Conflicts, changed_elsewhere, save_edit, save_whole
from decks.saving.turn import saving
from decks.web.forms import MAX_NAME, MAX_NOTES, clean_name

KEY = OpenApiParameter("X-Deck-Key", str, OpenApiParameter.HEADER, description="The deck's edit key.")
IF_MATCH = OpenApiParameter(
    "If-Match", str, OpenApiParameter.HEADER, description="The ETag of the deck as it was read."
)
# Answered where a deck is stored: that it was changed elsewhere, or there are too many; that there is no room.
STORED = (409, 507)
# Where If-Match is taken: that it names another state than the stored one.
STALE = 412
QUERY = [
    OpenApiParameter("q", str, description="A query over decks; one that is wrong anywhere is refused."),
    OpenApiParameter(
        "order", str, enum=list(ORDERS), description="How to sort, where the query has no order of its own."
    ),
]


class DeckSerializer(ListSerializer):
    """A deck to keep. What is left out of a stored one stays as it is; of a new one it is empty, and the deck
    private.
    """

    # ``text`` is what says which cards the deck has.
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
        try:
            return clean_name(name)
        except ValidationError as error:
            raise serializers.ValidationError(error.message, code=error.code) from None

    def validate_tags(self, tags: list[str]) -> tuple[str, ...]:
        if any("," in tag for tag in tags):
            raise serializers.ValidationError("A tag has no comma; that stands between two.", code="bad_tags")
        try:
            return tags_of(",".join(tags))
        except EditRefused as error:
            raise serializers.ValidationError(error.message, code=error.code) from None


class CopiesSerializer(BodySerializer):
    """So many copies of a card, by its key (``spycraft/kai``) or code; the section may be left out."""

    card = serializers.CharField(max_length=200)
    count = serializers.IntegerField(min_value=0, max_value=MAX_COUNT, required=False, default=1)
    section = serializers.CharField(max_length=40, required=False)


class ChangeSerializer(serializers.Serializer[Any]):
    """Exactly one of these. ``lines``: a piece of a list, all of it or nothing."""

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


class DeckPageSerializer(ObjectPageSerializer):
    """A page of decks. ``problems``: what is probably not meant; ``unjudged``: decks that could not be asked
    for their verdict yet.
    """

    problems = ProblemSerializer(many=True)
    unjudged = serializers.IntegerField()


class DeckList(PrivateView):
    @operation("decks_list", *QUERY, GAME, KEY, *PAGE, gives=DeckPageSerializer)
    def get(self, request: Request) -> Response:
        """Public decks and your own that a query finds; all without one, newest first."""
        return _page(self, request, api_viewer_of(request))

    @operation("decks_create", IDEMPOTENCY_KEY, body=DeckSerializer, status=201, also=(422, *STORED))
    def post(self, request: Request) -> Response:
        """Keep a deck. The answer holds its edit key, which is shown this once; again to who asks just this
        again under the same name.
        """
        data = cleaned(DeckSerializer, request)
        return made_answer(*_made(request, data, asked_once(request, data)))


class DeckDetail(PrivateView):
    @operation("decks_read", KEY)
    def get(self, request: Request, link: str) -> Response:
        """One deck, judged. What is secret is shown to its owner alone. ``ETag`` names its revision and who
        may see it.
        """
        return deck_answer(link, api_viewer_of(request))

    @operation("decks_replace", KEY, IF_MATCH, also=(*STORED, STALE), body=DeckSerializer)
    def put(self, request: Request, link: str) -> Response:
        """Replace a deck; with ``If-Match`` only if nobody changed it since."""
        viewer = api_viewer_of(request)
        deck = get_object_or_404(Deck.objects.editable_by(viewer).with_cards(), link=link)
        data = cleaned(DeckSerializer, request)
        if data["game"] != deck.game:
            raise Refused(
                Fault("other_game", f"A deck stays with its game, {deck.game}; make a new one.", "game")
            )
        _store(deck, data, viewer, request.headers.get("If-Match", ""))
        return deck_answer(link, viewer)

    @operation("decks_change", KEY, IF_MATCH, also=(*STORED, STALE), body=ChangeSerializer)
    def patch(self, request: Request, link: str) -> Response:
        """Make one change, on the deck as it is now; with ``If-Match`` only if nobody changed it since.
        ``words`` says what was done.
        """
        viewer = api_viewer_of(request)
        data = cleaned(ChangeSerializer, request)
        with saving():
            deck = editable_deck(link, viewer, locked=True)
            if if_match := request.headers.get("If-Match", ""):
                refuse_stale(deck, if_match)
            saved = save_edit(deck, viewer, _change_of(data, game_or_refuse(deck.game, games())))
        return deck_answer(link, viewer, words=difference(saved.before, saved.after).words())

    @operation("decks_delete", KEY, IF_MATCH, gives=None, status=204, also=[STALE])
    def delete(self, request: Request, link: str) -> Response:
        """Delete a deck for good; with ``If-Match`` only if nobody changed it since."""
        with transaction.atomic():
            deck = get_object_or_404(
                Deck.objects.editable_by(api_viewer_of(request)).select_for_update(), link=link
            )
            if if_match := request.headers.get("If-Match", ""):
                refuse_stale(deck, if_match)
            note(Event.DELETED, deck.owner_id, thing="deck", number=deck.pk, name=deck.name)
            deck.delete()
        return Response(status=204)


# -- the list ---------------------------------------------------------------------------


def _page(view: PrivateView, request: Request, viewer: Viewer) -> Response:
    """A page of the decks that ``q``, ``game`` and ``order`` ask for. Raises Refused with every fault and its
    columns.
    """
    order = request.query_params.get("order", "")
    if order and order not in ORDERS:
        raise Refused(
            Fault(
                "unknown_order", f"Decks are sorted by {', '.join(ORDERS)}, not by “{order[:40]}”.", "order"
            )
        )
    listed = listing(viewer, request.query_params.get("q", ""), game_parameter(request), order)
    problems = told_problems(listed.query.problems)
    if listed.query.looks_into_decks and (wait := seconds_to_wait(request, work=True)):
        raise Throttled(wait)
    pages = Pages()
    pages.django_paginator_class = lambda decks, per_page: listed.paginator(per_page)  # type: ignore[assignment, return-value]
    rows = deck_rows(pages.paginate_queryset(listed.decks, request, view=view) or (), viewer)
    answer = pages.get_paginated_response([_head(row.deck) | _row(row) for row in rows])
    answer.data |= {"unjudged": listed.unjudged, "problems": problems}
    return answer


def _row(row: DeckRow) -> dict[str, Any]:
    """What a row of the list says besides ``_head``."""
    return {
        **picked(row.deck, "verdict", "house", "likes"),
        "by": row.author or None,
        "tags": list(row.deck.tags),
        "forked": row.is_fork,
        "sizes": dict(row.sizes),
        "created": row.deck.created.isoformat(),
    }


# -- storing ---------------------------------------------------------------------------


def _change_of(data: dict[str, Any], game: Game) -> Edit:
    """The edit that a checked body asks for. Raises Refused; so does the edit, if the deck as it is does not
    allow it.
    """
    if "lines" in data:
        return parse_edit({"edit": "lines", "lines": data["lines"]}, game).edit
    ((how, copies),) = data.items()
    code, count, section = (
        copies["card"].removeprefix(f"{game.slug}/"),
        copies["count"],
        copies.get("section", ""),
    )
    if section:
        known_section(game, section)
    if not count and how != "set":
        raise Refused(
            Fault("bad_count", f"A count is 1 to {MAX_COUNT} here; with set it may be 0.", f"{how}.count")
        )

    def edit(content: DeckContent) -> DeckContent:
        card = card_of(content, game, code)
        place = section or _place_of(content, game, card)
        if how == "add":
            return edits.with_more(content, card, place, count)
        if how == "set":
            return edits.with_count(content, card, place, count)
        if edits.entry_of(content, place, card.code) is None:
            raise EditRefused(
                "not_in_the_deck", f"The deck has no {card.name} to take out there.", "take.card"
            )
        return edits.with_more(content, card, place, -count)

    return edit


def _place_of(content: DeckContent, game: Game, card: Card) -> str:
    """The section meant where none is named: where the card's type goes, or the only other one that it stands
    in.
    """
    home = edits.home_of(game, card.type, format_of(content, game))
    sections = [entry.section for entry in content.deck if entry.card.code == card.code]
    return home if home in sections or not sections else sections[0]


def _made(request: Request, data: dict[str, Any], asked: AskedOnce | None) -> tuple[Deck, str]:
    """The new deck and its edit key; what a request of the same name made, if there was one."""
    viewer = Viewer(request.user.pk)
    deck, key = begin_deck(request, viewer)
    if asked is None:
        _store(deck, data, viewer)
        return deck, key
    if made := asked.made():
        return made, asked.edit_key
    deck.link, deck.edit_hash = asked.link, hashed(asked.edit_key)
    try:
        _store(deck, data, viewer)
    except IntegrityError:
        # Of two such requests at once the other has made it.
        made = asked.made()
        if made is None:
            raise
        return made, asked.edit_key
    return deck, asked.edit_key


def _store(deck: Deck, data: dict[str, Any], viewer: Viewer, if_match: str = "") -> None:
    game = game_or_refuse(data["game"], games())
    format, house = format_or_refuse(game, data["format"]), data.get("house", "")
    leagues = deck.leagues_while(data.get("visibility") or deck.visibility)
    also = (*own_cards_of(viewer)(game), *deck.named_cards())
    judged = judge_text(game, data["text"], format, also, house, leagues, titled=not data.get("name"))
    values = {field: data[field] for field in ("name", "notes", "visibility", "tags") if field in data}
    if "house" in data:
        values["house"] = judged.house
    elif judged.format.slug != deck.format:
        values["house"] = still_known(judged.format, without_league(deck.house))
    columns = {"visibility": values.pop("visibility")} if "visibility" in values else {}
    if not deck.pk:
        judged.refuse_unread()
        deck.game = game.slug
        save_whole(deck, judged.content(**values), viewer, **columns)
        return
    read = deck.content()
    content = judged.content(read, **values)
    if all(entry.marks.only_prints for entry in content.deck):
        # A program that does not know marks sends none; the stored ones stay.
        content = with_marks_of(content, read)
    try:
        with saving():
            if if_match:
                refuse_stale(deck, if_match)
            judged.refuse_unread()
            save_whole(deck.link, content, viewer, seen=deck.revision, **columns)
    except Conflicts as conflicts:
        raise conflicts.refused() from None
    except Http404:
        raise changed_elsewhere() from None


def refuse_stale(deck: Deck, if_match: str) -> None:
    """Lock the deck. Raises Refused (412) if it is not in the state that ``If-Match`` names."""
    now = Deck.objects.stored(deck).select_for_update().only("revision", "visibility").first()
    # A server in between may have made the tag weak when it compressed the answer.
    known = {tag.removeprefix("W/") for tag in parse_etags(if_match)}
    if (
        now is None
        or now.revision != deck.revision
        or not known & {"*", deck_tag(now.revision, now.visibility)}
    ):
        state = f"at revision {now.revision} and {now.visibility}" if now else "gone"
        sentence = f"The deck is {state} now, not as If-Match says. Read it again, then decide."
        raise Refused(Fault("stale", sentence, "If-Match"), status=412)


def deck_tag(revision: int, visibility: str) -> str:
    """The entity tag of a deck at this revision and visibility, which is no part of the deck's history."""
    return f'"{revision}-{visibility}"'


def deck_answer(link: str, viewer: Viewer, **more: Any) -> Response:
    """The answer with a whole deck as this viewer may see it, and its entity tag."""
    whole = _whole(link, viewer)
    return Response(whole | more, headers={"ETag": deck_tag(whole["revision"], whole["visibility"])})


def made_answer(deck: Deck, key: str) -> Response:
    """The answer (201) with a new deck: the only one that holds its edit key."""
    answer = deck_answer(deck.link, Viewer(key_hash=deck.edit_hash), edit_key=key)
    answer.status_code, answer["Location"] = 201, f"/api/v1/decks/{deck.link}/"
    return answer


def _head(deck: Deck) -> dict[str, Any]:
    return {
        "id": deck.link,
        "url": reverse("deck", args=[deck.link]),
        **picked(deck, "game", "format", "name", "visibility", "revision"),
        "changed": deck.changed.isoformat(),
    }


def _whole(link: str, viewer: Viewer) -> dict[str, Any]:
    deck = visible_deck(link, viewer)
    note_opened(deck)
    game = game_named(deck.game)
    if game is None:
        raise Refused(Fault("unknown_game", "The deck's game is not installed here.", "game"), status=404)
    judged = deck.judged_for(viewer, game)
    lines = [
        {
            **picked(entry, "section", "count"),
            "card": None if entry.card.written else entry.card.key,
            **picked(entry.card, "name", "type"),
            "prints": [
                {"print": label, "count": copies}
                for label, copies in entry.marks.prints.groups(entry.count)
                if label
            ],
        }
        for entry in judged.deck
    ]
    # What is secret counts in the text, covered, so that whoever pastes it gets the same verdict.
    listed = judged.deck if deck.shows_secrets_to(viewer) else deck.decklist_to_share(game)
    text = write_deck(game, listed, judged.format)
    about = picked(deck, "notes", "tags", "house", "details")
    return _head(deck) | about | {"lines": lines, "text": text, "report": judged.as_json()}
