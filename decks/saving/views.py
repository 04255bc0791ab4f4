"""The pages of a deck's history: its states, undo and redo, earlier versions, forks; and the comparison of
two decks or versions.

The logic is in ``history.py``. All but fork and comparison are only for those who may edit the deck
(``own_deck``). Templates: ``templates/decks/saving``. Tests: ``tests/decks/saving/test_views.py``.
"""

import re
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render

from cardsdb.catalogue.current import game_named, games
from cardsdb.faults import Refused
from cardsdb.games.kit import Game, listed
from cardsdb.identity.viewer import Viewer, owner_of, viewer_of
from cardsdb.site.ratelimits import counted_as_work
from cardsdb.site.shortcuts import game_or_404, page_or_404, private_action, private_page
from decks.core.content import DeckContent
from decks.core.diff import Difference, LineChange, difference, gathered
from decks.core.judging import judge_content
from decks.models import Deck, DeckRevision
from decks.saving.history import (
    MAX_VERSION_NAME,
    fork,
    name_version,
    redo,
    restore,
    sittings,
    states,
    steps_of,
    undo,
)
from decks.saving.room import begin_deck
from decks.saving.save import Saved
from decks.web.deck_context import deck_page, judged_context, own_deck, sections_hidden_from, to_deck
from decks.web.forms import seen_revision

PER_PAGE = 25
# Named versions that every page of the history offers for comparison.
MAX_NAMED_OFFERED = 50
# Step in the address -> (function, the word that begins its message).
STEPS = {"undo": (undo, "Undone"), "redo": (redo, "Redone")}
# The pages with buttons for steps. A step leads back to the one that it came from.
BACK = ("deck_history", "deck_edit", "deck")


@private_page
def deck_history(request: HttpRequest, link: str) -> HttpResponse:
    """Every stored state of a deck with its change, newest first."""
    return _history(request, link)


def _history(request: HttpRequest, link: str, status: int = 200, **more: Any) -> HttpResponse:
    """Render the history. ``more``: context of a form with errors, as ``deck_name_version`` passes it."""
    _, deck, game = own_deck(request, link)
    rows = DeckRevision.objects.of(deck.pk).shown().select_related("by").order_by("-number")
    page, now = page_or_404(request, rows, PER_PAGE), deck.content()
    # To choose from for a comparison: the versions on this page, the newest one, and named ones.
    without_content = rows.select_related(None).defer("content")
    named = without_content.exclude(name="")[:MAX_NAMED_OFFERED]
    offered = {row.number: row for row in (*page.object_list, *without_content[:1], *named)}
    return deck_page(
        request,
        "decks/saving/history.html",
        deck,
        game,
        status=status,
        page=page,
        sittings=sittings(game, states(game, list(page.object_list)), now, deck.leagues),
        steps=steps_of(deck, now, game),
        versions=sorted(offered.values(), key=lambda row: -row.number),
        longest_name=MAX_VERSION_NAME,
        **more,
    )


@private_page
def deck_version(request: HttpRequest, link: str, number: int) -> HttpResponse:
    """A deck as it was at one version, judged by today's rules."""
    _, deck, game = own_deck(request, link)
    row = get_object_or_404(DeckRevision.objects.of(deck.pk).select_related("by"), number=number)
    (state,) = states(game, [row])
    content, now = state.content, deck.content()
    return deck_page(
        request,
        "decks/saving/history_version.html",
        deck,
        game,
        **judged_context(judge_content(game, content, deck.leagues)),
        state=state,
        content=content,
        from_here=difference(now, content).words(),
        came_in=difference(content, now).came_in().total(),
        longest_name=MAX_VERSION_NAME,
    )


