"""Cards as a file for other programs: those that a query finds, or those of a deck; with one's own texts when one asks for them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.utils.http import content_disposition_header
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from cardsdb.games import games
from cardsdb.games.kit import Card, Game
from cardsdb.identity.viewer import Viewer, viewer_of
from cardsdb.models import Card as StoredCard
from cardsdb.own.texts import texts_of, with_text
from cardsdb.search.card_query import CardQuery, parse_query
from cardsdb.search.results import results_of
from cardsdb.site.errors import refusal
from cardsdb.site.faults import Fault, Refused
from cardsdb.site.ratelimits import counted_as_work
from cardsdb.site.shortcuts import game_or_404
from decks.formats.card_files import CARD_FILES, CardFile
from decks.formats.contract import file_stem
from decks.models import Deck

MAX_CARDS = 5_000
SEVERAL = "A file has the cards of one game, and these are of several. Choose a game first."
NONE = "No card is found, so there is nothing to write."
TOO_MANY = f"More than {MAX_CARDS:,} cards are found, which no file is for. Ask for fewer, or take the whole catalogue along from /bulk/."


@require_safe
@never_cache
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
@never_cache
@counted_as_work()
def deck_cards(request: HttpRequest, link: str) -> HttpResponse:
    """The cards of a deck that this visitor may see, each once; none that is written in."""
    kind, viewer = _kind(request), viewer_of(request)
    deck = get_object_or_404(Deck.objects.visible_to(viewer).with_cards(), link=link)
    game = game_or_404(deck.game)
    decklist = deck.decklist_for(viewer, game)
    cards = list({entry.card.code: entry.card for entry in decklist if not entry.card.written}.values())
    return _file(kind, game, cards, f"{file_stem(game, decklist)}-cards", own_texts(request, viewer, game, cards))


def cards_found(query: CardQuery) -> tuple[Game, list[Card]]:
    """The one game of the cards that a query finds, and these cards. Raises Refused for none, for too many, and for several games."""
    results = results_of(query)
    slugs = [slug for slug, _ in results.facet("game")]
    if not slugs:
        raise Refused(Fault("no_cards", NONE, "q"))
    if len(slugs) > 1:
        raise Refused(Fault("several_games", SEVERAL, "q"))
    if results.total > MAX_CARDS:
        raise Refused(Fault("too_many", TOO_MANY, "q"))
    pks = results.page(results.total).pks
    stored = StoredCard.objects.filter(pk__in=pks).cards()
    return games()[slugs[0]], [stored[pk] for pk in pks if pk in stored]


def own_texts(request: HttpRequest, viewer: Viewer, game: Game, cards: Iterable[Card]) -> Mapping[str, str]:
    """Card code -> text of those that this visitor has, where they ask for them."""
    return texts_of(viewer, game, [card.code for card in cards]) if request.GET.get("texts") == "mine" else {}


def _kind(request: HttpRequest) -> CardFile:
    if (kind := CARD_FILES.get(request.GET.get("to", ""))) is None:
        raise Http404
    return kind


def _file(kind: CardFile, game: Game, cards: Iterable[Card], stem: str, texts: Mapping[str, str]) -> HttpResponse:
    data = kind.write(game, [with_text(card, texts) for card in cards]).encode("utf-8", "replace")
    disposition = content_disposition_header(True, stem + kind.suffix) or "attachment"
    return HttpResponse(data, content_type=f"{kind.content_type}; charset=utf-8", headers={"Content-Disposition": disposition})
