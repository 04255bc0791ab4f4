"""A line of a deck as the database keeps it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any, Self

from django.db import models
from django.db.models import Q

from cardsdb.games import kit
from cardsdb.games.kit.model.decklist import NO_MARKS, Prints
from cardsdb.models import Card
from cardsdb.models.owned import SomebodysQuerySet
from decks.core.content import written_json

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
        self, deck_id: int, stored: Iterable[DeckLine], entries: Iterable[kit.Entry], ids: Mapping[str, int]
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
    note = models.CharField(max_length=300, blank=True, default="")
    tags = models.JSONField(default=list, blank=True)
    keep = models.BooleanField(default=False)
    print = models.CharField(max_length=80, blank=True, default="")

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

    def differences(self, other: DeckLine) -> dict[str, Any]:
        """The columns, besides those of the key, in which this line is not as the other one."""
        names = ("position", "count", "note", "tags", "keep", "print")
        return {name: getattr(self, name) for name in names if getattr(self, name) != getattr(other, name)}
