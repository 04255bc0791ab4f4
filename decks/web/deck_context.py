"""The shared half of pages about a deck: its look-up for a visitor, its verdict as templates read it, its
edit key.
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

KEY_COOKIE = "edit_key"
# Seconds in which the page of the new deck must be opened.
KEY_SECONDS = 600


def open_deck(
    request: HttpRequest, link: str, find: Callable[[str, Viewer], Deck] = visible_deck
) -> tuple[Viewer, Deck, Game]:
    """The visitor, a deck that they may open, and its game. Raises Http404."""
    viewer = viewer_of(request)
    deck = find(link, viewer)
    return viewer, deck, game_or_404(deck.game)


# The same of a deck that is the visitor's to edit.
own_deck = partial(open_deck, find=editable_deck)


def deck_page(
    request: HttpRequest, template: str, deck: Deck, game: Game, /, status: int = 200, **context: Any
) -> HttpResponse:
    """A page of a deck, with what the templates of all of them read. ``editable``: it is the visitor's own,
    as it is unless the context says otherwise.
    """
    shared = {"deck": deck, "game": game, "editable": True, "here": "decks"}
    return render(request, template, shared | context, status=status)


def wants_part(request: HttpRequest, target: str = "") -> bool:
    """True if htmx asks for a part of the page alone: for that of this name, if one is given."""
    wanted: Any = request.htmx
    return bool(wanted) and not wanted.history_restore_request and target in ("", wanted.target)


def in_parts(answer: HttpResponse, *more: str) -> HttpResponse:
    """The answer of an address that gives parts of its page by what htmx asks, and by these headers more."""
    patch_vary_headers(answer, ["HX-Request", *more, "HX-History-Restore-Request"])
    return answer


def leagues_seen(request: HttpRequest) -> LeagueLookup:
    """The formats by which lists of the visitor may be judged. Who that is is looked up when a list names
    one.
    """
    return lambda game, link: leagues_of(viewer_of(request))(game, link)


def own_seen(request: HttpRequest) -> OwnLookup:
    """The visitor's own cards, which lists of theirs may name. Who that is is looked up when a list is
    read.
    """
    return lambda game: own_of_game(viewer_of(request), game).cards.values()


def judged_context(judged: Judged) -> dict[str, Any]:
    """The context of the templates of the verdict and of the list. ``grave``: the violations that are more
    than notes. ``details``: what the list states besides cards, each with its label.
    """
    violations, stated = judged.violation_views(), judged.deck.details
    return {
        "judged": judged,
        "game": judged.game,
        "violations": violations,
        "grave": [view for view in violations if view.severity != "note"],
        "sections": list(sections_shown(judged)),
        "details": [(d.label, stated[d.key]) for d in judged.format.details if d.key in stated],
    }


def sections_shown(judged: Judged) -> Iterator[dict[str, Any]]:
    """The sections that have cards, in the game's order, each with its lines by type."""
    for section in judged.game.sections:
        if entries := judged.deck.in_section(section.slug):
            groups = [
                {"type": of_type, "entries": lines, "count": count_of(lines)}
                for of_type, lines in by_type(judged.game, section, entries)
            ]
            yield {"section": section, "groups": groups, "count": count_of(entries)}


def fan_of(game: Game, card_type: str) -> str:
    """The way in which the faces of a type overlap so that each name can be read: ``across``, ``down``, or
    ``wide`` for cards that lie on their side.
    """
    face = game.face_named(card_type)
    return "wide" if face.landscape else "across" if face.name_runs_up else "down"


def secret_sections(game: Game, format: Format | None = None) -> list[str]:
    """The names of the secret sections of a game, or of one of its formats alone."""
    return [
        section.name
        for section in game.sections
        if section.secret and (format is None or section.slug in format.sections)
    ]


def sections_hidden_from(viewer: Viewer, deck: Deck, game: Game) -> list[str]:
    """The names of the sections of a deck's format that this visitor is not shown."""
    return [] if deck.shows_secrets_to(viewer) else secret_sections(game, deck.format_used(game))


def to_deck(deck: Deck, key: str, page: str = "deck") -> HttpResponse:
    """Redirect to the deck, whose page shows this new edit key once. Until then a cookie for the deck's
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
    """Redirect to a deck that was just made. Without an account, the visitor's browser gets access to it."""
    if not deck.owner_id:
        BrowserAccess.objects.grant(browser_of(request), deck)
    return to_deck(deck, key, page)


def new_edit_link(request: HttpRequest, deck: Deck) -> str:
    """The link that edits a new deck, while the cookie holds its key; otherwise empty."""
    key = request.COOKIES.get(KEY_COOKIE, "") if request.method == "GET" else ""
    fresh = bool(key) and hashed(key) == deck.edit_hash
    return request.build_absolute_uri(f"{reverse('edit_link')}#{deck.link}.{key}") if fresh else ""


def without_new_key(request: HttpRequest, deck: Deck, answer: HttpResponse) -> HttpResponse:
    """The answer that shows the new edit link, which deletes the cookie with the key."""
    if request.method == "GET" and request.COOKIES.get(KEY_COOKIE):
        answer.delete_cookie(
            KEY_COOKIE, path=reverse("deck", args=[deck.link]), samesite=settings.SESSION_COOKIE_SAMESITE
        )
    return answer
