"""Decks over HTTP. A deck is edited with its key in ``X-Deck-Key``, or by its owner's account."""

from __future__ import annotations

from typing import Any

from django.core.exceptions import ValidationError
from django.db import transaction
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils.decorators import method_decorator
from django.views.decorators.cache import never_cache
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from cardsdb.api.addresses import ERRORS, GAME, PAGE, CountedView, ObjectPageSerializer, asked_game
from cardsdb.errors import Fault, Refused
from cardsdb.games import game_named, games
from cardsdb.games.kit.decktext import MAX_BYTES, write_deck
from decks.formats import FORMATS, export
from decks.forms import MAX_NAME, MAX_NOTES, clean_name
from decks.keeping import keep
from decks.models import Deck, Visibility, new_deck
from decks.validation import format_or_refuse, game_or_refuse, judge_text, read_text
from decks.visitors import Visitor, api_visitor_of

KEY = OpenApiParameter("X-Deck-Key", str, OpenApiParameter.HEADER, description="The deck's edit key.")


class ListSerializer(serializers.Serializer[Any]):
    """A pasted list."""

    game = serializers.CharField(max_length=40)
    format = serializers.CharField(max_length=40, required=False, allow_blank=True, default="")
    text = serializers.CharField(max_length=MAX_BYTES, trim_whitespace=False)


class ConvertSerializer(ListSerializer):
    to = serializers.ChoiceField(choices=sorted(FORMATS))


class DeckSerializer(ListSerializer):
    name = serializers.CharField(max_length=MAX_NAME)
    notes = serializers.CharField(max_length=MAX_NOTES, required=False, allow_blank=True, default="")
    visibility = serializers.ChoiceField(choices=Visibility.choices, required=False, default=Visibility.PRIVATE)

    def validate_name(self, name: str) -> str:
        try:
            return clean_name(name)
        except ValidationError as error:
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
    citation = CitationSerializer(allow_null=True)
    repairs = serializers.ListField(child=serializers.DictField())


class VerdictSerializer(serializers.Serializer[Any]):
    """What judging a list gives: the same object as ``check_deck --json``."""

    game = serializers.CharField()
    format = serializers.CharField()
    verdict = serializers.ChoiceField(choices=["legal", "incomplete", "illegal", "undecided"])
    violations = ViolationSerializer(many=True)
    unread = serializers.ListField(child=serializers.DictField())
    notices = serializers.ListField(child=serializers.DictField())
    sections = serializers.ListField(child=serializers.DictField())


def cleaned(serializer: serializers.Serializer[Any]) -> dict[str, Any]:
    serializer.is_valid(raise_exception=True)
    return dict(serializer.validated_data)


class Validate(APIView):
    @extend_schema(operation_id="decks_validate", request=ListSerializer, responses={200: VerdictSerializer, **ERRORS})
    def post(self, request: Request) -> Response:
        """Judge a list. Nothing is saved."""
        data = cleaned(ListSerializer(data=request.data))
        game = game_or_refuse(data["game"])
        return Response(judge_text(game, data["text"], format_or_refuse(game, data["format"])).as_json())


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
class DeckList(CountedView):
    @extend_schema(operation_id="decks_list", parameters=[GAME, KEY, *PAGE], responses={200: ObjectPageSerializer, **ERRORS})
    def get(self, request: Request) -> Response:
        """Public decks and your own, newest first."""
        decks = Deck.objects.listed_for(api_visitor_of(request))
        if game := asked_game(request):
            decks = decks.filter(game=game.slug)
        return self.paged(request, decks.filter(game__in=games()), _head)

    @extend_schema(operation_id="decks_create", request=DeckSerializer, responses={201: OpenApiTypes.OBJECT, **ERRORS})
    def post(self, request: Request) -> Response:
        """Keep a deck. The answer holds its edit key, which is shown this once."""
        deck, key = new_deck(owner_id=request.user.pk)
        _store(deck, cleaned(DeckSerializer(data=request.data)))
        visitor = Visitor(key_hash=deck.edit_hash)
        return Response(_whole(deck.link, visitor) | {"edit_key": key}, status=201, headers={"Location": f"/api/v1/decks/{deck.link}/"})


@method_decorator(never_cache, name="dispatch")
class DeckDetail(APIView):
    @extend_schema(operation_id="decks_read", parameters=[KEY], responses={200: OpenApiTypes.OBJECT, **ERRORS})
    def get(self, request: Request, link: str) -> Response:
        """One deck, judged. What is secret is shown to its owner alone."""
        return Response(_whole(link, api_visitor_of(request)))

    @extend_schema(operation_id="decks_replace", parameters=[KEY], request=DeckSerializer, responses={200: OpenApiTypes.OBJECT, **ERRORS})
    def put(self, request: Request, link: str) -> Response:
        """Replace a deck."""
        visitor = api_visitor_of(request)
        deck = get_object_or_404(Deck.objects.editable_by(visitor).with_cards(), link=link)
        data = cleaned(DeckSerializer(data=request.data))
        if data["game"] != deck.game:
            raise Refused(Fault("other_game", "A deck stays with its game; make a new one.", "game"))
        _store(deck, data)
        return Response(_whole(link, visitor))

    @extend_schema(operation_id="decks_delete", parameters=[KEY], responses={204: None, **ERRORS})
    def delete(self, request: Request, link: str) -> Response:
        """Delete a deck for good."""
        with transaction.atomic():
            get_object_or_404(Deck.objects.editable_by(api_visitor_of(request)).select_for_update(), link=link).delete()
        return Response(status=204)


def _store(deck: Deck, data: dict[str, Any]) -> None:
    game = game_or_refuse(data["game"])
    judged = judge_text(game, data["text"], format_or_refuse(game, data["format"]), deck.named_cards())
    keep(deck, judged, name=data["name"], notes=data["notes"], visibility=data["visibility"])


def _head(deck: Deck) -> dict[str, Any]:
    return {
        "id": deck.link,
        "url": reverse("deck", args=[deck.link]),
        "game": deck.game,
        "format": deck.format,
        "name": deck.name,
        "visibility": deck.visibility,
        "changed": deck.changed.isoformat(),
    }


def _whole(link: str, visitor: Visitor) -> dict[str, Any]:
    deck = get_object_or_404(Deck.objects.visible_to(visitor).with_cards(), link=link)
    game = game_named(deck.game)
    if game is None:
        raise Refused(Fault("unknown_game", "The deck's game is not installed here.", "game"), status=404)
    judged = deck.judged(game, keep_secrets=not deck.is_editable_by(visitor))
    lines = [
        {"section": e.section, "count": e.count, "card": None if e.card.written else e.card.key, "name": e.card.name, "type": e.card.type}
        for e in judged.deck
    ]
    text = write_deck(game, judged.deck, judged.format)
    return _head(deck) | {"notes": deck.notes, "details": deck.details, "lines": lines, "text": text, "report": judged.as_json()}
