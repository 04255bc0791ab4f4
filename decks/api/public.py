"""The list of decks over HTTP: the language of the page, strictly. One part that makes no sense refuses the whole."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from drf_spectacular.utils import OpenApiParameter
from rest_framework import serializers
from rest_framework.exceptions import Throttled
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from cardsdb.api.catalogue_view import game_parameter
from cardsdb.api.framework import Pages
from cardsdb.api.parameters import fault
from cardsdb.api.serializers import ObjectPageSerializer, ProblemSerializer
from cardsdb.search.query.tree import Problem
from cardsdb.site.faults import Fault, Refused
from cardsdb.site.ratelimits import seconds_to_wait
from decks.identity.viewer import Viewer
from decks.models import Deck
from decks.public.fields import ORDERS
from decks.public.listing import DeckRow, deck_rows, listing


class DeckPageSerializer(ObjectPageSerializer):
    """A page of decks. ``problems``: what is probably not meant; ``unjudged``: decks that could not be asked for their verdict yet."""

    problems = ProblemSerializer(many=True)
    unjudged = serializers.IntegerField()


QUERY = [
    OpenApiParameter("q", str, description="A query over decks; one that is wrong anywhere is refused."),
    OpenApiParameter("order", str, enum=list(ORDERS), description="How to sort, where the query has no order of its own."),
]


def decks_found(view: APIView, request: Request, viewer: Viewer, head: Callable[[Deck], dict[str, Any]]) -> Response:
    """A page of the decks that ``q``, ``game`` and ``order`` ask for. Raises Refused with every fault and its columns."""
    asked = request.query_params
    order = asked.get("order", "")
    if order and order not in ORDERS:
        raise Refused(Fault("unknown_order", f"Decks are sorted by {', '.join(ORDERS)}, not by “{order[:40]}”.", "order"))
    found = listing(viewer, asked.get("q", ""), game_parameter(request), order)
    if found.query.faults:
        raise Refused(*(fault(one.code, one.message, _columns(one), one.suggestions) for one in found.query.faults))
    if found.query.looks_into_decks and (wait := seconds_to_wait(request, work=True)):
        raise Throttled(wait)
    pages = Pages()
    rows = deck_rows(pages.paginate_queryset(found.decks, request, view=view) or (), viewer)
    answer = pages.get_paginated_response([head(row.deck) | row_json(row) for row in rows])
    answer.data["unjudged"] = found.unjudged
    answer.data["problems"] = [
        {"code": one.code, "message": one.message, "where": _columns(one), "suggestions": list(one.suggestions)}
        for one in found.query.problems
    ]
    return answer


def row_json(row: DeckRow) -> dict[str, Any]:
    """What a row of the list says besides the deck's name and format."""
    deck = row.deck
    return {
        "verdict": deck.verdict,
        "house": deck.house,
        "by": row.author or None,
        "tags": list(deck.tags),
        "likes": deck.likes,
        "forked": row.is_fork,
        "sizes": dict(row.sizes),
        "created": deck.created.isoformat(),
    }


def _columns(problem: Problem) -> str:
    return f"columns {problem.start}-{problem.end}"
