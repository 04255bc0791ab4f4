"""Draw a card's face on a page, with the same strokes that go to paper."""

from __future__ import annotations

from django import template
from django.utils.safestring import SafeString, mark_safe

from cardsdb.games.kit import Card, Game
from printing.render.svg import card_svg

register = template.Library()


@register.simple_tag
def card_face(game: Game, card: Card) -> SafeString:
    """The card as inline SVG. ``card_svg`` escapes every word it draws."""
    return mark_safe(card_svg(card, game))  # noqa: S308
