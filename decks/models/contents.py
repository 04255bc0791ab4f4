"""The content of a deck: its lines, and every state that it was ever saved in, oldest first. Nothing of the
history is rewritten; undoing is a new state too.
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

# Where a save touches more lines than these, it is less work to write all of them anew.
MAX_TOUCHED = 8


class DeckLineQuerySet(SomebodysQuerySet["DeckLine"]):
    """The lines of decks."""

    def in_decks(self, decks: Iterable[int]) -> Self:
        """The lines of the decks with these primary keys, which were looked up by who asks; secret ones
        too.
        """
        return self.filter(deck__in=decks)

    def write(
        self, deck_id: int, stored: "Iterable[DeckLine]", entries: Iterable[kit.Entry], ids: Mapping[str, int]
    ) -> None:
        """Make these entries the lines of the deck, of which it has the ``stored`` ones; what stays as it is
        is not written.

        ``ids``: code -> id of the catalogue's cards. For ``Deck._write`` alone, in a transaction that holds
        the deck.
        """
        left: dict[tuple[str, int | None, str], DeckLine] = {}
        gone = [line for line in stored if left.setdefault(line.key, line) is not line]
        lines, new, changed, place = [], [], [], -1
        for entry in entries:
            line = DeckLine.of(deck_id, entry, ids)
            same = left.pop(line.key, None)
            # Positions only have to rise: a line keeps its own wherever the lines before it leave it that.
            line.position = place = same.position if same and same.position > place else place + 1
            lines.append(line)
            if same is None:
                new.append(line)
            elif columns := line.differences(same):
                changed.append((same.pk, columns))
        gone += left.values()
        if len(gone) + len(changed) + len(new) > MAX_TOUCHED:
            if gone or changed or len(new) < len(lines):
                self.filter(deck=deck_id).order_by().delete()
            gone, changed, new = [], [], lines
            for place, line in enumerate(lines):
                line.position = place
        if gone:
            self.filter(pk__in=[line.pk for line in gone]).order_by().delete()
        for pk, columns in changed:
            self.filter(pk=pk).order_by().update(**columns)
        if new:
            self.bulk_create(new)

    write.alters_data = True  # type: ignore[attr-defined]


class DeckLine(models.Model):
    """Copies of one card in one section: a card of the catalogue, or one written in.

    ``note``, ``tags``, ``keep`` and ``print`` are the author's marks on it (``kit.Marks``), prints as
    ``Prints`` writes them.
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
        # All that counting the copies of some cards in every deck reads; and the index of ``card``.
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
        """An unsaved line that says what the entry says, without its place. ``ids``: code -> id of the
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
        """Its section and its card, by which a deck has it once."""
        return self.section, self.card_id, json.dumps(self.written, sort_keys=True) if self.written else ""

    @property
    def marks(self) -> kit.Marks:
        if not (self.note or self.tags or self.keep or self.print):
            return NO_MARKS
        return kit.Marks(self.note, tuple(self.tags), self.keep, Prints.read(self.print))

    def differences(self, other: "DeckLine") -> dict[str, Any]:
        """The columns, besides those of the key, in which this line is not as the other one."""
        names = ("position", "count", "note", "tags", "keep", "print")
        return {name: getattr(self, name) for name in names if getattr(self, name) != getattr(other, name)}


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
    "completed": "Completed",
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
        stored, (undo_to, redo_to) = content.as_json(), steps
        length = length_of(stored)
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
        # The states that are needed are worth most, then what is no state on the way; but of these the latest
        # count as much as others: a page that is still open may have been drawn from one, and is merged from
        # there.
        worth = {
            number: (number in needed, row.kind != PASSED or number > newest - STEPS_KEPT, number)
            for number, row in rows.items()
            if not row.name
        }
        gone: list[int] = []
        for number in sorted([*worth][:-ALWAYS_KEPT], key=worth.__getitem__):
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
        # All that is read to see whether a deck has room for one more.
        indexes = [models.Index(fields=("deck", "name", "length"), name="revision_lengths")]

    def __str__(self) -> str:
        return f"revision {self.number} of deck {self.deck_id}"

    @property
    def kind_words(self) -> str:
        return KINDS.get(self.kind, self.kind)


def contents_of(rows: Iterable[DeckRevision], game: kit.Game) -> list[DeckContent]:
    """The contents of these states, with their cards from the catalogue."""
    whole = catalogue()

    def card(code: str) -> kit.Card | None:
        known = whole.at(game.slug, code)
        return known.card if known else None

    return [content_of_json(game.slug, row.content, card) for row in rows]
