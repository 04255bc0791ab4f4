"""The tag that puts the site's frame around allauth's pages (log-in, passkeys), which use Django's template
language. The tests of these pages are in ``tests/decks/accounts``.
"""

from django import template
from django.template.context import Context
from django.utils.safestring import SafeString

from cardsdb.site.templates import rendered

register = template.Library()


@register.simple_tag(takes_context=True)
def frame(context: Context) -> SafeString:
    """Render the frame with the blocks in the context."""
    return rendered("allauth_frame.html", context.flatten())
