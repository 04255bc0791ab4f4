"""Views of drawings that are not prints: faces of cards, the picture of a deck for other sites, and
worksheets.

Answers have an ETag from a hash of everything drawn (``face_key``, ``DeckShown.key``). PNGs, PDFs and strips
of faces, which are slow to make, are also cached in memory under that tag. Tests in ``tests/printing``: of
faces ``web/test_drawing_views.py``, of own faces ``web/test_own_faces.py``, of strips ``render/test_svg.py``,
of worksheets ``extras/test_worksheets.py``; of the picture of a deck ``tests/decks/pages/test_sharing.py``.
"""

from base64 import b64encode
from collections import Counter
from collections.abc import Callable, Iterable
from functools import partial

import brotli
from django.core.cache.backends.locmem import LocMemCache
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils.cache import get_conditional_response
from django.utils.http import content_disposition_header
from django.views.decorators.http import require_safe

from cardsdb.box.picture_store import small_copy
from cardsdb.box.pictures import MAX_IN_STRIP, pictures_of
from cardsdb.box.texts import texts_of, with_text
from cardsdb.catalogue.current import catalogue
from cardsdb.faults import Fault, Refused
from cardsdb.games.kit import OWN_CODE, Game
from cardsdb.games.kit import Card as KitCard
from cardsdb.identity.viewer import Viewer, viewer_of
from cardsdb.models import OwnCard
from cardsdb.site.errors import refusal, try_later
from cardsdb.site.ratelimits import counted_as_work
from cardsdb.site.sharing import FACE, public_for_now
from cardsdb.site.shortcuts import card_or_404, game_or_404, private_page
from decks.models import Deck
from decks.pages.worksheets import Filled, fill, sheets_in, typed_values, whole_deck_sheets, worksheet_or_404
from printing.extras.worksheets import Paper
from printing.options.values import CannotPrint
from printing.render.deck_picture import DeckShown, deck_picture
from printing.render.files import CONTENT_TYPES, face_file, face_key, faces_file, print_worksheets
from printing.request.printed_texts import printable

# Faults of worksheets that a page names.
MAX_FAULTS = 8
# Kinds of faces that take about 0.1 seconds to draw. An SVG takes almost no time, and is not cached.
SLOW = ("png", "pdf")
# At this quality brotli is as fast as gzip, and packs a strip of 60 faces into 28 kB instead of 43.
BROTLI_QUALITY = 5
# A function that makes a drawing, called only if it is needed.
Make = Callable[[], bytes]
# ETag -> bytes of a drawing, for the latest ones: 200 faces and pictures of decks of some 50 kB each, and 20
# strips of 150 kB.
drawn = LocMemCache("drawn", {"TIMEOUT": None, "OPTIONS": {"MAX_ENTRIES": 200}})
drawn_strips = LocMemCache("strips", {"TIMEOUT": None, "OPTIONS": {"MAX_ENTRIES": 20}})


def _drawn(
    request: HttpRequest, etag: str, headers: dict[str, str], make: Make, kept: LocMemCache | None = None
) -> HttpResponse:
    """The response with a drawing, or 304 if the browser has it already. ``kept`` is the cache of a slow
    drawing; one that is not in it counts against the visitor's limit of work.
    """
    if unchanged := get_conditional_response(request, etag=etag):
        return unchanged
    headers = {"ETag": etag, **headers}
    if kept is None:
        return HttpResponse(make(), headers=headers)
    if data := kept.get(etag):
        return HttpResponse(data, headers=headers)

    # A function of its own, because the limit of work is a decorator of views.
    @counted_as_work()
    def slowly(request: HttpRequest) -> HttpResponse:
        data = make()
        kept.set(etag, data)
        return HttpResponse(data, headers=headers)

    return slowly(request)


def _card_or_404(request: HttpRequest, game: Game, code: str) -> KitCard:
    """The card with this code. An own card is found only if the visitor may see its set."""
    if not code.startswith(OWN_CODE):
        return card_or_404(game, code).card
    own = OwnCard.objects.visible_to(viewer_of(request)).select_related("in_set")
    return get_object_or_404(own, in_set__game=game.slug, code=code).as_card()


