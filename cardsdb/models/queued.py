"""Rows that wait until a worker does what they say."""

from __future__ import annotations

from django.db import models


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
