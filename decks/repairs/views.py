"""The pages on which repairs of a deck are found and made."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from cardsdb.faults import Refused
from cardsdb.games.kit.model.text import listed
from cardsdb.games.kit.repair.search import Repair
from cardsdb.identity.viewer import viewer_of
from cardsdb.site.ratelimits import counted_as_work
from cardsdb.site.sharing import private
from cardsdb.site.shortcuts import game_or_404
from decks.core.judging import Judged
from decks.models import Deck
from decks.repairs.candidates import cards_of_catalogue
from decks.repairs.changes import repairing, written
from decks.repairs.search import barring, repairs_of
from decks.saving.save import save_edit

# The pages that offer repairs, and to which a made repair leads back.
PAGES = ("deck", "deck_edit")


@require_safe
@private
@counted_as_work()
def deck_repairs(request: HttpRequest, link: str) -> HttpResponse:
    """What would make the deck legal. htmx asks for the list of repairs alone."""
    deck = get_object_or_404(Deck.objects.editable_by(viewer_of(request)).with_cards(), link=link)
    judged = deck.judged(game_or_404(deck.game))
    back = request.GET.get("back", "")
    context = {
        "deck": deck,
        "editable": True,
        "here": "decks",
        "back": back if back in PAGES else "deck",
        **repairs_context(judged),
    }
    return render(request, part_or_page(request), context)


@require_POST
@private
@counted_as_work("POST")
def deck_repair(request: HttpRequest, link: str) -> HttpResponse:
    """Make the changes of a repair, if they still help. They are undone like any other change."""
    back = request.POST.get("back", "")
    viewer = viewer_of(request)
    deck = get_object_or_404(Deck.objects.editable_by(viewer), link=link)
    game = game_or_404(deck.game)
    try:
        saved = save_edit(
            link, viewer, repairing(game, request.POST.getlist("change"), deck.leagues), kind="repaired"
        )
    except Refused as refused:
        for fault in refused.faults:
            messages.error(request, fault.message)
    else:
        messages.success(request, f"Repaired. The deck is now {saved.deck.verdict_words.lower()}.")
    # In the editor beside the verdict: on a phone that is a part of its own.
    return (
        redirect(f"{reverse('deck_edit', args=[link])}#verdict")
        if back == "deck_edit"
        else redirect("deck", link=link)
    )


def repairs_context(judged: Judged) -> dict[str, Any]:
    repairs = repairs_of(judged, cards_of_catalogue(judged.game))
    whole = any(repair.is_whole for repair in repairs)
    barred = None if whole else barring(judged, cards_of_catalogue(judged.game))
    return {
        "game": judged.game,
        "judged": judged,
        "repairs": [
            (
                repair,
                written(repair),
                _lines(judged, repair),
                [(other, written(other.repair)) for other in repair.alternatives],
            )
            for repair in repairs
        ],
        "whole": whole,
        "barred": (listed(barred[1]), len(barred[1]), barred[0].words) if barred else None,
    }


def _lines(judged: Judged, repair: Repair) -> list[str]:
    """Every change as a line, where the repair's sentence cannot name them all."""
    if len(repair.changes) <= 8:
        return []
    names = {section.slug: section.name for section in judged.game.sections}
    signs = [f"+{change.by}" if change.by > 0 else f"−{-change.by}" for change in repair.changes]
    return [
        f"{sign} {c.card.name}, {names.get(c.section, c.section)}"
        for sign, c in zip(signs, repair.changes, strict=True)
    ]


def part_or_page(request: HttpRequest) -> str:
    """The template of repairs, of a deck where the context has one, else of a list: the whole page, or what a
    script puts into one.
    """
    return "decks/repairs_inside.html" if request.htmx else "decks/repairs.html"
