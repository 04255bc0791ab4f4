"""The picture of a deck for other sites, drawn once for each thing it says."""

from __future__ import annotations

from collections import Counter

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.utils.cache import get_conditional_response
from django.views.decorators.http import require_safe

from cardsdb.games.kit import Game
from cardsdb.site.ratelimits import counted_as_work
from cardsdb.site.shortcuts import game_or_404
from decks.core.judging import Judged
from decks.core.viewer import Viewer
from decks.models import Deck
from printing.render.deck_picture import DeckShown, deck_picture
from printing.web.face_views import KeptFaces

MOST_KEPT = 100
kept = KeptFaces(MOST_KEPT)


@require_safe
def picture(request: HttpRequest, link: str) -> HttpResponse:
    """What everybody with the deck's address may see of it, whoever asks; 404 for a private deck."""
    deck = get_object_or_404(Deck.objects.visible_to(Viewer()).with_cards(), link=link)
    game = game_or_404(deck.game)
    shown = _shown(deck, game, deck.judged(game, keep_secrets=not deck.shows_secrets_to(Viewer())))
    etag = f'"{shown.key}"'
    unchanged = get_conditional_response(request, etag=etag)
    if unchanged is not None:
        return unchanged
    data = kept.get(etag)
    return _answer(etag, data) if data is not None else _drawn(request, shown, etag)


@counted_as_work()
def _drawn(request: HttpRequest, shown: DeckShown, etag: str) -> HttpResponse:
    data = deck_picture(shown)
    kept.keep(etag, data)
    return _answer(etag, data)


def _answer(etag: str, data: bytes) -> HttpResponse:
    return HttpResponse(data, content_type="image/png", headers={"ETag": etag, "Cache-Control": "public, max-age=60, must-revalidate"})


def _shown(deck: Deck, game: Game, judged: Judged) -> DeckShown:
    counts: Counter[str] = Counter()
    for entry in judged.deck:
        counts[game.type_named(entry.card.type).plural] += entry.count
    bars = tuple(sorted(counts.items(), key=lambda bar: (-bar[1], bar[0])))
    return DeckShown(game, deck.name, judged.format.name, judged.verdict, judged.verdict_words, judged.deck.size, bars)
