"""A new deck: from a pasted list, from a ready one, or empty and straight into the editor."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_http_methods

from cardsdb.games import games
from cardsdb.games.kit import Decklist, Game
from cardsdb.games.kit.listtext.names import name_index
from cardsdb.site.faults import Refused
from cardsdb.site.ratelimits import counted_as_work
from decks.core.content import DeckContent
from decks.identity.viewer import browser_of
from decks.models import Deck, Visibility, new_deck
from decks.saving.save import save_whole
from decks.web.edit_key import grant_browser_access, to_deck
from decks.web.forms import EmptyDeckForm, NewDeckForm, name_of_new
from decks.web.list_form import add_faults, draft, save_form


@require_http_methods(["GET", "HEAD", "POST"])
@counted_as_work("POST")
def deck_new(request: HttpRequest) -> HttpResponse:
    """A new deck. ``?game=&starter=`` begins with a ready one, ``?game=&add=`` with a card by its code."""
    if request.method != "POST":
        game = games().get(request.GET.get("game", ""))
        form = NewDeckForm(initial=_beginning(game, request.GET.get("starter", ""), request.GET.get("add", "")))
        return render(request, "decks/deck_new.html", {"form": form, "game": game, "games": games().values(), "here": "decks"})
    game = games().get(request.POST.get("game", ""))
    context = {"game": game, "games": games().values(), "here": "decks"}
    if "correct" in request.POST:
        return render(request, "decks/deck_new.html", context | {"form": draft(request.POST, game)})
    is_empty = request.POST.get("start") == "empty"
    form = EmptyDeckForm(request.POST) if is_empty else NewDeckForm(request.POST)
    deck, key = new_deck(owner_id=request.user.pk)
    if _keep_empty(deck, form) if is_empty else save_form(deck, form):
        if not deck.owner_id:
            grant_browser_access(browser_of(request), deck)
        return to_deck(deck, key, "deck_edit" if is_empty else "deck")
    return render(request, "decks/deck_new.html", context | {"form": form}, status=400)


def _beginning(game: Game | None, starter: str, code: str) -> dict[str, Any]:
    initial: dict[str, Any] = {"game": game.slug if game else "", "visibility": Visibility.PRIVATE}
    ready = next((s for s in game.starters if s.slug == starter), None) if game else None
    if ready:
        initial |= {"name": ready.name, "format": ready.format, "text": ready.text, "notes": ready.note}
    card = game.card(code) if game and code and not ready else None
    if game and card:
        initial["text"] = f"1 {name_index(game).label(card)}\n"
    return initial


def _keep_empty(deck: Deck, form: NewDeckForm) -> bool:
    """Store a deck without a card, or put what is wrong into the form."""
    if not form.is_valid():
        return False
    values = form.cleaned_data
    game = games()[values["game"]]
    format = game.formats_by_slug.get(values["format"], game.formats[0])
    name = name_of_new(game, values["name"])
    try:
        deck.game = game.slug
        save_whole(deck, DeckContent(Decklist(name=name), format.slug, notes=values["notes"]), visibility=values["visibility"])
    except Refused as refused:
        add_faults(form, refused)
        return False
    return True
