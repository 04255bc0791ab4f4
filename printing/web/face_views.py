"""The face of one card as a download, and the picture of a deck for other sites; what takes long to draw is cached."""

from __future__ import annotations

from collections import Counter, OrderedDict
from threading import Lock

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils.cache import get_conditional_response
from django.utils.http import content_disposition_header
from django.views.decorators.http import require_safe

from cardsdb.games import game_named
from cardsdb.games.kit import Card as KitCard
from cardsdb.games.kit import Game
from cardsdb.models import Card
from cardsdb.site.ratelimits import counted_as_work
from cardsdb.site.shortcuts import game_or_404
from decks.core.judging import Judged
from decks.identity.viewer import Viewer
from decks.models import Deck
from printing.options.values import CannotPrint
from printing.render.deck_picture import DeckShown, deck_picture
from printing.render.files import CONTENT_TYPES, face_file, face_key

# Faces as PNG and PDF that were asked for last, of about 50 KB each. They take a tenth of a second to make; an SVG takes none.
MAX_KEPT = 100
SLOW = ("png", "pdf")


class PictureCache:
    """Entity tag -> the bytes of a face, for the last ``most`` that were asked for. For all threads."""

    def __init__(self, most: int) -> None:
        self._most, self._pictures, self._lock = most, OrderedDict[str, bytes](), Lock()

    def get(self, tag: str) -> bytes | None:
        with self._lock:
            if tag in self._pictures:
                self._pictures.move_to_end(tag)
            return self._pictures.get(tag)

    def put(self, tag: str, data: bytes) -> None:
        with self._lock:
            self._pictures[tag] = data
            if len(self._pictures) > self._most:
                self._pictures.popitem(last=False)


drawn_faces, drawn_decks = PictureCache(MAX_KEPT), PictureCache(MAX_KEPT)


@require_safe
def face(request: HttpRequest, game_slug: str, code: str, kind: str) -> HttpResponse:
    """The face, or 304 for a browser that has these very bytes; 400 with the reason for a card that cannot be drawn.

    Only a face that has to be drawn anew, slowly, counts against the visitor.
    """
    game = game_named(game_slug)
    if game is None:
        raise Http404
    card = get_object_or_404(Card.objects.in_game(game_slug).prefetch_related("prints"), code=code).as_card()
    try:
        etag = f'"{face_key(card, game)}-{kind}"'
        unchanged = get_conditional_response(request, etag=etag)
        if unchanged is not None:
            return unchanged
        data = drawn_faces.get(etag)
        if data is not None:
            return _file(card, game, kind, etag, data)
        return (_drawn_slowly if kind in SLOW else _drawn)(request, card, game, kind, etag)
    except CannotPrint as error:
        advice = "The card page shows every fact; the SVG face can be drawn with your own fonts."
        context = {"title": "This face cannot be drawn", "message": f"{card.name}: {error}.", "advice": advice}
        return render(request, "error.html", context, status=400)


def _drawn(request: HttpRequest, card: KitCard, game: Game, kind: str, etag: str) -> HttpResponse:
    return _file(card, game, kind, etag, face_file(card, game, kind))


@counted_as_work()
def _drawn_slowly(request: HttpRequest, card: KitCard, game: Game, kind: str, etag: str) -> HttpResponse:
    data = face_file(card, game, kind)
    drawn_faces.put(etag, data)
    return _file(card, game, kind, etag, data)


def _file(card: KitCard, game: Game, kind: str, etag: str, data: bytes) -> HttpResponse:
    headers = {
        "ETag": etag,
        "Cache-Control": "public, no-cache",
        "Content-Disposition": content_disposition_header(False, f"{game.slug}-{card.code}.{kind}") or "inline",
    }
    return HttpResponse(data, content_type=CONTENT_TYPES[kind], headers=headers)


@require_safe
def deck_picture_file(request: HttpRequest, link: str) -> HttpResponse:
    """What everybody with the deck's address may see of it, whoever asks; 404 for a private deck."""
    deck = get_object_or_404(Deck.objects.visible_to(Viewer()).with_cards(), link=link)
    game = game_or_404(deck.game)
    shown = _shown(deck, game, deck.judged(game, keep_secrets=not deck.shows_secrets_to(Viewer())))
    etag = f'"{shown.key}"'
    unchanged = get_conditional_response(request, etag=etag)
    if unchanged is not None:
        return unchanged
    data = drawn_decks.get(etag)
    return _deck_file(etag, data) if data is not None else _drawn_deck(request, shown, etag)


@counted_as_work()
def _drawn_deck(request: HttpRequest, shown: DeckShown, etag: str) -> HttpResponse:
    data = deck_picture(shown)
    drawn_decks.put(etag, data)
    return _deck_file(etag, data)


def _deck_file(etag: str, data: bytes) -> HttpResponse:
    return HttpResponse(data, content_type="image/png", headers={"ETag": etag, "Cache-Control": "public, max-age=60, must-revalidate"})


def _shown(deck: Deck, game: Game, judged: Judged) -> DeckShown:
    counts: Counter[str] = Counter()
    for entry in judged.deck:
        counts[game.type_named(entry.card.type).plural] += entry.count
    bars = tuple(sorted(counts.items(), key=lambda bar: (-bar[1], bar[0])))
    return DeckShown(game, deck.name, judged.format.name, judged.verdict, judged.verdict_words, judged.deck.size, bars)
