"""The lines of a deck."""

from __future__ import annotations

from django.db import models
from django.db.models import Q

from cardsdb.games import kit
from cardsdb.models import Card
from decks.core.content import written_card


class DeckLine(models.Model):
    """Some copies of one card in one section: a card of the catalogue, or one written in.

    ``note``, ``tags`` and ``keep`` are the author's marks on it (``kit.Marks``).
    """

    deck = models.ForeignKey("decks.Deck", on_delete=models.CASCADE, related_name="lines")
    position = models.PositiveIntegerField()
    section = models.SlugField(max_length=40)
    count = models.PositiveSmallIntegerField()
    card = models.ForeignKey(Card, null=True, blank=True, on_delete=models.PROTECT, related_name="deck_lines")
    written = models.JSONField(null=True, blank=True)
    note = models.CharField(max_length=300, blank=True, default="")
    tags = models.JSONField(default=list, blank=True)
    keep = models.BooleanField(default=False)

    class Meta:
        ordering = ("position",)
        constraints = [
            models.UniqueConstraint(fields=("deck", "section", "card"), name="card_once_per_section"),
            models.CheckConstraint(condition=Q(count__gte=1, count__lte=99), name="count_1_to_99"),
            models.CheckConstraint(condition=Q(card__isnull=False) ^ Q(written__isnull=False), name="card_or_written"),
        ]

    def __str__(self) -> str:
        return f"{self.count} x {self.card_id or self.written}"

    def as_card(self, game_slug: str) -> kit.Card:
        if self.card:
            return self.card.as_card()
        return written_card(game_slug, self.written)

    @property
    def marks(self) -> kit.Marks:
        return kit.Marks(self.note, tuple(self.tags), self.keep)
