"""Stored jobs: prints that take too long to wait for, and large files of own texts and pictures.

``ask`` stores a job for a visitor, ``work`` makes it in a worker, and the visitor fetches the file within a
day. The states of its row (``cardsdb/tasks/queue.py``)::

    ask -> WAITING -> make_job, work -> RUNNING -> _end -> DONE, FAILED or CANCELLED
              ^---- recover, if the worker died ----'

A worker may lose its job to another one, so it updates only rows that it still holds; ``_Progress`` raises
Lost otherwise. Reasons for this design: docs/decisions/0015. Tests: all of ``tests/printing/tasks``.
"""

import errno
import logging
import math
import os
import secrets
import time
from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from django.db.models import Q, QuerySet
from django.http import Http404, QueryDict
from django.shortcuts import get_object_or_404
from django.utils import timezone
from django.utils.crypto import salted_hmac
from django_tasks import task

from cardsdb.box import jobs as box_jobs
from cardsdb.box import waiting
from cardsdb.catalogue.current import catalogue, working_with
from cardsdb.faults import Fault, Refused
from cardsdb.identity.viewer import Viewer
from cardsdb.models import RowState, owned_by
from cardsdb.models.owned import OwnedQuerySet
from cardsdb.site.ratelimits import sender
from cardsdb.storage.contract import StoreAway
from cardsdb.tasks.queue import RECOVERY_INTERVAL, Lost, QueuedRows
from cardsdb.watch.requests import current_id
from printing.exports.export import SHEETS, Bounded
from printing.exports.kinds import export_for
from printing.models import PrintJob
from printing.request.print_request import PrintFields, PrintRequest, stated
from printing.tasks.files import (
    FILE_RETENTION,
    OPEN,
    delete,
    drop_file,
    file_of,
    has_place,
    no_room,
    room,
    room_of_one,
    store,
    sweep_now_and_then,
    with_files,
)

log = logging.getLogger(__name__)

# Bounds for one visitor (``_refuse_too_many``).
# Open jobs: those that wait or are being made.
MAX_OPEN = 2
# Jobs that have a file.
MAX_FILES = 6
# Jobs asked for within a day, however they ended.
MAX_A_DAY = 30
# The same for jobs that take in pictures: a full set of large pictures is over eighty uploads.
MAX_PICTURES_A_DAY = 100
# These bounds times this factor hold for all visitors of one network address together, because a visitor
# without a cookie counts as a new one each time.
AT_ONE_ADDRESS = 3
# Open jobs of all visitors.
MAX_OPEN_OF_ALL = 50
# Seconds after which a visitor who was refused because of these may try again.
RETRY_AFTER = 120
# A worker reports progress at least every few seconds (BETWEEN, QUIET). One that was silent for this long
# counts as dead, and so does one whose process is known to have ended.
SILENT = timedelta(seconds=60)
# A job is made again if its worker died, but only once.
MAX_ATTEMPTS = 2
# Workers look at all waiting jobs every few seconds. A job unseen for this long means that none is running.
UNSEEN = timedelta(seconds=60)
# time.monotonic() of the last time that this web process recovered lost jobs. Each recovery asks the queue
# about every waiting job, so it is not done at every request. A list, so that functions and tests can set it.
_recovered = [-RECOVERY_INTERVAL]
# Seconds between two reports of progress.
BETWEEN = 0.25
# Characters of PrintJob.error.
MAX_ERROR = 400
# Seconds after which a worker reports even if it has finished no page meanwhile.
QUIET = 2.0


# -- asking -------------------------------------------------------------------------


def network_of(request: Any) -> str:
    """A keyed hash of the request's network address, so that the database has no addresses."""
    return salted_hmac("printing.stored_jobs", sender(request), algorithm="sha256").hexdigest()


