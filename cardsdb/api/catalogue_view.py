"""What all reads of the catalogue over HTTP share: open to all sites, answered once per edition, counted.

An answer follows from the address and the edition of the catalogue alone, so its entity tag can be
computed before any of the work is done.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.utils.cache import get_conditional_response, patch_cache_control
from django.utils.decorators import method_decorator
from django.utils.http import http_date, parse_etags
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from cardsdb.api.framework import Pages, PerAddress
from cardsdb.api.parameters import ChosenParts, Shape, choose_parts, only_known
from cardsdb.catalogue.current import catalogue, game_named, games
from cardsdb.faults import Fault, Refused
from cardsdb.games.kit import Game
from cardsdb.site.sharing import digest_of, public_for_now, release

METHODS = "GET, HEAD, OPTIONS"
# Headers that a script of another site may send and read.
SENT, READ = "Accept, If-None-Match, If-Modified-Since", "ETag, Last-Modified, Retry-After"


def game_parameter(request: Request) -> Game | None:
    """The game of ``?game=``, None without it. Raises Refused for one that does not exist."""
    slug = request.query_params.get("game", "")
    game = game_named(slug)
    if slug and game is None:
        raise Refused(
            Fault("unknown_game", f"There is no game “{slug[:40]}”. Games: {', '.join(games())}.", "game")
        )
    return game


class PagedView(APIView):
    """A view whose lists come in numbered pages of at most 100."""

    def paged(self, request: Request, items: Any, as_json: Any) -> Response:
        pages = Pages()
        page = pages.paginate_queryset(items, request, view=self)
        return pages.get_paginated_response([as_json(item) for item in page or ()])


class CatalogueView(PagedView):
    """A read of the catalogue. It asks nobody who they are, so that its answers are the same for all."""

    authentication_classes = ()
    throttle_classes = (PerAddress,)
    # The parameters that the address takes; the schema names the same.
    takes: tuple[str, ...] = ()

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        super().initial(request, *args, **kwargs)
        if request.method in ("GET", "HEAD"):
            only_known(request.query_params, self.takes)

    def state(self) -> tuple[object, datetime | None]:
        """What the answers depend on besides the address, and since when; 0 if they may change at any
        time.
        """
        number, made = catalogue().state
        return (f"{number} {made}" if number else 0), made

    @method_decorator(public_for_now)
    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if request.method not in ("GET", "HEAD"):
            return super().dispatch(request, *args, **kwargs)
        state, since = self.state()
        tag = f'"{digest_of(state, release(), request.build_absolute_uri())}"' if state else ""
        # A client with this very tag has this very answer. One that sends "*" or a date may be
        # asking for what does not exist, which only the work itself can tell.
        if tag and tag in {
            known.removeprefix("W/") for known in parse_etags(request.headers.get("If-None-Match", ""))
        }:
            return _dated(_open(HttpResponse(status=304)), tag, since)
        response = super().dispatch(request, *args, **kwargs)
        if response.status_code != 200 or not tag:
            return response
        # A date alone is no condition here: two editions may share a second, and the next release may answer
        # otherwise.
        if "If-None-Match" in request.headers or "If-Match" in request.headers:
            modified = int(since.timestamp()) if since else None
            response = get_conditional_response(request, etag=tag, last_modified=modified, response=response)
        return _dated(_open(response), tag, since)

    def finalize_response(self, request: Request, response: Any, *args: Any, **kwargs: Any) -> Any:
        return _open(super().finalize_response(request, response, *args, **kwargs))

    def options(self, request: Request, *args: Any, **kwargs: Any) -> HttpResponse:
        """What a browser asks before it lets a script of another site read here."""
        response = HttpResponse(status=204, headers={"Allow": METHODS})
        if "Access-Control-Request-Method" in request.headers:
            response["Access-Control-Allow-Methods"] = METHODS
            response["Access-Control-Allow-Headers"] = SENT
            response["Access-Control-Max-Age"] = "86400"
        return response

    def chosen_parts(
        self, request: Request, shape: Shape, standard: tuple[str, ...] | None = None
    ) -> ChosenParts:
        """The parts that ``?fields=`` and ``?include=`` name; without them the standard parts, or all."""
        params = request.query_params
        return choose_parts(
            params.get("fields", ""), params.get("include", ""), shape, standard or shape.parts
        )


def _open(response: HttpResponse) -> HttpResponse:
    """Let any site read the answer. A browser sends no cookies along, because no header allows it."""
    response["Access-Control-Allow-Origin"] = "*"
    response["Access-Control-Expose-Headers"] = READ
    return response


def _dated(response: HttpResponse, tag: str, since: datetime | None) -> HttpResponse:
    response["ETag"] = tag
    if since:
        response["Last-Modified"] = http_date(since.timestamp())
    patch_cache_control(response, public=True, max_age=0, must_revalidate=True)
    return response
