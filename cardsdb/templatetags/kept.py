"""Pieces of pages that many pages share, made once: a source stands behind most facts of most cards."""

from __future__ import annotations

from collections import OrderedDict
from typing import Any

from django import template
from django.template.loader import get_template
from django.utils.safestring import SafeString

register = template.Library()

MOST = 5_000
_kept: OrderedDict[tuple[Any, ...], SafeString] = OrderedDict()


@register.simple_tag
def kept(name: str, **values: Any) -> SafeString:
    """What the template makes of the values, and of nothing else. They never change, and can be told apart by what they are."""
    key = (name, *values.items())
    piece = _kept.get(key)
    if piece is None:
        piece = _kept[key] = get_template(name).render(values)
        while len(_kept) > MOST:
            _kept.popitem(last=False)
    return piece
