"""The decks that use a card, and the cards beside it. Only public decks, and never their secret sections."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import Count, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils.cache import patch_vary_headers
from django.views.decorators.http import require_safe

from cardsdb.catalogue.current import catalogue
from cardsdb.games.kit import Game, Starter
from cardsdb.games.kit.listtext.deck import read_deck
from cardsdb.identity.viewer import Viewer
from cardsdb.models import Card
from cardsdb.site.sharing import public_for_now
from cardsdb.site.shortcuts import game_or_404
from decks.models import Deck
from decks.public.conditions import lines_shown_to
from decks.public.listing import IN_LISTS, deck_rows

MAX_DECKS = 24
MAX_BESIDE = 12
# Decks in which the cards beside a card are counted, the newest of those that use it.
MAX_COUNTED = 500


@dataclass(frozen=True, slots=True)
class Beside:
    """A card that stands in ``decks`` of the decks looked at."""

    card: Card
    decks: int


@require_safe
@public_for_now
def card_decks(request: HttpRequest, game_slug: str, code: str) -> HttpResponse:
    """The decks that use a card: a page, or its inside alone for htmx."""
    game = game_or_404(game_slug)
    card = get_object_or_404(Card.objects.in_game(game_slug), code=code)
    using = Deck.objects.public().filter(pk__in=lines_shown_to(Viewer()).filter(card=card).values("deck"))
    newest = list(using.only(*IN_LISTS)[:MAX_DECKS])
    total = using.count() if len(newest) == MAX_DECKS else len(newest)
    context = {
        "game": game,
        "card": card,
        "rows": deck_rows(newest),
        "total": total,
        "counted": min(total, MAX_COUNTED),
        "beside": _beside(card, using) if newest else [],
        "starters": [starter for starter, codes in _starters(game) if card.code in codes],
        "here": "cards",
    }
    alone = request.htmx and not request.htmx.history_restore_request
    answer = render(request, "decks/card_decks_inside.html" if alone else "decks/card_decks.html", context)
    answer["Cache-Control"] = "public, no-cache" if alone else "private, no-cache"
    patch_vary_headers(answer, ["HX-Request", "HX-History-Restore-Request"])
    return answer


def _beside(card: Card, using: QuerySet[Deck]) -> list[Beside]:
    """The cards that these decks hold as well, the most frequent first, by name among equals."""
    looked_at = list(using.values_list("pk", flat=True)[:MAX_COUNTED])
    rows = (
        lines_shown_to(Viewer())
        .filter(deck__in=looked_at, card__isnull=False)
        .exclude(card=card)
        .values("card")
        .annotate(decks=Count("deck", distinct=True))
        .order_by("-decks", "card__sort_name", "card__code")
        .values_list("card", "decks")[:MAX_BESIDE]
    )
    counts = dict(rows)
    cards = catalogue().cards(counts)
    return [Beside(cards[pk], count) for pk, count in counts.items()]


def _starters(game: Game) -> tuple[tuple[Starter, frozenset[str]], ...]:
    """The game's starters with the codes of their cards."""
    return tuple(
        (starter, frozenset(entry.card.code for entry in read_deck(game, starter.text).deck))
        for starter in game.starters
    )
