"""The face of one card as a download."""

from __future__ import annotations

from collections import OrderedDict
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
from printing.options.values import CannotPrint
from printing.render.face_files import CONTENT_TYPES, face_file, face_key

# Faces as PNG and PDF that were asked for last, of about 50 KB each. They take a tenth of a second to make; an SVG takes none.
MOST_KEPT = 100
SLOW = ("png", "pdf")


class KeptFaces:
    """Entity tag -> the bytes of a face, for the last ``most`` that were asked for. For all threads."""

    def __init__(self, most: int) -> None:
        self._most, self._faces, self._lock = most, OrderedDict[str, bytes](), Lock()

    def get(self, tag: str) -> bytes | None:
        with self._lock:
            if tag in self._faces:
                self._faces.move_to_end(tag)
            return self._faces.get(tag)

    def keep(self, tag: str, data: bytes) -> None:
        with self._lock:
            self._faces[tag] = data
            if len(self._faces) > self._most:
                self._faces.popitem(last=False)


kept = KeptFaces(MOST_KEPT)


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
        data = kept.get(etag)
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
    kept.keep(etag, data)
    return _file(card, game, kind, etag, data)


def _file(card: KitCard, game: Game, kind: str, etag: str, data: bytes) -> HttpResponse:
    headers = {
        "ETag": etag,
        "Cache-Control": "public, no-cache",
        "Content-Disposition": content_disposition_header(False, f"{game.slug}-{card.code}.{kind}") or "inline",
    }
    return HttpResponse(data, content_type=CONTENT_TYPES[kind], headers=headers)
