"""Decks that browsers hold without an account, and how an account takes them along."""

from __future__ import annotations

from collections.abc import Iterable

from django.db import transaction
from django.db.models import QuerySet

from cardsdb.games.kit.rules.house_rules import LEAGUE, league_in
from cardsdb.identity.viewer import Viewer
from cardsdb.models.audit import Event
from cardsdb.site.audit import note
from decks.leagues.storing import claim_leagues
from decks.models import BrowserAccess, Deck
from decks.saving.room import room_for_decks


def browser_decks(viewer: Viewer) -> QuerySet[Deck]:
    """The decks without an owner that this browser may edit."""
    return Deck.objects.editable_by(Viewer(browser=viewer.browser)).filter(owner=None)


@transaction.atomic
def take_decks_along(viewer: Viewer, links: Iterable[str]) -> int:
    """Give the account those of these decks that have no owner and that its browser may edit, as far as it
    has room; return how many.

    The browser loses its own access to them. Its own formats that they name go along, as far as the account
    has room for them.
    """
    # PostgreSQL refuses a NUL, which no address has.
    valid = [link for link in links if link.isprintable()]
    ids = list(
        browser_decks(viewer)
        .filter(link__in=valid)
        .values_list("pk", flat=True)[: room_for_decks(Viewer(viewer.user_id))]
    )
    # The first of two requests that take a deck at once gets it.
    mine = [pk for pk in ids if browser_decks(viewer).filter(pk=pk).update(owner=viewer.user_id)]
    BrowserAccess.objects.of(viewer).filter(deck__in=mine).delete()
    houses = (
        Deck.objects.editable_by(Viewer(viewer.user_id))
        .filter(pk__in=mine, house__contains=LEAGUE)
        .values_list("house", flat=True)
    )
    if mine:
        note(Event.TAKEN_ALONG, viewer.user_id, thing="decks", detail=f"{len(mine)} of them")
    if leagues := {league_in(house) for house in houses}:
        claim_leagues(viewer, leagues)
    return len(mine)
