"""The pages of the catalogue."""

from __future__ import annotations

from pathlib import PurePath

from django.http import FileResponse, Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.cache import get_conditional_response, patch_cache_control
from django.utils.dateparse import parse_datetime
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

from cardsdb.box.pictures import pictures_on_pages
from cardsdb.catalogue.current import games
from cardsdb.catalogue.edition_files import current_bulk, opened
from cardsdb.catalogue.stats import all_stats, stats_of
from cardsdb.games.kit.model.cards import OWN_CODE
from cardsdb.games.kit.model.effects import told_lines
from cardsdb.games.kit.print.face import Notes
from cardsdb.identity.owning import may_see_own, reader_of
from cardsdb.models import OwnBox, OwnCard, Visibility
from cardsdb.search.query.tree import quoted
from cardsdb.site.sharing import private, public, public_for_now, public_or_own
from cardsdb.site.shortcuts import card_or_404, game_or_404
from cardsdb.site.static_files import game_colours
from cardsdb.web.pages.card_page import (
    beside_by_name,
    card_sources,
    effect_lines,
    fact_rows,
    grouped,
    in_short,
    mine_of,
    neighbours,
    rulings_on,
    source_of,
    text_row,
    text_sources,
    true_size,
    way_back,
)
from cardsdb.web.pages.game_page import (
    MAX_CHARTS,
    all_sets,
    cards_of_set,
    charts_of,
    completeness,
    coverage_of,
    kinds_of,
    sets_of,
    showcases,
    tallies,
    types_of,
)

A_DAY = 24 * 60 * 60
FACES_AT_HOME = 3
# Bytes of a file that are sent at a time.
BLOCK = 256 * 1024
MEDIA_TYPES = {".gz": "application/gzip", ".txt": "text/plain; charset=utf-8"}


@require_safe
@public
def home(request: HttpRequest) -> HttpResponse:
    """Show what Cutout is in one glance: three cards, a list to check, every game with a card of its own."""
    shown, stats = showcases(), all_stats()
    counted = [(game, kinds_of(game, stats[game.slug])) for game in games().values()]
    largest = sorted(
        (game for game, _ in counted if shown[game.slug]), key=lambda game: -stats[game.slug].cards
    )[:FACES_AT_HOME]
    context = {
        "faces": [(game, shown[game.slug][0]) for game in largest],
        "tiles": [
            (game, kinds, shown[game.slug][-1] if shown[game.slug] else None) for game, kinds in counted
        ],
        "example": next((game for game, _ in counted if game.showcase_list), None),
    }
    return render(request, "cardsdb/pages/home.html", context)


@require_safe
@public
def game_list(request: HttpRequest) -> HttpResponse:
    stats = all_stats()
    counted = [(game, kinds_of(game, stats[game.slug])) for game in games().values()]
    return render(request, "cardsdb/pages/game_list.html", {"games": counted, "here": "games"})


@require_safe
@public
def game_page(request: HttpRequest, slug: str) -> HttpResponse:
    """Show what a game is, and what the catalogue holds of it, counted when it was loaded."""
    game = game_or_404(slug)
    of = stats_of(slug)
    charts, types = charts_of(game, of), types_of(game, of)
    context = {
        "game": game,
        "stats": of,
        "kinds": kinds_of(game, of),
        "imprint": [
            (line, [source_of(game, cited.claim) for cited in line.sources])
            for line in (game.play_guide.imprint if game.play_guide else ())
        ],
        "tiles": [
            (True, [one for one in types if one.type.kind == "card"]),
            (False, [one for one in types if one.type.kind != "card"]),
        ],
        "most": max((one.count for one in types), default=0),
        "charts": charts,
        "open_charts": MAX_CHARTS,
        "folded_charts": max(len(charts) - MAX_CHARTS, 0),
        "known": coverage_of(game, of),
        "sets": sets_of(game, of),
        "set_up": [(number, game.citations[number.cites]) for number in game.set_up],
        "here": "games",
    }
    return render(request, "cardsdb/pages/game.html", context)


