"""The one way a deck is saved: ``save_edit`` makes one change, ``save_whole`` stores a whole content.

Both lock the deck's row first and then read it, so that saves at the same moment follow one another. Both
judge the new content, keep it within the limits and store it as a state of its own with ``Deck._write``. What
was read earlier, such as the text of a whole deck, is merged with what was saved meanwhile, so that no change
is lost.

On SQLite those who save take turns. It has one writer, and lets a request that finds it busy sleep ever
longer, the unlucky for seconds. SQLite itself keeps writers apart; a turn makes their waits alike. PostgreSQL
locks the rows of a deck and needs none. The verdict that is stored with a deck says what it rests on; where
that no longer holds it is renewed.
"""

import os
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Any

from django.core.files import locks
from django.db import OperationalError, connection, transaction
from django.db.models import Q, QuerySet
from django.http import HttpRequest
from django.utils import timezone

from cardsdb.catalogue.current import catalogue, game_named, games
from cardsdb.faults import Fault, Refused
from cardsdb.games.kit import Game
from cardsdb.identity.viewer import Viewer, viewer_of
from cardsdb.models.turns import short_wait
from cardsdb.site.audit import note_visibility
from cardsdb.site.shortcuts import game_or_404
from decks.core.content import DeckContent, refuse_beyond_limits
from decks.core.diff import Conflict, Difference, difference, gathered, merge
from decks.core.judging import Judged, judge_content, without_secrets
from decks.models import Deck, DeckRevision, Visibility, editable_deck
from decks.models.contents import MODERATED, PASSED, contents_of
from decks.saving.room import begin_deck, count_new_deck, refuse_new_deck, refuse_without_room

# Decks that are judged again at a time: by a query about verdicts, before it is answered, and by the command.
MAX_JUDGED = 40


def basis(game: Game) -> str:
    """The cards (by the catalogue's edition) and the rules that a verdict rests on, as one text for all decks
    of a game.

    The deck itself is no part of it, because its verdict is written whenever the deck is.
    """
    return f"{catalogue().state.number}-{game.slug}-{game.rules_digest}"


def judged_as(verdict: str) -> Q:
    """The decks with this verdict, where it rests on the cards and rules of now."""
    return Q(verdict=verdict) & is_fresh()


def is_fresh() -> Q:
    """The decks whose stored verdict still holds."""
    return Q(judged_by__in=[basis(game) for game in games().values()])


def renew_verdicts(decks: Iterable[Deck]) -> None:
    """Judge those of these decks again whose stored verdict no longer holds. Costs one query when all hold.

    The caller passes a page of decks, not more.
    """
    known = [(deck, game) for deck in decks if (game := game_named(deck.game))]
    stale = {deck.pk: (deck, game) for deck, game in known if deck.judged_by != basis(game)}
    if not stale:
        return
    renewed = list(Deck.objects.stored(*(deck for deck, _ in stale.values())).with_cards())
    unchanged = Q(pk__in=())
    for deck in renewed:
        shown, game = stale[deck.pk]
        # Whose the deck is and who sees it decide by which league's format it is judged.
        seen = {name: getattr(deck, name) for name in ("revision", "visibility", "owner_id", "judged_by")}
        unchanged |= Q(pk=deck.pk, **seen)
        judged = deck.judged(game)
        deck.verdict = shown.verdict = judged.verdict
        deck.size_shown = without_secrets(game, judged.deck).size
        deck.judged_by = basis(game)
    # A deck that was changed meanwhile keeps what was stored then. While a long write such as loading goes
    # on, the verdicts are shown but not stored.
    with suppress(OperationalError), short_wait():
        Deck.objects.stored(*renewed).filter(unchanged).bulk_update(
            renewed, ("verdict", "judged_by", "size_shown")
        )


def renew_some(decks: QuerySet[Deck]) -> int:
    """Judge up to MAX_JUDGED of these decks again whose verdict no longer holds; return how many are left."""
    stale = decks.exclude(is_fresh()).order_by("pk")
    some = list(stale.only("game", "judged_by")[: MAX_JUDGED + 1])
    renew_verdicts(some[:MAX_JUDGED])
    return stale.count() if len(some) > MAX_JUDGED else 0


def renew_all() -> int:
    """Judge again every deck whose verdict no longer holds, MAX_JUDGED at a time to save memory; return how
    many there were.
    """
    last, count = 0, 0
    stale = (
        Deck.objects.all_owners("judged anew by a command")
        .exclude(is_fresh())
        .filter(game__in=tuple(games()))
        .order_by("pk")
    )
    while some := list(stale.filter(pk__gt=last)[:MAX_JUDGED]):
        renew_verdicts(some)
        last, count = some[-1].pk, count + len(some)
    return count


ANONYMOUS = Viewer()
# Presses on one card within this time of one another are one change, which one undo takes back.
BURST = timedelta(seconds=10)
# The numbers of the states that undoing and redoing lead to.
Steps = tuple[int | None, int | None]
# In seconds: how long one waits for a turn at most, and from one look to the next whether it is free.
PATIENCE, LOOK_AGAIN = 2.0, 0.005


