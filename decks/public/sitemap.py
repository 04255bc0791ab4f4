"""The pages that a search engine is told of: those of the catalogue, and public decks."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from django.contrib.sitemaps import Sitemap, views
from django.db.models import QuerySet
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


class Pages(Sitemap[Any]):
    """Pages of one kind: what they are of, the address of each, and when it was changed if that is known."""

    limit = MAX_PAGES

    def __init__(
        self, items: Callable[[], Sequence[Any] | QuerySet[Any]], location: Callable[[Any], str], **more: Any
    ) -> None:
        vars(self).update(items=items, location=location, **more)

    def get_latest_lastmod(self) -> None:
        """None: it would have to be looked for among all of them."""


def _of_games() -> Iterator[tuple[str, str]]:
    for slug, game in games().items():
        has = {"game": True, "rules": game.citations, "glossary": game.glossary}
        has |= {"play": game.play_guide, "set_up": game.set_up_guide}
        yield from ((name, slug) for name, there in has.items() if there)


def _decks() -> QuerySet[Deck]:
    return Deck.objects.public().filter(game__in=tuple(games())).only("link", "changed").order_by("pk")


SECTIONS = {
    "pages": Pages(lambda: ALONE, reverse),
    "games": Pages(lambda: [*_of_games()], lambda one: reverse(one[0], args=one[1:])),
    "sets": Pages(
        lambda: [(game.slug, one.code) for game in games().values() for one in game.sets],
        lambda keys: reverse("set", args=keys),
    ),
    "cards": Pages(lambda: catalogue().entries, lambda one: reverse("card", args=one.key.split("/"))),
    "decks": Pages(_decks, lambda deck: reverse("deck", args=[deck.link]), lastmod=lambda deck: deck.changed),
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
