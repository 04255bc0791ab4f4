"""The words people add to cards for their own prints."""

from __future__ import annotations

from django.db import models
from django.utils import timezone

from printing.models.private import Private

MOST_TEXT = 2_000


class CardText(Private):
    """Somebody's own text for a card, printed where the card leaves room to write."""

    game = models.SlugField(max_length=40)
    card_code = models.CharField(max_length=120)
    text = models.TextField(max_length=MOST_TEXT)
    changed = models.DateTimeField(default=timezone.now, editable=False)

    class Meta(Private.Meta):
        ordering = ("game", "card_code", "pk")
        constraints = [
            *Private.Meta.constraints,
            models.UniqueConstraint(fields=("owner", "game", "card_code"), name="account_text_once_a_card"),
            models.UniqueConstraint(fields=("browser", "game", "card_code"), name="browser_text_once_a_card"),
        ]

    def __str__(self) -> str:
        return f"text for {self.game}/{self.card_code}"
