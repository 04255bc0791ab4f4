"""Addresses of the site's own pages, remembered: to work one out costs more than to show a line of a list."""

from __future__ import annotations

import re
from functools import lru_cache

from django.conf import settings
from django.urls import NoReverseMatch, get_script_prefix, get_urlconf, reverse, set_script_prefix

# So many addresses are remembered: every card of a large catalogue, and what is linked beside them.
MAX_REMEMBERED = 50_000
# Stands for any slug in an address; and what a slug is.
ANY_SLUG = "any-slug"
SLUG = re.compile(r"[-a-zA-Z0-9_]+", re.ASCII)


def page_address(name: str, *args: str) -> str:
    """What ``reverse`` answers for a page's name and the parts of its address."""
    return remembered_address(*prefix_and_urlconf(), name, args)


def prefix_and_urlconf() -> tuple[str, str]:
    """What addresses depend on besides: the prefix of the site, and the module that names its pages."""
    return get_script_prefix(), get_urlconf() or settings.ROOT_URLCONF


@lru_cache(MAX_REMEMBERED)
def remembered_address(prefix: str, urlconf: str, name: str, args: tuple[str, ...]) -> str:
    """The same for a prefix and a module of addresses."""
    if args and SLUG.fullmatch(args[-1]) and (around := _around_slug(prefix, urlconf, name, args[:-1])):
        return f"{around[0]}{args[-1]}{around[1]}"
    return _made(prefix, urlconf, name, args)


@lru_cache(1_000)
def _around_slug(prefix: str, urlconf: str, name: str, args: tuple[str, ...]) -> tuple[str, str] | None:
    """What stands before and after the last part of an address, where it may be any slug: a list has fifty
    cards that nobody saw yet.
    """
    try:
        before, _, after = _made(prefix, urlconf, name, (*args, ANY_SLUG)).rpartition(ANY_SLUG)
    except NoReverseMatch:
        return None
    return before, after


def _made(prefix: str, urlconf: str, name: str, args: tuple[str, ...]) -> str:
    """``reverse`` takes the prefix from the thread."""
    before = get_script_prefix()
    set_script_prefix(prefix)
    try:
        return reverse(name, urlconf=urlconf, args=args)
    finally:
        set_script_prefix(before)
