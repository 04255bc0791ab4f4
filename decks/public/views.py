"""Public decks, and the viewer's own, by a query: as a page, as an Atom feed; and how to ask for them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any
from urllib.parse import urlencode

from django.contrib.syndication.views import Feed
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.cache import patch_cache_control, patch_vary_headers
from django.utils.feedgenerator import Atom1Feed
from django.views.decorators.http import require_safe

from cardsdb.catalogue.current import games
from cardsdb.games.kit import Game
from cardsdb.identity.owning import may_see_own, reader_of
from cardsdb.identity.viewer import Viewer, viewer_of
from cardsdb.site.ratelimits import seconds_to_wait, too_many
from cardsdb.site.sharing import brings_nothing, kept_offline, private, public, public_for_now
from cardsdb.site.shortcuts import page_of_paginator_or_404
from cardsdb.web.lists.advice import advice_on
from decks.models import Deck
from decks.public.fields import FIELDS, ORDERS
from decks.public.listing import IN_LISTS, DeckRow, Listing, deck_rows, listing
from decks.public.query import in_words
from decks.public.tiles import deck_tiles

PER_PAGE = 24
AT_HOME = 4
IN_FEED = 20
OWN_SHELVES = {"is:mine", "is:favourite"}
EXAMPLES = (
    ("game:spycraft is:legal", "Decks of one game that the judge finds nothing wrong with"),
    ('uses:"Kai" -is:mine', "Decks with a card, but not my own"),
    (
        "deck:[t:gear]>=5",
        "Five cards or more that a search of cards finds; any search of cards may stand in the brackets",
    ),
    ("deck:[craft>=4]=0 size>=40", "No such card at all, in a deck of forty or more"),
    ("(tag:mirror or tag:tournament) likes>=3", "One tag or the other, and liked by three or more"),
    ("tiger changed>=2026-01 order:-likes", "A word of the name, saved since January, most liked first"),
)


@require_safe
@private
@kept_offline
def deck_list(request: HttpRequest) -> HttpResponse:
    """The decks that a query finds. ``game`` keeps to one game, ``order`` holds where the query has no order
    of its own.
    """
    viewer = viewer_of(request)
    text, game = request.GET.get("q", "").strip(), games().get(request.GET.get("game", ""))
    order = request.GET.get("order", "")
    order = order if order in ORDERS else ""
    listed = listing(viewer, text, game, order)
    if listed.query.looks_into_decks and (wait := seconds_to_wait(request, work=True)):
        return too_many(request, wait)
    page = page_of_paginator_or_404(request, listed.paginator(PER_PAGE))
    tiles = deck_tiles(page.object_list, viewer)
    shelf = text.casefold()
    parameters = {name: value for name, value in (("q", text), ("order", order)) if value}
    context = {
        "text": text,
        "order": order,
        "orders": ORDERS.items(),
        "listed": listed,
        "words": in_words(listed.query.tree, viewer != Viewer()) if listed.query.tree else "",
        "advice": [advice_on(text, problem) for problem in listed.query.problems],
        "page": page,
        "pages": page.paginator.get_elided_page_range(page.number),
        "tiles": tiles,
        "rows": [tile.row for tile in tiles],
        "shelf": shelf if shelf in OWN_SHELVES else "",
        # In lists of one's own decks, several can be ticked to be printed on the same sheets.
        "together": bool(OWN_SHELVES.intersection(text.casefold().split())) and len(page.object_list) > 1,
        "games": games().values(),
        "chosen": game,
        "parameters": urlencode(parameters),
        "address": urlencode(({"game": game.slug} if game else {}) | parameters),
        "here": "decks",
    }
    return render(request, "decks/deck_list.html", context)


@require_safe
@public_for_now
def newest(request: HttpRequest) -> HttpResponse:
    """The newest public decks as tiles, a piece that the home page asks for when it is scrolled to; empty
    where there are none.

    The home page itself is kept as long as the catalogue stays as it is, and would go on showing a deck that
    has become private.
    """
    decks = Deck.objects.public().filter(game__in=tuple(games())).only(*IN_LISTS)[:AT_HOME]
    answer = render(request, "decks/newest.html", {"tiles": deck_tiles(decks)})
    # Whoever has pictures or texts of their own sees them on the tiles.
    is_own = may_see_own(reader_of(request)) or not brings_nothing(request)
    patch_cache_control(
        answer, **({"private": True, "no_store": True} if is_own else {"public": True, "max_age": 60})
    )
    patch_vary_headers(answer, ("Cookie",))
    return answer


@require_safe
@public
def search_help(request: HttpRequest) -> HttpResponse:
    """Every word that decks can be asked by, with an example."""
    return render(
        request, "decks/public_help.html", {"fields": FIELDS, "examples": EXAMPLES, "here": "decks"}
    )


@dataclass(frozen=True, slots=True)
class FeedQuery:
    """The query in the address of a feed, and what it finds."""

    text: str
    game: Game | None
    listing: Listing

    @property
    def address(self) -> str:
        parameters = urlencode(
            ({"game": self.game.slug} if self.game else {}) | ({"q": self.text} if self.text else {})
        )
        return f"{reverse('deck_list')}{'?' if parameters else ''}{parameters}"


class DecksFeed(Feed):  # type: ignore[type-arg]
    """The public decks that were saved last."""

    feed_type = Atom1Feed
    subtitle = "Public decks, those saved last first."
    author_name = "Cutout"

    def __call__(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """The feed. A query that looks into every deck is counted as work, as on the page of decks."""
        slug = request.GET.get("game", "")
        if slug and slug not in games():
            raise Http404
        text, game = request.GET.get("q", "").strip(), games().get(slug)
        query = FeedQuery(text, game, listing(Viewer(), text, game))
        if query.listing.query.looks_into_decks and (wait := seconds_to_wait(request, work=True)):
            return too_many(request, wait)
        return super().__call__(request, query=query)

    def get_object(self, request: HttpRequest, query: FeedQuery) -> FeedQuery:  # type: ignore[override]
        return query

    def title(self, query: FeedQuery) -> str:
        of = f" of {query.game.name}" if query.game else ""
        return f"Cutout: decks{of}{f': {plain(query.text)}' if query.text else ''}"

    def link(self, query: FeedQuery) -> str:
        return query.address

    def feed_copyright(self) -> str:
        """The credits of the games, since names from their worlds may stand in the entries."""
        return " ".join(
            f"{game.credit.text} {game.credit.licence_url}" for game in games().values() if game.credit
        )

    def items(self, query: FeedQuery) -> list[DeckRow]:
        return deck_rows(query.listing.decks.order_by("-changed", "-pk")[:IN_FEED])

    def item_title(self, item: Any) -> str:
        return str(item.deck.name)

    def item_link(self, item: DeckRow) -> str:
        return reverse("deck", args=[item.deck.link])

    def item_guid(self, item: DeckRow) -> str:
        return f"{reverse('deck', args=[item.deck.link])}"

    item_guid_is_permalink = False

    def item_author_name(self, item: DeckRow) -> str:
        return item.author or "Cutout"

    def item_pubdate(self, item: DeckRow) -> datetime:
        return item.deck.created

    def item_updateddate(self, item: DeckRow) -> datetime:
        return item.deck.changed

    def item_description(self, item: Any) -> str:
        return render_to_string("decks/feed_entry.html", {"row": item})


def plain(text: str) -> str:
    """The query without what XML cannot hold."""
    return "".join(char for char in text if char.isprintable())[:100]