def ask(
    print_request: PrintRequest, output: str = SHEETS, owner: Viewer | None = None, network: str = ""
) -> PrintJob:
    """Store a job that prints a request. ``output`` is SHEETS or a slug of EXPORT_KINDS.

    The job belongs to ``owner``, else to the viewer of the request. ``network`` is the result of
    ``network_of``. Raises Refused: 429 if the owner or network has too many jobs, 503 or 507 if the site has.
    """
    export = export_for(print_request, output)
    sent = print_request.fields
    fields: dict[str, Any] = {**dict(sent.cards.lists()), **stated(print_request.read), **export.chosen}
    # The game and format as they were read, so that the worker reads the pasted list the same way.
    fields |= print_request.list_fields if sent.pasted else {}
    request = {
        "output": output,
        "pasted": sent.pasted,
        "partly": bool(print_request.unread_lines),
        "fields": urlencode(fields, doseq=True),
        # A deck may be visible to the browser or through an edit key, even if not to the account.
        "browser": sent.viewer.browser,
        "key": sent.viewer.key_hash,
        "root": sent.root,
        "title": export.job.heading,
        "summary": export.summary,
        "unit": export.work.unit,
    }
    return _store(owner or sent.viewer, network, request, export.work.steps)


def ask_own(request: dict[str, Any], viewer: Viewer, network: str) -> PrintJob:
    """Store a job that looks at, or takes in, a file of own texts or pictures (``cardsdb.box.jobs``). Raises
    Refused as ``ask`` does.
    """
    return _store(viewer, network, request, 0)


def ask_again(row: PrintJob, viewer: Viewer, network: str) -> PrintJob:
    """Store a copy of a job, to make its file again. If the job is open or has its file, return it unchanged.
    Raises Refused as ``ask`` does.
    """
    if row.state in OPEN or file_of(row):
        return row
    return _store(viewer, network, row.request, row.pages)


def _store(viewer: Viewer, network: str, request: dict[str, Any], pages: int) -> PrintJob:
    """Store and queue a job. ``pages``: its steps of work, 0 if they are unknown. Raises Refused as ``ask``
    does.
    """
    sweep_now_and_then()
    still_open = PrintJob.objects.all_owners("counted for the site's bound").filter(state__in=OPEN)
    if still_open.count() >= MAX_OPEN_OF_ALL or not has_place():
        busy = "Too many files are being made for others just now. Try again in some minutes."
        raise Refused(Fault("busy", busy), status=503, wait=RETRY_AFTER)
    if room() <= 0:
        full = "The server has no room for more files just now. Try again in some hours."
        raise Refused(Fault("no_room", full), status=507)
    request = request | {"asked_in": current_id()}
    row = PrintJob.objects.create(**owned_by(viewer), sender=network, request=request, pages=pages)
    # The row is stored first, and then only earlier rows are counted: of several requests at the same time,
    # the first gets the last free place, and no two get it.
    try:
        for whose, rows, times in _counted_with(row):
            _refuse_too_many(whose, rows.filter(pk__lt=row.pk), times, "pictures" in request)
    except BaseException:
        row.delete()
        raise
    JOBS.enqueue(row)
    return row


def _counted_with(row: PrintJob) -> Iterator[tuple[str, OwnedQuerySet[PrintJob], int]]:
    """The jobs that count with this one, as (words for them, rows, factor of the bounds): those of its
    visitor, then, if the network is known, those of its network.
    """
    yield "of your jobs", PrintJob.objects.of(_owner_of(row)), 1
    if row.sender:
        from_network = PrintJob.objects.all_owners("counted by network").filter(sender=row.sender)
        yield "jobs from your network", from_network, AT_ONE_ADDRESS


def _owner_of(row: PrintJob) -> Viewer:
    """The account or browser that the job belongs to."""
    return Viewer(row.owner_id, browser=row.browser or "")


def _refuse_too_many(whose: str, rows: OwnedQuerySet[PrintJob], times: int, of_pictures: bool) -> None:
    """Raise Refused if ``rows`` leave no room for one more job, with advice and, if known, the seconds to
    wait.

    ``whose`` names the rows in the message, ``times`` multiplies the bounds, and ``of_pictures`` is True if
    the new job takes in pictures: such jobs are counted apart for the bound of a day.
    """
    max_open, max_files = times * MAX_OPEN, times * MAX_FILES
    max_a_day = times * (MAX_PICTURES_A_DAY if of_pictures else MAX_A_DAY)
    if rows.filter(state__in=OPEN).count() >= max_open:
        raise _too_many(
            f"{max_open} {whose} are waiting or being made. Wait until one is done, or cancel one."
        )
    day = timedelta(days=1)
    pictures = Q(request__has_key="pictures")
    today = rows.filter(pictures if of_pictures else ~pictures, made__gt=timezone.now() - day)
    times_made = list(today.order_by("made").values_list("made", flat=True))
    if len(times_made) >= max_a_day:
        sentence = f"{max_a_day} {whose} were asked for within a day, which is the most. Ask again tomorrow."
        raise _too_many(sentence, times_made[0] + day)
    files = with_files(rows)
    until = files[0].expires if files else None
    advice = "The oldest goes after a day; delete one on its page, or print fewer cards at once meanwhile."
    if len(files) >= max_files:
        raise _too_many(f"The files of {max_files} {whose} are kept at a time. {advice}", until)
    if room_of_one(rows) <= 0:
        raise _too_many(f"The files of {whose} take up all the room they may. {advice}", until)


