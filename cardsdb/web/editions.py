"""The editions of the catalogue: their changes as a page and an Atom feed, the newest edition as files to
download, and small files that browsers and search engines ask for (robots.txt, OpenSearch, the games'
colours). The feed of public decks (``decks/public/views.py``) is a ``CreditedFeed`` too. Tests:
``tests/cardsdb/web/test_editions.py``; of the downloads ``tests/cardsdb/catalogue/test_edition_files.py``.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from datetime import datetime
from pathlib import PurePath
from typing import Any, NamedTuple

from django.contrib.syndication.views import Feed
from django.http import FileResponse, Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.cache import get_conditional_response, patch_cache_control
from django.utils.dateparse import parse_datetime
from django.utils.feedgenerator import Atom1Feed
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

from cardsdb.catalogue.current import catalogue, game_named, games
from cardsdb.catalogue.edition_files import current_bulk, opened
from cardsdb.games.kit import Game
from cardsdb.models import Edition
from cardsdb.site.sharing import public, public_for_now
from cardsdb.site.shortcuts import page_or_404, private_page
from cardsdb.site.static_files import game_colours

# Editions on one page, and in the feed.
PER_PAGE = 10
IN_FEED = 20
# Cards of one kind of change that are named; the rest are only counted.
NAMED = 25
# (key in ``Edition.changes``, title)
KINDS = (("added", "Added"), ("changed", "Changed"), ("retired", "Retired"))
# Seconds.
A_DAY = 24 * 60 * 60
# Bytes of a download that are sent at a time.
BLOCK = 256 * 1024
MEDIA_TYPES = {".gz": "application/gzip", ".txt": "text/plain; charset=utf-8"}


# -- changes ---------------------------------------------------------------------------


class Change(NamedTuple):
    """The cards of one game that an edition added, changed or retired: their number, and the first as (name,
    address).
    """

    game: Game
    title: str
    count: int
    cards: list[tuple[str, str]]

    @property
    def more(self) -> int:
        return self.count - len(self.cards)


class ShownEdition(NamedTuple):
    """An edition with its changes, ready to be shown."""

    number: int
    made: datetime
    changes: list[Change]

    @property
    def summary(self) -> str:
        """The changes in a few words: ``12 added, 3 changed``."""
        totals = Counter[str]()
        for change in self.changes:
            totals[change.title] += change.count
        parts = [f"{totals[title]:,} {title.lower()}" for _, title in KINDS if totals[title]]
        return ", ".join(parts) or "No card changed"


def shown_editions(editions: Iterable[Edition]) -> list[ShownEdition]:
    """Return the editions with the names of their cards. Games that no longer exist are left out."""
    return [ShownEdition(row.number, row.made, list(_changes(row))) for row in editions]


def _changes(edition: Edition) -> Iterator[Change]:
    """Yield the changes of an edition, by game and kind. Games that no longer exist have none.

    ``edition.changes`` has an object for each game. The codes are the first hundred of a kind, the counts are
    of all (older editions have no counts)::

        [{"game": "spycraft", "added": ["kai", "li"], "counts": {"added": 2, "changed": 0, "retired": 0}}]
    """
    for entry in edition.changes:
        game = game_named(entry["game"])
        if game is None:
            continue
        for kind, title in KINDS:
            codes = entry.get(kind, ())
            named = [found.card for code in codes[:NAMED] if (found := catalogue().at(game.slug, code))]
            if count := entry.get("counts", {}).get(kind, len(codes)):
                cards = [(card.name, reverse("card", args=[game.slug, card.code])) for card in named]
                yield Change(game, title, count, cards)


@require_safe
@public
def changes_page(request: HttpRequest) -> HttpResponse:
    page = page_or_404(request, Edition.objects.all(), PER_PAGE)
    context = {"page": page, "address": "", "editions": shown_editions(page.object_list)}
    return render(request, "cardsdb/pages/changes.html", context)


class CreditedFeed(Feed):  # type: ignore[type-arg]
    """An Atom feed with the games' credits, because its entries contain names from their worlds."""

    feed_type = Atom1Feed
    author_name = "Cutout"

    def feed_copyright(self) -> str:
        """The credits of all games."""
        return " ".join(
            f"{game.credit.text} {game.credit.licence_url}" for game in games().values() if game.credit
        )


class ChangesFeed(CreditedFeed):
    """The latest editions as Atom."""

    title = "Cutout: changes of the catalogue"
    subtitle = "Cards added, changed and retired, newest first."

    def link(self) -> str:
        return reverse("changes")

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


# -- downloads -------------------------------------------------------------------------


@private_page
@cache_control(private=True, no_cache=True)
def bulk_page(request: HttpRequest) -> HttpResponse:
    bulk = current_bulk()
    made = parse_datetime(bulk.date) if bulk and bulk.date else None
    return render(request, "cardsdb/pages/bulk.html", {"bulk": bulk, "made": made})


@require_safe
@public_for_now
def bulk_file(request: HttpRequest, name: str) -> HttpResponse:
    """One file of the newest edition, streamed. Its ETag is its checksum: who has it gets 304."""
    bulk = current_bulk()
    # Only names in the manifest are served, so a name cannot lead to another file.
    file = next((listed for listed in bulk.files if listed.name == name), None) if bulk else None
    if bulk is None or file is None:
        raise Http404
    etag = f'"{file.sha256}"'
    response = get_conditional_response(request, etag=etag)
    if response is None:
        # The file is compressed already and its size is stated, so nothing on the way may compress it again.
        request.META["HTTP_ACCEPT_ENCODING"] = "identity"
        try:
            stream = opened(bulk, file)
        except FileNotFoundError:
            # A new edition took its place in this very moment.
            raise Http404 from None
        kind = MEDIA_TYPES.get(PurePath(file.name).suffix, "application/octet-stream")
        response = FileResponse(stream, as_attachment=True, filename=f"cutout-{file.name}", content_type=kind)
        response["Content-Length"] = str(stream.size)
        response.block_size = BLOCK
    response["ETag"] = etag
    response["Access-Control-Allow-Origin"] = "*"
    patch_cache_control(response, public=True, max_age=0, must_revalidate=True)
    return response


# -- files for browsers and search engines ------------------------------------------


@require_safe
@public
def games_css(request: HttpRequest) -> HttpResponse:
    """The games' colours as CSS. The collected stylesheet includes them; this serves the stylesheet of
    development, which does not.
    """
    return HttpResponse(game_colours(), content_type="text/css; charset=utf-8")


@require_safe
@public_for_now
@cache_control(max_age=A_DAY, public=True)
def robots(request: HttpRequest) -> HttpResponse:
    """robots.txt: everything may be read except random cards, which are no pages, and edit pages."""
    lines = ["User-agent: *", "Allow: /", f"Disallow: {reverse('random_card')}", "Disallow: /decks/*/edit"]
    lines += ["", f"Sitemap: {request.build_absolute_uri(reverse('sitemap'))}"]
    return HttpResponse("\n".join(lines) + "\n", content_type="text/plain; charset=utf-8")


@require_safe
@public_for_now
@cache_control(max_age=A_DAY, public=True)
def opensearch(request: HttpRequest) -> HttpResponse:
    """The description by which browsers add the site to the search engines of their address bar."""
    context = {"site": request.build_absolute_uri("/").rstrip("/")}
    kind = "application/opensearchdescription+xml; charset=utf-8"
    return render(request, "cardsdb/pages/opensearch.xml", context, content_type=kind)
