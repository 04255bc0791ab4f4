"""The pages of a deck's history: what changed when, back and forward, earlier versions, forks."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_POST, require_safe

from cardsdb.faults import Refused
from cardsdb.games.kit.model.text import listed
from cardsdb.identity.viewer import Viewer, owner_of, viewer_of
from cardsdb.site.ratelimits import counted_as_work
from cardsdb.site.sharing import private
from cardsdb.site.shortcuts import game_or_404, page_or_404
from decks.core.diff import difference
from decks.core.judging import judge_content
from decks.history.timeline import sittings, states, steps_of
from decks.history.undo import MAX_VERSION_NAME, fork, name_version, redo, restore, undo
from decks.models import Deck, DeckRevision
from decks.saving.room import begin_deck
from decks.saving.save import Saved
from decks.web.deck_context import judged_context, sections_hidden_from, to_deck
from decks.web.forms import seen_revision

PER_PAGE = 25
# Versions with a name that every page of the history offers to compare.
MAX_NAMED_OFFERED = 50
# The pages with buttons for steps, to which a step leads back.
BACK = ("deck_history", "deck_edit", "deck")


@require_safe
@private
def deck_history(request: HttpRequest, link: str) -> HttpResponse:
    """Every stored state of a deck, newest first, with its change. Only for those who may edit it."""
    return _history(request, link)


def _history(request: HttpRequest, link: str, status: int = 200, **more: Any) -> HttpResponse:
    deck = get_object_or_404(Deck.objects.editable_by(viewer_of(request)).with_cards(), link=link)
    game = game_or_404(deck.game)
    rows = DeckRevision.objects.of(deck.pk).shown().select_related("by").order_by("-number")
    page, now = page_or_404(request, rows, PER_PAGE), deck.content()
    context = {
        "deck": deck,
        "game": game,
        "editable": True,
        "page": page,
        "pages": page.paginator.get_elided_page_range(page.number),
        "sittings": sittings(game, states(game, list(page.object_list)), now, deck.leagues),
        "steps": steps_of(deck, now, game),
        "versions": _to_compare(deck, page.object_list),
        "longest_name": MAX_VERSION_NAME,
        "here": "decks",
    }
    return render(request, "decks/history.html", context | more, status=status)


def _to_compare(deck: Deck, shown: Iterable[DeckRevision]) -> list[DeckRevision]:
    """The states that the page offers to compare, newest first: those that it shows, the newest, and the
    newest with a name.
    """
    stored = DeckRevision.objects.of(deck.pk).shown().defer("content").order_by("-number")
    rows = [*shown, *stored[:1], *stored.exclude(name="")[:MAX_NAMED_OFFERED]]
    return sorted({row.number: row for row in rows}.values(), key=lambda row: -row.number)


@require_safe
@private
def deck_version(request: HttpRequest, link: str, number: int) -> HttpResponse:
    """A deck as it was at one time, judged by today's rules."""
    deck = get_object_or_404(Deck.objects.editable_by(viewer_of(request)).with_cards(), link=link)
    game = game_or_404(deck.game)
    row = get_object_or_404(DeckRevision.objects.of(deck.pk).select_related("by"), number=number)
    (state,) = states(game, [row])
    content = state.content
    judged = judge_content(game, content, deck.leagues)
    context = {
        **judged_context(judged),
        "deck": deck,
        "editable": True,
        "state": state,
        "content": content,
        "from_here": difference(deck.content(), content).words(),
        "came_in": difference(content, deck.content()).came_in().total(),
        "longest_name": MAX_VERSION_NAME,
        "here": "decks",
    }
    return render(request, "decks/history_version.html", context)


def _step(request: HttpRequest, link: str, step: Callable[[Viewer], Saved], done: str) -> HttpResponse:
    """Take one step through the history and go back to where its button was."""
    try:
        messages.success(request, step_words(done, step(viewer_of(request))))
    except Refused as refused:
        messages.warning(request, str(refused))
    back = request.POST.get("back", "")
    return redirect(back if back in BACK else BACK[0], link=link)


def step_words(done: str, saved: Saved) -> str:
    """What a step did, in words. An undone change is named as it was made, as on the button that undid it."""
    ends = (saved.after, saved.before) if done == "Undone" else (saved.before, saved.after)
    return f"{done}: {difference(*ends).words() or 'no change'}."


@require_POST
@private
@counted_as_work("POST")
def deck_undo(request: HttpRequest, link: str) -> HttpResponse:
    return _step(request, link, lambda viewer: undo(link, viewer, seen_revision(request)), "Undone")


@require_POST
@private
@counted_as_work("POST")
def deck_redo(request: HttpRequest, link: str) -> HttpResponse:
    return _step(request, link, lambda viewer: redo(link, viewer, seen_revision(request)), "Redone")


@require_POST
@private
@counted_as_work("POST")
def deck_restore(request: HttpRequest, link: str, number: int) -> HttpResponse:
    return _step(request, link, lambda viewer: restore(link, viewer, number), f"Back at version {number}")


@require_POST
@private
def deck_name_version(request: HttpRequest, link: str, number: int) -> HttpResponse:
    """Name a version. An invalid name is shown with what is wrong about it, and nothing changes."""
    name = request.POST.get("name", "")
    try:
        row = name_version(link, viewer_of(request), number, name)
    except Refused as refused:
        return _history(
            request,
            link,
            refused.status,
            name_faults=refused.faults,
            wrong_number=number,
            wrong_name=name[:200],
        )
    done = (
        f"Version {number} is named “{row.name}”, and kept."
        if row.name
        else f"Version {number} has no name any more."
    )
    messages.success(request, done)
    return redirect("deck_history", link=link)


@require_POST
@private
@counted_as_work("POST")
def deck_fork(request: HttpRequest, link: str) -> HttpResponse:
    """A deck of the visitor's own that begins as this one."""
    viewer, owner = viewer_of(request), owner_of(request)
    try:
        deck, key = fork(link, viewer, partial(begin_deck, request, owner), owner.browser)
    except Refused as refused:
        messages.warning(request, str(refused))
        return redirect("deck", link=link)
    messages.success(request, "This deck is yours now, and private. Changes to it leave the other one alone.")
    source, game = deck.forked_from, game_or_404(deck.game)
    if source and (hidden := sections_hidden_from(viewer, source, game)):
        messages.warning(
            request,
            f"{listed(tuple(hidden))}: its author keeps it secret, so what stands there was left out of"
            " yours.",
        )
    return to_deck(deck, key)
