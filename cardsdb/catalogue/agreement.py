"""A process judges by the cards that it lists, whatever lies in its game folders.

Lists are read, repaired and completed by the cards of the folders, which a process reads once; what it lists,
and what decks hold, stands in the database. They are the same until another machine, or a load beside this
process, makes an edition of other cards. Then the folders are read anew, and where they still differ their
cards give way to those of the edition.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from threading import Lock

from django.db import DatabaseError
from django.http import HttpRequest, HttpResponse

from cardsdb.games import faults, games
from cardsdb.games.kit import Card as KitCard
from cardsdb.games.kit import Game
from cardsdb.models import Card, EditionState, Holding, edition_now
from cardsdb.models.catalogue import note_agreed

log = logging.getLogger(__name__)
BATCH = 500
# The address that says whether the process lives (cardsdb/site/health.py).
ALIVE = "/healthz"

_lock = Lock()
# The editions whose cards are those by which this process judges now -> the games that were compared.
_agreed: dict[EditionState, frozenset[str]] = {}


class SameCards:
    """Each request is answered by the cards of the edition that is current when it comes."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response
        for fault in faults():
            log.error("left out: %s", fault)

    def __call__(self, request: HttpRequest) -> HttpResponse:
        # Whoever needs the database says that it does not answer; some pages do not, and one of them must not
        # wait for it.
        with suppress(DatabaseError):
            if request.path != ALIVE:
                agree()
        return self.get_response(request)


def agree() -> None:
    """Have every game's cards be those of the current edition. One small query past Django while that is the
    one of before.
    """
    state = edition_now()
    if (compared := _agreed.get(state)) is not None:
        note_agreed(compared)
        return
    with _lock:
        digests = Holding.objects.digests()
        for slug, digest in digests.items():
            game = games().get(slug)
            # A digest that is not known is of a load by an older version.
            if game is not None and digest not in ("", _digest_of(game)):
                _agreed.clear()
                games()[slug] = _agreeing(game, digest)
        compared = _agreed[state] = frozenset(slug for slug, digest in digests.items() if digest)
        note_agreed(compared)


def _digest_of(game: Game) -> str:
    """The digest of the folder's cards; none of a folder that cannot be read, for which the edition's cards
    stand in.
    """
    try:
        return game.cards_digest
    except (ValueError, OSError) as error:
        log.error("the cards of %s cannot be read from its folder: %s", game.slug, error)
        return ""


def _agreeing(game: Game, digest: str) -> Game:
    """The same game with these cards. What was made of the other's cards belongs to that one."""
    fresh = replace(game)
    if _digest_of(fresh) != digest:
        # Where properties are kept that were asked for once.
        vars(fresh).update(cards=_cards_of_edition(game.slug), cards_digest=digest)
    return fresh


def _cards_of_edition(slug: str) -> tuple[KitCard, ...]:
    rows = Card.objects.in_game(slug).filter(retired=False).order_by("pk").prefetch_related("prints")
    return tuple(row.as_card() for row in rows.iterator(chunk_size=BATCH))
