"""Ways to pass a deck on: its addresses as text and as QR codes, a deck read from an address, the page that
other sites embed; decks and cards as files for other programs: a deck in every format with what each
leaves out, cards that a query finds or a deck has, all cards of a game.
"""

from collections.abc import Collection, Iterable, Mapping
from datetime import date
from hashlib import blake2b
from typing import Any

import segno
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.cache import get_conditional_response, patch_cache_control
from django.utils.http import content_disposition_header
from django.views.decorators.clickjacking import xframe_options_exempt
from django.views.decorators.http import require_safe

from cardsdb.box.texts import texts_of, with_text
from cardsdb.catalogue.current import catalogue, games
from cardsdb.faults import Fault, Refused
from cardsdb.games.kit import Card, Decklist, Game
from cardsdb.games.kit.listtext.deck import MAX_BYTES, write_deck
from cardsdb.games.kit.listtext.reading import Reading
from cardsdb.identity.viewer import Viewer, viewer_of
from cardsdb.search.results import cards_found, parse_query
from cardsdb.site.errors import refusal
from cardsdb.site.ratelimits import counted_as_work
from cardsdb.site.sharing import EMBEDDED_POLICY, public, public_for_now
from cardsdb.site.shortcuts import game_or_404, private_form, private_page
from decks.core.judging import judge_text
from decks.core.used_format import house_or_refuse
from decks.formats import FORMATS, export
from decks.formats.card_files import CARD_FILES, CardFile, card_database, plugin_files, plugin_zip
from decks.formats.contract import file_stem
from decks.formats.deck_link import MAX_LINK, BadLink, read_link, write_link
from decks.formats.xml_decks import hash_of, plugin_name
from decks.models import Deck, Visibility, visible_deck
from decks.pages.deck import laid_out
from decks.saving.room import note_opened
from decks.web.deck_context import deck_page, judged_context, leagues_seen, open_deck, secret_sections

# Any site may embed this page: it has no form, needs no cookie and shows only what every visitor may see.
EMBEDDED_SIZE = (480, 640)
# The largest QR code with the least error correction holds so many bytes.
MAX_QR = 2_953


@private_page
def deck_share(request: HttpRequest, link: str) -> HttpResponse:
    """Every address of a deck, and what each shows."""
    viewer, deck, game = open_deck(request, link)
    editable = deck.is_editable_by(viewer)
    whole = whole_address(request, deck, game)
    return deck_page(
        request,
        "decks/pages/share.html",
        deck,
        game,
        editable=editable,
        open=deck.visibility != Visibility.PRIVATE,
        page_address=address_of(request, "deck", deck.link),
        whole_address=whole,
        has_code=fits_code(whole),
        embed_address=address_of(request, "deck_embed", deck.link),
        embed_size=EMBEDDED_SIZE,
        secrets=secret_sections(game) if editable and not deck.revealed else [],
        text=write_deck(game, deck.decklist_to_share(game), deck.format_used(game)),
    )


@private_page
def deck_qr(request: HttpRequest, link: str, what: str) -> HttpResponse:
    """The deck's address, or the address with the whole list in it, as a QR code. 404 for a list too long for
    one.
    """
    _, deck, game = open_deck(request, link)
    is_list = what == "list"
    address = whole_address(request, deck, game) if is_list else address_of(request, "deck", deck.link)
    if not fits_code(address):
        raise Http404
    answer = HttpResponse(content_type="image/svg+xml")
    # With a white edge of four modules, which readers need, also on a dark page.
    plain: dict[str, Any] = {"xmldecl": False, "omitsize": True, "svgclass": None, "lineclass": None}
    code = segno.make_qr(address, error="l" if is_list else "m")
    code.save(answer, kind="svg", scale=4, border=4, light="#ffffff", **plain)
    return answer


@private_form
def open_link(request: HttpRequest) -> HttpResponse:
    """A deck read from an address that holds all of it. Browsers do not send what follows #: a script or the
    visitor does.
    """
    context: dict[str, Any] = {"longest": MAX_LINK}
    status = 200
    if request.method == "POST":
        context["typed"] = typed = request.POST.get("address", "")[:MAX_BYTES]
        try:
            linked = read_link(typed, games())
            game = games()[linked.game]
            if format := game.formats_by_slug.get(linked.format):
                format = house_or_refuse(game, format, linked.house, leagues_seen(request))
            judged = judge_text(game, linked.text, format)
        except (BadLink, Refused) as error:
            status, bad = 400, [Fault("bad_link", str(error), "address")]
            context["faults"] = error.faults if isinstance(error, Refused) else bad
        else:
            context |= (
                judged_context(judged)
                | laid_out(judged)
                | {"linked": linked, "unread": judged.unread, "opened": True}
            )
            context["covered"] = sum(entry.count for entry in judged.deck if entry.card.covered)
    return render(request, "decks/pages/open_link.html", context, status=status)


