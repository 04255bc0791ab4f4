"""The three ways into the editor: a deck is begun with a pasted list, a starter or nothing; a card is put
into a deck from the card's page; a browser follows an edit link.

A deck's edit link lets a browser edit it from then on. The key stands behind #, which browsers send to no
server: so it is in no access log, no proxy's and no Referer. A script sends it to the form, or the visitor
pastes the link. Older links, with the key in the query, go on working (``views.py`` calls ``let_in``).
``test_new.py`` tests each way; more tests of saving a new deck stand in ``tests/decks/pages/test_lists.py``.
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

# Decks that a card's page offers, and characters of an edit link.
MAX_OFFERED, MAX_TYPED = 24, 500
# ``LINK.KEY``, alone or behind the # of an address; or an older link. Two of the four groups match.
_EDIT_LINK = re.compile(
    r"(?:\A|#)([\w-]{1,32})\.([\w-]{1,64})\Z|/decks/([\w-]{1,32})/edit/\?key=([\w-]{1,64})\Z", re.ASCII
)
NO_LINK = (
    "This is no edit link, which has a key behind a #. Paste the whole link that was shown with the deck."
)
NOT_FOUND = (
    "No deck has this edit link. The deck was deleted, is kept private by staff, or has a new address."
)


@form_page
@private
@cache_control(private=True, no_cache=True)
@counted_as_work("POST")
def deck_new(request: HttpRequest) -> HttpResponse:
    """The page on which a deck is begun. ``?game=&starter=`` begins with a starter, ``?game=&add=`` with a
    card by its code.

    POST stores the deck and leads to it, or shows the form again with what is wrong (400, or the status of a
    refusal). With ``start`` it leads to the editor: ``start=empty`` stores a deck without a card, any other
    value one with its list. With ``correct`` one line of the list is put right, and nothing is stored.
    """
    asked, card, status = request.POST if request.method == "POST" else request.GET, None, 200
    game = games().get(asked.get("game", ""))
    starters = [one for one in game.starters if one.slug == asked.get("starter")] if game else []
    starter = starters[0] if starters else None
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
        # A list that says its game goes before the game that was chosen.
        "game": form.judged.game if form.judged else game,
        "games": games().values(),
        "card": card,
        "starter": starter,
        "here": "decks",
    }
    return with_headers(render(request, "decks/editor/deck_new.html", context, status=status), form.refused)


def save_form(deck: Deck, form: DeckForm, viewer: Viewer) -> bool:
    """Store a new deck as the form has it: with the form's list, or without a card for an EmptyDeckForm.

    Returns True if it is stored. Returns False if something is wrong: it stands in the form's errors then,
    and nothing is stored.
    """
    try:
        if isinstance(form, EmptyDeckForm):
            if not form.is_valid():
                return False
            values, game = form.cleaned_data, games()[form.cleaned_data["game"]]
            slug, named = values["format"] or game.formats[0].slug, name_of_new(game, values["name"])
            content = DeckContent(Decklist(name=named), slug, notes=values["notes"])
        elif judged := read_form(form, viewer):
            game, values = judged.game, form.cleaned_data
            named = name_of_new(game, values["name"], judged.deck.name)
            # A list that Cutout wrote holds the notes of its deck.
            content = judged.content(name=named, notes=values["notes"] or judged.reading.notes)
        else:
            return False
        deck.game = game.slug
        save_whole(deck, content, visibility=form.cleaned_data["visibility"])
    except Refused as refused:
        add_faults(form, refused)
        return False
    return True


def draft_of_new(posted: QueryDict, own: OwnLookup) -> DeckForm:
    """The form of a new deck as it was sent, with the correction that ``correct`` names in its list, judged
    again if its game is known. Nothing is saved.
    """
    form = PastedDeckForm(initial=posted.dict())
    # No fault is told here: saving refuses a list beyond the bounds, and asks for a game that is left open.
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
    """The visitor's decks of the card's game, each with a button that puts a copy in; the newest first. POST
    puts one into the deck whose link is ``deck``, and leads to its editor. Raises Http404 for an unknown card
    or deck.
    """
    game = game_or_404(game_slug)
    viewer = viewer_of(request)
    # A card of another person's set is none of these: visitors make a copy in a set of their own first.
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
            # The editor's own button sends the same words, so that bounds and sentences are the same.
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
    """The page that edit links lead to, with a form for the link. POST with ``edit_key``, a link or its end,
    gives the browser the deck and leads to its editor; 400 if that is no link, 404 if no deck has it.
    """
    faults, status = [], 200
    if request.method == "POST":
        faults, status = [Fault("bad_link", NO_LINK, "edit_key")], 400
        if written := _EDIT_LINK.search(request.POST.get("edit_key", "")[:MAX_TYPED].strip()):
            with suppress(Http404):
                return let_in(request, *filter(None, written.groups()))
            faults, status = [Fault("not_found", NOT_FOUND, "edit_key")], 404
    return render(request, "decks/editor/edit_link.html", {"faults": faults, "here": "decks"}, status=status)


def let_in(request: HttpRequest, link: str, key: str) -> HttpResponse:
    """Give the browser the deck, and lead to its editor without the key. Raises Http404 if the key is not
    that deck's, and for a deck that staff keep private, which no further browser may open.

    An account that owns the deck needs no key, so its browser gets no access of its own, which would outlast
    the log-in.
    """
    of_key = Deck.objects.editable_by(Viewer(key_hash=hashed(key))).filter(private_because="")
    # 0 is no account: a visitor without one is not the owner of a deck without one.
    if get_object_or_404(of_key, link=link).owner_id == (request.user.pk or 0):
        return redirect("deck_edit", link=link)
    browser = browser_of(request)
    # The deck is looked up anew under a lock: its key may have been changed meanwhile.
    with transaction.atomic():
        BrowserAccess.objects.grant(browser, get_object_or_404(of_key.select_for_update(), link=link))
    return redirect("deck_edit", link=link)