@private_action
@counted_as_work("POST")
def deck_step(request: HttpRequest, link: str, step: str, number: int = 0) -> HttpResponse:
    """Undo, redo or go to a version, then return to the page with the button."""
    viewer, done = viewer_of(request), f"Back at version {number}"
    try:
        if step in STEPS:
            take, done = STEPS[step]
            saved = take(link, viewer, seen_revision(request))
        else:
            saved = restore(link, viewer, number)
        messages.success(request, step_words(done, saved))
    except Refused as refused:
        messages.warning(request, str(refused))
    back = request.POST.get("back", "")
    return redirect(back if back in BACK else BACK[0], link=link)


def step_words(done: str, saved: Saved) -> str:
    """Return the message on a step: ``Redone: +2 Kai.`` After an undo it tells the change that was undone, as
    the button does: ``Undone: +2 Kai.``
    """
    before, after = (saved.after, saved.before) if done == "Undone" else (saved.before, saved.after)
    return f"{done}: {difference(before, after).words() or 'no change'}."


@private_action
def deck_name_version(request: HttpRequest, link: str, number: int) -> HttpResponse:
    """Name a version. For an invalid name, show the history with the errors."""
    name = request.POST.get("name", "")
    try:
        row = name_version(link, viewer_of(request), number, name)
    except Refused as refused:
        invalid = {"name_faults": refused.faults, "wrong_number": number, "wrong_name": name[:200]}
        return _history(request, link, refused.status, **invalid)
    result = f"is named “{row.name}”, and kept" if row.name else "has no name any more"
    messages.success(request, f"Version {number} {result}.")
    return redirect("deck_history", link=link)


@private_action
@counted_as_work("POST")
def deck_fork(request: HttpRequest, link: str) -> HttpResponse:
    """Make a private copy of the deck for the visitor and open it."""
    viewer, owner = viewer_of(request), owner_of(request)
    try:
        deck, key = fork(link, viewer, partial(begin_deck, request, owner), owner.browser)
    except Refused as refused:
        messages.warning(request, str(refused))
        return redirect("deck", link=link)
    messages.success(request, "This copy is yours, and private. Changing it does not change the other deck.")
    source, game = deck.forked_from, game_or_404(deck.game)
    if source and (hidden := sections_hidden_from(viewer, source, game)):
        messages.warning(
            request,
            f"{listed(tuple(hidden))}: the author keeps these cards secret, so your copy is without them.",
        )
    return to_deck(deck, key)


# One side of a comparison as it is typed: ``link``, ``link@12`` for its version 12, or the address of any
# page of the deck, ``https://.../decks/link/history/``, with or without ``@12``.
_SIDE = re.compile(r"(?:.*/decks/)?(?P<link>[-\w]{1,32})(?:/[^@]*)?(?:@(?P<number>[0-9]{1,9}))?", re.ASCII)
# Characters of a typed address.
MAX_ADDRESS = 400
# Decks of the visitor that are offered for comparison.
MAX_OFFERED = 50
# Changes that only count between versions of one deck: two different decks have different names anyway.
OF_ONE_DECK = ("name", "notes", "tags", "marks", "order")


@dataclass(frozen=True)
class Side:
    """One side of a comparison. ``number``: the version, None for the deck as it is now."""

    deck: Deck
    game: Game
    content: DeckContent
    number: int | None = None
    version_name: str = ""

    @property
    def title(self) -> str:
        version = "" if self.number is None else f", version {self.number}"
        called = f" “{self.version_name}”" if self.version_name else ""
        return f"{self.content.deck.name or self.deck.name}{version}{called}"


