"""Letters that wait to be sent."""

from __future__ import annotations

from django.db import models
from django.utils import timezone


class Letter(models.Model):
    """A letter until it is sent or given up; then it is deleted. ``content``: what django.core.mail makes it of (cardsdb/tasks/letters.py).

    ``due`` is when it is tried next, and ``tries`` how often it was. ``worker`` is who has been sending it since ``taken``; empty while it
    waits. ``task`` is its number in the queue, and ``queued`` when it was put there.
    """

    content = models.JSONField()
    due = models.DateTimeField(default=timezone.now, db_index=True)
    tries = models.PositiveSmallIntegerField(default=0)
    worker = models.CharField(max_length=80, blank=True, default="")
    taken = models.DateTimeField(null=True, blank=True)
    task = models.CharField(max_length=64, blank=True, default="")
    queued = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("due", "pk")

    def __str__(self) -> str:
        return f"letter {self.pk}, tried {self.tries} times"
