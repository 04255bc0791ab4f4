"""Several decks on the same sheets: which of a print can be taken out, and which of its visitor's can be added."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import Q

from cardsdb.games import game_named, games
from cardsdb.site.faults import Refused
from decks.models import Deck
from decks.public.conditions import favourite_of
from printing.request.lists import MAX_DECKS
from printing.request.print_request import PrintRequest

# So many are offered, the last changed first; whoever has more ticks them in their list.
MAX_OFFERED = 30


@dataclass(frozen=True, slots=True)
class DeckNamed:
    """A deck as a button names it."""

    link: str
    name: str
    game: str


@dataclass(frozen=True, slots=True)
class Several:
    """``printed``: the decks of the print where there is more in it than one of them. ``more``: not all that could be added are offered."""

    printed: tuple[DeckNamed, ...] = ()
    offered: tuple[DeckNamed, ...] = ()
    more: bool = False
    full: bool = False
    most: int = MAX_DECKS


def decks_offered(print_request: PrintRequest) -> Several:
    """The visitor's own decks and favourites, of any game, that are not in the print yet. One query."""
    try:
        lists = print_request.parse_lists().lists
    except Refused:
        return Several()
    there = [_named(one.row) for one in lists if one.row is not None]
    printed = tuple(there) if len(lists) > 1 else ()
    if len(there) >= MAX_DECKS:
        return Several(printed, full=True)
    viewer = print_request.viewer
    own = Q(pk__in=Deck.objects.editable_by(viewer).order_by().values("pk"))
    kept = Q(pk__in=Deck.objects.visible_to(viewer).filter(favourite_of(viewer.user_id)).order_by().values("pk"))
    rows = Deck.objects.filter(own | kept, game__in=games()).exclude(link__in=[one.link for one in there])
    found = list(rows.only("link", "name", "game")[: MAX_OFFERED + 1])
    return Several(printed, tuple(map(_named, found[:MAX_OFFERED])), len(found) > MAX_OFFERED)


def _named(row: Deck) -> DeckNamed:
    game = game_named(row.game)
    return DeckNamed(row.link, row.name, game.name if game else "")
