"""All cards of a game for other programs: a LackeyCCG plug-in and a card file of Cockatrice."""

from __future__ import annotations

from datetime import date

from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.http import content_disposition_header
from django.views.decorators.http import require_safe

from cardsdb.models import Edition
from cardsdb.site.ratelimits import counted_as_work
from cardsdb.site.shortcuts import game_or_404
from decks.formats.cockatrice_cards import card_database
from decks.formats.lackey_plugin import plugin_files, plugin_name, plugin_zip


@require_safe
@counted_as_work()
def lackey_plugin(request: HttpRequest, slug: str) -> HttpResponse:
    """The plug-in in one archive, ready to be unpacked into LackeyCCG's folder ``plugins``."""
    game = game_or_404(slug)
    return _file(plugin_zip(game, _address(request, slug), _day()), "application/zip", f"{plugin_name(game)}.zip")


@require_safe
@counted_as_work()
def lackey_file(request: HttpRequest, slug: str, path: str) -> HttpResponse:
    """One file of the plug-in, where its list of updates says that it is."""
    game = game_or_404(slug)
    data = plugin_files(game, _address(request, slug), _day()).get(path)
    if data is None:
        raise Http404
    return HttpResponse(data, content_type="text/plain; charset=utf-8")


def _day() -> date:
    """When the catalogue last changed."""
    made = Edition.objects.current()[1]
    return made.date() if made else date(1980, 1, 1)


def _address(request: HttpRequest, slug: str) -> str:
    return request.build_absolute_uri(reverse("lackey_file", args=[slug, "version.txt"])).removesuffix("version.txt")


@require_safe
@counted_as_work()
def cockatrice_cards(request: HttpRequest, slug: str) -> HttpResponse:
    """The card file, to be put into Cockatrice's folder ``customsets``."""
    game = game_or_404(slug)
    text = card_database(game, request.build_absolute_uri("/"), str(Edition.objects.current().number))
    return _file(text.encode(), "application/xml; charset=utf-8", f"{game.slug}.xml")


def _file(data: bytes, content_type: str, name: str) -> HttpResponse:
    disposition = content_disposition_header(True, name) or "attachment"
    return HttpResponse(data, content_type=content_type, headers={"Content-Disposition": disposition})
