"""Public decks, and the viewer's own, by a query; and how to ask for them."""

from __future__ import annotations

import math
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from cardsdb.games import games
from cardsdb.site.ratelimits import seconds_to_wait, too_many
from cardsdb.site.shortcuts import page_or_404
from cardsdb.web.lists.browsing import advice_on
from decks.identity.viewer import Viewer, viewer_of
from decks.public.fields import FIELDS, ORDERS
from decks.public.listing import deck_rows, listing
from decks.public.query import in_words

PER_PAGE = 30
OWN_SHELVES = {"is:mine", "is:favourite"}
EXAMPLES = (
    ("game:spycraft is:legal", "Decks of one game that the judge finds nothing wrong with"),
    ('uses:"Kai" -is:mine', "Decks with a card, but not my own"),
    ("deck:[t:gear]>=5", "Five cards or more that a search of cards finds; any search of cards may stand in the brackets"),
    ("deck:[craft>=4]=0 size>=40", "No such card at all, in a deck of forty or more"),
    ("(tag:mirror or tag:tournament) likes>=3", "One tag or the other, and liked by three or more"),
    ("tiger changed>=2026-01 order:-likes", "A word of the name, saved since January, most liked first"),
)


@require_safe
@never_cache
def deck_list(request: HttpRequest) -> HttpResponse:
    """The decks that a query finds. ``game`` keeps to one game, ``order`` holds where the query has no order of its own."""
    viewer = viewer_of(request)
    text, game = request.GET.get("q", "").strip(), games().get(request.GET.get("game", ""))
    order = request.GET.get("order", "")
    order = order if order in ORDERS else ""
    found = listing(viewer, text, game, order)
    if found.query.looks_into_decks and (wait := seconds_to_wait(request, work=True)):
        return too_many(request, math.ceil(wait))
    page = page_or_404(request, found.decks, PER_PAGE)
    kept = {name: value for name, value in (("q", text), ("order", order)) if value}
    context = {
        "text": text,
        "order": order,
        "orders": ORDERS.items(),
        "found": found,
        "words": in_words(found.query.tree, viewer != Viewer()) if found.query.tree else "",
        "advice": [advice_on(text, problem) for problem in found.query.problems],
        "page": page,
        "pages": page.paginator.get_elided_page_range(page.number),
        "rows": deck_rows(page.object_list, viewer),
        # On the shelves of one's own several are ticked to be printed on the same sheets.
        "together": bool(OWN_SHELVES.intersection(text.casefold().split())) and len(page.object_list) > 1,
        "games": games().values(),
        "chosen": game,
        "kept": urlencode(kept),
        "address": urlencode(({"game": game.slug} if game else {}) | kept),
        "here": "decks",
    }
    return render(request, "decks/deck_list.html", context)


@require_safe
def search_help(request: HttpRequest) -> HttpResponse:
    """Every word that decks can be asked by, with an example."""
    return render(request, "decks/public_help.html", {"fields": FIELDS, "examples": EXAMPLES, "here": "decks"})
