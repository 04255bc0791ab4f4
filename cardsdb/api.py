"""The catalogue over HTTP, read only."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from cardsdb.api_bounds import Pages
from cardsdb.browsing import strict
from cardsdb.card_json import card_json, game_json, set_json
from cardsdb.errors import Fault, Refused
from cardsdb.games import game_named, games
from cardsdb.games.kit import Game
from cardsdb.models import Card
from cardsdb.search.compile import explain

PAGE = [
    OpenApiParameter("page", int, description="From 1."),
    OpenApiParameter("page_size", int, description="At most 100; 50 unless told."),
]
GAME = OpenApiParameter("game", str, description="Slug of a game; all of them without it.")


class ErrorSerializer(serializers.Serializer[Any]):
    """One thing wrong with a request. Every error answer is a list of these."""

    code = serializers.CharField()
    message = serializers.CharField()
    where = serializers.CharField(allow_blank=True)


ERRORS = {400: ErrorSerializer(many=True), 404: ErrorSerializer(many=True)}


class PrintSerializer(serializers.Serializer[Any]):
    set = serializers.CharField()
    number = serializers.CharField(allow_blank=True)
    rarity = serializers.CharField(allow_blank=True)
    code = serializers.CharField(allow_blank=True)
    note = serializers.CharField(allow_blank=True)


class CardSerializer(serializers.Serializer[Any]):
    """A card. ``facts`` lacks whatever no source states."""

    key = serializers.CharField()
    game = serializers.CharField()
    code = serializers.CharField()
    name = serializers.CharField()
    type = serializers.CharField()
    facts = serializers.DictField()
    prints = PrintSerializer(many=True)


class SourceSerializer(serializers.Serializer[Any]):
    document = serializers.CharField()
    section = serializers.CharField(allow_blank=True)
    lines = serializers.CharField(allow_blank=True)
    certainty = serializers.CharField()
    value = serializers.CharField(allow_null=True)
    note = serializers.CharField(allow_blank=True)


class CreditSerializer(serializers.Serializer[Any]):
    text = serializers.CharField()
    licence = serializers.CharField()
    licence_url = serializers.CharField()
    work_url = serializers.CharField()
    changes = serializers.CharField()


class FullCardSerializer(CardSerializer):
    text = serializers.CharField(allow_blank=True)
    aliases = serializers.ListField(child=serializers.CharField())
    note = serializers.CharField(allow_blank=True)
    sources = serializers.DictField(child=SourceSerializer(many=True))
    credit = CreditSerializer(allow_null=True)


class CardPageSerializer(serializers.Serializer[Any]):
    count = serializers.IntegerField()
    next = serializers.CharField(allow_null=True)
    previous = serializers.CharField(allow_null=True)
    results = CardSerializer(many=True)


class ObjectPageSerializer(serializers.Serializer[Any]):
    count = serializers.IntegerField()
    next = serializers.CharField(allow_null=True)
    previous = serializers.CharField(allow_null=True)
    results = serializers.ListField(child=serializers.DictField())


class CountedView(APIView):
    """A view whose lists come in pages of at most 100."""

    def paged(self, request: Request, items: Any, as_json: Any) -> Response:
        pages = Pages()
        page = pages.paginate_queryset(items, request, view=self)
        return pages.get_paginated_response([as_json(item) for item in page or ()])


def asked_game(request: Request) -> Game | None:
    """The game of ``?game=``, None without it. Raises Refused for one that does not exist."""
    slug = request.query_params.get("game", "")
    game = game_named(slug)
    if slug and game is None:
        raise Refused(Fault("unknown_game", f"There is no game “{slug[:40]}”. Games: {', '.join(games())}.", "game"))
    return game


class GameList(CountedView):
    @extend_schema(operation_id="games_list", parameters=PAGE, responses={200: ObjectPageSerializer, **ERRORS})
    def get(self, request: Request) -> Response:
        """Every game."""
        return self.paged(request, list(games().values()), game_json)


class GameDetail(APIView):
    @extend_schema(operation_id="games_read", responses={200: OpenApiTypes.OBJECT, **ERRORS})
    def get(self, request: Request, slug: str) -> Response:
        """One game with its facts, sections, formats, rules, rulings and starters."""
        game = game_named(slug)
        if game is None:
            raise Http404
        return Response(game_json(game, full=True))


class SetList(CountedView):
    @extend_schema(operation_id="sets_list", parameters=[GAME, *PAGE], responses={200: ObjectPageSerializer, **ERRORS})
    def get(self, request: Request) -> Response:
        """Every set, with how many of its cards are known."""
        asked = asked_game(request)
        pairs = [(game, card_set) for game in ([asked] if asked else games().values()) for card_set in game.sets]
        return self.paged(request, pairs, lambda pair: set_json(*pair))


class CardList(CountedView):
    @extend_schema(
        operation_id="cards_list",
        parameters=[OpenApiParameter("q", str, description="A query; one that is wrong anywhere is refused."), GAME, *PAGE],
        responses={200: CardPageSerializer, **ERRORS},
    )
    def get(self, request: Request) -> Response:
        """Cards that match a query, by name."""
        game = asked_game(request)
        cards = Card.objects.current()
        if game:
            cards = cards.in_game(game.slug)
        cards = cards.filter(strict(request.query_params.get("q", ""), game)).by_name().prefetch_related("prints")
        return self.paged(request, cards, lambda row: card_json(games()[row.game], row.as_card()))


class CardDetail(APIView):
    @extend_schema(operation_id="cards_read", responses={200: FullCardSerializer, **ERRORS})
    def get(self, request: Request, game_slug: str, code: str) -> Response:
        """One card with the sources of every fact."""
        game = game_named(game_slug)
        if game is None:
            raise Http404
        row = get_object_or_404(Card.objects.in_game(game_slug).prefetch_related("prints"), code=code)
        return Response(card_json(game, row.as_card(), full=True))


class Explain(APIView):
    @extend_schema(
        operation_id="search_explain",
        parameters=[OpenApiParameter("q", str, required=True), GAME],
        responses={200: OpenApiTypes.OBJECT, **ERRORS},
    )
    def get(self, request: Request) -> Response:
        """How a query is understood: normal form, plain words, tree, and problems with columns from 0."""
        game = asked_game(request)
        return Response(explain(request.query_params.get("q", ""), [game] if game else list(games().values())))


class Schema(APIView):
    @extend_schema(exclude=True)
    def get(self, request: Request) -> Response:
        """The OpenAPI schema."""
        return Response(SchemaGenerator(api_version="1").get_schema(request=None, public=True))


def docs(request: HttpRequest) -> HttpResponse:
    """The schema as a page: every address, what it takes and what it answers."""
    schema = SchemaGenerator(api_version="1").get_schema(request=None, public=True)
    operations = [
        {"path": path, "method": method.upper(), "body": _body_fields(schema, operation), **operation}
        for path, methods in schema["paths"].items()
        for method, operation in methods.items()
    ]
    return render(request, "cardsdb/api_docs.html", {"operations": operations, "info": schema["info"]})


def _body_fields(schema: dict[str, Any], operation: dict[str, Any]) -> list[tuple[str, str, bool]]:
    """(name, type, required) of every field of an operation's JSON body."""
    content = operation.get("requestBody", {}).get("content", {}).get("application/json", {})
    name = content.get("schema", {}).get("$ref", "").rpartition("/")[2]
    described = schema["components"]["schemas"].get(name, {})
    required = described.get("required", ())
    return [(field, facts.get("type", "one of a list"), field in required) for field, facts in described.get("properties", {}).items()]
