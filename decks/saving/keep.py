"""Save a judged list as a deck: all of it or nothing. And what else is stored about decks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import replace
from functools import reduce
from operator import or_
from typing import Any

from django.conf import settings
from django.db import OperationalError, connection, transaction
from django.db.models import Q

from cardsdb.games import game_named
from cardsdb.games.kit.model.decklist import NO_MARKS
from cardsdb.models import Edition
from cardsdb.site.faults import Fault, Refused
from decks.core.content import DeckContent
from decks.core.diff import with_marks_of
from decks.core.judging import Judged, without_secrets
from decks.core.verdict_basis import basis
from decks.identity.viewer import Viewer
from decks.models import Deck
from decks.saving.record import CHANGED_ELSEWHERE, Conflicts, Recorded, content_at, merge_into

NOBODY = Viewer()


def keep(
    deck: Deck,
    judged: Judged,
    read_at: int | None = None,
    viewer: Viewer = NOBODY,
    *,
    kind: str = "",
    marks_stay: bool = False,
    **values: Any,
) -> Recorded | None:
    """Replace the deck's cards by those that were judged, and its name, notes and visibility by ``values``.

    ``read_at`` is the revision its author had before them: what others changed since is kept too. With
    ``marks_stay`` a list without any mark leaves those of the deck alone, for whoever wrote it may know of none.
    Raises Refused naming every line that could not be read, or what both changed; then nothing is stored and
    the deck is as it was. Gives what was recorded, nothing for a new deck.
    """
    if judged.unread:
        raise Refused(*(Fault(unread.code, f"{unread.message} ({unread.text[:80]})", f"line {unread.line}") for unread in judged.unread))
    if not judged.deck.entries and not judged.deck.details:
        raise Refused(Fault("empty", "The list has no cards.", "text"))
    if not deck.pk:
        deck.keep(judged, kind=kind, by=viewer.user_id, **values)
        return None
    seen = deck.revision if read_at is None else read_at
    try:
        with transaction.atomic():
            stored = Deck.objects.with_cards().select_for_update().filter(pk=deck.pk).first()
            base = content_at(stored, judged.game, seen) if stored else None
            if stored is None or base is None:
                raise Refused(Fault("changed_elsewhere", CHANGED_ELSEWHERE, "revision"), status=409)
            mine = _content(judged, base, values)
            if marks_stay and not any(entry.marks != NO_MARKS for entry in judged.deck):
                mine = with_marks_of(mine, base)
            visibility = values.get("visibility", "")
            return merge_into(stored, judged.game, mine, seen, viewer, kind=kind or "edited", visibility=visibility)
    except Conflicts as conflicts:
        both = "; ".join(conflict.words() for conflict in conflicts.conflicts[:8])
        sentence = f"The deck was changed elsewhere since you opened it ({both}). Nothing was overwritten: save again to have it your way."
        raise Refused(Fault("changed_elsewhere", sentence, "revision"), status=409) from None


def _content(judged: Judged, base: DeckContent, values: Mapping[str, Any]) -> DeckContent:
    """What was written: the list and these values; the rest is as its author saw it."""
    return DeckContent(
        replace(judged.deck, name=values.get("name", base.deck.name)),
        judged.format.slug,
        values.get("house", base.house),
        values.get("notes", base.notes),
        tuple(values.get("tags", base.tags)),
    )


def renew_verdicts(decks: Iterable[Deck]) -> None:
    """Judge those of these decks again whose stored verdict rests on something that has changed since.

    Costs one query when none has. Bounded by whoever calls: a page of decks.
    """
    number = Edition.objects.current().number
    known = [(deck, game) for deck in decks if (game := game_named(deck.game))]
    stale = {deck.pk: (deck, game) for deck, game in known if deck.judged_by != basis(game, number)}
    if not stale:
        return
    renewed = list(Deck.objects.with_cards().filter(pk__in=stale))
    for deck in renewed:
        shown, game = stale[deck.pk]
        judged = deck.judged(game)
        deck.verdict = shown.verdict = judged.verdict
        deck.size_shown = without_secrets(game, judged.deck).size
        deck.judged_by = basis(game, number)
    # A deck that was saved meanwhile has a verdict of its own, and keeps it. Where someone else is writing for long,
    # as loading does, the verdicts are shown and not kept.
    with suppress(OperationalError), short_wait():
        unchanged = reduce(or_, (Q(pk=deck.pk, revision=deck.revision) for deck in renewed), Q())
        Deck.objects.filter(unchanged).bulk_update(renewed, ("verdict", "judged_by", "size_shown"))


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
