"""Shortcuts for views of all rooms: decorators for the usual kinds of views, lookups that raise Http404, and
routes.

A new page usually needs one decorator from here (``private_page``, ``private_action``, ``private_form``) or
one from ``sharing``, and ``page`` in a ``urls`` module. Tests: pages of lists in
``tests/cardsdb/site/test_shortcuts.py``; what the decorators promise to caches in
``tests/house/test_sharing.py``; tables as files in ``tests/cardsdb/web/test_own_sets.py``.
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
# A decorator for a page with a form that is sent to the page's own address.
form_page = require_http_methods(["GET", "HEAD", "POST"])
# The highest page number that may be asked for.
MAX_PAGE = 1_000_000


def page(route: str, view: Callable[..., HttpResponseBase], name: str = "", **more: str) -> URLPattern:
    """Return the route of a page. Its name is that of the view's function unless one is given."""
    return path(route, view, more, name or view.__name__)


def private_page(view: View[P]) -> View[P]:
    """Decorate a view that only shows a visitor's own things."""
    return require_safe(private(view))


def private_action(view: View[P]) -> View[P]:
    """Decorate a view that only takes POST and changes a visitor's own things."""
    return require_POST(private(view))


def private_form(view: View[P]) -> View[P]:
    """Decorate a view that shows a visitor's own form and takes it. A POST counts as work."""
    return form_page(private(counted_as_work("POST")(view)))


def page_or_404(request: HttpRequest, rows: QuerySet[M] | Sequence[M], per_page: int) -> Page[M]:
    """Return the page of ``rows`` that ``?page=`` names, by default the first. Raises Http404."""
    return page_of_paginator_or_404(request, Paginator(rows, per_page))


def page_of_paginator_or_404(request: HttpRequest, paginator: Paginator[M]) -> Page[M]:
    """Return the page of a paginator that ``?page=`` names. Raises Http404 if there is none."""
    try:
        return paginator.page(or_404(whole_number(request.GET.get("page", "1"), MAX_PAGE, least=1)))
    except InvalidPage:
        raise Http404 from None


def table_file(name: str, lines: Iterable[str]) -> StreamingHttpResponse:
    """Return lines of CSV as a download of this name."""
    headers = {"Content-Disposition": content_disposition_header(True, name) or "attachment"}
    kind = "text/csv; charset=utf-8"
    # The byte order mark makes spreadsheets read the file as UTF-8.
    return StreamingHttpResponse(("\ufeff", *lines), content_type=kind, headers=headers)


def or_404(found: T | None) -> T:
    """Return a found value. Raises Http404 if it is None or otherwise falsy, such as an empty list."""
    if not found:
        raise Http404
    return found


def game_or_404(slug: str) -> Game:
    """Return the game with this slug. Raises Http404 if there is none."""
    return or_404(game_named(slug))


def card_or_404(game: Game, code: str) -> CardAt:
    """Return the card with this code, and whether it is retired. Raises Http404 if there is none."""
    return or_404(catalogue().at(game.slug, code))


def credits(request: HttpRequest) -> dict[str, object]:
    """Context processor: the games whose licence demands a credit. Any page may show one of their cards, so
    the credit is on all pages.
    """
    return {"credited_games": tuple(game for game in game_folders.games().values() if game.credit)}
