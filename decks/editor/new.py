"""How a deck begins: from a pasted list, a starter or nothing; and how a card's page puts it into a deck."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_http_methods

from cardsdb.catalogue.current import catalogue, games
from cardsdb.faults import Refused
from cardsdb.games import kit
from cardsdb.games.kit import Decklist, Game, Starter
from cardsdb.identity.viewer import viewer_of
from cardsdb.search.own_cards import own_of_game
from cardsdb.site.errors import with_headers
from cardsdb.site.ratelimits import counted_as_work
from cardsdb.site.sharing import private
from cardsdb.site.shortcuts import game_or_404
from decks.core.content import DeckContent
from decks.editor.changes import parse_edit
from decks.models import Deck, Visibility
from decks.public.listing import IN_LISTS
from decks.saving.room import begin_deck
from decks.saving.save import save_edit, save_whole
from decks.web.deck_context import own_seen, to_new_deck
from decks.web.forms import (
    DeckForm,
    EmptyDeckForm,
    PastedDeckForm,
    add_faults,
    draft_of_new,
    name_of_new,
    save_form,
)


@require_http_methods(["GET", "HEAD", "POST"])
@private
@cache_control(private=True, no_cache=True)
@counted_as_work("POST")
def deck_new(request: HttpRequest) -> HttpResponse:
    """A new deck. ``?game=&starter=`` begins with a starter, ``?game=&add=`` with a card by its code."""
    if request.method != "POST":
        game = games().get(request.GET.get("game", ""))
        starter = _starter(game, request.GET)
        code = request.GET.get("add", "")
        card = (
            game.card(code) or own_of_game(viewer_of(request), game).cards.get(code)
            if game and not starter
            else None
        )
        return _page(request, PastedDeckForm(initial=_beginning(game, starter, card)), game, card, starter)
    game = games().get(request.POST.get("game", ""))
    starter = _starter(game, request.POST)
    if "correct" in request.POST:
        return _page(request, draft_of_new(request.POST, own_seen(request)), game, starter=starter)
    is_empty = request.POST.get("start") == "empty"
    form = EmptyDeckForm(request.POST) if is_empty else PastedDeckForm(request.POST)
    deck, key = begin_deck(request, viewer_of(request))
    if _keep_empty(deck, form) if is_empty else save_form(deck, form, viewer_of(request)):
        return to_new_deck(request, deck, key, "deck_edit" if "start" in request.POST else "deck")
    return with_headers(
        _page(request, form, game, starter=starter, status=form.refused.status if form.refused else 400),
        form.refused,
    )


def _page(
    request: HttpRequest,
    form: DeckForm,
    game: Game | None,
    card: kit.Card | None = None,
    starter: Starter | None = None,
    status: int = 200,
) -> HttpResponse:
    """The page with its form; ``game`` is the one that was chosen, in place of which the list may say one;
    ``card``: all of the list.

    ``starter``: the one that the list began as.
    """
    context = {
        "form": form,
        "judged": form.judged,
        "game": form.judged.game if form.judged else game,
        "games": games().values(),
    }
    return render(
        request,
        "decks/deck_new.html",
        context | {"card": card, "starter": starter, "here": "decks"},
        status=status,
    )


def _starter(game: Game | None, parameters: QueryDict) -> Starter | None:
    return next((s for s in game.starters if s.slug == parameters.get("starter")), None) if game else None


def _beginning(game: Game | None, starter: Starter | None, card: kit.Card | None) -> dict[str, Any]:
    initial: dict[str, Any] = {"game": game.slug if game else "", "visibility": Visibility.PRIVATE}
    if starter:
        initial |= {
            "name": starter.name,
            "format": starter.format,
            "text": starter.text,
            "notes": starter.note,
        }
    elif game and card:
        initial["text"] = f"1 {game.name_index.label(card)}\n"
    return initial


def _keep_empty(deck: Deck, form: DeckForm) -> bool:
    """Store a deck without a card, or put what is wrong into the form's errors. Returns whether it is
    stored.
    """
    if not form.is_valid():
        return False
    values = form.cleaned_data
    game = games()[values["game"]]
    format = game.formats_by_slug.get(values["format"], game.formats[0])
    name = name_of_new(game, values["name"])
    try:
        deck.game = game.slug
        save_whole(
            deck,
            DeckContent(Decklist(name=name), format.slug, notes=values["notes"]),
            visibility=values["visibility"],
        )
    except Refused as refused:
        add_faults(form, refused)
        return False
    return True


MAX_OFFERED = 24


@require_http_methods(["GET", "HEAD", "POST"])
@private
def add_card(request: HttpRequest, game_slug: str, code: str) -> HttpResponse:
    """The visitor's decks of the card's game, each with a button that puts a copy in; the newest first."""
    game = game_or_404(game_slug)
    viewer = viewer_of(request)
    # Of others' sets one puts a copy of one's own into decks.
    made = own_of_game(viewer, game)
    card = made.cards.get(code) or catalogue().listed(game_slug, [code]).get(code)
    if card is None:
        raise Http404
    own = Deck.objects.editable_by(viewer).filter(game=game.slug)
    faults = []
    if request.method == "POST":
        deck = get_object_or_404(own, link=request.POST.get("deck", "")[:32])
        section = game.section_for(card.type, game.formats_by_slug.get(deck.format))
        try:
            # Read as the editor's own button is, so that bounds and sentences are the same.
            edit = parse_edit({"edit": f"+1 {section} {card.code}"}, game, made)
            save_edit(deck.link, viewer, edit.edit)
            messages.success(request, f"One {card.name} more in “{deck.name}”.")
            return redirect("deck_edit", link=deck.link)
        except Refused as error:
            faults = error.faults
    decks = list(own.only(*IN_LISTS)[:MAX_OFFERED])
    context = {"game": game, "card": card, "decks": decks, "faults": faults, "here": "decks"}
    return render(request, "decks/add_card.html", context, status=400 if faults else 200)
