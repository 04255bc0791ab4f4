"""The pages of house rules: of a deck, kept with it; and of a format, kept in the address."""

from __future__ import annotations

from dataclasses import replace
from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from cardsdb.games.kit import Decklist, Format, Game
from cardsdb.games.kit.rules.house_rules import still_known, with_house_rules
from cardsdb.site.faults import Refused
from cardsdb.site.ratelimits import counted_as_work
from cardsdb.site.shortcuts import game_or_404
from decks.check.house_forms import NumbersForm, format_of, numbers_form, stored_numbers
from decks.core.content import DeckContent
from decks.core.judging import judge
from decks.core.viewer import browser_of, viewer_of
from decks.models import Deck, Visibility, new_deck
from decks.pages.deck_views import judged_context, to_deck
from decks.pages.forms import name_of_new
from decks.saving.keep import grant_browser_access
from decks.saving.record import record_change


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@counted_as_work("POST")
def deck_house(request: HttpRequest, link: str) -> HttpResponse:
    """The numbers a deck is judged by. "Try" shows the verdict they would give, "save" keeps them with the deck."""
    viewer = viewer_of(request)
    deck = get_object_or_404(Deck.objects.editable_by(viewer).with_cards(), link=link)
    game = game_or_404(deck.game)
    format = format_of(game, deck.format)
    typed = request.POST.dict() if request.method == "POST" else stored_numbers(still_known(format, deck.house))
    form = numbers_form(format, {} if "clear" in typed else typed)
    if request.method == "POST" and not form.errors and "try" not in typed and _keep(request, link, format, form):
        return redirect("deck_house", link=link)
    used = format if form.errors else with_house_rules(format, form.house())
    context = {"deck": deck, "editable": True, "numbers": form, "format": format, "here": "decks", "tried": "try" in typed}
    context |= {"saved": deck.house, **judged_context(judge(game, deck.decklist(), used))}
    return render(request, "decks/house_rules_deck.html", context, status=400 if form.errors else 200)


def _keep(request: HttpRequest, link: str, format: Format, form: NumbersForm) -> bool:
    """Store the numbers with the deck; what keeps them from it is told on the page."""

    def edit(content: DeckContent) -> DeckContent:
        # The format may have been changed meanwhile: then only the numbers it has too are meant.
        return replace(content, house=form.house() if content.format == format.slug else content.house)

    try:
        recorded = record_change(link, viewer_of(request), edit)
    except Refused as refused:
        for fault in refused.faults:
            messages.error(request, fault.message)
        return False
    kept = "House rules are kept with the deck" if recorded.after.house else "The deck is judged by the rulebook's numbers"
    messages.success(request, f"{kept}: {recorded.deck.verdict_words.lower()}.")
    return True


@require_http_methods(["GET", "HEAD", "POST"])
@counted_as_work("POST")
def house_rules(request: HttpRequest, game_slug: str) -> HttpResponse:
    """A format's numbers, whole in the address: whoever has the link has the rules. POST begins a deck with them."""
    game = game_or_404(game_slug)
    asked = request.POST if request.method == "POST" else request.GET
    format = format_of(game, asked.get("format", ""))
    form = numbers_form(format, asked.dict())
    if request.method == "POST" and not form.errors:
        return _begin(request, game, format, form.house())
    context: dict[str, Any] = {"game": game, "format": format, "numbers": form, "here": "games"}
    if not form.errors:
        house = form.house()
        own = {"format": format.slug, **stored_numbers(house)}
        context |= {
            "used": with_house_rules(format, house),
            "address": request.build_absolute_uri(f"{reverse('house_rules', args=[game.slug])}?{urlencode(own)}"),
            "check_address": f"{reverse('check')}?{urlencode({'game': game.slug, 'format': format.slug, 'house': house})}",
        }
    return render(request, "decks/house_rules.html", context, status=400 if form.errors else 200)


def _begin(request: HttpRequest, game: Game, format: Format, house: str) -> HttpResponse:
    """A new deck without a card, judged by these numbers, opened in the editor."""
    deck, key = new_deck(owner_id=request.user.pk)
    name = name_of_new(game)
    deck.keep(judge(game, Decklist(name=name), with_house_rules(format, house)), name=name, house=house, visibility=Visibility.PRIVATE)
    if not deck.owner_id:
        grant_browser_access(browser_of(request), deck)
    return to_deck(deck, key, "deck_edit")