@require_safe
@public_for_now
def face(request: HttpRequest, game_slug: str, code: str, kind: str) -> HttpResponse:
    """Send the face of a card as SVG, PNG or PDF (``kind``). Answers 400 with the reason if it cannot be
    drawn.

    ``?size=small`` gives an SVG without small print, for lists of many faces.
    """
    game = game_or_404(game_slug)
    card = _card_or_404(request, game, code)
    small = kind == "svg" and request.GET.get("size") == "small"
    name = f"{game.slug}-{card.code}.{kind}"
    headers = {
        "Content-Type": CONTENT_TYPES[kind],
        "Cache-Control": "private, no-cache" if card.own else "public, no-cache",
        "Content-Disposition": content_disposition_header(False, name) or "inline",
        **({"Vary": "Cookie"} if card.own else FACE),
    }
    try:
        etag = f'"{face_key(game, card)}-{kind}{"-small" if small else ""}"'
        make = partial(face_file, card, game, kind, small)
        return _drawn(request, etag, headers, make, drawn if kind in SLOW else None)
    except CannotPrint as error:
        advice = "The card page shows every fact; the SVG face can be drawn with your own fonts."
        reason = Refused(Fault(error.code, f"{card.name}: {error}"))
        return refusal(request, reason, "This face cannot be drawn", advice)


@require_safe
@public_for_now
def faces(request: HttpRequest, game_slug: str) -> HttpResponse:
    """Send small faces of several cards side by side as one SVG, for lists of cards. ``?of=kai,li`` names the
    codes.

    Answers 404 for no code, too many, repeated ones, and unknown ones.
    """
    game, codes = game_or_404(game_slug), request.GET.get("of", "").split(",")
    if len(codes) > MAX_IN_STRIP:
        raise Http404
    cards = [found.card for code in dict.fromkeys(codes) if (found := catalogue().at(game_slug, code))]
    if len(cards) < len(codes):
        raise Http404
    packed = "br" in request.headers.get("Accept-Encoding", "")
    try:
        etag = f'"{face_key(game, *cards)}-strip{"-br" if packed else ""}"'
    except CannotPrint:
        raise Http404 from None

    def make() -> bytes:
        strip = faces_file(cards, game)
        return brotli.compress(strip, quality=BROTLI_QUALITY) if packed else strip

    headers = {
        "Content-Type": CONTENT_TYPES["svg"],
        "Cache-Control": "public, no-cache",
        "Vary": "Accept-Encoding",
        **({"Content-Encoding": "br"} if packed else {}),
        **FACE,
    }
    return _drawn(request, etag, headers, make, drawn_strips)


@private_page
def own_face(request: HttpRequest, game_slug: str, code: str) -> HttpResponse:
    """Send the face of a card with the visitor's own text and picture, or redirect to the usual face if they
    have none.

    ``?of=`` has a value that changes with text and picture; with it the browser may store the answer.
    """
    game, viewer = game_or_404(game_slug), viewer_of(request)
    # An own card's text is part of the card itself.
    texts = {} if code.startswith(OWN_CODE) else texts_of(viewer, game, [code])
    picture = pictures_of(viewer, game, [code]).get((code, "front"))
    if not texts and not picture:
        return redirect("face_svg", game_slug, code)
    try:
        if picture:
            # An SVG that is shown as an image loads no other files, so the own picture is embedded.
            data_url = f"data:image/webp;base64,{b64encode(small_copy(picture)).decode()}"
            picture = picture._replace(address=data_url)
    except Refused as refused:
        return try_later(request, refused)
    except OSError:
        raise Http404 from None
    card = _card_or_404(request, game, code)
    data = face_file(with_text(card, texts), game, "svg", request.GET.get("size") == "small", picture)
    cached = "private, max-age=3600" if "of" in request.GET else "private, no-cache"
    headers = {"Content-Type": CONTENT_TYPES["svg"], "Cache-Control": cached, "Vary": "Cookie"}
    return HttpResponse(data, headers=headers)


