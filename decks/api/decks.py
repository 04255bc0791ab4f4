"""Decks over HTTP. A deck is edited with its key in ``X-Deck-Key``, or by its owner's account."""

from __future__ import annotations

from typing import Any

from django.core.exceptions import ValidationError
from django.db import transaction
from django.http import Http404
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils.decorators import method_decorator
from django.utils.http import parse_etags
from django.views.decorators.cache import never_cache
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from cardsdb.api.catalogue_view import PagedView
from cardsdb.api.serializers import ERRORS, GAME, PAGE
from cardsdb.games import game_named
from cardsdb.games.kit.listtext.deck import MAX_BYTES, write_deck
from cardsdb.games.kit.listtext.marks import MAX_TAG, MAX_TAGS
from cardsdb.games.kit.model.decklist import NO_MARKS
from cardsdb.games.kit.rules.house_rules import MAX_HOUSE_RULES, still_known, write_house_rules
from cardsdb.site.faults import Fault, Refused
from decks.api.changes import ChangeSerializer, change_of
from decks.api.public import QUERY, DeckPageSerializer, decks_found
from decks.core.diff import difference, with_marks_of
from decks.core.edits import EditRefused, tags_of
from decks.core.judging import format_or_refuse, game_or_refuse, judge_text, read_text
from decks.formats import CHOICES, export
from decks.identity.viewer import Viewer, api_viewer_of
from decks.models import Deck, Visibility, new_deck
from decks.repairs.search import repair_json, repairs_of
from decks.saving.save import Conflicts, changed_elsewhere, save_edit, save_whole
from decks.web.forms import MAX_NAME, MAX_NOTES, clean_name

KEY = OpenApiParameter("X-Deck-Key", str, OpenApiParameter.HEADER, description="The deck's edit key.")
IF_MATCH = OpenApiParameter("If-Match", str, OpenApiParameter.HEADER, description="The ETag of the deck as it was read.")


class ListSerializer(serializers.Serializer[Any]):
    """A pasted list."""

    game = serializers.CharField(max_length=40)
    format = serializers.CharField(max_length=40, required=False, allow_blank=True, default="")
    text = serializers.CharField(max_length=MAX_BYTES, trim_whitespace=False)


class ValidateSerializer(ListSerializer):
    """A pasted list, by which house rules it is judged, and whether repairs are looked for."""

    house = serializers.CharField(max_length=MAX_HOUSE_RULES, required=False, allow_blank=True, default="")
    repair = serializers.BooleanField(required=False, default=False)


class ConvertSerializer(ListSerializer):
    to = serializers.ChoiceField(choices=CHOICES)


class DeckSerializer(ListSerializer):
    """A deck to keep. What is left out of a stored one stays as it is; of a new one it is empty, and the deck private."""

    name = serializers.CharField(max_length=MAX_NAME)
    notes = serializers.CharField(max_length=MAX_NOTES, required=False, allow_blank=True)
    visibility = serializers.ChoiceField(choices=Visibility.choices, required=False)
    house = serializers.CharField(max_length=MAX_HOUSE_RULES, required=False, allow_blank=True)
    tags = serializers.ListField(child=serializers.CharField(max_length=MAX_TAG), required=False, max_length=MAX_TAGS)

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


class CitationSerializer(serializers.Serializer[Any]):
    code = serializers.CharField()
    document = serializers.CharField()
    section = serializers.CharField(allow_blank=True)
    lines = serializers.CharField(allow_blank=True)
    certainty = serializers.CharField()
    says = serializers.CharField()


class ViolationSerializer(serializers.Serializer[Any]):
    code = serializers.CharField()
    problem = serializers.CharField()
    severity = serializers.ChoiceField(choices=["illegal", "incomplete", "unknown", "note"])
    cards = serializers.ListField(child=serializers.CharField())
    found = serializers.JSONField(allow_null=True)
    wanted = serializers.JSONField(allow_null=True)
    message = serializers.CharField()
    house = serializers.CharField(allow_blank=True)
    citation = CitationSerializer(allow_null=True)
    repairs = serializers.ListField(child=serializers.DictField())


class VerdictSerializer(serializers.Serializer[Any]):
    """What judging a list gives: the same object as ``check_deck --json``."""

    game = serializers.CharField()
    format = serializers.CharField()
    house = serializers.CharField(allow_blank=True)
    verdict = serializers.ChoiceField(choices=["legal", "incomplete", "illegal", "undecided"])
    violations = ViolationSerializer(many=True)
    unread = serializers.ListField(child=serializers.DictField())
    notices = serializers.ListField(child=serializers.DictField())
    meters = serializers.ListField(child=serializers.DictField())
    repairs = serializers.ListField(child=serializers.DictField(), required=False)
    sections = serializers.ListField(child=serializers.DictField())


