"""What pages with hundreds of links and rows need again and again, remembered: addresses, and parts that depend on a few values alone.

Every template has these tags (``builtins`` in the settings).
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from django import template
from django.conf import settings
from django.template.base import Parser, Token
from django.template.context import Context, RequestContext
from django.template.defaulttags import URLNode, url
from django.template.loader import render_to_string
from django.utils.html import conditional_escape
from django.utils.safestring import SafeString

from cardsdb.site.addresses import address_at

register = template.Library()
# So many parts are remembered, of a kilobyte or two each.
MAX_REMEMBERED = 8_192


class RememberedURLNode(URLNode):
    """The tag ``url``; Django's own in all that is not the plain case: keywords, ``as``, names with a namespace, no request."""

    def __init__(self, *parts: Any) -> None:
        super().__init__(*parts)
        # A name in quotes is the same wherever the tag stands.
        self._name = None if self.view_name.is_var or self.view_name.filters else self.view_name.resolve(Context())

    def render(self, context: Context) -> str:
        request, name = getattr(context, "request", None), self._name or self.view_name.resolve(context)
        if request is None or self.kwargs or self.asvar or not isinstance(name, str) or ":" in name:
            return str(super().render(context))
        args = tuple(str(arg.resolve(context)) for arg in self.args)
        found = address_at(request.META.get("SCRIPT_NAME", ""), getattr(request, "urlconf", None), name, args)
        return str(conditional_escape(found)) if context.autoescape else found


@register.tag("url")
def remembered_url(parser: Parser, token: Token) -> RememberedURLNode:
    node: Any = url(parser, token)
    return RememberedURLNode(node.view_name, node.args, node.kwargs, node.asvar)


@register.simple_tag(takes_context=True)
def remembered_part(context: RequestContext, name: str, **values: Any) -> SafeString:
    """The template ``name`` with these values and nothing else of the page, made once for equal values, which must be hashable."""
    request = context["request"]
    site = (request.META.get("SCRIPT_NAME", ""), getattr(request, "urlconf", None) or settings.ROOT_URLCONF)
    make = _part.__wrapped__ if settings.DEBUG else _part
    return make(name, site, tuple(values.items()))


@lru_cache(MAX_REMEMBERED)
def _part(name: str, site: tuple[str, str], values: tuple[tuple[str, Any], ...]) -> SafeString:
    """``site``: on what the addresses in a part depend, which is the same in all of a request."""
    return render_to_string(name, dict(values))
