"""A collection compared with decks: what a deck lacks, which decks can be built at once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from django.contrib import messages
from django.db.models import Sum
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.dateformat import format
from django.views.decorators.http import require_http_methods, require_safe

from cardsdb.catalogue.current import game_named, games
from cardsdb.games.kit import Decklist, Entry, Game
from cardsdb.games.kit.listtext.line import line_for
from cardsdb.identity.viewer import viewer_of
from cardsdb.models import Card
from cardsdb.site.ratelimits import counted_as_work
from cardsdb.site.sharing import private
from decks.collection.holding import Change, change, collection_of, copies, own_collection
from decks.core.shortages import MAX_TRIED, Scarce, most_together, scarce, shortages, wanted
from decks.models import Deck, DeckLine
from decks.public.listing import IN_LISTS
from decks.web.deck_context import deck_page, open_deck

# The visitor's newest decks that are offered.
MAX_OFFERED = 60
MAX_SCARCE = 200


@require_http_methods(["GET", "HEAD", "POST"])
@private
@counted_as_work("POST")
def deck_missing(request: HttpRequest, link: str) -> HttpResponse:
    """The cards that the visitor lacks for a deck, as a table and as a list. POST notes all of them as
    owned.
    """
    viewer, deck, game = open_deck(request, link)
    decklist = deck.decklist_for(viewer, game)
    wants = wanted(decklist)
    mine = collection_of(viewer)
    lacking = shortages(wants, copies(mine, _pairs(wants)))
    if request.method == "POST":
        change(
            own_collection(request), [Change(*short.key.split("/", 1), short.missing) for short in lacking]
        )
        messages.success(request, f"Every card of “{deck.name}” is noted as yours.")
        return redirect("deck_missing", link=link)
    cards = {entry.card.key: entry.card for entry in decklist}
    rows = [{"card": cards[short.key], "short": short} for short in lacking]
    return deck_page(
        request,
        "decks/collection/missing.html",
        deck,
        game,
        editable=deck.is_editable_by(viewer),
        mine=mine,
        rows=rows,
        missing=sum(short.missing for short in lacking),
        total=sum(wants.values()),
        written=sum(entry.count for entry in decklist if entry.card.written),
        text=_text(game, decklist, {short.key: short.missing for short in lacking}),
        here="collection",
    )


@require_safe
@private
@counted_as_work()
def buildable(request: HttpRequest) -> HttpResponse:
    """Show the visitor's decks that their collection can build: each alone, and those ticked all at once."""
    viewer = viewer_of(request)
    offered = Deck.objects.editable_by(viewer).filter(game__in=games()).only(*IN_LISTS)[:MAX_OFFERED]
    decks = {deck.pk: deck for deck in offered}
    wants = _wanted_by(decks.values())
    owned = copies(collection_of(viewer))
    chosen = [link for link in dict.fromkeys(request.GET.getlist("deck")) if link in wants]
    names = _called(decks.values())
    rows = [
        {
            "deck": deck,
            "called": names[deck.link],
            "game": game,
            "format": game.formats_by_slug.get(deck.format),
            "total": sum(wants[deck.link].values()),
            "missing": sum(short.missing for short in shortages(wants[deck.link], owned)),
            "chosen": deck.link in chosen,
        }
        for deck in decks.values()
        if (game := game_named(deck.game))
    ]
    context: dict[str, Any] = {
        "rows": rows,
        "chosen": chosen,
        "most": MAX_TRIED,
        "owned": sum(owned.values()),
        "here": "collection",
    }
    if chosen:
        context |= _at_once(chosen, wants, owned, names)
    return render(request, "decks/collection/buildable.html", context)


def _called(decks: Iterable[Deck]) -> dict[str, str]:
    """Link -> the deck's name, with the time of its last change where another deck has the same name."""
    decks = list(decks)
    names = Counter(deck.name for deck in decks)
    return {
        deck.link: deck.name
        if names[deck.name] == 1
        else f"{deck.name} ({format(deck.changed, 'j F Y, H:i')})"
        for deck in decks
    }


def _wanted_by(decks: Iterable[Deck]) -> dict[str, dict[str, int]]:
    """Link -> card's key -> copies that the deck needs, for all decks in one query and without building
    decklists.
    """
    links = {deck.pk: deck.link for deck in decks}
    wants: dict[str, dict[str, int]] = {link: {} for link in links.values()}
    lines = DeckLine.objects.in_decks(links).filter(card__isnull=False).order_by()
    for deck, game, code, count in lines.values_list("deck", "card__game", "card__code").annotate(
        copies=Sum("count")
    ):
        wants[links[deck]][f"{game}/{code}"] = count
    return wants


def _at_once(
    chosen: list[str], wants: dict[str, dict[str, int]], owned: dict[str, int], names: dict[str, str]
) -> dict[str, Any]:
    ticked = {link: wants[link] for link in chosen}
    scarce_cards = scarce(ticked, owned)
    shown = scarce_cards[:MAX_SCARCE]
    card_names = _names(shown)
    rows: list[dict[str, Any]] = [
        {
            "name": card_names.get(card.key, card.key),
            "scarce": card,
            "wants": [(names[link], count) for link, count in card.wants],
        }
        for card in shown
    ]
    # Cards that the decks contest are told apart from cards that one deck lacks whatever the others take.
    contested = [row for row in rows if row["scarce"].is_contested]
    lacking = [row for row in rows if not row["scarce"].is_contested]
    together = most_together(ticked, owned) if len(chosen) <= MAX_TRIED else None
    title = "What one deck alone wants and you lack" if len(chosen) > 1 else "What it lacks"
    tables = [("Where they get in each other’s way", contested), (title, lacking)]
    return {
        "scarce": [table for table in tables if table[1]],
        "more": len(scarce_cards) - len(shown),
        "together": None if together is None else [names[link] for link in together],
    }


def _names(cards: Sequence[Scarce]) -> dict[str, str]:
    """Key -> the card's name, for all cards in one query."""
    pairs = _pairs({card.key: 1 for card in cards})
    rows = Card.objects.filter(
        game__in={game for game, _ in pairs}, code__in={code for _, code in pairs}
    ).only("game", "code", "name")
    return {row.key: row.name for row in rows}


def _pairs(wants: dict[str, int]) -> list[tuple[str, str]]:
    return [(game, code) for game, _, code in (key.partition("/") for key in wants)]


def _text(game: Game, deck: Decklist, missing: dict[str, int]) -> str:
    """The missing cards, as lines of a list."""
    cards = {entry.card.key: entry.card for entry in deck if entry.card.key in missing}
    return "".join(
        f"{line_for(game, Entry(card, min(missing[key], 99), ''))}\n" for key, card in cards.items()
    )
