"""What views and templates of every room use: the game or page that an address names, what was taken along, whom to credit."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from django.contrib import messages
from django.core.paginator import Page, Paginator
from django.db.models import Count, Model, QuerySet, Window
from django.http import Http404, HttpRequest
from django.utils.functional import cached_property

from cardsdb.games import game_named, games
from cardsdb.games.kit import Game
from cardsdb.games.kit.model.text import plural, some, whole_number

M = TypeVar("M", bound=Model)
# The last page of costly rows that may be asked for.
MAX_COSTLY_PAGE = 1_000_000
# Rows of each part, up to which a page is put together of parts.
MAX_OF_PARTS = 1_000


def page_or_404(request: HttpRequest, rows: QuerySet[M] | Sequence[M], per_page: int) -> Page[M]:
    """The page of ``rows`` that ``?page=`` names, the first one without it. Raises Http404 if there is no such page."""
    return _page_of(request, Paginator(rows, per_page))


def page_of_parts_or_404(request: HttpRequest, rows: QuerySet[M], parts: Sequence[QuerySet[M]], per_page: int) -> Page[M]:
    """As ``page_or_404`` for rows that are those of several parts, in the same order and none in two of them. Each part has an index for
    its number and order, where all of them together have none."""
    return _page_of(request, _OfParts(rows, parts, per_page))


def costly_page_or_404(request: HttpRequest, rows: QuerySet[M], plain: QuerySet[M], per_page: int) -> Page[M]:
    """As ``page_or_404`` for rows that are costly to find: one query finds their keys and the number of all, ``plain`` reads them."""
    number = whole_number(request.GET.get("page", "1"), MAX_COSTLY_PAGE, least=1)
    if number is None:
        raise Http404
    return _page_of(request, _AtOnce(rows, plain, per_page, number))


def _page_of(request: HttpRequest, paginator: Paginator) -> Page[M]:  # type: ignore[type-arg]
    number = whole_number(request.GET.get("page", "1"), paginator.num_pages, least=1)
    if number is None:
        raise Http404
    return paginator.page(number)


class _OfParts(Paginator):  # type: ignore[type-arg]
    """The first rows of all are among the first of each part."""

    def __init__(self, rows: QuerySet[M], parts: Sequence[QuerySet[M]], per_page: int) -> None:
        super().__init__(rows, per_page)
        self._parts = parts

    @cached_property
    def count(self) -> int:
        return sum(part.count() for part in self._parts)

    def page(self, number: int | str) -> Page[M]:
        end = int(number) * self.per_page
        if end > MAX_OF_PARTS or len(self._parts) < 2:
            return super().page(number)
        keys = [key for part in self._parts for key in part.values_list("pk", flat=True)[:end]]
        return self._get_page(list(self.object_list.filter(pk__in=keys)[end - self.per_page : end]), number, self)


class _AtOnce(Paginator):  # type: ignore[type-arg]
    """One page with the number of all rows. A page behind the last finds no row, and so is none of its pages."""

    def __init__(self, rows: QuerySet[M], plain: QuerySet[M], per_page: int, number: int) -> None:
        counted = rows.annotate(in_all=Window(Count("pk"))).values_list("pk", "in_all")
        # Only keys: whole rows would be carried through the sorting.
        self._keys = list(counted[(number - 1) * per_page : number * per_page])
        super().__init__(plain, per_page)

    @property
    def count(self) -> int:  # type: ignore[override]
        return self._keys[0][1] if self._keys else 0

    def page(self, number: int | str) -> Page[M]:
        found = self.object_list.in_bulk([key for key, _ in self._keys])
        return self._get_page([found[key] for key, _ in self._keys if key in found], number, self)


def game_or_404(slug: str) -> Game:
    """The game of this slug. Raises Http404 if there is none."""
    game = game_named(slug)
    if game is None:
        raise Http404
    return game


def say_taken_along(request: HttpRequest, noun: str, moved: int, stayed: int = 0, room: str = "") -> None:
    """Say what of the browser's is the account's now, and what stays with the browser where the account has no more ``room``."""
    if moved or not stayed:
        messages.success(request, f"{some(moved, noun)} {plural(moved, 'is', 'are')} now your account’s.")
    if stayed:
        stay = f"{some(stayed, noun)} {plural(stayed, 'stays', 'stay')} with this browser"
        messages.warning(request, f"{stay}: an account has room for {room}. Delete some and take the rest into your account.")


def credits(request: HttpRequest) -> dict[str, object]:
    """The games whose material must be credited wherever it appears; any page may name one of their cards."""
    return {"credited_games": [game for game in games().values() if game.credit]}
