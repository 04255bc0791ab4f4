"""Save a judged list as a deck: all of it or nothing. And what else is stored about decks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress

from django.conf import settings
from django.db import OperationalError, connection

from cardsdb.errors import Fault, Refused
from cardsdb.games import game_named
from cardsdb.holdings import edition
from decks.models import ChangedElsewhere, Deck, HeldKey
from decks.validation import Judged
from decks.verdicts import basis


def keep(deck: Deck, judged: Judged, read_at: int | None = None, **values: str) -> None:
    """Replace the deck's cards by those that were judged, and its name, notes and visibility by ``values``.

    ``read_at`` is the revision its author had before them. Raises Refused naming every line that could
    not be read; then nothing is stored and the deck is as it was.
    """
    if judged.unread:
        raise Refused(*(Fault(unread.code, f"{unread.message} ({unread.text[:80]})", f"line {unread.line}") for unread in judged.unread))
    if not judged.deck.entries and not judged.deck.details:
        raise Refused(Fault("empty", "The list has no cards.", "text"))
    try:
        deck.keep(judged, read_at, **values)
    except ChangedElsewhere:
        sentence = (
            "The deck was changed elsewhere since you opened it. Nothing was overwritten: look at it in another tab, then save again."
        )
        raise Refused(Fault("changed_elsewhere", sentence, "revision"), status=409) from None


def remember(browser: str, deck: Deck) -> None:
    """Let this browser (the hash of its token) edit the deck from now on."""
    HeldKey.objects.bulk_create([HeldKey(browser=browser, deck=deck)], ignore_conflicts=True)


def renew_verdicts(decks: Iterable[Deck]) -> None:
    """Judge those of these decks again whose stored verdict rests on something that has changed since.

    Costs one query when none has. Bounded by whoever calls: a page of decks.
    """
    number = edition()
    known = [(deck, game) for deck in decks if (game := game_named(deck.game))]
    stale = {deck.pk: (deck, game) for deck, game in known if deck.judged_by != basis(game, number, deck.revision)}
    if not stale:
        return
    judged = list(Deck.objects.with_cards().filter(pk__in=stale))
    for deck in judged:
        shown, game = stale[deck.pk]
        deck.verdict = shown.verdict = deck.judged(game).verdict
        deck.judged_by = basis(game, number, deck.revision)
    # A deck saved meanwhile gets a basis that is not its own, and is judged again at the next look.
    # Where someone else is writing for long, as loading does, the verdicts are shown and not kept.
    with suppress(OperationalError), short_wait():
        Deck.objects.bulk_update(judged, ("verdict", "judged_by"))


@contextmanager
def short_wait() -> Iterator[None]:
    """Wait a tenth of a second for SQLite's one writer, not the ten seconds that a visitor's own writing is worth."""
    if connection.vendor != "sqlite":
        yield
        return
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA busy_timeout = 100")
    try:
        yield
    finally:
        with connection.cursor() as cursor:
            cursor.execute(f"PRAGMA busy_timeout = {int(settings.DATABASES['default']['OPTIONS']['timeout'] * 1_000)}")
