"""Storage of print jobs: how many files and rows are kept, for how long, and their deletion.

``printing/tasks/jobs.py`` writes the files. A file may exist only as long as its row names it: rows that are
deleted take their file with them (``give_up_file``), and ``sweep`` removes what is too old.

    a file:  written -> named by its row -> deleted after a day (``file_of``, ``sweep``)
    a row:   open -> DONE, deleted after a week; FAILED or CANCELLED, deleted after a day

Tests: ``tests/printing/tasks/test_files.py``; of the room for files ``test_limits.py`` there.
"""

import logging
import time
from contextlib import suppress
from datetime import timedelta
from typing import Any, cast

from django.core.files.storage import storages
from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from cardsdb.faults import Fault, Refused
from cardsdb.models import RowState
from cardsdb.models.owned import OwnedQuerySet
from cardsdb.storage.contract import Store, StoreAway
from printing.models import PrintJob

log = logging.getLogger(__name__)

# A finished file is kept so long, and so is the row of a job that failed or was cancelled.
FILE_RETENTION = timedelta(hours=24)
# The row of a finished job is kept longer than its file, so that the file can be made again.
ROW_RETENTION = timedelta(days=7)
# An unfinished file that was not written to for this long belongs to a dead worker.
PART_RETENTION = timedelta(minutes=15)
OPEN = (RowState.WAITING, RowState.RUNNING)
# The states of ended jobs without a file.
CAME_TO_NOTHING = (RowState.FAILED, RowState.CANCELLED)
# Bytes of all files together. Beyond them no file is made.
MAX_BYTES = 4_000_000_000
# Bytes of the files of one visitor, and also of those of one network.
MAX_BYTES_OF_ONE = 800_000_000
# Rows of all visitors. A row may have a pasted list of up to 760 kB.
MAX_ROWS = 1_000
# Seconds between two sweeps of one process.
SWEEP = 600.0
# Rows, finished files, and unfinished files that one sweep deletes, so that a request can wait for it.
MAX_SWEPT = 200
# time.monotonic() of this process's last sweep. A list, so that functions and tests can set it.
_swept = [-SWEEP]
NO_ROOM = (
    "The file could not be made, because the server has no room for it just now. Try again later, or ask for"
    " fewer cards."
)


def waited_for() -> list[str]:
    """The tokens of uploaded files that open jobs still need, so that the sweep of uploads spares them."""
    rows = PrintJob.objects.all_owners("whose files are not swept yet").filter(
        state__in=OPEN, request__has_key="token"
    )
    return list(rows.values_list("request__token", flat=True))


def store() -> Store:
    """The store of finished files."""
    return cast("Store", storages["jobs"])


def file_of(row: PrintJob) -> str:
    """The name of a job's finished file in the store; empty if there is none or it has expired."""
    if row.state != RowState.DONE or not row.file or row.expires is None:
        return ""
    if row.expires < timezone.now():
        # The page says that the file is deleted, so do not wait for the next sweep.
        delete(row.file)
        return ""
    return row.file if store().exists(row.file) else ""


def delete(name: str) -> None:
    """Delete a file. If the store is away, a later sweep deletes it."""
    with suppress(Refused):
        store().delete(name)


def no_room(error: OSError) -> Refused:
    """Log an error of a full disk, and return the refusal (507) to show instead."""
    log.warning("no room for a file: %s", error)
    return Refused(Fault("no_room", NO_ROOM), status=507)


def room() -> int:
    """The bytes of files that may still be added; zero or less if there is no room."""
    return MAX_BYTES - sum(file.size for file in (*store().files(), *store().unfinished()))


def with_files(rows: OwnedQuerySet[PrintJob]) -> list[PrintJob]:
    """The jobs that have a file, ordered by the time at which it expires."""
    # ``request`` is deferred, because it may have a pasted list of up to 760 kB.
    done = rows.filter(state=RowState.DONE, expires__gt=timezone.now()).exclude(file="")
    return [row for row in done.defer("request").order_by("expires", "pk") if file_of(row)]


def drop_file(row: PrintJob) -> None:
    """Delete the file of a finished job before it expires."""
    # The name as it is stored now, of this one row: another process may have dropped the file meanwhile.
    stored = PrintJob.objects.stored(row)
    for file in stored.filter(state=RowState.DONE).exclude(file="").values_list("file", flat=True):
        stored.filter(file=file).update(file="", size=0, expires=timezone.now())
        delete(file)


def room_of_one(rows: OwnedQuerySet[PrintJob]) -> int:
    """The bytes of files that may still be added for one visitor or network. ``rows`` are all jobs of it."""
    return MAX_BYTES_OF_ONE - sum(row.size for row in with_files(rows))


def has_place() -> bool:
    """True if another row may be added. To make place, deletes the oldest rows without a file; rows with a
    file and open jobs are never deleted.
    """
    rows = PrintJob.objects.all_owners("the oldest go where there are too many")
    beyond = rows.count() + 1 - MAX_ROWS
    if beyond <= 0:
        return True
    useless = Q(state__in=CAME_TO_NOTHING) | Q(state=RowState.DONE, expires__lt=timezone.now())
    return _delete(rows.filter(useless), min(beyond, MAX_SWEPT)) >= beyond


def sweep() -> bool:
    """Delete what is too old: rows, finished files and unfinished ones. Return True if more may be left,
    because each call deletes at most MAX_SWEPT of each.
    """
    now = timezone.now()
    useless = Q(made__lt=now - ROW_RETENTION) | Q(state__in=CAME_TO_NOTHING, expires__lt=now)
    rows = _delete(PrintJob.objects.all_owners("the old ones go").filter(useless), MAX_SWEPT)
    stale = [file for file in store().files() if file.written < (now - FILE_RETENTION).timestamp()]
    for file in stale[:MAX_SWEPT]:
        store().delete(file.name)
    unfinished = [file for file in store().unfinished() if file.written < (now - PART_RETENTION).timestamp()]
    for file in unfinished[:MAX_SWEPT]:
        store().delete_unfinished(file)
    return max(rows, len(stale), len(unfinished)) >= MAX_SWEPT


def _delete(rows: OwnedQuerySet[PrintJob], most: int) -> int:
    """Delete the oldest of these rows, ``most`` of them, with their files. Return how many were deleted."""
    # Deleted one by one, because a bulk delete would send no signal that deletes the file.
    oldest = list(rows.defer("request").order_by("made", "pk")[:most])
    for row in oldest:
        row.delete()
    return len(oldest)


def sweep_now_and_then() -> None:
    """Sweep if this process has not done so for SWEEP seconds, or had not finished. Called by requests, so
    that files are deleted even on a site without a worker.
    """
    if time.monotonic() - _swept[0] >= SWEEP:
        _swept[0] = time.monotonic()
        # If the store is away, the next sweep deletes its files.
        with suppress(StoreAway):
            if sweep():
                _swept[0] = -SWEEP


def give_up_file(instance: PrintJob, **_: Any) -> None:
    """Delete the file of a deleted job, once the transaction is committed. Receives the signal
    ``post_delete``, which is also sent if a job is deleted with its owner's account.
    """
    if instance.file:
        transaction.on_commit(lambda: delete(instance.file))
