"""Browsers without an account: the decks that they hold, how an account takes these along, and the one rule
by which a guest's things go without the guest: they hang on a browser that did not come back for a year.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import date, timedelta
from typing import Any

from django.apps import apps
from django.db import transaction
from django.db.models import QuerySet

from cardsdb.games.kit.rules.house_rules import LEAGUE, league_in
from cardsdb.identity.viewer import Viewer
from cardsdb.models import Browser
from cardsdb.models.audit import Event
from cardsdb.models.site import KEPT_DAYS
from cardsdb.site.audit import note
from decks.accounts.kinds import kinds
from decks.leagues.storing import claim_leagues
from decks.models import BrowserAccess, Deck
from decks.saving.room import room_for_decks

AT_ONCE = 500


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


def browsers_rows() -> Iterator[QuerySet[Any]]:
    """The rows of each model that hang on browsers, but those that end by themselves after days."""
    for model in (apps.get_model(label) for kind in kinds() if kind.take for label in kind.tables):
        ends = getattr(model, "ends_by_itself", False)
        if not ends and any(field.name == "browser" for field in model._meta.fields):
            rows = model.objects.all_owners("what browsers had that never come back goes from every table")
            yield rows.order_by().filter(browser__isnull=False)


@transaction.atomic
def forget_browsers() -> int:
    """Delete what hangs on browsers that were not seen for KEPT_DAYS; return how many browsers they were.

    The decks stay: their edit links open them, and other browsers may have access. A browser that is met here
    first counts as seen today.
    """
    tables = list(browsers_rows())
    held = {browser for table in tables for browser in table.values_list("browser", flat=True).distinct()}
    Browser.objects.bulk_create(map(Browser, sorted(held)), batch_size=AT_ONCE, ignore_conflicts=True)
    old = Browser.objects.filter(seen__lt=date.today() - timedelta(days=KEPT_DAYS))
    gone = list(old.order_by("hash").values_list("hash", flat=True))
    for start in range(0, len(gone), AT_ONCE):
        some = gone[start : start + AT_ONCE]
        # One that has just come back is left alone; one that comes back now waits until it is forgotten.
        some = list(old.filter(hash__in=some).select_for_update().values_list("hash", flat=True))
        for table in tables:
            table.filter(browser__in=some).delete()
        Browser.objects.filter(hash__in=some).delete()
    return len(gone)
