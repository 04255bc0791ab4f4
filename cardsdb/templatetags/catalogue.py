"""Tags for the catalogue's templates: how certain a claim is, the rows of a card list, pieces that many pages share."""

from __future__ import annotations

from collections import OrderedDict
from typing import Any

from django import template
from django.template.loader import get_template
from django.utils.safestring import SafeString

from cardsdb.games.kit.model.cards import Certainty
from cardsdb.web.lists.filter_html import bounds_of, facets_in_html, options_of
from cardsdb.web.lists.rows import headings_of, rows_of
from cardsdb.web.pages.fact_html import facts_in_html

register = template.Library()
register.filter("card_rows", rows_of)
register.filter("card_facts", facts_in_html)
register.filter("card_headings", headings_of)
register.filter("card_facets", facets_in_html)
register.filter("bound_fields", bounds_of)
register.filter("order_options", options_of)

MAX_PIECES = 5_000
_pieces: OrderedDict[tuple[Any, ...], SafeString] = OrderedDict()

MEANING: dict[Certainty, str] = {
    "stated": "The place named says so itself.",
    "inferred": "Worked out from what the place says; it does not say so outright.",
    "conflicting": "One document contradicts itself here, or has a slip that shows.",
    "outside": "Said elsewhere than in the rulebook: by a card list, a printed card, a review, or whoever wrote the list.",
}


@register.filter
def means(word: str) -> str:
    """What the word means; empty for one that is none of the four."""
    return next((meaning for known, meaning in MEANING.items() if known == word), "")


@register.simple_tag
def certainties() -> list[tuple[str, str]]:
    """Every word with its meaning, from the firmest on."""
    return list(MEANING.items())


@register.simple_tag
def cached_include(name: str, **values: Any) -> SafeString:
    """The template rendered with these values alone, once: a source stands behind most facts of most cards.

    The values never change, and are hashable.
    """
    key = (name, *values.items())
    piece = _pieces.get(key)
    if piece is None:
        piece = _pieces[key] = get_template(name).render(values)
        while len(_pieces) > MAX_PIECES:
            _pieces.popitem(last=False)
    return piece