@require_safe
@public_for_now
@xframe_options_exempt
def deck_embed(request: HttpRequest, link: str) -> HttpResponse:
    """The deck for a frame in another site's page: as every visitor with the address sees it."""
    try:
        deck = visible_deck(link, Viewer())
    except Http404:
        # Of a private deck no more than of one that never was; the page that frames it may show that.
        answer = render(request, "decks/pages/embed.html", status=404)
        answer.headers["Content-Security-Policy"] = EMBEDDED_POLICY
        return answer
    note_opened(deck)
    game = game_or_404(deck.game)
    address = address_of(request, "deck", deck.link)
    context = judged_context(deck.judged_for(Viewer(), game)) | {"deck": deck, "address": address}
    answer = render(request, "decks/pages/embed.html", context)
    answer["ETag"] = etag = f'"{blake2b(answer.content, digest_size=12).hexdigest()}"'
    # A deck that becomes private is shown for a minute more at most.
    patch_cache_control(answer, public=True, max_age=60, must_revalidate=True)
    answer = get_conditional_response(request, etag=etag, response=answer) or answer
    # Also in a 304: browsers replace the headers of the page that they have.
    answer.headers["Content-Security-Policy"] = EMBEDDED_POLICY
    return answer


def whole_address(request: HttpRequest, deck: Deck, game: Game) -> str:
    """The address that holds the whole list; cards of secret sections are counted there and not told."""
    fragment = write_link(game, deck.decklist_to_share(game), deck.format_used(game), deck.house)
    return f"{address_of(request, 'open_link')}#{fragment}"


def address_of(request: HttpRequest, name: str, *parts: str) -> str:
    """The whole address of a page."""
    return request.build_absolute_uri(reverse(name, args=parts))


def fits_code(address: str) -> bool:
    """True if a QR code holds this address. That of a deck's page always fits."""
    return len(address.encode()) <= MAX_QR


@private_page
@counted_as_work()
def found_cards(request: HttpRequest) -> HttpResponse:
    """The cards that a query finds, in its order."""
    _kind(request)
    try:
        game, cards = cards_found(parse_query(request.GET.get("q", ""), viewer=viewer_of(request)))
    except Refused as refused:
        return refusal(request, refused, "No file", "Go back to the list and ask otherwise.")
    return _cards(request, game, cards, f"{game.slug}-cards")


@private_page
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


@private_page
def deck_files(request: HttpRequest, link: str) -> HttpResponse:
    """Every file of a deck, each with the report of what it cannot hold."""
    viewer, deck, game = open_deck(request, link)
    reading = reading_of(deck, deck.decklist_for(viewer, game))
    return deck_page(
        request,
        "decks/pages/deck_files.html",
        deck,
        game,
        editable=deck.is_editable_by(viewer),
        files=[(format, export(name, game, reading)) for name, format in FORMATS.items()],
        own_texts=len(texts_of(viewer, game, _codes(reading))),
        with_texts=[format for format in FORMATS.values() if format.with_texts],
        card_files=CARD_FILES.values(),
        hash=hash_of(game, reading.deck),
    )


@private_page
def deck_file(request: HttpRequest, link: str, name: str) -> HttpResponse:
    """One file; with the visitor's own texts where they ask for them."""
    if name not in FORMATS:
        raise Http404
    viewer, deck, game = open_deck(request, link)
    reading = reading_of(deck, deck.decklist_for(viewer, game))
    written = export(name, game, reading, _own_texts(request, game, _codes(reading)))
    charset = "" if "charset" in written.content_type else f"; charset={written.encoding}"
    return _file(written.data, written.content_type + charset, written.filename)


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
    data = plugin_zip(game, *_plugin_made(request, slug))
    return _file(data, "application/zip", f"{plugin_name(game)}.zip")


@require_safe
@public
@counted_as_work()
def lackey_file(request: HttpRequest, slug: str, path: str) -> HttpResponse:
    """One file of the plug-in, where its list of updates says that it is."""
    game = game_or_404(slug)
    data = plugin_files(game, *_plugin_made(request, slug)).get(path)
    if data is None:
        raise Http404
    return HttpResponse(data, content_type="text/plain; charset=utf-8")


def _plugin_made(request: HttpRequest, slug: str) -> tuple[str, date]:
    """The address where a plug-in's files stand, and the day on which the catalogue last changed."""
    made = catalogue().state.made
    address = address_of(request, "lackey_file", slug, "version.txt").removesuffix("version.txt")
    return address, made.date() if made else date(1980, 1, 1)


@require_safe
@public
@counted_as_work()
def cockatrice_cards(request: HttpRequest, slug: str) -> HttpResponse:
    """The card file, to be put into Cockatrice's folder ``customsets``."""
    game = game_or_404(slug)
    text = card_database(game, game.cards, request.build_absolute_uri("/"), str(catalogue().state.number))
    return _file(text.encode(), "application/xml; charset=utf-8", f"{game.slug}.xml")


def _file(data: bytes, content_type: str, name: str) -> HttpResponse:
    disposition = content_disposition_header(True, name) or "attachment"
    return HttpResponse(data, content_type=content_type, headers={"Content-Disposition": disposition})
