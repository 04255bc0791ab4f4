"""The pages of a collection: what is owned, what a deck lacks, which decks can be built at once."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote, urlencode

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_safe

from cardsdb.catalogue.current import games
from cardsdb.faults import Fault, Refused
from cardsdb.games.kit import Game
from cardsdb.games.kit.model.text import plural, some
from cardsdb.identity.viewer import Viewer, viewer_of
from cardsdb.models import Card
from cardsdb.search.card_query import CardQuery, parse_query
from cardsdb.search.results import pks_with_retired, results_of
from cardsdb.site.ratelimits import counted_as_work
from cardsdb.site.sharing import kept_offline, private
from cardsdb.site.shortcuts import game_or_404, page_or_404
from cardsdb.web.lists.advice import advice_on
from decks.collection.entering import progress_context, read_changes
from decks.collection.holding import change, changes_of, collection_of, likely_game, own_collection
from decks.formats.collection_csv import MAX_BYTES, MAX_COPIES, BadTable, OwnedRow, read_table, write_table
from decks.formats.files import text_or_refuse
from decks.models import Collection, Owned

PER_PAGE = 48
# Columns of a table that a message names: it travels in a cookie.
MAX_TOLD = 6


@require_http_methods(["GET", "HEAD", "POST"])
@private
@counted_as_work("POST")
@kept_offline
def collection_page(request: HttpRequest) -> HttpResponse:
    """The cards that a visitor owns, or all cards that a query finds, to add to them. Numbers are changed in
    place.
    """
    faults: list[Fault] = []
    if request.method == "POST":
        try:
            # Read before a collection is made, so that a refused form leaves none behind.
            changes = read_changes(request.POST)
            made = change(own_collection(request), changes)
            messages.success(request, f"{made} {plural(made, 'number')} changed.")
            # A press beside a number leads back to it.
            pressed = (request.POST.get("more") or request.POST.get("less") or "").replace("/", ".")
            return redirect(
                f"{reverse('collection')}?{request.GET.urlencode()}{f'#n-{quote(pressed)}' if pressed else ''}"
            )
        except Refused as error:
            faults = error.faults
    mine = collection_of(viewer_of(request))
    game = games().get(request.GET.get("game", ""))
    query = parse_query(request.GET.get("q", ""), game)
    everything = bool(request.GET.get("all"))
    context = _all_cards(request, query, game) if everything else _own_cards(request, query, game, mine)
    counts = _by_print(mine, [card.pk for card in context["cards"]])
    typed = request.POST if faults else {}
    rows = [_row(card, counts.get(card.pk, []), typed) for card in context["cards"]]
    parameters = {"game": game.slug if game else "", "q": query.text, "all": "1" if everything else ""}
    context |= progress_context(request, mine) | {
        "mine": mine,
        "rows": rows,
        "faults": faults,
        "advice": [advice_on(query.text, problem) for problem in query.query.problems],
        "chosen": game,
        "everything": everything,
        "typed": query.text,
        "address": urlencode({name: value for name, value in parameters.items() if value}),
        "elsewhere": _of_this_browser(request),
        "most": MAX_COPIES,
        "here": "collection",
    }
    return render(request, "decks/collection.html", context, status=409 if faults else 200)


def _own_cards(
    request: HttpRequest, query: CardQuery, game: Game | None, mine: Collection | None
) -> dict[str, Any]:
    pks: list[int] = []
    if mine and not query.is_lost:
        owned = Card.objects.filter(pk__in=mine.owned.values("card")).by_name().values_list("pk", flat=True)
        matches = set(pks_with_retired(query.within(game), owned))
        pks = [pk for pk in owned if pk in matches]
    page = page_or_404(request, pks, PER_PAGE)
    cards = Card.objects.in_bulk(page.object_list)
    pages = page.paginator.get_elided_page_range(page.number)
    return {"cards": [cards[pk] for pk in page.object_list], "total": len(pks), "page": page, "pages": pages}


def _all_cards(request: HttpRequest, query: CardQuery, game: Game | None) -> dict[str, Any]:
    """A page of what the query finds. As in the card list, the address names the card before or after it."""
    query = parse_query(f"game:{game.slug} {query.text}") if game else query
    if query.is_lost:
        return {"cards": [], "total": 0}
    results = results_of(query)
    page = results.page(PER_PAGE, request.GET.get("after", ""), request.GET.get("before", ""))
    rows = Card.objects.in_bulk(page.pks)
    cards = [rows[pk] for pk in page.pks if pk in rows]
    ends = {
        "previous": cards[0].key if page.before and cards else "",
        "next": cards[-1].key if page.after and cards else "",
    }
    return {"cards": cards, "total": results.total, "ends": ends}


def _row(card: Card, owned: list[Owned], typed: Any) -> dict[str, Any]:
    """A card with its copies: those without a print, which can be changed here, and those of each print."""
    game = games().get(card.game)
    plain = next((one.count for one in owned if not one.set), 0)
    prints = [one for one in owned if one.set]
    return {
        "card": card,
        "place": f"{card.game}/{card.code}",
        "id": f"{card.game}.{card.code}",
        "game": game,
        "type": game.type_named(card.type).name if game else card.type,
        "count": plain,
        "shown": typed.get(f"count:{card.game}/{card.code}", plain),
        "prints": prints,
        "total": plain + sum(one.count for one in prints),
    }


def _by_print(mine: Collection | None, pks: list[int]) -> dict[int, list[Owned]]:
    by_card: dict[int, list[Owned]] = {}
    for owned in mine.owned.filter(card__in=pks).order_by("set", "number") if mine else ():
        by_card.setdefault(owned.card_id, []).append(owned)
    return by_card


def _of_this_browser(request: HttpRequest) -> bool:
    """Whether this browser has a collection besides the account's."""
    viewer = viewer_of(request)
    return (
        bool(viewer.user_id and viewer.browser)
        and Collection.objects.of(Viewer(browser=viewer.browser)).exists()
    )


