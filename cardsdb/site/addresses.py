"""Addresses of the site's own pages, remembered: to work one out costs more than to show a line of a list."""

from __future__ import annotations

from functools import lru_cache

from django.conf import settings
from django.urls import get_script_prefix, get_urlconf, reverse, set_script_prefix

# So many addresses are remembered: every card of a large catalogue, and what is linked beside them.
MAX_REMEMBERED = 50_000
# Stands for any card's code.
CODE = "code"


def page_address(name: str, *args: str) -> str:
    """What ``reverse`` answers for a page's name and the parts of its address."""
    return remembered_address(get_script_prefix(), get_urlconf() or settings.ROOT_URLCONF, name, args)


def card_address(game: str, code: str) -> str:
    """The address of a card's page, by the game's slug. It is that of any other card with this code, a slug, in its place."""
    before, after = _around_code(get_script_prefix(), get_urlconf() or settings.ROOT_URLCONF, game)
    return f"{before}{code}{after}"


@lru_cache
def _around_code(prefix: str, urlconf: str, game: str) -> tuple[str, str]:
    before, _, after = remembered_address(prefix, urlconf, "card", (game, CODE)).rpartition(CODE)
    return before, after


@lru_cache(MAX_REMEMBERED)
def remembered_address(prefix: str, urlconf: str, name: str, args: tuple[str, ...]) -> str:
    """The same for a prefix and a module of addresses. ``reverse`` takes the prefix from the thread."""
    before = get_script_prefix()
    set_script_prefix(prefix)
    try:
        return reverse(name, urlconf=urlconf, args=args)
    finally:
        set_script_prefix(before)
