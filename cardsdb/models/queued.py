"""These wait until a worker does them: rows that say what is to be done, and letters."""

from __future__ import annotations

from django.db import models
from django.utils import timezone


class RowState(models.TextChoices):
    """From waiting to running, and back or to one of the three ends."""

    WAITING = "waiting", "Waiting"
    RUNNING = "running", "Running"
    DONE = "done", "Done"
    FAILED = "failed", "Failed"
    CANCELLED = "cancelled", "Cancelled"


class QueuedRow(models.Model):
    """``attempts``: how often a worker took the row. ``heartbeat``: when its ``worker`` last said that it
    goes on. ``task``: its number in the queue, and ``queued`` when it was put there, or a worker last saw it
    there. cardsdb/tasks/queue.py moves it from state to state.
    """

    state = models.CharField(max_length=10, choices=RowState, default=RowState.WAITING)
    worker = models.CharField(max_length=80, blank=True, default="")
    heartbeat = models.DateTimeField(null=True, blank=True)
    attempts = models.PositiveSmallIntegerField(default=0)
    task = models.CharField(max_length=64, blank=True, default="", editable=False)
    queued = models.DateTimeField(null=True, blank=True, editable=False)

    class Meta:
        abstract = True


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
