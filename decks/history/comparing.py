"""Two decks, or two versions of one, compared: how they differ."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from cardsdb.catalogue.current import game_named
from cardsdb.games.kit import Game
from cardsdb.identity.viewer import Viewer, viewer_of
from cardsdb.site.ratelimits import counted_as_work
from cardsdb.site.sharing import private
from decks.core.content import DeckContent
from decks.core.diff import Difference, difference, gathered
from decks.history.timeline import seen_by
from decks.models import Deck, DeckRevision

# ``link``, ``link@12``, or the address of either deck as it stands in a browser.
_SIDE = re.compile(r"(?:.*/decks/)?(?P<link>[-\w]{1,32})(?:/[^@]*)?(?:@(?P<number>[0-9]{1,9}))?", re.ASCII)
MAX_ADDRESS = 400
MAX_OFFERED = 50
# What is compared between versions of one deck only: two decks have different names anyway.
OF_ONE_DECK = ("name", "notes", "tags", "marks", "order")


@dataclass(frozen=True, slots=True)
class Side:
    """One of the two that are compared. ``number``: of its version, None for the deck as it is."""

    deck: Deck
    game: Game
    content: DeckContent
    number: int | None = None
    version_name: str = ""

    @property
    def title(self) -> str:
        version = (
            ""
            if self.number is None
            else f", version {self.number}" + (f" “{self.version_name}”" if self.version_name else "")
        )
        return f"{self.content.deck.name or self.deck.name}{version}"


@require_safe
@private
@counted_as_work()
def deck_compare(request: HttpRequest) -> HttpResponse:
    """What differs between ``?a=`` and ``?b=``, each a deck's link or address, with ``@number`` for a version
    of one's own.
    """
    viewer = viewer_of(request)
    typed = {name: request.GET.get(name, "").strip()[:MAX_ADDRESS] for name in ("a", "b")}
    sides = {name: _side(text, viewer) for name, text in typed.items() if text}
    problems = {
        name: "There is no such deck or version that you may see."
        for name, side in sides.items()
        if side is None
    }
    context: dict[str, Any] = {
        "typed": typed,
        "problems": problems,
        "own": _own_decks(viewer, sides.values()),
        "here": "decks",
    }
    a, b = sides.get("a"), sides.get("b")
    if a and b and a.game.slug != b.game.slug:
        problems["b"] = (
            f"“{a.title}” is a deck of {a.game.name}, “{b.title}” one of {b.game.name}. Choose two decks of"
            " one game."
        )
    elif a and b:
        context |= {"a": a, "b": b, "game": a.game, "came_in": _came_in(a, b, viewer), **_compared(a, b)}
    status = 404 if None in sides.values() else 400 if problems else 200
    return render(request, "decks/history_compare.html", context, status=status)


def _own_decks(viewer: Viewer, sides: Iterable[Side | None]) -> list[tuple[str, str, str]]:
    """(link, name, game) of the visitor's newest decks, only of the game of a side that is chosen already."""
    slugs = {side.game.slug for side in sides if side}
    own = Deck.objects.editable_by(viewer).filter(**({"game__in": slugs} if slugs else {}))
    rows = own.values_list("link", "name", "game")[:MAX_OFFERED]
    return [(link, name, game.name) for link, name, slug in rows if (game := game_named(slug))]


def _side(text: str, viewer: Viewer) -> Side | None:
    match = _SIDE.fullmatch(text)
    if match is None:
        return None
    deck = Deck.objects.visible_to(viewer).with_cards().filter(link=match["link"]).first()
    game = game_named(deck.game) if deck else None
    if deck is None or game is None:
        return None
    number = int(match["number"]) if match["number"] else None
    content = seen_by(viewer, deck, game, number)
    if content is None:
        return None
    named = (
        DeckRevision.objects.of(deck.pk).filter(number=number).values_list("name", flat=True).first()
        if number is not None
        else ""
    )
    return Side(deck, game, content, number, named or "")


def _came_in(a: Side, b: Side, viewer: Viewer) -> int:
    """How many copies the deck now has that the version had not, for its author to print; 0 for other
    pairs.
    """
    since = (
        a.deck == b.deck
        and a.number is not None
        and b.number in (None, b.deck.revision)
        and a.deck.is_editable_by(viewer)
    )
    return difference(a.content, b.content).came_in().total() if since else 0


def _compared(a: Side, b: Side) -> dict[str, Any]:
    """Rows of the table by section, the rest in words."""
    whole = difference(a.content, b.content)
    others = (
        whole.others
        if a.deck == b.deck
        else tuple(other for other in whole.others if other.what not in OF_ONE_DECK)
    )
    change = Difference(whole.lines, others)
    in_both = gathered(a.content.deck).keys() & gathered(b.content.deck).keys()
    changed = {(line.section, line.card.code) for line in change.lines}
    places = {section.slug: place for place, section in enumerate(a.game.sections)}
    rows = sorted(
        change.lines, key=lambda line: (places.get(line.section, len(places)), line.card.type, line.card.name)
    )
    return {
        "change": change,
        "rows": [(line, _section(a.game, line.section), line.by > 0, abs(line.by)) for line in rows],
        "same": sum(1 for key in in_both if key[:2] not in changed),
        "texts": [
            (other.what, other.before, other.after) for other in others if other.what in ("notes", "house")
        ],
        "words": change.words(most=10_000),
    }


def _section(game: Game, slug: str) -> str:
    section = game.sections_by_slug.get(slug)
    return section.name if section else slug
