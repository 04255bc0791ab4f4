"""The pages that a search engine is told of: those of the catalogue, and public decks."""

from collections.abc import Callable, Iterator
from datetime import datetime

from django.contrib.sitemaps import Sitemap, views
from django.db.models import Max, QuerySet
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

from cardsdb.catalogue.current import catalogue, games
from cardsdb.site.sharing import public_for_now
from decks.models import Deck

# Pages in one file.
MAX_PAGES = 5_000
AN_HOUR = 60 * 60
ALONE = (
    "home game_list sets card_list syntax compare deck_list deck_search_help check league_list bulk changes"
    " api_docs"
).split()


class Pages(Sitemap[str]):
    """Pages by their addresses."""

    limit = MAX_PAGES

    def __init__(self, addresses: Callable[[], Iterator[str]]) -> None:
        self._addresses = addresses

    def items(self) -> list[str]:
        return list(self._addresses())

    def location(self, item: str) -> str:
        return item


class Decks(Sitemap[Deck]):
    """Public decks, and when each was changed."""

    limit = MAX_PAGES

    def items(self) -> QuerySet[Deck]:
        return Deck.objects.public().filter(game__in=tuple(games())).only("link", "changed").order_by("pk")

    def location(self, item: Deck) -> str:
        return reverse("deck", args=[item.link])

    def lastmod(self, item: Deck) -> datetime:
        return item.changed

    def get_latest_lastmod(self) -> datetime | None:
        """When any of them was changed last, which one query says."""
        newest: datetime | None = self.items().order_by().aggregate(newest=Max("changed"))["newest"]
        return newest


def _of_games() -> Iterator[str]:
    for game in games().values():
        has = {"rules": game.citations, "glossary": game.glossary, "play": game.play_guide}
        for name, there in ({"game": True, "set_up": game.set_up_guide} | has).items():
            if there:
                yield reverse(name, args=[game.slug])


SECTIONS: dict[str, type[Sitemap] | Sitemap] = {
    "pages": Pages(lambda: map(reverse, ALONE)),
    "games": Pages(_of_games),
    "sets": Pages(
        lambda: (reverse("set", args=[game.slug, one.code]) for game in games().values() for one in game.sets)
    ),
    "cards": Pages(
        lambda: (reverse("card", args=[entry.card.game, entry.card.code]) for entry in catalogue().entries)
    ),
    "decks": Decks(),
}


@require_safe
@public_for_now
@cache_control(max_age=AN_HOUR, public=True)
def sitemap(request: HttpRequest) -> HttpResponse:
    """The addresses of the files, one or more of each section."""
    return views.index(request, SECTIONS, sitemap_url_name="sitemap_section")


@require_safe
@public_for_now
@cache_control(max_age=AN_HOUR, public=True)
def sitemap_section(request: HttpRequest, section: str) -> HttpResponse:
    """A file of a section; ``?p=2`` the second."""
    return views.sitemap(request, SECTIONS, section)
