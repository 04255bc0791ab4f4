"""Room for decks: for one more, and for what is written of those that are there.

An account and a browser without one have so many decks, an address makes so many new ones in a day, and the
site's database has a bound of its own. Who finds none is told what is full and what to do, and nothing is
stored. Decks without an owner that were not opened for two years make room: they
are deleted, and pages say so beforehand.
"""

import time
from contextlib import suppress
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.db import OperationalError, connection
from django.db.models import QuerySet
from django.http import HttpRequest

from cardsdb.faults import Fault, Refused
from cardsdb.identity.viewer import Viewer
from cardsdb.models.turns import answer_of, short_wait
from cardsdb.site.ratelimits import beyond_today, sender
from decks.models import BrowserAccess, Deck, new_deck, today

MAX_OF_ACCOUNT, MAX_OF_BROWSER = 2_000, 300
MEGABYTE = 1024 * 1024
# Seconds for which a measure of the database holds.
MEASURED_FOR = 60
# What rows take and no row has is free for the next ones, in SQLite by pages; PostgreSQL counts it.
_BYTES_USED = {
    "sqlite": (
        "SELECT (page_count - freelist_count) * page_size FROM pragma_page_count, pragma_freelist_count,"
        " pragma_page_size"
    ),
    "postgresql": "SELECT pg_database_size(current_database())",
}
_measured = {"at": float("-inf"), "bytes": 0.0}


def begin_deck(request: HttpRequest, viewer: Viewer, **values: object) -> tuple[Deck, str]:
    """An unsaved deck of this visitor, and the key that edits it. Saving it looks whether there is room."""
    deck, key = new_deck(viewer.user_id, **values)
    deck.maker = viewer, sender(request)
    return deck, key


def refuse_new_deck(deck: Deck) -> None:
    """Raise Refused where its maker may have no deck more. One that a command or a test makes has no
    maker.
    """
    if deck.maker is None or room_for_decks(deck.maker[0]):
        return
    if deck.maker[0].user_id:
        sentence = (
            f"Your account has {MAX_OF_ACCOUNT:,} decks, the most that it may have. Delete decks that you"
            " do not need."
        )
    else:
        sentence = (
            f"This browser has {MAX_OF_BROWSER:,} decks, the most without an account. Delete decks, or"
            " log in and take them"
            " along: an account has room for more."
        )
    raise Refused(Fault("too_many_decks", sentence, "deck"), status=409)


def count_new_deck(deck: Deck) -> None:
    """Count a deck among those that its maker's address makes today. Raises Refused beyond the bound; what
    was stored is taken back.
    """
    if deck.maker is None:
        return
    most = int(settings.CUTOUT_DECKS_PER_DAY)
    if wait := beyond_today("decks", deck.maker[1], most):
        sentence = (
            f"Your network has made {most:,} new decks today, the most for a day. Change a deck, or come"
            " again tomorrow."
        )
        raise Refused(Fault("too_many_decks_today", sentence, "deck"), status=429, wait=wait)


def room_for_decks(viewer: Viewer) -> int:
    """The number of decks that this account, or this browser without one, may still have."""
    rows: QuerySet[Any]
    if viewer.user_id:
        most, rows = MAX_OF_ACCOUNT, Deck.objects.editable_by(Viewer(viewer.user_id))
    elif viewer.browser:
        most, rows = MAX_OF_BROWSER, BrowserAccess.objects.of(viewer).filter(deck__owner=None)
    else:
        return 1  # A program without an account: its address is counted.
    return most - rows.order_by()[:most].count()


def refuse_without_room() -> None:
    """Raise Refused (507) where the site's database has grown to its bound. It may be asked by every save: it
    measures once a minute.
    """
    if database_bytes() >= int(settings.CUTOUT_DATABASE_MEGABYTES) * MEGABYTE:
        sentence = (
            "This site has no room left for decks and their versions. Nothing was stored; its staff can"
            " make room."
        )
        raise Refused(Fault("site_full", sentence, "deck"), status=507)


def database_bytes() -> float:
    """The bytes that the database uses, as they were within the last minute."""
    now = time.monotonic()
    if now - _measured["at"] > MEASURED_FOR:
        # Of several threads at once each may measure; it takes less than a millisecond.
        _measured.update(at=now, bytes=float(answer_of(_BYTES_USED[connection.vendor])[0]))
    return _measured["bytes"]


def measure_again() -> None:
    """Let the next save measure the database, whenever the last one did."""
    _measured["at"] = float("-inf")


KEPT_FOR = timedelta(days=2 * 365)
AT_ONCE = 100


def note_opened(deck: Deck) -> None:
    """Note that the deck was opened today: at most one write a day, of a deck without an owner, for
    which no page waits long.
    """
    if deck.owner_id is not None or deck.opened >= today():
        return
    # While a long write such as loading goes on, it is not noted, but when the deck is opened next.
    with suppress(OperationalError), short_wait():
        Deck.objects.stored(deck).update(opened=today())


def expired() -> QuerySet[Deck]:
    """Decks without an owner that were not opened or changed for two years, and that no account keeps as a
    favourite.
    """
    last = today() - KEPT_FOR
    decks = Deck.objects.all_owners("deleted when they were not opened for long")
    return decks.filter(owner=None, kept_by=None, opened__lt=last, changed__date__lt=last)


def delete_expired() -> int:
    """Delete these decks for good, some at a time; return how many there were."""
    count = 0
    while ids := list(expired().order_by("pk").values_list("pk", flat=True)[:AT_ONCE]):
        # Asked once more: one may have been opened meanwhile.
        gone = expired().filter(pk__in=ids)
        count += gone.count()
        gone.delete()
    return count
