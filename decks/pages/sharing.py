"""The ways to pass a deck on: its addresses as text and as QR codes, an address that contains the whole list,
a page for other sites to embed, and files. A deck can be written in every format of ``decks/formats``. There
are also files of cards: of those that a query finds, of a deck's, and of all cards of a game for LackeyCCG
and Cockatrice.

Invariant: another visitor never learns the cards of secret sections. Addresses are therefore made from
``decklist_to_share``, files from ``decklist_for(viewer)``, and the embedded page as for a stranger.
Tests: ``tests/decks/pages/test_sharing.py``.
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
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
from cardsdb.games.kit import Card, Game
from cardsdb.games.kit.listtext.deck import MAX_BYTES, write_deck
from cardsdb.games.kit.listtext.reading import Reading
from cardsdb.identity.viewer import Viewer, viewer_of
from cardsdb.search.results import cards_found, parse_query
from cardsdb.site.errors import refusal
from cardsdb.site.ratelimits import counted_as_work
from cardsdb.site.sharing import EMBEDDED_POLICY, public, public_for_now
from cardsdb.site.shortcuts import game_or_404, or_404, private_form, private_page
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

# Width and height in pixels that the code for embedding proposes.
EMBEDDED_SIZE = (480, 640)
# Pixels of one module (one square) of a QR code.
QR_SCALE = 4
# Modules of the white edge that readers need, on a dark page too: the quiet zone of ISO/IEC 18004.
QR_EDGE = 4
# Bytes that the largest QR code (version 40) holds with the lowest error correction (L).
MAX_QR = 2_953


@private_page
def deck_share(request: HttpRequest, link: str) -> HttpResponse:
    """The page "Share": every address of a deck, and what each one shows."""
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
    """The QR code, as SVG, of the deck's page, or of the address that contains the whole list (``what`` is
    "list"). 404 if that address is too long for a QR code.
    """
    _, deck, game = open_deck(request, link)
    is_list = what == "list"
    address = whole_address(request, deck, game) if is_list else address_of(request, "deck", deck.link)
    or_404(fits_code(address))
    answer = HttpResponse(content_type="image/svg+xml")
    # No XML declaration, no size (the page sets it), no classes.
    plain: dict[str, Any] = {"xmldecl": False, "omitsize": True, "svgclass": None, "lineclass": None}
    # The lowest error correction leaves most room for a list; the short address can afford a higher one.
    code = segno.make_qr(address, error="l" if is_list else "m")
    code.save(answer, kind="svg", scale=QR_SCALE, border=QR_EDGE, light="#ffffff", **plain)
    return answer


@private_form
def open_link(request: HttpRequest) -> HttpResponse:
    """The page that shows a deck from an address that contains its whole list. Browsers do not send what
    follows the #, so a script, or the visitor by pasting the address, posts it.
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
    """The deck's page for a frame in another site. Any site may embed it: it has no form, needs no cookie,
    and shows what every visitor with the address may see.
    """
    try:
        deck = visible_deck(link, Viewer())
    except Http404:
        # A private deck and one that never existed look the same. The framing site may show this answer, too.
        answer = render(request, "decks/pages/embed.html", status=404)
        answer.headers["Content-Security-Policy"] = EMBEDDED_POLICY
        return answer
    note_opened(deck)
    game = game_or_404(deck.game)
    address = address_of(request, "deck", deck.link)
    context = judged_context(deck.judged_for(Viewer(), game)) | {"deck": deck, "address": address}
    answer = render(request, "decks/pages/embed.html", context)
    answer["ETag"] = etag = f'"{blake2b(answer.content, digest_size=12).hexdigest()}"'
    # Kept by caches for one minute: a deck that becomes private disappears after that.
    patch_cache_control(answer, public=True, max_age=60, must_revalidate=True)
    answer = get_conditional_response(request, etag=etag, response=answer) or answer
    # A 304 needs this header too, because browsers update the headers of their stored page from it.
    answer.headers["Content-Security-Policy"] = EMBEDDED_POLICY
    return answer


def whole_address(request: HttpRequest, deck: Deck, game: Game) -> str:
    """The address that contains the whole list. Cards of secret sections are only counted in it."""
    fragment = write_link(game, deck.decklist_to_share(game), deck.format_used(game), deck.house)
    return f"{address_of(request, 'open_link')}#{fragment}"


def address_of(request: HttpRequest, name: str, *parts: str) -> str:
    """The absolute address of a page by the name of its URL pattern."""
    return request.build_absolute_uri(reverse(name, args=parts))


def fits_code(address: str) -> bool:
    """True if a QR code can hold this address. The address of a deck's page is always short enough."""
    return len(address.encode()) <= MAX_QR


@private_page
@counted_as_work()
def found_cards(request: HttpRequest) -> HttpResponse:
    """A file of the cards that a query finds, in its order."""
    kind = _file_kind(request)
    try:
        game, cards = cards_found(parse_query(request.GET.get("q", ""), viewer=viewer_of(request)))
    except Refused as refused:
        return refusal(request, refused, "No file", "Go back to the list and ask otherwise.")
    return _card_file(request, kind, game, cards, f"{game.slug}-cards")


