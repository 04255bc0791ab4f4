"""Cards over HTTP: lists by query, and single cards with the sources of every fact."""

from __future__ import annotations

import re
from typing import Any

from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.utils.urls import remove_query_param, replace_query_param

from cardsdb.api.catalogue_view import CatalogueView, Shape, game_parameter, told_problems
from cardsdb.api.framework import Pages
from cardsdb.api.serializers import (
    GAME,
    PAGE_SIZE,
    CardPageSerializer,
    FullCardSerializer,
    asked,
    read,
)
from cardsdb.catalogue.card_json import ALL_PARTS, PRINT_PARTS, STANDARD_PARTS, card_json
from cardsdb.catalogue.current import catalogue, games
from cardsdb.faults import Fault, Refused
from cardsdb.games.kit import Game
from cardsdb.search.card_query import parse_query
from cardsdb.search.results import CardPage, Results, results_of
from cardsdb.site.shortcuts import card_or_404, game_or_404

CARD_FIELDS = asked(
    "fields", "Only these parts, commas between; a point picks one of a part: name,facts.craft,prints.set."
)
INCLUDE = asked(
    "include", "Further parts: text, effects, aliases, note, sources, credit. Prints are always there."
)
CURSORS = [
    asked("after", "Where the page begins; taken from “next”, never made up."),
    asked("before", "Where the page ends; taken from “previous”. The word end gives the last page."),
]

# The value of "before" for the last page: no card after it could be named.
END = "end"
_KEY = re.compile(r"[a-z0-9_-]{1,40}/[a-z0-9_-]{1,120}")


def matching(text: str, game: Game | None) -> tuple[Results, list[dict[str, Any]]]:
    """The cards that a query finds, and the problems of what is probably not meant. Raises Refused with every
    fault and its columns.
    """
    query = parse_query(text, game)
    return results_of(query.within(game)), told_problems(query.query.problems)


def card_shape(game: Game | None) -> Shape:
    """The parts of a card, and the facts that cards of this game, or of any, may have."""
    return _shape_with(tuple(fact.key for of in ([game] if game else games().values()) for fact in of.facts))


def _shape_with(keys: tuple[str, ...]) -> Shape:
    facts = tuple(dict.fromkeys(keys))
    return Shape(
        ALL_PARTS, {"facts": facts, "sources": ("name", "type", "text", *facts), "prints": PRINT_PARTS}
    )


class CardList(CatalogueView):
    @read(
        "cards_list",
        asked("q", "A query; one that is wrong anywhere is refused."),
        GAME,
        CARD_FIELDS,
        INCLUDE,
        *CURSORS,
        PAGE_SIZE,
        gives=CardPageSerializer,
    )
    def get(self, request: Request) -> Response:
        """Cards that match a query, by name unless the query orders them otherwise."""
        game = game_parameter(request)
        parts = self.chosen_parts(request, card_shape(game), STANDARD_PARTS)
        results, problems = matching(request.query_params.get("q", ""), game)
        page = requested_page(request, results)
        full = any(part not in STANDARD_PARTS for part in parts.parts)
        objects = [parts.of(card_json(games()[card.game], card, full)) for card in page.cards]
        return Response(
            envelope(request, results.total, page, objects, [card.key for card in page.cards], problems)
        )


class CardDetail(CatalogueView):
    @read("cards_read", CARD_FIELDS, gives=FullCardSerializer)
    def get(self, request: Request, game_slug: str, code: str) -> Response:
        """One card with the sources of every fact."""
        game = game_or_404(game_slug)
        parts = self.chosen_parts(request, card_shape(game))
        return Response(parts.of(card_json(game, card_or_404(game, code).card, full=True)))


# -- pages that follow one another by key: any depth costs the same, and a card loaded meanwhile shifts nothing -----------


def requested_page(request: Request, results: Results) -> CardPage:
    """The page that begins ``after`` or ends ``before`` a card. Raises Refused for a value that no answer
    holds as either.
    """
    params = request.query_params
    after, before = (_known(params.get(name, ""), name) for name in ("after", "before"))
    if after and before:
        raise Refused(Fault("two_cursors", "Give after or before, not both.", "before"))
    page = results.page(Pages().get_page_size(request), after=after, before=before)
    # By name a card that has left still has its place. In other orders it has none, and to begin anew
    # would let whoever follows "next" go round for ever.
    if page.lost:
        where = "after" if after else "before"
        raise Refused(
            Fault(
                "lost_cursor",
                f"That card is not among the results of this query: start again without {where}.",
                where,
            )
        )
    return page


def _known(key: str, where: str) -> str:
    """The key, if a card has it. Raises Refused for any other."""
    if not key or (key == END and where == "before"):
        return key
    if key not in catalogue().by_key:
        raise Refused(
            Fault(
                "bad_cursor", "This is no place in the list: follow “next” or “previous” as they are.", where
            )
        )
    return key


def envelope(
    request: Request,
    total: int,
    page: CardPage,
    objects: list[dict[str, Any]],
    keys: list[str],
    problems: list[dict[str, Any]],
) -> dict[str, Any]:
    """An answer's list with its neighbours. ``keys`` are the keys of the cards on it, in order.

    A page on which no card stands, as after the last one, leads back to the end of the list or to its
    beginning.
    """
    here = remove_query_param(remove_query_param(request.build_absolute_uri(), "after"), "before")
    following = replace_query_param(here, "after", keys[-1]) if keys and page.after else None
    earlier = replace_query_param(here, "before", keys[0]) if keys and page.before else None
    if not page.pks:
        following, earlier = (
            here if page.after else None,
            replace_query_param(here, "before", END) if page.before else None,
        )
    return {"count": total, "next": following, "previous": earlier, "problems": problems, "results": objects}
