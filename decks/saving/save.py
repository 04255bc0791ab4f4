"""The one way a deck is saved: ``save_edit`` makes one change, ``save_whole`` stores a whole content.

Both lock the deck's row before they read it, so that simultaneous saves follow one another. Both judge the
new content, refuse what exceeds the limits, and store it as a new state of the history with ``Deck._write``.
No other code may write a deck's content. What was read earlier, such as the text of a whole deck in a form,
is merged with what was saved in the meantime, so that no change is lost.

The editor, the API, the history, the check, imports and moderation call it. Edits are defined in
``decks/core/edits.py``, contents in ``decks/core/content.py``, merging in ``decks/core/diff.py``.

A deck also stores its verdict, with the cards and rules that it was judged by (``basis``). When these change,
the verdict is stale; lists of decks and a command call ``renew_verdicts`` and ``renew_all``.
Tests: ``tests/decks/saving/test_save.py``; for merging ``test_stale_pages.py``, for simultaneous saves
``test_two_writers.py`` and for requests sent twice ``test_sent_twice.py`` beside it.
"""

from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Any

from django.db import OperationalError
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
from decks.core.content import DeckContent, refuse_beyond_limits, without_secrets
from decks.core.diff import Conflict, Difference, difference, gathered, merge
from decks.core.judging import Judged, judge_content
from decks.models import Deck, DeckRevision, Visibility, editable_deck
from decks.models.contents import MODERATED, PASSED, Steps, contents_of
from decks.saving.room import begin_deck, count_new_deck, refuse_new_deck, refuse_without_room
from decks.saving.turn import saving

ANONYMOUS = Viewer()
# Presses of a button on one card that follow within this time are one change, which one undo takes back.
BURST = timedelta(seconds=10)
# Conflicts that the refusal names for a program; it may list hundreds, and the message is one sentence.
MAX_NAMED = 8


@dataclass(frozen=True)
class Saved:
    """A deck that was saved, and its content before and after.

    ``elsewhere``: what others changed since the author loaded the deck, None if nothing. ``judged``: the new
    verdict, None if nothing was stored.
    """

    deck: Deck
    before: DeckContent
    after: DeckContent
    elsewhere: Difference | None = None
    judged: Judged | None = None


class Conflicts(Exception):
    """Two people changed the same thing in different ways, so nothing is stored.

    ``merged``: both people's changes, with mine where they conflict; ``theirs``: what is stored, as
    ``revision``.
    """

    def __init__(
        self, conflicts: tuple[Conflict, ...], merged: DeckContent, theirs: DeckContent, revision: int
    ) -> None:
        super().__init__("; ".join(conflict.words() for conflict in conflicts))
        self.conflicts, self.merged, self.theirs, self.revision = conflicts, merged, theirs, revision

    def refused(self) -> Refused:
        """Return the conflicts as a refusal (409), for callers such as the API that cannot let a person
        choose.
        """
        both = "; ".join(conflict.words() for conflict in self.conflicts[:MAX_NAMED])
        sentence = (
            f"The deck was changed since you opened it ({both}). Nothing was overwritten. Save again to"
            " replace it."
        )
        return changed_elsewhere(sentence)


# Why a save whose base is no longer in the history, and so cannot be merged, is refused.
BASE_IS_GONE = (
    "The deck was changed since you opened it. Nothing was overwritten: look at it in another tab, then save"
    " again."
)


