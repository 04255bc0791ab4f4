"""Print jobs that are too big to wait for: asked for by a visitor, made by a worker, fetched within a day.

A job goes from waiting to running to one of done, failed and cancelled. Each step is one conditional
update, so that of several workers one takes a job, and one that lost it (cancelled, or taken by another
after a silence) notices at its next page and stops. docs/decisions/0019 says why it is built so.
"""

from __future__ import annotations

import logging
import os
import secrets
import socket
import time
from collections.abc import Callable
from datetime import timedelta
from operator import attrgetter
from pathlib import Path
from typing import IO, Any, NamedTuple

from django.conf import settings
from django.db.models import F, Q
from django.http import Http404, QueryDict
from django.utils import timezone

from cardsdb.errors import Fault, Refused
from decks.visitors import Visitor, new_key
from printing.jobs import refused
from printing.models import PrintJob, PrivateQuerySet
from printing.models.jobs import JobState
from printing.models.private import owned_by
from printing.options import CannotPrint
from printing.page.asking import LIST_FIELDS, SUBJECT, Asking, stated
from printing.page.remembered import Remembered
from printing.sheets import Job, write_sheets

log = logging.getLogger(__name__)

# Beyond so many sides, or so many pictures, a job is stored; up to there it is made while one waits. What we draw takes
# some milliseconds a side; a side with somebody's own pictures, which are read and copied, counts as several.
BIG_SIDES, BIG_PICTURES = 400, 30
SIDES_WITH_PICTURES = 100
# Waiting and running jobs of one visitor.
MOST_OPEN = 2
# Of one visitor that are done and not yet expired; and of all visitors that wait.
MOST_FILES = 6
MOST_QUEUED = 50
# A worker speaks at every page, which takes a fraction of a second; one silent for so long is gone.
SILENT = timedelta(seconds=60)
MOST_ATTEMPTS = 2
KEPT_FILE, KEPT_ROW = timedelta(hours=24), timedelta(days=7)
# Progress is written at most so often.
BETWEEN = 0.5
# The file by which the site's own worker is the only one (printing/print_workers.py).
LOCK = "worker.lock"
OPEN = (JobState.WAITING, JobState.RUNNING)


class Output(NamedTuple):
    """Something that a job can make: its file's name, and what writes it, telling how many pages are done."""

    filename: Callable[[Job], str]
    write: Callable[[Job, IO[bytes], Callable[[int], None]], None]


# By the word that a request has for it: another output adds a line.
OUTPUTS = {"sheets": Output(attrgetter("filename"), write_sheets)}


class Lost(Exception):
    """The job is no longer this worker's."""


def is_big(job: Job) -> bool:
    """Whether the job is stored rather than made while its visitor waits."""
    most = SIDES_WITH_PICTURES if job.used_pictures else BIG_SIDES
    return job.pages > most or len(job.used_pictures) > BIG_PICTURES


# -- asking -------------------------------------------------------------------------


def ask(asking: Asking, output: str = "sheets") -> PrintJob:
    """Store what is asked for. The visitor has an account or a browser. Raises Refused, with 429 beyond what one may have at once."""
    job = asking.job
    fields = QueryDict(mutable=True)
    for name in (*SUBJECT, *LIST_FIELDS) if asking.pasted else SUBJECT:
        fields.setlist(name, asking.given.getlist(name))
    fields.update(stated(job.options))
    request = {
        "output": output,
        "pasted": asking.pasted,
        "fields": fields.urlencode(),
        # A deck may be visible to the browser rather than to the account.
        "browser": asking.visitor.browser,
        "root": asking.root,
        "title": job.heading,
        "summary": job.summary(),
    }
    return _store(asking.visitor, request, job.pages)


def ask_again(row: PrintJob, visitor: Visitor) -> PrintJob:
    """Store the same once more, unless its file is still there. Raises Refused."""
    return row if file_of(row) else _store(visitor, row.request, row.pages)


def _store(visitor: Visitor, request: dict[str, Any], pages: int) -> PrintJob:
    if PrintJob.objects.filter(state__in=OPEN).count() >= MOST_QUEUED:
        raise Refused(Fault("busy", "Too many sheets are being made for others just now. Try again in some minutes."), status=503)
    kept = PrintJob.objects.of(visitor).filter(state=JobState.DONE, expires__gt=timezone.now())
    if kept.count() >= MOST_FILES:
        sentence = f"{MOST_FILES} of your files are kept at a time. The oldest goes after a day; print fewer cards at once meanwhile."
        raise Refused(Fault("too_many_jobs", sentence), status=429)
    row = PrintJob.objects.create(**owned_by(visitor), request=request, pages=pages)
    # Counted with the row in place: of several requests at once, none can overlook all the others.
    if PrintJob.objects.of(visitor).filter(state__in=OPEN).count() > MOST_OPEN:
        row.delete()
        sentence = f"{MOST_OPEN} of your jobs are waiting or being made. Wait until one is done, or cancel one."
        raise Refused(Fault("too_many_jobs", sentence), status=429)
    return row


def cancel(row: PrintJob) -> bool:
    """Stop the job, if it still waits or runs."""
    return bool(_move(PrintJob.objects.filter(pk=row.pk, state__in=OPEN), JobState.CANCELLED))


# -- making -------------------------------------------------------------------------


