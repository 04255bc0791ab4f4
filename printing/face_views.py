"""The face of one card as a download."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils.cache import get_conditional_response
from django.utils.http import content_disposition_header
from django.views.decorators.http import require_safe

from cardsdb.games import game_named
from cardsdb.models import Card
from printing.face_files import CONTENT_TYPES, face_file, face_key
from printing.sheets import CannotPrint


@require_safe
def face(request: HttpRequest, game_slug: str, code: str, kind: str) -> HttpResponse:
    """The face, or 304 for a browser that has these very bytes; 400 with the reason for a card that cannot be drawn."""
    game = game_named(game_slug)
    if game is None:
        raise Http404
    card = get_object_or_404(Card.objects.in_game(game_slug).prefetch_related("prints"), code=code).as_card()
    try:
        etag = f'"{face_key(card, game)}-{kind}"'
        unchanged = get_conditional_response(request, etag=etag)
        if unchanged is not None:
            return unchanged
        data = face_file(card, game, kind)
    except CannotPrint as error:
        advice = "The card page shows every fact; the SVG face can be drawn with your own fonts."
        context = {"title": "This face cannot be drawn", "message": f"{card.name}: {error}.", "advice": advice}
        return render(request, "error.html", context, status=400)
    headers = {
        "ETag": etag,
        "Cache-Control": "public, no-cache",
        "Content-Disposition": content_disposition_header(False, f"{game.slug}-{card.code}.{kind}") or "inline",
    }
    return HttpResponse(data, content_type=CONTENT_TYPES[kind], headers=headers)