@contextmanager
def saving() -> Iterator[None]:
    """A transaction that saves a deck, in its turn; within another transaction it is a part of that one."""
    with ExitStack() as stack:
        # Who writes already must not wait for those who wait for them.
        if connection.vendor == "sqlite" and not connection.in_atomic_block:
            if not connection.is_in_memory_db():  # type: ignore[attr-defined]
                stack.enter_context(one_at_a_time(f"{connection.settings_dict['NAME']}.saving"))
        stack.enter_context(transaction.atomic())
        yield


@contextmanager
def one_at_a_time(path: str) -> Iterator[None]:
    """Hold the lock of this file, which ends with the process. Who cannot have it in time goes on without."""
    until = time.monotonic() + PATIENCE
    with ExitStack() as stack:
        with suppress(OSError):
            # Any process may wait for the file, whichever made it: that takes no right to write.
            file = os.open(path, os.O_RDONLY | os.O_CREAT, 0o644)
            stack.callback(os.close, file)
            while not locks.lock(file, locks.LOCK_EX | locks.LOCK_NB):
                if time.monotonic() > until:
                    break
                time.sleep(LOOK_AGAIN)
            else:
                # Closing alone would leave it to a process that was forked meanwhile.
                stack.callback(locks.unlock, file)
        yield


@dataclass(frozen=True)
class Saved:
    """A deck that was saved, its content before and after.

    ``elsewhere``: what others changed since its author looked, None if nothing. ``judged``: its verdict, None
    if nothing was stored.
    """

    deck: Deck
    before: DeckContent
    after: DeckContent
    elsewhere: Difference | None = None
    judged: Judged | None = None


class Conflicts(Exception):
    """Two people changed the same thing differently. Nothing is stored.

    ``merged``: all that both changed, with mine where they conflict; ``theirs``: what is stored, as revision
    ``revision``.
    """

    def __init__(
        self, conflicts: tuple[Conflict, ...], merged: DeckContent, theirs: DeckContent, revision: int
    ) -> None:
        super().__init__("; ".join(conflict.words() for conflict in conflicts))
        self.conflicts, self.merged, self.theirs, self.revision = conflicts, merged, theirs, revision

    def refused(self) -> Refused:
        """The conflicts as a refusal (409), for callers that cannot ask which of the two is meant."""
        both = "; ".join(conflict.words() for conflict in self.conflicts[:8])
        sentence = (
            f"The deck was changed since you opened it ({both}). Nothing was overwritten. Save again to"
            " replace it."
        )
        return Refused(Fault("changed_elsewhere", sentence, "revision"), status=409)


def changed_elsewhere() -> Refused:
    """The refusal (409) where the state that an author saw is no longer kept."""
    sentence = (
        "The deck was changed since you opened it. Nothing was overwritten: look at it in another tab,"
        " then save again."
    )
    return Refused(Fault("changed_elsewhere", sentence, "revision"), status=409)


@saving()
def save_edit(
    deck: Deck | str,
    viewer: Viewer,
    edit: Callable[[DeckContent], DeckContent],
    *,
    kind: str = "edited",
    seen: int | None = None,
    steps: Steps | None = None,
    request_id: str = "",
    **columns: str,
) -> Saved:
    """Store what ``edit`` makes of the deck as it is now. Nothing is stored if that is the same, unless
    ``steps`` are given.

    ``deck`` is its link, or the deck itself where ``locked`` gave it. ``kind`` of state; ``seen``: the
    revision that its author saw; ``steps``: where undoing and redoing lead, by default to the state before
    and nowhere; ``columns``: such as the visibility. ``request_id``: what a browser without an answer calls
    its request when it sends it again; one that made a state is not applied twice. A change that continues a
    burst of presses is one change with it: undoing leads to the state before the burst. ``edit`` may raise
    Refused. The deck may become empty or illegal. Raises Http404 if it is not the viewer's to edit.
    """
    stored, game = locked(deck, viewer)
    before, number = stored.content(), stored.revision
    # Nor is it told as a change of others.
    if was_applied(stored, request_id):
        return Saved(stored, before, before)
    elsewhere = _since(stored, game, before, seen)
    after = edit(before)
    change, judged = difference(before, after), None
    if change or steps is not None:
        is_press = kind == "edited" and seen == number
        begun = burst_begun_at(stored, game, change, viewer.user_id) if is_press else None
        steps = steps if begun is None else (begun, None)
        after, judged = _store(stored, game, after, viewer, kind, steps, request_id=request_id, **columns)
        if begun is not None:
            DeckRevision.objects.of(stored.pk).filter(number=number).update(kind=PASSED)
    return Saved(stored, before, after, elsewhere, judged)