def changed_elsewhere(sentence: str = BASE_IS_GONE) -> Refused:
    """Return the refusal (409) of a change to a deck that is not as its author saw it."""
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
    """Apply ``edit`` to the newest content of the deck and store the result. If nothing changes, nothing is
    stored, unless ``steps`` are given. The result may be empty or illegal.

    - deck: its link, or the deck itself if the caller has locked it (``locked``);
    - kind: the kind of the new state;
    - columns: columns of ``Deck`` that its history does not hold, such as the visibility;
    - seen: the revision that the author had loaded;
    - steps: where undo and redo will lead, by default to the state before and nowhere;
    - request_id: a name that the browser gives its request, so that one sent twice is applied once.

    A press that continues a burst (``BURST``) counts as one change with it: undo leads to the state before
    the burst. Three presses of "+1" on 2 Kai make the states 1 to 3, all with ``undo_to`` 0; the history does
    not list passed ones::

        pressed    0, 2 Kai    1, 3 Kai    2, 4 Kai    3, 5 Kai
        once       made        edited
        twice      made        passed      edited
        3 times    made        passed      passed      edited

    Raise Http404 if the viewer may not edit the deck; ``edit`` may raise Refused.
    """
    stored, game = locked(deck, viewer)
    before, number = stored.content(), stored.revision
    # The same request came twice. Its first change is not reported as one of other people either.
    if was_applied(stored, request_id):
        return Saved(stored, before, before)
    elsewhere = _since(stored, game, before, seen)
    after = edit(before)
    change = difference(before, after)
    if not change and steps is None:
        return Saved(stored, before, after, elsewhere)
    before_burst = None
    if kind == "edited" and seen == number:
        before_burst = state_before_burst(stored, game, change, viewer.user_id)
    # The number of that state may be 0, which is false.
    continues_burst = before_burst is not None
    if continues_burst:
        steps = (before_burst, None)
    after, judged = _store(stored, game, after, viewer, kind, steps, request_id=request_id, **columns)
    if continues_burst:
        # The history no longer lists the state that the press before this one has left.
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
    **columns: str,
) -> Saved:
    """Store a whole deck: the first state of a new deck, or a content that is merged with what was saved
    since its author loaded revision ``seen``.

    ``deck``: a new deck, the link of a stored one, or a stored one that the caller has locked. ``kind``
    and ``columns`` are as in ``save_edit``.

    Raise Conflicts if both changed the same thing, Refused (409) if revision ``seen`` is no longer kept,
    Refused for too large a deck or too many decks, Http404 if the viewer may not edit the deck.
    """
    stored, game = locked(deck, viewer)
    if not stored.pk:
        refuse_new_deck(stored)
        kind = kind or "made"
        after, judged = _store(stored, game, content, viewer, kind, None, **columns)
        # Counted last, so that a deck that was refused does not count.
        count_new_deck(stored)
        return Saved(stored, after, after, judged=judged)
    # What is stored now, and what the author had loaded: ``content`` began as ``base``.
    theirs = stored.content()
    base = stored.content_at(stored.revision if seen is None else seen, game)
    if base is None:
        raise changed_elsewhere()
    merged = merge(base, content, theirs)
    if merged.conflicts:
        raise Conflicts(merged.conflicts, merged.content, theirs, stored.revision)
    after, judged = merged.content, None
    meanwhile, old_visibility = difference(base, theirs), stored.visibility
    if difference(theirs, after):
        kind = kind or ("merged" if meanwhile else "edited")
        after, judged = _store(stored, game, after, viewer, kind, None, **columns)
    elif changed := {column: value for column, value in columns.items() if value != getattr(stored, column)}:
        # The visibility is not part of the content, so changing it alone makes no state of the history.
        Deck.objects.stored(stored).update(**changed)
        vars(stored).update(changed)
    note_visibility(stored, "deck", old_visibility, stored.visibility, stored.owner_id)
    return Saved(stored, theirs, after, meanwhile or None, judged)


def save_new(
    request: HttpRequest, game: Game, content: DeckContent, visibility: str = Visibility.PRIVATE
) -> tuple[Deck, str]:
    """Store a new deck of this visitor. Return (deck, its edit key). Raise Refused as ``save_whole`` does."""
    deck, key = begin_deck(request, viewer_of(request), game=game.slug)
    save_whole(deck, content, visibility=visibility)
    return deck, key


def was_applied(deck: Deck, request_id: str) -> bool:
    """True if a request with this id has already made a state of the deck."""
    return bool(request_id) and DeckRevision.objects.of(deck.pk).filter(request_id=request_id).exists()


