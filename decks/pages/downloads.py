"""A deck as files for other programs, each with what it leaves out."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils.http import content_disposition_header
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from cardsdb.games.kit import Decklist, Game
from cardsdb.games.kit.listtext.deck import Reading
from cardsdb.site.shortcuts import game_or_404
from decks.formats import FORMATS, export
from decks.formats.cockatrice import hash_of
from decks.identity.viewer import viewer_of
from decks.models import Deck


@require_safe
@never_cache
def deck_files(request: HttpRequest, link: str) -> HttpResponse:
    """Every file there is of a deck, with the report of what it cannot hold."""
    deck, game, reading = _seen(request, link)
    context = {
        "deck": deck,
        "game": game,
        "editable": deck.is_editable_by(viewer_of(request)),
        "files": [(format, export(name, game, reading)) for name, format in FORMATS.items()],
        "hash": hash_of(game, reading.deck),
        "here": "decks",
    }
    return render(request, "decks/deck_files.html", context)


@require_safe
@never_cache
def deck_file(request: HttpRequest, link: str, name: str) -> HttpResponse:
    """One file."""
    if name not in FORMATS:
        raise Http404
    _, game, reading = _seen(request, link)
    written = export(name, game, reading)
    content_type = written.content_type if "charset" in written.content_type else f"{written.content_type}; charset={written.encoding}"
    disposition = content_disposition_header(True, written.filename) or "attachment"
    return HttpResponse(written.data, content_type=content_type, headers={"Content-Disposition": disposition})


def _seen(request: HttpRequest, link: str) -> tuple[Deck, Game, Reading]:
    """The deck as this visitor may see it. Raises Http404 when they may not."""
    viewer = viewer_of(request)
    deck = get_object_or_404(Deck.objects.visible_to(viewer).with_cards(), link=link)
    game = game_or_404(deck.game)
    return deck, game, reading_of(deck, deck.decklist_for(viewer, game))


def reading_of(deck: Deck, shown: Decklist) -> Reading:
    """The deck as every format writes it: these cards, and what its author says about it."""
    return Reading(shown, format=deck.format, notes="\n".join(deck.notes.splitlines()), tags=tuple(deck.tags), house=deck.house)
