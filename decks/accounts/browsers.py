"""What browsers hold without an account: an account takes decks over from them, and what a browser held goes when it never comes back.

A browser is known by a token in its session. Sessions end after a year, and some sooner: whoever changes their password
is logged out everywhere else. What a browser held stands in tables of its own, by the token's hash, and would stay for ever.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator

from django.apps import apps
from django.contrib.sessions.backends.db import SessionStore
from django.contrib.sessions.models import Session
from django.core import signing
from django.db import models, transaction
from django.db.models import QuerySet
from django.utils import timezone

from cardsdb.games.kit.rules.house_rules import LEAGUE, league_in
from cardsdb.identity.viewer import BROWSER, Viewer, hashed
from cardsdb.models.audit import Event
from cardsdb.site.audit import note
from decks.leagues.storing import claim_leagues
from decks.models import BrowserAccess, Deck
from decks.saving.room import room_for_decks

# Seconds. A browser that is just logging in or out has a session without the token for a moment; no request takes longer than this.
MOMENT = 30
AT_ONCE = 500


def browser_decks(viewer: Viewer) -> QuerySet[Deck]:
    """The decks without an owner that this browser may edit."""
    return Deck.objects.editable_by(Viewer(browser=viewer.browser)).filter(owner=None)


@transaction.atomic
def take_decks_along(viewer: Viewer, links: Iterable[str]) -> int:
    """Give the account those of these decks that have no owner and that its browser may edit, as far as it has room; return how many.

    The browser loses its own access to them. Its own formats that they name go along, as far as the account has room for them.
    """
    # PostgreSQL refuses a NUL, which no address has.
    valid = [link for link in links if link.isprintable()]
    ids = list(browser_decks(viewer).filter(link__in=valid).values_list("pk", flat=True)[: room_for_decks(Viewer(viewer.user_id))])
    # The first of two requests that take a deck at once gets it.
    mine = [pk for pk in ids if browser_decks(viewer).filter(pk=pk).update(owner=viewer.user_id)]
    BrowserAccess.objects.of(viewer).filter(deck__in=mine).delete()
    houses = Deck.objects.editable_by(Viewer(viewer.user_id)).filter(pk__in=mine, house__contains=LEAGUE).values_list("house", flat=True)
    if mine:
        note(Event.TAKEN_ALONG, viewer.user_id, thing="decks", detail=f"{len(mine)} of them")
    if leagues := {league_in(house) for house in houses}:
        claim_leagues(viewer, leagues)
    return len(mine)


class SealedSessions(Exception):
    """There are sessions, and the secret key of this process opens none of them."""


def forget_browsers(moment: float = MOMENT) -> int:
    """Delete what browsers that no session knows any more held, in every table with a ``browser``; return how many browsers there were.

    Tables whose model says ``ends_by_itself`` are left out. The decks stay: their edit links open them, and other browsers
    may have access. ``moment``: seconds to wait before looking once more. Raises SealedSessions where no session can be read.
    """
    gone = _unknown({browser for table in _tables() for browser in table.values_list("browser", flat=True).distinct()})
    if gone:
        time.sleep(moment)
        gone = _unknown(gone)
    names = sorted(gone)
    for start in range(0, len(names), AT_ONCE):
        for table in _tables():
            table.filter(browser__in=names[start : start + AT_ONCE]).delete()
    return len(gone)


def _tables() -> Iterator[models.QuerySet[models.Model]]:
    for model in apps.get_models():
        if any(field.name == "browser" for field in model._meta.fields) and not getattr(model, "ends_by_itself", False):
            yield model._default_manager.order_by().filter(browser__isnull=False)


def _unknown(browsers: set[str]) -> set[str]:
    """The browsers among these that no session knows."""
    store, unknown, sealed, opened = SessionStore(), set(browsers), 0, 0
    current = Session.objects.filter(expire_date__gt=timezone.now())
    for data in current.values_list("session_data", flat=True).iterator(chunk_size=1_000):
        try:
            session = signing.loads(data, salt=store.key_salt, serializer=store.serializer)
        except signing.BadSignature:
            sealed += 1
            continue
        opened += 1
        if token := session.get(BROWSER):
            unknown.discard(hashed(token))
    if sealed and not opened:
        raise SealedSessions
    return unknown
