"""Names that complete a line of a list: what the quick way to add a card offers while one types."""

from __future__ import annotations

import re

from django.http import HttpRequest, JsonResponse
from django.views.decorators.http import require_safe

from cardsdb.games.kit import Game
from cardsdb.games.kit.listtext.names import name_index
from cardsdb.games.kit.model.text import fold, whole_number
from cardsdb.site.page_cache import public_by_edition
from cardsdb.site.shortcuts import game_or_404

MAX_NAMES = 8
MAX_TYPED = 120
_BEFORE = re.compile(r"\s*[-−]?\s*(?:[\[(]?[0-9]{1,3}[\])]?\s*[xX×]?\s+)?")


@require_safe
@public_by_edition
def card_names(request: HttpRequest, slug: str) -> JsonResponse:
    """What completes ``q``, a line such as ``2 ka``, up to the caret ``at``; as the search box is told."""
    game = game_or_404(slug)
    typed = request.GET.get("q", "")[:MAX_TYPED]
    typed = typed[: whole_number(request.GET.get("at", ""), MAX_TYPED)]
    start = match.end() if (match := _BEFORE.match(typed)) else 0
    choices = [{"text": text, "label": label, "kind": "card", "start": start} for text, label in names_like(game, typed[start:])]
    return JsonResponse({"choices": choices})


def names_like(game: Game, part: str) -> list[tuple[str, str]]:
    """(what names the card, its type) of cards whose names begin so, then of those with a word that does."""
    wanted, index = fold(part), name_index(game)
    if not wanted:
        return []
    first = [name for name in index.names if name.startswith(wanted)][:MAX_NAMES]
    second = [name for name in index.names if f" {wanted}" in name and name not in first][: MAX_NAMES - len(first)]
    cards = dict.fromkeys(card for name in (*first, *second) for card in index.called(name))
    return [(index.label(card), game.type_named(card.type).name) for card in cards if game.type_named(card.type).in_decks][:MAX_NAMES]
