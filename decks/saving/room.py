"""Limits of the number of decks and of the database's size, and the deletion of decks that are long unused.

Saving (``save.py``) calls ``refuse_new_deck``, ``count_new_deck`` and ``refuse_without_room``; each raises
Refused with a sentence that says what is full and what to do, and then nothing is stored. An account, a
browser and a network address have limits of their own. Decks without an owner that were not opened for two
years are deleted, which their pages announce beforehand. Tests: ``tests/decks/saving/test_room.py``.
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

# Decks of one account.
MAX_OF_ACCOUNT = 2_000
# Decks of one browser without an account.
MAX_OF_BROWSER = 300
# Bytes.
MEGABYTE = 1024 * 1024
# Seconds until the size of the database is measured again, so that not every save does it.
MEASURED_FOR = 60
# SQLite reuses the pages of deleted rows, so these do not count. PostgreSQL's number includes them.
_BYTES_USED = {
    "sqlite": (
        "SELECT (page_count - freelist_count) * page_size FROM pragma_page_count, pragma_freelist_count,"
        " pragma_page_size"
    ),
    "postgresql": "SELECT pg_database_size(current_database())",
}
# The last measurement of this process: its time by the monotonic clock, and the bytes.
_measured = {"at": float("-inf"), "bytes": 0.0}


def begin_deck(request: HttpRequest, viewer: Viewer, **values: object) -> tuple[Deck, str]:
    """Return (unsaved deck of this viewer, its edit key). The limits are checked when it is saved."""
    deck, key = new_deck(viewer.user_id, **values)
    # (viewer, network address), which ``refuse_new_deck`` and ``count_new_deck`` read.
    deck.maker = viewer, sender(request)
    return deck, key


def refuse_new_deck(deck: Deck) -> None:
    """Raise Refused (409) if the deck's maker has as many decks as they may have. Decks made by commands have
    no maker and no limit.
    """
    if deck.maker is None:
        return
    viewer, _ = deck.maker
    if room_for_decks(viewer):
        return
    if viewer.user_id:
        sentence = (
            f"Your account has {MAX_OF_ACCOUNT:,} decks, the most that it may have. Delete decks that you"
            " do not need."
        )
    else:
        sentence = (
            f"This browser has {MAX_OF_BROWSER:,} decks, the most without an account. Delete decks, or log in"
            " and take them along: an account has room for more."
        )
    raise Refused(Fault("too_many_decks", sentence, "deck"), status=409)


def count_new_deck(deck: Deck) -> None:
    """Count the stored deck for its maker's network address. Raise Refused (429) beyond the daily limit,
    which rolls back the save.
    """
    if deck.maker is None:
        return
    _, address = deck.maker
    most = int(settings.CUTOUT_DECKS_PER_DAY)
    # Seconds until the next deck is allowed, 0 if this one is.
    if wait := beyond_today("decks", address, most):
        sentence = (
            f"Your network has made {most:,} new decks today, the most for a day. Change a deck, or come back"
            " tomorrow."
        )
        raise Refused(Fault("too_many_decks_today", sentence, "deck"), status=429, wait=wait)


def room_for_decks(viewer: Viewer) -> int:
    """Return how many more decks this account, or this browser without an account, may have."""
    rows: QuerySet[Any]
    if viewer.user_id:
        most, rows = MAX_OF_ACCOUNT, Deck.objects.editable_by(Viewer(viewer.user_id))
    elif viewer.browser:
        most, rows = MAX_OF_BROWSER, BrowserAccess.objects.of(viewer).filter(deck__owner=None)
    else:
        # A program without an account: only its network address is limited, so there is always room for one.
        return 1
    return most - rows.order_by()[:most].count()


def refuse_without_room() -> None:
    """Raise Refused (507) if the database has reached its limit. Cheap enough for every save: it measures
    once a minute.
    """
    if database_bytes() >= int(settings.CUTOUT_DATABASE_MEGABYTES) * MEGABYTE:
        sentence = (
            "This site has no room left for decks and their versions, so nothing was stored. Its staff can"
            " make room."
        )
        raise Refused(Fault("site_full", sentence, "deck"), status=507)


def database_bytes() -> float:
    """Return the bytes that the database uses, measured within the last minute."""
    now = time.monotonic()
    if now - _measured["at"] > MEASURED_FOR:
        # Threads are not kept from measuring at once: it takes less than a millisecond.
        _measured.update(at=now, bytes=float(answer_of(_BYTES_USED[connection.vendor])[0]))
    return _measured["bytes"]


# The time after which a deck without an owner that is not opened is deleted.
KEPT_FOR = timedelta(days=2 * 365)
# Decks that are deleted in one transaction.
AT_ONCE = 100


def note_opened(deck: Deck) -> None:
    """Store that the deck was opened today. Only for decks without an owner, and written at most once a
    day.
    """
    if deck.owner_id is not None or deck.opened >= today():
        return
    # If another write, such as loading the catalogue, blocks the database, the page does not wait: the date
    # is stored when the deck is opened again.
    with suppress(OperationalError), short_wait():
        Deck.objects.stored(deck).update(opened=today())


def expired() -> QuerySet[Deck]:
    """Return the decks without an owner that were neither opened nor changed for two years and are no
    account's favourite.
    """
    last = today() - KEPT_FOR
    decks = Deck.objects.all_owners("deleted when they were not opened for long")
    return decks.filter(owner=None, kept_by=None, opened__lt=last, changed__date__lt=last)


def delete_expired() -> int:
    """Delete the expired decks for good, some at a time. Return how many there were."""
    count = 0
    while ids := list(expired().order_by("pk").values_list("pk", flat=True)[:AT_ONCE]):
        # Check again: one of them may have been opened in the meantime.
        gone = expired().filter(pk__in=ids)
        count += gone.count()
        gone.delete()
    return count
