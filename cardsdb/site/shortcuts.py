"""What views of every room ask for in one line: a game or a page of a list that an address names, a number that was typed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from django.core.paginator import Page, Paginator
from django.db.models import Model, QuerySet
from django.http import Http404, HttpRequest

from cardsdb.games import game_named
from cardsdb.games.kit import Game

M = TypeVar("M", bound=Model)
# The largest number that a column for whole numbers holds, and more digits than it has: Python itself refuses to read thousands.
MAX_INTEGER, MAX_DIGITS = 2**31 - 1, 18


def whole_number(text: str, most: int = MAX_INTEGER, least: int = 0) -> int | None:
    """The number from ``least`` to ``most`` that a text of the digits 0 to 9 stands for, None for any other text."""
    if not (text.isascii() and text.isdigit() and len(text) <= MAX_DIGITS):
        return None
    number = int(text)
    return number if least <= number <= most else None


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