def locked(deck: Deck | str, viewer: Viewer) -> tuple[Deck, Game]:
    """Return (deck, game), the deck locked until the transaction ends. A deck that is passed instead of a
    link is returned as it is. Raise Http404 if the viewer may not edit it.
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
    """Judge the content and store it as the newest state of a new or locked deck. Return the content as
    stored, and the verdict.

    Raise Refused beyond the limits. A full site refuses all but moderators.
    """
    if kind != MODERATED:
        refuse_without_room()
    # Lines of one card in one section become one line.
    content = replace(content, deck=replace(content.deck, entries=tuple(gathered(content.deck).values())))
    judged = judge_content(game, content, deck.leagues_while(columns.get("visibility") or deck.visibility))
    # If the game no longer has the format, the deck was judged by another one.
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
    """Return what was changed since revision ``seen``; None if nothing was, or if that is not known."""
    if seen is None or seen == deck.revision:
        return None
    then = deck.content_at(seen, game)
    return (difference(then, now) or None) if then else None


def state_before_burst(deck: Deck, game: Game, change: Difference, user_id: int | None) -> int | None:
    """Return the number of the state before the burst of presses that this change continues, None if it
    continues none.

    A burst is made by one author, on one card of one section, all up or all down, with no other change
    between. A named state ends it. A single press is a burst already: its state leads undo to the one before
    it. So the newest state tells the whole burst: it is the difference between ``undo_to`` and it.
    """
    press = _single_step(change)
    if press is None:
        return None
    states = DeckRevision.objects.of(deck.pk)
    of_burst = {"kind": "edited", "name": "", "by": user_id, "made__gte": timezone.now() - BURST}
    newest = states.filter(number=deck.revision, **of_burst).first()
    before = states.filter(number=newest.undo_to).first() if newest else None
    if newest is None or before is None:
        return None
    burst = _single_step(difference(*contents_of((before, newest), game)))
    return before.number if burst == press else None


def _single_step(change: Difference) -> tuple[str, str, bool] | None:
    """Return (section, code, True if copies were added) if the change is only in the copies of one card of
    the catalogue, else None: for "+1 Kai" ("deck", "kai", True).
    """
    if len(change.lines) != 1 or any(other.what != "order" for other in change.others):
        return None
    (line,) = change.lines
    return None if line.card.written else (line.section, line.card.code, line.by > 0)


# -- the verdicts that are stored with decks -------------------------------------------------

# Decks whose stale verdicts are renewed at a time: before a query about verdicts, and by the command.
MAX_JUDGED = 40


def basis(game: Game) -> str:
    """Return what all verdicts of a game rest on, as one text: the edition of the catalogue and a digest of
    the rules, ``1-spycraft-c43e930443e03b5e``.

    The content of the deck is not part of it: whenever that is written, so is the verdict.
    """
    return f"{catalogue().state.number}-{game.slug}-{game.rules_digest}"


def judged_as(verdict: str) -> Q:
    """Return the condition for decks with this verdict, if it is fresh."""
    return Q(verdict=verdict) & is_fresh()


def is_fresh() -> Q:
    """Return the condition for decks whose stored verdict rests on today's cards and rules."""
    return Q(judged_by__in=[basis(game) for game in games().values()])


def renew_verdicts(decks: Iterable[Deck]) -> None:
    """Judge again those of the decks whose verdict is stale, and store the verdicts. If none is stale, this
    costs one query.

    The caller passes one page of decks, not more.
    """
    known = [(deck, game) for deck in decks if (game := game_named(deck.game))]
    stale = {deck.pk: (deck, game) for deck, game in known if deck.judged_by != basis(game)}
    if not stale:
        return
    # Read again, with all columns and lines: the caller's objects may have only some columns.
    renewed = list(Deck.objects.stored(*(deck for deck, _ in stale.values())).with_cards())
    # The condition for decks that nobody has changed since they were read here.
    unchanged = Q(pk__in=())
    for deck in renewed:
        callers, game = stale[deck.pk]
        # All that the verdict depends on. Owner and visibility decide which leagues the deck may use.
        read = {name: getattr(deck, name) for name in ("revision", "visibility", "owner_id", "judged_by")}
        unchanged |= Q(pk=deck.pk, **read)
        judged = deck.judged(game)
        # The caller shows the new verdict, even if it is not stored below.
        deck.verdict = callers.verdict = judged.verdict
        deck.size_shown = without_secrets(game, judged.deck).size
        deck.judged_by = basis(game)
    # A deck that was changed in the meantime keeps its newer verdict. If another write, such as loading the
    # catalogue, blocks the database for long, the verdicts are shown this time but not stored.
    with suppress(OperationalError), short_wait():
        Deck.objects.stored(*renewed).filter(unchanged).bulk_update(
            renewed, ("verdict", "judged_by", "size_shown")
        )


def renew_some(decks: QuerySet[Deck]) -> int:
    """Renew up to MAX_JUDGED stale verdicts of these decks. Return how many stale ones are left."""
    stale = decks.exclude(is_fresh()).order_by("pk")
    some = list(stale.only("game", "judged_by")[: MAX_JUDGED + 1])
    renew_verdicts(some[:MAX_JUDGED])
    return stale.count() if len(some) > MAX_JUDGED else 0


def renew_all() -> int:
    """Renew every stale verdict, MAX_JUDGED at a time to save memory. Return how many there were."""
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
