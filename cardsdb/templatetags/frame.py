"""The frame of the site around pages in Django's own template language, which are allauth's."""

from django import template
from django.template.context import Context
from django.utils.safestring import SafeString

from cardsdb.site.templates import rendered

register = template.Library()


@register.simple_tag(takes_context=True)
def frame(context: Context) -> SafeString:
    """The page, with the blocks that stand in the context as values."""
    return rendered("allauth_frame.html", context.flatten())
