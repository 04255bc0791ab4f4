"""Decks that nobody wants any more: without an owner, and opened by nobody for two years. They are deleted,
and pages say so beforehand.
"""

from __future__ import annotations

from contextlib import suppress
from datetime import timedelta

from django.db import OperationalError
from django.db.models import QuerySet

from cardsdb.site.turns import short_wait
from decks.models import Deck, today

KEPT_FOR = timedelta(days=2 * 365)
AT_ONCE = 100


def note_opened(deck: Deck) -> None:
    """Note that somebody opened the deck today: at most one write a day, of a deck without an owner, for
    which no page waits long.
    """
    if deck.owner_id is not None or deck.opened >= today():
        return
    # While a long write such as loading goes on, it is not noted, but when the deck is opened next.
    with suppress(OperationalError), short_wait():
        Deck.objects.stored(deck).update(opened=today())


def expired() -> QuerySet[Deck]:
    """Decks without an owner that nobody opened or changed for two years, and that no account keeps as a
    favourite.
    """
    last = today() - KEPT_FOR
    decks = Deck.objects.all_owners("deleted when nobody has opened them for long")
    return decks.filter(owner=None, kept_by=None, opened__lt=last, changed__date__lt=last)


def delete_expired() -> int:
    """Delete these decks for good, some at a time; return how many there were."""
    count = 0
    while ids := list(expired().order_by("pk").values_list("pk", flat=True)[:AT_ONCE]):
        # Asked once more: somebody may have opened one meanwhile.
        gone = expired().filter(pk__in=ids)
        count += gone.count()
        gone.delete()
    return count
