"""Letters that wait to be sent."""

from __future__ import annotations

from django.db import models
from django.utils import timezone


class Letter(models.Model):
    """A letter until it is sent or given up; then it is deleted. ``content``: what django.core.mail makes it
    of (cardsdb/tasks/letters.py). ``due`` is when it is tried next, ``attempts`` how often it was.
    """

    content = models.JSONField()
    attempts = models.PositiveSmallIntegerField(default=0)
    due = models.DateTimeField(default=timezone.now, db_index=True)

    class Meta:
        ordering = ("due", "pk")

    def __str__(self) -> str:
        return f"letter {self.pk}, tried {self.attempts} times"