@require_safe
@public
def rules_page(request: HttpRequest, slug: str) -> HttpResponse:
    game = game_or_404(slug)
    rules = [
        (
            citation,
            game.documents[citation.document],
            game.address_of(citation.document, citation.lines),
            game.documents[citation.document].pages_in_words(citation.lines),
            game.formats_with(citation.code),
        )
        for citation in game.citations.values()
    ]
    return render(request, "cardsdb/pages/rules.html", {"game": game, "rules": rules, "here": "games"})


@require_safe
@public_or_own
def card_page(request: HttpRequest, game_slug: str, code: str) -> HttpResponse:
    """One card. ``q``: the query of the list that it was found in. ``back``: the place in the editor that it
    was opened from.
    """
    game = game_or_404(game_slug)
    card, is_retired = card_or_404(game, code)
    rows = fact_rows(game, card)
    face = game.faces.get(card.type)
    reader = reader_of(request)
    around = neighbours(request.GET.get("q", ""), card.key, reader)
    has_own = may_see_own(reader)
    mine = mine_of(reader, game, card) if has_own else None
    picture = pictures_on_pages(reader, game, [code]).get(code) if has_own else None
    context = {
        "game": game,
        "card": card,
        "is_retired": is_retired,
        "type": game.type_named(card.type),
        "groups": grouped(rows),
        "sources": card_sources(game, card),
        "effects": effect_lines(game, card),
        "mine": mine,
        "drawn": mine.drawn if mine else card,
        "own_picture": picture,
        "text_sources": text_sources(game, card),
        "is_told": bool(told_lines(card)),
        "disputed": [row for row in (text_row(game, card), *rows) if row.others],
        "room_to_write": face is not None and any(isinstance(element, Notes) for element in face.elements),
        "prints": [(print_, game.sets_by_code.get(print_.set)) for print_ in card.prints],
        "print_notes": any(print_.note for print_ in card.prints),
        "rulings": rulings_on(game, card),
        "terms": game.terms_for(card),
        "true_size": true_size(game),
        "around": around,
        "back": way_back(request.GET.get("back", "")),
        "beside": None if around else beside_by_name(card),
        "similar": f"similar:!{quoted(card.name)}",
        "description": in_short(game, card),
        "canonical": request.build_absolute_uri(request.path),
        "picture": request.build_absolute_uri(f"{request.path}face.png"),
        "here": "cards",
    }
    return render(request, "cardsdb/pages/card.html", context)


@require_safe
@public
def set_list(request: HttpRequest) -> HttpResponse:
    """The sets of every game, with how much of each is known."""
    listed = all_sets()
    without = [game for game in games().values() if not game.sets]
    return render(request, "cardsdb/pages/sets.html", {"listed": listed, "without": without, "here": "games"})


@require_safe
@public_or_own
def set_page(request: HttpRequest, game_slug: str, code: str) -> HttpResponse:
    """One set: how much of it is known, and its cards. ``after``, ``before``: the key of the card that a page
    stands beside.
    """
    game = game_or_404(game_slug)
    card_set = game.sets_by_code.get(code)
    if card_set is None:
        raise Http404
    of = stats_of(game_slug)
    rarities, types = tallies(game, card_set)
    context = {
        "game": game,
        "set": card_set,
        "completeness": completeness(card_set, of),
        "rarities": rarities,
        "types": types,
        "listed": cards_of_set(game, card_set, request.GET.get("after", ""), request.GET.get("before", "")),
        "source": game.documents.get(card_set.source),
        "here": "games",
    }
    return render(request, "cardsdb/pages/set.html", context)


@require_safe
@public
def games_css(request: HttpRequest) -> HttpResponse:
    """The colours that the collected stylesheet has in it, for one that is served as it lies in its
    folder.
    """
    return HttpResponse(game_colours(), content_type="text/css; charset=utf-8")


# -- downloads -------------------------------------------------------------------------


@require_safe
@private
@cache_control(private=True, no_cache=True)
def bulk_page(request: HttpRequest) -> HttpResponse:
    bulk = current_bulk()
    return render(
        request,
        "cardsdb/pages/bulk.html",
        {"bulk": bulk, "made": parse_datetime(bulk.date) if bulk and bulk.date else None},
    )


