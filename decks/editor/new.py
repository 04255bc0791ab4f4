"""The three ways into the editor: ``deck_new`` begins a deck with a pasted list, a starter or nothing;
``add_card`` puts a card into a deck from the card's page; ``edit_link`` lets a browser in by an edit link.

An edit link is an address that ends with ``#LINK.KEY``. Browsers do not send what follows the #, so the key
appears in no access log, proxy or Referer header. A script copies it into the form of ``edit_link``, or the
visitor pastes the link. Older links have the key in the query (``?key=``) and still work: ``views.py`` calls
``let_in`` for them. Tests: ``tests/decks/editor/test_new.py``.
"""

import re
from contextlib import suppress
from dataclasses import replace

from django.contrib import messages
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.cache import cache_control

from cardsdb.catalogue.current import catalogue, games
from cardsdb.faults import Fault, Refused
from cardsdb.games.kit import Decklist
from cardsdb.identity.viewer import Viewer, browser_of, hashed, viewer_of
from cardsdb.search.own_cards import own_of_game
from cardsdb.site.errors import with_headers
from cardsdb.site.ratelimits import counted_as_work
from cardsdb.site.sharing import private
from cardsdb.site.shortcuts import form_page, game_or_404
from decks.core.content import DeckContent
from decks.core.judging import OwnLookup, game_of, judge_text
from decks.editor.changes import parse_edit
from decks.models import BrowserAccess, Deck, Visibility
from decks.public.listing import IN_LISTS
from decks.saving.room import begin_deck
from decks.saving.save import save_edit, save_whole
from decks.web.deck_context import own_seen, to_new_deck
from decks.web.forms import (
    DeckForm,
    EmptyDeckForm,
    PastedDeckForm,
    add_faults,
    corrected,
    name_of_new,
    read_form,
)

# Decks that the page "add this card" offers.
MAX_OFFERED = 24
# Characters that are read of a pasted edit link.
MAX_TYPED = 500
# ``LINK.KEY``, alone or behind the # of an address (groups 1 and 2); or an older link, which ends with
# ``/decks/LINK/edit/?key=KEY`` (groups 3 and 4).
_EDIT_LINK = re.compile(
    r"(?:\A|#)([\w-]{1,32})\.([\w-]{1,64})\Z|/decks/([\w-]{1,32})/edit/\?key=([\w-]{1,64})\Z", re.ASCII
)
NO_LINK = (
    "This is not an edit link: the key behind the # is missing. Paste the whole link shown with the deck."
)
NOT_FOUND = (
    "No deck has this edit link. The deck was deleted, is kept private by staff, or has a new address."
)


@form_page
@private
@cache_control(private=True, no_cache=True)
@counted_as_work("POST")
def deck_new(request: HttpRequest) -> HttpResponse:
    """The page on which a deck is begun. ``?game=&starter=`` fills in a starter, ``?game=&add=`` one card by
    its code.

    POST stores the deck and redirects to it, or shows the form again with what is wrong (400, or the status
    of a refusal). With ``start`` it redirects to the editor instead: ``start=empty`` stores a deck without
    cards, any other value one with the pasted list. With ``correct`` one line of the list is corrected in the
    form, and nothing is stored.
    """
    asked = request.POST if request.method == "POST" else request.GET
    game = games().get(asked.get("game", ""))
    starters = {starter.slug: starter for starter in game.starters} if game else {}
    starter = starters.get(asked.get("starter", ""))
    # The card that ``add`` names.
    card, status = None, 200
    form: DeckForm
    if request.method != "POST":
        initial = {"game": game.slug if game else "", "visibility": Visibility.PRIVATE}
        code = asked.get("add", "")
        if starter:
            initial |= {name: getattr(starter, name) for name in ("name", "format", "text")}
            initial["notes"] = starter.note
        elif game and (card := game.card(code) or own_of_game(viewer_of(request), game).cards.get(code)):
            initial["text"] = f"1 {game.name_index.label(card)}\n"
        form = PastedDeckForm(initial=initial)
    elif "correct" in asked:
        form = draft_of_new(request.POST, own_seen(request))
    else:
        start = asked.get("start")
        form = EmptyDeckForm(request.POST) if start == "empty" else PastedDeckForm(request.POST)
        deck, key = begin_deck(request, viewer_of(request))
        if save_form(deck, form, viewer_of(request)):
            return to_new_deck(request, deck, key, "deck_edit" if start else "deck")
        status = form.refused.status if form.refused else 400
    context = {
        "form": form,
        "judged": form.judged,
        # A list that names its game overrides the game chosen in the form.
        "game": form.judged.game if form.judged else game,
        "games": games().values(),
        "card": card,
        "starter": starter,
        "here": "decks",
    }
    return with_headers(render(request, "decks/editor/deck_new.html", context, status=status), form.refused)


