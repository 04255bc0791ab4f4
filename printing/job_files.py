"""The files of stored print jobs: where they are, how long they are kept, and that they go when their jobs go."""

from __future__ import annotations

import time
from datetime import timedelta
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models.signals import post_delete
from django.dispatch import receiver
from django.utils import timezone

from printing.models import PrintJob
from printing.models.jobs import JobState

KEPT_FILE, KEPT_ROW = timedelta(hours=24), timedelta(days=7)
# The file by which the site's own worker is the only one (printing/print_workers.py).
LOCK = "worker.lock"
# Of all files together: no more is asked for until some have gone.
MOST_KEPT = 4_000_000_000
# Seconds between two sweeps of one process, and what one of them takes away.
SWEEP, MOST_SWEPT = 600.0, 200
_swept = [-SWEEP]


def folder() -> Path:
    """Where they are."""
    path = Path(settings.VAR_DIR) / "jobs"
    path.mkdir(parents=True, exist_ok=True)
    return path


def file_of(row: PrintJob) -> Path | None:
    """The finished file, as long as it is kept."""
    if row.state != JobState.DONE or not row.file or row.expires is None:
        return None
    path = folder() / Path(row.file).name
    if row.expires < timezone.now():
        # No sweep came by meanwhile; whoever looks at the page must not read that it is gone while it is not.
        path.unlink(missing_ok=True)
        return None
    return path if path.is_file() else None


def has_room() -> bool:
    """Whether another file may come to those that are kept."""
    return sum(_stat(path)[0] for path in folder().iterdir()) < MOST_KEPT


def sweep() -> None:
    """Delete files after a day, whosever they were, and jobs after a week; so many at a time that a page can do it by the way."""
    now = timezone.now()
    for row in PrintJob.objects.filter(made__lt=now - KEPT_ROW).order_by("made")[:MOST_SWEPT]:
        row.delete()
    old = (now - KEPT_FILE).timestamp()
    stale = [path for path in folder().iterdir() if path.name != LOCK and _stat(path)[1] < old]
    for path in stale[:MOST_SWEPT]:
        path.unlink(missing_ok=True)


def sweep_now_and_then() -> None:
    """Sweep, if this process has not for a while: also where no worker ever runs again, files go."""
    if time.monotonic() - _swept[0] >= SWEEP:
        _swept[0] = time.monotonic()
        sweep()


def _stat(path: Path) -> tuple[int, float]:
    """Bytes, and when it was written; one that another sweep takes away just now is new and empty."""
    try:
        found = path.stat()
    except OSError:
        return 0, float("inf")
    return found.st_size, found.st_mtime


@receiver(post_delete, sender=PrintJob)
def _give_up_file(instance: PrintJob, **_: Any) -> None:
    """However a job goes, also with its owner's account, its file goes with it."""
    if instance.file:
        transaction.on_commit(lambda: (folder() / Path(instance.file).name).unlink(missing_ok=True))
