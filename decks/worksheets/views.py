"""The pages of worksheets, alone or with a deck, and the page that reveals a deck's secret sections."""

from __future__ import annotations

import secrets
from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.core.validators import slug_re
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.cache import patch_vary_headers
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from cardsdb.faults import Fault, Refused
from cardsdb.games.kit import Card, Game
from cardsdb.games.kit.play.worksheet import Worksheet
from cardsdb.identity.viewer import Viewer, viewer_of
from cardsdb.site.ratelimits import counted_as_work
from cardsdb.site.sharing import kept_offline, private
from cardsdb.site.shortcuts import game_or_404
from decks.models import Deck
from decks.web.deck_context import judged_context
from decks.worksheets.filling import Filled, fill, fits, put_into, typed_values, worksheet_or_404


@require_safe
@private
@kept_offline
def aids(request: HttpRequest, slug: str) -> HttpResponse:
    """The worksheets of a game; a game without any has no such page."""
    game = game_or_404(slug)
    if not game.worksheets:
        raise Http404
    return render(request, "decks/worksheets.html", {"game": game, "here": "games"})


@require_safe
@private
@kept_offline
def aid(request: HttpRequest, slug: str, aid: str) -> HttpResponse:
    """A worksheet, filled in from the address; htmx gets its outcome alone.

    ``?deck=`` and ``?card=`` open it on a deck, or on one of its cards.
    """
    game = game_or_404(slug)
    sheet = worksheet_or_404(game, aid)
    viewer = viewer_of(request)
    deck = _deck(request.GET.get("deck", ""), viewer, game)
    card = _card(deck, viewer, game, sheet, request.GET.get("card", "")) if deck else None
    if (
        deck
        and not sheet.filled_in_by(request.GET)
        and (filled_in := _standing(deck, viewer, game, sheet, card))
    ):
        return redirect(f"{request.path}?{urlencode({**_place(deck, card), **filled_in})}")
    filled = fill(game, sheet, typed_values(sheet, request.GET))
    context = _context(filled, deck, card, viewer)
    if request.htmx and not request.htmx.history_restore_request:
        answer = render(request, "decks/worksheet_answer.html", context)
        answer["HX-Replace-Url"] = context["here_again"]
    else:
        answer = render(
            request, "decks/worksheet.html", context, status=400 if filled.result.problems else 200
        )
    patch_vary_headers(answer, ["HX-Request", "HX-History-Restore-Request"])
    return answer


@require_POST
@private
@counted_as_work("POST")
def aid_into_deck(request: HttpRequest, slug: str, aid: str, link: str) -> HttpResponse:
    """Put the sheet into a deck. It replaces the card that it was opened from, if any."""
    game = game_or_404(slug)
    sheet = worksheet_or_404(game, aid)
    viewer = viewer_of(request)
    deck = get_object_or_404(Deck.objects.editable_by(viewer), link=link, game=game.slug)
    code = request.POST.get("card", "")[:100]
    filled = fill(game, sheet, typed_values(sheet, request.POST))
    try:
        saved = put_into(deck, viewer, filled, code)
    except Refused as refused:
        context = _context(filled, deck, None, viewer) | {"faults": refused.faults, "code": code}
        return render(request, "decks/worksheet.html", context, status=refused.status)
    name = f"“{filled.judged.deck.entries[0].card.name}”" if sheet.card_type and filled.judged else sheet.name
    done = (
        "stands in the deck as it was"
        if saved.before == saved.after
        else "changed in the deck"
        if code
        else "put into the deck"
    )
    messages.success(request, f"{name}: {done}.")
    return redirect("deck", link=link)


