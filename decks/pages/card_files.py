"""Cards as a file for other programs: those that a query finds, or those of a deck; with one's own texts when
one asks for them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.utils.http import content_disposition_header
from django.views.decorators.http import require_safe

from cardsdb.faults import Refused
from cardsdb.games.kit import Card, Game
from cardsdb.identity.viewer import Viewer, viewer_of
from cardsdb.own.texts import texts_of
from cardsdb.own.wording import with_text
from cardsdb.search.card_query import parse_query
from cardsdb.search.found_cards import cards_found
from cardsdb.site.errors import refusal
from cardsdb.site.ratelimits import counted_as_work
from cardsdb.site.sharing import private
from cardsdb.site.shortcuts import game_or_404
from decks.formats.card_files import CARD_FILES, CardFile
from decks.formats.contract import file_stem
from decks.models import Deck


@require_safe
@private
@counted_as_work()
def found_cards(request: HttpRequest) -> HttpResponse:
    """The cards that a query finds, in its order."""
    kind, viewer = _kind(request), viewer_of(request)
    try:
        game, cards = cards_found(parse_query(request.GET.get("q", ""), viewer=viewer))
    except Refused as refused:
        return refusal(request, refused, "No file", "Go back to the list and ask otherwise.")
    return _file(kind, game, cards, f"{game.slug}-cards", own_texts(request, viewer, game, cards))


@require_safe
@private
@counted_as_work()
def deck_cards(request: HttpRequest, link: str) -> HttpResponse:
    """The cards of a deck that this visitor may see, each once; none that is written in."""
    kind, viewer = _kind(request), viewer_of(request)
    deck = get_object_or_404(Deck.objects.visible_to(viewer).with_cards(), link=link)
    game = game_or_404(deck.game)
    decklist = deck.decklist_for(viewer, game)
    cards = list({entry.card.code: entry.card for entry in decklist if not entry.card.written}.values())
    return _file(
        kind, game, cards, f"{file_stem(game, decklist)}-cards", own_texts(request, viewer, game, cards)
    )


def own_texts(request: HttpRequest, viewer: Viewer, game: Game, cards: Iterable[Card]) -> Mapping[str, str]:
    """Card code -> text of those that this visitor has, where they ask for them."""
    return texts_of(viewer, game, [card.code for card in cards]) if request.GET.get("texts") == "mine" else {}


def _kind(request: HttpRequest) -> CardFile:
    if (kind := CARD_FILES.get(request.GET.get("to", ""))) is None:
        raise Http404
    return kind


def _file(
    kind: CardFile, game: Game, cards: Iterable[Card], stem: str, texts: Mapping[str, str]
) -> HttpResponse:
    data = kind.write(game, [with_text(card, texts) for card in cards]).encode("utf-8", "replace")
    disposition = content_disposition_header(True, stem + kind.suffix) or "attachment"
    return HttpResponse(
        data, content_type=f"{kind.content_type}; charset=utf-8", headers={"Content-Disposition": disposition}
    )
