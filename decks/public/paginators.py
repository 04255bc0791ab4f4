"""Pages of decks as the site and the API number them, each found in the way that suits what is asked."""

from __future__ import annotations

from collections.abc import Sequence

from django.core.paginator import EmptyPage, Page, Paginator
from django.db.models import Count, QuerySet, Window
from django.utils.functional import cached_property

from decks.models import Deck

# Rows of each part, up to which a page is put together of parts.
MAX_OF_PARTS = 1_000


class OfParts(Paginator):  # type: ignore[type-arg]
    """Decks that are those of several parts, in the same order and none in two of them. Each part has an
    index for its number and order, where all of them together have none. The first of all are among the first
    of each part.
    """

    def __init__(self, decks: QuerySet[Deck], parts: Sequence[QuerySet[Deck]], per_page: int) -> None:
        super().__init__(decks, per_page)
        self._parts = parts

    @cached_property
    def count(self) -> int:
        return sum(part.count() for part in self._parts)

    def page(self, number: int | str) -> Page[Deck]:
        number = self.validate_number(number)
        end = number * self.per_page
        if end > MAX_OF_PARTS or len(self._parts) < 2:
            return super().page(number)
        keys = [key for part in self._parts for key in part.values_list("pk", flat=True)[:end]]
        return self._get_page(
            list(self.object_list.filter(pk__in=keys)[end - self.per_page : end]), number, self
        )


class AtOnce(Paginator):  # type: ignore[type-arg]
    """Decks that are costly to find: one query finds the keys of a page and the number of all, ``plain``
    reads them.

    A page behind the last finds no key, and so is none.
    """

    def __init__(self, decks: QuerySet[Deck], plain: QuerySet[Deck], per_page: int) -> None:
        super().__init__(decks, per_page)
        self._plain = plain

    def page(self, number: int | str) -> Page[Deck]:
        number = int(number)
        if number < 1:
            raise EmptyPage("Pages are counted from 1.")
        counted = self.object_list.annotate(in_all=Window(Count("pk"))).values_list("pk", "in_all")
        # Only keys: whole rows would be carried through the sorting.
        keys = list(counted[(number - 1) * self.per_page : number * self.per_page])
        if number > 1 and not keys:
            raise EmptyPage("This page is behind the last.")
        self.count = keys[0][1] if keys else 0
        found = self._plain.in_bulk([key for key, _ in keys])
        return self._get_page([found[key] for key, _ in keys if key in found], number, self)
