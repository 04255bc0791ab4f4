"""For pages in Django's own template language, which are allauth's: the frame of the site around what they
say.
"""

from django import template
from django.template.context import Context
from django.utils.safestring import SafeString

from cardsdb.site.templates import rendered

register = template.Library()


@register.simple_tag(takes_context=True)
def frame(context: Context) -> SafeString:
    """The page, with the blocks that stand in the context as values."""
    return rendered("allauth_frame.html", context.flatten())
