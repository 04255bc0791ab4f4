"""A line of a deck as the database keeps it."""

from __future__ import annotations

from django.db import models
from django.db.models import Q

from cardsdb.games import kit
from cardsdb.games.kit.model.prints import Prints
from cardsdb.models import Card


class DeckLine(models.Model):
    """Copies of one card in one section: a card of the catalogue, or one written in.

    ``note``, ``tags``, ``keep`` and ``print`` are the author's marks on it (``kit.Marks``), prints as ``Prints`` writes them.
    """

    deck = models.ForeignKey("decks.Deck", on_delete=models.CASCADE, related_name="lines")
    position = models.PositiveIntegerField()
    section = models.SlugField(max_length=40)
    count = models.PositiveSmallIntegerField()
    card = models.ForeignKey(Card, null=True, blank=True, on_delete=models.PROTECT, related_name="deck_lines", db_index=False)
    written = models.JSONField(null=True, blank=True)
    note = models.CharField(max_length=300, blank=True, default="")
    tags = models.JSONField(default=list, blank=True)
    keep = models.BooleanField(default=False)
    print = models.CharField(max_length=80, blank=True, default="")

    class Meta:
        ordering = ("position",)
        # All that counting the copies of some cards in every deck reads; and the index of ``card``.
        indexes = [models.Index(fields=("card", "deck", "section", "count"), name="line_counted")]
        constraints = [
            models.UniqueConstraint(fields=("deck", "section", "card"), name="card_once_per_section"),
            models.CheckConstraint(condition=Q(count__gte=1, count__lte=99), name="count_1_to_99"),
            models.CheckConstraint(condition=Q(card__isnull=False) ^ Q(written__isnull=False), name="card_or_written"),
        ]

    def __str__(self) -> str:
        return f"{self.count} x {self.card_id or self.written}"

    @property
    def marks(self) -> kit.Marks:
        return kit.Marks(self.note, tuple(self.tags), self.keep, Prints.read(self.print))
