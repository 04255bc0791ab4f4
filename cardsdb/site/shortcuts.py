"""Views and templates of every room use these: the game or page that an address names, what was taken along,
whom to credit.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

from django.core.paginator import InvalidPage, Page, Paginator
from django.db.models import Model, QuerySet
from django.http import Http404, HttpRequest, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.urls import URLPattern, path
from django.utils.http import content_disposition_header
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from cardsdb import games as game_folders
from cardsdb.catalogue.current import CardAt, catalogue, game_named
from cardsdb.games.kit import Game, whole_number
from cardsdb.site.ratelimits import counted_as_work
from cardsdb.site.sharing import P, View, private

M, T = TypeVar("M", bound=Model), TypeVar("T")
# A page with a form, which is sent to the page's own address.
form_page = require_http_methods(["GET", "HEAD", "POST"])
# The last page that may be asked for.
MAX_PAGE = 1_000_000


def page(route: str, view: Callable[..., HttpResponseBase], name: str = "", **more: str) -> URLPattern:
    """The address of a page. It is called as its view, unless it has a name of its own."""
    return path(route, view, more, name or view.__name__)


def private_page(view: View[P]) -> View[P]:
    """Mark a view that shows each visitor what is theirs."""
    return require_safe(private(view))


def private_action(view: View[P]) -> View[P]:
    """Mark a view that does what a visitor asks with what is theirs."""
    return require_POST(private(view))


def private_form(view: View[P]) -> View[P]:
    """Mark a view that shows each visitor a form, and takes it: that counts as work."""
    return require_http_methods(["GET", "HEAD", "POST"])(private(counted_as_work("POST")(view)))


def page_or_404(request: HttpRequest, rows: QuerySet[M] | Sequence[M], per_page: int) -> Page[M]:
    """The page of ``rows`` that ``?page=`` names, the first one without it. Raises Http404 if there is no
    such page.
    """
    return page_of_paginator_or_404(request, Paginator(rows, per_page))


def page_of_paginator_or_404(request: HttpRequest, paginator: Paginator[M]) -> Page[M]:
    """The page of this paginator that ``?page=`` names. Raises Http404 if there is none."""
    try:
        return paginator.page(or_404(whole_number(request.GET.get("page", "1"), MAX_PAGE, least=1)))
    except InvalidPage:
        raise Http404 from None


def table_file(name: str, lines: Iterable[str]) -> StreamingHttpResponse:
    """A table of CSV to be stored under this name."""
    headers = {"Content-Disposition": content_disposition_header(True, name) or "attachment"}
    kind = "text/csv; charset=utf-8"
    return StreamingHttpResponse(("\ufeff", *lines), content_type=kind, headers=headers)


def or_404(found: T | None) -> T:
    """The thing that was found. Raises Http404 for none, and for one with nothing in it."""
    if not found:
        raise Http404
    return found


def game_or_404(slug: str) -> Game:
    """The game of this slug. Raises Http404 if there is none."""
    return or_404(game_named(slug))


def card_or_404(game: Game, code: str) -> CardAt:
    """The card of this code, and whether it has left the catalogue. Raises Http404 if there is none."""
    return or_404(catalogue().at(game.slug, code))


def credits(request: HttpRequest) -> dict[str, object]:
    """The games whose material must be credited wherever it appears; any page may name one of their cards."""
    return {"credited_games": tuple(game for game in game_folders.games().values() if game.credit)}