@require_http_methods(["GET", "HEAD", "POST"])
@private
def deck_reveal(request: HttpRequest, link: str) -> HttpResponse:
    """Ask, then show a deck's secret sections to everyone who sees the deck, or hide them again."""
    deck = get_object_or_404(Deck.objects.editable_by(viewer_of(request)), link=link)
    game = game_or_404(deck.game)
    format = game.formats_by_slug.get(deck.format, game.formats[0])
    secret = [section.name for section in game.sections if section.secret and section.slug in format.sections]
    if not secret:
        raise Http404
    if request.method != "POST":
        return render(
            request, "decks/reveal.html", {"deck": deck, "game": game, "secret": secret, "here": "decks"}
        )
    reveal = request.POST.get("revealed") == "yes"
    if not Deck.objects.stored(deck).update(revealed=reveal):
        raise Http404
    listed = ", ".join(secret)
    messages.success(
        request,
        f"{listed}: now shown to everyone who sees the deck." if reveal else f"{listed}: secret again.",
    )
    return redirect("deck", link=link)


def _deck(link: str, viewer: Viewer, game: Game) -> Deck | None:
    """The deck that the address names, None if it names none. Raises Http404 where the viewer may not see
    it.
    """
    if not link:
        return None
    # PostgreSQL refuses a NUL, which no link has.
    if not slug_re.fullmatch(link):
        raise Http404
    return get_object_or_404(Deck.objects.visible_to(viewer).with_cards(), link=link, game=game.slug)


def _card(deck: Deck, viewer: Viewer, game: Game, sheet: Worksheet, code: str) -> Card | None:
    """The card of the deck that the sheet is opened on, None for none. Raises Http404 for a card that the
    deck has not.
    """
    if not code:
        return None
    for entry in deck.decklist_for(viewer, game):
        if entry.card.code == code and entry.card.type == sheet.card_type:
            return entry.card
    raise Http404


def _standing(deck: Deck, viewer: Viewer, game: Game, sheet: Worksheet, card: Card | None) -> dict[str, str]:
    """The parameters that describe what the deck has now."""
    if card and sheet.of_card:
        return sheet.address({**sheet.start, **sheet.of_card(card)})
    if sheet.of_deck and sheet.format == deck.format:
        return sheet.address({**sheet.start, **sheet.of_deck(deck.decklist_for(viewer, game))})
    return {}


def _place(deck: Deck | None, card: Card | None) -> dict[str, str]:
    return ({"deck": deck.link} if deck else {}) | ({"card": card.code} if card else {})


def _context(filled: Filled, deck: Deck | None, card: Card | None, viewer: Viewer) -> dict[str, Any]:
    game, sheet = filled.game, filled.sheet
    own = urlencode(filled.address)
    address = reverse("aid", args=[game.slug, sheet.slug])
    query = urlencode({**_place(deck, card), **filled.address})
    starter = sheet.starter(filled.result.values) if sheet.starter and not filled.result.problems else ""
    return {
        **(judged_context(filled.judged) if filled.judged else {}),
        "game": game,
        "sheet": sheet,
        "filled": filled,
        "faults": [Fault("bad_field", sentence, key) for key, sentence in filled.result.problems],
        "deck": deck,
        "code": card.code if card else "",
        "puts": bool(deck) and fits(sheet, deck) and deck.is_editable_by(viewer) if deck else False,
        "address": address,
        # The name under which a browser keeps what is typed: of the sheet, of its deck, of its card.
        "kept_as": "/".join(filter(None, (game.slug, sheet.slug, *_place(deck, card).values()))),
        "here_again": f"{address}?{query}" if query else address,
        "sheet_query": own,
        "list_name": str(filled.result.values.get("name") or "") or sheet.name,
        "starter": next((ready for ready in game.starters if ready.slug == starter), None),
        "set_up_query": _set_up_query(game, filled),
        "new_seed": secrets.token_hex(4),
        "unread": filled.judged.unread if filled.judged else (),
        "here": "games",
    }


def _set_up_query(game: Game, filled: Filled) -> str:
    """The values of fields that the game's set-up guide asks for too, as parameters."""
    if game.set_up_guide is None:
        return ""
    shared = {"players", *(option.key for option in game.set_up_guide.options)} & {
        field.key for field in filled.sheet.fields
    }
    return urlencode({key: filled.result.typed[key] for key in sorted(shared) if filled.result.typed[key]})