def save_form(deck: Deck, form: DeckForm, viewer: Viewer) -> bool:
    """Store a new deck from its form: with the form's list, or without cards for an EmptyDeckForm.

    Return True if it is stored. Return False if something is wrong; then the form has the errors and nothing
    is stored.
    """
    try:
        if isinstance(form, EmptyDeckForm):
            if not form.is_valid():
                return False
            values = form.cleaned_data
            game = games()[values["game"]]
            cards = Decklist(name=name_of_new(game, values["name"]))
            content = DeckContent(cards, values["format"] or game.formats[0].slug, notes=values["notes"])
        elif judged := read_form(form, viewer):
            game, values = judged.game, form.cleaned_data
            named = name_of_new(game, values["name"], judged.deck.name)
            # A list exported by Cutout contains the notes of its deck, used if the form has none.
            content = judged.content(name=named, notes=values["notes"] or judged.reading.notes)
        else:
            return False
        deck.game = game.slug
        save_whole(deck, content, visibility=values["visibility"])
    except Refused as refused:
        add_faults(form, refused)
        return False
    return True


def draft_of_new(posted: QueryDict, own: OwnLookup) -> DeckForm:
    """Return the posted form of a new deck with one line corrected, as ``correct`` names it, and judged again
    if the game is known. Nothing is stored.
    """
    form = PastedDeckForm(initial=posted.dict())
    # A list that is too long, or a game that is not chosen, is refused only when the form is saved.
    with suppress(Refused):
        game, why = game_of(posted.get("text", ""), posted.get("game", ""), games())
        form = PastedDeckForm(initial=corrected(posted, game).dict())
        format = game.formats_by_slug.get(posted.get("format", ""))
        judged = judge_text(game, form.initial.get("text", ""), format, own(game))
        form.judged, form.unread = replace(judged, game_guessed=why), judged.unread
    return form


@form_page
@private
def add_card(request: HttpRequest, game_slug: str, code: str) -> HttpResponse:
    """The visitor's decks of the card's game, the newest first, each with a button that adds the card. POST
    adds one copy to the deck whose link is ``deck`` and redirects to its editor. Raise Http404 for an unknown
    card or deck.
    """
    game = game_or_404(game_slug)
    viewer = viewer_of(request)
    # A card of another person's own set cannot be added. Visitors first copy it into a set of their own.
    own_cards = own_of_game(viewer, game)
    card = own_cards.cards.get(code) or catalogue().listed(game_slug, [code]).get(code)
    if card is None:
        raise Http404
    own_decks = Deck.objects.editable_by(viewer).filter(game=game.slug)
    faults = []
    if request.method == "POST":
        deck = get_object_or_404(own_decks, link=request.POST.get("deck", "")[:32])
        section = game.section_for(card.type, game.formats_by_slug.get(deck.format))
        try:
            # The editor's button posts the same words, so bounds and messages are the same here.
            edit = parse_edit({"edit": f"+1 {section} {card.code}"}, game, own_cards)
            save_edit(deck.link, viewer, edit.edit)
            messages.success(request, f"One {card.name} more in “{deck.name}”.")
            return redirect("deck_edit", link=deck.link)
        except Refused as error:
            faults = error.faults
    decks = list(own_decks.only(*IN_LISTS)[:MAX_OFFERED])
    context = {"game": game, "card": card, "decks": decks, "faults": faults, "here": "decks"}
    return render(request, "decks/editor/add_card.html", context, status=400 if faults else 200)


@form_page
@private
def edit_link(request: HttpRequest) -> HttpResponse:
    """The page that edit links lead to, with a form for the link. POST with ``edit_key``, a whole link or its
    end, gives this browser access and redirects to the deck's editor. 400 if that is no edit link, 404 if no
    deck has it.
    """
    faults, status = [], 200
    if request.method == "POST":
        faults, status = [Fault("bad_link", NO_LINK, "edit_key")], 400
        if written := _EDIT_LINK.search(request.POST.get("edit_key", "")[:MAX_TYPED].strip()):
            # Of the two forms of a link, only the two groups of one are filled.
            link, key = filter(None, written.groups())
            try:
                return let_in(request, link, key)
            except Http404:
                faults, status = [Fault("not_found", NOT_FOUND, "edit_key")], 404
    return render(request, "decks/editor/edit_link.html", {"faults": faults, "here": "decks"}, status=status)


def let_in(request: HttpRequest, link: str, key: str) -> HttpResponse:
    """Give this browser access to the deck and redirect to its editor, without the key in the address. Raise
    Http404 if the key does not belong to the deck, and for a deck that staff keep private, which no further
    browser may open.

    An account that owns the deck needs no key. Its browser gets no access of its own, because that would
    outlast the log-in.
    """
    of_key = Deck.objects.editable_by(Viewer(key_hash=hashed(key))).filter(private_because="")
    deck = get_object_or_404(of_key, link=link)
    if deck.owner_id and deck.owner_id == request.user.pk:
        return redirect("deck_edit", link=link)
    browser = browser_of(request)
    # The deck is looked up again under a lock, because its key may have been changed meanwhile.
    with transaction.atomic():
        BrowserAccess.objects.grant(browser, get_object_or_404(of_key.select_for_update(), link=link))
    return redirect("deck_edit", link=link)
