"""The one way a deck is saved: ``save_edit`` makes one change, ``save_whole`` stores a whole content.

Both lock the deck's row first and then read it, so that saves at the same moment follow one another. Both
judge the new content, keep it within the limits and store it as a state of its own with ``Deck._write``. What
was read earlier, such as the text of a whole deck, is merged with what was saved meanwhile, so that no change
is lost.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Any

from django.http import Http404
from django.utils import timezone

from cardsdb.catalogue.current import game_named
from cardsdb.faults import Fault, Refused
from cardsdb.games.kit import Game
from cardsdb.identity.viewer import Viewer
from cardsdb.site.audit import note_visibility
from decks.core.content import DeckContent, refuse_beyond_limits, without_secrets
from decks.core.diff import Conflict, Difference, difference, gathered, merge
from decks.core.judging import Judged, judge_content
from decks.models import Deck, DeckRevision, editable_deck
from decks.models.revision import MODERATED, PASSED
from decks.saving.room import count_new_deck, refuse_new_deck, refuse_without_room
from decks.saving.turn import saving
from decks.saving.verdicts import basis

ANONYMOUS = Viewer()
# Presses on one card within this time of one another are one change, which one undo takes back.
BURST = timedelta(seconds=10)
# The numbers of the states that undoing and redoing lead to.
Steps = tuple[int | None, int | None]


@dataclass(frozen=True, slots=True)
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
            f"The deck was changed elsewhere since you opened it ({both}). Nothing was overwritten: save"
            " again to have it your way."
        )
        return Refused(Fault("changed_elsewhere", sentence, "revision"), status=409)


def changed_elsewhere() -> Refused:
    """The refusal (409) where the state that an author saw is no longer kept."""
    sentence = (
        "The deck was changed elsewhere since you opened it. Nothing was overwritten: look at it in another"
        " tab, then save again."
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
    stored, game = locked(deck, viewer) if isinstance(deck, str) else (deck, _game_of(deck))
    before, number = stored.content(), stored.revision
    # Nor is it told as somebody else's.
    if was_applied(stored, request_id):
        return Saved(stored, before, before)
    elsewhere = _since(stored, game, before, seen)
    after = edit(before)
    change, judged = difference(before, after), None
    if change or steps is not None:
        begun = (
            burst_begun_at(stored, change, viewer.user_id) if kind == "edited" and seen == number else None
        )
        after, judged = _store(
            stored,
            game,
            after,
            viewer,
            kind,
            steps if begun is None else (begun, None),
            request_id=request_id,
            **columns,
        )
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
    if isinstance(deck, Deck) and not deck.pk:
        refuse_new_deck(deck)
        after, judged = _store(
            deck, _game_of(deck), content, viewer, kind or "made", None, request_id=request_id, **columns
        )
        # Last, so that what is refused does not count.
        count_new_deck(deck)
        return Saved(deck, after, after, judged=judged)
    stored, game = locked(deck, viewer) if isinstance(deck, str) else (deck, _game_of(deck))
    theirs, base = stored.content(), stored.content_at(stored.revision if seen is None else seen, game)
    if base is None:
        raise changed_elsewhere()
    merged = merge(base, content, theirs)
    if merged.conflicts:
        raise Conflicts(merged.conflicts, merged.content, theirs, stored.revision)
    after, meanwhile, judged = merged.content, difference(base, theirs), None
    if difference(theirs, after):
        before = stored.visibility
        after, judged = _store(
            stored, game, after, viewer, kind or ("merged" if meanwhile else "edited"), None, **columns
        )
        note_visibility(stored, "deck", before, columns.get("visibility", before), stored.owner_id)
    elif others := {column: value for column, value in columns.items() if value != getattr(stored, column)}:
        # Who may see a deck is no part of its content, and so not of its history.
        Deck.objects.stored(stored).update(**others)
        note_visibility(
            stored, "deck", stored.visibility, others.get("visibility", stored.visibility), stored.owner_id
        )
        for column, value in others.items():
            setattr(stored, column, value)
    return Saved(stored, theirs, after, meanwhile or None, judged)


def was_applied(deck: Deck, request_id: str) -> bool:
    """Whether a request of this name has made a state of the deck already."""
    return bool(request_id) and DeckRevision.objects.has_applied(deck.pk, request_id)


def locked(link: str, viewer: Viewer) -> tuple[Deck, Game]:
    """The deck, locked until the transaction ends, and its game. Raises Http404 if it is not the viewer's to
    edit.
    """
    deck = editable_deck(link, viewer, locked=True)
    return deck, _game_of(deck)


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


def _game_of(deck: Deck) -> Game:
    game = game_named(deck.game)
    if game is None:
        raise Http404
    return game


def _since(deck: Deck, game: Game, now: DeckContent, seen: int | None) -> Difference | None:
    if seen is None or seen == deck.revision:
        return None
    then = deck.content_at(seen, game)
    return (difference(then, now) or None) if then else None


def burst_begun_at(deck: Deck, change: Difference, user_id: int | None) -> int | None:
    """The number of the state before the burst of presses that this change continues; None if it continues
    none.

    A burst is of one author, on one card of one section, in one direction, with nothing between. A state with
    a name ends it.
    """
    if (
        len(change.lines) != 1
        or any(other.what != "order" for other in change.others)
        or change.lines[0].card.written
    ):
        return None
    row = DeckRevision.objects.state(deck.pk, deck.revision)
    if (
        row is None
        or (row.kind, row.name, row.by_id) != ("edited", "", user_id)
        or timezone.now() - row.made > BURST
    ):
        return None
    begun = DeckRevision.objects.state(deck.pk, row.undo_to)
    line = change.lines[0]
    if begun is None or _single_step(begun.content, row.content) != (
        line.section,
        line.card.code,
        line.by > 0,
    ):
        return None
    return row.undo_to


def _single_step(before: dict[str, Any], after: dict[str, Any]) -> tuple[str, str, bool] | None:
    """(section, code, whether it became more) if two stored states differ only in the copies of one card."""
    if any(before[part] != after[part] for part in before.keys() | after.keys() if part != "lines"):
        return None
    old, new = (
        {(line["section"], line.get("code", "")): line for line in content["lines"]}
        for content in (before, after)
    )
    differing = [key for key in {**old, **new} if old.get(key) != new.get(key)]
    if len(differing) != 1 or not differing[0][1]:
        return None
    (key,) = differing
    was, now = old.get(key, {}), new.get(key, {})
    if was and now and {**was, "count": 0} != {**now, "count": 0}:
        return None
    return *key, now.get("count", 0) > was.get("count", 0)
