"""Print jobs that take longer than a visitor waits for: stored, worked off by ``manage.py print_worker``, fetched when done."""

from __future__ import annotations

from django.db import models
from django.utils import timezone

from decks.identity.viewer import new_key
from printing.models.private import Private


class JobState(models.TextChoices):
    """From waiting to one of the three ends."""

    WAITING = "waiting", "Waiting"
    RUNNING = "running", "Running"
    DONE = "done", "Done"
    FAILED = "failed", "Failed"
    CANCELLED = "cancelled", "Cancelled"


class PrintJob(Private):
    """What is to be printed, and how far it has come. ``link`` is its address: 128 random bits.

    ``request`` says what (printing/tasks/jobs.py). ``attempts``: how often a worker took it.
    ``heartbeat`` is when its ``worker`` last said that it goes on; a running job that is silent for long lost its worker.
    ``file`` is the name of what was made, in the folder of jobs, and ``size`` its bytes. ``sender`` stands for the address that
    asked: a hash, which only this site's key makes.
    """

    # Jobs go after days anyway, and the key of one that came over the API stands in no session (decks/accounts/expiry.py).
    ends_by_itself = True

    link = models.CharField(max_length=22, unique=True, default=new_key, editable=False)
    request = models.JSONField(default=dict)
    state = models.CharField(max_length=10, choices=JobState, default=JobState.WAITING)
    pages_done = models.PositiveIntegerField(default=0)
    pages = models.PositiveIntegerField(default=0)
    made = models.DateTimeField(default=timezone.now, editable=False)
    started = models.DateTimeField(null=True, blank=True)
    heartbeat = models.DateTimeField(null=True, blank=True)
    worker = models.CharField(max_length=80, blank=True, default="")
    attempts = models.PositiveSmallIntegerField(default=0)
    file = models.CharField(max_length=120, blank=True, default="")
    size = models.PositiveBigIntegerField(default=0)
    sender = models.CharField(max_length=64, blank=True, default="", editable=False)
    error = models.CharField(max_length=400, blank=True, default="")
    expires = models.DateTimeField(null=True, blank=True)

    class Meta(Private.Meta):
        ordering = ("made", "pk")
        indexes = [models.Index(fields=("state", "made"), name="job_waiting")]

    def __str__(self) -> str:
        return f"print job {self.link}, {self.state}"