def cleaned(serializer: serializers.Serializer[Any]) -> dict[str, Any]:
    serializer.is_valid(raise_exception=True)
    return dict(serializer.validated_data)


class Validate(APIView):
    @extend_schema(operation_id="decks_validate", request=ValidateSerializer, responses={200: VerdictSerializer, **ERRORS})
    def post(self, request: Request) -> Response:
        """Judge a list. Nothing is saved. ``house`` changes numbers of the format, ``repair`` asks for the smallest repairs."""
        data = cleaned(ValidateSerializer(data=request.data))
        game = game_or_refuse(data["game"])
        judged = judge_text(game, data["text"], format_or_refuse(game, data["format"]), house=data["house"])
        repairs = {"repairs": [repair_json(repair) for repair in repairs_of(judged)]} if data["repair"] else {}
        return Response(judged.as_json() | repairs)


class Convert(APIView):
    @extend_schema(operation_id="decks_convert", request=ConvertSerializer, responses={200: OpenApiTypes.OBJECT, **ERRORS})
    def post(self, request: Request) -> Response:
        """Write a list in another format, with a report of what that format cannot hold."""
        data = cleaned(ConvertSerializer(data=request.data))
        game = game_or_refuse(data["game"])
        reading = read_text(game, data["text"], format_or_refuse(game, data["format"]))
        written = export(data["to"], game, reading)
        return Response(
            {
                "filename": written.filename,
                "content_type": written.content_type,
                "text": written.text,
                "losses": [{"code": loss.code, "message": loss.message, "where": loss.where} for loss in written.losses],
            }
        )


@method_decorator(never_cache, name="dispatch")
class DeckList(PagedView):
    @extend_schema(operation_id="decks_list", parameters=[*QUERY, GAME, KEY, *PAGE], responses={200: DeckPageSerializer, **ERRORS})
    def get(self, request: Request) -> Response:
        """Public decks and your own that a query finds; all without one, newest first."""
        return decks_found(self, request, api_viewer_of(request), _head)

    @extend_schema(operation_id="decks_create", request=DeckSerializer, responses={201: OpenApiTypes.OBJECT, **ERRORS})
    def post(self, request: Request) -> Response:
        """Keep a deck. The answer holds its edit key, which is shown this once."""
        deck, key = new_deck(owner_id=request.user.pk)
        _store(deck, cleaned(DeckSerializer(data=request.data)), Viewer(request.user.pk))
        return made_answer(deck, key)


@method_decorator(never_cache, name="dispatch")
class DeckDetail(APIView):
    @extend_schema(operation_id="decks_read", parameters=[KEY], responses={200: OpenApiTypes.OBJECT, **ERRORS})
    def get(self, request: Request, link: str) -> Response:
        """One deck, judged. What is secret is shown to its owner alone. ``ETag`` names its revision and who may see it."""
        return deck_answer(link, api_viewer_of(request))

    @extend_schema(
        operation_id="decks_replace", parameters=[KEY, IF_MATCH], request=DeckSerializer, responses={200: OpenApiTypes.OBJECT, **ERRORS}
    )
    def put(self, request: Request, link: str) -> Response:
        """Replace a deck; with ``If-Match`` only if nobody changed it since."""
        viewer = api_viewer_of(request)
        deck = get_object_or_404(Deck.objects.editable_by(viewer).with_cards(), link=link)
        data = cleaned(DeckSerializer(data=request.data))
        if data["game"] != deck.game:
            raise Refused(Fault("other_game", "A deck stays with its game; make a new one.", "game"))
        _store(deck, data, viewer, request.headers.get("If-Match", ""))
        return deck_answer(link, viewer)

    @extend_schema(
        operation_id="decks_change", parameters=[KEY, IF_MATCH], request=ChangeSerializer, responses={200: OpenApiTypes.OBJECT, **ERRORS}
    )
    def patch(self, request: Request, link: str) -> Response:
        """Make one change, on the deck as it is now; with ``If-Match`` only if nobody changed it since. ``words`` says what was done."""
        viewer = api_viewer_of(request)
        data = cleaned(ChangeSerializer(data=request.data))
        with transaction.atomic():
            deck = get_object_or_404(Deck.objects.editable_by(viewer), link=link)
            if if_match := request.headers.get("If-Match", ""):
                refuse_stale(deck, if_match)
            saved = save_edit(link, viewer, change_of(data, game_or_refuse(deck.game)))
        return deck_answer(link, viewer, words=difference(saved.before, saved.after).words())

    @extend_schema(operation_id="decks_delete", parameters=[KEY], responses={204: None, **ERRORS})
    def delete(self, request: Request, link: str) -> Response:
        """Delete a deck for good."""
        with transaction.atomic():
            get_object_or_404(Deck.objects.editable_by(api_viewer_of(request)).select_for_update(), link=link).delete()
        return Response(status=204)


