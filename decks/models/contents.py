"""The tables of a deck's content: ``DeckLine``, the lines of its newest state, and ``DeckRevision``, its
history, in which each save adds one state.

``Deck._write`` alone writes both; ``decks/saving`` calls it in a transaction that locks the deck. Undoing
adds a new state too. Only old states without a name are deleted, to make room (``_prune``).
A change must keep the number of queries of a save, and the states that undo needs.
Tests: ``tests/decks/models/test_contents.py``, for undo ``tests/decks/saving/test_history.py``.
"""

import json
from collections.abc import Collection, Iterable, Mapping
from datetime import datetime
from typing import Any, Self, TypeAlias

from django.conf import settings
from django.db import models
from django.db.models import Count, Q, Sum
from django.utils import timezone

from cardsdb.catalogue.current import catalogue
from cardsdb.games import kit
from cardsdb.games.kit import NO_MARKS, Prints
from cardsdb.models import Card
from cardsdb.models.owned import SomebodysQuerySet, moment, some_text
from decks.core.content import DeckContent, content_of_json, written_json

# Numbers of the states to which undo and redo lead; None where there is nothing to undo or redo.
Steps: TypeAlias = tuple[int | None, int | None]
# Lines. A save that touches more of them deletes all lines and writes them anew: two queries, instead of one
# for each changed line.
MAX_TOUCHED = 8


def counter() -> Any:
    """A column for a number that the site counts itself."""
    return models.PositiveIntegerField(default=0, editable=False)


class DeckLineQuerySet(SomebodysQuerySet["DeckLine"]):
    """The lines of decks."""

    def in_decks(self, decks: Iterable[int]) -> Self:
        """The lines of these decks, secret ones included. The caller has looked the decks up for its
        viewer.
        """
        return self.filter(deck__in=decks)

    def write(
        self,
        deck_id: int,
        stored: "Collection[DeckLine]",
        entries: Iterable[kit.Entry],
        ids: Mapping[str, int],
    ) -> None:
        """Replace the lines of a deck by these entries, writing only what differs. Only for ``Deck._write``.

        ``stored``: the lines that the deck has now; ``ids``: code -> primary key of the catalogue's cards.

        A stored line and an entry with the same section and card (``DeckLine.key``) are one line. Positions
        may have gaps, they only have to rise: a line keeps its position if it still stands after the line
        before it. So most saves write one line. Two saves, with the positions of the lines::

            stored                    entries            written                         stored then
            0 Kai, 1 Chen, 2 Chaos    2 Kai, 1 Chaos     Chen deleted, Kai: count 2      0 Kai, 2 Chaos
            0 Kai, 2 Chaos            1 Chaos, 2 Kai     Kai: position 3                 2 Chaos, 3 Kai
        """
        # The stored lines that no entry has matched so far. A second line with the same key, which should not
        # exist, is deleted.
        unmatched: dict[tuple[str, int | None, str], DeckLine] = {}
        deleted = []
        for line in stored:
            if line.key in unmatched:
                deleted.append(line)
            else:
                unmatched[line.key] = line
        lines, added = [], []
        # Primary key of a stored line -> its columns that change.
        changed: dict[int, dict[str, Any]] = {}
        position = -1
        for entry in entries:
            line = DeckLine.of(deck_id, entry, ids)
            old = unmatched.pop(line.key, None)
            position = max(position + 1, old.position if old else 0)
            line.position = position
            lines.append(line)
            if old is None:
                added.append(line)
            elif columns := line.differences(old):
                changed[old.pk] = columns
        # Lines whose card was taken out.
        deleted += unmatched.values()
        if len(deleted) + len(changed) + len(added) > MAX_TOUCHED:
            # A new deck has no lines to delete.
            if stored:
                self.filter(deck=deck_id).order_by().delete()
            for position, line in enumerate(lines):
                line.position = position
            self.bulk_create(lines)
            return
        if deleted:
            self.filter(pk__in=[line.pk for line in deleted]).order_by().delete()
        for pk, columns in changed.items():
            self.filter(pk=pk).order_by().update(**columns)
        if added:
            self.bulk_create(added)

    write.alters_data = True  # type: ignore[attr-defined]


