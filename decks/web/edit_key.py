"""The key that edits a new deck: its browser remembers it, one page shows it once."""

from __future__ import annotations

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse

from decks.identity.viewer import hashed
from decks.models import BrowserAccess, Deck

KEY_COOKIE = "edit_key"


KEY_SECONDS = 600


def to_deck(deck: Deck, key: str, page: str = "deck") -> HttpResponse:
    """On to the deck, whose page shows this new edit key once. Until then only the browser has it, for the deck's addresses."""
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


def new_edit_link(request: HttpRequest, deck: Deck) -> str:
    """The link that edits a new deck, for the one page that shows it; empty on every other."""
    key = request.COOKIES.get(KEY_COOKIE, "") if request.method == "GET" else ""
    fresh = bool(key) and hashed(key) == deck.edit_hash
    return request.build_absolute_uri(f"{reverse('deck_edit', args=[deck.link])}?key={key}") if fresh else ""


def without_new_key(request: HttpRequest, deck: Deck, answer: HttpResponse) -> HttpResponse:
    """The answer that showed the new edit link; the browser forgets its key."""
    if request.method == "GET" and request.COOKIES.get(KEY_COOKIE):
        answer.delete_cookie(KEY_COOKIE, path=reverse("deck", args=[deck.link]), samesite=settings.SESSION_COOKIE_SAMESITE)
    return answer


def grant_browser_access(browser: str, deck: Deck) -> None:
    """Let this browser (the hash of its token) edit the deck from now on."""
    BrowserAccess.objects.bulk_create([BrowserAccess(browser=browser, deck=deck)], ignore_conflicts=True)
