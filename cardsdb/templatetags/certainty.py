"""The four words for how certain a claim is, each with what it means."""

from __future__ import annotations

from django import template

from cardsdb.games.kit.model.cards import Certainty

register = template.Library()

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
