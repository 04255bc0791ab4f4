"""Cards over HTTP: lists by query, and single cards with the sources of every fact."""

from __future__ import annotations

from typing import Any

from django.db.models import Prefetch
from django.http import Http404
from django.shortcuts import get_object_or_404
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from cardsdb.api.card_json import ALL_PARTS, PRINT_PARTS, STANDARD_PARTS, card_json
from cardsdb.api.fields import Shape
from cardsdb.api.paging import envelope, page_asked
from cardsdb.api.parameters import fault
from cardsdb.api.reads import CatalogueView, asked_game
from cardsdb.api.shapes import GAME, PAGE_SIZE, READ_ERRORS, CardPageSerializer, FullCardSerializer
from cardsdb.games import game_named, games
from cardsdb.games.kit import Game
from cardsdb.models import Card, Print
from cardsdb.search.card_query import parse_query, within
from cardsdb.search.query.tree import Problem
from cardsdb.search.results import Results, results_of
from cardsdb.site.faults import Refused

CARD_FIELDS = OpenApiParameter(
    "fields", str, description="Only these parts, commas between; a point picks one of a part: name,facts.craft,prints.set."
)
INCLUDE = OpenApiParameter("include", str, description="Further parts: text, aliases, note, sources, credit. Prints are always there.")
CURSORS = [
    OpenApiParameter("after", str, description="Where the page begins; taken from “next”, never made up."),
    OpenApiParameter("before", str, description="Where the page ends; taken from “previous”. The word end gives the last page."),
]


def matching(text: str, game: Game | None) -> tuple[Results, list[dict[str, Any]]]:
    """The cards that a query finds, and what is probably not meant in it. Raises Refused with every fault and its columns."""
    read = parse_query(text, game)
    if read.query.faults:
        raise Refused(*(fault(one.code, one.message, _columns(one), one.suggestions) for one in read.query.faults))
    problems = [
        {"code": one.code, "message": one.message, "where": _columns(one), "suggestions": list(one.suggestions)}
        for one in read.query.problems
    ]
    return results_of(within(read.query, game), read.fields, read.now), problems


def _columns(problem: Problem) -> str:
    return f"columns {problem.start}-{problem.end}"


def card_shape(game: Game | None) -> Shape:
    """The parts of a card, and the facts that cards of this game, or of any, may have."""
    facts = tuple(dict.fromkeys(fact.key for of in ([game] if game else games().values()) for fact in of.facts))
    return Shape(ALL_PARTS, {"facts": facts, "sources": ("name", "type", "text", *facts), "prints": PRINT_PARTS})


class CardList(CatalogueView):
    takes = ("q", "game", "fields", "include", "after", "before", "page_size")

    @extend_schema(
        operation_id="cards_list",
        parameters=[
            OpenApiParameter("q", str, description="A query; one that is wrong anywhere is refused."),
            GAME,
            CARD_FIELDS,
            INCLUDE,
            *CURSORS,
            PAGE_SIZE,
        ],
        responses={200: CardPageSerializer, **READ_ERRORS},
    )
    def get(self, request: Request) -> Response:
        """Cards that match a query, by name unless the query orders them otherwise."""
        game = asked_game(request)
        parts = self.chosen(request, card_shape(game), STANDARD_PARTS)
        results, problems = matching(request.query_params.get("q", ""), game)
        page = page_asked(request, results)
        prints = Print.objects.all() if "prints" in parts else Print.objects.none()
        rows = Card.objects.filter(pk__in=page.pks).prefetch_related(Prefetch("prints", prints))
        found = {row.pk: row for row in rows}
        shown = [found[pk] for pk in page.pks if pk in found and found[pk].game in games()]
        full = any(part not in STANDARD_PARTS for part in parts.parts)
        objects = [parts.of(card_json(games()[row.game], row.as_card(), full)) for row in shown]
        return Response(envelope(request, results.total, page, objects, [row.key for row in shown], problems))


class CardDetail(CatalogueView):
    takes = ("fields",)

    @extend_schema(operation_id="cards_read", parameters=[CARD_FIELDS], responses={200: FullCardSerializer, **READ_ERRORS})
    def get(self, request: Request, game_slug: str, code: str) -> Response:
        """One card with the sources of every fact."""
        game = game_named(game_slug)
        if game is None:
            raise Http404
        parts = self.chosen(request, card_shape(game))
        row = get_object_or_404(Card.objects.in_game(game_slug).prefetch_related("prints"), code=code)
        return Response(parts.of(card_json(game, row.as_card(), full=True)))
