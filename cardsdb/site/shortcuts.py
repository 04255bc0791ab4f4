"""What views and templates of every room use: the game or the page of a list that an address names, and whom to credit."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from django.core.paginator import Page, Paginator
from django.db.models import Model, QuerySet
from django.http import Http404, HttpRequest

from cardsdb.games import game_named, games
from cardsdb.games.kit import Game
from cardsdb.games.kit.model.text import whole_number

M = TypeVar("M", bound=Model)


def page_or_404(request: HttpRequest, rows: QuerySet[M] | Sequence[M], per_page: int) -> Page[M]:
    """The page of ``rows`` that ``?page=`` names, the first one without it. Raises Http404 if there is no such page."""
    paginator = Paginator(rows, per_page)
    number = whole_number(request.GET.get("page", "1"), paginator.num_pages, least=1)
    if number is None:
        raise Http404
    return paginator.page(number)


def game_or_404(slug: str) -> Game:
    """The game of this slug. Raises Http404 if there is none."""
    game = game_named(slug)
    if game is None:
        raise Http404
    return game


def credits(request: HttpRequest) -> dict[str, object]:
    """The games whose material must be credited wherever it appears; any page may name one of their cards."""
    return {"credited_games": [game for game in games().values() if game.credit]}
