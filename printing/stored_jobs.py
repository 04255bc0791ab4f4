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
from datetime import timedelta
from pathlib import Path
from typing import IO, Any

from django.db.models import F, Q
from django.http import Http404, QueryDict
from django.utils import timezone

from cardsdb.errors import Fault, Refused
from decks.visitors import Visitor, new_key
from printing.handing_out import no_room
from printing.job_files import KEPT_FILE, file_of, folder, has_room, sweep_now_and_then
from printing.models import PrintJob, PrivateQuerySet
from printing.models.jobs import JobState
from printing.models.private import owned_by
from printing.outputs.orders import SHEETS, order_of
from printing.page.asking import LIST_FIELDS, SUBJECT, Asking, stated
from printing.page.remembered import Remembered

log = logging.getLogger(__name__)

# Waiting and running jobs of one visitor.
MOST_OPEN = 2
# Of one visitor that are done and not yet expired; and of all visitors that wait.
MOST_FILES = 6
MOST_QUEUED = 50
# A worker speaks at every page, which takes a fraction of a second; one silent for so long is gone.
SILENT = timedelta(seconds=60)
MOST_ATTEMPTS = 2
# Progress is written at most so often.
BETWEEN = 0.5
# Where nothing is drawn, but written, it is told at least so often that the work goes on.
QUIET = 2.0
OPEN = (JobState.WAITING, JobState.RUNNING)


class Lost(Exception):
    """The job is no longer this worker's."""


# -- asking -------------------------------------------------------------------------


def ask(asking: Asking, output: str = SHEETS, owner: Visitor | None = None) -> PrintJob:
    """Store what is asked for: sheets, or a line of ``OUTPUTS``. Raises Refused, with 429 beyond what one may have at once.

    The job is its visitor's, or the ``owner``'s, who has an account or a browser.
    """
    order = order_of(asking, output)
    fields = QueryDict(mutable=True)
    for name in (*SUBJECT, *LIST_FIELDS) if asking.pasted else SUBJECT:
        fields.setlist(name, asking.given.getlist(name))
    fields.update({**stated(asking.job.options), **order.fields})
    request = {
        "output": output,
        "pasted": asking.pasted,
        "fields": fields.urlencode(),
        # A deck may be visible to the browser, or to whoever has its key, rather than to the account.
        "browser": asking.visitor.browser,
        "key": asking.visitor.key_hash,
        "root": asking.root,
        "title": order.title,
        "summary": order.summary,
        "unit": order.work.unit,
    }
    return _store(owner or asking.visitor, request, order.work.steps)


def ask_again(row: PrintJob, visitor: Visitor) -> PrintJob:
    """Store the same once more, unless its file is still there. Raises Refused."""
    return row if file_of(row) else _store(visitor, row.request, row.pages)


def _store(visitor: Visitor, request: dict[str, Any], pages: int) -> PrintJob:
    sweep_now_and_then()
    if PrintJob.objects.filter(state__in=OPEN).count() >= MOST_QUEUED:
        raise Refused(Fault("busy", "Too many files are being made for others just now. Try again in some minutes."), status=503)
    if not has_room():
        raise Refused(Fault("no_room", "The server has no room for more files just now. Try again in some hours."), status=507)
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
    except (Refused, OSError) as error:
        faults = (no_room(error) if isinstance(error, OSError) else error).faults
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
    visitor = Visitor(row.owner_id, request["key"], request["browser"])
    asking = Asking(QueryDict(request["fields"]), request["pasted"], visitor, Remembered({}), request["root"])
    order = order_of(asking, request["output"])
    steps = order.work.steps
    progress.begin(steps)
    path = folder() / f"{row.link}.{secrets.token_hex(4)}{Path(order.filename).suffix}"
    half = path.with_name(f"{path.name}.part")
    try:
        with half.open("wb") as file:
            order.write(_Watched(file, progress), progress)  # type: ignore[arg-type]
            file.flush()
            os.fsync(file.fileno())
        half.rename(path)
    finally:
        half.unlink(missing_ok=True)
    named = request | {"filename": order.filename}
    if not _move(mine, JobState.DONE, file=path.name, request=named, pages=steps, pages_done=steps):
        path.unlink(missing_ok=True)


class _Progress:
    """Called with the pages done: tells the visitor, shows that the worker lives, and raises Lost when the job is another's now."""

    def __init__(self, mine: PrivateQuerySet[PrintJob]) -> None:
        self.mine = mine
        self.told, self.done = 0.0, 0

    def begin(self, pages: int) -> None:
        """How many pages there will be: the deck may have changed since it was asked for."""
        self._tell(pages=pages)

    def __call__(self, pages_done: int) -> None:
        self.done = pages_done
        if time.monotonic() - self.told >= BETWEEN:
            self._tell(pages_done=pages_done)

    def lives(self) -> None:
        """The same between two pages, where one takes long."""
        if time.monotonic() - self.told >= QUIET:
            self._tell(pages_done=self.done)

    def _tell(self, **values: int) -> None:
        self.told = time.monotonic()
        if not self.mine.update(heartbeat=timezone.now(), **values):
            raise Lost


class _Watched:
    """A file that tells at each write that the work goes on: pictures of a PDF are written long after its last page is drawn."""

    def __init__(self, file: IO[bytes], progress: _Progress) -> None:
        self.file, self.progress = file, progress

    def write(self, data: bytes) -> int:
        self.progress.lives()
        return self.file.write(data)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.file, name)


def _move(rows: PrivateQuerySet[PrintJob], state: JobState, **values: Any) -> int:
    """Bring these jobs to one of the ends."""
    return int(rows.update(state=state, expires=timezone.now() + KEPT_FILE, **values))
