"""The verdict on a list, for pages that know nothing of decks; names in sentences as links to their cards."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from django.urls import reverse
from django.utils.safestring import SafeString
from jinja2 import pass_context
from jinja2.runtime import Context

from cardsdb.catalogue.current import Catalogue, catalogue
from cardsdb.games.kit import Card, Game
from cardsdb.site.templates import rendered
from decks.check.pasted import verdict_context
from decks.core.judging import judge_text


def judged_example(game: Game) -> SafeString:
    """The verdict on the list that a page begins with, the game's own, as it is shown of a list that is typed
    there.
    """
    return rendered("decks/check_short.html", dict(catalogue().derived(_judged_example, game)))


def _judged_example(whole: Catalogue, game: Game) -> dict[str, Any]:
    """Judged once of each catalogue: to find the repair takes longer than all else on such a page.

    The game is known, so that nothing is guessed: that would ask the names of every game, with 100,000 cards
    for three seconds.
    """
    return {"games": whole.games.values(), **verdict_context(judge_text(game, game.showcase_list))}


@pass_context
def rule_address(context: Context, code: str) -> str:
    """Where the rule with this code can be read: with the league whose format a deck is judged by, else among
    those of its game.
    """
    league = getattr(context.get("judged"), "league", None)
    if league and code in league.citations:
        return f"{reverse('league', args=[league.link])}#{code}"
    return f"{reverse('rules', args=[context['game'].slug])}#{code}"


def with_cards(sentence: str, named: Sequence[Card]) -> list[tuple[str, Card | None]]:
    """The pieces of the sentence, the names of these cards each with its card."""
    cards = {card.name: card for card in named if not card.written and card.name in sentence}
    names = "|".join(re.escape(name) for name in sorted(cards, key=len, reverse=True))
    pieces = re.split(rf"(?<!\w)({names})(?!\w)", sentence) if names else [sentence]
    return [(piece, cards.get(piece)) for piece in pieces]


FUNCTIONS: Mapping[str, Callable[..., Any]] = {"judged_example": judged_example, "rule_address": rule_address}
FILTERS: Mapping[str, Callable[..., Any]] = {"with_cards": with_cards}
