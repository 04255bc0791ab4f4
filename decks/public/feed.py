"""Public decks as an Atom feed, of all or of what a query finds. Nobody's own decks are in it, whoever asks."""

from __future__ import annotations

import math
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from urllib.parse import urlencode

from django.contrib.syndication.views import Feed
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.feedgenerator import Atom1Feed
from django.utils.html import format_html
from django.utils.safestring import SafeString

from cardsdb.games import games
from cardsdb.games.kit import Game
from cardsdb.site.ratelimits import seconds_to_wait, too_many
from decks.identity.viewer import Viewer
from decks.public.listing import DeckRow, Listing, deck_rows, listing

IN_FEED = 20


@dataclass(frozen=True, slots=True)
class FeedQuery:
    """What the address of the feed asks."""

    text: str
    game: Game | None
    found: Listing

    @property
    def address(self) -> str:
        asked = urlencode(({"game": self.game.slug} if self.game else {}) | ({"q": self.text} if self.text else {}))
        return f"{reverse('deck_list')}{'?' if asked else ''}{asked}"


class DecksFeed(Feed):  # type: ignore[type-arg]
    """The public decks that were saved last."""

    feed_type = Atom1Feed
    subtitle = "Public decks, those saved last first."
    author_name = "Cutout"

    def __call__(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """The feed. A query that looks into every deck is counted as work, as on the page."""
        slug = request.GET.get("game", "")
        if slug and slug not in games():
            raise Http404
        text, game = request.GET.get("q", "").strip(), games().get(slug)
        asked = FeedQuery(text, game, listing(Viewer(), text, game))
        if asked.found.query.looks_into_decks and (wait := seconds_to_wait(request, work=True)):
            return too_many(request, math.ceil(wait))
        return super().__call__(request, asked=asked)

    def get_object(self, request: HttpRequest, asked: FeedQuery) -> FeedQuery:  # type: ignore[override]
        return asked

    def title(self, asked: FeedQuery) -> str:
        of = f" of {asked.game.name}" if asked.game else ""
        return f"Cutout: decks{of}{f': {plain(asked.text)}' if asked.text else ''}"

    def link(self, asked: FeedQuery) -> str:
        return asked.address

    def feed_copyright(self) -> str:
        """Names of the games' worlds may stand in the entries, so the games' credits go with them."""
        return " ".join(f"{game.credit.text} {game.credit.licence_url}" for game in games().values() if game.credit)

    def items(self, asked: FeedQuery) -> list[DeckRow]:
        return deck_rows(asked.found.decks.order_by("-changed", "-pk")[:IN_FEED])

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

    def item_description(self, item: Any) -> SafeString:
        sizes = "".join(f", {section} {count}" for section, count in item.sizes)
        return format_html(
            "<p>{}, {}: {}{}</p>", item.game.name, item.format.name if item.format else item.deck.format, item.deck.verdict_words, sizes
        )


def plain(text: str) -> str:
    """A query that XML can hold."""
    return "".join(char for char in text if char.isprintable())[:100]
