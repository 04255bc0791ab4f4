"""The pages of public decks: the list of decks by a query (with the visitor's own), its Atom feed and help,
the newest decks on the home page, the decks that use a card, and the sitemap for search engines.

All but the list show public decks only, and no page shows secret sections to strangers.
Tests: ``tests/decks/public/test_views.py``; of ``card_decks`` ``test_card_decks.py`` there.
"""

from collections.abc import Callable, Iterable, Iterator
from datetime import datetime
from typing import Any, NamedTuple
from urllib.parse import urlencode

from django.contrib.sitemaps import Sitemap, views
from django.db.models import Count, QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.cache import patch_cache_control, patch_vary_headers
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

from cardsdb.catalogue.current import Catalogue, catalogue, games
from cardsdb.games.kit import Game, Starter
from cardsdb.games.kit.listtext.deck import read_deck
from cardsdb.identity.viewer import Viewer, may_see_own, reader_of, viewer_of
from cardsdb.models import Card
from cardsdb.site.ratelimits import seconds_to_wait, too_many
from cardsdb.site.sharing import brings_nothing, kept_offline, public, public_for_now
from cardsdb.site.shortcuts import game_or_404, page_of_paginator_or_404, private_page
from cardsdb.web.editions import CreditedFeed
from cardsdb.web.lists.advice import advice_on
from decks.models import Deck
from decks.public.fields import DECK_FIELDS, EXAMPLES, ORDERS, in_words
from decks.public.lines import lines_of, lines_of_cards
from decks.public.listing import IN_LISTS, DeckRow, Listing, deck_rows, deck_tiles, listing
from decks.web.deck_context import in_parts, wants_part

# Decks on a page of the list, on the home page, and in the feed.
PER_PAGE = 24
AT_HOME = 4
IN_FEED = 20
# Seconds.
A_MINUTE = 60
# Characters of a query that the title of its feed repeats.
MAX_IN_TITLE = 100
# Queries that the navigation offers as lists of their own.
OWN_SHELVES = {"is:mine", "is:favourite"}


@private_page
@kept_offline
def deck_list(request: HttpRequest) -> HttpResponse:
    """The list of the decks that a query (``q``) finds. ``game`` limits it to one game; ``order`` holds if
    the query has no order of its own.
    """
    viewer = viewer_of(request)
    text, game = request.GET.get("q", "").strip(), games().get(request.GET.get("game", ""))
    order = request.GET.get("order", "")
    if order not in ORDERS:
        order = ""
    listed = listing(viewer, text, game, order)
    if listed.query.looks_into_decks and (wait := seconds_to_wait(request, work=True)):
        return too_many(request, wait)
    page = page_of_paginator_or_404(request, listed.paginator(PER_PAGE))
    tiles = deck_tiles(page.object_list, viewer)
    query = text.casefold()
    asks_for_own = any(shelf in query.split() for shelf in OWN_SHELVES)
    parameters = {name: value for name, value in {"q": text, "order": order}.items() if value}
    of_game = {"game": game.slug} if game else {}
    context = {
        "text": text,
        "order": order,
        "orders": ORDERS.items(),
        "listed": listed,
        "words": in_words(listed.query.tree, viewer != Viewer()) if listed.query.tree else "",
        "advice": [advice_on(listed.query.text, problem) for problem in listed.query.problems],
        "page": page,
        "tiles": tiles,
        "rows": [tile.row for tile in tiles],
        "shelf": query if query in OWN_SHELVES else "",
        # In lists of the visitor's own decks, several can be ticked to be printed on the same sheets.
        "together": asks_for_own and len(page.object_list) > 1,
        "games": games().values(),
        "chosen": game,
        "parameters": urlencode(parameters),
        "address": urlencode(of_game | parameters),
    }
    return render(request, "decks/public/deck_list.html", context)


@require_safe
@public_for_now
def decks_newest(request: HttpRequest) -> HttpResponse:
    """The newest public decks as tiles, for the home page, which asks for them when it is scrolled to that
    place. Empty if there are none.

    They are not part of the home page itself, because that is cached as long as the catalogue does not change
    and would go on showing a deck that has become private. The answer says itself how it is cached
    (``public_for_now``): for one minute by any cache, and not at all for a visitor with pictures or texts of
    their own, which the tiles show.
    """
    decks = Deck.objects.public().filter(game__in=tuple(games())).only(*IN_LISTS)[:AT_HOME]
    answer = render(request, "decks/public/newest.html", {"tiles": deck_tiles(decks)})
    if may_see_own(reader_of(request)) or not brings_nothing(request):
        patch_cache_control(answer, private=True, no_store=True)
    else:
        patch_cache_control(answer, public=True, max_age=A_MINUTE)
    patch_vary_headers(answer, ("Cookie",))
    return answer


