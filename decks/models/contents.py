"""The tables of a deck's content: ``DeckLine``, the lines of its newest state, and ``DeckRevision``, its
history.

Both are written only by ``Deck._write``, which ``decks/saving`` calls in a transaction that holds the deck.
The history only grows, apart from old unnamed states, which are deleted for room (``_prune``): undoing adds a
new state. Tests: ``tests/decks/models/test_contents.py``.
"""

import json
from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any, Self

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

# Lines. A save that touches more of them deletes all lines and writes them anew, which takes fewer queries.
MAX_TOUCHED = 8


class DeckLineQuerySet(SomebodysQuerySet["DeckLine"]):
    """The lines of decks."""

    def in_decks(self, decks: Iterable[int]) -> Self:
        """The lines of these decks, secret ones included. The caller has looked the decks up for its
        viewer.
        """
        return self.filter(deck__in=decks)

    def write(
        self, deck_id: int, stored: "Iterable[DeckLine]", entries: Iterable[kit.Entry], ids: Mapping[str, int]
    ) -> None:
        """Replace the lines of a deck by these entries, writing only what differs.

        ``stored``: the lines that the deck has now; ``ids``: code -> primary key of the catalogue's cards.
        Only for ``Deck._write``.
        """
        # Stored lines by key, until an entry claims them. A second line with the same key, which should not
        # exist, is deleted.
        unclaimed: dict[tuple[str, int | None, str], DeckLine] = {}
        deleted = []
        for line in stored:
            if line.key in unclaimed:
                deleted.append(line)
            unclaimed.setdefault(line.key, line)
        wanted, added, changed = [], [], []
        place = -1
        for entry in entries:
            line = DeckLine.of(deck_id, entry, ids)
            same = unclaimed.pop(line.key, None)
            # Positions need not be consecutive, only rise, so a line keeps its own if it is high enough.
            place = max(place + 1, same.position if same else 0)
            line.position = place
            wanted.append(line)
            if same is None:
                added.append(line)
            elif columns := line.differences(same):
                changed.append((same.pk, columns))
        deleted += unclaimed.values()
        if len(deleted) + len(changed) + len(added) > MAX_TOUCHED:
            # There is nothing to delete if every line is added, as to a new deck.
            if deleted or changed or len(added) < len(wanted):
                self.filter(deck=deck_id).order_by().delete()
            for place, line in enumerate(wanted):
                line.position = place
            self.bulk_create(wanted)
            return
        if deleted:
            self.filter(pk__in=[line.pk for line in deleted]).order_by().delete()
        for pk, columns in changed:
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
    "forked": "Forked",
    "imported": "Imported",
    "repaired": "Repaired",
    "completed": "Completed",
    "merged": "Merged with what was saved meanwhile",
    MODERATED: "Changed by a moderator",
    PASSED: "On the way to the next",
}


class RevisionQuerySet(SomebodysQuerySet["DeckRevision"]):
    """The states of decks. Only those who may edit a deck may see its states; views check that with
    ``own_deck``.
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
        steps: tuple[int | None, int | None] = (None, None),
        made: datetime | None = None,
        request_id: str = "",
    ) -> None:
        """Store a state as number ``number``, and delete the oldest states if there are too many.

        ``steps``: the numbers of the states to which undo and redo lead.
        """
        stored, (undo_to, redo_to) = content.as_json(), steps
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
        """Delete the least useful unnamed states until both limits hold.

        States that undo or redo lead to are deleted only for the limit of bytes; the newest ``ALWAYS_KEPT``
        never.
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
        # Sort key of what to delete first: states that undo and redo do not need; among these old states
        # within a burst of presses; then the lower number. Recent states within a burst count like others,
        # since a page that is still open may show one, and its changes are merged from there.
        worth = {
            number: (number in needed, row.kind != PASSED or number > newest - STEPS_KEPT, number)
            for number, row in rows.items()
            if not row.name
        }
        gone: list[int] = []
        # ``worth`` is in the order of numbers, so the newest states are its last ones.
        deletable = list(worth)[:-ALWAYS_KEPT]
        for number in sorted(deletable, key=worth.__getitem__):
            if too_long <= 0 and (too_many <= 0 or number in needed):
                break
            gone.append(number)
            too_many, too_long = too_many - 1, too_long - rows[number].length
        states.filter(number__in=gone).delete()


def _chain(rows: Mapping[int, Any], number: int, step: str) -> Iterable[int]:
    """Yield the numbers of the stored states to which one step after the other leads. ``step``: the column,
    "undo_to" or "redo_to".
    """
    for _ in range(STEPS_KEPT):
        following = getattr(rows[number], step)
        if following not in rows:
            return
        number = following
        yield number


class DeckRevision(models.Model):
    """One state of a deck's history.

    ``content``: the JSON of ``decks.core.content.DeckContent``, and ``length`` its bytes. ``undo_to``: the
    number of the state to which undo leads from here; ``redo_to``: that to which redo leads, None unless this
    state was made by an undo. ``request_id``: the id that the editor gave the request, so that a request sent
    twice is applied once.
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
    length = models.PositiveIntegerField(default=0, editable=False)
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
