"""Ways to pass a deck on: its addresses as text and as QR codes, a deck read from an address, the page that
other sites embed.
"""

from __future__ import annotations

from hashlib import blake2b
from io import BytesIO
from typing import Any

import segno
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.cache import get_conditional_response, patch_cache_control
from django.views.decorators.clickjacking import xframe_options_exempt
from django.views.decorators.http import require_http_methods, require_safe

from cardsdb.catalogue.current import games
from cardsdb.faults import Fault, Refused
from cardsdb.games.kit import Game
from cardsdb.games.kit.listtext.deck import MAX_BYTES, write_deck
from cardsdb.identity.viewer import Viewer
from cardsdb.site.ratelimits import counted_as_work
from cardsdb.site.sharing import EMBEDDED_POLICY, private, public_for_now
from cardsdb.site.shortcuts import game_or_404
from decks.core.judging import judge_text
from decks.core.used_format import house_or_refuse
from decks.formats.deck_link import MAX_LINK, BadLink, read_link, write_link
from decks.models import Deck, Visibility, visible_deck
from decks.saving.room import note_opened
from decks.web.deck_context import deck_page, judged_context, leagues_seen, open_deck

# Any site may embed this page: it has no form, needs no cookie and shows only what everybody may see.
EMBEDDED_SIZE = (480, 640)
# The largest QR code with the least error correction holds so many bytes.
MAX_QR = 2_953


@require_safe
@private
def deck_share(request: HttpRequest, link: str) -> HttpResponse:
    """Every address of a deck, and what each shows."""
    viewer, deck, game = open_deck(request, link)
    editable = deck.is_editable_by(viewer)
    whole = whole_address(request, deck, game)
    secrets = [section.name for section in game.sections if section.secret and editable and not deck.revealed]
    return deck_page(
        request,
        "decks/share.html",
        deck,
        game,
        editable=editable,
        open=deck.visibility != Visibility.PRIVATE,
        page_address=request.build_absolute_uri(reverse("deck", args=[deck.link])),
        whole_address=whole,
        has_code=fits_code(whole),
        embed_address=request.build_absolute_uri(reverse("deck_embed", args=[deck.link])),
        embed_size=EMBEDDED_SIZE,
        secrets=secrets,
        text=write_deck(game, deck.decklist_to_share(game), deck.format_used(game)),
    )


@require_safe
@private
def deck_qr(request: HttpRequest, link: str, what: str) -> HttpResponse:
    """The deck's address, or the address with the whole list in it, as a QR code. 404 for a list too long for
    one.
    """
    _, deck, game = open_deck(request, link)
    address = (
        whole_address(request, deck, game)
        if what == "list"
        else request.build_absolute_uri(reverse("deck", args=[deck.link]))
    )
    if not fits_code(address):
        raise Http404
    code = segno.make_qr(address, error="l" if what == "list" else "m")
    out = BytesIO()
    # With a white edge of four modules, which readers need, also on a dark page.
    code.save(
        out,
        kind="svg",
        scale=4,
        border=4,
        light="#ffffff",
        xmldecl=False,
        omitsize=True,
        svgclass=None,
        lineclass=None,
    )
    return HttpResponse(out.getvalue(), content_type="image/svg+xml")


@require_http_methods(["GET", "HEAD", "POST"])
@private
@counted_as_work("POST")
def open_link(request: HttpRequest) -> HttpResponse:
    """A deck read from an address that holds all of it. Browsers do not send what follows #: a script or the
    visitor does.
    """
    if request.method != "POST":
        return render(request, "decks/open_link.html", {"longest": MAX_LINK, "here": "decks"})
    typed = request.POST.get("address", "")[:MAX_BYTES]
    context: dict[str, Any] = {"typed": typed, "longest": MAX_LINK, "here": "decks"}
    try:
        linked = read_link(typed, games())
        game = games()[linked.game]
        format = game.formats_by_slug.get(linked.format)
        judged = judge_text(
            game,
            linked.text,
            house_or_refuse(game, format, linked.house, leagues_seen(request)) if format else None,
        )
    except (BadLink, Refused) as error:
        faults = error.faults if isinstance(error, Refused) else [Fault("bad_link", str(error), "address")]
        return render(request, "decks/open_link.html", context | {"faults": faults}, status=400)
    context |= judged_context(judged) | {"linked": linked, "unread": judged.unread, "opened": True}
    context["covered"] = sum(entry.count for entry in judged.deck if entry.card.covered)
    return render(request, "decks/open_link.html", context)


@require_safe
@public_for_now
@xframe_options_exempt
def deck_embed(request: HttpRequest, link: str) -> HttpResponse:
    """The deck for a frame in another site's page: what everybody with the address sees."""
    deck = visible_deck(link, Viewer())
    note_opened(deck)
    game = game_or_404(deck.game)
    address = request.build_absolute_uri(reverse("deck", args=[deck.link]))
    context = judged_context(deck.judged_for(Viewer(), game)) | {"deck": deck, "address": address}
    answer = render(request, "decks/embed.html", context)
    etag = f'"{blake2b(answer.content, digest_size=12).hexdigest()}"'
    # A deck that becomes private is shown for a minute more at most.
    patch_cache_control(answer, public=True, max_age=60, must_revalidate=True)
    answer.headers["ETag"] = etag
    answer = get_conditional_response(request, etag=etag, response=answer) or answer
    # Also in a 304: browsers replace the headers of the page that they have.
    answer.headers["Content-Security-Policy"] = EMBEDDED_POLICY
    return answer


def whole_address(request: HttpRequest, deck: Deck, game: Game) -> str:
    """The address that holds the whole list; cards of secret sections are counted there and not told."""
    fragment = write_link(game, deck.decklist_to_share(game), deck.format_used(game), deck.house)
    return request.build_absolute_uri(reverse("open_link")) + "#" + fragment


def fits_code(address: str) -> bool:
    """True if a QR code holds this address. That of a deck's page always fits."""
    return len(address.encode()) <= MAX_QR
