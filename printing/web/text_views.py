"""The pages on which people write their own text for cards."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_safe

from cardsdb.box.texts import texts_of, with_text
from cardsdb.catalogue.current import catalogue, games
from cardsdb.faults import Fault, Refused
from cardsdb.games.kit.model.cards import MAX_TEXT
from cardsdb.identity.viewer import owner_of, viewer_of
from cardsdb.models import OwnText
from cardsdb.models.own import OwnBox
from cardsdb.site.ratelimits import counted_as_work
from cardsdb.site.sharing import private
from cardsdb.site.shortcuts import card_or_404, game_or_404, page_or_404
from printing.faces.compose import has_notes
from printing.request.texts import MIN_POINTS, points_of, save_printable

PER_PAGE = 100


@require_safe
@private
def text_list(request: HttpRequest) -> HttpResponse:
    """All texts of a visitor, by game and card."""
    viewer = viewer_of(request)
    page = page_or_404(request, OwnText.objects.of(viewer), PER_PAGE)
    known = catalogue()
    rows = [
        {
            "game": games().get(row.game),
            "slug": row.game,
            "code": row.card_code,
            "name": card.card.name if (card := known.at(row.game, row.card_code)) else row.card_code,
            "text": row.text,
        }
        for row in page.object_list
    ]
    context = {
        "rows": rows,
        "total": page.paginator.count,
        "page": page,
        "pages": page.paginator.get_elided_page_range(page.number),
        "address": "",
        "games": games().values(),
        "elsewhere": OwnText.objects.in_boxes(OwnBox.objects.of_browser(viewer)).count(),
        "here": "decks",
    }
    return render(request, "printing/card_texts.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@private
@counted_as_work("POST")
def card_text(request: HttpRequest, game_slug: str, code: str) -> HttpResponse:
    """One card as it is printed for this visitor, and the text to write on it."""
    game = game_or_404(game_slug)
    card = card_or_404(game, code).card
    own, faults = texts_of(viewer_of(request), game), list[Fault]()
    typed = own.get(code, "")
    if request.method == "POST":
        typed = request.POST.get("text", "")
        try:
            has_text = save_printable(owner_of(request), game, code, typed)
            messages.success(request, f"Your text for {card.name} is {'kept' if has_text else 'gone'}.")
            return redirect("card_text", game.slug, code)
        except Refused as error:
            faults = list(error.faults)
    drawn = with_text(card, own)
    points = points_of(drawn, game, game.trim) if code in own else 0
    context: dict[str, Any] = {
        "game": game,
        "card": card,
        "drawn": drawn,
        "points": f"{points:g}" if points else "",
        "is_small": points < MIN_POINTS,
        "typed": typed,
        "has_text": code in own,
        "room": has_notes(game, card.type),
        "faults": faults,
        "most": MAX_TEXT,
        "here": "decks",
    }
    return render(request, "printing/card_text.html", context, status=400 if faults else 200)