@private_page
@counted_as_work()
def deck_cards(request: HttpRequest, link: str) -> HttpResponse:
    """A file of the cards of a deck that this visitor may see, each once, without cards that are
    written in.
    """
    kind = _file_kind(request)
    viewer, deck, game = open_deck(request, link)
    decklist = deck.decklist_for(viewer, game)
    cards = {entry.card.code: entry.card for entry in decklist if not entry.card.written}
    return _card_file(request, kind, game, cards.values(), f"{file_stem(game, decklist)}-cards")


def _file_kind(request: HttpRequest) -> CardFile:
    """The kind of card file that ``?to=`` names. Raise Http404 if there is no such kind."""
    return or_404(CARD_FILES.get(request.GET.get("to", "")))


def _card_file(
    request: HttpRequest, kind: CardFile, game: Game, cards: Collection[Card], stem: str
) -> HttpResponse:
    """A file of these cards, with the visitor's own texts if the request asks for them. ``stem``: its name
    without suffix.
    """
    texts = _own_texts(request, game, (card.code for card in cards)) or {}
    data = kind.write(game, [with_text(card, texts) for card in cards]).encode("utf-8", "replace")
    return _download(data, f"{kind.content_type}; charset=utf-8", stem + kind.suffix)


def _own_texts(request: HttpRequest, game: Game, codes: Iterable[str]) -> Mapping[str, str] | None:
    """Card code -> text that this visitor has for it, or None unless the request asks for texts
    (``?texts=mine``).
    """
    return texts_of(viewer_of(request), game, [*codes]) if request.GET.get("texts") == "mine" else None


@private_page
def deck_files(request: HttpRequest, link: str) -> HttpResponse:
    """The page with every file of a deck, each with a report of what its format cannot hold."""
    viewer, deck, game = open_deck(request, link)
    reading = _reading_for(viewer, deck, game)
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
    """One file of a deck in the format ``name``; with ``?texts=mine`` it has the visitor's own texts."""
    or_404(name in FORMATS)
    viewer, deck, game = open_deck(request, link)
    reading = _reading_for(viewer, deck, game)
    written = export(name, game, reading, _own_texts(request, game, _codes(reading)))
    # Some formats state it themselves.
    charset = "" if "charset" in written.content_type else f"; charset={written.encoding}"
    return _download(written.data, written.content_type + charset, written.filename)


def _codes(reading: Reading) -> list[str]:
    """The codes of the catalogue's cards in the list."""
    return [entry.card.code for entry in reading.deck if not entry.card.written]


def _reading_for(viewer: Viewer, deck: Deck, game: Game) -> Reading:
    """The deck as ``export`` writes it, with the cards that this viewer may see."""
    return replace(deck.content(), deck=deck.decklist_for(viewer, game)).as_reading()


@require_safe
@public
@counted_as_work()
def lackey_plugin(request: HttpRequest, slug: str) -> HttpResponse:
    """The game's LackeyCCG plug-in as one ZIP archive, to be unpacked into its folder ``plugins``."""
    game = game_or_404(slug)
    data = plugin_zip(game, *_plugin_made(request, slug))
    return _download(data, "application/zip", f"{plugin_name(game)}.zip")


@require_safe
@public
@counted_as_work()
def lackey_file(request: HttpRequest, slug: str, path: str) -> HttpResponse:
    """One file of the plug-in, at the address that the plug-in's own list of updates gives."""
    game = game_or_404(slug)
    data = plugin_files(game, *_plugin_made(request, slug)).get(path)
    if data is None:
        raise Http404
    return HttpResponse(data, content_type="text/plain; charset=utf-8")


def _plugin_made(request: HttpRequest, slug: str) -> tuple[str, date]:
    """Return (the address of the plug-in's folder, the day on which the catalogue last changed)."""
    made = catalogue().state.made
    address = address_of(request, "lackey_file", slug, "version.txt").removesuffix("version.txt")
    # A catalogue that was never loaded has no day; a ZIP archive begins to count in 1980.
    return address, made.date() if made else date(1980, 1, 1)


@require_safe
@public
@counted_as_work()
def cockatrice_cards(request: HttpRequest, slug: str) -> HttpResponse:
    """The game's cards as a file for Cockatrice's folder ``customsets``."""
    game = game_or_404(slug)
    text = card_database(game, game.cards, request.build_absolute_uri("/"), str(catalogue().state.number))
    return _download(text.encode(), "application/xml; charset=utf-8", f"{game.slug}.xml")


def _download(data: bytes, content_type: str, name: str) -> HttpResponse:
    """Return the data as a file that the browser stores under this name."""
    disposition = content_disposition_header(True, name) or "attachment"
    return HttpResponse(data, content_type=content_type, headers={"Content-Disposition": disposition})
