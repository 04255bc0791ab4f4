"""The catalogue over HTTP, read only: what there is, games, sets, rules, glossary, and how queries are understood."""

from __future__ import annotations

from django.http import Http404
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from cardsdb.api.card_json import GAME_PARTS, RULE_PARTS, SET_PARTS, game_json, rule_json, set_json
from cardsdb.api.docs import operations
from cardsdb.api.fields import Shape
from cardsdb.api.guide_json import glossary_json
from cardsdb.api.reads import CatalogueView, CountedView, asked_game
from cardsdb.api.shapes import (
    ERRORS,
    FIELDS,
    GAME,
    PAGE,
    READ_ERRORS,
    ErrorSerializer,
    ObjectPageSerializer,
    RulePageSerializer,
    SetPageSerializer,
)
from cardsdb.catalogue.stats import all_stats, stats_of
from cardsdb.games import game_named, games
from cardsdb.games.kit import Game
from cardsdb.search.edition import fields_for
from cardsdb.search.query.check import explain

GLOSSARY_PARTS = ("game", "slug", "term", "aliases", "meaning", "facts", "see", "source", "credit")
# What the apps above build their own addresses from.
__all__ = ["ERRORS", "GAME", "PAGE", "CountedView", "ErrorSerializer", "ObjectPageSerializer", "asked_game"]


class Addresses(CatalogueView):
    @extend_schema(operation_id="index", responses={200: OpenApiTypes.OBJECT, **READ_ERRORS})
    def get(self, request: Request) -> Response:
        """Every address there is, with its methods and what it is for."""
        found = [
            {"address": path, "methods": sorted(methods), "about": " ".join(methods.values())} for path, methods in operations().items()
        ]
        return Response({"documentation": "/api/v1/docs/", "schema": "/api/v1/schema/", "addresses": found})


class GameList(CatalogueView):
    takes = ("fields", "page", "page_size")

    @extend_schema(operation_id="games_list", parameters=[FIELDS, *PAGE], responses={200: ObjectPageSerializer, **READ_ERRORS})
    def get(self, request: Request) -> Response:
        """Every game."""
        parts, known = self.chosen(request, Shape(GAME_PARTS)), all_stats()
        return self.paged(request, list(games().values()), lambda game: parts.of(game_json(game, known[game.slug])))


class GameDetail(CatalogueView):
    @extend_schema(operation_id="games_read", responses={200: OpenApiTypes.OBJECT, **READ_ERRORS})
    def get(self, request: Request, slug: str) -> Response:
        """One game with its facts, sections, formats, rules, rulings and starters."""
        game = game_named(slug)
        if game is None:
            raise Http404
        return Response(game_json(game, stats_of(slug), full=True))


class SetList(CatalogueView):
    takes = ("game", "fields", "page", "page_size")

    @extend_schema(operation_id="sets_list", parameters=[GAME, FIELDS, *PAGE], responses={200: SetPageSerializer, **READ_ERRORS})
    def get(self, request: Request) -> Response:
        """Every set, with how many of its cards are known."""
        parts, known = self.chosen(request, Shape(SET_PARTS)), all_stats()
        pairs = [(game, card_set) for game in _asked(request) for card_set in game.sets]
        return self.paged(request, pairs, lambda pair: parts.of(set_json(*pair, known[pair[0].slug].sets.get(pair[1].code, 0))))


class RuleList(CatalogueView):
    takes = ("game", "fields", "page", "page_size")

    @extend_schema(operation_id="rules_list", parameters=[GAME, FIELDS, *PAGE], responses={200: RulePageSerializer, **READ_ERRORS})
    def get(self, request: Request) -> Response:
        """Every rule in our words, with the place it was read and the formats that check it."""
        parts = self.chosen(request, Shape(RULE_PARTS))
        pairs = [(game, citation) for game in _asked(request) for citation in game.citations.values()]
        return self.paged(request, pairs, lambda pair: parts.of(rule_json(*pair)))


class GlossaryList(CatalogueView):
    takes = ("game", "fields", "page", "page_size")

    @extend_schema(operation_id="glossary_list", parameters=[GAME, FIELDS, *PAGE], responses={200: ObjectPageSerializer, **READ_ERRORS})
    def get(self, request: Request) -> Response:
        """The terms of each game, in the order of the alphabet, each with its source."""
        parts = self.chosen(request, Shape(GLOSSARY_PARTS))
        return self.paged(request, [term for game in _asked(request) for term in glossary_json(game)], parts.of)


class Explain(CatalogueView):
    works = True
    takes = ("q", "game")

    @extend_schema(
        operation_id="search_explain",
        parameters=[OpenApiParameter("q", str, required=True), GAME],
        responses={200: OpenApiTypes.OBJECT, **READ_ERRORS},
    )
    def get(self, request: Request) -> Response:
        """How a query is understood: normal form, plain words, tree, and problems with columns from 0."""
        return Response(explain(request.query_params.get("q", ""), fields_for(asked_game(request))))


def _asked(request: Request) -> list[Game]:
    """The game of ``?game=``, all of them without it."""
    game = asked_game(request)
    return [game] if game else list(games().values())
