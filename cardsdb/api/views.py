"""The catalogue over HTTP, read only: games, sets, rules, glossary, how queries are understood; and the API's
description of itself.
"""

from __future__ import annotations

from datetime import datetime
from functools import cache
from typing import Any

from django.http import Http404
from django.urls import reverse
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from cardsdb.api.catalogue_view import CatalogueView, game_parameter
from cardsdb.api.game_json import (
    GAME_PARTS,
    GLOSSARY_PARTS,
    RULE_PARTS,
    SET_PARTS,
    game_json,
    glossary_json,
    kind_of,
    league_formats_at,
    play_json,
    rule_json,
    set_json,
)
from cardsdb.api.serializers import (
    FIELDS,
    GAME,
    PAGE,
    BulkSerializer,
    ObjectPageSerializer,
    RulePageSerializer,
    SetPageSerializer,
    asked,
    read,
)
from cardsdb.catalogue.current import catalogue, games
from cardsdb.catalogue.edition_files import current_bulk
from cardsdb.catalogue.stats import all_stats, stats_of
from cardsdb.games.kit import Game
from cardsdb.search.query.check import explain
from cardsdb.site.shortcuts import game_or_404

STATUSES = (
    (202, "It takes longer than a moment; ask at its address how far it is."),
    (304, "You have this very answer already."),
    (400, "The query, a parameter or the body is wrong; each fault is named with its place."),
    (404, "There is nothing at this address."),
    (405, "This address does not take this method; the Allow header says which it takes."),
    (406, "None of the media types in Accept can be given."),
    (409, "It was changed elsewhere since you read it; nothing was overwritten."),
    (412, "If-Match names another state than the stored one."),
    (413, "The body is larger than 1 MB, or a list larger than 256 KB."),
    (415, "Bodies are JSON."),
    (422, "Another deck was asked for under this Idempotency-Key."),
    (429, "Too many requests in this minute; Retry-After says how many seconds are left of it."),
    (
        503,
        (
            "The database does not answer, or too many files are being made; Retry-After says when to come"
            " again where that is known."
        ),
    ),
    (507, "The server has no room for the file just now."),
)


class GameList(CatalogueView):
    @read("games_list", FIELDS, *PAGE, gives=ObjectPageSerializer)
    def get(self, request: Request) -> Response:
        """Every game."""
        known = all_stats()
        return self.listed(request, GAME_PARTS, lambda game: [game_json(game, known[game.slug])])


class GameDetail(CatalogueView):
    @read("games_read")
    def get(self, request: Request, slug: str) -> Response:
        """One game with its facts, sections, formats, rules, rulings and starters."""
        return Response(game_json(game_or_404(slug), stats_of(slug), full=True))


class PlayGuideDetail(CatalogueView):
    @read("games_play")
    def get(self, request: Request, slug: str) -> Response:
        """How a game is played: its parts and statements in order, each with where it was read; 404 for a
        game without a guide.
        """
        game = game_or_404(slug)
        if game.play_guide is None:
            raise Http404
        return Response(play_json(game, game.play_guide))


class SetList(CatalogueView):
    @read("sets_list", GAME, FIELDS, *PAGE, gives=SetPageSerializer)
    def get(self, request: Request) -> Response:
        """Every set, with how many of its cards are known."""
        known = all_stats()

        def sets(game: Game) -> list[dict[str, Any]]:
            return [set_json(game, one, known[game.slug].sets.get(one.code, 0)) for one in game.sets]

        return self.listed(request, SET_PARTS, sets)


class RuleList(CatalogueView):
    @read("rules_list", GAME, FIELDS, *PAGE, gives=RulePageSerializer)
    def get(self, request: Request) -> Response:
        """Every rule in our words, with the place it was read and the formats that check it."""
        return self.listed(
            request, RULE_PARTS, lambda game: [rule_json(game, one) for one in game.citations.values()]
        )


class GlossaryList(CatalogueView):
    @read("glossary_list", GAME, FIELDS, *PAGE, gives=ObjectPageSerializer)
    def get(self, request: Request) -> Response:
        """The terms of each game, in the order of the alphabet, each with its source."""
        return self.listed(request, GLOSSARY_PARTS, glossary_json)


class Explain(CatalogueView):
    works = True

    @read(
        "search_explain",
        asked("q", "The query; without it the one that finds every card."),
        GAME,
    )
    def get(self, request: Request) -> Response:
        """How a query is understood: normal form, plain words, tree, and problems with columns from 0."""
        return Response(
            explain(request.query_params.get("q", ""), catalogue().fields(game_parameter(request)))
        )


class BulkList(CatalogueView):
    def state(self) -> tuple[object, datetime | None]:
        """The files themselves: they are written a moment after the edition is."""
        bulk = current_bulk()
        return ([file.sha256 for file in bulk.files] if bulk else 0), None

    @read("bulk_list", gives=BulkSerializer)
    def get(self, request: Request) -> Response:
        """The whole catalogue as files to download, with size, date and checksum."""
        bulk = current_bulk()
        if bulk is None:
            return Response({"edition": None, "date": None, "files": []})
        files = [
            {
                "name": file.name,
                "about": file.about,
                "url": request.build_absolute_uri(reverse("bulk_file", args=[file.name])),
                "size": file.size,
                "rows": file.rows,
                "sha256": file.sha256,
            }
            for file in bulk.files
        ]
        return Response({"edition": bulk.edition, "date": bulk.date or None, "files": files})


# -- the API about itself ---------------------------------------------------------------


@cache
def schema() -> dict[str, Any]:
    """The OpenAPI schema. It follows from the code alone, so one will do for the life of the process."""
    made: dict[str, Any] = SchemaGenerator(api_version="1").get_schema(request=None, public=True)
    return made


def operations() -> dict[str, dict[str, str]]:
    """Address -> method -> what it does."""
    paths = schema()["paths"].items()
    return {
        path: {method.upper(): operation.get("description", "") for method, operation in methods.items()}
        for path, methods in paths
    }


def _in_index(game: Game) -> dict[str, Any]:
    """A game in brief: its kind, its formats by slug, and where its facts and the formats of leagues are."""
    return {
        "slug": game.slug,
        "name": game.name,
        "kind": kind_of(game),
        "address": f"/api/v1/games/{game.slug}/",
        "formats": list(game.formats_by_slug),
        "league_formats": league_formats_at(game),
    }


class Addresses(CatalogueView):
    @read("index")
    def get(self, request: Request) -> Response:
        """Every address there is, with its methods and what it is for; and every game, with the addresses of
        what it declares.
        """
        addresses = [
            {"address": path, "methods": sorted(methods), "about": " ".join(methods.values())}
            for path, methods in operations().items()
        ]
        about = {"documentation": "/api/v1/docs/", "schema": "/api/v1/schema/"}
        return Response(
            about | {"games": [_in_index(game) for game in games().values()], "addresses": addresses}
        )


class Schema(CatalogueView):
    @extend_schema(exclude=True)
    def get(self, request: Request) -> Response:
        """The OpenAPI schema."""
        return Response(schema())