class DeckLine(models.Model):
    """Copies of one card in one section. The card is either one of the catalogue (``card``) or written in
    (``written``, the JSON of ``written_json``).

    ``note``, ``tags``, ``keep`` and ``print`` are the author's marks (``kit.Marks``); ``print`` is a
    ``Prints`` as text.
    """

    deck = models.ForeignKey("decks.Deck", on_delete=models.CASCADE, related_name="lines")
    position = models.PositiveIntegerField()
    section = models.SlugField(max_length=40)
    count = models.PositiveSmallIntegerField()
    card = models.ForeignKey(
        Card, null=True, blank=True, on_delete=models.PROTECT, related_name="deck_lines", db_index=False
    )
    written = models.JSONField(null=True, blank=True)
    note = some_text(300)
    tags = models.JSONField(default=list, blank=True)
    keep = models.BooleanField(default=False)
    print = some_text(80)

    objects = DeckLineQuerySet.as_manager()

    class Meta:
        ordering = ("position",)
        # Covers the count of copies of some cards in all decks, and serves as the index of ``card``.
        indexes = [models.Index(fields=("card", "deck", "section", "count"), name="line_counted")]
        constraints = [
            models.UniqueConstraint(fields=("deck", "section", "card"), name="card_once_per_section"),
            models.CheckConstraint(condition=Q(count__gte=1, count__lte=99), name="count_1_to_99"),
            models.CheckConstraint(
                condition=Q(card__isnull=False) ^ Q(written__isnull=False), name="card_or_written"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.count} x {self.card_id or self.written}"

    @classmethod
    def of(cls, deck_id: int, entry: kit.Entry, ids: Mapping[str, int]) -> Self:
        """Return an unsaved line for the entry, without its position. ``ids``: code -> primary key of the
        catalogue's cards.
        """
        card, marks = entry.card, entry.marks
        return cls(
            deck_id=deck_id,
            section=entry.section,
            card_id=None if card.written else ids[card.code],
            written=written_json(card) if card.written else None,
            count=entry.count,
            note=marks.note,
            tags=list(marks.tags),
            keep=marks.keep,
            print=str(marks.prints),
        )

    @property
    def key(self) -> tuple[str, int | None, str]:
        """The section and the card, which identify a line within its deck."""
        return self.section, self.card_id, json.dumps(self.written, sort_keys=True) if self.written else ""

    @property
    def marks(self) -> kit.Marks:
        if not (self.note or self.tags or self.keep or self.print):
            return NO_MARKS
        return kit.Marks(self.note, tuple(self.tags), self.keep, Prints.read(self.print))

    def differences(self, other: "DeckLine") -> dict[str, Any]:
        """Return column -> value of this line, for each column besides the key that differs from
        ``other``.
        """
        names = ("position", "count", "note", "tags", "keep", "print")
        return {name: getattr(self, name) for name in names if getattr(self, name) != getattr(other, name)}


# Unnamed states that a deck keeps.
MAX_UNNAMED = 300
# Steps that undo and redo can go as long as there is room.
STEPS_KEPT = 100
# Bytes of all unnamed states of a deck: about four of the largest states, or 250 usual ones. The newest
# ``ALWAYS_KEPT`` states are kept whatever their size.
MAX_UNNAMED_BYTES = 1024 * 1024
ALWAYS_KEPT = 4
# Checking these limits reads the whole history, so only every eighth save does it, and every save of a state
# larger than usual. A deck may therefore have a few states more than the limits allow.
THINNED_EVERY = 8
# Bytes of a usual state at most.
USUAL_BYTES = 8 * 1024
# A state within a burst of presses (``decks.saving.save.BURST``): not listed in the history, skipped by undo.
PASSED = "passed"
# A state made by staff: undo does not go back before it.
MODERATED = "moderated"
# Kind of a state -> its words on the page of the history.
KINDS = {
    "before": "State before its history began",
    "made": "Made",
    "edited": "Edited",
    "undone": "Undone",
    "redone": "Redone",
    "restored": "Gone back to an earlier version",
    "forked": "Copied",
    "imported": "Imported",
    "repaired": "Repaired",
    "completed": "Completed",
    "merged": "Merged with what was saved meanwhile",
    MODERATED: "Changed by a moderator",
    PASSED: "On the way to the next",
}


class RevisionQuerySet(SomebodysQuerySet["DeckRevision"]):
    """The states of decks. Only those who may edit a deck may see its states; views check that with
    ``own_deck`` (``decks/web/deck_context.py``).
    """

    def of(self, deck_id: int) -> Self:
        return self.filter(deck_id=deck_id)

    def shown(self) -> Self:
        """The states that a history lists: all but unnamed states within a burst of presses."""
        return self.exclude(kind=PASSED, name="")

    def add(
        self,
        deck_id: int,
        number: int,
        content: DeckContent,
        kind: str,
        *,
        by: int | None = None,
        steps: Steps = (None, None),
        made: datetime | None = None,
        request_id: str = "",
    ) -> None:
        """Store a state as number ``number``, and delete others if there are too many (``_prune``).

        ``steps``: the numbers of the states to which (undo, redo) lead from it, None for none.
        """
        stored = content.as_json()
        undo_to, redo_to = steps
        length = len(json.dumps(stored))
        self.create(
            deck_id=deck_id,
            number=number,
            content=stored,
            length=length,
            kind=kind,
            by_id=by,
            undo_to=undo_to,
            redo_to=redo_to,
            made=made or timezone.now(),
            request_id=request_id,
        )
        if number > ALWAYS_KEPT and (number % THINNED_EVERY == 0 or length > USUAL_BYTES):
            self._prune(deck_id)

    def _prune(self, deck_id: int) -> None:
        """Delete the least useful unnamed states until both limits hold: ``MAX_UNNAMED`` states,
        ``MAX_UNNAMED_BYTES``.

        States that undo or redo lead to are deleted only for the limit of bytes; the newest ``ALWAYS_KEPT``
        never.
        """
        states = self.of(deck_id)
        unnamed = states.filter(name="").aggregate(count=Count("pk"), length=Sum("length", default=0))
        # How many states, and bytes, are beyond the limits.
        excess, excess_bytes = unnamed["count"] - MAX_UNNAMED, unnamed["length"] - MAX_UNNAMED_BYTES
        if excess <= 0 and excess_bytes <= 0:
            return
        fields = ("number", "undo_to", "redo_to", "name", "kind", "length")
        rows = {row.number: row for row in states.order_by("number").values_list(*fields, named=True)}
        newest = max(rows)
        needed = {newest, *_chain(rows, newest, "undo_to"), *_chain(rows, newest, "redo_to")}

        def worth(number: int) -> tuple[bool, bool, int]:
            """Sort key; the lowest is deleted first, of equally useful ones the oldest. 200 is the newest:

            (False, False, 90)   an old state within a burst of presses (PASSED)
            (False, True, 80)    another state to which no step leads, such as one that was undone
            (False, True, 150)   a recent state within a burst: a page may still show it, and merge from it
            (True, True, 70)     a state to which undo or redo leads
            """
            is_old = number <= newest - STEPS_KEPT
            is_old_step_of_burst = is_old and rows[number].kind == PASSED
            return number in needed, not is_old_step_of_burst, number

        # In the order of numbers, so the newest states are the last ones.
        deletable = [number for number, row in rows.items() if not row.name][:-ALWAYS_KEPT]
        deleted: list[int] = []
        for number in sorted(deletable, key=worth):
            # All states that follow a needed one in this order are needed too.
            if excess_bytes <= 0 and (excess <= 0 or number in needed):
                break
            deleted.append(number)
            excess, excess_bytes = excess - 1, excess_bytes - rows[number].length
        states.filter(number__in=deleted).delete()


def _chain(rows: Mapping[int, Any], number: int, step: str) -> Iterable[int]:
    """Yield the numbers of the stored states to which one step after the other leads, at most STEPS_KEPT.
    ``step``: the column, "undo_to" or "redo_to". If undo leads from 9 to 8, and from 8 to 5: 8, 5.
    """
    for _ in range(STEPS_KEPT):
        following = getattr(rows[number], step)
        if following not in rows:
            return
        number = following
        yield number


class DeckRevision(models.Model):
    """One state of a deck's history.

    - content: the JSON of ``decks.core.content.DeckContent``; length: its bytes;
    - kind: one of ``KINDS``; by: the account that saved it;
    - name: given by the author, who then keeps the state; empty for most states;
    - undo_to: the number of the state to which undo leads from here, None if there is nothing to undo;
    - redo_to: the same for redo, None unless this state was made by an undo or a redo;
    - request_id: the id that the editor gave the request, so that a request sent twice is applied once.
    """

    deck = models.ForeignKey("decks.Deck", on_delete=models.CASCADE, related_name="revisions")
    number = models.PositiveIntegerField()
    made = moment(editable=True)
    kind = models.SlugField(max_length=20)
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    name = some_text(80)
    content = models.JSONField()
    length = counter()
    undo_to = models.PositiveIntegerField(null=True, blank=True)
    redo_to = models.PositiveIntegerField(null=True, blank=True)
    request_id = some_text(36)

    objects = RevisionQuerySet.as_manager()

    class Meta:
        ordering = ("number",)
        constraints = [models.UniqueConstraint(fields=("deck", "number"), name="revision_once_a_deck")]
        # Covers the query of ``_prune`` for the number and the bytes of a deck's states.
        indexes = [models.Index(fields=("deck", "name", "length"), name="revision_lengths")]

    def __str__(self) -> str:
        return f"revision {self.number} of deck {self.deck_id}"

    @property
    def kind_words(self) -> str:
        return KINDS.get(self.kind, self.kind)


def contents_of(rows: Iterable[DeckRevision], game: kit.Game) -> list[DeckContent]:
    """Return the contents of these states, in their order, with cards from the catalogue."""
    whole = catalogue()

    def card_named(code: str) -> kit.Card | None:
        entry = whole.at(game.slug, code)
        return entry.card if entry else None

    return [content_of_json(game.slug, row.content, card_named) for row in rows]