@private_page
@counted_as_work()
def deck_compare(request: HttpRequest) -> HttpResponse:
    """The differences between ``?a=`` and ``?b=``, each the link or address of a deck, with ``@number`` for a
    version. Versions can be named only by those who may edit the deck.
    """
    viewer = viewer_of(request)
    typed = {name: request.GET.get(name, "").strip()[:MAX_ADDRESS] for name in ("a", "b")}
    sides = {name: _side(text, viewer) for name, text in typed.items() if text}
    missing = "There is no such deck or version that you may see."
    problems = {name: missing for name, side in sides.items() if side is None}
    # The visitor's newest decks, only of the game of a side that is chosen already.
    slugs = {side.game.slug for side in sides.values() if side} or games()
    own = Deck.objects.editable_by(viewer).filter(game__in=slugs).values_list("link", "name", "game")
    context: dict[str, Any] = {
        "typed": typed,
        "problems": problems,
        "own": [(link, name, games()[slug].name) for link, name, slug in own[:MAX_OFFERED]],
    }
    a, b = sides.get("a"), sides.get("b")
    if a and b and a.game.slug != b.game.slug:
        problems["b"] = (
            f"“{a.title}” is for {a.game.name}, “{b.title}” for {b.game.name}. Choose two decks of one game."
        )
    elif a and b:
        context |= {"a": a, "b": b, "game": a.game, **_compared(a, b, viewer)}
    status = 404 if None in sides.values() else 400 if problems else 200
    return render(request, "decks/saving/history_compare.html", context, status=status)


def _side(text: str, viewer: Viewer) -> Side | None:
    """Return the deck or version that was typed, or None if the viewer may not see it."""
    match = _SIDE.fullmatch(text)
    if match is None:
        return None
    deck = Deck.objects.visible_to(viewer).with_cards().filter(link=match["link"]).first()
    game = game_named(deck.game) if deck else None
    if deck is None or game is None:
        return None
    number = int(match["number"]) if match["number"] else None
    if number is None:
        return Side(deck, game, replace(deck.content(), deck=deck.decklist_for(viewer, game)))
    # An earlier version may never have been public.
    if not deck.is_editable_by(viewer) or (content := deck.content_at(number, game)) is None:
        return None
    row = DeckRevision.objects.of(deck.pk).filter(number=number).first()
    return Side(deck, game, content, number, row.name if row else "")


def _compared(a: Side, b: Side, viewer: Viewer) -> dict[str, Any]:
    """Return the context of two sides: ``rows`` of the table, as (change, name of its section, True if copies
    were added, how many); all other changes in words; and the number of cards that are the ``same``.

    ``came_in``: for an old version against the deck of now, the copies that were added since, which the
    author may want to print; else 0.
    """
    whole, is_same_deck = difference(a.content, b.content), a.deck == b.deck
    # The page tells all changes of cards; the others only as far as they say something of these two.
    others = tuple(other for other in whole.others if is_same_deck or other.what not in OF_ONE_DECK)
    change = Difference(whole.lines, others)
    # ``a=<link>@3&b=<link>``, or ``b=<link>@7`` if 7 is the newest: what came in since version 3.
    is_since_version = is_same_deck and a.number is not None and b.number in (None, b.deck.revision)
    # The keys of ``gathered`` begin with section and code.
    in_both = gathered(a.content.deck).keys() & gathered(b.content.deck).keys()
    changed = {(line.section, line.card.code) for line in change.lines}
    # Slug of a section -> its name, in the game's order.
    names = {section.slug: section.name for section in a.game.sections}
    order = list(names)

    def place(line: LineChange) -> tuple[int, str, str]:
        """Sort key: by section, those that the game no longer has last, then by type and name of the card."""
        at = order.index(line.section) if line.section in names else len(order)
        return at, line.card.type, line.card.name

    rows = [
        (line, names.get(line.section, line.section), line.by > 0, abs(line.by))
        for line in sorted(change.lines, key=place)
    ]
    return {
        "change": change,
        "came_in": change.came_in().total() if is_since_version and a.deck.is_editable_by(viewer) else 0,
        "rows": rows,
        "same": sum(1 for key in in_both if key[:2] not in changed),
        "texts": [
            (other.what, other.before, other.after) for other in others if other.what in ("notes", "house")
        ],
        # All of them: the page compares two decks and has room.
        "words": change.words(most=len(change.lines) + len(change.others)),
    }