@require_safe
@public_for_now
def bulk_file(request: HttpRequest, name: str) -> HttpResponse:
    """One file of the newest edition, streamed. The tag is its checksum, so who has it is not sent it
    again.
    """
    bulk = current_bulk()
    # Only what the manifest names is served, so that a name can lead nowhere else.
    file = next((one for one in bulk.files if one.name == name), None) if bulk else None
    if bulk is None or file is None:
        raise Http404
    etag = f'"{file.sha256}"'
    response = get_conditional_response(request, etag=etag)
    if response is None:
        # The bytes are compressed already, and the size must be known beforehand: nothing on the way may
        # compress them again.
        request.META["HTTP_ACCEPT_ENCODING"] = "identity"
        try:
            stream = opened(bulk, file)
        except FileNotFoundError:
            raise Http404 from None  # A new edition took its place in this very moment.
        kind = MEDIA_TYPES.get(PurePath(file.name).suffix, "application/octet-stream")
        response = FileResponse(stream, as_attachment=True, filename=f"cutout-{file.name}", content_type=kind)
        response["Content-Length"] = str(stream.size)
        response.block_size = BLOCK
    response["ETag"] = etag
    response["Access-Control-Allow-Origin"] = "*"
    patch_cache_control(response, public=True, max_age=0, must_revalidate=True)
    return response


# -- what browsers and search engines ask for by name -------------------------------


@require_safe
@public_for_now
@cache_control(max_age=A_DAY, public=True)
def robots(request: HttpRequest) -> HttpResponse:
    """All may be read. A random card is no page of its own, and an edit page is its owner's."""
    lines = ["User-agent: *", "Allow: /", f"Disallow: {reverse('random_card')}", "Disallow: /decks/*/edit"]
    return HttpResponse("\n".join(lines) + "\n", content_type="text/plain; charset=utf-8")


@require_safe
@public_for_now
@cache_control(max_age=A_DAY, public=True)
def opensearch(request: HttpRequest) -> HttpResponse:
    """The site as a search engine for the browser's address bar."""
    site = request.build_absolute_uri("/").rstrip("/")
    return render(
        request,
        "cardsdb/pages/opensearch.xml",
        {"site": site},
        content_type="application/opensearchdescription+xml; charset=utf-8",
    )


GONE = {
    "title": "This card is not here",
    "message": "Somebody made it. It is private, or it was deleted.",
    "advice": "Decks that hold it keep it, with its name.",
}


@require_safe
@private
@cache_control(private=True, no_store=True)
def own_card_page(request: HttpRequest, game_slug: str, code: str) -> HttpResponse:
    """The page of a card of one's own, for whoever may see its set."""
    game, code, reader = game_or_404(game_slug), f"{OWN_CODE}{code}", reader_of(request)
    row = (
        OwnCard.objects.visible_to(reader)
        .select_related("in_set__box")
        .filter(code=code, in_set__game=game.slug)
        .first()
    )
    if row is None:
        return render(request, "error.html", {**GONE}, status=404)
    card, is_mine = row.as_card(), OwnCard.objects.of(reader).filter(pk=row.pk).exists()
    context = {
        "game": game,
        "card": card,
        "row": row,
        "type": game.type_named(card.type),
        "groups": grouped([fact for fact in fact_rows(game, card) if fact.key not in ("name", "type")]),
        "effects": effect_lines(game, card),
        "is_mine": is_mine,
        "is_everyones": not is_mine
        and OwnBox.objects.visible_to(reader).filter(pk=row.in_set.box_id).exists(),
        "own_picture": pictures_on_pages(reader, game, [code]).get(code),
        # The link of an unlisted set is its owner's to give away; who has a card's address may not have it.
        "links_set": is_mine or row.in_set.visibility == Visibility.PUBLIC,
        "true_size": true_size(game),
        "around": neighbours(request.GET.get("q", ""), card.key, reader),
        "back": way_back(request.GET.get("back", "")),
        "here": "cards",
    }
    return render(request, "cardsdb/pages/own_card.html", context)