@require_http_methods(["GET", "HEAD", "POST"])
@private
@counted_as_work("POST")
def collection_card(request: HttpRequest, game_slug: str, code: str) -> HttpResponse:
    """The copies of one card, print by print."""
    game = game_or_404(game_slug)
    card = get_object_or_404(Card.objects.in_game(game_slug).prefetch_related("prints"), code=code)
    faults: list[Fault] = []
    if request.method == "POST":
        try:
            changes = [
                one for one in read_changes(request.POST) if (one.game, one.code) == (card.game, card.code)
            ]
            change(own_collection(request), changes)
            messages.success(request, f"Your copies of {card.name} are noted.")
            return redirect("collection_card", game_slug=card.game, code=card.code)
        except Refused as error:
            faults = error.faults
    owned = {
        (o.set, o.number): o.count
        for o in _by_print(collection_of(viewer_of(request)), [card.pk]).get(card.pk, [])
    }
    listed = dict.fromkeys([("", ""), *((p.set_code, p.number) for p in card.prints.all()), *owned])
    names = game.sets_by_code
    rows = [(s, n, names[s].name if s in names else s, owned.get((s, n), 0)) for s, n in listed]
    context = {
        "game": game,
        "card": card,
        "rows": rows,
        "faults": faults,
        "most": MAX_COPIES,
        "here": "collection",
    }
    return render(request, "decks/collection_card.html", context, status=409 if faults else 200)


@require_safe
@private
def collection_csv(request: HttpRequest) -> StreamingHttpResponse:
    """The whole collection as a table that ``collection_import`` reads."""
    mine = collection_of(viewer_of(request))
    owned = (
        mine.owned.order_by("card__game", "card__sort_name", "card__code", "set", "number")
        if mine
        else Owned.objects.none()
    )
    rows = owned.values_list("card__game", "card__code", "card__name", "set", "number", "count").iterator(
        2_000
    )
    table = write_table(OwnedRow(0, *row) for row in rows)
    headers = {"Content-Disposition": 'attachment; filename="cutout-collection.csv"'}
    return StreamingHttpResponse(
        (line.encode() for line in table), content_type="text/csv; charset=utf-8", headers=headers
    )


@require_http_methods(["GET", "HEAD", "POST"])
@private
@counted_as_work("POST")
def collection_import(request: HttpRequest) -> HttpResponse:
    """Import a table from a file or pasted, adding to the collection or replacing it. All of it or
    nothing.
    """
    context: dict[str, Any] = {
        "games": games().values(),
        "here": "collection",
        "typed": request.POST.get("text", ""),
    }
    context |= {"game_asked": request.POST.get("game", ""), "mode": request.POST.get("mode", "add")}
    if request.method == "POST":
        try:
            # The table stays in the form whatever is wrong with it, since browsers do not keep a chosen file.
            context["typed"] = _sent(request)
            made = _imported(request, context["typed"])
            messages.success(request, f"The table was taken: {made} {plural(made, 'number')} changed.")
            return redirect("collection")
        except Refused as error:
            context |= {"faults": error.faults}
            if gameless := next((fault for fault in error.faults if fault.code == "no_game"), None):
                likely = likely_game(read_table(context["typed"]))
                context |= {
                    "gameless": gameless,
                    "likely": likely,
                    "game_asked": likely.slug if likely else "",
                }
            return render(request, "decks/collection_import.html", context, status=error.status)
    return render(request, "decks/collection_import.html", context)


def _sent(request: HttpRequest) -> str:
    file = request.FILES.get("file")
    text = text_or_refuse(file.read(MAX_BYTES + 1), MAX_BYTES) if file else request.POST.get("text", "")
    if not text.strip():
        raise Refused(Fault("required", "Choose a file, or paste a table.", "file"))
    return text


def _imported(request: HttpRequest, text: str) -> int:
    try:
        table = read_table(text)
    except BadTable as error:
        raise Refused(
            *(Fault("bad_table", message, f"line {line}") for line, message in error.faults)
        ) from None
    changes = changes_of(table, games().get(request.POST.get("game", "")))
    made = change(own_collection(request), changes, nothing_else=request.POST.get("mode") == "replace")
    if told := table.left_out[:MAX_TOLD]:
        more = len(table.left_out) - len(told)
        messages.info(request, " ".join([*told, *([f"And {some(more, 'column')} more."] if more else [])]))
    return made
