"""The files and rows of stored print jobs: their number, their lifetime, and the deletion of files with their
jobs.
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

# A file is kept for a day and its row for a week, in which it can be made again; a row that came to nothing
# is kept for a day.
FILE_RETENTION, ROW_RETENTION = timedelta(hours=24), timedelta(days=7)
# A file that is being made is written to all the while; one that was not written to for so long is a dead
# worker's.
PART_RETENTION = timedelta(minutes=15)
OPEN = (RowState.WAITING, RowState.RUNNING)
CAME_TO_NOTHING = (RowState.FAILED, RowState.CANCELLED)
# Bytes of all files together, and of the files of one visitor or one address. Beyond them no file is made.
MAX_BYTES, MAX_BYTES_OF_ONE = 4_000_000_000, 800_000_000
# Rows of all visitors. A row holds a pasted list of up to 760 kB.
MAX_ROWS = 1_000
# Seconds between two sweeps of one process, and how many rows and files a sweep deletes.
SWEEP, MAX_SWEPT = 600.0, 200
_swept = [-SWEEP]
NO_ROOM = (
    "The file could not be made, because the server has no room for it just now. Try again later, or ask for"
    " fewer cards."
)


def waited_for() -> list[str]:
    """The tokens of the files that jobs of all owners wait to look at or take in."""
    rows = PrintJob.objects.all_owners("whose files are not swept yet").filter(
        state__in=OPEN, request__has_key="token"
    )
    return list(rows.values_list("request__token", flat=True))


def store() -> Store:
    """The store of the files."""
    return cast("Store", storages["jobs"])


def file_of(row: PrintJob) -> str:
    """The name of the finished file in its store, as long as it is kept; else empty."""
    if row.state != RowState.DONE or not row.file or row.expires is None:
        return ""
    if row.expires < timezone.now():
        # No sweep has deleted it yet; it is deleted now, for the page says that it is gone.
        delete(row.file)
        return ""
    return row.file if store().exists(row.file) else ""


def delete(name: str) -> None:
    """Delete a file. A file that cannot be deleted now is left to the sweep that finds it too old."""
    with suppress(Refused):
        store().delete(name)


def no_room(error: OSError) -> Refused:
    """The refusal for a disk that takes no more bytes. The reason is in the log."""
    log.warning("no room for a file: %s", error)
    return Refused(Fault("no_room", NO_ROOM), status=507)


def room() -> int:
    """The bytes of files that may still be added; zero or less when there is no room."""
    return MAX_BYTES - sum(file.size for file in (*store().files(), *store().unfinished()))


def with_files(rows: OwnedQuerySet[PrintJob]) -> list[PrintJob]:
    """Those of the jobs whose files are kept, in the order in which they expire. Their requests, which may be
    long, are not read.
    """
    done = rows.filter(state=RowState.DONE, expires__gt=timezone.now()).exclude(file="")
    return [row for row in done.defer("request").order_by("expires", "pk") if file_of(row)]


def drop_file(row: PrintJob) -> None:
    """Delete the file of a job that is done before its time."""
    stored = PrintJob.objects.stored(row)
    for file in stored.filter(state=RowState.DONE).exclude(file="").values_list("file", flat=True):
        stored.filter(file=file).update(file="", size=0, expires=timezone.now())
        delete(file)


def room_of_one(rows: OwnedQuerySet[PrintJob]) -> int:
    """The bytes of files that may still be added for the visitor or the address that has these jobs."""
    return MAX_BYTES_OF_ONE - sum(row.size for row in with_files(rows))


def has_place() -> bool:
    """True if another row may be added. The oldest rows without a file are deleted for it, but no row with a
    file, and none that waits.
    """
    rows = PrintJob.objects.all_owners("the oldest go where there are too many")
    beyond = rows.count() + 1 - MAX_ROWS
    if beyond <= 0:
        return True
    useless = Q(state__in=CAME_TO_NOTHING) | Q(state=RowState.DONE, expires__lt=timezone.now())
    return _delete(rows.filter(useless), min(beyond, MAX_SWEPT)) >= beyond


def sweep() -> bool:
    """Delete files after a day, half-written files that have stopped growing, jobs after a week, and jobs
    without a result after a day.

    It deletes few enough at a time for a request to wait. Returns True if more may be left.
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
    """Delete the oldest of them, with their files, and return their number. Their requests, which may be
    long, are not read.
    """
    oldest = list(rows.defer("request").order_by("made", "pk")[:most])
    for row in oldest:
        row.delete()
    return len(oldest)


def sweep_now_and_then() -> None:
    """Sweep, unless this process did so recently and finished, so that files are deleted also on a site
    without a worker.
    """
    if time.monotonic() - _swept[0] >= SWEEP:
        _swept[0] = time.monotonic()
        # A store that is away is swept the next time.
        with suppress(StoreAway):
            if sweep():
                _swept[0] = -SWEEP


def give_up_file(instance: PrintJob, **_: Any) -> None:
    """Delete the file of a deleted job, also if the job goes with its owner's account."""
    if instance.file:
        transaction.on_commit(lambda: delete(instance.file))