@saving()
def save_whole(
    deck: Deck | str,
    content: DeckContent,
    viewer: Viewer = ANONYMOUS,
    *,
    seen: int | None = None,
    kind: str = "",
    request_id: str = "",
    **columns: str,
) -> Saved:
    """Store a whole deck: the first state of a new one, or one merged with what was saved since its author
    saw revision ``seen``.

    ``deck`` is a new deck of its game, a stored one's link, or the deck itself where ``locked`` gave it.
    ``columns``: its visibility. ``request_id``: what the first state of a new deck keeps of the request that
    made it. Raises Conflicts where both changed the same thing, Refused (409) if that revision is not known
    any more, Refused for more than a deck may hold or its maker may have, Http404 if the deck is not the
    viewer's to edit.
    """
    stored, game = locked(deck, viewer)
    if not stored.pk:
        refuse_new_deck(stored)
        kind = kind or "made"
        after, judged = _store(stored, game, content, viewer, kind, None, request_id=request_id, **columns)
        # Last, so that what is refused does not count.
        count_new_deck(stored)
        return Saved(stored, after, after, judged=judged)
    theirs, base = stored.content(), stored.content_at(stored.revision if seen is None else seen, game)
    if base is None:
        raise changed_elsewhere()
    merged = merge(base, content, theirs)
    if merged.conflicts:
        raise Conflicts(merged.conflicts, merged.content, theirs, stored.revision)
    after, meanwhile, judged = merged.content, difference(base, theirs), None
    seen_by = stored.visibility
    if difference(theirs, after):
        kind = kind or ("merged" if meanwhile else "edited")
        after, judged = _store(stored, game, after, viewer, kind, None, **columns)
    elif others := {column: value for column, value in columns.items() if value != getattr(stored, column)}:
        # Who may see a deck is no part of its content, and so not of its history.
        Deck.objects.stored(stored).update(**others)
        vars(stored).update(others)
    note_visibility(stored, "deck", seen_by, stored.visibility, stored.owner_id)
    return Saved(stored, theirs, after, meanwhile or None, judged)


def save_new(
    request: HttpRequest, game: Game, content: DeckContent, visibility: str = Visibility.PRIVATE
) -> tuple[Deck, str]:
    """Store a new deck of this visitor. Returns it and the key that edits it. Raises Refused as
    ``save_whole`` does.
    """
    deck, key = begin_deck(request, viewer_of(request), game=game.slug)
    save_whole(deck, content, visibility=visibility)
    return deck, key


def was_applied(deck: Deck, request_id: str) -> bool:
    """True if a request of this name has made a state of the deck already."""
    return bool(request_id) and DeckRevision.objects.of(deck.pk).filter(request_id=request_id).exists()


def locked(deck: Deck | str, viewer: Viewer) -> tuple[Deck, Game]:
    """The deck of this link, locked until the transaction ends, or the deck itself where it is given; and its
    game. Raises Http404 if it is not the viewer's to edit.
    """
    found = editable_deck(deck, viewer, locked=True) if isinstance(deck, str) else deck
    return found, game_or_404(found.game)


def _store(
    deck: Deck,
    game: Game,
    content: DeckContent,
    viewer: Viewer,
    kind: str,
    steps: Steps | None,
    **columns: Any,
) -> tuple[DeckContent, Judged]:
    """Judge the content and store it as the newest state of a new or locked deck; return it as stored.

    Raises Refused beyond the limits, and where there is no room, but for what moderators write.
    """
    if kind != MODERATED:
        refuse_without_room()
    content = replace(content, deck=replace(content.deck, entries=tuple(gathered(content.deck).values())))
    judged = judge_content(game, content, deck.leagues_while(columns.get("visibility") or deck.visibility))
    content = replace(content, format=judged.format.slug)
    refuse_beyond_limits(game, content)
    columns |= {
        "verdict": judged.verdict,
        "judged_by": basis(game),
        "size_shown": without_secrets(game, content.deck).size,
    }
    deck._write(content, kind, viewer.user_id, steps, **columns)
    return content, judged


def _since(deck: Deck, game: Game, now: DeckContent, seen: int | None) -> Difference | None:
    if seen is None or seen == deck.revision:
        return None
    then = deck.content_at(seen, game)
    return (difference(then, now) or None) if then else None


def burst_begun_at(deck: Deck, game: Game, change: Difference, user_id: int | None) -> int | None:
    """The number of the state before the burst of presses that this change continues; None if it continues
    none.

    A burst is of one author, on one card of one section, in one direction, with nothing between. A state with
    a name ends it.
    """
    if (press := _single_step(change)) is None:
        return None
    states = DeckRevision.objects.of(deck.pk)
    of_burst = {"kind": "edited", "name": "", "by": user_id, "made__gte": timezone.now() - BURST}
    row = states.filter(number=deck.revision, **of_burst).first()
    begun = states.filter(number=row.undo_to).first() if row else None
    if row is None or begun is None:
        return None
    return begun.number if _single_step(difference(*contents_of((begun, row), game))) == press else None


def _single_step(change: Difference) -> tuple[str, str, bool] | None:
    """(section, code, True if it became more) of a change of the copies of one of the catalogue's cards and
    of nothing else; None for any other.
    """
    if len(change.lines) != 1 or any(other.what != "order" for other in change.others):
        return None
    (line,) = change.lines
    return None if line.card.written else (line.section, line.card.code, line.by > 0)