@require_safe
@public_for_now
def deck_picture_file(request: HttpRequest, link: str) -> HttpResponse:
    """Send the picture of a deck that other sites show with a link to it: name, verdict, numbers of cards. It
    has only what any visitor with the link may see, and answers 404 for a private deck.
    """
    deck = get_object_or_404(Deck.objects.visible_to(Viewer()).with_cards(), link=link)
    game = game_or_404(deck.game)
    judged = deck.judged_for(Viewer(), game)
    counts: Counter[str] = Counter()
    for entry in judged.deck:
        counts[game.type_named(entry.card.type).plural] += entry.count
    bars = tuple(sorted(counts.items(), key=lambda bar: (-bar[1], bar[0])))
    verdict = judged.format.name, judged.verdict, judged.verdict_words
    shown = DeckShown(game, deck.name, *verdict, judged.deck.size, bars)
    headers = {"Content-Type": "image/png", "Cache-Control": "public, max-age=60, must-revalidate"}
    return _drawn(request, f'"{shown.key}"', headers, partial(deck_picture, shown), drawn)


# -- worksheets -----------------------------------------------------------------------


@private_page
@counted_as_work()
def aid_sheet(request: HttpRequest, slug: str, aid: str) -> HttpResponse:
    """Send one worksheet as PDF, with the values in the address, or with ``?blank=yes`` empty."""
    game = game_or_404(slug)
    sheet = worksheet_or_404(game, aid)
    if request.GET.get("blank"):
        return _sheets_answer(request, [Paper(game, sheet)], sheet.name)
    return _filled_answer(request, [fill(game, sheet, typed_values(sheet, request.GET))])


@private_page
@counted_as_work()
def deck_sheets(request: HttpRequest) -> HttpResponse:
    """Send all worksheets of a deck as PDF: those of its cards that this visitor may see, and those of the
    deck.
    """
    viewer, link = viewer_of(request), request.GET.get("deck", "")
    # PostgreSQL raises an error for a NUL character, so a link with one finds nothing.
    decks = Deck.objects.visible_to(viewer).with_cards()
    deck = get_object_or_404(decks if "\0" not in link else decks.none(), link=link)
    game = game_or_404(deck.game)
    shown = deck.decklist_for(viewer, game)
    sheets = [(sheet, answers) for sheet, _, answers in sheets_in(game, shown)]
    sheets += whole_deck_sheets(game, shown, deck.format)
    filled = [fill(game, sheet, answers) for sheet, answers in sheets]
    return _filled_answer(request, filled, printable(deck.name))


def _filled_answer(request: HttpRequest, filled: list[Filled], title: str = "") -> HttpResponse:
    """Send filled worksheets as PDF, or a page with their faults. ``title`` is the deck's name, if they are
    of a deck; then each fault begins with the name of its worksheet.
    """
    papers, problems = [], []
    for worksheet in filled:
        name = f"{worksheet.result.typed.get('name', '')}: " if title else ""
        problems += [f"{name}{sentence}" for _, sentence in worksheet.result.problems]
        verdict, judged = None, worksheet.judged
        if judged:
            violations = (f"{view.violation.code}: {view.message}" for view in judged.violation_views())
            verdict = (judged.verdict_words, tuple(violations))
        papers.append(Paper(worksheet.game, worksheet.sheet, worksheet.result, verdict))
    return _sheets_answer(request, papers, title, problems)


def _sheets_answer(
    request: HttpRequest, papers: list[Paper], title: str, problems: Iterable[str] = ()
) -> HttpResponse:
    """Send worksheets as PDF on the paper of ``?paper=``, ``?up=`` of them on a page; or a page with
    ``problems``.
    """
    try:
        if faults := [Fault("unfilled", sentence) for sentence in problems]:
            raise Refused(*faults)
        paper, up = request.GET.get("paper", "") or "a4", request.GET.get("up", "")
        made = print_worksheets(papers, paper, title, up)
    except Refused as error:
        sentences = (fault.message for fault in error.faults[:MAX_FAULTS])
        reason = Refused(Fault("unprinted", " ".join(sentences)))
        return refusal(
            request, reason, "This sheet cannot be printed", "Go back and mend it, then print again."
        )
    disposition = content_disposition_header(False, made.filename) or "inline"
    headers = {"Content-Disposition": disposition, "Cache-Control": "private, no-cache"}
    return HttpResponse(made.data, content_type=made.content_type, headers=headers)
