"""Letters that wait to be sent."""

from __future__ import annotations

from django.db import models
from django.utils import timezone

from cardsdb.models.queued import QueuedRow


class Letter(QueuedRow):
    """A letter until it is sent or given up; then it is deleted. ``content``: what django.core.mail makes it
    of (cardsdb/tasks/letters.py). ``due`` is when it is tried next.
    """

    content = models.JSONField()
    due = models.DateTimeField(default=timezone.now, db_index=True)

    class Meta:
        ordering = ("due", "pk")

    def __str__(self) -> str:
        return f"letter {self.pk}, tried {self.attempts} times"