def _too_many(sentence: str, until: datetime | None = None) -> Refused:
    """The refusal of one more job. ``until``: the time at which there is room again, if it is known."""
    wait = max(1, math.ceil((until - timezone.now()).total_seconds())) if until else 0
    return Refused(Fault("too_many_jobs", sentence), status=429, wait=wait)


def cancel(row: PrintJob) -> None:
    """Stop a job that is open, or delete the file of one that is done."""
    was_open = _end(PrintJob.objects.stored(row).filter(state__in=OPEN), RowState.CANCELLED)
    if not was_open:
        drop_file(row)
    elif "pictures" in row.request:
        # The uploaded pictures were kept for this job alone.
        waiting.drop(_owner_of(row), row.request["token"])


# -- making -------------------------------------------------------------------------


@task
def make_job(key: int) -> None:
    """Make the job with this primary key, unless another worker has it or it was cancelled."""
    with JOBS.claimed(key) as row:
        if row:
            work(row)


def _abandoned(rows: QuerySet[PrintJob], attempts: int) -> None:
    """Queue a job again whose worker died, or end it as failed after MAX_ATTEMPTS. ``rows``: a queryset of
    the job alone, as ``QueuedRows`` passes it.
    """
    if attempts < MAX_ATTEMPTS:
        JOBS.put_back(rows)
    else:
        error = "The work was broken off twice. Ask for less at once, or tell the operator of this site."
        _end(rows, RowState.FAILED, error=error)


JOBS = QueuedRows(PrintJob, make_job, SILENT, _abandoned, fresh={"pages_done": 0})


def recover() -> None:
    """Queue lost jobs again, and sweep. Each worker calls this every few seconds."""
    JOBS.recover()
    sweep_now_and_then()


def recover_now_and_then() -> None:
    """Recover lost jobs if this process has not done so recently. Called before a job is shown, so that a job
    whose worker died does not seem to run for ever.
    """
    if time.monotonic() - _recovered[0] >= RECOVERY_INTERVAL:
        _recovered[0] = time.monotonic()
        JOBS.recover(as_worker=False)


def job_or_404(viewer: Viewer, link: str) -> PrintJob:
    """The viewer's job with this link. Raises Http404 if there is none. If it is open, lost jobs are
    recovered first, so that its state is true.
    """
    rows = PrintJob.objects.of(viewer)
    row = get_object_or_404(rows, link=link)
    if row.state in OPEN:
        recover_now_and_then()
        row = get_object_or_404(rows, link=link)
    return row


def is_unattended(row: PrintJob) -> bool:
    """True if the job waits and no worker on any machine has seen it lately: none is running."""
    return row.state == RowState.WAITING and (row.queued or row.made) < timezone.now() - UNSEEN


