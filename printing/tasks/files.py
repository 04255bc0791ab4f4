"""The files of stored print jobs, and their rows: how much of them is kept, how long, and that files go when their jobs go."""

from __future__ import annotations

import logging
import time
from datetime import timedelta
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models import Q
from django.db.models.signals import post_delete
from django.dispatch import receiver
from django.utils import timezone

from cardsdb.site.faults import Fault, Refused
from printing.models import PrintJob, PrivateQuerySet
from printing.models.jobs import JobState

log = logging.getLogger(__name__)

# A row is kept for as long as it can be made again; one that came to nothing goes when a file of it would.
KEPT_FILE, KEPT_ROW = timedelta(hours=24), timedelta(days=7)
CAME_TO_NOTHING = (JobState.FAILED, JobState.CANCELLED)
# The file by which the site's own worker is the only one (printing/tasks/worker.py).
LOCK = "worker.lock"
# Bytes of all files together, and of those of one visitor or one address: no more is made until some have gone.
MAX_BYTES, MAX_BYTES_OF_ONE = 4_000_000_000, 800_000_000
# Rows of all visitors. A row holds a pasted list, of which the longest takes 760 kB.
MAX_ROWS = 1_000
# Seconds between two sweeps of one process, and what one of them takes away.
SWEEP, MAX_SWEPT = 600.0, 200
_swept = [-SWEEP]
NO_ROOM = "The file could not be made, because the server has no room for it just now. Try again later, or ask for fewer cards."


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


def no_room(error: OSError) -> Refused:
    """The refusal for a disk that takes no more bytes; whoever runs the site finds the reason in the log."""
    log.warning("no room for a file: %s", error)
    return Refused(Fault("no_room", NO_ROOM), status=507)


def room() -> int:
    """Bytes that may still come to the files that are kept; none or less when there is no room."""
    return MAX_BYTES - sum(_stat(path)[0] for path in folder().iterdir())


def kept(rows: PrivateQuerySet[PrintJob]) -> list[PrintJob]:
    """Those of these jobs whose files are kept, the first to go first. Their requests, which may be long, are not read."""
    done = rows.filter(state=JobState.DONE, expires__gt=timezone.now()).exclude(file="")
    return [row for row in done.defer("request").order_by("expires", "pk") if file_of(row)]


def drop_file(row: PrintJob) -> None:
    """Delete the file of a job that is done before its time."""
    for file in PrintJob.objects.filter(pk=row.pk, state=JobState.DONE).exclude(file="").values_list("file", flat=True):
        PrintJob.objects.filter(pk=row.pk, file=file).update(file="", size=0, expires=timezone.now())
        (folder() / Path(file).name).unlink(missing_ok=True)


def room_of_one(rows: PrivateQuerySet[PrintJob]) -> int:
    """The same for one visitor or one address, whose jobs these are."""
    return MAX_BYTES_OF_ONE - sum(row.size for row in kept(rows))


def has_place() -> bool:
    """Whether another row may come. Those that have no file, the oldest first, give way to it; nobody's file or turn does."""
    beyond = PrintJob.objects.count() + 1 - MAX_ROWS
    if beyond <= 0:
        return True
    useless = Q(state__in=CAME_TO_NOTHING) | Q(state=JobState.DONE, expires__lt=timezone.now())
    return _delete(PrintJob.objects.filter(useless), min(beyond, MAX_SWEPT)) >= beyond


def sweep() -> bool:
    """Delete files after a day, whosever they were, jobs after a week, and after a day what came to nothing.

    So many at a time that a page can do it by the way; whether more may be left.
    """
    now = timezone.now()
    useless = Q(made__lt=now - KEPT_ROW) | Q(state__in=CAME_TO_NOTHING, expires__lt=now)
    rows = _delete(PrintJob.objects.filter(useless), MAX_SWEPT)
    old = (now - KEPT_FILE).timestamp()
    stale = [path for path in folder().iterdir() if path.name != LOCK and _stat(path)[1] < old]
    for path in stale[:MAX_SWEPT]:
        path.unlink(missing_ok=True)
    return max(rows, len(stale)) >= MAX_SWEPT


def _delete(rows: PrivateQuerySet[PrintJob], most: int) -> int:
    """The oldest of them, with their files; how many. What they asked for may be long, and is not read."""
    oldest = list(rows.defer("request").order_by("made", "pk")[:most])
    for row in oldest:
        row.delete()
    return len(oldest)


def sweep_now_and_then() -> None:
    """Sweep, if this process has not for a while or did not finish: also where no worker ever runs again, files go."""
    if time.monotonic() - _swept[0] >= SWEEP:
        _swept[0] = time.monotonic()
        if sweep():
            _swept[0] = -SWEEP


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