@require_safe
@public
def deck_search_help(request: HttpRequest) -> HttpResponse:
    """The help page: every word that decks can be searched by, with an example."""
    return render(request, "decks/public/help.html", {"fields": DECK_FIELDS, "examples": EXAMPLES})


class FeedQuery(NamedTuple):
    """The game to which a feed is limited, or None, and the decks that its query finds."""

    game: Game | None
    listed: Listing


class DecksFeed(CreditedFeed):
    """The Atom feed of the public decks that a query finds, those saved last first.

    Django calls ``__call__`` with the request. Its own ``__call__`` then passes on what ``get_object``
    returns, as ``asked``, to ``title``, ``link`` and ``items``, and each of the items to the ``item_...``.
    """

    subtitle = "Public decks, those saved last first."

    def __call__(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """Answer with the feed. A query that looks into every deck counts as work, as on the list
        of decks.
        """
        slug = request.GET.get("game", "")
        if slug and slug not in games():
            raise Http404
        text, game = request.GET.get("q", "").strip(), games().get(slug)
        listed = listing(Viewer(), text, game)
        if listed.query.looks_into_decks and (wait := seconds_to_wait(request, work=True)):
            return too_many(request, wait)
        return super().__call__(request, asked=FeedQuery(game, listed))

    def get_object(self, request: HttpRequest, asked: FeedQuery) -> FeedQuery:  # type: ignore[override]
        return asked

    def title(self, asked: FeedQuery) -> str:
        text = asked.listed.query.text
        of_game = f" of {asked.game.name}" if asked.game else ""
        return f"Cutout: decks{of_game}{f': {plain(text)}' if text else ''}"

    def link(self, asked: FeedQuery) -> str:
        parameters = {"game": asked.game.slug if asked.game else "", "q": asked.listed.query.text}
        query = urlencode({name: value for name, value in parameters.items() if value})
        return f"{reverse('deck_list')}{'?' if query else ''}{query}"

    def items(self, asked: FeedQuery) -> list[DeckRow]:
        return deck_rows(asked.listed.decks.order_by("-changed", "-pk")[:IN_FEED])

    def item_title(self, item: Any) -> str:
        return str(item.deck.name)

    def item_link(self, item: DeckRow) -> str:
        return reverse("deck", args=[item.deck.link])

    def item_author_name(self, item: DeckRow) -> str:
        return item.author or self.author_name

    def item_pubdate(self, item: DeckRow) -> datetime:
        return item.deck.created

    def item_updateddate(self, item: DeckRow) -> datetime:
        return item.deck.changed

    def item_description(self, item: Any) -> str:
        return render_to_string("decks/public/feed_entry.html", {"row": item})


def plain(text: str) -> str:
    """The beginning of a query for the title of a feed, without control characters, which XML does not
    allow.
    """
    return "".join(char for char in text if char.isprintable())[:MAX_IN_TITLE]


# Decks that the page of a card lists.
MAX_DECKS = 24
# Cards that it shows because decks use them together with the card.
MAX_BESIDE = 12
# Decks in which these cards are counted, the newest first.
MAX_COUNTED = 500


@require_safe
@public_for_now
def card_decks(request: HttpRequest, game_slug: str, code: str) -> HttpResponse:
    """The public decks that use a card, as a page, or without its frame for htmx. It is the same for every
    visitor, but only the part is cached by all: the frame shows what a visitor has.
    """
    game = game_or_404(game_slug)
    card = get_object_or_404(Card.objects.in_game(game_slug), code=code)
    using = Deck.objects.public().filter(pk__in=lines_of_cards(Viewer(), [card.pk]).values("deck"))
    newest = list(using.only(*IN_LISTS)[:MAX_DECKS])
    # Decks are counted only if there may be more than these.
    total = using.count() if len(newest) == MAX_DECKS else len(newest)
    context = {
        "game": game,
        "card": card,
        "rows": deck_rows(newest),
        "total": total,
        "counted": min(total, MAX_COUNTED),
        "beside": _beside(card, using) if newest else [],
        "starters": [
            starter
            for starter, codes in catalogue().derived(_starters_with_codes, game.slug)
            if card.code in codes
        ],
    }
    if wants_part(request):
        answer = render(request, "decks/public/card_decks_inside.html", context)
        answer["Cache-Control"] = "public, no-cache"
    else:
        answer = render(request, "decks/public/card_decks.html", context)
        answer["Cache-Control"] = "private, no-cache"
    return in_parts(answer)


def _starters_with_codes(whole: Catalogue, slug: str) -> list[tuple[Starter, frozenset[str]]]:
    """Return (starter, codes of its cards) of each starter of a game, read once per edition: fourteen lists
    take 30 ms of a processor.
    """
    game = whole.games[slug]
    found = []
    for starter in game.starters:
        deck = read_deck(game, starter.text).deck
        found.append((starter, frozenset(entry.card.code for entry in deck)))
    return found


def _beside(card: Card, using: QuerySet[Deck]) -> list[dict[str, Any]]:
    """The other cards of these decks, the most frequent first, as dicts: ``card``, and ``decks``, the number
    of decks with it.
    """
    rows = (
        lines_of(using.only("game")[:MAX_COUNTED], Viewer())
        .filter(card__isnull=False)
        .exclude(card=card)
        .values("card")
        .annotate(decks=Count("deck", distinct=True))
        .order_by("-decks", "card__sort_name", "card__code")
        .values_list("card", "decks")[:MAX_BESIDE]
    )
    count_of_card = dict(rows)
    cards = catalogue().cards(count_of_card)
    return [{"card": cards[pk], "decks": count} for pk, count in count_of_card.items()]


# -- the sitemap for search engines ---------------------------------------------------

# Addresses in one file of the sitemap.
MAX_PAGES = 5_000
# Seconds.
AN_HOUR = 60 * 60
# Names of the URL patterns that take no argument.
ALONE = (
    "home game_list sets card_list syntax compare deck_list deck_search_help check league_list bulk changes"
    " api_docs"
).split()


class Pages(Sitemap[Any]):
    """A section of the sitemap: (name of the URL pattern, its arguments) of pages of one kind, as
    ``pages_of_kind`` lists them.
    """

    limit = MAX_PAGES

    def __init__(self, pages_of_kind: Callable[[], Iterable[tuple[str, ...]]]) -> None:
        self._pages_of_kind = pages_of_kind

    def items(self) -> list[tuple[str, ...]]:
        return list(self._pages_of_kind())

    def location(self, item: tuple[str, ...]) -> str:
        name, *arguments = item
        return reverse(name, args=arguments)


class PagesOfDecks(Sitemap[Deck]):
    """The section of the public decks, each with the time of its last change."""

    limit = MAX_PAGES

    def items(self) -> QuerySet[Deck]:
        return Deck.objects.public().filter(game__in=tuple(games())).only("link", "changed").order_by("pk")

    def location(self, item: Deck) -> str:
        return reverse("deck", args=[item.link])

    def lastmod(self, item: Deck) -> datetime:
        return item.changed

    def get_latest_lastmod(self) -> None:
        """None, because finding the latest change would read all decks."""


def _pages_of_games() -> Iterator[tuple[str, str]]:
    """Yield the pages that each game has: ("game", "spycraft"), ("rules", "spycraft"), ..."""
    for slug, game in games().items():
        # Name of the URL pattern -> what its page shows; false if the game has none of it.
        has = {"game": True, "game_about": True, "rules": game.citations, "glossary": game.glossary}
        has |= {"play": game.play_guide, "set_up": game.set_up_guide}
        yield from ((name, slug) for name, shown in has.items() if shown)


def _pages_of_sets() -> Iterator[tuple[str, str, str]]:
    for game in games().values():
        yield from (("set", game.slug, card_set.code) for card_set in game.sets)


def _pages_of_cards() -> Iterator[tuple[str, ...]]:
    # The key of an entry is game/card code.
    return (("card", *entry.key.split("/")) for entry in catalogue().entries)


SECTIONS: dict[str, Sitemap[Any]] = {
    "pages": Pages(lambda: [(name,) for name in ALONE]),
    "games": Pages(_pages_of_games),
    "sets": Pages(_pages_of_sets),
    "cards": Pages(_pages_of_cards),
    "decks": PagesOfDecks(),
}


@require_safe
@public_for_now
@cache_control(max_age=AN_HOUR, public=True)
def sitemap(request: HttpRequest) -> HttpResponse:
    """The index of the sitemap: the addresses of its files, one or more for each section."""
    return views.index(request, SECTIONS, sitemap_url_name="sitemap_section")


@require_safe
@public_for_now
@cache_control(max_age=AN_HOUR, public=True)
def sitemap_section(request: HttpRequest, section: str) -> HttpResponse:
    """One file of a section; ``?p=2`` is the second one."""
    return views.sitemap(request, SECTIONS, section)
