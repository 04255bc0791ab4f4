"""The pages of decks: check, delete, give a new address; and what the page of a deck shares with others."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.contrib import messages
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from cardsdb.games.kit import Game
from cardsdb.site.shortcuts import whole_number
from decks.core.judging import Judged
from decks.core.sections import by_type
from decks.core.viewer import Viewer, hashed, new_key, viewer_of
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


def seen_revision(request: HttpRequest) -> int | None:
    """The state of a deck that the author saw, as their form says it; None where it does not."""
    return whole_number(request.POST.get("revision", ""))


def sections_hidden_from(viewer: Viewer, deck: Deck, game: Game) -> list[str]:
    """The names of the sections of a deck's format that this visitor is not shown."""
    if deck.shows_secrets_to(viewer):
        return []
    return [section.name for section in game.sections if section.secret and section.slug in deck.format_used(game).sections]


def judged_context(judged: Judged) -> dict[str, Any]:
    """What the verdict and the list need in a template."""
    violations = judged.violation_views()
    return {
        "judged": judged,
        "game": judged.game,
        "violations": violations,
        "grave": [view for view in violations if view.severity != "note"],
        "sections": deck_sections(judged),
        "details": [(d.label, judged.deck.details[d.key]) for d in judged.format.details if d.key in judged.deck.details],
    }


def deck_sections(judged: Judged) -> list[dict[str, Any]]:
    """The deck by section and, within one, by type, each with its counts."""
    game, sections = judged.game, []
    for section in game.sections:
        entries = judged.deck.in_section(section.slug)
        if not entries:
            continue
        groups = [
            {"type": card_type, "entries": of_type, "count": sum(entry.count for entry in of_type)}
            for card_type, of_type in by_type(game, section, entries)
        ]
        sections.append({"section": section, "groups": groups, "count": sum(entry.count for entry in entries)})
    return sections


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def deck_delete(request: HttpRequest, link: str) -> HttpResponse:
    """Ask, then delete for good."""
    own = Deck.objects.editable_by(viewer_of(request))
    if request.method != "POST":
        return render(request, "decks/deck_delete.html", {"deck": get_object_or_404(own, link=link), "here": "decks"})
    with transaction.atomic():
        deck = get_object_or_404(own.select_for_update(), link=link)
        deck.delete()
    messages.success(request, f"The deck “{deck.name}” is deleted.")
    return redirect("deck_list")


@require_POST
def deck_relink(request: HttpRequest, link: str) -> HttpResponse:
    """Give the deck a new address and a new edit key; what was shared of the old ones is dead from now on."""
    viewer, key = viewer_of(request), new_key()
    deck = get_object_or_404(Deck.objects.editable_by(viewer), link=link)
    deck.link, deck.edit_hash = new_key(), hashed(key)
    with transaction.atomic():
        # Of two at once, one is too late.
        if not Deck.objects.filter(pk=deck.pk, link=link).update(link=deck.link, edit_hash=deck.edit_hash):
            raise Http404
        BrowserAccess.objects.filter(deck=deck).exclude(browser=viewer.browser).delete()
    return to_deck(deck, key)
