"""Shared parts of all pages about a deck: looking it up for the visitor, the context of its verdict, its new
edit key.

Views of decks begin with ``open_deck`` (may see) or ``own_deck`` (may edit), which raise Http404 otherwise,
and end with ``deck_page``. Tests: ``tests/decks/models/test_deck.py`` for who may see and edit, else those of
the pages.
"""

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.cache import patch_vary_headers

from cardsdb.games.kit import Format, Game, count_of
from cardsdb.identity.viewer import Viewer, browser_of, hashed, viewer_of
from cardsdb.search.own_cards import own_of_game
from cardsdb.site.shortcuts import game_or_404
from decks.core.content import by_type
from decks.core.judging import Judged, OwnLookup
from decks.core.used_format import LeagueLookup
from decks.models import BrowserAccess, Deck, editable_deck, leagues_of, visible_deck

# The cookie that carries a new edit key to the page that shows it.
KEY_COOKIE = "edit_key"
# Seconds until the cookie expires.
KEY_SECONDS = 600


def open_deck(
    request: HttpRequest, link: str, find: Callable[[str, Viewer], Deck] = visible_deck
) -> tuple[Viewer, Deck, Game]:
    """Return (viewer, deck, game) for a deck that the visitor may open. Raise Http404."""
    viewer = viewer_of(request)
    deck = find(link, viewer)
    return viewer, deck, game_or_404(deck.game)


# The same for a deck that the visitor may edit.
own_deck = partial(open_deck, find=editable_deck)


def deck_page(
    request: HttpRequest, template: str, deck: Deck, game: Game, /, status: int = 200, **context: Any
) -> HttpResponse:
    """Render a page of a deck with the context that all its templates need. ``editable`` is True by default;
    pages that strangers see must pass their own.
    """
    shared = {"deck": deck, "game": game, "editable": True, "here": "decks"}
    return render(request, template, shared | context, status=status)


def wants_part(request: HttpRequest, target: str = "") -> bool:
    """True if htmx asks for a part of the page: for the part ``target``, or for any part if that is empty."""
    wanted: Any = request.htmx
    return bool(wanted) and not wanted.history_restore_request and target in ("", wanted.target)


def in_parts(answer: HttpResponse, *more: str) -> HttpResponse:
    """Add the headers by which caches must tell parts from whole pages to ``Vary``, and return the answer."""
    patch_vary_headers(answer, ["HX-Request", *more, "HX-History-Restore-Request"])
    return answer


def leagues_seen(request: HttpRequest) -> LeagueLookup:
    """Return the look-up of leagues for this visitor. It asks who the visitor is only when a list names a
    league.
    """
    return lambda game, link: leagues_of(viewer_of(request))(game, link)


def own_seen(request: HttpRequest) -> OwnLookup:
    """Return the look-up of the visitor's own cards. It asks who the visitor is only when a list is read."""
    return lambda game: own_of_game(viewer_of(request), game).cards.values()


def judged_context(judged: Judged) -> dict[str, Any]:
    """Return the context for the templates of a verdict and its list. ``grave``: the violations that are more
    than notes. ``details``: (label, value) of each detail that the list states.
    """
    violations, stated = judged.violation_views(), judged.deck.details
    return {
        "judged": judged,
        "game": judged.game,
        "violations": violations,
        "grave": [view for view in violations if view.severity != "note"],
        "sections": list(sections_shown(judged)),
        "details": [
            (detail.label, stated[detail.key]) for detail in judged.format.details if detail.key in stated
        ],
    }


def sections_shown(judged: Judged) -> Iterator[dict[str, Any]]:
    """Yield the sections that have cards, in the game's order: ``section``, its ``count``, and ``groups`` of
    its entries by card type.
    """
    for section in judged.game.sections:
        if entries := judged.deck.in_section(section.slug):
            groups = [
                {"type": of_type, "entries": lines, "count": count_of(lines)}
                for of_type, lines in by_type(judged.game, section, entries)
            ]
            yield {"section": section, "groups": groups, "count": count_of(entries)}


def fan_of(game: Game, card_type: str) -> str:
    """Return how cards of this type overlap when they are shown as a fan with every name readable: "across",
    "down", or "wide" for landscape cards.
    """
    face = game.face_named(card_type)
    return "wide" if face.landscape else "across" if face.name_runs_up else "down"


def secret_sections(game: Game, format: Format | None = None) -> list[str]:
    """Return the names of the secret sections of the game, or only of those that the format has."""
    return [
        section.name
        for section in game.sections
        if section.secret and (format is None or section.slug in format.sections)
    ]


def sections_hidden_from(viewer: Viewer, deck: Deck, game: Game) -> list[str]:
    """Return the names of the secret sections that this viewer is not shown."""
    return [] if deck.shows_secrets_to(viewer) else secret_sections(game, deck.format_used(game))


def to_deck(deck: Deck, key: str, page: str = "deck") -> HttpResponse:
    """Redirect to the deck. Its page will show the edit key once; until then a cookie for the deck's
    addresses holds it.
    """
    answer = redirect(page, link=deck.link)
    answer.set_cookie(
        KEY_COOKIE,
        key,
        max_age=KEY_SECONDS,
        path=reverse("deck", args=[deck.link]),
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite=settings.SESSION_COOKIE_SAMESITE,
    )
    return answer


def to_new_deck(request: HttpRequest, deck: Deck, key: str, page: str = "deck") -> HttpResponse:
    """Redirect to a deck that was just made. Without an account, the visitor's browser is granted access
    first.
    """
    if not deck.owner_id:
        BrowserAccess.objects.grant(browser_of(request), deck)
    return to_deck(deck, key, page)


def new_edit_link(request: HttpRequest, deck: Deck) -> str:
    """Return the link that lets its holder edit the new deck, while the cookie has its key; else empty."""
    key = request.COOKIES.get(KEY_COOKIE, "") if request.method == "GET" else ""
    fresh = bool(key) and hashed(key) == deck.edit_hash
    return request.build_absolute_uri(f"{reverse('edit_link')}#{deck.link}.{key}") if fresh else ""


def without_new_key(request: HttpRequest, deck: Deck, answer: HttpResponse) -> HttpResponse:
    """Delete the cookie with the key from the answer that shows the link, and return the answer."""
    if request.method == "GET" and request.COOKIES.get(KEY_COOKIE):
        answer.delete_cookie(
            KEY_COOKIE, path=reverse("deck", args=[deck.link]), samesite=settings.SESSION_COOKIE_SAMESITE
        )
    return answer
