"""Decks and cards as files for other programs: a deck in every format with what each leaves out, cards that a
query finds or a deck has, all cards of a game.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from datetime import date

from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.http import content_disposition_header
from django.views.decorators.http import require_safe

from cardsdb.box.texts import texts_of, with_text
from cardsdb.catalogue.current import catalogue
from cardsdb.faults import Refused
from cardsdb.games.kit import Card, Decklist, Game
from cardsdb.games.kit.listtext.reading import Reading
from cardsdb.identity.viewer import viewer_of
from cardsdb.search.card_query import parse_query
from cardsdb.search.results import cards_found
from cardsdb.site.errors import refusal
from cardsdb.site.ratelimits import counted_as_work
from cardsdb.site.sharing import private, public
from cardsdb.site.shortcuts import game_or_404
from decks.formats import FORMATS, export
from decks.formats.card_files import CARD_FILES, CardFile
from decks.formats.cockatrice import card_database, hash_of
from decks.formats.contract import file_stem
from decks.formats.lackey import plugin_files, plugin_name, plugin_zip
from decks.models import Deck
from decks.web.deck_context import deck_page, open_deck


@require_safe
@private
@counted_as_work()
def found_cards(request: HttpRequest) -> HttpResponse:
    """The cards that a query finds, in its order."""
    _kind(request)
    try:
        game, cards = cards_found(parse_query(request.GET.get("q", ""), viewer=viewer_of(request)))
    except Refused as refused:
        return refusal(request, refused, "No file", "Go back to the list and ask otherwise.")
    return _cards(request, game, cards, f"{game.slug}-cards")


@require_safe
@private
@counted_as_work()
def deck_cards(request: HttpRequest, link: str) -> HttpResponse:
    """The cards of a deck that this visitor may see, each once; none that is written in."""
    _kind(request)
    viewer, deck, game = open_deck(request, link)
    decklist = deck.decklist_for(viewer, game)
    cards = {entry.card.code: entry.card for entry in decklist if not entry.card.written}
    return _cards(request, game, cards.values(), f"{file_stem(game, decklist)}-cards")


def _kind(request: HttpRequest) -> CardFile:
    if (kind := CARD_FILES.get(request.GET.get("to", ""))) is None:
        raise Http404
    return kind


def _cards(request: HttpRequest, game: Game, cards: Collection[Card], stem: str) -> HttpResponse:
    """The cards in the kind of file that the request asks for."""
    kind, texts = _kind(request), _own_texts(request, game, (card.code for card in cards)) or {}
    data = kind.write(game, [with_text(card, texts) for card in cards]).encode("utf-8", "replace")
    return _file(data, f"{kind.content_type}; charset=utf-8", stem + kind.suffix)


def _own_texts(request: HttpRequest, game: Game, codes: Iterable[str]) -> Mapping[str, str] | None:
    """Card code -> text of those that this visitor has; None where they do not ask for them."""
    return texts_of(viewer_of(request), game, [*codes]) if request.GET.get("texts") == "mine" else None


@require_safe
@private
def deck_files(request: HttpRequest, link: str) -> HttpResponse:
    """Every file of a deck, each with the report of what it cannot hold."""
    viewer, deck, game = open_deck(request, link)
    reading = reading_of(deck, deck.decklist_for(viewer, game))
    return deck_page(
        request,
        "decks/deck_files.html",
        deck,
        game,
        editable=deck.is_editable_by(viewer),
        files=[(format, export(name, game, reading)) for name, format in FORMATS.items()],
        own_texts=len(texts_of(viewer, game, _codes(reading))),
        with_texts=[format for format in FORMATS.values() if format.with_texts],
        card_files=CARD_FILES.values(),
        hash=hash_of(game, reading.deck),
    )


@require_safe
@private
def deck_file(request: HttpRequest, link: str, name: str) -> HttpResponse:
    """One file; with the visitor's own texts where they ask for them."""
    if name not in FORMATS:
        raise Http404
    viewer, deck, game = open_deck(request, link)
    reading = reading_of(deck, deck.decklist_for(viewer, game))
    written = export(name, game, reading, _own_texts(request, game, _codes(reading)))
    named = "charset" in written.content_type
    content_type = written.content_type if named else f"{written.content_type}; charset={written.encoding}"
    return _file(written.data, content_type, written.filename)


def _codes(reading: Reading) -> list[str]:
    return [entry.card.code for entry in reading.deck if not entry.card.written]


def reading_of(deck: Deck, decklist: Decklist) -> Reading:
    """These cards of a deck and its author's words about it, as every format writes them."""
    return Reading(
        decklist,
        format=deck.format,
        notes="\n".join(deck.notes.splitlines()),
        tags=tuple(deck.tags),
        house=deck.house,
    )


@require_safe
@public
@counted_as_work()
def lackey_plugin(request: HttpRequest, slug: str) -> HttpResponse:
    """The plug-in in one archive, ready to be unpacked into LackeyCCG's folder ``plugins``."""
    game = game_or_404(slug)
    return _file(
        plugin_zip(game, _address(request, slug), _day()), "application/zip", f"{plugin_name(game)}.zip"
    )


@require_safe
@public
@counted_as_work()
def lackey_file(request: HttpRequest, slug: str, path: str) -> HttpResponse:
    """One file of the plug-in, where its list of updates says that it is."""
    game = game_or_404(slug)
    data = plugin_files(game, _address(request, slug), _day()).get(path)
    if data is None:
        raise Http404
    return HttpResponse(data, content_type="text/plain; charset=utf-8")


def _day() -> date:
    """When the catalogue last changed."""
    made = catalogue().state.made
    return made.date() if made else date(1980, 1, 1)


def _address(request: HttpRequest, slug: str) -> str:
    return request.build_absolute_uri(reverse("lackey_file", args=[slug, "version.txt"])).removesuffix(
        "version.txt"
    )


@require_safe
@public
@counted_as_work()
def cockatrice_cards(request: HttpRequest, slug: str) -> HttpResponse:
    """The card file, to be put into Cockatrice's folder ``customsets``."""
    game = game_or_404(slug)
    text = card_database(game, request.build_absolute_uri("/"), str(catalogue().state.number))
    return _file(text.encode(), "application/xml; charset=utf-8", f"{game.slug}.xml")


def _file(data: bytes, content_type: str, name: str) -> HttpResponse:
    disposition = content_disposition_header(True, name) or "attachment"
    return HttpResponse(data, content_type=content_type, headers={"Content-Disposition": disposition})
