"""Addresses of the site's own pages, remembered: to work one out costs more than to show a line of a list."""

from __future__ import annotations

from functools import lru_cache

from django.conf import settings
from django.urls import get_script_prefix, get_urlconf, reverse, set_script_prefix

# So many addresses are remembered: every card of a large catalogue, and what is linked beside them.
MAX_REMEMBERED = 50_000


def page_address(name: str, *args: str) -> str:
    """What ``reverse`` answers for a page's name and the parts of its address."""
    return _remembered(get_script_prefix(), get_urlconf() or settings.ROOT_URLCONF, name, args)


@lru_cache(MAX_REMEMBERED)
def _remembered(prefix: str, urlconf: str, name: str, args: tuple[str, ...]) -> str:
    """``reverse`` takes the prefix from the thread."""
    before = get_script_prefix()
    set_script_prefix(prefix)
    try:
        return reverse(name, urlconf=urlconf, args=args)
    finally:
        set_script_prefix(before)
