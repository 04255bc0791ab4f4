"""Worksheets as PDF: one, filled in by its address or blank, and all of a deck."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils.http import content_disposition_header
from django.views.decorators.http import require_safe

from cardsdb.games.kit import Game
from cardsdb.site.faults import Refused
from cardsdb.site.ratelimits import counted_as_work
from cardsdb.site.shortcuts import game_or_404
from decks.identity.viewer import viewer_of
from decks.models import Deck
from decks.worksheets.filling import Filled, fill, given_of, sheets_in, whole_deck_sheets, worksheet_or_404
from printing.options.values import CannotPrint
from printing.render.worksheets import Paper, print_worksheets
from printing.request.lists import printable, refused


@require_safe
@counted_as_work()
def aid_sheet(request: HttpRequest, slug: str, aid: str) -> HttpResponse:
    """One worksheet: with what the address fills in, or with ``?blank=yes`` to be filled in by hand."""
    game = game_or_404(slug)
    sheet = worksheet_or_404(game, aid)
    if request.GET.get("blank"):
        return _printed(request, game, [Paper(game, sheet)], sheet.name)
    filled = fill(game, sheet, given_of(sheet, request.GET))
    if filled.result.problems:
        return _refusal(request, [sentence for _, sentence in filled.result.problems])
    return _printed(request, game, [_paper(filled)])


@require_safe
@counted_as_work()
def deck_sheets(request: HttpRequest) -> HttpResponse:
    """Every sheet of a deck, as this visitor may see it: of its cards, and of the deck itself."""
    viewer, link = viewer_of(request), request.GET.get("deck", "")
    # What is no address must not reach PostgreSQL, which refuses a NUL.
    decks = Deck.objects.visible_to(viewer).with_cards()
    deck = get_object_or_404(decks if "\0" not in link else decks.none(), link=link)
    game = game_or_404(deck.game)
    shown = deck.decklist_for(viewer, game)
    asked = [(sheet, given) for sheet, _, given in sheets_in(game, shown)] + whole_deck_sheets(game, shown, deck.format)
    filled = [fill(game, sheet, given) for sheet, given in asked]
    problems = [f"{one.result.typed.get('name', '')}: {sentence}" for one in filled for _, sentence in one.result.problems]
    if problems:
        return _refusal(request, problems)
    return _printed(request, game, [_paper(one) for one in filled], printable(deck.name))


def _paper(filled: Filled) -> Paper:
    verdict = None
    if filled.judged:
        found = tuple(f"{view.violation.code}: {view.message}" for view in filled.judged.violation_views())
        verdict = (filled.judged.verdict_words, found)
    return Paper(filled.game, filled.sheet, filled.result, verdict)


def _printed(request: HttpRequest, game: Game, papers: list[Paper], title: str = "") -> HttpResponse:
    try:
        made = print_worksheets(papers, request.GET.get("paper", "") or "a4", title)
    except CannotPrint as error:
        reason: Refused = refused(error)
        return _refusal(request, [fault.message for fault in reason.faults])
    disposition = content_disposition_header(False, made.filename) or "inline"
    headers = {"Content-Disposition": disposition, "Cache-Control": "private, no-cache"}
    return HttpResponse(made.data, content_type=made.content_type, headers=headers)


def _refusal(request: HttpRequest, sentences: list[str]) -> HttpResponse:
    context = {
        "title": "This sheet cannot be printed",
        "message": " ".join(sentences[:8]),
        "advice": "Go back and mend it, then print again.",
    }
    return render(request, "error.html", context, status=400)