def work(row: PrintJob) -> None:
    """Make a claimed job and store its file. Never raises for a fault: the job's state and ``error`` tell
    it.
    """
    # A queryset of the row, empty as soon as this worker no longer holds it.
    mine = JOBS.held(row)
    progress = _Progress(mine)
    try:
        with working_with(catalogue()):
            if row.request.get("output") == box_jobs.OWN:
                _make_own(row, progress)
            else:
                _make(row, progress)
        return
    except Lost:
        return
    except StoreAway as away:
        # The store may answer again in a moment, so the job is queued again. If the file was stored
        # nevertheless, the job is no longer running and is left as it is.
        if row.attempts < MAX_ATTEMPTS:
            JOBS.put_back(mine)
            return
        error = away.faults[0].message
    except OSError as full:
        error = no_room(full).faults[0].message
    except Refused as refused:
        error = " ".join(fault.message for fault in refused.faults)
    except Http404:
        error = "The deck is no longer there, or no longer to be seen by you."
    except Exception:
        number = secrets.token_hex(4)
        # The id of the request that stored the job, to find its line in the log.
        asked_in = {"request": row.request.get("asked_in", "")}
        log.exception("print job %s failed: error %s", row.link, number, extra=asked_in)
        error = f"Something went wrong here. The operator of this site finds it as {number}."
    _end(mine, RowState.FAILED, error=error[:MAX_ERROR])


def _make(row: PrintJob, progress: "_Progress") -> None:
    """Write the file of a print, then end the job as done. The file's name is of this attempt alone, so that
    two workers never write the same file.
    """
    request = row.request
    viewer = Viewer(row.owner_id, request["key"], request["browser"])
    fields = PrintFields(
        QueryDict(request["fields"]),
        pasted=request["pasted"],
        viewer=viewer,
        root=request["root"],
        partly=request.get("partly", False),
    )
    export = export_for(PrintRequest.parse(fields), request["output"])
    steps = export.work.steps
    progress.begin(steps)
    left = min(room(), *(room_of_one(rows) for _, rows, _ in _counted_with(row)))
    if left <= 0:
        raise _full()
    name = f"{row.link}.{secrets.token_hex(4)}{Path(export.filename).suffix}"
    with store().writing(name, progress.lives) as file:
        # Reports also while bytes are written, because a PDF's pictures are written long after its last page.
        export.write(Bounded(file, left, _full, progress.lives), progress)  # type: ignore[arg-type]
        size = file.seek(0, os.SEEK_END)
    named = request | {"filename": export.filename}
    ended = {"file": name, "size": size, "request": named, "pages": steps, "pages_done": steps}
    if not _end(progress.mine, RowState.DONE, **ended):
        # Another worker has the job, or it was cancelled.
        delete(name)


def _make_own(row: PrintJob, progress: "_Progress") -> None:
    """Look at a file of own texts, or take it in. ``done`` is called in the transaction that stores the
    content, so that both happen or neither. Pictures without a table are stored one by one.
    """

    def done(values: Mapping[str, Any]) -> None:
        request = row.request | dict(values)
        if not _end(progress.mine, RowState.DONE, request=request, pages_done=progress.done):
            raise Lost

    box_jobs.make(row.request, _owner_of(row), progress.begin, progress, done)


class _Progress:
    """Reports the progress of a job. Call it with the number of pages done: it stores that number and the
    time, at most once every BETWEEN seconds. Raises Lost if this worker no longer holds the job.
    """

    def __init__(self, mine: QuerySet[PrintJob]) -> None:
        self.mine = mine
        # time.monotonic() of the last report.
        self.written = 0.0
        # Pages done, also those that are not reported yet.
        self.done = 0

    def begin(self, pages: int) -> None:
        """Store the number of pages to make. It may differ from that of the request, if the deck has
        changed.
        """
        self._tell(pages=pages)

    def __call__(self, pages_done: int) -> None:
        self.done = pages_done
        if time.monotonic() - self.written >= BETWEEN:
            self._tell(pages_done=pages_done)

    def lives(self) -> None:
        """Report that the worker is alive, if no page was finished for QUIET seconds."""
        if time.monotonic() - self.written >= QUIET:
            self._tell(pages_done=self.done)

    def _tell(self, **values: int) -> None:
        """Store these columns and the time. Raises Lost."""
        self.written = time.monotonic()
        if not self.mine.update(heartbeat=timezone.now(), **values):
            raise Lost


def _full() -> OSError:
    """The error of a file for which there is no room. ``work`` treats it like a full disk."""
    return OSError(errno.ENOSPC, "the files of print jobs take up all the room they may")


def _end(rows: QuerySet[PrintJob], state: RowState, **values: Any) -> int:
    """End these jobs with a final state. Return how many there were: 0 if this worker no longer holds the
    job.
    """
    return int(rows.update(state=state, expires=timezone.now() + FILE_RETENTION, **values))
