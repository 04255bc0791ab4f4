"""The changes of the catalogue, edition by edition: a page, and an Atom feed of the same."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.contrib.syndication.views import Feed
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.feedgenerator import Atom1Feed
from django.views.decorators.http import require_safe

from cardsdb.catalogue.current import catalogue, game_named, games
from cardsdb.games.kit import Game
from cardsdb.models import Edition
from cardsdb.site.sharing import public
from cardsdb.site.shortcuts import page_or_404

PER_PAGE = 10
IN_FEED = 20
# Cards of one kind that are named; the rest are counted.
NAMED = 25
KINDS = (("added", "Added"), ("changed", "Changed"), ("retired", "Retired"))


@dataclass(frozen=True, slots=True)
class Change:
    """The change that one edition made of one game's cards: how many, and the first of them as (name,
    address).
    """

    game: Game
    title: str
    count: int
    cards: tuple[tuple[str, str], ...]

    @property
    def more(self) -> int:
        return self.count - len(self.cards)


@dataclass(frozen=True, slots=True)
class ShownEdition:
    """One edition and its changes, ready to be shown."""

    number: int
    made: datetime
    changes: tuple[Change, ...]

    @property
    def summary(self) -> str:
        """The changes in a few words: ``12 added, 3 changed``."""
        totals = {
            title: sum(change.count for change in self.changes if change.title == title) for _, title in KINDS
        }
        return (
            ", ".join(f"{count:,} {title.lower()}" for title, count in totals.items() if count)
            or "No card changed"
        )


def shown_editions(editions: Iterable[Edition]) -> list[ShownEdition]:
    """The editions with the names of their cards. Games that are gone are left out."""
    return [ShownEdition(row.number, row.made, tuple(_changes(row))) for row in editions]


def _changes(edition: Edition) -> Iterable[Change]:
    known = catalogue()
    for entry in edition.changes:
        game = game_named(entry["game"])
        if game is None:
            continue
        for kind, title in KINDS:
            named = [one.card for code in entry.get(kind, ())[:NAMED] if (one := known.at(game.slug, code))]
            count = entry.get("counts", {}).get(kind, len(entry.get(kind, ())))
            if count:
                cards = tuple((card.name, reverse("card", args=[game.slug, card.code])) for card in named)
                yield Change(game, title, count, cards)


@require_safe
@public
def changes_page(request: HttpRequest) -> HttpResponse:
    page = page_or_404(request, Edition.objects.all(), PER_PAGE)
    return render(
        request,
        "cardsdb/pages/changes.html",
        {"page": page, "address": "", "editions": shown_editions(page.object_list)},
    )


class ChangesFeed(Feed):  # type: ignore[type-arg]
    """The last editions as Atom."""

    feed_type = Atom1Feed
    title = "Cutout: changes of the catalogue"
    subtitle = "Cards added, changed and retired, newest first."
    author_name = "Cutout"

    def link(self) -> str:
        return reverse("changes")

    def feed_copyright(self) -> str:
        """Card names stand in the entries, so the games' credits go with them."""
        return " ".join(
            f"{game.credit.text} {game.credit.licence_url}" for game in games().values() if game.credit
        )

    def items(self) -> list[ShownEdition]:
        return shown_editions(Edition.objects.all()[:IN_FEED])

    def item_title(self, item: Any) -> str:
        return f"Edition {item.number}: {item.summary}"

    def item_link(self, item: ShownEdition) -> str:
        return f"{reverse('changes')}#edition-{item.number}"

    def item_pubdate(self, item: ShownEdition) -> datetime:
        return item.made

    item_updateddate = item_pubdate

    def item_description(self, item: Any) -> str:
        return render_to_string("cardsdb/pages/edition_entry.html", {"changes": item.changes})