def claim() -> PrintJob | None:
    """Take the oldest job that waits, or one whose worker fell silent; None when there is none. Nobody else gets the same."""
    settle()
    mine = f"{socket.gethostname()[:40]}:{os.getpid()}:{new_key()[:8]}"
    silent = Q(state=JobState.RUNNING, heartbeat__lt=timezone.now() - SILENT)
    for seen in PrintJob.objects.filter(Q(state=JobState.WAITING) | silent).order_by("made", "pk")[:20]:
        now = timezone.now()
        untouched = PrintJob.objects.filter(pk=seen.pk, state=seen.state, worker=seen.worker, heartbeat=seen.heartbeat)
        if seen.heartbeat is None:
            untouched = PrintJob.objects.filter(pk=seen.pk, state=seen.state, worker=seen.worker, heartbeat__isnull=True)
        taken = {"state": JobState.RUNNING, "worker": mine, "started": now, "heartbeat": now, "pages_done": 0}
        if untouched.update(**taken, attempts=F("attempts") + 1):
            return PrintJob.objects.get(pk=seen.pk)
    return None


def settle() -> None:
    """What time alone decides: a job that lost its worker twice has failed."""
    lost = PrintJob.objects.filter(state=JobState.RUNNING, heartbeat__lt=timezone.now() - SILENT, attempts__gte=MOST_ATTEMPTS)
    _move(lost, JobState.FAILED, error="The work was broken off twice. Ask for fewer cards at once, or tell whoever runs this site.")


def work(row: PrintJob) -> None:
    """Make a claimed job and put its file where its asker finds it. Whatever goes wrong ends in the job's state."""
    mine = PrintJob.objects.filter(pk=row.pk, state=JobState.RUNNING, worker=row.worker)
    try:
        _make(row, mine)
    except Lost:
        return
    except (Refused, CannotPrint) as error:
        faults = (error if isinstance(error, Refused) else refused(error)).faults
        _move(mine, JobState.FAILED, error=" ".join(fault.message for fault in faults)[:400])
    except Http404:
        _move(mine, JobState.FAILED, error="The deck is no longer there, or no longer to be seen by you.")
    except Exception:
        number = secrets.token_hex(4)
        log.exception("print job %s failed: error %s", row.link, number)
        _move(mine, JobState.FAILED, error=f"Something went wrong here; whoever runs this site finds it as {number}.")
    except BaseException:
        # Told to stop: the next worker begins anew, and this was no attempt of the job's own.
        mine.update(state=JobState.WAITING, worker="", heartbeat=None, pages_done=0, attempts=F("attempts") - 1)
        raise


def _make(row: PrintJob, mine: PrivateQuerySet[PrintJob]) -> None:
    """The file first, under a name that is this attempt's alone and that it gets when it is whole; then the job is done."""
    request, progress = row.request, _Progress(mine)
    visitor = Visitor(row.owner_id, browser=request["browser"])
    job = Asking(QueryDict(request["fields"]), request["pasted"], visitor, Remembered({}), request["root"]).job
    progress.begin(job.pages)
    output = OUTPUTS[request["output"]]
    filename = output.filename(job)
    path = folder() / f"{row.link}.{secrets.token_hex(4)}{Path(filename).suffix}"
    half = path.with_name(f"{path.name}.part")
    try:
        with half.open("wb") as file:
            output.write(job, file, progress)
            file.flush()
            os.fsync(file.fileno())
        half.rename(path)
    finally:
        half.unlink(missing_ok=True)
    named = request | {"filename": filename}
    if not _move(mine, JobState.DONE, file=path.name, request=named, pages=job.pages, pages_done=job.pages):
        path.unlink(missing_ok=True)


class _Progress:
    """Called with the pages done: tells the visitor, shows that the worker lives, and raises Lost when the job is another's now."""

    def __init__(self, mine: PrivateQuerySet[PrintJob]) -> None:
        self.mine = mine
        self.told = 0.0

    def begin(self, pages: int) -> None:
        """How many pages there will be: the deck may have changed since it was asked for."""
        self._tell(pages=pages)

    def __call__(self, pages_done: int) -> None:
        if time.monotonic() - self.told >= BETWEEN:
            self._tell(pages_done=pages_done)

    def _tell(self, **values: int) -> None:
        self.told = time.monotonic()
        if not self.mine.update(heartbeat=timezone.now(), **values):
            raise Lost


def _move(rows: PrivateQuerySet[PrintJob], state: JobState, **values: Any) -> int:
    """Bring these jobs to one of the ends."""
    return int(rows.update(state=state, expires=timezone.now() + KEPT_FILE, **values))


# -- files --------------------------------------------------------------------------


def folder() -> Path:
    """Where the files of jobs are."""
    path = Path(settings.VAR_DIR) / "jobs"
    path.mkdir(parents=True, exist_ok=True)
    return path


def file_of(row: PrintJob) -> Path | None:
    """The finished file, as long as it is kept."""
    if row.state != JobState.DONE or not row.file or row.expires is None:
        return None
    path = folder() / Path(row.file).name
    if row.expires < timezone.now():
        # On a quiet site no worker comes by to sweep; whoever looks at the page must not read that it is gone while it is not.
        path.unlink(missing_ok=True)
        return None
    return path if path.is_file() else None


def sweep() -> None:
    """Delete files after a day, whosever they were, and jobs after a week."""
    now = timezone.now()
    PrintJob.objects.filter(made__lt=now - KEPT_ROW).delete()
    old = (now - KEPT_FILE).timestamp()
    for path in folder().iterdir():
        if path.name != LOCK and path.stat().st_mtime < old:
            path.unlink(missing_ok=True)