def _store(deck: Deck, data: dict[str, Any], viewer: Viewer, if_match: str = "") -> None:
    game = game_or_refuse(data["game"])
    judged = judge_text(game, data["text"], format_or_refuse(game, data["format"]), deck.named_cards(), data.get("house", ""))
    values = {field: data[field] for field in ("name", "notes", "visibility", "tags") if field in data}
    if "house" in data:
        values["house"] = write_house_rules({change.number.key: change.value for change in judged.house_changes})
    elif judged.format.slug != deck.format:
        values["house"] = still_known(judged.format, deck.house)
    columns = {"visibility": values.pop("visibility")} if "visibility" in values else {}
    if not deck.pk:
        judged.refuse_unread()
        deck.game = game.slug
        save_whole(deck, judged.content(**values), viewer, **columns)
        return
    read = deck.content()
    content = judged.content(read, **values)
    if all(entry.marks == NO_MARKS for entry in content.deck):
        # A program that knows nothing of marks leaves them as they are.
        content = with_marks_of(content, read)
    try:
        with transaction.atomic():
            if if_match:
                refuse_stale(deck, if_match)
            judged.refuse_unread()
            save_whole(deck.link, content, viewer, seen=deck.revision, **columns)
    except Conflicts as conflicts:
        raise conflicts.refused() from None
    except Http404:
        raise changed_elsewhere() from None


def refuse_stale(deck: Deck, if_match: str) -> None:
    """Lock the deck. Raises Refused (412) if it is not as the sender means."""
    now = Deck.objects.select_for_update().filter(pk=deck.pk).only("revision", "visibility").first()
    # Servers in between may have made the tag a weak one, when they packed the answer.
    known = {tag.removeprefix("W/") for tag in parse_etags(if_match)}
    if now is None or now.revision != deck.revision or not known & {"*", deck_tag(now.revision, now.visibility)}:
        state = f"at revision {now.revision} and {now.visibility}" if now else "gone"
        sentence = f"The deck is {state} now, not as If-Match says. Read it again, then decide."
        raise Refused(Fault("stale", sentence, "If-Match"), status=412)


def deck_tag(revision: int, visibility: str) -> str:
    """The entity tag of a deck at this revision that these people may see; who they are is no part of its history."""
    return f'"{revision}-{visibility}"'


def deck_answer(link: str, viewer: Viewer, **more: Any) -> Response:
    """A whole deck as a visitor may see it, under its tag."""
    whole = _whole(link, viewer)
    return Response(whole | more, headers={"ETag": deck_tag(whole["revision"], whole["visibility"])})


def made_answer(deck: Deck, key: str) -> Response:
    """A new deck, to whoever made it: the one time that its edit key is told."""
    answer = deck_answer(deck.link, Viewer(key_hash=deck.edit_hash), edit_key=key)
    answer.status_code, answer["Location"] = 201, f"/api/v1/decks/{deck.link}/"
    return answer


def _head(deck: Deck) -> dict[str, Any]:
    return {
        "id": deck.link,
        "url": reverse("deck", args=[deck.link]),
        "game": deck.game,
        "format": deck.format,
        "name": deck.name,
        "visibility": deck.visibility,
        "revision": deck.revision,
        "changed": deck.changed.isoformat(),
    }


def _whole(link: str, viewer: Viewer) -> dict[str, Any]:
    deck = get_object_or_404(Deck.objects.visible_to(viewer).with_cards(), link=link)
    game = game_named(deck.game)
    if game is None:
        raise Refused(Fault("unknown_game", "The deck's game is not installed here.", "game"), status=404)
    judged = deck.judged(game, keep_secrets=not deck.shows_secrets_to(viewer))
    lines = [
        {"section": e.section, "count": e.count, "card": None if e.card.written else e.card.key, "name": e.card.name, "type": e.card.type}
        for e in judged.deck
    ]
    text = write_deck(game, judged.deck, judged.format)
    said = {"notes": deck.notes, "tags": list(deck.tags), "house": deck.house, "details": deck.details}
    return _head(deck) | said | {"lines": lines, "text": text, "report": judged.as_json()}
