"""Changing a deck: every change is stored at once, as a state of its own, and nobody's change is lost to another's.

Whoever changes a deck first locks its row and then reads it, so that changes at the same moment follow
one another. What was read earlier, the text of a whole deck, is merged with what was saved meanwhile.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Any

from django.db import transaction
from django.http import Http404
from django.shortcuts import get_object_or_404
from django.utils import timezone

from cardsdb.games import game_named
from cardsdb.games.kit import Card, Game
from cardsdb.games.kit.listtext.deck import MAX_COUNT, MAX_ENTRIES
from cardsdb.games.kit.listtext.marks import MAX_NOTE, MAX_TAG, MAX_TAGS
from cardsdb.models import Card as StoredCard
from cardsdb.site.faults import Fault, Refused
from decks.core.content import DeckContent, content_of_json
from decks.core.diff import Conflict, Difference, difference, gathered, merge
from decks.core.judging import format_with, judge
from decks.identity.viewer import Viewer
from decks.models import Deck, DeckRevision
from decks.models.revision import PASSED

# The columns' lengths. Forms say so in kinder words; this is for whatever comes by another way.
MAX_LENGTHS = {"name": 120, "notes": 5_000, "house rules": 400}

# Presses on one card that follow one another within this time are one change, and one undo takes them back.
BURST = timedelta(seconds=10)

CHANGED_ELSEWHERE = (
    "The deck was changed elsewhere since you opened it. Nothing was overwritten: look at it in another tab, then save again."
)


@dataclass(frozen=True, slots=True)
class Recorded:
    """A change that is stored. ``elsewhere``: what others changed since its author looked, None if nothing."""

    deck: Deck
    before: DeckContent
    after: DeckContent
    elsewhere: Difference | None = None


class Conflicts(Exception):
    """Two people changed the same thing otherwise. Nothing is stored.

    ``merged`` has all that both changed, and mine where they contradict each other; ``theirs`` is what is
    stored, as ``revision``.
    """

    def __init__(self, conflicts: tuple[Conflict, ...], merged: DeckContent, theirs: DeckContent, revision: int) -> None:
        super().__init__("; ".join(conflict.words() for conflict in conflicts))
        self.conflicts, self.merged, self.theirs, self.revision = conflicts, merged, theirs, revision


@transaction.atomic
def record_change(
    deck_link: str, viewer: Viewer, edit: Callable[[DeckContent], DeckContent], *, kind: str = "edited", read_at: int | None = None
) -> Recorded:
    """Store what ``edit`` makes of the deck as it is now. Nothing is stored if that is the same.

    What goes on with a burst of presses is one change with it: undoing leads to the state before the burst.
    ``edit`` may raise Refused. The deck may become empty or illegal. Raises Http404 if it is not the
    visitor's to edit.
    """
    deck, game = locked(deck_link, viewer)
    before = deck.content()
    elsewhere = _since(deck, game, before, read_at)
    after = edit(before)
    if change := difference(before, after):
        seen = deck.revision
        begun = _burst_begun_at(deck, change, viewer) if kind == "edited" and read_at == seen else None
        after = store(deck, game, after, kind, viewer, None if begun is None else (begun, None))
        if begun is not None:
            DeckRevision.objects.of(deck.pk).filter(number=seen).update(kind=PASSED)
    return Recorded(deck, before, after, elsewhere)


def _burst_begun_at(deck: Deck, change: Difference, viewer: Viewer) -> int | None:
    """The state before the burst of presses that this change goes on with; None if it is none.

    A burst is one author's, on one card of one section, in one direction, with nothing between. A state with a name ends it.
    """
    if len(change.lines) != 1 or any(other.what != "order" for other in change.others) or change.lines[0].card.written:
        return None
    row = DeckRevision.objects.of(deck.pk).filter(number=deck.revision).first()
    if row is None or (row.kind, row.name, row.by_id) != ("edited", "", viewer.user_id) or timezone.now() - row.made > BURST:
        return None
    begun = DeckRevision.objects.of(deck.pk).filter(number=row.undo_to).first()
    line = change.lines[0]
    if begun is None or _single_step(begun.content, row.content) != (line.section, line.card.code, line.by > 0):
        return None
    return row.undo_to


def _single_step(before: dict[str, Any], after: dict[str, Any]) -> tuple[str, str, bool] | None:
    """(section, code, whether to more) if two kept states differ in the copies of one card alone."""
    if any(before[part] != after[part] for part in before.keys() | after.keys() if part != "lines"):
        return None
    old, new = ({(line["section"], line.get("code", "")): line for line in content["lines"]} for content in (before, after))
    differing = [key for key in {**old, **new} if old.get(key) != new.get(key)]
    if len(differing) != 1 or not differing[0][1]:
        return None
    (key,) = differing
    was, now = old.get(key, {}), new.get(key, {})
    if was and now and {**was, "count": 0} != {**now, "count": 0}:
        return None
    return *key, now.get("count", 0) > was.get("count", 0)


def record_whole(
    deck_link: str, viewer: Viewer, mine: DeckContent, read_at: int, *, kind: str = "edited", visibility: str = ""
) -> Recorded:
    """Store a whole deck, written by somebody who saw revision ``read_at``, merged with what was saved meanwhile.

    Raises Conflicts where both changed the same thing, and Refused (409) if that revision is not known any more.
    """
    with transaction.atomic():
        deck, game = locked(deck_link, viewer)
        return merge_into(deck, game, mine, read_at, viewer, kind=kind, visibility=visibility)


def merge_into(
    deck: Deck, game: Game, mine: DeckContent, read_at: int, viewer: Viewer, *, kind: str = "edited", visibility: str = ""
) -> Recorded:
    """``record_whole`` on a deck that is locked already."""
    theirs = deck.content()
    base = content_at(deck, game, read_at)
    if base is None:
        raise Refused(Fault("changed_elsewhere", CHANGED_ELSEWHERE, "revision"), status=409)
    merged = merge(base, mine, theirs)
    if merged.conflicts:
        raise Conflicts(merged.conflicts, merged.content, theirs, deck.revision)
    after = merged.content
    if difference(theirs, after):
        both = bool(difference(base, theirs)) and kind == "edited"
        after = store(deck, game, after, "merged" if both else kind, viewer, visibility=visibility or deck.visibility)
    elif visibility and visibility != deck.visibility:
        # Who may see a deck is not part of its content, and so not of its history.
        deck.visibility = visibility
        deck.save(update_fields=["visibility"])
    return Recorded(deck, theirs, after, difference(base, theirs) or None)


def locked(deck_link: str, viewer: Viewer) -> tuple[Deck, Game]:
    """The deck, which nobody else writes until the transaction ends, and its game. Raises Http404."""
    deck = get_object_or_404(Deck.objects.editable_by(viewer).with_cards().select_for_update(), link=deck_link)
    return deck, _game_of(deck)


def store(
    deck: Deck,
    game: Game,
    content: DeckContent,
    kind: str,
    viewer: Viewer,
    steps: tuple[int | None, int | None] | None = None,
    **readers: str,
) -> DeckContent:
    """Make this the state of a locked deck. Gives it as stored. Raises Refused when it is beyond the bounds."""
    content = replace(content, deck=replace(content.deck, entries=tuple(gathered(content.deck).values())))
    _within_bounds(content)
    judged = judge(game, content.deck, format_with(game, content.format, content.house))
    values = {"name": content.deck.name, "notes": content.notes, "tags": list(content.tags), "house": content.house, **readers}
    deck.keep(judged, kind=kind, by=viewer.user_id, steps=steps, **values)
    return content


def content_at(deck: Deck, game: Game, number: int) -> DeckContent | None:
    """The deck as it was at this revision; None if that is not kept."""
    if number == deck.revision:
        return deck.content()
    row = DeckRevision.objects.of(deck.pk).filter(number=number).first()
    return contents(game, (row,))[0] if row else None


def contents(game: Game, rows: Iterable[DeckRevision]) -> list[DeckContent]:
    """The contents of these states, with their cards from the catalogue, in two queries for any number of states."""
    stored = [row.content for row in rows]
    codes = {line["code"] for content in stored for line in content["lines"] if "code" in line}
    cards: dict[str, Card] = {}
    if codes:
        found = StoredCard.objects.in_game(game.slug).filter(code__in=codes).prefetch_related("prints")
        cards = {card.code: card.as_card() for card in found}
    return [content_of_json(game.slug, content, cards.get) for content in stored]


def _game_of(deck: Deck) -> Game:
    game = game_named(deck.game)
    if game is None:
        raise Http404
    return game


def _since(deck: Deck, game: Game, now: DeckContent, read_at: int | None) -> Difference | None:
    if read_at is None or read_at == deck.revision:
        return None
    then = content_at(deck, game, read_at)
    return (difference(then, now) or None) if then else None


def _within_bounds(content: DeckContent) -> None:
    """Raises Refused for what no column takes."""
    faults = []
    texts = {"name": content.deck.name, "notes": content.notes, "house rules": content.house}
    for what, text in texts.items():
        if len(text) > MAX_LENGTHS[what]:
            faults.append(Fault("too_long", f"The {what} may have {MAX_LENGTHS[what]:,} characters; these are {len(text):,}.", what))
    if len(content.deck.entries) > MAX_ENTRIES:
        faults.append(Fault("too_many_cards", f"A deck holds {MAX_ENTRIES:,} different cards at most.", "text"))
    for entry in content.deck:
        if not 1 <= entry.count <= MAX_COUNT:
            faults.append(Fault("bad_count", f"{entry.card.name}: 1 to {MAX_COUNT} copies, not {entry.count}.", "count"))
        if len(entry.marks.note) > MAX_NOTE:
            faults.append(Fault("too_long", f"The note on {entry.card.name} may have {MAX_NOTE} characters.", "note"))
    for tags in (content.tags, *(entry.marks.tags for entry in content.deck)):
        if len(tags) > MAX_TAGS or any(len(tag) > MAX_TAG for tag in tags):
            faults.append(Fault("too_long", f"At most {MAX_TAGS} tags of {MAX_TAG} characters each.", "tags"))
    if faults:
        raise Refused(*faults)
