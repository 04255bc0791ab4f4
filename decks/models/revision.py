"""The history of a deck: every state it was ever saved in, oldest first. Nothing is rewritten; undoing is a
new state too.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any, Self

from django.conf import settings
from django.db import models
from django.db.models import Count, Sum
from django.utils import timezone

from cardsdb.catalogue.current import catalogue
from cardsdb.games.kit import Card, Game
from cardsdb.models.owned import SomebodysQuerySet
from decks.core.content import DeckContent, content_of_json

# How many states without a name a deck keeps, and how far back undoing (and redoing) goes while there is
# room.
MAX_UNNAMED = 300
STEPS_KEPT = 100
# Bytes of all states without a name, of which the newest are kept however long they are: four of the longest
# fill it, 250 usual ones do.
MAX_UNNAMED_BYTES = 1024 * 1024
ALWAYS_KEPT = 4
# A history is thinned out at one save of so many, and at each that stores more bytes than a usual deck has:
# what that reads grows with the history. So there may be a few states more than the bounds say.
THINNED_EVERY = 8
USUAL_BYTES = 8 * 1024
# A state within one burst of presses: the next state goes on from it, and undoing skips it.
PASSED = "passed"
MODERATED = "moderated"
KINDS = {
    "before": "State before its history began",
    "made": "Made",
    "edited": "Edited",
    "undone": "Undone",
    "redone": "Redone",
    "restored": "Gone back to an earlier version",
    "forked": "Forked",
    "imported": "Imported",
    "repaired": "Repaired",
    "merged": "Merged with what was saved meanwhile",
    MODERATED: "Changed by a moderator",
    PASSED: "On the way to the next",
}


def length_of(content: Mapping[str, Any]) -> int:
    """The bytes of a content as the database writes it."""
    return len(json.dumps(content))


class RevisionQuerySet(SomebodysQuerySet["DeckRevision"]):
    """The states of decks. Only those who may edit a deck may see its states."""

    def of(self, deck_id: int) -> Self:
        return self.filter(deck_id=deck_id)

    def state(self, deck_id: int, number: int | None) -> DeckRevision | None:
        """The state with this number; None where it is not kept."""
        return None if number is None else self.of(deck_id).filter(number=number).first()

    def has(self, deck_id: int, number: int) -> bool:
        return self.of(deck_id).filter(number=number).exists()

    def has_applied(self, deck_id: int, request_id: str) -> bool:
        """Whether a request of this name made one of the states that are kept."""
        return self.of(deck_id).filter(request_id=request_id).exists()

    def shown(self) -> Self:
        """The states that a history lists: those within a burst of presses only if they have a name."""
        return self.exclude(kind=PASSED, name="")

    def add(
        self,
        deck_id: int,
        number: int,
        content: DeckContent,
        kind: str,
        *,
        by: int | None = None,
        steps: tuple[int | None, int | None] = (None, None),
        made: datetime | None = None,
        request_id: str = "",
    ) -> None:
        """Store this state until it is the oldest of too many. ``steps``: the numbers of the states that
        undoing and redoing lead to.
        """
        values = {"by_id": by, "undo_to": steps[0], "redo_to": steps[1], "made": made or timezone.now()}
        values["request_id"] = request_id
        stored = content.as_json()
        length = length_of(stored)
        self.create(deck_id=deck_id, number=number, content=stored, length=length, kind=kind, **values)
        if number > ALWAYS_KEPT and (number % THINNED_EVERY == 0 or length > USUAL_BYTES):
            self._prune(deck_id)

    def _prune(self, deck_id: int) -> None:
        """Delete the oldest states without a name beyond the two bounds; what undoing or redoing needs goes
        only beyond that of bytes.
        """
        states = self.of(deck_id)
        unnamed = states.filter(name="").aggregate(count=Count("pk"), length=Sum("length", default=0))
        too_many, too_long = unnamed["count"] - MAX_UNNAMED, unnamed["length"] - MAX_UNNAMED_BYTES
        if too_many <= 0 and too_long <= 0:
            return
        fields = ("number", "undo_to", "redo_to", "name", "kind", "length")
        rows = {row.number: row for row in states.order_by("number").values_list(*fields, named=True)}
        newest = max(rows)
        needed = {newest, *_chain(rows, newest, "undo_to"), *_chain(rows, newest, "redo_to")}
        kept = set([number for number in rows if not rows[number].name][-ALWAYS_KEPT:])

        def worth(number: int) -> tuple[bool, bool, int]:
            """What is needed is worth most, then what is no state on the way; but of these the latest count
            as much as others: a page that is still open may have been drawn from one, and is merged from
            there.
            """
            return number in needed, rows[number].kind != PASSED or number > newest - STEPS_KEPT, number

        gone: list[int] = []
        for number in sorted(
            (number for number in rows if not rows[number].name and number not in kept), key=worth
        ):
            if too_long <= 0 and (too_many <= 0 or number in needed):
                break
            gone.append(number)
            too_many, too_long = too_many - 1, too_long - rows[number].length
        states.filter(number__in=gone).delete()


def _chain(rows: Mapping[int, Any], number: int, step: str) -> Iterable[int]:
    """The stored states that one undo (``step`` "undo_to") or redo ("redo_to") after the other leads to."""
    for _ in range(STEPS_KEPT):
        following = getattr(rows[number], step)
        if following not in rows:
            return
        number = following
        yield number


class DeckRevision(models.Model):
    """A deck as it was saved once.

    ``content`` is the JSON of ``decks.core.content.DeckContent``. ``undo_to`` is the number of the state that
    undoing this one leads to, ``redo_to`` the one that was undone to come here. ``request_id`` is what the
    editor called the request that made it, so that one that is sent twice is applied once. ``length``: the
    bytes of ``content``.
    """

    deck = models.ForeignKey("decks.Deck", on_delete=models.CASCADE, related_name="revisions")
    number = models.PositiveIntegerField()
    made = models.DateTimeField(default=timezone.now)
    kind = models.SlugField(max_length=20)
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    name = models.CharField(max_length=80, blank=True, default="")
    content = models.JSONField()
    length = models.PositiveIntegerField(default=0, editable=False)
    undo_to = models.PositiveIntegerField(null=True, blank=True)
    redo_to = models.PositiveIntegerField(null=True, blank=True)
    request_id = models.CharField(max_length=36, blank=True, default="")

    objects = RevisionQuerySet.as_manager()

    class Meta:
        ordering = ("number",)
        constraints = [models.UniqueConstraint(fields=("deck", "number"), name="revision_once_a_deck")]
        # All that is read to see whether a deck has room for one more.
        indexes = [models.Index(fields=("deck", "name", "length"), name="revision_lengths")]

    def __str__(self) -> str:
        return f"revision {self.number} of deck {self.deck_id}"

    @property
    def kind_words(self) -> str:
        return KINDS.get(self.kind, self.kind)


def neighbours(deck_id: int, number: int) -> tuple[dict[str, Any] | None, dict[str, Any] | None] | None:
    """What is stored of the states that undoing and redoing lead to from this one, in two queries; None where
    neither leads anywhere.
    """
    states = DeckRevision.objects.of(deck_id)
    undo_to, redo_to = states.filter(number=number).values_list("undo_to", "redo_to").first() or (None, None)
    if undo_to is redo_to is None:
        return None
    ends = [end for end in (undo_to, redo_to) if end is not None]
    stored = dict(states.filter(number__in=ends).values_list("number", "content"))
    return stored.get(undo_to), stored.get(redo_to)


def contents_of(rows: Iterable[DeckRevision], game: Game) -> list[DeckContent]:
    """The contents of these states, with their cards from the catalogue."""
    whole = catalogue()

    def card(code: str) -> Card | None:
        known = whole.at(game.slug, code)
        return known.card if known else None

    return [content_of_json(game.slug, row.content, card) for row in rows]
